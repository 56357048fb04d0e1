"""How templates find what all of them know."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from flask import Flask
from flask.templating import Environment


class Shared(Environment):
    """Every template knows the application's globals and none of its own.

    Jinja lays a map over them for each template, and compares those of who imports and who is
    imported name by name, at each import of each page: a tenth of what a table took to draw.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def init_app(app: Flask) -> None:
    """Before any template is asked for."""
    app.jinja_environment = Shared
