"""Tables, ledgers and tournaments that this device has keys for, as the start page lists them.

`remembered_keys.MAX_OPENED_KEYS` limits their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from flask import request

from scorer.engine import REGIONS, State
from scorer.engine.telling.player_statistics import people
from scorer.store import StoreError
from scorer.store.roles import LEDGER_KIND, OPPONENT, TABLE_KIND, TOURNAMENT_KIND, WRITER
from scorer.tournament import Tournament
from scorer.web.frame import access
from scorer.web.frame.access import (
    KeyHolder,
    holder_of,
    holder_of_sent_key,
    tables,
    tournaments,
)
from scorer.web.frame.entry_times import time_of
from scorer.web.frame.language import language, words
from scorer.web.frame.remembered_keys import (
    LEDGERS_COOKIE,
    TOURNAMENTS_COOKIE,
    is_first_writer,
    kept_holders,
    keys,
)
from scorer.web.frame.translation import ngettext
from scorer.web.table.entry_authors import EntryAuthors
from scorer.web.table.event_permissions import THEIRS
from scorer.web.table.new_table_form import default_side_names
from scorer.web.table.table_view import TableView
from scorer.web.table.tournament_table import TournamentTable

MAX_PLAYERS: Final = 12
"""Limit of players offered for a new table."""
REGION_OF_LANGUAGE: Final = {"it": "trentino", "fr": "frankreich"}
REGION_OF_LOCALE: Final = {"de-de": "bayern", "de-it": "suedtirol"}
"""The region offered first to a reader without a table: by language, in German by country too."""


def ledgers(table: str = "") -> list[dict[str, Any]]:
    """This device's ledgers.

    :param table: stream of a table; each entry says whether its ledger `counts` it
    """
    current = access.ledgers().current
    kept = ((holder, current(holder.stream)) for holder in kept_holders(LEDGERS_COOKIE))
    return [
        _list_entry(holder, ledger.name) | {"counts": ledger.counts(table)}
        for holder, ledger in kept
    ]


def preiswatten() -> list[dict[str, Any]]:
    current = tournaments().current
    kept = ((holder, current(holder.stream)) for holder in kept_holders(TOURNAMENTS_COOKIE))
    return [
        _list_entry(holder, tournament.settings.name)
        | {"date": tournament.settings.date, "size": _size(tournament)}
        for holder, tournament in kept
    ]


def _size(tournament: Tournament) -> str:
    """The number of its pairs or players, as text."""
    count = len(tournament.active_entrants)
    if tournament.settings.format == "partners":
        return ngettext("%(num)s player", "%(num)s players", count)
    return ngettext("%(num)s pair", "%(num)s pairs", count)


def _list_entry(holder: KeyHolder, name: str) -> dict[str, Any]:
    return {"key": holder.key, "name": name, "role": holder.role}


def table_entries() -> list[dict[str, Any]]:
    """This device's tables; one entry per table, the writer's key first. Revoked keys are left
    out."""
    entries: dict[str, dict[str, Any]] = {}
    for key in keys(request):
        try:
            holder = holder_of(key, TABLE_KIND)
            if holder is None:
                continue
            table = tables().current(holder.stream)
            state = table.evening.state
        except StoreError:
            continue
        if holder.stream in entries and holder.role != WRITER:
            continue
        sides = _own_first(holder.role, state)
        view = TableView(table, says_we=is_first_writer(holder))
        names = view.side_names.for_lists
        entries[holder.stream] = {
            "holder": holder,
            "state": state,
            "points": _score(state.points[side] for side in sides),
            "bummerl": view.bummerl_by_name(sides),
            "won": view.game_end.sentence if view.game_end else "",
            "may_rematch": holder.role == WRITER and not TournamentTable(holder).stream,
            "names": " – ".join(names[side] for side in sides),
            "columns": [
                (side, names[side], state.points[side], view.bummerl_text(n) if n else "")
                for side, n in ((side, state.bummerl[side]) for side in sides)
            ],
            "day": EntryAuthors(table).medium_date,
            "began": time_of(table.evening.recorded[0]) if table.evening.recorded else "",
            "words": words(state.rules.id),
        }
    return list(entries.values())


def _score(figures: Iterable[int]) -> str:
    """Figures such as 2 : 1, which no line break tears apart."""
    return "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}".join(map(str, figures))


def name_of(key: str, cookie: str) -> str:
    """The name of a table, ledger or tournament in the list of `cookie`; "" for an unknown key."""
    kinds = {LEDGERS_COOKIE: LEDGER_KIND, TOURNAMENTS_COOKIE: TOURNAMENT_KIND}
    holder = holder_of_sent_key(key, kinds.get(cookie, TABLE_KIND))
    if holder is None:
        return ""
    if cookie == LEDGERS_COOKIE:
        return access.ledgers().current(holder.stream).name
    if cookie == TOURNAMENTS_COOKIE:
        return tournaments().current(holder.stream).settings.name
    table = tables().current(holder.stream)
    names = TableView(table, says_we=is_first_writer(holder)).side_names.for_lists
    return " – ".join(names[side] for side in _own_first(holder.role, table.evening.state))


def _own_first(role: str, state: State) -> Sequence[int]:
    """Side numbers, the role's own side first."""
    sides = range(len(state.points))
    return sorted(sides, key=THEIRS.__contains__, reverse=role == OPPONENT)


def players(tables_here: list[dict[str, Any]]) -> list[str]:
    """The players of these tables, those of the newest table first."""
    sides = [side for item in tables_here for side in item["state"].sides]
    return list(
        dict.fromkeys(name for side in sides for name in people(side, default_side_names()))
    )[:MAX_PLAYERS]


def region(tables_here: list[dict[str, Any]]) -> str:
    if tables_here:
        return str(tables_here[0]["state"].rules.id)
    shown_language = language()
    if shown_language == "de" and request.accept_languages:
        return REGION_OF_LOCALE.get(request.accept_languages[0][0].lower(), REGIONS[0])
    return REGION_OF_LANGUAGE.get(shown_language, REGIONS[0])
