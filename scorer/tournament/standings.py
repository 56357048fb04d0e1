"""Who stands where: small named metrics in any order, then deciders, then the lot.

The order is total: what neither the metrics nor a decider settle, the lot settles, the same one
however often it is asked, and it is said so.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scorer.tournament.match import Round
from scorer.tournament.state import Tournament
from scorer.tournament.totals import METRIC, PairTotals, pair_totals


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings."""

    rank: int
    """The place, or 0 for whoever has none: withdrawn, or not there."""
    pair: int
    tally: PairTotals
    tie: str = ""
    """What settled it against others level with it: `decider` or `lot`."""
    level: int = 0
    """Which of the pairs are level: those with the same number."""
    decided: int = 0
    """Deciding games won against those level with it, less those lost."""


def standings(tournament: Tournament) -> list[Standing]:
    """The standings, best first; at the end who has no place."""
    tallied = pair_totals(tournament)
    depth = _depths(tournament)
    gone = _gone(tournament)
    metrics = [METRIC[name] for name in tournament.settings.ranking]
    without = placeless(tournament)

    def key(pair: int) -> tuple[int | Fraction, ...]:
        # In a knock-out whoever leaves gives way to all that came as far.
        place = (depth[pair], pair not in gone) if pair in depth else (-1, True)
        return (pair not in without, *place, *(metric(tallied[pair]) for metric in metrics))

    ordered = sorted(tallied, key=key, reverse=True)
    lines: list[Standing] = []
    for at, (_, level) in enumerate(groupby(ordered, key)):
        for pair, tie, decided in _settled(tournament, list(level)):
            rank = 0 if pair in without else len(lines) + 1
            lines.append(Standing(rank, pair, tallied[pair], tie if rank else "", at, decided))
    return lines


def placeless(tournament: Tournament) -> set[int]:
    """The pairs without a place: since version 2 all that withdrew or are not there."""
    return _gone(tournament) if tournament.settings.version > 1 else set()


def _gone(tournament: Tournament) -> set[int]:
    return {entrant.number for entrant in tournament.listed if not entrant.plays}


def _depths(tournament: Tournament) -> dict[int, int]:
    """For each pair of a knock-out how far its best lot came.

    A game for the third place counts half of any other.
    """
    lots: dict[int, int] = {}
    knockouts = [played for played in tournament.rounds if played.knockout]
    for at, played in enumerate(knockouts):
        _deeper(lots, played, 2 * at)
    deepest: dict[int, int] = {}
    holders = tournament.holders
    for lot, depth in lots.items():
        pair = holders[lot]
        deepest[pair] = max(deepest.get(pair, 0), depth)
    return deepest


def _deeper(lots: dict[int, int], played: Round, before: int) -> None:
    """Note how far the lots of a round of a knock-out came.

    A lot at a late table is drawn again once it has won, however many rounds went by meanwhile:
    what counts is the round in which it plays, not how many it has won.

    :param before: what the rounds before it are worth
    """
    for match in played.matches.values():
        for at, lot in enumerate(match.drawn.lots):
            won = at == match.winner
            lots[lot] = lots.get(lot, 0) + won if match.third else before + 2 * won
    lots.update(dict.fromkeys(played.byes, before + 2))
    for lot in played.waiting:
        lots.setdefault(lot, 0)


def _settled(tournament: Tournament, level: list[int]) -> list[tuple[int, str, int]]:
    """Pairs that are level, in the order of their deciders and then of the lot.

    Of more than two whoever won a decider goes before all that played none, whoever lost one
    behind them: the page of deciders says so.
    """
    if len(level) == 1:
        return [(level[0], "", 0)]
    wins = dict.fromkeys(level, 0)
    for decider in tournament.deciders:
        if decider.winner in wins and decider.loser in wins:
            wins[decider.winner] += 1
            wins[decider.loser] -= 1
    drawn = sorted(level, key=lambda pair: (-wins[pair], lot_of(tournament.settings.seed, pair)))
    counts = list(wins.values())
    ties = {pair: "lot" if counts.count(wins[pair]) > 1 else "decider" for pair in drawn}
    return [(pair, ties[pair], wins[pair]) for pair in drawn]


def lot_of(seed: str, pair: int) -> str:
    """The lot of a pair, the same for ever."""
    return hashlib.sha256(f"{seed}/lot/{pair}".encode()).hexdigest()
