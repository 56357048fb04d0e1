"""The referee: who takes the trick, what may be played, may one raise; in three taps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, Response, make_response, render_template, request
from flask_babel import get_locale, gettext
from werkzeug.datastructures import MultiDict

from scorer.engine import REGIONS, Contract, Reason, RuleSet, Unreadable, house, load, rulebook
from scorer.engine.play.judge import ASKS, read_cards
from scorer.engine.rules.cards import (
    RANKS,
    SCHLAEGE,
    SUITS,
    WELI,
    card_name,
    pack,
    rank,
    rank_name,
    short_name,
    suit_name,
)
from scorer.engine.telling.explain import KIND_NAMES, card_text
from scorer.web.frame.access import guest, tables
from scorer.web.frame.errors import unreadable
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import words

blueprint = Blueprint("referee", __name__)

ZONES: Final = ("table", "hand")
_ROOM: Final = {"winner": {"table": 4}, "legal": {"table": 3, "hand": 5}}
_ROOM["last_bid"] = {"table": 3, "hand": 1}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the referee says."""

    text: str
    yes: bool | None
    cards: tuple[str, ...]
    """The winner, or what may be played."""
    because: list[tuple[str, tuple[str, ...]]]


def _among(asked: str, known: Sequence[str]) -> str:
    """What was asked for, or the first of what can be."""
    return asked if asked in known else known[0]


class Question:
    """What was asked so far; everything stands in the address, so back and reload do no harm."""

    def __init__(self, rules: RuleSet, asked: MultiDict[str, str]) -> None:
        self.rules = rules
        self.ask = _among(asked.get("ask", ""), ASKS)
        room = _ROOM[self.ask]
        self.zones = tuple(room)
        given = {zone: asked.getlist(zone) for zone in room}
        self.cards = {
            zone: [c for c in given[zone] if c in pack(33)][: room[zone]] for zone in room
        }
        self.unknown = [card for cards in given.values() for card in cards if card not in pack(33)]
        self.to = _among(asked.get("to", ""), self.zones)
        self.first, self.partner, self.unknowing = (
            asked.get(name) == "1" for name in ("first", "partner", "unknowing")
        )
        patterns = rulebook(rules.id)["patterns"]
        self.pattern = _among(asked.get("pattern", ""), patterns)
        self.patterns = patterns
        self.schlag = asked.get("schlag", "")
        self.trumpf = asked.get("trumpf", "")
        self._tap(asked.get("tap", ""), room)

    def _tap(self, card: str, room: Mapping[str, int]) -> None:
        """A tapped card joins where cards are being put, or leaves where it is."""
        for cards in self.cards.values():
            if card in cards:
                cards.remove(card)
                return
        if card in pack(33) and len(self.cards[self.to]) < room[self.to]:
            self.cards[self.to].append(card)
            full = len(self.cards[self.to]) == room[self.to]
            if full and self.to != self.zones[-1]:
                self.to = self.zones[-1]

    @property
    def contract(self) -> Contract | None:
        """The order of the cards, once Schlag and trump are said.

        :raises Unreadable: they cannot be
        """
        if not (self.schlag and self.trumpf):
            return None
        return Contract(self.rules, self.schlag, self.trumpf)

    def answer(self) -> Answer | None:
        """What the referee says, or None as long as something is missing.

        :raises Unreadable: what cannot be
        """
        contract = self.contract
        if contract is None:
            return None
        if self.unknown:
            read_cards(contract, {"cards": self.unknown[:1]})
        if self.ask == "winner":
            cards = read_cards(contract, {"cards": self.cards["table"]})["cards"]
            return self._winner(contract, cards) if cards else None
        found = read_cards(contract, self.cards)
        table, hand = found["table"], found["hand"]
        if not hand:
            return None
        if self.ask == "legal":
            return self._legal(contract, table, hand)
        allowed, because = contract.judge_raise(hand[0], table)
        text = gettext("The raise is allowed") if allowed else gettext("The raise is wild")
        return Answer(text, allowed, (), self._say(because))

    def _winner(self, contract: Contract, table: tuple[str, ...]) -> Answer:
        verdict = contract.judge_winner(table, self.first)
        text = gettext("%(card)s takes the trick", card=self.name(verdict.cards[0]))
        return Answer(text, None, verdict.cards, self._say(verdict.because))

    def _legal(self, contract: Contract, table: tuple[str, ...], hand: tuple[str, ...]) -> Answer:
        verdict = contract.judge_legal(
            hand,
            table,
            first_trick=self.first,
            partner_led=self.partner,
            announced=not self.unknowing,
        )
        text = (
            gettext("Any card may be played")
            if verdict.cards == hand
            else gettext("May be played: %(cards)s", cards=", ".join(map(self.name, verdict.cards)))
        )
        return Answer(text, None, verdict.cards, self._say(verdict.because))

    def _say(self, because: tuple[Reason, ...]) -> list[tuple[str, tuple[str, ...]]]:
        return [(card_text(reason, gettext, self.name), reason.rules) for reason in because]

    # What the page shows

    def name(self, card: str) -> str:
        return card_name(card, str(get_locale()), self.pattern)

    def kind(self, card: str) -> str:
        """What a card is under Schlag and trump, in words."""
        contract = self.contract
        return gettext(KIND_NAMES[contract.kind(card)]) if contract else ""

    def short(self, card: str) -> str:
        """The sign in the corner of a card."""
        return short_name(rank(card), str(get_locale()), self.pattern)

    @property
    def schlaege(self) -> list[tuple[str, str]]:
        known = SCHLAEGE if self.rules.deck == 33 else RANKS
        return [(name, rank_name(name, str(get_locale()), self.pattern)) for name in known]

    @property
    def suits(self) -> list[tuple[str, str]]:
        return [(name, suit_name(name, str(get_locale()), self.pattern)) for name in SUITS]

    @property
    def grid(self) -> list[str]:
        """The cards of the pack in rows of four suits."""
        rows = [suit + height for height in RANKS for suit in SUITS]
        return [*rows, WELI] if self.rules.deck == 33 else rows


@blueprint.get("/referee")
def page() -> Response:
    """The referee alone, for any rule set."""
    region = request.args.get("rules")
    rules = load(region if region in REGIONS else REGIONS[0])
    variant = request.args.get("variant")
    if variant in rules.variants:
        rules = house(rules, {}, variant)
    return _page(Question(rules, request.args))


@blueprint.get("/b/<key>/referee")
def at_table(key: str) -> Response:
    """The referee of a table: its rules, and its Schlag and trump as far as they were noted."""
    holder = guest(key)
    table = tables().reading(holder.stream)
    state = table.evening.state
    asked = MultiDict(request.args)
    for name in ("schlag", "trumpf"):
        asked.setdefault(name, getattr(state, name) or "")
    return _page(Question(state.rules, asked), key=key, role=holder.role)


def _page(question: Question, **context: Any) -> Response:
    status, answer, error = 200, None, ""
    try:
        answer = question.answer()
    except Unreadable as refusal:
        status, error = 422, unreadable(refusal)
    html = render_template(
        "rules/referee/_referee.html" if wants_fragment() else "rules/referee/page.html",
        question=question,
        answer=answer,
        error=error,
        regions=[(region, words(region)["name"]) for region in REGIONS],
        words=words(question.rules.id),
        **context,
    )
    response = make_response(html)
    response.status_code = status
    return response
