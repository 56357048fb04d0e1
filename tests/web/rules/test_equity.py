"""What a score is worth, asked over HTTP and read on the wall."""

import json
import re

import pytest

from scorer.engine import REGIONS, load
from scorer.engine.equity.model import live
from scorer.engine.telling.insight import equity
from scorer.engine.telling.wall import wall

ASKED = {"rules": "bayern", "set": {}, "points": [11, 9], "p": 0.5, "model": "live"}
OPEN = {"side": 0, "to": 3}


def ask(server, body):
    status, _, text = server.request("POST", "/api/equity", json.dumps(body))
    return status, json.loads(text)


def test_one_question_or_an_array(server):
    raised = {**ASKED, "open_raise": OPEN}
    assert ask(server, raised) == (200, equity(raised))
    assert ask(server, [ASKED, raised]) == (200, [equity(ASKED), equity(raised)])
    assert ask(server, []) == (200, [])


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"points": [15, 15]}, "at-target", "B-03"),
        ({"points": [13, 9], "open_raise": OPEN}, "locked-near", "B-30"),
        ({"points": [9, 13], "open_raise": OPEN}, "locked-both", "B-30"),
        ({"open_raise": {"side": 0, "to": 2}}, "wrong-step", "B-24"),
        ({"retour": [[0, 1]]}, "no-retour", "R2"),
    ],
)
def test_what_cannot_occur_is_refused_with_its_rule(server, change, code, rule):
    status, answer = ask(server, {**ASKED, **change})
    assert status == 422
    assert (answer["error"]["code"], answer["error"]["rule"]) == (code, rule)
    assert answer["error"]["message"]


def test_it_says_what_the_round_counts_and_each_reason_once():
    because = equity({"rules": "bayern", "points": [13, 5]})["because"]
    assert [(reason["rule"], reason["text"]) for reason in because] == [
        *((rule, "Side 1: gespannt, the round counts 3") for rule in ("B-27", "V9")),
        *((rule, "Side 1: gespannt, no more raises") for rule in ("B-30", "V10")),
    ]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"p": 0}, "p"),
        ({"p": 1.0}, "p"),
        ({"p": True}, "p"),
        ({"model": "best"}, "model"),
        ({"spread": 0.7}, "spread"),
        ({"efficiency": -1}, "efficiency"),
        ({"points": [3, 4, 5]}, "points"),
        ({"points": [3, -1]}, "points[1]"),
        ({"rules": "tirol"}, "rules"),
        ({"set": {"targit": 11}}, "set.targit"),
        ({"set": {"target": 99}}, "set"),
        ({"open_raise": {"side": 2, "to": 3}}, "open_raise.side"),
        ({"open_raise": 3}, "open_raise"),
        ({"retour": [[0, 0]]}, "retour[0]"),
        ({"luck": 1}, "luck"),
    ],
)
def test_what_cannot_be_asked_says_where_and_why(server, change, field):
    status, answer = ask(server, [ASKED, {**ASKED, **change}])
    assert (status, answer["error"]["code"]) == (422, "bad-question")
    assert f"[1].{field}:" in answer["error"]["message"]


def test_too_many_questions_and_none(server):
    assert ask(server, [ASKED] * 51)[0] == 422
    assert ask(server, 7)[1]["error"]["code"] == "bad-question"


@pytest.mark.parametrize("region", REGIONS)
def test_the_wall_shows_every_score(server, region):
    _, _, page = server.request("GET", f"/rules/{region}/gehen", Accept_Language="de")
    target = load(region).target
    cells = re.findall(r"<td><b>(\d+)</b>", page)
    assert len(cells) == target**2
    assert cells[0] == "50"
    _, _, better = server.request("GET", f"/rules/{region}/gehen?p=55&model=flat")
    assert int(re.search(r"<td><b>(\d+)</b>", better)[1]) > 50
    # What is not offered is passed over, not an error.
    status, _, other = server.request("GET", f"/rules/{region}/gehen?p=x&target=99&model=7")
    assert (status, len(re.findall(r"<td><b>", other))) == (200, target**2)


def test_the_wall_says_from_which_skill_striking_pays(server):
    for skill, at in ((50, []), (60, ["1:7", "1:8", "2:7", "2:8"])):
        _, _, page = server.request(
            "GET", f"/rules/oberoesterreich/gehen?p={skill}", Accept_Language="en"
        )
        assert re.findall(r"\b\d:\d\b", page) == at
        assert ("% of the rounds or more" in page) == (not at)
    assert wall(load("bayern"), live(0.5)).strikes is None


def test_no_such_region(server):
    assert server.request("GET", "/rules/tirol/gehen")[0] == 404
