"""The rules of a table in a few sentences say nothing that the table has changed."""

import re
import tomllib

import pytest

from scorer.engine import REGIONS, BadRules, rulebook, rules_of, with_switches
from scorer.engine.rules.loading import RULEBOOK
from scorer.engine.rules.ruleset import SWITCHES
from scorer.engine.telling.beer_mat import beer_mat_rule_ids


@pytest.mark.parametrize("region", REGIONS)
def test_beer_mat_has_ten_or_eleven_sentences(region):
    mat = rulebook(region)["mat"]
    assert 10 <= len(mat) <= 11
    assert beer_mat_rule_ids(rules_of(region)) == list(mat)
    assert {switch for switches in mat.values() for switch in switches} <= {*SWITCHES}


@pytest.mark.parametrize("region", REGIONS)
def test_beer_mat_omits_rules_of_changed_switches(region):
    own = rules_of(region)
    for switch, entry in rulebook(region)["rules"].items():
        for value in entry.get("or", ()):
            try:
                rules = with_switches(own, {switch: value})
            except BadRules:
                continue
            assert not set(own.rule_ids(switch)) & set(beer_mat_rule_ids(rules)), (switch, value)


@pytest.mark.parametrize("region", REGIONS)
def test_beer_mat_omits_scores_for_another_target(region):
    own, texts = (
        rules_of(region),
        tomllib.loads((RULEBOOK / f"texts/{region}.toml").read_text()),
    )
    [target, *_] = rulebook(region)["rules"]["target"]["or"]
    scores = {str(own.target - away) for away in range(3)}
    for rule in beer_mat_rule_ids(with_switches(own, {"target": target})):
        assert not scores & {*re.findall(r"\d+", texts[rule]["en"])}, rule
