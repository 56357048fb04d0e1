"""Labels of a chart over the rounds of an evening."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.web.frame.translation import gettext


def round_labels(rounds_by_game: Sequence[Sequence[int]]) -> list[str]:
    """The labels of all points of a chart, "" for a point without one.

    Each game has a point for its start and one for each round. A single game has the numbers of its
    rounds, several have the number of each game at its start.
    """
    if len(rounds_by_game) == 1:
        [(first, *further)] = rounds_by_game
        return ["", gettext("Round %(n)s", n=first), *map(str, further)]
    return [
        label
        for number, rounds in enumerate(rounds_by_game, 1)
        for label in (gettext("Game %(n)s", n=number), *[""] * len(rounds))
    ]
