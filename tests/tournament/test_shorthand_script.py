"""The desk's script reads scores as the server does."""

import json
import random
from pathlib import Path

import pytest

from scorer.tournament.score_shorthand import GAME, losing_points_too_high, parse_partial_scores
from tests import node

SCRIPT = Path(__file__).parent / "node" / "read_points.mjs"


@pytest.mark.parametrize("target", [11, 15, 18, 21])
def test_script_and_server_read_scores_alike(target):
    rng = random.Random(target)
    signs, count = "0123489 -*r:/.,x", 3
    texts = ["".join(rng.choices(signs, k=rng.randint(0, 9))) for _ in range(2000)]
    texts += ["8 -12 3", "8-123", "8*23", "15:8 13r", "00", "8  3", "R"]
    points = [target, target + 2, 812, *range(target)]
    pairs = (rng.choices(points, k=2) for _ in range(2000))
    texts += [f"{first} {second}{rng.choice(' ,r')}" for first, second in pairs]
    texts = [*texts, *("".join(rng.choices(texts[-2000:], k=3)) for _ in range(2000))]
    read = node.run(SCRIPT, node.SCRIPTS, GAME.pattern, target, count, json.dumps(texts))
    for text, by_script in zip(texts, read, strict=True):
        games, retour, rest = parse_partial_scores(text, target, count)
        marked = [[*game, number in retour] for number, game in enumerate(games, 1)]
        too_high = losing_points_too_high(text, target, count)
        assert (text, by_script) == (text, {"games": marked, "rest": rest, "tooHigh": too_high})
