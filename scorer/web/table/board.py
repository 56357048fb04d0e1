"""The board: the slate for everyone who was given a link, live."""

from __future__ import annotations

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.web.frame import phone
from scorer.web.frame.access import Guest, guest, once, tables
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import chosen, speaking
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.frame.stream import watch
from scorer.web.table.court import asked_why
from scorer.web.table.held import shown
from scorer.web.table.said import speaks
from scorer.web.table.view import View

blueprint = Blueprint("board", __name__, url_prefix="/b/<key>")


@blueprint.get("")
def page(key: str) -> AnyResponse:
    """The board; `?big` is the form for a screen on the wall."""
    holder = guest(key)
    if why := asked_why(key):
        return why
    big = "big" in request.args
    # Whoever opened it: what hangs on the wall only looks.
    viewer = tables().viewer(key, holder.role) if big else None
    table = tables().reading(holder.stream)
    html = render_template(
        "table/board/_board.html" if wants_fragment() else "table/board/page.html",
        view=View(table),
        confirms=_confirms(holder),
        token=phone.token(),
        big=big,
        qr=viewer and qr_svg(public_url(url_for("board.page", key=viewer))),
        **shown(holder),
    )
    return phone.introduce(phone.remember(make_response(html), key))


def _confirms(holder: Guest) -> str | None:
    """The key of the side that confirms results, where this is one."""
    return holder.key if holder.role == "opponent" else None


@blueprint.get("/history")
def history(key: str) -> Response:
    """The whole evening, round by round."""
    holder = guest(key)
    table = tables().reading(holder.stream)

    def html() -> str:
        return render_template(
            "table/board/history.html", view=View(table), key=key, role=holder.role
        )

    return make_response(once()(("history", key, table.seq, chosen()), html))


@blueprint.get("/rules")
def rules(key: str) -> Response:
    """What this table plays by, and who agreed to it."""
    holder = guest(key)
    # Only a viewer's link is shown round.
    viewer = tables().viewer(key, holder.role)
    table = tables().reading(holder.stream)
    view = View(table)
    agreed, own = view.agreed, speaks(holder, "einig")
    html = render_template(
        "rules/pages/table.html",
        view=view,
        key=holder.key,
        role=holder.role,
        turned=view.turned,
        sides=[
            {
                "name": view.name(side),
                "at": agreed.get(side),
                "event": side in own,
            }
            for side in range(len(view.state.points))
        ],
        token=phone.token(),
        qr=viewer and qr_svg(public_url(url_for("board.rules", key=viewer))),
    )
    return phone.shown(html)


@blueprint.get("/stream")
def stream(key: str) -> Response:
    """The board's slate now and each time it changes, drawn once for all who watch."""
    holder = guest(key)
    book, drawn, language, confirms = tables(), once(), chosen(), _confirms(holder)
    draw = current_app.jinja_env.get_template("table/board/_board.html")
    app = current_app._get_current_object()  # type: ignore[attr-defined]

    def render() -> tuple[int, str]:
        table = book.reading(holder.stream)
        known = ("board", confirms or holder.stream, table.seq, language)

        def html() -> str:
            with speaking(app, language):
                return draw.render(view=View(table), confirms=confirms, token=phone.token())

        return table.seq, drawn(known, html)

    return watch(holder, "board", render)
