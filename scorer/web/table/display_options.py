"""Display options of a device, kept in cookies."""

from __future__ import annotations

from dataclasses import dataclass, fields

from flask import abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.web.frame import cookies


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    flat: bool
    """For a phone lying between the sides: two halves, one upside down."""
    big: bool
    """Large figures, for a table that reads them from afar."""
    voice: bool

    @classmethod
    def from_cookies(cls) -> DisplayOptions:
        return cls(*(request.cookies.get(name) == "1" for name in OPTION_NAMES))


OPTION_NAMES = tuple(field.name for field in fields(DisplayOptions))


def toggle_option(back: str) -> AnyResponse:
    """Toggle the option in the form, and redirect to `back`."""
    name = request.form.get("look", "")
    if name not in OPTION_NAMES:
        abort(400)
    response = redirect(back, 303)
    cookies.set_cookie(response, name, "0" if request.cookies.get(name) == "1" else "1")
    return response
