"""Names of house rules and of their values, for forms and texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask_babel import get_locale
from flask_babel import lazy_gettext as _l

from scorer.engine import Illegal, Reason, RuleSet, rulebook, rules_of
from scorer.engine.rules.cards import card_name
from scorer.engine.rules.loading import changed_switches
from scorer.engine.telling.filled_sentences import kind_words, offence_name
from scorer.web.frame.language import labelled, words
from scorer.web.frame.translation import gettext, ngettext

SWITCH_NAMES: Final = {
    "target": _l("The game goes to"),
    "cap_at_target": _l("Points above the target"),
    "base": _l("Points for a round without a raise"),
    "step": _l("Points a raise adds"),
    "max_stake": _l("Highest stake"),
    "alternate": _l("One side raises twice in a row"),
    "fold_value": _l("What the raiser writes when the other side folds"),
    "fold_counts_refused": _l("A refused raise counts too"),
    "tricks_to_end": _l("Tricks that end a round"),
    "overtrick": _l("Points for each trick beyond three"),
    "near": _l("Points before the target from which a side is krank, gespannt or gestrichen"),
    "near_value": _l("Value of a round if a side is krank, gespannt or gestrichen"),
    "near_lock": _l("Who may still raise if a side is krank, gespannt or gestrichen"),
    "decline": _l("Who may give a round away"),
    "decline_value": _l("Points for a round given away"),
    "decline_when_both": _l(
        "A round may be given away even if both sides are krank, gespannt or gestrichen"
    ),
    "four_value": _l("Value of a round near the end after a large lead"),
    "four_lead": _l("Lead from which a round near the end counts 4"),
    "four_if_opponent_below": _l("A round near the end counts 4 against a side below"),
    "raise_after_four": _l("Staying at 4 may be followed by a raise"),
    "bid_when_locked": _l("Raising though not allowed"),
    "gespannt": _l("A side with nothing left to bet may be marked gespannt"),
    "strike": _l("Own points may be struck"),
    "strike_limit": _l("Strikes per game"),
    "strike_requires_not_krank": _l("Only a side that is not krank itself may strike points"),
    "schneider": _l("Bummerl for a Schneider"),
    "retour": _l("Bummerl for a Retourschneider"),
    "three_sides": _l("Three sides"),
    "sits_out_by": _l("With three: who sits out"),
    "marks_three": _l("With three: who gets a Bummerl"),
    "misdeal": _l("Penalty: misdeal"),
    "peek": _l("Penalty: looking at the cut"),
    "peek_penalty_variants": _l("Variants of Watten that penalise looking at the cut"),
    "wild_bid": _l("Penalty: wild raise on the last card"),
    "revoke": _l("Penalty: not following suit as required"),
    "revoke_bummerl": _l("Bummerl for a revoke"),
    "revoke_counts_schneider": _l("A revoke at 0 counts as Schneider"),
    "penalty_ends_round": _l("Offences that end the round, where they are punished"),
    "deck": _l("Cards in the pack"),
    "critical_cards": _l("The Kritische, the highest first"),
    "critical_variants": _l("Variants of Watten with the Kritische"),
    "guter_variants": _l("Variants of Watten with a trump above the Rechter"),
    "weli": _l("The Weli counts as"),
    "weli_schlag": _l("The Weli as Schlag counts as"),
    "hauptschlag_falls": _l(
        "A Kritischer that is also the Rechter ranks only as the Rechter when it is led"
    ),
    "critical_demands": _l("A led Kritischer of the trump suit demands trump"),
    "follow_lead": _l("Demands trump when it is led"),
    "follow_first_only": _l("Only the first card of a round demands an answer"),
    "follow_answer": _l("Suffices where trump is demanded"),
    "follow_exempt": _l("What need never be played"),
    "follow_partner_exempt": _l("What the leader's partner need not play"),
    "follow_overtrump": _l("Who cannot beat the last trump played"),
    "follow_lifted": _l("No obligation once the led card is beaten"),
    "overtake": _l("Whoever can must beat the cards on the table"),
    "blind_variants": _l("Variants of Watten where only the announcers know"),
    "last_card": _l("A raise on the last card requires"),
    "direction": _l("Direction of play"),
    "first_dealer": _l("Who deals first"),
    "next_game_dealer": _l("Who deals first in the next game"),
    "cut_keep": _l("A Kritischer found at the cut may be kept"),
    "packets": _l("Five cards are dealt as"),
    "schoenere": _l("Better cards may be asked for"),
    "schoenere_all_at": _l("Which accepted request for better cards redeals all four hands"),
    "schoenere_until": _l("Better cards may be asked for until"),
    "schlagtausch": _l("Schlag and trump may be swapped"),
    "schlagtausch_until": _l("Schlag and trump may be swapped until"),
}

SWITCH_GROUPS: Final = (
    (
        _l("The game and its points"),
        (
            "target",
            "cap_at_target",
            "base",
            "tricks_to_end",
            "overtrick",
            "schneider",
            "retour",
            "three_sides",
            "sits_out_by",
            "marks_three",
        ),
    ),
    (
        _l("Raising, staying and folding"),
        (
            "step",
            "max_stake",
            "alternate",
            "fold_value",
            "fold_counts_refused",
            "gespannt",
            "last_card",
        ),
    ),
    (
        _l("Shortly before the end"),
        (
            "near",
            "near_value",
            "near_lock",
            "decline",
            "decline_value",
            "decline_when_both",
            "four_value",
            "four_lead",
            "four_if_opponent_below",
            "raise_after_four",
            "strike",
            "strike_limit",
            "strike_requires_not_krank",
        ),
    ),
    (
        _l("Penalties"),
        (
            "bid_when_locked",
            "misdeal",
            "peek",
            "peek_penalty_variants",
            "wild_bid",
            "revoke",
            "revoke_bummerl",
            "revoke_counts_schneider",
            "penalty_ends_round",
        ),
    ),
    (
        _l("Dealing and announcing"),
        (
            "direction",
            "first_dealer",
            "next_game_dealer",
            "cut_keep",
            "packets",
            "blind_variants",
            "schoenere",
            "schoenere_all_at",
            "schoenere_until",
            "schlagtausch",
            "schlagtausch_until",
        ),
    ),
    (
        _l("Which card is higher"),
        (
            "deck",
            "critical_cards",
            "critical_variants",
            "guter_variants",
            "weli",
            "weli_schlag",
            "hauptschlag_falls",
        ),
    ),
    (
        _l("Who must follow"),
        (
            "critical_demands",
            "follow_lead",
            "follow_first_only",
            "follow_answer",
            "follow_exempt",
            "follow_partner_exempt",
            "follow_overtrump",
            "follow_lifted",
            "overtake",
        ),
    ),
)
"""The switches as a form groups them, with a heading each."""

VARIANT_NAMES: Final = {
    "normal": _l("normal"),
    "zusammenschauen": _l("showing"),
    "deuten": _l("signalling"),
    "kritisch": "Kritisch",
    "latinisch": "Latinisch",
    "kritisch-latinisch": "Kritisch-Latinisch",
    "kritisch-wander": _l("Kritisch with Wander-Kritt"),
    "kritisch-latinisch-wander": _l("Kritisch-Latinisch with Wander-Kritt"),
    "blind": _l("blind"),
    "schermberg": "Schermberg",
    "offen": _l("open"),
}

_NONE_TEXTS: Final = {
    "max_stake": _l("no limit"),
    "strike_limit": _l("no limit"),
    "near": _l("no such limit"),
    "near_value": _l("as always"),
    "decline": _l("nobody"),
    "four_lead": _l("never"),
    "four_if_opponent_below": _l("never"),
    "schoenere_all_at": _l("never"),
    "follow_overtrump": _l("need not try"),
}
"""Meaning of "none", by switch; default "no penalty"."""

_EMPTY_LIST_TEXTS: Final = {
    "last_card": _l("nothing: any card does"),
    "penalty_ends_round": _l("none of them"),
    "packets": _l("any packets"),
}
"""Meaning of an empty list, by switch; default "nothing"."""

_VALUE_TEXTS: Final = {
    "agreed": _l("the value last agreed"),
    "reject": _l("is not possible"),
    "near": _l("that side"),
    "four": _l("the side the four is on for"),
    "each": _l("each loser"),
    "last": _l("only the last"),
    "stake": _l("the value of the round"),
    "bummerl": _l("the game, at once"),
    "cw": _l("clockwise"),
    "ccw": _l("anticlockwise"),
    "suit": _l("of its suit"),
    "trump": _l("always a trump"),
    "alone": _l("the only strong card"),
    "or-free": _l("is free to choose"),
    "or-trump": _l("must trump at least"),
    "high": _l("the highest card"),
    "low": _l("the lowest card"),
    "cut": _l("whoever wins the cut"),
    "turn": _l("the next in turn"),
    "dealt-last": _l("the last dealer"),
    "decision": _l("a side has said whether it plays"),
    "raise": _l("the first raise"),
    "3+2": _l("three, then two"),
    "2+3": _l("two, then three"),
    "document": _l("in the document"),
    "addition": _l("an addition of this program"),
}

_LAST_CARD_TEXTS: Final = {
    "suit": _l("the suit led"),
    "trump": _l("a trump"),
    "schlag": _l("a Schlag"),
    "winning": _l("the trick"),
}


_TEXTS_OF_SWITCH: Final[Mapping[str, Mapping[Any, Any]]] = {
    "cap_at_target": {False: _l("count"), True: _l("do not count")},
    "alternate": {False: _l("allowed"), True: _l("not allowed")},
    "near_lock": {
        "none": _l("both sides"),
        "self": _l("the others"),
        "both": _l("nobody"),
        "bets": _l("the others; that side may not stay either"),
    },
}
"""Values whose text fits only one switch, by switch."""


def variant_name(variant: str) -> str:
    return str(VARIANT_NAMES.get(variant, variant))


def blind_watten(region: str) -> str:
    """Note for a region where only the announcers see Schlag and trump, always or in some variants;
    else ""."""
    rules = rules_of(region)
    if rules.blind:
        return gettext("blind Watten")
    return gettext("blind Watten too") if rules.blind_variants else ""


def shown_value(name: str, value: Any, region: str) -> str:
    """A switch's value as text.

    :param name: the switch, since some values depend on it
    :param region: region for the names of cards
    """
    if not isinstance(value, list) and value in (own := _TEXTS_OF_SWITCH.get(name, {})):
        return str(own[value])
    if value is None or value == "none":
        return str(_NONE_TEXTS.get(name) or gettext("no penalty"))
    if isinstance(value, list | tuple):
        parts = [_list_item_text(name, str(part), region) for part in value]
        return ", ".join(parts) or str(_EMPTY_LIST_TEXTS.get(name) or gettext("nothing"))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, int):
        return _number_text(name, value)
    return _word_text(name, value, region)


def changed_rules(rules: RuleSet) -> list[dict[str, Any]]:
    """The house rules that differ from the region's, with both values and the rules' ids."""
    base = rules_of(rules.id)
    return [
        {
            "name": name,
            "data": value,
            "label": SWITCH_NAMES.get(name, name),
            "value": shown_value(name, value, base.id),
            "own": shown_value(name, getattr(base, name), base.id),
            "rules": rules.cite(name),
        }
        for name, value in changed_switches(rules).items()
    ]


def _number_text(name: str, value: int) -> str:
    if name in ("schneider", "retour") and not value:
        return gettext("as for any lost game")
    if name == "four_if_opponent_below":
        return gettext("%(n)s, whatever the target", n=value)
    if name == "tricks_to_end" and value > 3:
        return gettext("none: all %(n)s are played", n=value)
    return str(value)


def _word_text(name: str, value: str, region: str) -> str:
    word, _, number = value.partition(":")
    if word == "fixed":
        return gettext("always %(n)s", n=number)
    if word == "penalty":
        return ngettext("costs %(num)s point", "costs %(num)s points", int(number))
    if value.startswith("target-"):
        target = rules_of(region).target
        below = target - int(value.removeprefix("target-"))
        return gettext("%(points)s of %(target)s", points=below, target=target)
    if name == "weli_schlag" and value == "rechter":
        return _kind_words(region)["a_rechter"]
    if name == "sits_out_by" and value == "turn":
        return gettext("each in turn")
    return str(_VALUE_TEXTS[value])


def _list_item_text(name: str, part: str, region: str) -> str:
    if name == "last_card":
        return str(_LAST_CARD_TEXTS[part])
    if name == "critical_cards":
        return card_name(part, str(get_locale()), rulebook(region)["patterns"][0], region)
    if name.endswith("_variants"):
        return variant_name(part)
    if name == "penalty_ends_round":
        return offence_name(part, words(region), gettext)
    if name == "packets":
        return str(_VALUE_TEXTS[part])
    return _kind_words(region)["rechter" if part == "hauptschlag" else part]


def _kind_words(region: str) -> dict[str, str]:
    return kind_words(region, str(get_locale()))


def naming_house_rules(text: str, rules: RuleSet, reason: Reason | Illegal) -> str:
    """The sentence, followed by the table's house rules that it depends on and what they
    replace."""
    for house_rule in reason.house_rules:
        value = shown_value(house_rule.switch, house_rule.value, rules.id)
        agreed = labelled(SWITCH_NAMES[house_rule.switch], value)
        note = gettext("house rule of this table: %(rule)s", rule=agreed)
        if house_rule.replaces:
            replaced = ", ".join(house_rule.replaces)
            note = gettext("%(rule)s (instead of %(rules)s)", rule=note, rules=replaced)
        text = gettext("%(sentence)s; %(note)s", sentence=text, note=note)
    return text
