"""What an evening's pages say before it is erased, where a server keeps none for ever."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.web.frame.access import guest, retention
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route

blueprint = Blueprint("retention_notice", __name__, url_prefix="/b/<key>")


@blueprint.app_template_global()
def farewell(key: str) -> date | None:
    """The day on which the evening of `key` may be erased, where that is to be said."""
    return retention().look(guest(key).stream)


@form_route(blueprint, "/keep", WRITE)
def keep(key: str) -> AnyResponse:
    """Keep an evening as long again; whoever may see it may."""
    retention().keep(guest(key).stream)
    return redirect(url_for("board.page", key=key), 303)
