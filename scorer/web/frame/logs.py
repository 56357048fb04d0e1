"""Logs without keys: what opens a table stays between those who hold it.

As lines of JSON (`BUMMERL_LOG=json`) they also tell each request, and hold no names either: what
an error says of a value is left out, and its place in the code stays.
"""

from __future__ import annotations

import json
import logging
import os
import re
import traceback
from datetime import UTC, datetime
from typing import Any, Final

from flask import Flask, Response

from scorer.book import channels
from scorer.web.frame import request_timing

_KEY: Final = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))[a-z2-7]{26}(?![A-Za-z0-9])|(?<=/s/)[^\s/?\"']+"
)
"""A key, also in an address that stands encoded in another; or a code."""


def without_keys(text: str) -> str:
    """`text` with every key and code in it left out.

    >>> without_keys("Exception on /t/abcdefghijklmnopqrstuvwx23/share [GET], /s/AB3K9W")
    'Exception on /t/…/share [GET], /s/…'
    >>> without_keys("back=%2Ft%2Fabcdefghijklmnopqrstuvwx23")
    'back=%2Ft%2F…'
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


FIELDS: Final = ("route", "method", "status", "seconds")
"""What the line of a request tells."""


class JsonLines(logging.Formatter):
    """Each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": without_keys(record.getMessage()),
        }
        line |= {name: value for name in FIELDS if (value := getattr(record, name, None))}
        if record.exc_info and record.exc_info[0] is not None:
            # What the exception says may quote what people wrote.
            line["exception"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["where"] = [f"{f.filename}:{f.lineno} {f.name}" for f in frames]
        return json.dumps(line)


def as_json() -> bool:
    """Whether the operator wants lines of JSON."""
    return os.environ.get("BUMMERL_LOG", "") == "json"


def json_config() -> dict[str, Any]:
    """The standard library's configuration for lines of JSON on standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"level": "INFO", "handlers": ["lines"]},
        "loggers": {
            "gunicorn.error": {"level": "WARNING", "handlers": [], "propagate": True},
            "gunicorn.access": {"level": "WARNING", "handlers": [], "propagate": False},
        },
    }


def init_app(app: Flask) -> None:
    """Leave keys out; and tell each request, where lines of JSON are wanted."""
    # A logger's filter does not see what the loggers below it write.
    for logger in (app.logger, logging.getLogger(channels.__name__)):
        scrub(logger)
    if not as_json():
        return
    requests = logging.getLogger("bummerl.requests")

    request_timing.begin(app)

    @app.after_request
    def tell(response: Response) -> Response:
        route, method, seconds = request_timing.told()
        told = (route, method, response.status_code, round(seconds, 4))
        requests.info("answered", extra=dict(zip(FIELDS, told, strict=True)))
        return response
