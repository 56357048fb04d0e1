"""The board: the slate for everyone who was given a link, live."""

from __future__ import annotations

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Einig, Illegal
from scorer.store import KeyReused
from scorer.web import phone
from scorer.web.access import Guest, guest, hub, once, tables
from scorer.web.errors import message
from scorer.web.htmx import wants_fragment
from scorer.web.language import chosen, speaking
from scorer.web.limits import WRITE, limiter
from scorer.web.share import public_url, qr_svg
from scorer.web.stream import watch
from scorer.web.view import View

blueprint = Blueprint("board", __name__, url_prefix="/b/<key>")


@blueprint.get("")
def page(key: str) -> Response:
    """The board; `?big` is the form for a screen on the wall."""
    holder = guest(key)
    big = "big" in request.args
    with tables().reading(holder.stream) as table:
        html = render_template(
            "board/_board.html" if wants_fragment() else "board/page.html",
            view=View(table),
            key=key,
            role=holder.role,
            big=big,
            qr=qr_svg(public_url(url_for("board.page", key=key))) if big else None,
        )
    return phone.remember(make_response(html), key)


@blueprint.get("/history")
def history(key: str) -> Response:
    """The whole evening, round by round."""
    holder = guest(key)
    with tables().reading(holder.stream) as table:
        html = render_template("board/history.html", view=View(table), key=key, role=holder.role)
    return make_response(html)


@blueprint.get("/rules")
def rules(key: str) -> Response:
    """What this table plays by, and who agreed to it."""
    return _rules(guest(key))


def _rules(holder: Guest, notice: str = "", status: int = 200) -> Response:
    # Only a viewer's link is shown round; the other side has no way to it.
    viewer = {"scorer": tables().links(holder.key).get("viewer"), "viewer": holder.key}.get(
        holder.role
    )
    with tables().reading(holder.stream) as table:
        view = View(table)
        agreed = view.agreed
        html = render_template(
            "rules/table.html",
            view=view,
            key=holder.key,
            role=holder.role,
            notice=notice,
            turned=view.turned,
            sides=[
                {"name": view.name(side), "at": agreed.get(side), "event": side in speaks(holder)}
                for side in range(len(view.state.points))
            ],
            token=phone.token(),
            qr=viewer and qr_svg(public_url(url_for("board.rules", key=viewer))),
        )
    response = make_response(html)
    response.status_code = status
    return phone.introduce(response)


def speaks(holder: Guest) -> tuple[int, ...]:
    """The sides a key may agree for: the writer's phone lies between all of them."""
    return {"scorer": (0, 1, 2), "opponent": (1, 2)}.get(holder.role, ())


@blueprint.post("/agree")
@limiter.limit(WRITE)
def agree(key: str) -> AnyResponse:
    """Record that a side agrees to the rules of the table."""
    holder = guest(key)
    side, name = request.form.get("side", ""), phone.event_name()
    if not (side.isdecimal() and len(side) < 3):
        abort(400)
    if int(side) not in speaks(holder):
        abort(403, "not-the-writer")
    try:
        done = tables().record(
            holder.stream,
            Einig(int(side)).to_json(),
            key=name,
            by=phone.signature(holder.role),
            expected=None,
        )
    except Illegal as refusal:
        with tables().reading(holder.stream) as table:
            return _rules(holder, View(table).refusal(refusal), 422)
    except KeyReused:
        return _rules(holder, message("stale"), 409)
    hub().moved(holder.stream, done.seq)
    return redirect(url_for("board.rules", key=key), 303)


@blueprint.get("/stream")
def stream(key: str) -> Response:
    """The board's slate now and each time it changes, drawn once for all who watch."""
    holder = guest(key)
    book, drawn, language = tables(), once(), chosen()
    draw = current_app.jinja_env.get_template("board/_board.html")
    app = current_app._get_current_object()  # type: ignore[attr-defined]

    def render() -> tuple[int, str]:
        with book.reading(holder.stream) as table:
            known = ("board", holder.stream, table.seq, language)

            def html() -> str:
                with speaking(app, language):
                    return draw.render(view=View(table))

            return table.seq, drawn(known, html)

    return watch(holder, "board", render)
