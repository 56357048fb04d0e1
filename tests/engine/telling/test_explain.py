"""Explanations use the region's terms."""

import pytest

from scorer.engine import (
    REGIONS,
    Bieten,
    Bleiben,
    Gehen,
    Illegal,
    Side,
    apply,
    check,
    rules_of,
    start,
)
from scorer.engine.telling.filled_sentences import reason_text, refusal_text, region_words
from scorer.engine.telling.side_grammar import form

LANGUAGES = ("de", "it", "fr", "en")
SIDES = (Side("Wir"), Side("Die"))


def for_each_region_and_language(test):
    """Parametrize a test with each region in each language."""
    for name, values in (("region", REGIONS), ("language", LANGUAGES)):
        test = pytest.mark.parametrize(name, values)(test)
    return test


def reason_texts(state, words):
    return [reason_text(reason, state.sides, words) for reason in state.because]


@for_each_region_and_language
def test_raise_sentences_use_regional_words(region, language):
    words = region_words(region, language)
    raised = apply(start(rules_of(region), SIDES), Bieten(0))
    raises = form(words["raises"], "we").format(to=raised.open_raise.to)
    assert reason_texts(raised, words)[0] == f"Wir {raises}"
    stays, folds = (form(words[name], "they") for name in ("stays", "folds"))
    assert reason_texts(apply(raised, Bleiben(1)), words)[0].startswith(f"Die {stays},")
    assert f"Die {folds} " in " ".join(reason_texts(apply(raised, Gehen(1)), words))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("region", ["bayern", "suedtirol"])
def test_decision_sentences_use_regional_words(region, language):
    words, rules = region_words(region, language), rules_of(region)
    state = start(rules, SIDES, points=(rules.target - 1, 0))
    with pytest.raises(Illegal) as refusal:
        check(state, Bieten(state.others(state.decision.side)[0]))
    asked = refusal_text(refusal.value, SIDES, words)
    assert words["play"] in asked
    assert words["give"] in asked
    plays, gives = (form(words[name], "we") for name in ("plays", "gives"))
    assert f"Wir {plays}," in reason_texts(apply(state, Bleiben(0)), words)[0]
    assert f"Wir {gives}:" in reason_texts(apply(state, Gehen(0)), words)[0]
