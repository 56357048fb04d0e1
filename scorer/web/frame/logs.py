"""Logs without keys: what opens a table stays between those who hold it."""

from __future__ import annotations

import logging
import re
import traceback
from typing import Final

_KEY: Final = re.compile(r"(?<![A-Za-z0-9])[a-z2-7]{26}(?![A-Za-z0-9])|(?<=/s/)[^\s/?\"']+")


def without_keys(text: str) -> str:
    """`text` with every key and code in it left out.

    >>> without_keys("Exception on /t/abcdefghijklmnopqrstuvwx23/share [GET], /s/AB3K9W")
    'Exception on /t/…/share [GET], /s/…'
    """
    return _KEY.sub("…", text)


class Scrub(logging.Filter):
    """Leaves keys out of a message and of its traceback, whoever writes it in the end."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = without_keys(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = without_keys("".join(traceback.format_exception(*record.exc_info)))
            record.exc_text = record.exc_text.rstrip("\n")
        return True


def scrub(logger: logging.Logger) -> None:
    """Let this logger leave keys out."""
    if not any(isinstance(known, Scrub) for known in logger.filters):
        logger.addFilter(Scrub())
