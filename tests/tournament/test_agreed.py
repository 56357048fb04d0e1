"""Settings agreed otherwise while a tournament runs."""

import pytest

from scorer.engine import Unreadable
from tests.tournament.evenings import tournament

ABOVE = {"set": {"cap_at_target": False, "target": 11}}


def changed(change, **given):
    found = tournament(4, **given)
    found.push({"do": "einstellung", "set": change})
    return found.settings


def test_one_house_rule_changed_leaves_the_others_as_they_are():
    rules = changed({"set": {"schneider": 2}}, **ABOVE).rules
    assert (rules.schneider, rules.target, rules.cap_at_target) == (2, 11, False)


def test_the_same_rules_named_again_change_nothing():
    rules = changed({"rules": "bayern"}, **ABOVE).rules
    assert (rules.target, rules.cap_at_target) == (11, False)


def test_another_region_brings_its_own_house_rules():
    rules = changed({"rules": "trentino", "set": {"step": 2}}, **ABOVE).rules
    assert (rules.id, rules.target, rules.cap_at_target, rules.step) == ("trentino", 15, True, 2)


def test_without_finals_is_a_choice():
    assert changed({"finals": None}, finals={"best": 4}).finals is None


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"decider": None}, "decider"),
        ({"set": None}, "set"),
        ({"rules": None}, "rules"),
        ({"set": 7}, "set"),
        ({"set": {"fun": 1}}, "set.fun"),
        ({"set": {"near": 9}, "decider": 5}, "decider"),
        ({"pairs": []}, "pairs"),
    ],
)
def test_what_cannot_be_agreed_names_its_field(change, where):
    with pytest.raises(Unreadable) as refusal:
        changed(change, decider=9)
    assert refusal.value.where == where
