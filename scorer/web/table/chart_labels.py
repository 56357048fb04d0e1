"""Labels of a chart over the rounds of an evening."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from scorer.web.frame.translation import gettext


def round_labels(rounds_by_game: Sequence[Sequence[int]]) -> list[str]:
    """The labels of all points of a chart, "" for a point without one.

    Each game has a point for its start and one for each change of the score. A single game has the
    numbers of its rounds, at the last change of each; several have the number of each game at its
    start.
    """
    if len(rounds_by_game) == 1:
        [rounds] = rounds_by_game
        numbers = [
            "" if number == following else str(number)
            for number, following in zip_longest(rounds, rounds[1:])
        ]
        first = next(index for index, number in enumerate(numbers) if number)
        numbers[first] = gettext("Round %(n)s", n=numbers[first])
        return ["", *numbers]
    return [
        label
        for number, rounds in enumerate(rounds_by_game, 1)
        for label in (gettext("Game %(n)s", n=number), *[""] * len(rounds))
    ]
