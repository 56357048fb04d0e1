"""Card questions as JSON: the winner of a trick, the legal cards, the last raise.

`trick_rules.py` answers them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.engine.input.field_readers import NOT_ONE_OF, Unreadable
from scorer.engine.play.trick_rules import NO_WELI, Contract
from scorer.engine.rules.cards import WELI, pack
from scorer.engine.rules.grounds import Reason
from scorer.engine.rules.loading import rules_of, with_switches
from scorer.engine.telling.filled_sentences import card_text, kind_words
from scorer.engine.telling.house_rule_suffix import naming_house_rules
from scorer.engine.translatable import N_

QUESTIONS: Final = ("winner", "legal", "last_bid")
_WRONG_LENGTH: Final = N_("must be a list of {least} to {most} cards")
_NO_CARD: Final = N_("there is no card {card}; cards are written like {example}")
_HAND_SIZE: Final = 5
_PLAYERS: Final = 4


def judge(question: Any) -> dict[str, Any]:
    """Answer a card question.

    >>> judge({"ask": "winner", "rules": "bayern", "schlag": "U", "trumpf": "H",
    ...        "first_trick": True, "cards": ["HU", "E7", "HA", "H9"]})["winner"]
    1
    >>> judge({"ask": "last_bid", "rules": "oberoesterreich", "schlag": "8", "trumpf": "H",
    ...        "table": ["E10"], "card": "E9"})["allowed"]
    True

    :param question: as docs/record.md has it
    :raises Unreadable: the question is invalid; names the field
    """
    if not isinstance(question, Mapping):
        raise Unreadable("question", N_("must be an object"))
    ask = question.get("ask")
    if ask not in QUESTIONS:
        raise Unreadable("ask", NOT_ONE_OF, known=", ".join(QUESTIONS), value=repr(ask))
    contract = _contract(question)
    return {"winner": _winner, "legal": _legal, "last_bid": _last_bid}[ask](contract, question)


def _contract(question: Mapping[str, Any]) -> Contract:
    switches = question.get("set", {})
    if not isinstance(switches, Mapping):
        raise Unreadable("set", N_("must be an object"))
    for name in ("rules", "schlag", "trumpf"):
        if not isinstance(question.get(name), str):
            raise Unreadable(name, N_("must be given as text"))
    rules = with_switches(rules_of(question["rules"]), switches, question.get("variant"))
    return Contract(rules, question["schlag"], question["trumpf"], _flag(question, "blind"))


def _winner(contract: Contract, question: Mapping[str, Any]) -> dict[str, Any]:
    cards = read_cards(contract, {"cards": question.get("cards")}, min_cards=1)["cards"]
    verdict = contract.judge_winner(cards, _flag(question, "first_trick"))
    because = _reason_texts(contract, verdict.because)
    return {"winner": cards.index(verdict.cards[0]), "because": because}


def _legal(contract: Contract, question: Mapping[str, Any]) -> dict[str, Any]:
    cards = read_cards(contract, {"table": question.get("table", []), "hand": question.get("hand")})
    verdict = contract.judge_legal(
        cards["hand"],
        cards["table"],
        first_trick=_flag(question, "first_trick"),
        partner_led=_flag(question, "partner_led"),
        announced=_flag(question, "announced", True),
        second_trick=_flag(question, "second_trick"),
    )
    return {"legal": list(verdict.cards), "because": _reason_texts(contract, verdict.because)}


def _last_bid(contract: Contract, question: Mapping[str, Any]) -> dict[str, Any]:
    card = question.get("card")
    cards = read_cards(contract, {"table": question.get("table", []), "card": [card]})
    allowed, because = contract.judge_raise(cards["card"][0], cards["table"])
    return {"allowed": allowed, "because": _reason_texts(contract, because)}


def _flag(question: Mapping[str, Any], name: str, default: bool = False) -> bool:
    value = question.get(name, default)
    if not isinstance(value, bool):
        raise Unreadable(name, N_("must be true or false"))
    return value


def read_cards(
    contract: Contract, lists: Mapping[str, Any], min_cards: int = 0
) -> dict[str, tuple[str, ...]]:
    """Read lists of cards.

    :raises Unreadable: a card is not in the pack, named twice, or there are too many or too few
    """
    cards_seen: set[str] = set()
    for name, cards in lists.items():
        max_cards = _PLAYERS if name == "cards" else _PLAYERS - 1 if name == "table" else _HAND_SIZE
        if not isinstance(cards, list | tuple) or not min_cards <= len(cards) <= max_cards:
            raise Unreadable(name, _WRONG_LENGTH, least=min_cards, most=max_cards)
        for index, card in enumerate(cards):
            where = name if name == "card" else f"{name}[{index}]"
            if not isinstance(card, str) or card not in contract.pack:
                raise _no_such_card(where, card)
            if card in cards_seen:
                raise Unreadable(where, N_("{card} is named twice"), card=card)
            cards_seen.add(card)
    return {name: tuple(cards) for name, cards in lists.items()}


def _no_such_card(where: str, card: Any) -> Unreadable:
    if card == WELI:
        return Unreadable(where, NO_WELI)
    return Unreadable(where, _NO_CARD, card=repr(card), example=", ".join(pack(32)[::11]))


def _reason_texts(contract: Contract, reasons: tuple[Reason, ...]) -> list[dict[str, str]]:
    """One entry per rule id, with its text; house rules are named in the text."""
    kinds = kind_words(contract.rules.id)
    return [
        {"rule": rule, "text": naming_house_rules(card_text(reason, kinds), reason)}
        for reason in reasons
        for rule in reason.rule_ids or ("",)
    ]
