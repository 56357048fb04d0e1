"""Look back: win probabilities over the evening, and the equity of each decision."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, url_for

from scorer.engine.equity.model import live
from scorer.engine.equity.score_graph import Unsolved
from scorer.engine.telling.lookback import LookBack, look_back
from scorer.web.frame import remembered_keys
from scorer.web.frame.access import require_holder, tables
from scorer.web.frame.svg_charts import Series, line_chart
from scorer.web.frame.translation import gettext
from scorer.web.rules.equity import chosen_number, model_words
from scorer.web.table.chart_labels import round_labels
from scorer.web.table.decision_review import decisions, headline
from scorer.web.table.pair_strength import EVEN, pair_strengths
from scorer.web.table.table_view import TableView

blueprint = Blueprint("lookback", __name__, url_prefix="/b/<key>")


@blueprint.get("/look-back")
def page(key: str) -> str:
    holder = require_holder(key)
    table = tables().current(holder.stream)
    view = TableView(table, says_we=remembered_keys.is_first_writer(holder))
    strengths = pair_strengths(holder.stream, view)
    p = chosen_number("p", [strength.percent for strength in strengths], EVEN)
    reason, review, model = unavailable_reason(view), None, live(p / 100)
    if not reason:
        try:
            review = look_back(view.evening, model)
            if _hides_running_game(view):
                review = review.through(len(view.state.games))
        except Unsolved:
            reason = gettext("These rules have too many possible scores to be worked out.")
    return render_template(
        "table/board/lookback.html",
        view=view,
        key=key,
        role=holder.role,
        why=reason,
        running=_hides_running_game(view),
        found=review,
        chart=review and _chart(view, review),
        headline=headline(view, review) if review else "",
        decisions=decisions(view, review) if review else [],
        skills=strengths,
        even=EVEN,
        p=p,
        model_words=model_words(model),
        wall=url_for("equity.sheet", region=view.rules.id, target=view.rules.target, p=p),
    )


def unavailable_reason(view: TableView) -> str:
    """Why the look back is not available now; "" if it is."""
    when = view.evening.head.look_back
    if len(view.state.points) != 2:
        return gettext("Only a game of two sides can be looked back on.")
    if when == "never":
        return gettext("This table has agreed not to look back.")
    if _hides_running_game(view) and not view.state.games:
        return gettext("A game is running. When it is over, the evening can be looked back on.")
    return ""


def _hides_running_game(view: TableView) -> bool:
    """Whether a game is running that the table may not look back on yet."""
    is_running = view.state.winner is None and bool(view.evening.steps)
    return is_running and view.evening.head.look_back == "after"


def _chart(view: TableView, review: LookBack) -> Any:
    if len(review.score_points) < 2:
        return None
    shares = [[round(100 * point.win) for point in game] for game in review.games]
    series = [
        Series(view.name(0), shares),
        Series(view.name(1), [[100 - share for share in game] for game in shares]),
    ]
    labels = round_labels([[point.round for point in game[1:]] for game in review.games])
    return line_chart(series, labels, gettext("Chance to win the game, in percent"))
