"""How templates find what all of them know, and draw once what many pages show."""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping
from typing import Any

from flask import Flask, current_app, g
from flask.templating import Environment
from markupsafe import Markup

from scorer.web.frame.access import once
from scorer.web.frame.language import tongue


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

    def drawn() -> str:
        module = current_app.jinja_env.get_template(template).module
        return str(getattr(module, macro)(*values))

    # A dialect is spoken on some pages only.
    return Markup(once()((template, macro, tongue(), "said" in g, *values), drawn))


def init_app(app: Flask) -> None:
    """Before any template is asked for."""
    app.jinja_environment = Shared
    app.add_template_global(piece)
