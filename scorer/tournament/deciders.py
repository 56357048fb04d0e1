"""Level pairs, and those of them that need a deciding game.

- `level_pairs`: all level pairs, by place
- `decisive_places`: the places whose order matters, for the first place, a prize or the finals
- `ties_to_decide`: the ties at decisive places that no deciding game has settled yet
- `ties_for_finals`: the ties to decide at the last places in the finals
- `without_decider`: the pairs of a tie that have not played their deciding game yet
- `unbroken_ties`: pairs that are still level after their deciding games
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import attrgetter
from typing import NamedTuple

from scorer.engine.aggregate import replace
from scorer.tournament.bye_allocation import NOBODY
from scorer.tournament.finals import (
    contested_place,
    places_in_groups,
    qualifying_pairs,
    ties_at_qualifying_line,
)
from scorer.tournament.prize_winners import category_winners, prize_winners
from scorer.tournament.round_robin import circle, round_count
from scorer.tournament.standings import Standing, competing_groups, decider_balance
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class UndecidedTie:
    """Level pairs whose order is random until they play a deciding game."""

    rank: int
    """The first of their places."""
    pairs: tuple[int, ...]


class DecidingLeg(NamedTuple):
    """Games among level pairs that can be played at the same time."""

    number: int
    """From 1."""
    last: int
    """The number of the leg after which all have met."""
    games: list[tuple[int, int]]


class TiedPlace(NamedTuple):
    """The first of the places that level pairs share."""

    rank: int
    group: int = 0
    """The group, while groups play for places in the finals; 0 for a place of all pairs."""
    is_across_groups: bool = False
    """Whether it is a place among the pairs of different groups of which only the best qualify."""


def level_pairs(tournament: Tournament, lines: Sequence[Standing]) -> dict[TiedPlace, list[int]]:
    """All level pairs with a place. While groups play for places in the finals: those of each
    group, then those that compete for the last places in the finals.

    :param lines: the standings
    """
    placed = [line for line in lines if line.rank]
    groups = competing_groups(tournament)
    if not groups:
        return {TiedPlace(rank): pairs for rank, pairs in _level(placed)}
    tied: dict[TiedPlace, list[int]] = {}
    for group in sorted(set(groups.values())):
        members = [line for line in placed if groups.get(line.pair) == group]
        tied |= {TiedPlace(rank, group): pairs for rank, pairs in _level(members)}
    if contested := contested_place(tournament):
        places = places_in_groups(placed, groups)
        rivals = [line for line in placed if places.get(line.pair) == contested]
        tied |= {TiedPlace(rank, is_across_groups=True): pairs for rank, pairs in _level(rivals)}
    return tied


def _level(lines: Sequence[Standing]) -> Iterator[tuple[int, list[int]]]:
    """Level pairs, and the first of their places in these lines."""
    for _, group in groupby(enumerate(lines, 1), lambda numbered: numbered[1].tie_group):
        level = list(group)
        if len(level) > 1:
            yield level[0][0], [line.pair for _, line in level]


def without_decider(tournament: Tournament, level: Sequence[int]) -> list[int]:
    """The level pairs without a deciding game, while others of them have played one.

    :param level: all pairs that are level
    """
    players = {
        pair for two in pairs_of_deciding_games(tournament) if two <= {*level} for pair in two
    }
    return [pair for pair in level if pair not in players] if players else []


def pairs_of_deciding_games(tournament: Tournament) -> list[set[int]]:
    """The two pairs of each deciding game that is recorded."""
    return [{game.winner, game.loser} for game in tournament.deciders]


def unbroken_ties(
    tournament: Tournament, lines: Sequence[Standing]
) -> dict[TiedPlace, list[list[int]]]:
    """By tied place: the pairs that are still level although all of them have played each other.

    :param lines: the standings
    """
    played = pairs_of_deciding_games(tournament)
    unbroken: dict[TiedPlace, list[list[int]]] = {}
    for place, pairs in level_pairs(tournament, lines).items():
        balance, by_balance = decider_balance(tournament, pairs, {}), dict[int, list[int]]()
        for pair in pairs:
            by_balance.setdefault(balance[pair], []).append(pair)
        unbroken[place] = [
            level
            for level in by_balance.values()
            if len(level) > 1 and all({*two} in played for two in combinations(level, 2))
        ]
    return unbroken


def ties_to_decide(tournament: Tournament, lines: Sequence[Standing]) -> list[UndecidedTie]:
    """The level pairs that need a deciding game: for the finals, at the first place, or with
    different prizes. A tie stays listed until all its pairs have played one.

    While groups play for places in the finals, only these places count.

    :param lines: the standings
    """
    for_finals = ties_for_finals(tournament, lines)
    if competing_groups(tournament):
        return for_finals
    running = [
        UndecidedTie(place.rank, tuple(pairs))
        for place, pairs in level_pairs(tournament, lines).items()
        if without_decider(tournament, pairs)
    ]
    begun = _pairs_of([*for_finals, *running])
    tied = [
        UndecidedTie(level_lines[0].rank, tuple(line.pair for line in level_lines))
        for _, group in groupby(lines, attrgetter("tie_group", "decider_balance"))
        if (level_lines := list(group))[0].tie == "lot" and level_lines[0].pair not in begun
    ]
    prize_lists, finalists = _prize_lists(tournament, lines), coming_finalists(tournament)
    needed = [
        tie
        for tie in (*running, *tied)
        if not _pairs_of(for_finals) & {*tie.pairs}
        and _needs_order(tie.rank, tie.pairs, prize_lists, finalists)
    ]
    return sorted([*for_finals, *needed], key=attrgetter("rank"))


def ties_for_finals(tournament: Tournament, lines: Sequence[Standing]) -> list[UndecidedTie]:
    """The level pairs that need a deciding game for a place in the finals; empty once the finals
    are drawn.

    :param lines: the standings
    """
    if tournament.finals_drawn:
        return []
    by_lot_before = _pairs_at_qualifying_line(replace(tournament, deciders=()))
    running = [
        UndecidedTie(place.rank, tuple(pairs))
        for place, pairs in level_pairs(tournament, lines).items()
        if by_lot_before & {*pairs} and without_decider(tournament, pairs)
    ]
    rank_of = {line.pair: line.rank for line in lines}
    tied = [
        UndecidedTie(min(rank_of[pair] for pair in tie.pairs), tie.pairs)
        for tie in ties_at_qualifying_line(tournament)
        if not _pairs_of(running) & {*tie.pairs}
    ]
    return [*running, *tied]


def _pairs_at_qualifying_line(tournament: Tournament) -> set[int]:
    return {pair for tie in ties_at_qualifying_line(tournament) for pair in tie.pairs}


def _pairs_of(ties: Sequence[UndecidedTie]) -> set[int]:
    return {pair for tie in ties for pair in tie.pairs}


def decisive_places(tournament: Tournament, lines: Sequence[Standing]) -> set[TiedPlace]:
    """The places of `level_pairs` at which the order decides the first place, a prize or who
    advances, with or without deciding games. In groups that play for places in the finals, it
    decides only who advances.

    :param lines: the standings
    """
    prize_lists, groups = _prize_lists(tournament, lines), competing_groups(tournament)
    finalists = coming_finalists(tournament)
    before_deciders = replace(tournament, deciders=())
    by_lot = set() if tournament.finals_drawn else _pairs_at_qualifying_line(before_deciders)
    return {
        place
        for place, pairs in level_pairs(tournament, lines).items()
        if by_lot & {*pairs}
        or (not groups and _needs_order(place.rank, pairs, prize_lists, finalists))
    }


def coming_leg(tournament: Tournament, pairs: Collection[int]) -> DecidingLeg | None:
    """The first leg of a round robin among level pairs that has a game to note; None after the
    last.
    """
    seats, noted = sorted(pairs), pairs_of_deciding_games(tournament)
    seats += [NOBODY] * (len(seats) % 2)
    last = round_count([seats])
    for number in range(1, last + 1):
        games = [two for two in circle(seats, number) if NOBODY not in two]
        if any({*two} not in noted for two in games):
            return DecidingLeg(number, last, games)
    return None


def coming_finalists(tournament: Tournament) -> set[int]:
    """The pairs that qualify now for the finals; empty without finals, or once they are drawn."""
    finals = tournament.settings.finals
    if finals is None or tournament.finals_drawn:
        return set()
    return {*qualifying_pairs(tournament, finals.best)}


def _needs_order(
    rank: int,
    pairs: Sequence[int],
    prize_lists: Sequence[Mapping[int, str]],
    finalists: Set[int],
) -> bool:
    """Whether the order of level pairs matters: for the first place, or for different prizes.
    Among finalists, the finals decide both.
    """
    has_other_prizes = any(
        len({prizes[pair] for pair in pairs if pair in prizes}) > 1 for prizes in prize_lists
    )
    return not finalists >= {*pairs} and (rank == 1 or has_other_prizes)


def _prize_lists(tournament: Tournament, lines: Sequence[Standing]) -> list[dict[int, str]]:
    """Of the main prizes and of each category: the prize of each pair that competes, or ""."""
    main_prizes = dict.fromkeys((line.pair for line in lines), "")
    main_prizes |= {line.pair: prize for line, prize in prize_winners(tournament, lines)}
    categories = category_winners(tournament, lines).values()
    return [
        main_prizes,
        *({one.standing.pair: one.prize for one in placed} for placed in categories),
    ]
