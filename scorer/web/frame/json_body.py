"""What programs send."""

from __future__ import annotations

from typing import Any

from flask import abort, request

from scorer.engine.input.strict_json import loads


def json_body() -> Any:
    """The request's JSON.

    :raises BadRequest: 400, it is none
    """
    try:
        return loads(request.get_data().decode("utf-8"))
    except ValueError:
        abort(400, "not-json")


def whole_number(text: str) -> Any:
    """A number as somebody typed it; anything else stays text, for the reader to refuse."""
    text = text.strip()
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 else text
