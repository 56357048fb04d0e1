"""The hall's screen: seats, pairings, missing results and standings, in turn."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.store.roles import HALL_VIEWER
from scorer.tournament import Match, PairTotals, Round
from scorer.tournament.bracket import BracketColumn, BracketPart
from scorer.tournament.standings import Standing
from scorer.web.frame.language import labelled
from scorer.web.frame.public_address import link_qr
from scorer.web.frame.translation import gettext
from scorer.web.tournament.labels import HEADINGS
from scorer.web.tournament.player_lists import ListedPlayer, PlayerList
from scorer.web.tournament.printout_rows import seats
from scorer.web.tournament.screen_layout import (
    ScreenLayout,
    ScreenRow,
    bracket_size,
    is_long_heading,
    layout,
    split_rows,
)
from scorer.web.tournament.standings_view import StandingsBlock
from scorer.web.tournament.tournament_view import TournamentView, view_of
from scorer.web.tournament.visitors import redirect_to_visitors, viewer

blueprint = Blueprint("hall_screen", __name__, url_prefix="/p/<key>")

SECONDS_PER_PAGE: Final = 10
"""Seconds per screenful."""
SECONDS_PER_CALL: Final = 3
"""Seconds until the screen may show the next place of the prize-giving."""
MAX_CALLS: Final = 3
"""The newest calls of the prize-giving, in letters that stay large."""
MAX_TABLES_WITHOUT_SEATS: Final = 6
"""Up to this many tables, no seats by name are shown, except of single players."""
MAX_COLUMNS: Final = 3
"""Columns of a list by name."""
MAX_GAMES: Final = 3
"""Games of a match that are shown one by one."""
MAX_TABLES_WITH_RESULTS: Final = 12
"""With more tables, those with a result are left out. While more than twice as many are shown,
there are seats by name instead of pairings."""


@blueprint.get("/hall")
def page(key: str) -> str | AnyResponse:
    """The hall's screen; the page reloads itself with the next screenful."""
    holder = viewer(key)
    if redirection := redirect_to_visitors(holder):
        return redirection
    view = view_of(holder)
    pages = screens(view)
    current_sequence = sequence_code(view)
    still = "still" in request.args
    # After a draw or the last result the sequence starts again.
    page_number = request.args.get("page", 0, type=int)
    page_index = (
        page_number % len(pages)
        if request.args.get("course", current_sequence) == current_sequence
        else 0
    )
    turned = (
        {"still": 1, "page": page_index}
        if still
        else {"course": current_sequence, "page": (page_index + 1) % len(pages)}
    )
    clock_end = view.tournament.running_clock
    viewer_key = key if holder.role == HALL_VIEWER else None
    return render_template(
        "tournament/hall_screen.html",
        view=view,
        shown=pages[page_index],
        at=page_index,
        count=len(pages),
        still=still,
        following=url_for("hall_screen.page", key=key, **turned),
        seconds=SECONDS_PER_CALL if view.held_back else SECONDS_PER_PAGE,
        is_long_heading=is_long_heading,
        left=max(0, round(clock_end - time.time())) if clock_end else None,
        qr=viewer_key and link_qr(url_for("desk.page", key=viewer_key)),
    )


@dataclass(frozen=True, slots=True)
class Screen:
    """A title, headings, and one or more columns of rows."""

    title: str
    first: str
    """Heading of the rows' `first`, or ""."""
    headings: tuple[str, ...]
    columns: tuple[tuple[ScreenRow, ...], ...]
    layout: ScreenLayout
    note: str = ""
    """A note on incomplete standings."""
    bracket: BracketPart | None = None
    """Part of a bracket, instead of rows."""


def sequence_code(view: TournamentView) -> str:
    """A code that changes when the order of screenfuls changes."""
    best_called = view.settings.called if view.held_back else 0
    return f"{len(view.tournament.rounds)}.{int(_playing(view))}.{best_called}"


def screens(view: TournamentView) -> list[Screen]:
    """The screenfuls in the order in which they are shown.

    Before any result the pairs or their seats, then the round while it is played, and standings.
    Between two rounds of a knock-out first the bracket, which shows who plays next. At the
    prize-giving only the places that have been called.
    """
    if view.shows_called_places:
        return _call_screens(view)
    newest = view.newest
    round_screens = _round_screens(view, newest) if newest else []
    if not view.tournament.begun:
        return round_screens or _pair_screens(view)
    by_place, by_name = _standings_screens(view)
    bracket_screens = _bracket_screens(view)
    if _playing(view):
        return round_screens + bracket_screens + by_place
    if view.over:
        return by_place + bracket_screens + by_name
    return bracket_screens + by_place + by_name


def _playing(view: TournamentView) -> bool:
    return view.newest is not None and bool(view.newest.unfinished)


def _call_screens(view: TournamentView) -> list[Screen]:
    # A prize may be a long text, so it is below the name and not in a column.
    rows = [
        ScreenRow(str(call.place), call.name, (), _joined(call.about, call.prize))
        if call.is_overall
        else ScreenRow("", labelled(call.title, call.name), (), call.prize)
        for call in view.prize_giving.calls_made
    ]
    # The newest call is on the first screenful, and that one stays.
    return _screenfuls(gettext("Prize-giving"), gettext("Place"), (), rows[:MAX_CALLS])[:1]


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _pair_screens(view: TournamentView) -> list[Screen]:
    active = view.tournament.active_entrants
    players = PlayerList(view).by_name([entrant.number] for entrant in active)
    rows = [
        ScreenRow("", player.name, (str(player.pair),), _with_partner(player)) for player in players
    ]
    lists_players = view.partners or len(players) > len(active)
    title = gettext("Players") if lists_players else gettext("Pairs")
    return _screenfuls(title, "", (gettext("No."),), rows, MAX_COLUMNS)


def _with_partner(player: ListedPlayer) -> str:
    return gettext("with %(name)s", name=player.partner) if player.partner else ""


def _standings_screens(view: TournamentView) -> tuple[list[Screen], list[Screen]]:
    """The standings by place and by name, without absent pairs that never played."""
    heads = tuple(gettext(HEADINGS[name]) for name in view.settings.ranking)
    place = gettext("Place")
    figures = view.standings.before_finals_caption and labelled(
        ", ".join(heads), view.standings.before_finals_caption
    )
    note = _joined("" if view.over else view.standings_status, figures)
    by_place: list[Screen] = []
    places: dict[int, str] = {}
    for title, ranked_lines in _standings_blocks(view):
        last_to_qualify = view.standings.last_to_qualify(title, ranked_lines)
        rows = [
            replace(
                _standings_row(view, rank, line), is_last_to_qualify=line.pair == last_to_qualify
            )
            for rank, line in ranked_lines
        ]
        by_place += _screenfuls(title or gettext("Standings"), place, heads, rows, note=note)
        for rank, line in ranked_lines:
            text = view.standings.rank_text(rank, line.pair)
            places[line.pair] = labelled(title, text) if title else text
    players = PlayerList(view).by_name([pair] for pair in places)
    player_rows = [
        ScreenRow("", player.name, (places[player.pair],), _with_partner(player))
        for player in players
    ]
    return by_place, _screenfuls(
        gettext("Standings by name"), "", (place,), player_rows, MAX_COLUMNS, note
    )


def _standings_blocks(view: TournamentView) -> list[StandingsBlock]:
    """The titles and ranked lines of the groups, or after them of all pairs."""
    return [
        StandingsBlock(
            title,
            [(rank, line) for rank, line in rows if line.rank or line.totals != PairTotals()],
        )
        for title, rows in view.standings.current_blocks
    ]


def _standings_row(view: TournamentView, rank: int, line: Standing) -> ScreenRow:
    return ScreenRow(
        view.standings.rank_text(rank, line.pair),
        view.name(line.pair),
        tuple(view.standings.value(line, name) for name in view.settings.ranking),
        _joined(*view.standings.reasons(line), view.standings.bye_remark(line)),
    )


def _round_screens(view: TournamentView, round_: Round) -> list[Screen]:
    """The players' seats if there are many tables, and the pairings.

    All pairings if they are few, else those without a result.
    """
    title, tables = view.title(round_), [match for _, match in sorted(round_.matches.items())]
    by_name: list[Screen] = []
    if view.partners or len(tables) > MAX_TABLES_WITHOUT_SEATS:
        bye = view.bye_word(round_)
        seat_rows = [
            ScreenRow("", seat.player.name, (seat.table or bye,), _with_partner(seat.player))
            for seat in seats(view, round_)
        ]
        by_name = _screenfuls(title, "", (gettext("Table"),), seat_rows, MAX_COLUMNS)
    shown_tables = tables if len(tables) <= MAX_TABLES_WITH_RESULTS else round_.unfinished
    if len(shown_tables) > 2 * MAX_TABLES_WITH_RESULTS:
        return by_name
    rows = [_match_row(view, round_, match) for match in shown_tables]
    if not by_name:
        rows += [ScreenRow("", name, ("",), view.bye_word(round_)) for name in view.byes(round_)]
    return by_name + _screenfuls(title, gettext("Table"), (gettext("Result"),), rows)


def _bracket_screens(view: TournamentView) -> list[Screen]:
    """The bracket, with the last round of a screen also on the next one.

    A round that does not fit on a screen is left out.
    """
    screens, columns = list[Screen](), view.bracket
    first = _first_shown_round(view, columns)
    while first < len(columns):
        fitting = (
            (end, size)
            for end in range(len(columns), first, -1)
            if (size := _bracket_size(view, columns[first:end])) is not None
        )
        end, size = next(fitting, (first, 0))
        if end > first:
            part = BracketPart(tuple(columns[first:end]))
            screen_layout = ScreenLayout(size, lines=1, rows=1)
            screens.append(Screen(gettext("Bracket"), "", (), (), screen_layout, bracket=part))
        if end == len(columns):
            break
        first = max(first + 1, end - 1)
    return screens


def _first_shown_round(view: TournamentView, columns: Sequence[BracketColumn]) -> int:
    """The index of the first round to show: rounds that are over are left out if all others then
    fit on one screen.
    """
    for first, column in enumerate(columns):
        if _bracket_size(view, columns[first:]) is not None:
            return first
        if column.round is None or column.round.unfinished:
            break
    return 0


def _bracket_size(view: TournamentView, columns: Sequence[BracketColumn]) -> int | None:
    names = [
        [_names(view, match) for match in column.matches]
        + [[view.coming_side(feeder) for feeder in feeders] for feeders in column.coming]
        for column in columns
    ]
    third = [name for column in columns for match in column.third for name in _names(view, match)]
    third += [
        view.coming_side_for_third(feeder)
        for column in columns
        for feeder in column.coming_third or ()
    ]
    return bracket_size(names, third)


def _names(view: TournamentView, match: Match) -> list[str]:
    return [view.texts.side_with_lot(match, side) for side in (0, 1)]


def _match_row(view: TournamentView, round_: Round, match: Match) -> ScreenRow:
    notes = [view.texts.group(match)] if round_.stage == "groups" else []
    if match.is_third_place:
        notes += view.texts.notes(match).values()
    elif any(other.is_third_place for other in round_.matches.values()):
        notes.append(view.round_name(round_))
    result = _score(view, match) or view.texts.short_status(match)
    return ScreenRow(
        view.texts.table_label(match),
        view.texts.pairing(match),
        (result,),
        _joined(*notes),
        view.texts.walkover_winner(match),
    )


def _score(view: TournamentView, match: Match) -> str:
    """The points of each game; of many games those won by each side."""
    if match.result is None or len(match.result.games) <= MAX_GAMES:
        return view.texts.short_score(match)
    won, lost = match.games_won(match.result)
    return f"{won}:{lost}"


def _screenfuls(
    title: str,
    first: str,
    heads: tuple[str, ...],
    rows: Sequence[ScreenRow],
    max_columns: int = 1,
    note: str = "",
) -> list[Screen]:
    """The rows spread evenly over as few screens as possible, in as few columns as that needs."""

    layouts = {n: layout((first, *heads), rows, n) for n in range(1, max_columns + 1)}
    columns = min(layouts, key=lambda n: (len(split_rows(layouts[n], n)), n))
    fitting = layouts[columns]
    tall_rows = [
        replace(row, height=height) for row, height in zip(rows, fitting.heights, strict=True)
    ]
    return [
        Screen(title, first, heads, tuple(tuple(tall_rows[a:b]) for a, b in screen), fitting, note)
        for screen in split_rows(fitting, columns)
    ]
