"""Questions about equity over HTTP, and the printed wall table."""

import json
import re
import sys

import pytest

from scorer import create_app
from scorer.engine import REGIONS, rules_of
from scorer.engine.equity.model import live
from scorer.engine.equity.solver import EquityTable
from scorer.engine.telling.equity_questions import equity
from scorer.engine.telling.equity_sheet import equity_sheet
from scorer.web.rules.equity import MAX_STEPS, affordable_count
from tests.serving import InProcessClient

ASKED = {"rules": "bayern", "set": {}, "points": [11, 9], "p": 0.5, "model": "live"}
OPEN = {"side": 0, "to": 3}


def ask(server, body):
    status, _, text = server.request("POST", "/api/equity", json.dumps(body))
    return status, json.loads(text)


def test_api_answers_one_question_or_a_list(server):
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
def test_impossible_scores_are_refused(server, change, code, rule):
    status, answer = ask(server, {**ASKED, **change})
    error = answer["error"]
    assert (status, error["code"], error["rule"]) == (422, code, rule)
    assert error["message"]


class Steps:
    """A context manager that counts the scores solved in it, over all sweeps."""

    def __enter__(self):
        self.solved, self._code = 0, EquityTable._round.__code__
        sys.setprofile(self._note)
        return self

    def _note(self, frame, event, _):
        self.solved += event == "call" and frame.f_code is self._code

    def __exit__(self, *given):
        sys.setprofile(None)


CHANCES = [n / 101 for n in range(20, 70)]


@pytest.mark.slow
@pytest.mark.parametrize("change", [{}, {"set": {"target": 31}}, {"retour": [[0, 1]]}])
def test_equity_request_stays_within_its_step_limit(tmp_path, change):
    """A larger request is refused before anything is solved, and the error names the bound."""
    local = InProcessClient(create_app({"DATABASE": str(tmp_path / "x.db")}))
    asked = [{**ASKED, "rules": "oberoesterreich", "points": [1, 0], **change}]
    asked = [{**question, "p": p} for question in asked for p in CHANCES]
    most = affordable_count(asked)
    with Steps() as steps:
        status, answer = ask(local, asked)
    assert (status, steps.solved) == ((422, 0) if most < len(asked) else (200, steps.solved))
    assert status == 200 or str(most) in answer["error"]["message"]
    with Steps() as steps:
        assert ask(local, asked[:most])[0] == 200
    assert steps.solved * 8 <= MAX_STEPS
    # One equity table answers any number of questions.
    assert affordable_count([{**asked[0], "points": [n % 9, n % 7]} for n in range(50)]) == 50


def test_equity_cites_each_rule_once():
    because = equity({"rules": "bayern", "points": [13, 5]})["because"]
    assert [reason["rule"] for reason in because] == ["B-27", "B-30", "V10"]
    counts, locked, repeated = (reason["text"] for reason in because)
    assert counts != locked == repeated
    # The numbers are the side whose points lock the round, and what the round counts.
    assert re.findall(r"\d+", counts) == ["1", "3"]
    assert re.findall(r"\d+", locked) == ["1"]


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
def test_invalid_question_names_the_field(server, change, field):
    status, answer = ask(server, [ASKED, {**ASKED, **change}])
    assert (status, answer["error"]["code"]) == (422, "bad-question")
    assert f"[1].{field}:" in answer["error"]["message"]


def test_too_many_or_malformed_questions_are_refused(server):
    assert ask(server, [ASKED] * 51)[0] == 422
    assert ask(server, 7)[1]["error"]["code"] == "bad-question"


@pytest.mark.parametrize("region", REGIONS)
def test_wall_table_shows_every_score(server, region):
    def cells(query=""):
        html = server.page(f"/rules/{region}/gehen{query}").html
        matrix = html.partition('<table class="equity">')[2]
        return [int(chance) for chance in re.findall(r"><b>(\d+)</b>", matrix)]

    assert (len(cells()), cells()[0]) == (rules_of(region).target ** 2, 50)
    assert cells("?p=55&model=flat")[0] > 50
    # Values that the page does not offer are ignored and are no error.
    assert len(cells("?p=x&target=99&model=7")) == rules_of(region).target ** 2


@pytest.mark.parametrize("region", REGIONS)
def test_sheet_shows_the_chance_at_the_chosen_score(server, region):
    page = server.page(f"/rules/{region}/gehen?ours=3&theirs=7")
    sentence = page.one("p", data_score="3 7").text
    rows = page.one("table", css="equity").one("tbody").all("tr")
    chance, least = (part.text for part in rows[3].all("td")[7].all(["b", "small"]))
    ends = [int(end) for end in least.strip("▸–").split("–") if end]
    assert chance in sentence
    # A narrow range is one number in the sentence.
    shown = [int(number) for number in re.findall(r"\d+", sentence)]
    assert not ends or any(min(ends) <= number <= max(ends) for number in shown[3:])
    # Phones show the row of our points as a list.
    listed = page.one("table", css="own-points").one("tbody").all("tr")
    assert [row.all("td")[0].text for row in listed] == [
        cell.one("b").text for cell in rows[3].all("td")
    ]
    [marked] = page.all("td", css="chosen")
    assert marked.one("b").text == listed[7].all("td")[0].text
    # Scores that the game cannot have are ignored.
    assert server.page(f"/rules/{region}/gehen?ours=99&theirs=x").has("p", data_score="0 0")


def test_wall_table_lists_scores_where_striking_pays(server):
    for skill, at in ((50, []), (60, ["1:7", "1:8", "2:7", "2:8"])):
        page = server.page(f"/rules/oberoesterreich/gehen?p={skill}", language="en")
        assert re.findall(r"\b\d:\d\b", page.html) == at
        notes = page.all(data_from_skill=True)
        assert [int(one["data-from-skill"]) > skill for one in notes] == ([] if at else [True])
    assert equity_sheet(rules_of("bayern"), live(0.5)).strikes is None
