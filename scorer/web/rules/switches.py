"""The names of house rules and of their values, for the form that turns them."""

from __future__ import annotations

from typing import Any, Final

from flask_babel import gettext
from flask_babel import lazy_gettext as _l

from scorer.engine.rules.marked import N_
from scorer.engine.telling.explain import KIND_NAMES, OFFENCE_NAMES

SWITCH_NAMES: Final = {
    "target": _l("The game goes to"),
    "cap_at_target": _l("Points above the target are not written"),
    "max_stake": _l("Highest stake"),
    "alternate": _l("Sides raise in turn"),
    "fold_value": _l("What the raiser writes when the other side folds"),
    "fold_counts_refused": _l("A refused raise counts too"),
    "near": _l("Points before the target from which a side is limited"),
    "near_value": _l("Value of a round then"),
    "near_lock": _l("Who may then no longer raise"),
    "decline": _l("Who may then give the round away"),
    "decline_value": _l("Points for a round given away"),
    "decline_when_both": _l("Giving away also when both are so far"),
    "four_lead": _l("Lead from which the four is on"),
    "four_if_opponent_below": _l("The four is on against a side below"),
    "raise_after_four": _l("A held four may be raised"),
    "bid_when_locked": _l("Raising though not allowed"),
    "gespannt": _l("A side with nothing left to bet may be marked gespannt"),
    "strike": _l("Own points may be struck"),
    "strike_limit": _l("Strikes a game"),
    "strike_requires_not_krank": _l("Only a side that is not so far itself may strike"),
    "schneider": _l("Bummerl for a Schneider"),
    "retour": _l("Bummerl for a Retourschneider"),
    "three_sides": _l("Three sides are"),
    "sits_out_by": _l("With three: who sits out"),
    "marks_three": _l("With three: who gets a Bummerl"),
    "misdeal": _l("Penalty: misdeal"),
    "peek": _l("Penalty: looking at the cut"),
    "wild_bid": _l("Penalty: wild raise on the last card"),
    "revoke": _l("Penalty: not following as one must"),
    "revoke_bummerl": _l("Bummerl for a revoke"),
    "revoke_counts_schneider": _l("A revoke at 0 counts as Schneider"),
    "penalty_ends_round": _l("Offences that end the round"),
    "deck": _l("Cards in the pack"),
    "weli": _l("The Weli is"),
    "weli_schlag": _l("The Weli as Schlag is"),
    "critical_demands": _l("A led Kritischer of the trump suit demands trump"),
    "follow_first_only": _l("Only the first card of a round demands an answer"),
    "follow_answer": _l("What answers a led trump"),
    "follow_exempt": _l("What never has to be played"),
    "follow_partner_exempt": _l("What the leader's partner need not play"),
    "follow_overtrump": _l("Who cannot beat the trump last played"),
    "follow_lifted": _l("No more duty once the led card is beaten"),
    "overtake": _l("Who can must beat the cards on the table"),
    "last_card": _l("A raise on the last card needs"),
    "direction": _l("Direction of play"),
    "first_dealer": _l("Who deals first after cutting"),
    "next_game_dealer": _l("Who deals first in the next game"),
    "cut_keep": _l("A Kritischer found at the cut may be kept"),
    "packets": _l("Five cards are dealt as"),
    "schoenere": _l("Better cards may be asked for"),
    "schoenere_all_at": _l("All four get new cards at this request"),
    "schlagtausch": _l("Schlag and trump may be swapped"),
}

_VALUES: Final = {
    "none": _l("none"),
    "agreed": _l("the value last agreed"),
    "reject": _l("is simply not possible"),
    "self": _l("that side"),
    "both": _l("both sides"),
    "bets": _l("that side, and it may not stay either"),
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
    "rechter": _l("the Rechter"),
    "alone": _l("the only strong card"),
    "or-free": _l("is free"),
    "or-trump": _l("must trump at least"),
    "high": _l("the highest card"),
    "low": _l("the lowest card"),
    "cut": _l("whoever wins the cut"),
    "turn": _l("the next in turn"),
    "dealt-last": _l("whoever dealt last"),
    "document": _l("in the document"),
    "addition": _l("an addition of this program"),
}

_PARTS: Final = {
    **OFFENCE_NAMES,
    **KIND_NAMES,
    "suit": N_("the suit led"),
    "trump": N_("a trump"),
    "schlag": N_("a Schlag"),
    "winning": N_("the trick"),
    "3+2": N_("three, then two"),
    "2+3": N_("two, then three"),
}
"""What a list may name."""


def shown_value(name: str, value: Any) -> str:
    """A switch's value in words.

    :param name: the switch, as some values mean different things in different places
    """
    if value is True:
        return gettext("yes")
    if value is False:
        return gettext("no")
    if value is None:
        return gettext("none")
    if isinstance(value, list | tuple):
        return ", ".join(gettext(_PARTS[part]) for part in value) or gettext("nothing")
    if isinstance(value, int):
        return str(value) if value else gettext("none")
    word, _, number = value.partition(":")
    if word == "fixed":
        return gettext("always %(n)s", n=number)
    if word == "penalty":
        return gettext("costs %(n)s points", n=number)
    if value.startswith("target-"):
        return gettext("%(n)s less than the target", n=value.removeprefix("target-"))
    return str(_VALUES.get(value, value))
