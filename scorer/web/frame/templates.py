"""How templates find what all of them know, and draw once what many pages show."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from functools import lru_cache
from typing import Any, Final

from babel.support import NullTranslations
from flask import Flask, g
from flask.templating import Environment
from markupsafe import Markup

from scorer.web.frame import device_cookies
from scorer.web.frame.refusals import refusal
from scorer.web.frame.translation import sentences

PIECES: Final = 5_000
"""Pieces that a process holds: what some 300 tables show, 2 KB each with what it is known by."""


class Shared(Environment):
    """Every template knows the application's globals and none of its own.

    Jinja lays a map over them for each template, and compares those of who imports and who is
    imported name by name, at each import of each page: a tenth of what a table took to draw.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def _of_request() -> dict[str, Any]:
    """What every page is given: who reads it by which key, the name of what its forms send, and
    what was refused."""
    holder, found = g.get("guest"), refusal()
    return {
        "key": holder and holder.key,
        "role": holder and holder.role,
        "token": device_cookies.token(),
        "notice": found,
        "failed": found.text if found else "",
    }


def init_app(app: Flask) -> None:
    """Before any template is asked for."""
    app.jinja_environment = Shared
    app.context_processor(_of_request)

    @lru_cache(PIECES)
    def drawn(template: str, macro: str, _: NullTranslations, *values: Hashable) -> Markup:
        return Markup(getattr(app.jinja_env.get_template(template).module, macro)(*values))

    @app.template_global()
    def piece(template: str, macro: str, *values: Hashable) -> Markup:
        """What a macro draws of these values, of which it alone knows, once for all in one
        language: from one tap to the next most of it stays what it was. Without it a table of
        2.3 ms takes 6.2."""
        return drawn(template, macro, sentences(), *values)
