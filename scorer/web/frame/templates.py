"""How templates find what all of them know, and draw once what many pages show."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from typing import Any, Final

from flask import Flask, current_app, g
from flask.templating import Environment
from markupsafe import Markup

from scorer.book.live import Once
from scorer.web.frame.language import tongue

PIECES: Final = 4_000_000
"""Characters of pieces that a process holds: what some 300 tables show. The values by which they
are known take as much again."""


class Shared(Environment):
    """Every template knows the application's globals and none of its own.

    Jinja lays a map over them for each template, and compares those of who imports and who is
    imported name by name, at each import of each page: a tenth of what a table took to draw.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def piece(template: str, macro: str, *values: Hashable) -> Markup:
    """What a macro draws of these values, of which it alone knows, once for all in one language.

    From one tap to the next most rounds and most buttons stay what they were.
    """

    def drawn() -> Markup:
        module = current_app.jinja_env.get_template(template).module
        return Markup(getattr(module, macro)(*values))

    pieces: Once[Markup] = current_app.extensions["pieces"]
    # A dialect is spoken on some pages only.
    return pieces((template, macro, tongue(), "said" in g, *values), drawn)


def init_app(app: Flask) -> None:
    """Before any template is asked for."""
    app.jinja_environment = Shared
    app.extensions["pieces"] = Once[Markup](PIECES, len)
    app.add_template_global(piece)
