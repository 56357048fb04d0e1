"""Who stands where: small named metrics in any order, then deciders, then the lot.

The order is total: what neither the metrics nor a decider settle, the lot settles, the same one
however often it is asked, and it is said so.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final

from scorer.tournament.events import Ergebnis
from scorer.tournament.settings import Scoring
from scorer.tournament.tournament import Tournament


@dataclass(slots=True)
class Tally:
    """What a pair has made so far."""

    won: int = 0
    lost: int = 0
    points: int = 0
    conceded: int = 0
    score: int = 0
    matches: int = 0
    """Matches won, a bye or walkover among them."""
    byes: int = 0

    @property
    def difference(self) -> int:
        return self.points - self.conceded

    @property
    def ratio(self) -> Fraction:
        """Points made for each point conceded."""
        return Fraction(self.points, self.conceded) if self.conceded else Fraction(self.points, 1)


METRIC: Final[Mapping[str, Callable[[Tally], int | Fraction]]] = {
    "won": lambda tally: tally.won,
    "difference": lambda tally: tally.difference,
    "points": lambda tally: tally.points,
    "score": lambda tally: tally.score,
    "conceded": lambda tally: -tally.conceded,
    "ratio": lambda tally: tally.ratio,
    "matches": lambda tally: tally.matches,
}
"""Each metric as a number that is better the higher it is."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings."""

    rank: int
    pair: int
    tally: Tally
    tie: str = ""
    """What settled it against others level with it: `decider` or `lot`."""


def tallies(tournament: Tournament) -> dict[int, Tally]:
    """What every pair has made in the rounds; a final's games settle places, not sums."""
    found = {number: Tally() for number in tournament.entrants}
    scoring = tournament.settings.scoring
    for one in tournament.rounds:
        if one.stage == "final":
            continue
        for match in one.matches.values():
            if match.result is not None:
                sides = (found[match.drawn.pairs[0]], found[match.drawn.pairs[1]])
                _count(sides, match.result, match.winner, tournament, one.number)
        for lot in one.byes:
            tally = found[pair_of(tournament, lot)]
            tally.byes += 1
            _unplayed(tally, scoring, tournament.games(one.number), scoring.bye_wins)
    return found


def pair_of(tournament: Tournament, lot: int) -> int:
    """The pair that holds a lot: in a knock-out each holds as many as it entered.

    Lots are numbered through the pairs in their order.
    """
    if tournament.settings.format != "knockout":
        return lot
    last = 0
    for number, one in tournament.entrants.items():
        last += one.pair.entries
        if lot <= last:
            return number
    raise ValueError(lot)


def _count(
    sides: tuple[Tally, Tally], result: Ergebnis, winner: int, tournament: Tournament, number: int
) -> None:
    """Count a match of round `number` for both its pairs."""
    scoring, target = tournament.settings.scoring, tournament.target(number)
    if result.walkover:
        _unplayed(sides[winner], scoring, tournament.games(number), True)
        return
    if winner >= 0:
        sides[winner].matches += 1
    for number, points in enumerate(result.games, 1):
        for at, tally in enumerate(sides):
            own, other = points[at], points[1 - at]
            tally.points += own
            tally.conceded += other
            if own < other:
                tally.lost += 1
                tally.score += own if scoring.loss_own else 0
                continue
            retour, schneider = number in result.retour, other == 0
            tally.won += 1 + retour * scoring.retour_won + schneider * scoring.schneider_won
            tally.score += scoring.win + retour * scoring.retour + schneider * scoring.schneider
            tally.score += target if scoring.win_target else own if scoring.win_own else 0


def _unplayed(tally: Tally, scoring: Scoring, games: int, wins: bool) -> None:
    """Count games that nobody played against this pair."""
    tally.matches += 1
    tally.won += games * wins
    tally.points += games * scoring.bye_points
    tally.score += games * scoring.bye_score


def standings(tournament: Tournament) -> list[Standing]:
    """The standings, best first."""
    found = tallies(tournament)
    depth = _depths(tournament)
    gone = {one.number for one in tournament.entrants.values() if one.withdrawn}
    metrics = [METRIC[name] for name in tournament.settings.ranking]

    def key(pair: int) -> tuple[int | Fraction, ...]:
        # In a knock-out whoever leaves gives way to all that came as far.
        place = (depth[pair], pair not in gone) if pair in depth else (-1, True)
        return (*place, *(metric(found[pair]) for metric in metrics))

    ordered = sorted(found, key=key, reverse=True)
    lines: list[Standing] = []
    for _, level in groupby(ordered, key):
        for pair, tie in _settled(tournament, list(level)):
            lines.append(Standing(len(lines) + 1, pair, found[pair], tie))
    return lines


def _depths(tournament: Tournament) -> dict[int, int]:
    """For each pair of a knock-out how far its best lot came.

    A game for the third place counts half of any other.
    """
    lots: dict[int, int] = {}
    for one in tournament.rounds:
        if not one.knockout:
            continue
        for match in one.matches.values():
            worth = 1 if "third" in match.drawn.notes else 2
            for at, lot in enumerate(match.drawn.lots):
                lots[lot] = lots.get(lot, 0) + worth * (at == match.winner)
        for lot in one.byes:
            lots[lot] = lots.get(lot, 0) + 2
    found: dict[int, int] = {}
    for lot, depth in lots.items():
        pair = pair_of(tournament, lot)
        found[pair] = max(found.get(pair, 0), depth)
    return found


def _settled(tournament: Tournament, level: list[int]) -> list[tuple[int, str]]:
    """Pairs that are level, in the order of their deciders and then of the lot."""
    if len(level) == 1:
        return [(level[0], "")]
    wins = dict.fromkeys(level, 0)
    for decider in tournament.deciders:
        if decider.winner in wins and decider.loser in wins:
            wins[decider.winner] += 1
            wins[decider.loser] -= 1
    drawn = sorted(level, key=lambda pair: (-wins[pair], drawn_lot(tournament.settings.seed, pair)))
    counts = list(wins.values())
    return [(pair, "lot" if counts.count(wins[pair]) > 1 else "decider") for pair in drawn]


def drawn_lot(seed: str, pair: int) -> str:
    """The lot of a pair, the same for ever."""
    return hashlib.sha256(f"{seed}/lot/{pair}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Chance:
    """The best and the worst rank a pair can still come to."""

    best: int
    worst: int


def chances(tournament: Tournament) -> dict[int, Chance]:
    """What the open matches and the rounds to come can still change.

    Judged by the first metric alone, where it is one that a round changes by a known most;
    else nothing is said.
    """
    first = tournament.settings.ranking[0]
    most = _most(tournament, first)
    if most is None:
        return {}
    found, metric, coming = tallies(tournament), METRIC[first], _coming(tournament)
    low = {pair: metric(tally) for pair, tally in found.items()}
    high = {pair: low[pair] + most * coming[pair] for pair in found}
    return {
        pair: Chance(
            1 + sum(low[other] > high[pair] for other in found if other != pair),
            1 + sum(high[other] >= low[pair] for other in found if other != pair),
        )
        for pair in found
    }


def _most(tournament: Tournament, metric: str) -> int | None:
    """The most a pair can gain of a metric in one match, or by its bye."""
    scoring, games = tournament.settings.scoring, tournament.settings.games
    target = tournament.settings.rules.target
    if metric == "matches":
        return 1
    if metric == "won":
        return games * (1 + max(scoring.retour_won, scoring.schneider_won))
    if metric == "score" and not scoring.win_own:
        win = scoring.win + target * scoring.win_target + max(scoring.retour, scoring.schneider)
        return games * max(win, target * scoring.loss_own, scoring.bye_score)
    return None


def _coming(tournament: Tournament) -> Counter[int]:
    """How many matches each pair has still to play before any finals."""
    rest = max(0, tournament.settings.rounds - len(tournament.rounds))
    found = Counter({one.number: rest for one in tournament.active})
    if tournament.rounds:
        missing = tournament.rounds[-1].missing
        found.update(pair for match in missing for pair in match.drawn.pairs)
    return found
