"""Notice before a table is deleted, on servers with limited retention."""

from __future__ import annotations

from datetime import date

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.web.frame.access import require_holder, retention
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route

blueprint = Blueprint("retention_notice", __name__, url_prefix="/b/<key>")


@blueprint.app_template_global()
def retention_notice(key: str) -> date | None:
    """Date of deletion, if it is near enough to be announced."""
    return retention().note_visit(require_holder(key).stream)


@form_route(blueprint, "/keep", WRITE)
def keep(key: str) -> AnyResponse:
    """Restart the retention period; any key may."""
    retention().extend(require_holder(key).stream)
    return redirect(url_for("board.page", key=key), 303)
