"""Settings that are changed while a tournament runs."""

from random import Random

import pytest

from scorer.engine import Illegal, Unreadable
from scorer.tournament.settings import SETTINGS, ChangeableUntil
from tests.tournament.builders import play_round, start_tournament

HOUSE_RULES = {"set": {"cap_at_target": False, "target": 11}}


def settings_after(change, **given):
    tournament = start_tournament(4, **given)
    tournament.push({"do": "einstellung", "set": change})
    return tournament.settings


def test_changing_one_house_rule_keeps_the_others():
    rules = settings_after({"set": {"schneider": 2}}, **HOUSE_RULES).rules
    assert (rules.schneider, rules.target, rules.cap_at_target) == (2, 11, False)


def test_choosing_the_same_rules_keeps_house_rules():
    rules = settings_after({"rules": "bayern"}, **HOUSE_RULES).rules
    assert (rules.target, rules.cap_at_target) == (11, False)


def test_changing_region_replaces_house_rules():
    rules = settings_after({"rules": "trentino", "set": {"step": 2}}, **HOUSE_RULES).rules
    assert (rules.id, rules.target, rules.cap_at_target, rules.step) == ("trentino", 15, True, 2)


def test_finals_can_be_removed():
    assert settings_after({"finals": None}, finals={"best": 4}).finals is None


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
def test_invalid_change_names_the_faulty_field(change, where):
    with pytest.raises(Unreadable) as refusal:
        settings_after(change, decider=9)
    assert refusal.value.where == where


OTHER_SETTINGS = {
    **{"name": "Other", "place": "Linz", "date": "today", "club": "TSV", "seed": "x"},
    **{"published": "short", "logo": "data:image/png;base64,AAAA", "format": "groups"},
    **{"rounds": 5, "decider": 7, "games_per_round": [2, 1], "ranking": ["points"], "places": 40},
    **{"hall": {"first": 5}, "fee": 500, "scoring": {"win": 2}, "groups": {"best": 3}},
    **{"finals": {"best": 2}, "ceremony": True, "called": 3},
}


def refusal_code(tournament, name):
    """The refusal's code for a change to one setting, or an empty string."""
    change = {"do": "einstellung", "set": {name: OTHER_SETTINGS[name]}}
    try:
        assert tournament.now.after([change]).settings != tournament.settings
    except Illegal as refusal:
        return refusal.code
    return ""


def test_settings_can_change_until_the_draw():
    tournament = start_tournament(4, rounds=1, finals={"best": 4})
    fields = [field for field in SETTINGS.fields if ChangeableUntil.START not in field.marks]
    assert {field.name for field in fields} == OTHER_SETTINGS.keys()
    draws = (ChangeableUntil.FIRST_DRAW, ChangeableUntil.FINALS_DRAW)
    for count in range(3):
        if count:
            play_round(tournament, Random(1))
        codes = {field.name: refusal_code(tournament, field.name) for field in fields}
        stays = {f.name: mark.value for f in fields for mark in f.marks if mark in draws[:count]}
        assert {name: code for name, code in codes.items() if code} == stays
