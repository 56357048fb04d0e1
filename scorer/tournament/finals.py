"""The finals after the rounds: who qualifies, ties at the qualifying line, and pairings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from scorer.engine import Illegal
from scorer.engine.aggregate import replace
from scorer.tournament.match import Match, Round
from scorer.tournament.min_cost_matching import assign
from scorer.tournament.round_plan import Pairing, RoundPlan
from scorer.tournament.round_robin import group_of
from scorer.tournament.settings import Settings, Since
from scorer.tournament.standings import Standing, decider_balance, standings, tie_break
from scorer.tournament.state import Tournament

_USUAL_FINALISTS: Final = 4
_SAME_GROUP_COST: Final = 10**6
_SAME_HALF_COST: Final = 10**3


def first_final(tournament: Tournament) -> RoundPlan:
    """The first final round: the best qualified pair against the last and so on, in bracket order.

    Pairs of one group meet in the first final round only if there is no other way. If possible, the
    two best of a group are in different halves of the bracket.

    :raises Illegal: fewer than two pairs qualify
    """
    finals = tournament.settings.finals
    best_pairs = qualifying_pairs(tournament, finals.best if finals else _USUAL_FINALISTS)
    if len(best_pairs) < 2:
        raise Illegal("too-few-pairs")
    half, ranks = len(best_pairs) // 2, bracket_ranks(len(best_pairs))
    separates_halves = tournament.settings.version >= Since.GROUPS_IN_BOTH_HALVES
    upper_ranks = ranks[:half] if separates_halves else ()
    opponents = _opponents_of_better_half(group_of(tournament), best_pairs, upper_ranks)
    bracket = [(best_pairs[rank], opponents[rank]) for rank in ranks if rank < half]
    return RoundPlan(bracket, [], "final")


def bracket_ranks(max_qualified: int) -> list[int]:
    """The ranks of the qualified, from 0, in the order of the bracket: neighbours meet.

    >>> bracket_ranks(8)
    [0, 7, 3, 4, 1, 6, 2, 5]

    :param max_qualified: the most that may qualify; the result has the largest power of two of
        them
    """
    ranks = [0]
    while 2 * len(ranks) <= max_qualified:
        size = 2 * len(ranks)
        ranks = [rank for better in ranks for rank in (better, size - 1 - better)]
    return ranks


def _opponents_of_better_half(
    groups: Mapping[int, int], best_pairs: list[int], upper_ranks: Collection[int]
) -> list[int]:
    """The opponent of each pair of the better half; groups are kept apart if possible.

    :param upper_ranks: the ranks in the upper half of the bracket; empty to ignore the halves
    """
    half = len(best_pairs) // 2
    better_half, worse_half = best_pairs[:half], best_pairs[half:]

    def mates_in_same_half(opponent: int, rank: int) -> int:
        """How many better pairs of the opponent's group are in the half of this rank."""
        if not groups or not upper_ranks:
            return 0
        return sum(
            groups[mate] == groups[opponent] and (mate_rank in upper_ranks) == (rank in upper_ranks)
            for mate_rank, mate in enumerate(better_half)
        )

    costs = [
        [
            _SAME_GROUP_COST * (bool(groups) and groups[pair] == groups[opponent])
            + _SAME_HALF_COST * mates_in_same_half(opponent, rank)
            # Without groups the best pair meets the last one.
            + abs(half - 1 - rank - opponent_rank)
            for opponent_rank, opponent in enumerate(worse_half)
        ]
        for rank, pair in enumerate(better_half)
    ]
    return [worse_half[column] for column in assign(costs)]


def qualifying_pairs(tournament: Tournament, max_pairs: int) -> list[int]:
    """The pairs that qualify, best first; their number is a power of two."""
    return _qualified_by(tournament, standings(tournament), max_pairs, _tie_breaks(tournament))


_FIRST_TIE_BREAK: Final = ""
"""Sorts before every hex digest."""
_LAST_TIE_BREAK: Final = "z"
"""Sorts after every hex digest."""
TieBreaks = Mapping[int, str]
"""A random text for each pair; of level pairs the one with the smallest comes first."""


def _tie_breaks(tournament: Tournament) -> TieBreaks:
    return {pair: tie_break(tournament.settings.seed, pair) for pair in tournament.entrants}


def _qualified_by(
    tournament: Tournament,
    standings_lines: Sequence[Standing],
    max_pairs: int,
    tie_breaks: TieBreaks,
) -> list[int]:
    """The pairs that qualify with these tie-breaks."""
    ordered = sorted(
        standings_lines,
        key=lambda line: (line.tie_group, -line.decider_balance, tie_breaks[line.pair]),
    )
    playing = [line for line in ordered if tournament.entrants[line.pair].plays]
    groups = group_of(tournament)
    pairs = [line.pair for line in playing]
    if groups:
        pairs = _best_of_groups(tournament, playing, groups, tie_breaks)
    return pairs[: _power_of_two(min(max_pairs, len(pairs)))]


def _power_of_two(limit: int) -> int:
    """The largest power of two up to `limit`, at least 1."""
    return 1 << max(limit.bit_length() - 1, 0)


def drawn_group_sizes(tournament: Tournament) -> list[int]:
    """How many pairs of each group still play; empty without groups or before their draw."""
    groups = group_of(tournament)
    playing = (number for pair, number in groups.items() if tournament.entrants[pair].plays)
    return list(Counter(playing).values())


class QualifyingPlaces(NamedTuple):
    """Who of each group reaches the finals. Both are 0 without groups or finals."""

    per_group: int
    """How many places of every group qualify."""
    extra_pairs: int
    """How many pairs of the place after them qualify, among all groups."""


def qualifying_places(settings: Settings, sizes: Sequence[int]) -> QualifyingPlaces:
    """:param sizes: the number of pairs in each group"""
    if settings.finals is None or not sizes:
        return QualifyingPlaces(0, 0)
    count = finalist_count(settings, sizes)
    places = min(count // len(sizes), settings.groups.best)
    return QualifyingPlaces(places, max(count - sum(min(size, places) for size in sizes), 0))


def contested_place(tournament: Tournament) -> int:
    """The place in the groups of which only the best pairs qualify, or 0."""
    places = qualifying_places(tournament.settings, drawn_group_sizes(tournament))
    return places.per_group + 1 if places.extra_pairs else 0


def finalist_count(settings: Settings, sizes: Sequence[int]) -> int:
    """How many pairs of groups of these sizes reach the finals."""
    best = settings.finals.best if settings.finals else 0
    return _power_of_two(min(best, most_finalists_of_groups(settings, sizes)))


def most_finalists_of_groups(settings: Settings, sizes: Sequence[int]) -> int:
    """How many pairs the settings of the groups qualify, whatever the size of the finals."""
    per_group = settings.groups.best
    extra = min(settings.groups.more, sum(size > per_group for size in sizes))
    return sum(min(size, per_group) for size in sizes) + extra


def _best_of_groups(
    tournament: Tournament,
    standings_lines: Sequence[Standing],
    groups: Mapping[int, int],
    tie_breaks: TieBreaks,
) -> list[int]:
    """The first pairs of each group, firsts before seconds, then the best of the next place.

    :param standings_lines: in the order of the standings
    """
    places = places_in_groups(standings_lines, groups)
    per_group, extra_pairs = qualifying_places(tournament.settings, drawn_group_sizes(tournament))
    qualified_pairs = sorted(
        (pair for pair in places if places[pair] <= per_group), key=places.__getitem__
    )
    rivals = [line for line in standings_lines if places.get(line.pair) == per_group + 1]
    sort_rows: list[tuple[int, int, str, int]] = []
    for tie_group, level_lines in groupby(rivals, attrgetter("tie_group")):
        pairs = [line.pair for line in level_lines]
        balance = decider_balance(tournament, pairs, groups, across=True)
        sort_rows += [(tie_group, -balance[pair], tie_breaks[pair], pair) for pair in pairs]
    return [*qualified_pairs, *(pair for *_, pair in sorted(sort_rows)[:extra_pairs])]


def places_in_groups(
    standings_lines: Sequence[Standing], groups: Mapping[int, int]
) -> dict[int, int]:
    """The place of each pair in its group, from 1.

    :param standings_lines: in the order of the standings
    """
    counts: Counter[int] = Counter()
    places = {}
    for line in standings_lines:
        if line.pair in groups:
            counts[groups[line.pair]] += 1
            places[line.pair] = counts[groups[line.pair]]
    return places


@dataclass(frozen=True, slots=True)
class TieAtQualifyingLine:
    """Level pairs of which the lot decides who qualifies for the finals."""

    qualified: tuple[int, ...]
    eliminated: tuple[int, ...]

    @property
    def pairs(self) -> tuple[int, ...]:
        return (*self.qualified, *self.eliminated)


def ties_at_qualifying_line(tournament: Tournament) -> list[TieAtQualifyingLine]:
    """The ties of which a lot decides, or has decided, who is in the finals."""
    finals = tournament.settings.finals
    if finals is None:
        return []
    drawn_finalists = _finalists(tournament)
    before = _before_finals(tournament, drawn_finalists)
    lines = standings(before)
    tie_breaks = _tie_breaks(before)
    qualified_pairs = drawn_finalists or set(_qualified_by(before, lines, finals.best, tie_breaks))
    ties = []
    for _, tied_lines in groupby(lines, attrgetter("tie_group")):
        tied_pairs = [line.pair for line in tied_lines]
        pairs_by_lot = [
            pair
            for pair in tied_pairs
            if len(tied_pairs) > 1 and _depends_on_lot(before, lines, pair, finals.best, tie_breaks)
        ]
        inside = tuple(pair for pair in pairs_by_lot if pair in qualified_pairs)
        outside = tuple(pair for pair in pairs_by_lot if pair not in qualified_pairs)
        if inside and outside:
            ties.append(TieAtQualifyingLine(inside, outside))
    return ties


def _depends_on_lot(
    before: Tournament, lines: Sequence[Standing], pair: int, max_pairs: int, tie_breaks: TieBreaks
) -> bool:
    """Whether a pair qualifies with the first tie-break of level pairs but not with the last."""
    as_first, as_last = (
        _qualified_by(before, lines, max_pairs, {**tie_breaks, pair: tie_break_of_pair})
        for tie_break_of_pair in (_FIRST_TIE_BREAK, _LAST_TIE_BREAK)
    )
    return pair in as_first and pair not in as_last


def _finalists(tournament: Tournament) -> set[int]:
    finals = [round_ for round_ in tournament.rounds if round_.is_final]
    return {
        pair for round_ in finals for m in round_.matches.values() for pair in m.drawn_table.pairs
    }


def _before_finals(tournament: Tournament, drawn_finalists: Collection[int]) -> Tournament:
    """The tournament before the finals, with finalists who have left since counted as present."""
    before = tournament.before_finals()
    finalists = {
        pair: replace(tournament.entrants[pair], withdrawn=False, absent=False)
        for pair in drawn_finalists
    }
    return replace(before, entrants={**tournament.entrants, **finalists})


def undecided_matches(last: Round) -> list[Match]:
    return [match for _, match in sorted(last.matches.items()) if not match.is_decided]


def next_final(tournament: Tournament, last: Round) -> RoundPlan:
    """The next final round: winners of neighbouring tables, and the game for the third place.

    :raises Illegal: a table has no winner yet
    """
    tables = [match for _, match in sorted(last.matches.items())]
    if open_ := [str(match.drawn_table.table) for match in undecided_matches(last)]:
        raise Illegal("finals-open", count=len(open_), tables=", ".join(open_))
    winners = [match.drawn_table.pairs[match.winner] for match in tables]
    pairings = list(zip(winners[::2], winners[1::2], strict=True))
    return RoundPlan([*pairings, *_third_place_game(tournament, tables)], [], "final")


def _third_place_game(tournament: Tournament, tables: Sequence[Match]) -> list[Pairing]:
    """The game of the two losers of semifinals, if the tournament plays for the third place.

    :param tables: the last round's, each with a winner
    """
    if len(tables) != 2 or not tournament.settings.plays_for_third:
        return []
    first, second = (match.drawn_table.pairs[1 - match.winner] for match in tables)
    return [(first, second)]
