"""The examples of the record's format: a record and the state it leads to."""

import json
from pathlib import Path

import pytest

from scorer.engine import replay, result

CASES = json.loads((Path(__file__).parents[2] / "vectors" / "scoring.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_example_record_gives_expected_result(case):
    evening, refusal = replay(case["record"])
    shown = result(evening.state, refusal)
    assert {name: shown[name] for name in case["expect"]} == case["expect"]
    assert shown["ok"] == (shown["error"] is None)


def test_upper_austrian_example_fold_gives_three_points():
    # A1 bids 3, B1 stays, B1 bids 4, A1 folds. B gets 3 points.
    record = {
        "watten": 1,
        "rules": "oberoesterreich",
        "sides": [{"name": "A", "players": ["A1", "A2"]}, {"name": "B", "players": ["B1", "B2"]}],
        "dealer": "A1",
        "events": [
            {"do": "ansage", "schlag": "8", "trumpf": "H"},
            {"do": "bieten", "side": 0, "player": "A1"},
            {"do": "bleiben", "side": 1, "player": "B1"},
            {"do": "bieten", "side": 1, "player": "B1"},
            {"do": "gehen", "side": 0, "player": "A1"},
        ],
    }
    evening, refusal = replay(record)
    shown = result(evening.state, refusal)
    assert (shown["points"], shown["dealer"], shown["round"]) == ([0, 3], "B1", 2)
    reason = shown["because"][0]
    assert reason["code"] == "fold-agreed"
    assert reason["values"] == {"side": 1, "delta": 3, "other": 0, "to": 4}
    assert "O-45" in reason["rules"]
