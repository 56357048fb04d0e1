"""The referee: who takes the trick, what may be played, whether one may raise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, render_template, request, url_for
from flask_babel import get_locale
from werkzeug.datastructures import MultiDict

from scorer.engine import (
    REGIONS,
    Contract,
    Reason,
    RuleSet,
    Unreadable,
    rulebook,
    rules_of,
    with_switches,
)
from scorer.engine.play.card_questions import QUESTIONS, read_cards
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
from scorer.engine.telling.filled_sentences import card_text, kind_words
from scorer.store.roles import WRITER
from scorer.web.frame.access import require_holder, tables
from scorer.web.frame.errors import unreadable_text
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import words
from scorer.web.frame.translation import gettext
from scorer.web.rules.house_rules import naming_house_rules, variant_name

blueprint = Blueprint("referee", __name__)

_CAPACITY: Final = {"winner": {"table": 4}, "legal": {"table": 3, "hand": 5}}
_CAPACITY["last_bid"] = {"table": 3, "hand": 1}


@dataclass(frozen=True, slots=True)
class RefereeAnswer:
    text: str
    yes: bool | None
    cards: tuple[str, ...]
    """The winning card, or the cards that may be played."""
    because: list[tuple[str, tuple[str, ...]]]

    @property
    def verdict(self) -> str:
        """ "yes" or "no", or the cards, such as "H8 H7"."""
        return " ".join(self.cards) if self.yes is None else "yes" if self.yes else "no"


def _valid_choice(choice: str, choices: Sequence[str]) -> str:
    return choice if choice in choices else choices[0]


class RefereeQuestion:
    """The question so far; all of it is in the URL, so back and reload work."""

    def __init__(self, rules: RuleSet, fields: MultiDict[str, str]) -> None:
        self.rules = rules
        self.ask = _valid_choice(fields.get("ask", ""), QUESTIONS)
        capacity = _CAPACITY[self.ask]
        self.zones = tuple(capacity)
        cards_given = {zone: fields.getlist(zone) for zone in capacity}
        self.cards = {
            zone: [c for c in cards_given[zone] if c in pack(33)][: capacity[zone]]
            for zone in capacity
        }
        self.unknown_cards = [
            card for cards in cards_given.values() for card in cards if card not in pack(33)
        ]
        self.dropped = [c for zone in capacity for c in cards_given[zone][capacity[zone] :]]
        """Cards given beyond a zone's capacity, such as the fourth of a trick."""
        # After a change of the question, the first tap goes where a card fits.
        first_free = self.zones[-1] if self._is_full("table", capacity) else self.zones[0]
        chosen_zone = "" if self.dropped else fields.get("to", "")
        self.target_zone = chosen_zone if chosen_zone in self.zones else first_free
        self.first, self.partner, self.unknowing = (
            fields.get(name) == "1" for name in ("first", "partner", "unknowing")
        )
        patterns = rulebook(rules.id)["patterns"]
        self.pattern = _valid_choice(fields.get("pattern", ""), patterns)
        self.patterns = patterns
        self.words = words(rules.id)
        self.kinds = kind_words(rules.id, str(get_locale()))
        self._cards = (str(get_locale()), self.pattern, rules.id)
        self.schlag = fields.get("schlag", "")
        self.trumpf = fields.get("trumpf", "")
        self.replacement: tuple[str, str] | None = None
        """A card tapped into a full zone, and the card that it replaced."""
        for value in fields.getlist("tap"):
            if value in self.zones:
                self.target_zone = value
            else:
                self._tap(value, capacity)

    def _is_full(self, zone: str, capacity: Mapping[str, int]) -> bool:
        return len(self.cards[zone]) == capacity[zone]

    def _tap(self, card: str, capacity: Mapping[str, int]) -> None:
        """Add a card to the selected zone, or remove it from the zone it is in. In a full zone it
        takes the place of the last card."""
        for cards in self.cards.values():
            if card in cards:
                cards.remove(card)
                return
        if card not in pack(33):
            return
        cards = self.cards[self.target_zone]
        if self._is_full(self.target_zone, capacity):
            self.replacement = card, cards.pop()
        cards.append(card)
        if self._is_full(self.target_zone, capacity):
            self.target_zone = self.zones[-1]

    @property
    def has_contract(self) -> bool:
        return bool(self.schlag and self.trumpf)

    @property
    def contract(self) -> Contract | None:
        """The order of the cards; None before Schlag and trump are chosen.

        :raises Unreadable: an invalid combination
        """
        if not self.has_contract:
            return None
        return Contract(self.rules, self.schlag, self.trumpf)

    def answer(self) -> RefereeAnswer | None:
        """The verdict, or None while something is missing.

        :raises Unreadable: invalid cards or contract
        """
        contract = self.contract
        if contract is None:
            return None
        if self.unknown_cards:
            read_cards(contract, {"cards": self.unknown_cards[:1]})
        if self.ask == "winner":
            cards = read_cards(contract, {"cards": self.cards["table"]})["cards"]
            return self._winner(contract, cards) if cards else None
        by_zone = read_cards(contract, self.cards)
        table, hand = by_zone["table"], by_zone["hand"]
        if not hand:
            return None
        if self.ask == "legal":
            return self._legal(contract, table, hand)
        allowed, because = contract.judge_raise(hand[0], table)
        text = self.words["may" if allowed else "wild"]
        return RefereeAnswer(text, allowed, (), self._sentences(because))

    def _winner(self, contract: Contract, table: tuple[str, ...]) -> RefereeAnswer:
        verdict = contract.judge_winner(table, self.first)
        text = gettext("%(card)s takes the trick", card=self.name(verdict.cards[0]))
        return RefereeAnswer(text, None, verdict.cards, self._sentences(verdict.because))

    def _legal(
        self, contract: Contract, table: tuple[str, ...], hand: tuple[str, ...]
    ) -> RefereeAnswer:
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
        return RefereeAnswer(text, None, verdict.cards, self._sentences(verdict.because))

    def _sentences(self, because: tuple[Reason, ...]) -> list[tuple[str, tuple[str, ...]]]:
        texts = [card_text(reason, self.kinds, gettext, self.name) for reason in because]
        sentences = [
            naming_house_rules(text, self.rules, reason)
            for text, reason in zip(texts, because, strict=True)
        ]
        return list(zip(sentences, (reason.rule_ids for reason in because), strict=True))

    # What the page shows

    @property
    def replacement_note(self) -> str:
        """A note that a tapped card replaced another, or that cards were dropped; else ""."""
        if self.dropped:
            cards = ", ".join(map(self.name, self.dropped))
            return gettext("No more cards fit there. Taken off: %(cards)s.", cards=cards)
        if not self.replacement:
            return ""
        card, last = map(self.name, self.replacement)
        return gettext(
            "No more cards fit there: %(card)s took the place of %(last)s.", card=card, last=last
        )

    def name(self, card: str) -> str:
        return card_name(card, *self._cards)

    def kind(self, card: str) -> str:
        """The region's word for a card under Schlag and trump; "" before they are chosen."""
        contract = self.contract
        return self.kinds[contract.kind(card)] if contract else ""

    def corner_text(self, card: str) -> str:
        """Text in the corner of a card."""
        return short_name(rank(card), *self._cards)

    def position(self, card: str) -> int:
        """Position of the card in its trick or hand, from 1; 0 if it is in neither."""
        positions = [cards.index(card) + 1 for cards in self.cards.values() if card in cards]
        return positions[0] if positions else 0

    @property
    def schlaege(self) -> list[tuple[str, str]]:
        names = SCHLAEGE if self.rules.deck == 33 else RANKS
        return [(name, rank_name(name, *self._cards)) for name in names]

    @property
    def suits(self) -> list[tuple[str, str]]:
        return [(name, suit_name(name, *self._cards)) for name in SUITS]

    @property
    def questions(self) -> list[tuple[str, str]]:
        return [
            ("winner", gettext("Who takes it?")),
            ("legal", gettext("What may I play?")),
            ("last_bid", self.words["ask"]),
        ]

    @property
    def circumstances(self) -> list[tuple[str, str, bool]]:
        """Further inputs under these rules: field, label, whether it is set."""
        rules, inputs = self.rules, []
        if rules.follow_first_only or rules.hauptschlag_falls:
            inputs.append(("first", gettext("First trick of the round"), self.first))
        if self.ask == "legal" and rules.follow_partner_exempt:
            inputs.append(("partner", gettext("Led by my partner"), self.partner))
        if self.ask == "legal" and rules.blind:
            text = gettext("I do not know Schlag and trump")
            inputs.append(("unknowing", text, self.unknowing))
        return [] if self.ask == "last_bid" else inputs

    @property
    def reset_fields(self) -> dict[str, str]:
        names = ("pattern", "ask", "schlag", "trumpf")
        return {name: str(getattr(self, name)) for name in names}

    @property
    def kind_of_watten(self) -> str:
        if len(self.rules.variants) == 1:
            return self.words["name"]
        return f"{self.words['name']}, {variant_name(self.rules.variant)}"

    @property
    def variants(self) -> list[tuple[str, str]]:
        return [(variant, variant_name(variant)) for variant in self.rules.variants]

    @property
    def card_grid(self) -> list[str]:
        rows = [suit + height for suit in SUITS for height in RANKS]
        return [*rows, WELI] if self.rules.deck == 33 else rows


@blueprint.get("/referee")
def page() -> Response:
    region = request.args.get("rules")
    rules = rules_of(region if region in REGIONS else REGIONS[0])
    variant = request.args.get("variant")
    if variant in rules.variants:
        rules = with_switches(rules, {}, variant)
    return _page(RefereeQuestion(rules, request.args))


@blueprint.get("/b/<key>/referee")
def at_table(key: str) -> Response:
    """The referee for a table: its rules, Schlag and trump (unless blind)."""
    holder = require_holder(key)
    table = tables().current(holder.stream)
    state = table.evening.state
    fields = MultiDict(request.args)
    for name in () if state.rules.blind else ("schlag", "trumpf"):
        fields.setdefault(name, getattr(state, name) or "")
    return _page(RefereeQuestion(state.rules, fields), key, holder.role)


def _page(question: RefereeQuestion, key: str = "", role: str = "") -> Response:
    status, answer, error = 200, None, ""
    try:
        answer = question.answer()
    except Unreadable as refusal:
        status, error = 422, unreadable_text(refusal)
    chosen_rules = {} if key else {"rules": question.rules.id, "variant": question.rules.variant}
    here = url_for("referee.at_table", key=key) if key else url_for("referee.page")
    html = render_template(
        "rules/referee/_referee.html" if wants_fragment() else "rules/referee/page.html",
        question=question,
        answer=answer,
        error=error,
        regions=[] if key else [(region, words(region)["name"]) for region in REGIONS],
        here=here,
        cleared=f"{here}?{urlencode(chosen_rules | question.reset_fields)}",
        back=_back(key, role),
    )
    response = make_response(html)
    response.status_code = status
    return response


def _back(key: str, role: str) -> tuple[str, str]:
    if not key:
        return url_for("start.page"), gettext("Start page")
    if role == WRITER:
        return url_for("writer.page", key=key), gettext("Back to the table")
    return url_for("board.page", key=key), gettext("Back to the board")
