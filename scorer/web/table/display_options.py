"""How a phone shows a table: its own switches, kept in its cookies."""

from __future__ import annotations

from dataclasses import dataclass, fields

from flask import abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.web.frame import device_cookies


@dataclass(frozen=True, slots=True)
class Look:
    """The switches of this phone; all are off until somebody turns them on."""

    flat: bool
    """It lies between the sides: two halves, the far one turned round."""
    big: bool
    """Big figures, for eyes that want them."""
    voice: bool
    """It says the score aloud when it changes."""

    @classmethod
    def chosen(cls) -> Look:
        """As this phone's cookies say."""
        return cls(*(request.cookies.get(name) == "1" for name in LOOKS))


LOOKS = tuple(field.name for field in fields(Look))


def turned(back: str) -> AnyResponse:
    """Turn the switch of the form on or off, and go back to a page."""
    name = request.form.get("look", "")
    if name not in LOOKS:
        abort(400)
    response = redirect(back, 303)
    device_cookies.keep(response, name, "0" if request.cookies.get(name) == "1" else "1")
    return response
