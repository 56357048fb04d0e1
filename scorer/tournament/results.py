"""Which results of a game can be at all, by the rules it was played by."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from scorer.engine import Illegal, RuleSet

Games = tuple[tuple[int, int], ...]
"""The points of a match's games, a pair of points each."""

HIGHEST: Final = 999
"""More than any table comes to; what is far over the target is asked about (`doubts`)."""


def reachable(rules: RuleSet, target: int) -> frozenset[int]:
    """The points a side may stand at below the target: sums of what rounds can bring.

    >>> from scorer.engine import load
    >>> sorted(set(range(15)) - reachable(load("bayern"), 15))
    [1]
    """
    most = rules.max_stake or target
    gains = {rules.decline_value, rules.four_value}
    for stake in range(rules.base, max(most, rules.base) + 1, rules.step):
        gains |= {stake + over * rules.overtrick for over in range(rules.tricks_to_end - 2)}
    penalties = (rules.misdeal, rules.peek, rules.wild_bid)
    gains |= {cost for cost in penalties if isinstance(cost, int)}
    found = {0}
    for points in range(1, target):
        if any(points - gain in found for gain in gains):
            found.add(points)
    return frozenset(found)


def check_games(rules: RuleSet, target: int, count: int, games: Games) -> None:
    """Let games pass that a match can have had.

    :raises Illegal: the number of the game and what cannot be
    """
    if len(games) != count:
        raise Illegal("games-missing", count=count, given=len(games))
    for number, points in enumerate(games, 1):
        winner, loser = max(points), min(points)
        if winner < target:
            raise Illegal("winner-below-target", game=number, points=winner, target=target)
        if rules.cap_at_target and winner > target:
            raise Illegal("winner-above-target", game=number, points=winner, target=target)
        if loser >= target:
            raise Illegal("two-winners", game=number, points=loser, target=target)
        if loser not in reachable(rules, target):
            raise Illegal("loser-impossible", game=number, points=loser)


def doubts(target: int, games: Games) -> list[int]:
    """The numbers of the games that a typing error may be in: far over twice the target.

    Raise upon raise can lead there all the same, so it is asked and never refused.

    >>> doubts(15, ((15, 8), (155, 3)))
    [2]
    """
    return [number for number, points in enumerate(games, 1) if max(points) > 2 * target]


def check_retour(rules: RuleSet, games: Games, retour: Collection[int]) -> None:
    """Let games `retour` pass that can have been won from 0 against a gespannt side.

    :param rules: to the target these games were played to
    :raises Illegal: the number of the game, and why not
    """
    for number in retour:
        if not 1 <= number <= len(games):
            raise Illegal("no-such-game", game=number)
        if not rules.is_near(min(games[number - 1])):
            raise Illegal("no-retour", game=number, points=min(games[number - 1]))
