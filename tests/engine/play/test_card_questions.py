"""The referee answers the example questions and refuses impossible ones."""

import json
from pathlib import Path

import pytest

from scorer.engine import Unreadable, judge

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "judge.json").read_text())
WINNER = {"ask": "winner", "rules": "bayern", "schlag": "U", "trumpf": "H", "cards": ["HU", "E7"]}
LEGAL = {"ask": "legal", "rules": "trentino", "schlag": "O", "trumpf": "H", "hand": ["H9"]}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_example_questions_get_expected_answers(vector):
    answer = judge(vector["question"])
    assert {name: answer[name] for name in vector["expect"]} == vector["expect"]
    assert answer["because"]
    assert all(entry["rule"] and entry["text"] for entry in answer["because"])


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ([], "question"),
        ({}, "ask"),
        ({**WINNER, "ask": "luck"}, "ask"),
        ({**WINNER, "rules": "tirol"}, "rules"),
        ({**WINNER, "rules": 7}, "rules"),
        ({**WINNER, "variant": "blind"}, "variant"),
        ({**WINNER, "set": {"targit": 9}}, "set.targit"),
        ({**WINNER, "set": 9}, "set"),
        ({**WINNER, "schlag": "6"}, "schlag"),
        ({**WINNER, "schlag": "5"}, "schlag"),
        ({**WINNER, "schlag": None}, "schlag"),
        ({**WINNER, "trumpf": "Herz"}, "trumpf"),
        ({**WINNER, "cards": []}, "cards"),
        ({**WINNER, "cards": "HU"}, "cards"),
        ({**WINNER, "cards": ["HU", "HU"]}, "cards[1]"),
        ({**WINNER, "cards": ["HU", "H6"]}, "cards[1]"),
        ({**WINNER, "cards": ["HU", "S6"]}, "cards[1]"),
        ({**WINNER, "cards": ["HU", 7]}, "cards[1]"),
        ({**WINNER, "cards": ["HU", "H7", "H8", "H9", "H10"]}, "cards"),
        ({**WINNER, "first_trick": 1}, "first_trick"),
        ({**WINNER, "blind": "no"}, "blind"),
        ({**LEGAL, "hand": None}, "hand"),
        ({**LEGAL, "table": ["H9"]}, "hand[0]"),
        ({**LEGAL, "table": ["H7", "H8", "HU", "HK"]}, "table"),
        ({**LEGAL, "ask": "last_bid"}, "card"),
        ({**LEGAL, "ask": "last_bid", "card": "H9", "table": ["H9"]}, "card"),
    ],
)
def test_invalid_question_names_the_faulty_field(question, where):
    with pytest.raises(Unreadable) as caught:
        judge(question)
    assert caught.value.where == where


def test_blind_frees_players_who_did_not_announce():
    question = {**LEGAL, "table": ["H7"], "hand": ["H9", "SA"], "announced": False}
    assert judge(question)["legal"] == ["H9"]
    assert judge({**question, "blind": True})["legal"] == ["H9", "SA"]
    assert judge({**question, "variant": "blind"})["legal"] == ["H9", "SA"]


def test_referee_applies_house_rules():
    question = {**LEGAL, "rules": "oberoesterreich", "schlag": "8"}
    question |= {"table": ["H7"], "hand": ["E8", "SA"]}
    assert judge(question)["legal"] == ["E8", "SA"]
    assert judge({**question, "set": {"follow_answer": ["trumpf", "linker"]}})["legal"] == ["E8"]


def test_led_kritischer_without_duty_cites_only_u10():
    question = {"ask": "legal", "rules": "oberoesterreich", "variant": "kritisch", "schlag": "9"}
    answer = judge({**question, "trumpf": "L", "table": ["HK"], "hand": ["L8", "EA"]})
    assert [reason["rule"] for reason in answer["because"]] == ["U10"]


def test_trentino_weli_as_schlag_cites_i22_and_x4():
    question = {"ask": "legal", "rules": "trentino", "schlag": "6", "trumpf": "L", "hand": ["LA"]}
    for table in (["S6"], ["LK"]):
        because = judge({**question, "table": table})["because"]
        assert [reason["rule"] for reason in because] == ["I-22", "X4"]
