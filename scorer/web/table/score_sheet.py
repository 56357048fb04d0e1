"""The score sheet, for printing and as files, and who pays whom."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.tables import Table
from scorer.engine import State
from scorer.engine.telling.settlement import (
    SettledGame,
    balances,
    bummerl_by_player,
    finished_games,
    games_on_paper,
    payments,
)
from scorer.engine.telling.slate import SlateLine, lines_of_evening
from scorer.store import hash_chain
from scorer.store.roles import MEMBER
from scorer.web.frame import page_responses, remembered_keys
from scorer.web.frame.access import KeyHolder, render_cache, require_holder, tables
from scorer.web.frame.csv_files import csv_file
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import language
from scorer.web.frame.money import cents, euros, typed_amount
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import Refused, form_route
from scorer.web.frame.svg_charts import Series, line_chart
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.rules.house_rules import changed_rules
from scorer.web.table import device_tables
from scorer.web.table.chart_labels import round_labels
from scorer.web.table.result_picture import picture, policy
from scorer.web.table.statements import submit_statement
from scorer.web.table.table_view import TableView

blueprint = Blueprint("score_sheet", __name__, url_prefix="/b/<key>")

_ROUNDS: Final = re.compile(r"\d{1,4}")


@blueprint.get("/sheet")
def page(key: str) -> Response:
    holder = require_holder(key)
    table = tables().current(holder.stream)
    view = TableView(table, says_we=remembered_keys.is_first_writer(holder))
    games, paper_games = finished_games(table.evening), games_on_paper(table.evening)
    # Bummerl on paper do not tell how many games were lost.
    per_game = view.state.price is not None and view.state.price.per == "spiel"
    paid_games = games if per_game else [*paper_games, *games]
    return page_responses.render_page(
        "table/board/sheet.html",
        view=view,
        top=_cached_part(holder, view, _top),
        rounds=_cached_part(holder, view, _rounds),
        seen=_hash_lookup(table),
        has_games=bool(games or paper_games),
        owed=_owed([*paper_games, *games], view),
        settled=_payment_rows(paid_games, view),
        leaves_out_paper=any(table.evening.head.start().bummerl) and (per_game or not paper_games),
        price=_price_fields(view.state),
        price_text=_price_text(view.state),
        ledgers=[one for one in device_tables.ledgers(holder.stream) if one["role"] == MEMBER],
    )


def _owed(games: Sequence[SettledGame], view: TableView) -> dict[str, int]:
    """The Bummerl of each player; {} if each has the Bummerl of his side, which the page shows."""
    owed = bummerl_by_player(games)
    evening = SettledGame(view.state.sides, 0, view.state.bummerl)
    if owed.items() <= bummerl_by_player([evening]).items():
        return {}
    return {_person(name, view): count for name, count in owed.items()}


def _cached_part(holder: KeyHolder, view: TableView, render: Callable[[TableView], str]) -> Markup:
    """A part that is the same for all holders of the key, cached by state and language."""
    cache_key = (render.__name__, holder.key, view.table.version_tag, language())
    return Markup(render_cache()(("sheet", *cache_key), lambda: render(view)))


def _top(view: TableView) -> str:
    return render_template(
        "table/board/_sheet_top.html", view=view, changed_rules=changed_rules(view.rules)
    )


def _rounds(view: TableView) -> str:
    games = [
        (number, rows)
        for number in reversed(view.games_newest_first)
        if (rows := view.rows(number))
    ]
    return render_template(
        "table/board/_sheet_rounds.html",
        view=view,
        games=games,
        raises=next((row.raises for _, rows in games for row in rows if row.raises), ""),
        chart=_chart(view),
        broken=hash_chain.first_broken_entry(view.table.head, view.evening.recorded),
    )


@dataclass(frozen=True, slots=True)
class HashLookup:
    """A short hash to look up, and the number of its entry, from 1; 0 if unknown."""

    typed: str
    entry: int
    weak: bool = False
    """Whether it has fewer than 80 bits."""


def _hash_lookup(table: Table) -> HashLookup:
    """The hash in the query. If found, all entries up to it are unchanged."""
    typed = request.args.get("seen", "")[:60]
    try:
        witness = hash_chain.read_witness(typed)
    except ValueError:
        return HashLookup(typed, 0)
    entry = hash_chain.entries_up_to(table.head, table.evening.recorded, witness) or 0
    return HashLookup(typed, entry, witness.weak)


def _price_text(state: State) -> str:
    """The table's price, such as "0,50 € a player for each Bummerl"; "" without."""
    price = state.price
    if price is None or not price.amount:
        return ""
    amount = _amount_text(price.amount, price.unit)
    if any(side.players for side in state.sides):
        amount = gettext("%(amount)s a player", amount=amount)
    if price.per == "spiel":
        return gettext("%(amount)s for each lost game", amount=amount)
    return gettext("%(amount)s for each Bummerl", amount=amount)


def _price_fields(state: State) -> dict[str, str]:
    """Values of the price form: as submitted, else the table's price."""
    if request.form:
        return request.form.to_dict()
    price = state.price
    if price is None:
        return {}
    amount = str(price.amount) if price.unit == "runden" else typed_amount(price.amount)
    return {"price": amount, "unit": price.unit, "per": price.per}


def _chart(view: TableView) -> Any:
    rows = lines_of_evening(view.evening)
    if len(rows) < 2:
        return None
    games = [list(lines) for _, lines in groupby(rows, lambda line: line.game)]
    # Each game's lines begin with the points at its start.
    series = [
        Series(column.name, [_course(lines, column.side) for lines in games])
        for column in view.columns
    ]
    labels = round_labels([[line.round for line in lines] for lines in games])
    return line_chart(series, labels, gettext("Points over the evening"))


def _course(lines: Sequence[SlateLine], side: int) -> list[float]:
    """A side's points at the start of a game and after each of its lines."""
    return [lines[0].step.before.points[side], *(line.points[side] for line in lines)]


@blueprint.get("/sheet.svg")
def as_picture(key: str) -> Response:
    """The result to share; `?shape=square` for the same in a square."""
    table = tables().current(require_holder(key).stream)
    shape = "square" if request.args.get("shape") == "square" else "tall"
    headers = {"Content-Security-Policy": policy()}
    return Response(picture(TableView(table), shape), headers=headers, mimetype="image/svg+xml")


@blueprint.get("/evening.csv")
def as_csv(key: str) -> Response:
    table = tables().current(require_holder(key).stream)
    view = TableView(table)
    names = [column.name for column in view.columns]
    sums = [gettext("%(name)s, sum", name=name) for name in names]
    heads = [gettext("Game"), gettext("Round"), gettext("Dealer"), *names, *sums]
    rows: list[list[Any]] = [[*heads, gettext("Raises"), gettext("Why")]]
    for line in lines_of_evening(view.evening):
        raises = " ".join(str(rung.value) for rung in line.ladder if rung.do == "bieten")
        head = [line.game, line.round, view.dealer_of(line) or ""]
        why = "; ".join(text for text, _ in view.sentences(line.because))
        rows.append([*head, *line.deltas, *line.points, raises, why])
    return csv_file("evening", rows)


def _person(name: str, view: TableView) -> str:
    """Name of a player; "#n" is a side without players."""
    if not name.startswith("#"):
        return view.seating.name_of(name)
    return gettext("Side %(n)s", n=name.removeprefix("#"))


def _payment_rows(games: list[Any], view: TableView) -> list[dict[str, str]] | None:
    price = view.state.price
    if price is None:
        return None
    return [
        {
            "payer": _person(payment.payer, view),
            "to": _person(payment.to, view),
            "amount": _amount_text(payment.amount, price.unit),
        }
        for payment in payments(balances(games, price.amount, price.per == "spiel"))
    ]


@form_route(blueprint, "/price", WRITE, "score_sheet.page")
def price(key: str) -> AnyResponse:
    holder, form = require_holder(key), request.form
    amount = _price(form.get("price", "").strip() or "0", form.get("unit", ""))
    if amount is None:
        text = gettext("Write the price as a number, such as 0,50 or 2.")
        raise Refused(CodedText(text, "bad-price"))
    body = {"do": "preis", "amount": amount, "unit": form.get("unit"), "per": form.get("per")}
    return submit_statement(holder, body)


def _price(text: str, unit: str) -> int | None:
    """Cents, or rounds of drinks; None if invalid."""
    if unit == "runden":
        return int(text) if _ROUNDS.fullmatch(text) else None
    return cents(text)


def _amount_text(amount: int, unit: str) -> str:
    if unit == "runden":
        return ngettext("%(num)s round of drinks", "%(num)s rounds of drinks", amount)
    return euros(amount)
