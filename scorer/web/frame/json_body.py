"""Input of API requests."""

from __future__ import annotations

from typing import Any

from flask import abort, request

from scorer.engine.input.strict_json import loads


def json_body() -> Any:
    """The request's JSON.

    :raises BadRequest: 400, invalid JSON
    """
    try:
        return loads(request.get_data().decode("utf-8"))
    except ValueError:
        abort(400, "not-json")


def whole_number(text: str) -> Any:
    """The number in `text`, else the stripped text, which the caller's validation refuses."""
    text = text.strip()
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 else text
