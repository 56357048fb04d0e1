"""The board: the slate for everyone who was given a link, live."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, render_template, request, url_for

from scorer.web import phone
from scorer.web.access import guest, once, tables
from scorer.web.htmx import wants_fragment
from scorer.web.language import chosen, speaking
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
