"""Checks whether a game's result is possible under its rules; the sentences of refusals are in
`scorer/tournament/english_sentences.py`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from scorer.engine import Illegal, RuleSet
from scorer.engine.rules.ruleset import OFFENCES

Games = tuple[tuple[int, int], ...]
"""Points of both pairs in each game of a match."""

HIGHEST: Final = 999
"""Highest points accepted for a game; `doubtful_game` questions lower values already."""


def possible_points(rules: RuleSet, target: int) -> frozenset[int]:
    """Points below the target that a side can have at the end of a game: sums of possible gains.

    Penalties that tables agree on themselves are not included.

    >>> from scorer.engine import rules_of
    >>> sorted(set(range(15)) - possible_points(rules_of("bayern"), 15))
    [1]
    """
    gains = _gains(rules, target)
    possible = {0}
    for points in range(1, target):
        if any(points - gain in possible for gain in gains):
            possible.add(points)
    return frozenset(possible)


def _gains(rules: RuleSet, target: int) -> set[int]:
    max_stake = rules.max_stake or target
    gains = {rules.decline_value}
    for opening in (rules.base, rules.four_value, rules.near_value or rules.base):
        for stake in range(opening, max(max_stake, opening) + 1, rules.step):
            gains |= {stake + over * rules.overtrick for over in range(rules.tricks_to_end - 2)}
    gains |= {cost for offence in OFFENCES if isinstance(cost := rules.penalty(offence), int)}
    return gains if rules.fixed_fold_points is None else gains | {rules.fixed_fold_points}


def check_games(
    rules: RuleSet,
    target: int,
    count: int,
    games: Games,
    anyway: bool = False,
    unfinished: bool = False,
) -> None:
    """Check that a match can have had these games.

    :param anyway: accept points that are only possible with an agreed penalty
    :param unfinished: accept one game below the target, which the clock ended; those after it are
        0:0
    :raises Illegal: the number of the game and the reason
    """
    if len(games) != count:
        raise Illegal("games-missing", count=count, given=len(games))
    for number, points in enumerate(games, 1):
        winner, loser = max(points), min(points)
        if winner < target and not (unfinished and any(map(any, games))):
            raise Illegal("winner-below-target", game=number, points=winner, target=target)
        if winner < target and any(map(any, games[number:])):
            raise Illegal("unfinished-not-last", game=number, points=f"{points[0]}:{points[1]}")
        if rules.cap_at_target and winner > target:
            raise Illegal("winner-above-target", game=number, points=winner, target=target)
        if loser >= target:
            raise Illegal("two-winners", game=number, points=loser, target=target)
        for side in sorted(points):
            if not anyway and side < target and side not in possible_points(rules, target):
                raise Illegal("loser-impossible", game=number, points=side)


def doubtful_game(
    rules: RuleSet, target: int, games: Games, unfinished: bool = False
) -> Illegal | None:
    """A question about the first game with improbable points (likely a typing error), or None.

    :param unfinished: whether a game below the target can be meant

    >>> from scorer.engine import rules_of
    >>> bayern = rules_of("bayern")
    >>> [doubtful_game(bayern, 15, ((15, 8), two)).code for two in ((155, 3), (15, 1))]
    ['in-doubt', 'loser-in-doubt']
    """
    for number, points in enumerate(games, 1):
        winner, loser = max(points), min(points)
        if winner > 2 * target:
            return Illegal("in-doubt", game=number, points=winner)
        if unfinished and 0 < winner < target:
            return Illegal("unfinished-in-doubt", game=number, points=f"{points[0]}:{points[1]}")
        if loser < target <= winner and loser not in possible_points(rules, target):
            return Illegal("loser-in-doubt", game=number, points=loser)
    return None


def check_retour(rules: RuleSet, games: Games, retour: Collection[int], target: int) -> None:
    """Check that the games `retour` can have been won as a Retourschneider.

    :param rules: with the target of these games
    :param target: the points that finish a game
    :raises Illegal: the number of the game and the reason
    """
    for number in retour:
        if not 1 <= number <= len(games):
            raise Illegal("no-such-game", game=number)
        if max(games[number - 1]) < target:
            raise Illegal("retour-unfinished", game=number)
        if not rules.is_near(min(games[number - 1])):
            raise Illegal("no-retour", game=number, points=min(games[number - 1]))
