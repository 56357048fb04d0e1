"""The rule that is named says what the sentence says: a quarrel is settled by it."""

import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.engine import (
    REGIONS,
    Contract,
    Illegal,
    Unreadable,
    house,
    judge,
    load,
    replay,
    result,
)
from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.telling.house_rules import house_rules
from tests.engine.notation import folded
from tests.engine.strategies import any_event, evenings

MAY_CITE = tomllib.loads((Path(__file__).parent / "citations.toml").read_text())
many = settings(max_examples=150)


def supported(told):
    """Whether each rule that a reason or a refusal names may be cited for what it says."""
    return all(told.code in MAY_CITE.get(rule, ()) for rule in told.rules)


@many
@given(evenings(said=True), st.lists(any_event(), max_size=12))
def test_evening_cites_no_foreign_rule(evening, tried):
    for step in evening.steps:
        for reason in (*step.after.because, step.after.opening):
            assert supported(reason), (reason.code, reason.rules)
    for event in tried:
        try:
            event.check(evening.state)
        except Illegal as refusal:
            assert supported(refusal), (refusal.code, refusal.rules)


@pytest.mark.parametrize("region", REGIONS)
def test_no_answer_about_cards_cites_another_rule(region):
    chance = Random(region)
    for _ in range(1500):
        rules = house(load(region), {}, chance.choice(load(region).variants))
        try:
            contract = Contract(rules, chance.choice(SCHLAEGE), chance.choice(SUITS))
        except Unreadable:
            continue
        cards = chance.sample(contract.pack, 9)
        flags = {name: chance.random() < 0.4 for name in ("partner_led", "announced")}
        flags |= {name: chance.random() < 0.4 for name in ("first_trick", "second_trick")}
        table = cards[5 : 5 + chance.randrange(4)]
        because = (
            *contract.judge_winner(cards[:4], flags["first_trick"]).because,
            *contract.judge_legal(cards[:5], table, **flags).because,
            *contract.judge_raise(cards[0], table)[1],
        )
        for reason in because:
            assert supported(reason), (reason.code, reason.rules)


@many
@given(evenings())
def test_house_rule_is_cited_alone(evening):
    for step in evening.steps:
        for reason in step.after.because:
            for own in house_rules(step.before.rules, reason):
                assert own.value == getattr(step.before.rules, own.switch)
                replaced = load(evening.head.rules.id).sources[own.switch]
                assert set(own.replaces) == set(replaced).difference(
                    step.before.rules.cite(own.switch)
                )


def refused(events, rules="oberoesterreich", points=(0, 0), **switches):
    head = {"watten": 1, "rules": rules, "start": {"points": list(points)}, "set": switches}
    evening, refusal = replay({**head, "events": events})
    return result(evening.state, refusal)["error"]


BID, STAY, FOLD = (
    {"do": do, "side": side} for do, side in (("bieten", 0), ("bleiben", 1), ("gehen", 1))
)


@pytest.mark.parametrize(
    ("region", "rule"), [*zip(REGIONS, ("O-44", "B-23", "E-22", "I-39", "F-32"), strict=True)]
)
def test_answer_to_ones_own_raise_is_cited(region, rule):
    error = refused([BID, {"do": "bleiben", "side": 0}], region)
    assert (error["code"], error["rule"]) == ("wrong-side", rule)


@pytest.mark.parametrize(
    ("points", "stake", "rule"),
    [((7, 7), 3, "O-50"), ((7, 0), 4, "O-43"), ((0, 0), 1, "O-42")],
)
def test_stake_out_of_reach_is_cited(points, stake, rule):
    error = refused([{"do": "gewinnt", "side": 0, "stake": stake}], points=points)
    assert (error["code"], error["rule"]) == ("stake-unreachable", rule)


def because(region, events, points=(0, 0), **switches):
    evening = folded(events, rules=region, start={"points": list(points)}, set=switches)
    return result(evening.state)["because"]


def test_known_reasons_cite_what_they_say():
    for region, rules in (("bayern", ["B-24"]), ("suedtirol", ["E-22", "E-21", "W1"])):
        assert because(region, [BID, STAY])[0]["rules"] == rules
    assert "F-35" not in because("frankreich", [BID, STAY])[0]["rules"]
    won = because("bayern", [{"do": "gewinnt", "side": 0, "stake": 4}], (11, 0))
    assert [reason["rules"] for reason in won if reason["code"] == "game-won"] == [["B-03"]]
    swap = {"do": "schlagtausch", "side": 0, "agreed": False}
    assert "E-18" in because("suedtirol", [swap])[0]["rules"]
    four = because("trentino", [{"do": "gewinnt", "side": 0}], (13, 9))[0]
    assert four["values"]["below"] == 10


def cited(**question):
    return [reason["rule"] for reason in judge(question)["because"]]


@pytest.mark.parametrize(
    ("region", "rules"),
    [("oberoesterreich", ["U12"]), ("suedtirol", ["W6"]), ("trentino", ["I-22", "X4"])],
)
def test_the_weli_as_schlag_cites_its_own_reading(region, rules):
    asked = {"ask": "winner", "rules": region, "schlag": "6", "trumpf": "H"}
    assert cited(**asked, cards=["S6", "HA"])[: len(rules)] == rules


def test_card_answers_are_cited():
    asked = {"ask": "winner", "rules": "trentino", "schlag": "9", "trumpf": "H"}
    assert cited(**asked, cards=["S6", "EA"])[:2] == ["I-23", "X5"]
    assert "I-19" not in cited(**asked, cards=["E9", "L9"])[2:]
    kritisch = {**asked, "rules": "oberoesterreich", "variant": "kritisch"}
    assert "O-27" not in cited(**kritisch, cards=["E9", "HK"])
    led = {"ask": "legal", "rules": "frankreich", "schlag": "9", "trumpf": "H", "table": ["H9"]}
    assert cited(**led, hand=["HA", "HK"])[0] == "F-23"
    latin = {"ask": "legal", "rules": "oberoesterreich", "variant": "latinisch", "schlag": "9"}
    latin |= {"trumpf": "H", "table": ["E7"], "hand": ["EA"]}
    assert "O-63b" not in cited(**latin)
    assert "O-63b" in cited(**latin, second_trick=True)


def test_house_rule_names_what_it_replaces():
    [fold] = because("bayern", [BID, FOLD], fold_value="fixed:2")
    assert fold["rules"] == []
    assert fold["house"] == [
        {"switch": "fold_value", "value": "fixed:2", "replaces": ["B-23", "V1"]}
    ]
    near = because("oberoesterreich", [{"do": "gewinnt", "side": 0}], (7, 0), near_value=3)[0]
    assert near["house"][0]["switch"] == "near_value"
    error = refused([BID, STAY, BID], "frankreich", alternate=True)
    assert (error["code"], error["rule"]) == ("twice-in-a-row", "F-33")
    assert "house rule of this table" in error["message"]
    lifted = {"ask": "legal", "rules": "bayern", "schlag": "U", "trumpf": "H", "first_trick": True}
    answer = judge(
        {**lifted, "table": ["HU", "HK"], "hand": ["HA"], "set": {"follow_lifted": True}}
    )
    assert "house rule of this table" in answer["because"][0]["text"]
    assert answer["because"][0]["rule"] == ""


@pytest.mark.parametrize("region", REGIONS)
def test_rule_pages_cite_rightly(region):
    rules = load(region)
    assert "F-29" not in rules.cite("schoenere", "schlagtausch", "schoenere_all_at")
    assert "B-04" not in rules.cite("schoenere", "schlagtausch", "schoenere_all_at")
    penalties = ("misdeal", "peek", "peek_penalty_variants", "wild_bid", "revoke")
    assert not {"W5", "Y4"} & set(rules.cite(*penalties, "penalty_ends_round"))
