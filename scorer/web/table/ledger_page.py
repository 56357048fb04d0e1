"""Ledgers: accounts of regular players over many evenings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import date, timedelta
from typing import Any, Final

from babel.lists import format_list
from flask import (
    Blueprint,
    Response,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import get_locale
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.ledger_cache import LedgerTotal
from scorer.book.ledger_state import Ledger
from scorer.book.ledgers import board_key as opened_board
from scorer.book.stream_cache import MAX_COST_PER_READ
from scorer.book.tables import Table
from scorer.engine import Head, State, Unreadable
from scorer.engine.telling.ledger_titles import titles
from scorer.engine.telling.player_statistics import (
    LedgerStatistics,
    PlayerStatistics,
    interval,
    people,
)
from scorer.engine.translatable import N_
from scorer.store.keys import digest
from scorer.store.roles import LEDGER_KIND, MEMBER, READER, TABLE_KIND, WRITER
from scorer.web.frame import cookies, device_identity, remembered_keys, resent_forms
from scorer.web.frame.access import (
    KeyHolder,
    authorise,
    ledger_totals,
    ledgers,
    require_holder,
    require_writer,
    retention,
    store,
    tables,
)
from scorer.web.frame.csv_files import csv_file
from scorer.web.frame.language import date_text, percent
from scorer.web.frame.public_address import link_qr, public_url
from scorer.web.frame.rate_limits import CREATE, WRITE
from scorer.web.frame.refusals import form_route
from scorer.web.frame.svg_charts import Series, line_chart
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.table.new_table_form import default_side_names
from scorer.web.table.table_view import TableView

blueprint = Blueprint("ledger", __name__)

MAX_LISTED: Final = 200
MIN_EVENINGS = 4
"""Evenings needed for ratings, and to show the statistics unfolded."""
COLUMN_HEADS: Final = {
    "games": N_("Games"),
    "won": N_("Won"),
    "given": N_("Bummerl given"),
    "taken": N_("Bummerl taken"),
    "schneider_given": N_("Schneider given"),
    "schneider_taken": N_("Schneider taken"),
    "rounds": N_("Rounds"),
    "raised": N_("Raised"),
    "stayed": N_("Stayed"),
    "went": N_("Folded"),
    "raise_folded": N_("Raised, the others folded"),
    "raise_won": N_("Raised, played and won"),
    "raise_lost": N_("Raised, round lost"),
    "rounds_won": N_("Rounds won"),
    "stay_won": N_("Stayed and won"),
    "stay_lost": N_("Stayed and lost"),
    "stay_needed": N_("Stayed: rounds that needed to be won"),
    "went_points": N_("Points given away by folding"),
    "folded_points": N_("Points won when the others folded"),
    "went_needed": N_("Folded: rounds that needed to be won"),
    "went_priced": N_("Folded, with a known price"),
}
MAX_LINES = 8
TITLE_NAMES: Final = {
    "tailor": N_("Master tailor"),
    "daredevil": N_("Daredevil"),
    "fox": N_("Old fox"),
    "landlord": N_("The landlord's darling"),
}
"""Titles in the ladder: most Schneider given, raises, folds, Bummerl taken."""
MIN_STREAK: Final = 2
TITLES_HIDDEN: Final = "plain-ledger"
"""Cookie of a device that shows no titles."""


def member(key: str) -> KeyHolder:
    """The holder of `key`, if it may add evenings.

    :raises Forbidden: 403, a key that only reads
    """
    return authorise(key, MEMBER)


@form_route(blueprint, "/regulars", CREATE)
def create() -> AnyResponse:
    name = request.form.get("name", "").strip()
    if not name:
        raise Unreadable("name", N_("is missing"))
    key = resent_forms.create_once(lambda key: ledgers().create(name, key))
    response = redirect(url_for("ledger.page", key=key), 303)
    return remembered_keys.remember_opened(response, key, remembered_keys.LEDGERS_COOKIE)


@blueprint.get("/g/<key>")
def page(key: str) -> Response:
    holder = require_holder(key, LEDGER_KIND)
    full_ledger = ledgers().current(holder.stream)
    ledger = present_part(full_ledger)
    dropped = request.args.get("dropped", "")
    tables_by_stream = _evenings(ledger)
    evenings = [*tables_by_stream.values()]
    start = min(max(request.args.get("from", 0, type=int), 0), len(evenings))
    total = ledger_totals().total(evenings)
    accounts = total.accounts
    reader_key = ledgers().keys(key).get(READER) if holder.role == MEMBER else key
    path = url_for("ledger.page", key=reader_key) if reader_key else ""
    html = render_template(
        "table/ledger/page.html",
        ledger=ledger,
        missing_count=len(full_ledger.evenings) - len(ledger.evenings),
        dropped=dropped,
        dropped_name=_dropped_name(full_ledger, dropped),
        players=_ranked_players(accounts.players),
        pairs=_ranked_players(
            {" · ".join(names): account for names, account in accounts.pairs.items()}
        ),
        interval=interval,
        rules=evenings[-1].evening.head.rules if evenings else None,
        ratings=total.ratings,
        least_evenings=MIN_EVENINGS,
        rateable=len(tables_by_stream) >= MIN_EVENINGS,
        owing=bool(accounts.players),
        ladder=_ladder(accounts.players),
        titles=_titles(total),
        plain=_hides_titles(),
        debts=accounts.debts(),
        together=_joined_names,
        raising=[
            (name, _raise_figures(account)) for name, account in _ranked_players(accounts.players)
        ],
        months=[_month_name(month) for month in _all_months(accounts.months)],
        by_month=_bummerl_by_month(accounts),
        chart=_chart(accounts),
        evenings=list(_evening_rows(reader_key, tables_by_stream, start, total.continued)),
        earlier=start + MAX_LISTED if start + MAX_LISTED < len(tables_by_stream) else None,
        too_large_count=len(ledger.evenings) - len(tables_by_stream),
        most=MAX_COST_PER_READ,
        url=path and public_url(path),
        qr=path and link_qr(path),
    )
    return remembered_keys.remember(make_response(html), key, remembered_keys.LEDGERS_COOKIE)


def _dropped_name(ledger: Ledger, stream: str) -> str:
    """The sides of an evening that was removed from the ledger; "" for any other stream."""
    is_removed = stream in ledger.counted and not ledger.counts(stream)
    if not is_removed or stream not in store().existing_streams(TABLE_KIND, [stream]):
        return ""
    return " – ".join(TableView(tables().current(stream)).side_names.for_lists)


def present_part(ledger: Ledger) -> Ledger:
    """The ledger with only those evenings that are in this database; a phone has only some."""
    present = store().existing_streams(TABLE_KIND, ledger.evenings)
    return replace(ledger, counted={table: True for table in ledger.evenings if table in present})


def statistics_of(ledger: Ledger) -> LedgerStatistics:
    """Accounts of a ledger; all its evenings must be in this database (`present_part`)."""
    return ledger_totals().total(_evenings(ledger).values()).accounts


def _evenings(ledger: Ledger) -> dict[str, Table]:
    """Evenings by stream in order; the oldest are left out if there are too many to read."""
    newest = tables().current_within(ledger.evenings[::-1])
    return dict(reversed(newest.items()))


def _ranked_players(accounts: dict[str, PlayerStatistics]) -> list[tuple[str, PlayerStatistics]]:
    return sorted(accounts.items(), key=lambda item: (-item[1].share, -item[1].games, item[0]))


def _ladder(accounts: dict[str, PlayerStatistics]) -> list[tuple[str, int, int, int]]:
    """(name, net Bummerl, given, taken), the best player first."""
    rungs = [
        (name, account.given - account.taken, account.given, account.taken)
        for name, account in accounts.items()
    ]
    return sorted(rungs, key=lambda rung: (-rung[1], rung[3], rung[0]))


def _titles(total: LedgerTotal) -> dict[str, list[str]]:
    """The titles and streaks of each player, as text."""
    if _hides_titles():
        return {}
    texts: dict[str, list[str]] = {}
    for name, player_titles in titles(total.accounts.players).items():
        texts[name] = [gettext(TITLE_NAMES[title]) for title in player_titles]
    for name, streak in total.streaks.items():
        if streak >= MIN_STREAK:
            text = ngettext(
                "%(num)s evening without a Bummerl", "%(num)s evenings without a Bummerl", streak
            )
            texts.setdefault(name, []).append(text)
    return texts


def _hides_titles() -> bool:
    return request.cookies.get(TITLES_HIDDEN) == "1"


@form_route(blueprint, "/g/<key>/titles", WRITE)
def toggle_titles(key: str) -> AnyResponse:
    """Show or hide titles and streaks on this device."""
    require_holder(key, LEDGER_KIND)
    response = redirect(url_for("ledger.page", key=key), 303)
    cookies.set_cookie(response, TITLES_HIDDEN, "0" if _hides_titles() else "1")
    return response


def _joined_names(names: Iterable[str]) -> Markup:
    isolated = [str(Markup("<bdi>{}</bdi>").format(name)) for name in names]
    return Markup(format_list(isolated, locale=get_locale()))


def _raise_figures(account: PlayerStatistics) -> list[int | str]:
    outcome_shares = percentages(account.raise_folded, account.raise_won, account.raise_lost)
    return [account.rounds, account.raised, *outcome_shares, account.stayed, account.went]


def _bummerl_by_month(accounts: LedgerStatistics) -> list[tuple[str, list[int | str]]]:
    months = [accounts.months.get(month, {}) for month in _all_months(accounts.months)]
    ranked = (name for name, _ in _ranked_players(accounts.players))
    return [(name, [taken.get(name, "") for taken in months]) for name in ranked]


def _month_name(month: str) -> str:
    return date_text(date.fromisoformat(f"{month}-01"), "LLL yyyy")


def percentages(*parts: int) -> list[str]:
    """Percentages that add up to 100; dashes if the sum is 0."""
    return [percent(share / 100) for share in whole_percents(*parts)] or ["–"] * len(parts)


def whole_percents(*parts: int) -> list[int]:
    """Whole percentages that add up to 100; [] if the sum is 0.

    >>> whole_percents(1, 1, 1), whole_percents(0, 0)
    ([34, 33, 33], [])
    """
    total = sum(parts)
    if not total:
        return []
    percents = [100 * part // total for part in parts]
    by_remainder = sorted(range(len(parts)), key=lambda index: -(100 * parts[index] % total))
    for index in by_remainder[: 100 - sum(percents)]:
        percents[index] += 1
    return percents


def _all_months(months: Iterable[str]) -> list[str]:
    """All months from the first to the last, without gaps.

    >>> _all_months(["2025-11", "2026-02"])
    ['2025-11', '2025-12', '2026-01', '2026-02']
    """
    first_days = [date.fromisoformat(f"{month}-01") for month in sorted(months)]
    months_between = []
    day = first_days[0] if first_days else None
    while day is not None and day <= first_days[-1]:
        months_between.append(f"{day:%Y-%m}")
        day = (day + timedelta(days=31)).replace(day=1)
    return months_between


def _chart(accounts: LedgerStatistics) -> Any:
    months = _all_months(accounts.months)
    if len(months) < 2:
        return None
    by_bummerl = sorted(accounts.players, key=lambda name: (-accounts.players[name].taken, name))
    series = []
    for name in by_bummerl[:MAX_LINES]:
        total, values = 0, []
        for month in months:
            total += accounts.months.get(month, {}).get(name, 0)
            values.append(total)
        series.append(Series(name, [values]))
    month_names = [_month_name(month) for month in months]
    return line_chart(series, month_names, gettext("Bummerl over the months"))


def _evening_rows(
    reader_key: str | None, evenings: Mapping[str, Table], start: int, continued: frozenset[str]
) -> Iterator[dict[str, Any]]:
    listed = [*evenings][::-1][start : start + MAX_LISTED]
    views = {stream: TableView(evenings[stream]) for stream in listed}
    evenings_by_date = Counter(view.authors.long_date for view in views.values())
    for stream, view in views.items():
        board = opened_board(store(), reader_key, stream)
        names = " – ".join(view.side_names.for_lists)
        nameless = not all(people(side, default_side_names()) for side in view.state.sides)
        writer_key = remembered_keys.key_of(stream, WRITER) if nameless else None
        yield {
            "stream": stream,
            "board": board,
            "names": names,
            "view": view,
            "began": view.authors.start_time,
            "shares_date": evenings_by_date[view.authors.long_date] > 1,
            "continued": stream in continued,
            "nameless": nameless,
            "writer": writer_key,
        }


# Adding and removing evenings


@form_route(blueprint, "/regulars/evenings", WRITE)
def add() -> AnyResponse:
    """Add an evening; needs its writer's key and a member's key of the ledger."""
    holder = member(request.form.get("group", ""))
    table = require_writer(request.form.get("table", ""))
    viewer = tables().links.ensure_viewer(table.stream, table.key)
    by = device_identity.author_of_request(holder.role, holder.stream)
    ledgers().add(holder.stream, holder.key, table.stream, viewer, by)
    return redirect(url_for("ledger.page", key=holder.key), 303)


def regulars(ledger: Ledger) -> tuple[State | None, list[str]]:
    """The state of a ledger's newest evening, and its players, those of that evening first."""
    evenings = [*_evenings(present_part(ledger)).values()]
    if not evenings:
        return None, []
    newest = evenings[-1].evening.state
    seated_names = [name for side in newest.sides for name in people(side, default_side_names())]
    players = ledger_totals().total(evenings).accounts.players
    return newest, [*seated_names, *(name for name in players if name not in seated_names)]


def open_table(holder: KeyHolder, head: Head, key: str) -> None:
    by, idempotency_key = device_identity.author_of_request(holder.role, holder.stream), digest(key)
    ledgers().open(
        holder.stream,
        holder.key,
        lambda: tables().prepare_empty(head, key),
        idempotency_key=idempotency_key,
        by=by,
    )


@form_route(blueprint, "/g/<key>/drop", WRITE)
def drop(key: str) -> AnyResponse:
    """Remove an evening from the ledger; the next page offers undo."""
    holder, table = member(key), request.form.get("table", "")
    if ledgers().drop(
        holder.stream, table, device_identity.author_of_request(holder.role, holder.stream)
    ):
        # A table outside any ledger may be erased, so its retention period begins anew.
        retention().extend(table)
    return redirect(url_for("ledger.page", key=key, dropped=table), 303)


@form_route(blueprint, "/g/<key>/restore", WRITE)
def restore(key: str) -> AnyResponse:
    holder, table = member(key), request.form.get("table", "")
    ledgers().restore(
        holder.stream, table, device_identity.author_of_request(holder.role, holder.stream)
    )
    return redirect(url_for("ledger.page", key=key), 303)


@form_route(blueprint, "/g/<key>/renew", WRITE)
def renew(key: str) -> AnyResponse:
    holder = member(key)
    ledgers().renew(holder.stream, key, READER)
    return redirect(url_for("ledger.page", key=key), 303)


# As files


@blueprint.get("/g/<key>/ledger.json")
def as_json(key: str) -> Response:
    ledger = present_part(ledgers().current(require_holder(key, LEDGER_KIND).stream))
    accounts = statistics_of(ledger)
    return jsonify(
        name=ledger.name,
        evenings=len(ledger.evenings),
        players={name: asdict(account) for name, account in accounts.players.items()},
        pairs=[{"players": names, **asdict(account)} for names, account in accounts.pairs.items()],
        months=accounts.months,
    )


@blueprint.get("/g/<key>/ledger.csv")
def as_csv(key: str) -> Response:
    ledger = present_part(ledgers().current(require_holder(key, LEDGER_KIND).stream))
    accounts = statistics_of(ledger)
    rows: list[list[Any]] = [[gettext("Who"), *map(gettext, COLUMN_HEADS.values())]]
    accounts_by_name = accounts.players | {
        " + ".join(pair): account for pair, account in accounts.pairs.items()
    }
    for names, account in accounts_by_name.items():
        rows.append([names, *(getattr(account, name) for name in COLUMN_HEADS)])
    return csv_file("ledger", rows)
