"""Contents of the printed sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from flask import render_template, url_for
from markupsafe import Markup

from scorer.book.next_table_keys import SEATS
from scorer.book.notifications import yield_to_others
from scorer.tournament import Match, Round
from scorer.tournament.bracket import MAX_BRACKET_TABLES, bracket_parts
from scorer.tournament.round_robin import coming_opponents
from scorer.tournament.standings import Standing
from scorer.web.frame.access import tournaments
from scorer.web.frame.public_address import link_qr
from scorer.web.frame.translation import gettext
from scorer.web.tournament.player_lists import ListedPlayer, PlayerList
from scorer.web.tournament.slip_layout import SlipLayout, slip_layout
from scorer.web.tournament.tournament_view import TournamentView

MAX_NARROW_NAME: Final = 26
"""Longest name, in letters, for a two-column list."""
MAX_HALF_LINE: Final = 27
"""Longest name, in letters, beside another one; a longer one has two lines."""
MAX_BRACKET_NAME: Final = 52
"""Longest name, in letters, for eight tables of a bracket below each other on a sheet."""
ROW_COUNTS: Final = (12, 22, 40, 48)
"""Most rows of a sheet that are large, medium, small or close. More are on several sheets."""


@dataclass(frozen=True, slots=True)
class PlayerSeat:
    player: ListedPlayer
    table: str
    """The table's number, "" for a bye."""
    against: str
    """The opponents' surnames, or their pair's own name."""


def seats(view: TournamentView, round_: Round) -> list[PlayerSeat]:
    """All players of a round by surname."""
    players = PlayerList(view)
    places = dict[int, tuple[str, str]]()
    sides_playing = list[Sequence[int]]()
    for match in round_.matches.values():
        sides_playing += match.sides
        for index, side in enumerate(match.sides):
            seat = view.texts.table_label(match), players.surnames(match.sides[1 - index])
            places |= dict.fromkeys(side, seat)
    sides_playing += [[pair] for pair in view.tournament.bye_pairs(round_)]
    return [
        PlayerSeat(player, *places.get(player.pair, ("", "")))
        for player in players.by_name(sides_playing)
    ]


# Cross tables


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A cross table, or a part of one: pairs as rows, opponents as columns."""

    title: str
    pairs: tuple[int, ...]
    against: tuple[int, ...]
    rows: tuple[tuple[str, ...], ...]
    totals: tuple[tuple[str, ...], ...]
    """Of each row the metrics of the ranking; empty without room for them."""


MAX_CROSS_COLUMNS: Final = 16
"""Most columns of a cross table on one sheet."""
_MAX_COLUMNS_WITH_TOTALS: Final = 8


def cross_tables(view: TournamentView) -> Iterator[CrossTable]:
    """The cross tables of all groups, or of the whole list without groups, best pairs first."""
    cells: dict[tuple[int, int], str] = {}
    for round_ in view.tournament.rounds:
        for match in round_.matches.values():
            if not round_.is_final and match.result is not None and not match.drawn_table.teams:
                first, second = match.drawn_table.pairs
                cells[first, second] = view.texts.as_counted(match, _cell(match))
                cells[second, first] = view.texts.as_counted(match, _cell(match, turned=True))
    groups = view.standings.groups
    blocks = sorted(view.standings.blocks, key=lambda block: not block.title)
    totals = {
        line.pair: tuple(view.standings.value(line, name) for name, _ in view.standings.metrics)
        for block in blocks
        for _, line in block.rows
    }
    ordered = [*totals, *(e.number for e in view.tournament.listed if e.number not in totals)]
    groups_or_all = [
        (gettext("Group %(n)s", n=n), tuple(pair for pair in ordered if groups.get(pair) == n))
        for n in sorted(set(groups.values()))
    ]
    for title, pairs in groups_or_all or [("", tuple(ordered))]:
        has_totals = len(pairs) <= _MAX_COLUMNS_WITH_TOTALS
        for start in range(0, len(pairs), MAX_CROSS_COLUMNS):
            opponents = pairs[start : start + MAX_CROSS_COLUMNS]
            rows = tuple(tuple(cells.get((a, b), "") for b in opponents) for a in pairs)
            row_totals = tuple(totals.get(pair, ()) for pair in pairs) if has_totals else ()
            yield CrossTable(title, pairs, opponents, rows, row_totals)


def _rendered_cross_tables(view: TournamentView) -> Iterator[Markup]:
    """The rendered cross tables; 512 pairs have 32 of them."""
    for cross in cross_tables(view):
        yield Markup(
            render_template("tournament/printouts/_cross_table.html", view=view, cross=cross)
        )
        yield_to_others()


def _cell(match: Match, turned: bool = False) -> str:
    """A match in a cross table: the points of its only game, else the games won."""
    result = match.result
    assert result is not None
    if result.walkover:
        return "+" if match.winner == int(turned) else "–"
    score = match.games_won(result) if len(result.games) > 1 else result.games[0]
    return f"{score[1]}:{score[0]}" if turned else f"{score[0]}:{score[1]}"


# Score cards and certificates


@dataclass(frozen=True, slots=True)
class PairMatch:
    """A pair's match in a round; of a coming round, the opponent if known."""

    number: int
    table: str = ""
    against: str = ""
    games: str = ""
    is_third_place: bool = False
    """Whether it is for the third place."""
    partner: str = ""
    """The partner of a single player."""


def pair_matches(
    view: TournamentView, pair: int, coming: Mapping[int, Mapping[int, int]]
) -> list[PairMatch]:
    """One line per round for a pair, with a dash for a drawn round that it missed, except for
    finals.

    :param coming: see `coming_opponents`
    """
    matches = []
    for round_ in view.tournament.rounds:
        for match in round_.matches.values():
            for index, side in enumerate(match.sides):
                if pair in side:
                    against = view.texts.side(match, 1 - index)
                    games = view.texts.own_score(match, index)
                    table = view.texts.table_label(match)
                    partner = " & ".join(view.name(other) for other in side if other != pair)
                    matches.append(
                        PairMatch(
                            round_.number, table, against, games, match.is_third_place, partner
                        )
                    )
        if pair in view.tournament.bye_pairs(round_):
            matches.append(PairMatch(round_.number, "–", view.bye_word(round_)))
    round_count = len(view.tournament.rounds)
    for number, opponents in coming.items():
        if other := opponents.get(pair):
            matches.append(PairMatch(number, "", view.name(other)))
        elif pair in opponents:
            matches.append(PairMatch(number, "–", view.bye_word(view.tournament.rounds[-1])))
    listed_rounds = {line.number for line in matches}
    all_rounds = view.settings.rounds if view.settings.has_fixed_rounds else round_count
    finals = {round_.number for round_ in view.tournament.rounds if round_.is_knockout}
    other_rounds = [
        PairMatch(
            n, "–" if n <= round_count else "", gettext("did not play") if n <= round_count else ""
        )
        for n in range(1, all_rounds + 1)
        if n not in listed_rounds | finals
    ]
    return sorted([*matches, *other_rounds], key=attrgetter("number"))


# Slips


@dataclass(frozen=True, slots=True)
class Slip:
    """A match, the QR codes of both pairs, and the key for watching."""

    match: Match
    codes: tuple[Markup, ...]
    watch: str


def slips(
    view: TournamentView,
    matches: Sequence[Match],
    games: int,
    chosen: int = 0,
    stacked: bool = False,
) -> tuple[SlipLayout, list[list[Slip]]]:
    """The layout and the slips of matches, by sheet.

    :param stacked: whether each pile of the cut sheets is in order, not each sheet
    """
    all_slips = []
    streams = [match.drawn_table.stream for match in matches]
    links = tournaments().table_keys(view.key, streams)
    for index, match in enumerate(matches):
        keys = links.get(match.drawn_table.stream, {})
        paths = [url_for("result_entry.page", key=keys[role]) for role in SEATS if role in keys]
        codes = tuple(filter(None, map(link_qr, paths)))
        all_slips.append(Slip(match, codes, keys.get("code", "") if codes else ""))
        if index % 2:
            # Rendering four QR codes takes 25 ms.
            yield_to_others()
    names = [view.texts.side(slip.match, side) for slip in all_slips for side in (0, 1)]
    settings = view.settings
    retour = settings.scoring.may_retour()
    layout = slip_layout(games, names, len(all_slips), chosen, len(settings.name), retour)
    sheets = -(-len(all_slips) // layout.count)
    if stacked:
        return layout, [all_slips[index::sheets] for index in range(sheets)]
    return layout, [
        all_slips[index * layout.count : (index + 1) * layout.count] for index in range(sheets)
    ]


def _ranked_lines(view: TournamentView, category: str) -> list[tuple[int, Standing]]:
    """Places and lines of the standings, of a category's pairs or of all."""
    if category:
        category_lines = view.standings.categories.get(category, [])
        return [(line.place, line.standing) for line in category_lines]
    return [(rank, line) for rank, line in view.standings.ranked if rank]


def _has_long_names(view: TournamentView, round_: Round) -> bool:
    """Whether the name of a side is too long for half a line."""
    return any(
        len(view.texts.side(match, side)) > MAX_HALF_LINE
        for match in round_.matches.values()
        for side in (0, 1)
    )


def context(
    view: TournamentView, sheet: str, round_: Round | None, best: int, category: str
) -> dict[str, Any]:
    """Template variables of a sheet besides the view.

    :param best: number of certificates
    :param category: whose certificates, or "" for those of all pairs
    """
    tournament = view.tournament
    # Short names allow two columns.
    narrow = all(len(entrant.pair.name) <= MAX_NARROW_NAME for entrant in tournament.listed)
    match sheet:
        case "by-name" if round_:
            rows = seats(view, round_)
            long_names = sum(len(row.player.name) > MAX_NARROW_NAME for row in rows)
            narrow = len(rows) > ROW_COUNTS[0]
            # A long name takes two rows of a column. In one column, letters are larger and each row
            # has two lines.
            size = (
                _rows_size(len(rows) + long_names, True)
                if narrow
                else _rows_size(3 * len(rows) // 2)
            )
            return {"narrow": narrow, "seats": rows, **size}
        case "by-table" if round_:
            count = len(round_.matches)
            return _rows_size(count * 7 // 5 if _has_long_names(view, round_) else count)
        case "results" if round_:
            # Beside the games, names have two lines; in large letters, long ones would have four.
            count = 2 * len(round_.matches)
            return _rows_size(
                max(count, ROW_COUNTS[0] + 1) if _has_long_names(view, round_) else count
            )
        case "list":
            listed = tournament.listed
            return {"narrow": narrow, "entrants": listed, **_rows_size(len(listed), narrow)}
        case "standings":
            return _rows_size(_row_count(rows for _, rows in view.standings.blocks))
        case "prizes":
            return _rows_size(
                _row_count([view.standings.prizes, *view.standings.categories.values()])
            )
        case "bracket":
            long_names = any(len(one.pair.name) > MAX_BRACKET_NAME for one in tournament.listed)
            max_tables = MAX_BRACKET_TABLES // (2 if long_names else 1)
            return {"parts": bracket_parts(view.planned_bracket, max_tables)}
        case "cross":
            return {"crosses": list(_rendered_cross_tables(view))}
        case "ways":
            coming = coming_opponents(tournament)
            slips = [
                (entrant, pair_matches(view, entrant.number, coming))
                for entrant in tournament.active_entrants
            ]
            return {"slips": slips}
        case "certificates":
            lines = _ranked_lines(view, category) if view.over else []
            placed = [(place, line) for place, line in lines if place <= best]
            return {"placed": placed, "best": best, "category": category}
    return {}


def _row_count(tables: Iterable[Sequence[object]]) -> int:
    """The rows of several tables; the heading of a further one is as high as two."""
    return sum(2 + len(rows) for rows in tables) - 2


def _rows_size(count: int, two_columns: bool = False) -> dict[str, int]:
    """The most rows of a sheet with the largest letters for this number, 0 for more."""
    rows = -(-count // 2) if two_columns else count
    return {"rows_size": next((most for most in ROW_COUNTS if rows <= most), 0)}
