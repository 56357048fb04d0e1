"""Which pairs are level, and which of them need a deciding game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import attrgetter

from scorer.engine.aggregate import replace
from scorer.tournament.finals import ties_at_cut
from scorer.tournament.prize_winners import category_winners, prize_winners
from scorer.tournament.standings import Standing
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class LevelPairs:
    """Level pairs that are ordered by lot."""

    rank: int
    """The first of their places."""
    pairs: tuple[int, ...]


def level_pairs(lines: Sequence[Standing]) -> dict[int, list[int]]:
    """All level pairs with a place, by the first of their places.

    :param lines: the standings
    """
    pairs_by_rank: dict[int, list[int]] = {}
    for _, group in groupby((line for line in lines if line.rank), attrgetter("level")):
        first, *others = group
        if others:
            pairs_by_rank[first.rank] = [line.pair for line in (first, *others)]
    return pairs_by_rank


def without_decider(tournament: Tournament, level: Sequence[int]) -> list[int]:
    """The level pairs without a deciding game, while others of them have played one.

    :param level: all pairs that are level
    """
    players = {pair for game in tournament.deciders for pair in (game.winner, game.loser)}
    return [pair for pair in level if pair not in players] if players & {*level} else []


def played_games(tournament: Tournament) -> list[set[int]]:
    """The two pairs of each deciding game that is recorded."""
    return [{game.winner, game.loser} for game in tournament.deciders]


def still_level(tournament: Tournament, lines: Sequence[Standing]) -> dict[int, list[list[int]]]:
    """The groups of pairs that are level after a deciding game of each against each, by the ranks
    of `level_pairs`.

    :param lines: the standings
    """
    played, decided = played_games(tournament), {line.pair: line.decided for line in lines}
    groups_by_rank: dict[int, list[list[int]]] = {}
    for rank, pairs in level_pairs(lines).items():
        by_balance: dict[int, list[int]] = {}
        for pair in pairs:
            by_balance.setdefault(decided[pair], []).append(pair)
        groups_by_rank[rank] = [
            group
            for group in by_balance.values()
            if len(group) > 1 and all({*two} in played for two in combinations(group, 2))
        ]
    return groups_by_rank


def ties_to_decide(tournament: Tournament, lines: Sequence[Standing]) -> list[LevelPairs]:
    """The level pairs that need a deciding game: at the first place, or with different prizes.

    Until all of them have played one, none is decided.

    :param lines: the standings
    """
    prizes, levels = _prizes(tournament, lines), level_pairs(lines)
    running = [
        LevelPairs(rank, tuple(pairs))
        for rank, pairs in levels.items()
        if without_decider(tournament, pairs)
    ]
    begun = {pair for level in running for pair in level.pairs}
    tied = [
        LevelPairs(level[0].rank, tuple(line.pair for line in level))
        for _, group in groupby(lines, attrgetter("level", "decided"))
        if (level := list(group))[0].tie == "lot" and level[0].pair not in begun
    ]
    needed = [level for level in (*running, *tied) if _needs_order(level.rank, level.pairs, prizes)]
    return sorted(needed, key=attrgetter("rank"))


def decisive_ranks(tournament: Tournament, lines: Sequence[Standing]) -> set[int]:
    """The ranks of `level_pairs` at which the order decides the first place, a prize or who
    advances, with or without deciding games.

    :param lines: the standings
    """
    prizes = _prizes(tournament, lines)
    before_deciders = replace(tournament, deciders=())
    lot_cuts = [] if tournament.finals_drawn else ties_at_cut(before_deciders)
    by_lot = {pair for cut in lot_cuts for pair in (*cut.qualified, *cut.eliminated)}
    return {
        rank
        for rank, pairs in level_pairs(lines).items()
        if by_lot & {*pairs} or _needs_order(rank, pairs, prizes)
    }


def _needs_order(rank: int, pairs: Sequence[int], prizes: Mapping[int, list[str]]) -> bool:
    return rank == 1 or any(prizes.get(pair) != prizes.get(pairs[0]) for pair in pairs)


def _prizes(tournament: Tournament, lines: Sequence[Standing]) -> dict[int, list[str]]:
    """The prizes of each pair that has any."""
    prizes: dict[int, list[str]] = {}
    categories = category_winners(tournament, lines).values()
    winners = [line for placed in categories for line in placed if line.prize]
    main_prizes = prize_winners(tournament, lines)
    for line, prize in [*main_prizes, *((one.standing, one.prize) for one in winners)]:
        prizes.setdefault(line.pair, []).append(prize)
    return prizes
