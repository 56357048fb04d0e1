"""The end of the evening: the score sheet to print, and who pays whom."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from flask import Blueprint, Response, make_response, render_template, request
from flask_babel import format_date, gettext

from scorer.engine import State
from scorer.engine.settle import balances, owed, payments, played
from scorer.store import chain
from scorer.web.access import guest, tables
from scorer.web.view import View

blueprint = Blueprint("sheet", __name__, url_prefix="/b/<key>")

UNITS: Final = ("euro", "rounds")
_PRICE: Final = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?")


@blueprint.get("/sheet")
def page(key: str) -> Response:
    """The whole evening on paper: rules, rounds, Bummerl, and the settlement if a price is set."""
    holder = guest(key)
    with tables().reading(holder.stream) as table:
        view = View(table)
        games = played(table.evening)
        head = table.evening.recorded[-1].get("hash", "") if table.evening.recorded else ""
        html = render_template(
            "board/sheet.html",
            view=view,
            key=key,
            role=holder.role,
            games=list(reversed(view.games)),
            date=_date(table.evening.recorded),
            short=chain.short(head) if head else "",
            owed={_person(name, view.state): count for name, count in owed(games).items()},
            settled=_settled(games, view.state),
            asked=request.args,
        )
    return make_response(html)


def _date(recorded: list[Any]) -> str:
    """The day the evening began."""
    at = recorded[0].get("at") if recorded else None
    return format_date(datetime.fromisoformat(at).astimezone(), "full") if at else ""


def _person(name: str, state: State) -> str:
    """A player's name, or what a side is called that nobody named."""
    if not name.startswith("#"):
        return name
    return gettext("Side %(n)s", n=name.removeprefix("#"))


def _settled(games: list[Any], state: State) -> dict[str, Any] | None:
    """Who pays whom, at the price the address names; None without one."""
    given = request.args.get("price", "").strip()
    if not given:
        return None
    unit = request.args.get("unit") if request.args.get("unit") in UNITS else UNITS[0]
    price = _price(given, unit)
    if price is None:
        return {"error": gettext("Write the price as a number, such as 0,50 or 2.")}
    found = payments(balances(games, price, request.args.get("per") == "game"))
    return {
        "error": "",
        "payments": [
            {
                "payer": _person(payment.payer, state),
                "to": _person(payment.to, state),
                "amount": _shown(payment.amount, unit),
            }
            for payment in found
        ],
    }


def _price(text: str, unit: str) -> int | None:
    """A price in cents, or in whole rounds of drinks."""
    found = _PRICE.fullmatch(text)
    if found is None or (unit == "rounds" and found[2]):
        return None
    whole = int(found[1])
    return whole if unit == "rounds" else whole * 100 + int((found[2] or "0").ljust(2, "0"))


def _shown(amount: int, unit: str) -> str:
    if unit == "rounds":
        return gettext("%(n)s rounds", n=amount)
    return f"{amount // 100},{amount % 100:02d} €"
