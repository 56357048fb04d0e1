"""Bummerl: the scorekeeping companion for the card game Watten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask


__version__ = "0.2.0"


def create_app(config: dict[str, Any] | None = None) -> Flask:
    """The web application. Imports Flask only here, so the engine works without it.

    :param config: overrides of the defaults of `scorer.web.create_app`
    """
    from scorer.web import create_app as factory

    app: Flask = factory(config)
    return app
