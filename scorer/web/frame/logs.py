"""Logging without keys and codes.

As JSON lines (`BUMMERL_LOG=json`) it also logs each request. Exceptions then have no message, since
it may quote user input, but their type and code locations.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from datetime import UTC, datetime
from typing import Any, Final

from flask import Flask, Response

from scorer.book import live_channels
from scorer.config import uses_json_log
from scorer.web.frame import request_timing

_KEY: Final = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))[a-z2-7]{26}(?![A-Za-z0-9])|(?<=/s/)[^\s/?\"']+"
)
"""A key, also inside an encoded URL; or a short code."""


def without_keys(text: str) -> str:
    """`text` with keys and codes removed.

    >>> without_keys("Exception on /t/abcdefghijklmnopqrstuvwx23/share [GET], /s/AB3K9W")
    'Exception on /t/…/share [GET], /s/…'
    >>> without_keys("back=%2Ft%2Fabcdefghijklmnopqrstuvwx23")
    'back=%2Ft%2F…'
    """
    return _KEY.sub("…", text)


class KeyScrubber(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = without_keys(record.getMessage()), ()
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = without_keys("".join(traceback.format_exception(*record.exc_info)))
            record.exc_text = record.exc_text.rstrip("\n")
        return True


def scrub(logger: logging.Logger) -> None:
    if not any(isinstance(present, KeyScrubber) for present in logger.filters):
        logger.addFilter(KeyScrubber())


FIELDS: Final = ("route", "method", "status", "seconds")


class JsonLines(logging.Formatter):
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
            # The message of an exception may quote user input.
            line["exception"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["where"] = [f"{f.filename}:{f.lineno} {f.name}" for f in frames]
        return json.dumps(line)


def json_config() -> dict[str, Any]:
    """Configuration for `logging.config.dictConfig`: JSON lines on standard error."""
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
    # A logger's filter does not apply to its child loggers.
    for logger in (app.logger, logging.getLogger(live_channels.__name__)):
        scrub(logger)
    if not uses_json_log():
        return
    requests = logging.getLogger("bummerl.requests")

    request_timing.begin(app)

    @app.after_request
    def log_response(response: Response) -> Response:
        route, method, seconds = request_timing.timing()
        values = (route, method, response.status_code, round(seconds, 4))
        requests.info("answered", extra=dict(zip(FIELDS, values, strict=True)))
        return response
