"""Another reading of the rules as a sentence, with what the table plays instead."""

from __future__ import annotations

from typing import Any, Final

from scorer.engine import RuleSet
from scorer.engine.telling.rules_comparison import OtherRules
from scorer.engine.translatable import N_
from scorer.web.frame.language import words
from scorer.web.frame.translation import gettext
from scorer.web.rules.house_rules import shown_value

_READINGS: Final = {
    "target": {"": N_("The game goes to %(value)s")},
    "cap_at_target": {
        "yes": N_("Points above the target do not count"),
        "no": N_("Points above the target count"),
    },
    "fold_value": {"": N_("When the other side folds, the raiser's points are %(value)s")},
    "fold_counts_refused": {
        "yes": N_("A refused raise counts too"),
        "no": N_("A refused raise does not count"),
    },
    "near": {
        "": N_("A side counts as %(near)s when it needs %(value)s or fewer"),
        "none": N_("No side ever counts as %(near)s"),
    },
    "near_value": {"": N_("A round in which a side is %(near)s counts %(value)s")},
    "near_lock": {
        "self": N_("A side that is %(near)s may no longer raise"),
        "both": N_("Nobody may raise while a side is %(near)s"),
        "bets": N_("A side that is %(near)s may neither raise nor stay"),
        "none": N_("A side that is %(near)s may still raise"),
    },
    "decline_value": {"": N_("A round given away counts %(value)s")},
    "four_lead": {
        "": N_("A side that is %(near)s and leads by %(value)s plays for 4"),
        "none": N_("No round counts 4 because of a lead"),
    },
    "four_if_opponent_below": {
        "": N_("A round counts 4 if one side is %(near)s and the other is below %(value)s"),
        "none": N_("No round counts 4 because the other side has few points"),
    },
    "schneider": {
        "": N_("A Schneider counts %(value)s Bummerl"),
        "0": N_("A Schneider counts like any lost game"),
    },
    "retour": {
        "": N_("A Retourschneider counts %(value)s Bummerl"),
        "0": N_("A Retourschneider counts like any lost game"),
    },
    "misdeal": {
        "": N_("A misdeal costs %(value)s"),
        "none": N_("A misdeal costs nothing"),
    },
    "peek": {
        "": N_("Looking at the cut costs %(value)s"),
        "none": N_("Looking at the cut costs nothing"),
    },
    "wild_bid": {
        "": N_("A wild raise on the last card costs %(value)s"),
        "none": N_("A wild raise on the last card costs nothing"),
    },
    "revoke": {
        "": N_("A revoke costs %(value)s"),
        "none": N_("A revoke costs nothing"),
    },
    "revoke_bummerl": {"": N_("A revoke that loses the game counts %(value)s Bummerl")},
    "revoke_counts_schneider": {
        "yes": N_("A revoke at 0 counts as Schneider"),
        "no": N_("A revoke at 0 does not count as Schneider"),
    },
    "penalty_ends_round": {"": N_("The round ends after these penalties: %(value)s")},
    "marks_three": {"": N_("With three sides, %(value)s gets a Bummerl")},
}
"""Sentences by switch and form of its value; "" is every other value."""

_OWN_VALUES: Final = {
    "cap_at_target": {"yes": N_("they do not count"), "no": N_("they count")},
    "fold_counts_refused": {"yes": N_("it counts"), "no": N_("it does not count")},
    "near": {"": N_("when it needs %(value)s or fewer"), "none": N_("never")},
    "near_lock": {
        "self": N_("only that side may not"),
        "both": N_("nobody may"),
        "bets": N_("it may neither raise nor stay"),
        "none": N_("both may"),
    },
    "four_lead": {"": N_("from a lead of %(value)s"), "none": N_("never")},
    "four_if_opponent_below": {"": N_("below %(value)s"), "none": N_("never")},
    "schneider": {"": N_("%(value)s Bummerl"), "0": N_("as for any lost game")},
    "retour": {"": N_("%(value)s Bummerl"), "0": N_("as for any lost game")},
    "revoke_counts_schneider": {
        "yes": N_("it counts as one"),
        "no": N_("it does not count as one"),
    },
}
"""By switch and value, the phrase for the table's own rule. Other values need no phrase."""


def reading_sentence(reading: OtherRules, own_rules: RuleSet) -> str:
    """ "The game goes to 11 (at your table: 15)", or "Rules: Bavaria instead of Upper Austria"."""
    switch = reading.switch
    if switch is None:
        region, own_text = (words(rules.id)["name"] for rules in (reading.rules, own_rules))
        return gettext("Rules: %(region)s instead of %(own)s", region=region, own=own_text)
    sentence = _text(_READINGS[switch], switch, reading.value, own_rules.id)
    own_text = _text(_OWN_VALUES.get(switch, {}), switch, getattr(own_rules, switch), own_rules.id)
    return gettext("%(reading)s (at your table: %(own)s)", reading=sentence, own=own_text)


def _text(sentences: dict[str, str], switch: str, value: Any, region: str) -> str:
    value_text = shown_value(switch, value, region)
    sentence = sentences.get(_form(value)) or sentences.get("")
    return (
        gettext(sentence, value=value_text, near=words(region)["near"]) if sentence else value_text
    )


def _form(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
