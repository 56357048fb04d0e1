"""The bracket: the knock-out rounds beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from scorer.tournament.finals import bracket_ranks, drawn_group_sizes, finalist_count
from scorer.tournament.match import Match, Round
from scorer.tournament.round_robin import group_sizes
from scorer.tournament.state import Tournament

MAX_BRACKET_TABLES: Final = 8
"""By default the most tables of a column; a round with more is shown in several parts."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """The pair that qualifies for the finals by its place, from 1."""

    place: int
    in_group: bool
    group: int = 0
    """The number of its group, or 0 if any can be meant."""


Feeder = Match | Qualifier | None
"""A side of a match that is not drawn yet: the winner of another match, the pair of a place before
the finals, or None if neither is known.
"""
ComingMatch = tuple[Feeder, Feeder]
"""A match that is not drawn yet."""


@dataclass(frozen=True, slots=True)
class BracketColumn:
    round: Round | None
    """None if it is not drawn yet."""
    matches: tuple[Match, ...] = ()
    coming: tuple[ComingMatch, ...] = ()
    """Its matches if it is not drawn yet."""
    coming_count: int = 0
    """The matches of the whole round if it is not drawn yet; a part has only some of them."""
    third: tuple[Match, ...] = ()
    """The match for the third place."""
    coming_third: ComingMatch | None = None
    """The match for the third place if it is not drawn yet; the losers of the two matches meet."""
    joined: bool = False
    """Whether each two matches lead to the match beside them in the next column."""


def bracket(tournament: Tournament) -> list[BracketColumn]:
    """The knock-out rounds, each sorted so that tables are next to those of the following round.

    The finals still to be drawn follow: winners of neighbouring tables meet (`finals.next_final`).
    """
    knockout_rounds = [round_ for round_ in tournament.rounds if round_.is_knockout]
    columns = []
    if knockout_rounds:
        columns = _coming_columns(knockout_rounds[-1], tournament.settings.plays_for_third)
    lot_order = list[int]()
    for round_ in reversed(knockout_rounds):
        matches = [match for _, match in sorted(round_.matches.items())]
        if round_.stage == "knockout":
            # Rounds are drawn anew, so their order follows that of the next round.
            matches.sort(
                key=lambda match: min(_position(lot_order, lot) for lot in match.drawn_table.lots)
            )
        byes = sorted(round_.byes, key=lambda lot: _position(lot_order, lot))
        lots = [lot for match in matches for lot in match.drawn_table.lots]
        lot_order = list(dict.fromkeys([*lots, *byes, *lot_order]))
        main_matches = tuple(match for match in matches if not match.is_third_place)
        third_place = tuple(match for match in matches if match.is_third_place)
        following = columns[-1] if columns else None
        leads_on = following is not None and (
            bool(following.coming) or _lead_to_following(main_matches, following.matches)
        )
        columns.append(BracketColumn(round_, main_matches, third=third_place, joined=leads_on))
    return columns[::-1]


def _coming_columns(last: Round, plays_for_third: bool) -> list[BracketColumn]:
    """The finals after the last drawn round, the final itself first; none in a knock-out, whose
    rounds are drawn anew.
    """
    matches = [
        match
        for _, match in sorted(last.matches.items())
        if last.is_final and not match.is_third_place
    ]
    return _columns_from(matches, plays_for_third)


def _columns_from(feeders: Sequence[Feeder], plays_for_third: bool) -> list[BracketColumn]:
    """The finals in which these meet, neighbours first; the final itself is the first column."""
    columns = list[BracketColumn]()
    while len(feeders) > 1:
        coming = tuple(zip(feeders[::2], feeders[1::2], strict=True))
        is_final = len(coming) == 1
        has_semifinals = not isinstance(feeders[0], Qualifier)
        third = coming[0] if is_final and plays_for_third and has_semifinals else None
        columns.append(
            BracketColumn(
                None,
                coming=coming,
                coming_count=len(coming),
                coming_third=third,
                joined=not is_final,
            )
        )
        feeders = [None] * len(coming)
    return columns[::-1]


def rounds_to_draw(tournament: Tournament) -> list[BracketColumn]:
    """The rounds of a knock-out after the newest one. Each is drawn anew, so only the final's pairs
    are known before: the winners of two tables. A round of more than `MAX_BRACKET_TABLES` is left
    out.
    """
    newest = tournament.rounds[-1] if tournament.rounds else None
    match_count = remaining_pair_count(newest) // 2 if newest and newest.stage == "knockout" else 0
    counts = list[int]()
    while match_count > 1 and match_count % 2 == 0:
        match_count //= 2
        counts.append(match_count)
    if newest is not None and counts == [1] and len(newest.matches) == 2:
        first, second = newest.matches.values()
        return [BracketColumn(None, coming=((first, second),), coming_count=1)]
    return [
        BracketColumn(None, coming=((None, None),) * count, coming_count=count)
        for count in counts
        if count <= MAX_BRACKET_TABLES
    ]


def planned_finals(tournament: Tournament) -> list[BracketColumn]:
    """The finals by places, before they are drawn; empty if there are none.

    With groups, `finals.first_final` moves opponents so that pairs of one group do not meet.
    """
    settings = tournament.settings
    if settings.finals is None or settings.format == "knockout" or tournament.finals_drawn:
        return []
    playing = len(tournament.active_entrants)
    if playing < 2:
        return []
    in_groups = settings.format == "groups"
    sizes = drawn_group_sizes(tournament) or group_sizes(settings, playing)
    # The firsts of all groups come before the seconds.
    places = (
        [place for place in range(1, max(sizes) + 1) for size in sizes if place <= size]
        if in_groups
        else range(1, playing + 1)
    )
    count = finalist_count(settings, sizes) if in_groups else min(settings.finals.best, playing)
    ranks = bracket_ranks(count)
    qualifiers = [Qualifier(places[rank], in_groups) for rank in ranks]
    if in_groups and len(sizes) == 2 and [q.place for q in qualifiers] == [1, 2, 1, 2]:
        # Pairs of one group do not meet, so it is known who meets whom.
        groups = (1, 2, 2, 1)
        qualifiers = [replace(q, group=n) for q, n in zip(qualifiers, groups, strict=True)]
    return _columns_from(qualifiers, settings.plays_for_third)[::-1]


@dataclass(frozen=True, slots=True)
class BracketPart:
    """Rounds that are shown beside each other."""

    columns: tuple[BracketColumn, ...]
    is_list: bool = False
    """Whether it is a single round of any number of tables, in their order."""


def bracket_parts(
    columns: Sequence[BracketColumn], max_tables: int = MAX_BRACKET_TABLES
) -> list[BracketPart]:
    """The bracket in parts of at most `max_tables` tables in a column.

    A larger round is split into parts of neighbouring tables, each with the rounds that they lead
    to. The rounds in which these parts meet follow. If a larger round does not lead on in order,
    it is a list.

    :param max_tables: a power of two
    """
    if not columns:
        return []
    sizes = [_table_count(column) for column in columns]
    if max(sizes) <= max_tables:
        return [BracketPart(tuple(columns))]
    first, part_count = columns[0], sizes[0] // max_tables
    if not first.joined or part_count < 2 or sizes[0] % max_tables:
        matches = tuple(sorted(first.matches, key=lambda match: match.drawn_table.table))
        whole_round = BracketPart((replace(first, matches=matches),), is_list=True)
        return [whole_round, *bracket_parts(columns[1:], max_tables)]
    depth = sum(size >= part_count for size in sizes)
    ends = (n + 1 for n in range(depth) if not columns[n].joined)
    shown = columns[: min(depth, next(ends, depth))]
    parts = [
        BracketPart(tuple(_neighbours(column, part, part_count) for column in shown))
        for part in range(part_count)
    ]
    return [*parts, *bracket_parts(columns[len(shown) :], max_tables)]


def _table_count(column: BracketColumn) -> int:
    return len(column.matches or column.coming)


def _neighbours(column: BracketColumn, part: int, part_count: int) -> BracketColumn:
    """The tables of a column that belong to one of `part_count` equal parts, from 0."""
    size = _table_count(column) // part_count
    tables = slice(part * size, (part + 1) * size)
    return replace(column, matches=column.matches[tables], coming=column.coming[tables])


def _lead_to_following(matches: Sequence[Match], following: Sequence[Match]) -> bool:
    """Whether each two matches lead to the one beside them."""
    feeders = [matches[index : index + 2] for index in range(0, len(matches), 2)]
    return len(matches) == 2 * len(following) and all(
        set(match.drawn_table.lots)
        <= {lot for feeder in pair_of_feeders for lot in feeder.drawn_table.lots}
        for match, pair_of_feeders in zip(following, feeders, strict=True)
    )


def _position(order: Sequence[int], lot: int) -> int:
    return order.index(lot) if lot in order else len(order)


def remaining_pair_count(round_: Round) -> int:
    """The pairs (in a knock-out: lots) that are still in at a knock-out round; 0 if unknown."""
    if round_.is_final:
        return 2 * sum(not match.is_third_place for match in round_.matches.values())
    if round_.stage == "knockout" and not round_.waiting:
        return 2 * (len(round_.matches) + len(round_.byes))
    return 0


class KnockoutProgress(NamedTuple):
    """How far a pair came in the knock-out rounds."""

    pair_count: int
    """The pairs left in its last round with a result; 3 in the match for the third place."""
    won: bool
    """Whether it won there."""


def knockout_progress(tournament: Tournament) -> dict[int, KnockoutProgress]:
    """How far each pair came in the knock-out rounds."""
    progress: dict[int, KnockoutProgress] = {}
    for round_ in tournament.rounds:
        if not round_.is_knockout:
            continue
        pair_count, sides = remaining_pair_count(round_), list[tuple[int, KnockoutProgress]]()
        for match in round_.matches.values():
            if not match.is_decided:
                continue
            for side, pair in enumerate(match.drawn_table.pairs):
                count = 3 if match.is_third_place else pair_count
                sides.append((pair, KnockoutProgress(count, side == match.winner)))
        byes = tournament.bye_pairs(round_)
        sides += [(pair, KnockoutProgress(pair_count, won=True)) for pair in byes]
        # Of the lots of a pair, the one that goes on counts.
        progress |= dict(sorted(sides, key=lambda item: item[1].won))
    return progress
