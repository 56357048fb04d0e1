"""The rulebook: every value has a source, every alternative is valid, faulty files are refused."""

import copy
import re
import tomllib

import pytest

from scorer.engine import REGIONS, BadRules, read_head, rulebook, rules_of, with_switches
from scorer.engine.rules.cards import KINDS
from scorer.engine.rules.loading import (
    OLDER_VALUES,
    RULEBOOK,
    changed_switches,
    read_resolved,
    rule_set_from_toml,
)
from scorer.engine.rules.ruleset import SWITCHES

RULE_ID = re.compile(r"[OBEIF]-\d\d|(O-26|E-14)[a-d]|[UVWXYR]\d{1,2}|R1b")
LANGUAGES = ["de", "it", "fr", "en"]
LETTERS = dict(zip(REGIONS, ("O U R", "B V R", "E W R", "I X R", "F Y R"), strict=True))


def page(name):
    return tomllib.loads((RULEBOOK / f"{name}.toml").read_text())


@pytest.mark.parametrize("region", REGIONS)
def test_rulebook_values_cite_their_regions_rules(region):
    for name, entry in rulebook(region)["rules"].items():
        for rule in entry["from"]:
            assert RULE_ID.fullmatch(rule), (name, rule)
            assert rule[0] in LETTERS[region].split(), (name, rule)


@pytest.mark.parametrize("region", REGIONS)
def test_rules_have_words_in_four_languages(region):
    texts = page("texts/" + region)
    for rule, text in texts.items():
        assert list(text) == LANGUAGES, rule
        assert all(15 < len(words) <= 300 for words in text.values()), rule
        assert len(set(text.values())) == len(LANGUAGES), rule
    known = {*texts, *page("texts/oberoesterreich")}
    cited = {rule for rules in rules_of(region).sources.values() for rule in rules}
    assert cited <= known
    assert all(map(RULE_ID.fullmatch, known))
    # Rules of all regions (R1, R2) have their words in one file only.
    cited = {rule for rules in rulebook(region)["cites"].values() for rule in rules}
    assert {rule for rule in cited if rule[0] != "R"} <= set(texts)


def test_signals_and_glossary_have_four_languages():
    signals = page("signals")
    texts = [*signals["signs"].values()]
    texts += [other[what] for other in signals["other"].values() for what in ("means", "sign")]
    for words in texts:
        assert list(words) == LANGUAGES
    for name, words in page("glossary").items():
        assert set(words) - {"dialect", "means"} == set(LANGUAGES), name
        assert list(words["means"]) == LANGUAGES, name
        assert all([*words.values(), *words["means"].values()]), name


@pytest.mark.parametrize("region", REGIONS)
def test_every_alternative_is_a_valid_house_rule(region):
    own = rules_of(region)
    for name, entry in rulebook(region)["rules"].items():
        for value in entry.get("or", ()):
            assert getattr(with_switches(own, {name: value}), name) != getattr(own, name)


@pytest.mark.parametrize("region", REGIONS)
def test_every_language_defines_the_same_terms(region):
    book = rulebook(region)
    for words in (book["words"], book["kinds"]):
        assert list(words) == LANGUAGES
        assert len({tuple(named) for named in words.values()}) == 1
        assert all(all(named.values()) for named in words.values())
    assert set(book["kinds"]["de"]) == set(KINDS)


@pytest.mark.parametrize("region", REGIONS)
def test_words_for_near_and_raising_are_as_decided(region):
    """Gespannt has one name in all languages but in Trentino, and raising is not called gehen."""
    words = rulebook(region)["words"].values()
    assert region == "trentino" or len({word["near"] for word in words}) == 1
    assert all(word["bid"] != "gehen" for word in words)
    assert region == "frankreich" or not any("gehen" in word["bid"] for word in words)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda rules: rules.pop("target"), "target"),
        (lambda rules: rules.update(colour={"value": 1, "from": ["B-01"]}), "colour"),
        (lambda rules: rules["target"].update(value="many"), "target"),
        (lambda rules: rules["target"].update(value=1000), "target"),
        (lambda rules: rules["target"].pop("from"), "target"),
        (lambda rules: rules.update(target=15), "target"),
        (lambda rules: rules["alternate"].update(value=1), "alternate"),
        (lambda rules: rules["near_lock"].update(value="some"), "near_lock"),
        (lambda rules: rules["near"].update({"or": [99]}), "near"),
        (lambda rules: rules["near"].update(value=15), "near"),
        (lambda rules: rules["max_stake"].update(value=1), "max_stake"),
        (lambda rules: rules["peek_penalty_variants"].update(value=["x"]), "peek_penalty_variants"),
    ],
)
def test_invalid_rulebook_page_names_the_field(change, name):
    page = copy.deepcopy(dict(rulebook("bayern")))
    change(page["rules"])
    with pytest.raises(BadRules) as error:
        rule_set_from_toml("bayern.toml", page)
    assert error.value.where == f"bayern.toml.{name}"


def test_evening_keeps_rules_when_rulebook_changes(monkeypatch):
    head = read_head({"watten": 1, "rules": "bayern", "set": {"target": 11}}).to_json()
    later = with_switches(rules_of("bayern"), {"target": 21, "step": 2, "decline": "none"})
    monkeypatch.setattr("scorer.engine.rules.loading.rules_of", lambda region: later)
    rules = read_head(head).rules
    assert (rules.target, rules.step, rules.decline) == (11, 1, "near")


def test_equal_rule_sets_share_one_object():
    head = read_head({"watten": 1, "rules": "bayern", "set": {"target": 11}})
    assert read_resolved(head.rules.to_json()) is head.rules
    assert with_switches(rules_of("bayern"), {"target": 11}) is head.rules
    assert with_switches(rules_of("bayern"), {}) is rules_of("bayern")


def test_missing_rule_value_is_taken_from_region():
    old = rules_of("bayern").to_json()
    del old["values"]["cap_at_target"]
    assert read_resolved(old) == rules_of("bayern")


@pytest.mark.parametrize("region", REGIONS)
def test_first_release_head_gets_old_defaults(region):
    old = rules_of(region).to_json()
    for name in (*OLDER_VALUES, "critical_demands", "overtake", "packets", "three_sides"):
        del old["values"][name]
    rules = read_resolved(old)
    assert (rules.sits_out_by, rules.next_game_dealer, rules.gespannt) == ("turn", "turn", False)
    assert (rules.critical_demands, rules.overtake) == (False, False)
    assert rules.cite("sits_out_by") == ("R1b",)


def test_changed_switches_lists_only_differences():
    assert changed_switches(rules_of("trentino")) == {}
    rules = with_switches(rules_of("trentino"), {"target": 11, "fold_value": "agreed"})
    assert changed_switches(rules) == {"target": 11, "fold_value": "agreed"}
    assert set(changed_switches(rules)) <= set(SWITCHES)


def test_every_numbered_rule_has_a_text():
    last = dict(O=65, B=30, E=29, I=46, F=41, U=25, V=12, W=15, X=13, Y=13, R=3)
    numbers = {letter: set(range(1, count + 1)) for letter, count in last.items()}
    found = {letter: set() for letter in last}
    for region in REGIONS:
        for rule in page("texts/" + region):
            found[rule[0]].add(int(re.search(r"\d+", rule)[0]))
    assert found == numbers
