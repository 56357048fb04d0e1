"""The card that wins a trick, the cards that may be played, and raises on the last card.

A `Contract` combines a rule set with the announced Schlag and trump. It computes the order of all
cards once; answers are look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scorer.engine.input.field_readers import Unreadable
from scorer.engine.rules.cards import KINDS, RANKS, SCHLAEGE, SUITS, WELI, above, pack, rank, suit
from scorer.engine.rules.grounds import Reason, support
from scorer.engine.rules.loading import with_regional_value
from scorer.engine.rules.ruleset import SWITCHES, RuleSet
from scorer.engine.translatable import N_

NO_WELI: Final = N_("the Weli is not in this pack of 32")
_NOT_ONE_OF: Final = N_("must be one of {known}, not {value}")
_PLAIN_KIND: Final = "unfarbe"
_HIGH_KINDS: Final = ("kritischer", "guter", "rechter")
"""The kinds above the Schläge."""
_LEADS_OF_RECHTER: Final = frozenset({"rechter", "hauptschlag"})
_LEVEL_STEP: Final = 100
_LEVELS: Final = {kind: (len(KINDS) - place) * _LEVEL_STEP for place, kind in enumerate(KINDS)}
_CARD_SWITCHES: Final = frozenset(
    name
    for name in SWITCHES
    if name.startswith(("follow_", "critical_", "weli"))
    or name in ("deck", "guter_variants", "hauptschlag_falls", "overtake", "blind_variants")
    or name == "last_card"
)
"""The switches that answers about cards may depend on."""
_RANK_VALUES: Final = {name: len(RANKS) - place for place, name in enumerate((*RANKS, "6"))}


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A reason without its support; `grounds` are keys in `GROUNDS`."""

    code: str
    grounds: tuple[str, ...] = field(compare=False)
    values: Mapping[str, int | str]


_CardVerdict = tuple[tuple[str, ...], tuple[_Sentence, ...]]
"""The cards of an answer, and its sentences."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer with its reasons; `cards` are the legal cards, or only the winner."""

    cards: tuple[str, ...]
    because: tuple[Reason, ...]


class Contract:
    """The order of the cards and the duty to follow, under one Schlag and trump.

    >>> from scorer.engine import rules_of
    >>> acht = Contract(rules_of("oberoesterreich"), "8", "H")
    >>> acht.kind("H8"), acht.kind("E8"), acht.kind("H7"), acht.kind("S6")
    ('rechter', 'linker', 'trumpf', 'unfarbe')
    >>> acht.winner(["SK", "H9", "HU", "HO"])
    3

    :param blind: play blind even if the variant does not
    :raises Unreadable: no such Schlag or trump in this pack
    """

    def __init__(self, rules: RuleSet, schlag: str, trumpf: str, blind: bool = False) -> None:
        if schlag not in SCHLAEGE:
            raise Unreadable("schlag", _NOT_ONE_OF, known=", ".join(SCHLAEGE), value=repr(schlag))
        if trumpf not in SUITS:
            raise Unreadable("trumpf", _NOT_ONE_OF, known=", ".join(SUITS), value=repr(trumpf))
        if schlag == "6" and rules.deck != 33:
            raise Unreadable("schlag", NO_WELI)
        self.rules, self.schlag, self.trumpf = rules, schlag, trumpf
        self.blind = blind or rules.blind
        self.pack = pack(rules.deck)
        self.rechter = WELI if schlag == "6" else trumpf + schlag
        self.only_weli_is_strong = schlag == "6" and rules.weli_schlag == "alone"
        """The Weli is the only strong card: no trumps and no Schläge."""
        self._critical = rules.critical_cards if rules.variant in rules.critical_variants else ()
        self.guter = self._guter()
        self._kinds = {card: self._kind(card) for card in self.pack}
        self._suits = {card: self._suit(card) for card in self.pack}
        self._order = self._strength_by_led_card()
        self._order_of_first_trick = self._order | self._order_after_rechter()
        demanding_cards = self._demanding_cards()
        # By whether it is the first trick: the cards that, led, demand an answer.
        self._demands = {
            True: demanding_cards,
            False: frozenset() if rules.follow_first_only else demanding_cards,
        }
        self._followers = self._cards_of_kinds(rules.follow_answer) | self._high_trumps()
        self._exempt = self._cards_of_kinds(rules.follow_exempt)
        if "rechter" in rules.follow_exempt:
            self._exempt |= {self.rechter}
        self._partner_exempt = self._cards_of_kinds(rules.follow_partner_exempt)
        # By whether the partner led: the cards that must, and those that may be played.
        self._duties = {False: self._cards_of_duty(self._exempt)}
        self._duties[True] = self._cards_of_duty(self._exempt | self._partner_exempt)
        self._depends_on_table = bool(rules.follow_overtrump or rules.follow_lifted)

    # Kinds of card

    def kind(self, card: str) -> str:
        """The kind of `card`, one of KINDS."""
        return self._kinds[card]

    def _guter(self) -> str | None:
        """The trump one above the Rechter, if the variant has it (O-60, E-14a, I-17)."""
        if self.rules.variant not in self.rules.guter_variants or self.schlag == "6":
            return None
        return above(self.rechter)

    def _kind(self, card: str) -> str:
        if card in self._critical:
            return "kritischer"
        if card == self.guter:
            return "guter"
        if card == self.rechter:
            return "rechter"
        if self.only_weli_is_strong:
            return _PLAIN_KIND
        if rank(card) == self.schlag:
            return "linker"
        return "trumpf" if self._suit(card) == self.trumpf else _PLAIN_KIND

    def _suit(self, card: str) -> str:
        """The suit of a card; the Weli may always count as trump (I-23, X5)."""
        if card == WELI and self.rules.weli == "trump" and not self.only_weli_is_strong:
            return self.trumpf
        return suit(card)

    def _cards_of_kinds(self, kinds: Sequence[str]) -> frozenset[str]:
        return frozenset(card for card in self.pack if self._kinds[card] in kinds)

    def _high_trumps(self) -> frozenset[str]:
        """The trumps above the Schläge; they answer like other trumps unless exempt (U10)."""
        return frozenset(filter(self._is_trump, self._cards_of_kinds(_HIGH_KINDS)))

    # The order of the cards

    def _strength(self, card: str) -> int:
        """The rank of a card regardless of the lead; equal cards share it (U11, V6, F-26)."""
        kind = self._kinds[card]
        value_in_kind = {
            "kritischer": lambda: len(self._critical) - self._critical.index(card),
            "trumpf": lambda: _RANK_VALUES[rank(card)],
            _PLAIN_KIND: lambda: _RANK_VALUES[rank(card)],
        }.get(kind, lambda: 0)()
        return _LEVELS[kind] + value_in_kind

    def _strength_by_led_card(self) -> dict[str, Mapping[str, int]]:
        """The strength of every card, for each card that may lead; 0 for plain cards of other
        suits.
        """
        strengths = {card: self._strength(card) for card in self.pack}
        by_suit = {
            led: {
                card: 0
                if self._kinds[card] == _PLAIN_KIND and self._suits[card] != led
                else strength
                for card, strength in strengths.items()
            }
            for led in SUITS
        }
        return {card: by_suit[self._suits[card]] for card in self.pack}

    def _order_after_rechter(self) -> dict[str, Mapping[str, int]]:
        """The order of a round opened by a Rechter that is also a Kritischer (B-21, V4)."""
        if not (self.rules.hauptschlag_falls and self.rechter in self._critical):
            return {}
        order = {**self._order[self.rechter], self.rechter: _LEVELS["rechter"]}
        return {self.rechter: order}

    def winner(self, cards: Sequence[str], first_trick: bool = False) -> int:
        """The index of the card that takes the trick; of equal ones the first played.

        :param cards: in the order played
        :param first_trick: the trick opens the round

        >>> from scorer.engine import rules_of
        >>> contract = Contract(rules_of("bayern"), "K", "H")
        >>> contract.winner(["HK", "E7", "HA", "H9"], first_trick=True)
        1
        """
        order = (self._order_of_first_trick if first_trick else self._order)[cards[0]]
        values = [*map(order.__getitem__, cards)]
        return values.index(max(values))

    # Legal cards

    def _demanding_cards(self) -> frozenset[str]:
        if self.only_weli_is_strong:
            return frozenset()
        lead = self.rules.follow_lead
        demanding = self._cards_of_kinds(lead)
        if not _LEADS_OF_RECHTER.isdisjoint(lead):
            # Even if it is a Kritischer or the Weli (U10, U12).
            demanding |= {self.rechter}
        if self.rules.critical_demands:
            demanding |= self._high_trumps()
        return demanding

    def _cards_of_duty(self, exempt: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """The cards that must be played, and those that may be played instead (U10)."""
        must_play = self._followers - exempt
        return must_play, must_play | exempt | self._cards_of_kinds(_HIGH_KINDS)

    def legal(
        self,
        hand: Sequence[str],
        table: Sequence[str],
        *,
        first_trick: bool = False,
        partner_led: bool = False,
        announced: bool = True,
    ) -> tuple[str, ...]:
        """The cards of `hand` that may be played, in its order.

        :param table: the cards of the trick so far, in the order played
        :param first_trick: the trick opens the round
        :param partner_led: the partner of this hand led
        :param announced: this hand's player is one of the two announcers

        >>> from scorer.engine import rules_of
        >>> ober = Contract(rules_of("trentino"), "O", "H")
        >>> ober.legal(["H9", "EO", "HO", "SA"], ["H7"])
        ('H9', 'EO', 'HO')
        """
        return self._allowed_cards(hand, table, first_trick, partner_led, announced)[0]

    def _allowed_cards(
        self,
        hand: Sequence[str],
        table: Sequence[str],
        first_trick: bool,
        partner_led: bool,
        announced: bool,
    ) -> tuple[tuple[str, ...], str]:
        """The legal cards, and the reason as a code."""
        if not table:
            return tuple(hand), "leads"
        allowed, code = self._following_cards(hand, table, first_trick, partner_led, announced)
        if self.rules.overtake and (announced or not self.blind):
            winning_cards = [
                card for card in allowed if self.winner([*table, card], first_trick) == len(table)
            ]
            if not self._exempt.issuperset(winning_cards):
                playable = self._exempt.union(winning_cards)
                return tuple(filter(playable.__contains__, allowed)), "overtakes"
        return allowed, code

    def _following_cards(
        self,
        hand: Sequence[str],
        table: Sequence[str],
        first_trick: bool,
        partner_led: bool,
        announced: bool,
    ) -> tuple[tuple[str, ...], str]:
        """The cards that may answer the lead, and the reason as a code."""
        if table[0] not in self._demands[first_trick]:
            return tuple(hand), "no-duty"
        if self.blind and not announced:
            return tuple(hand), "unbound"
        if self._depends_on_table:
            if self.rules.follow_overtrump:
                return self._overtrumping_cards(hand, table)
            if self.winner(table, first_trick) != 0:
                return tuple(hand), "lifted"
        must_play, may_play = self._duties[partner_led]
        if must_play.isdisjoint(hand):
            return tuple(hand), "cannot"
        return tuple(filter(may_play.__contains__, hand)), "follows"

    def _overtrumping_cards(
        self, hand: Sequence[str], table: Sequence[str]
    ) -> tuple[tuple[str, ...], str]:
        """The answers that beat the last trump (F-24, F-25, Y1), and the reason as a code."""
        order = self._order[table[0]]
        last_trump = next(card for card in reversed(table) if card in self._followers)
        higher_trumps = tuple(
            card for card in hand if card in self._followers and order[card] > order[last_trump]
        )
        if higher_trumps:
            return higher_trumps, "overtrumps"
        all_trumps = tuple(card for card in hand if card in self._followers)
        if all_trumps and self.rules.follow_overtrump == "or-trump":
            return all_trumps, "undertrumps"
        return tuple(hand), "cannot-overtrump"

    # Raising on the last card

    def _raise_code(self, card: str, table: Sequence[str]) -> str:
        """The code of the condition that allows the raise; `wild` if none does."""
        limits, kind = self.rules.last_card, self._kinds[card]
        if not limits:
            return "unlimited"
        if not table:
            return "leads"
        if "suit" in limits and self._suits[card] == self._suits[table[0]]:
            return "suit"
        if "trump" in limits and kind == "kritischer":
            return "kritischer"
        if "trump" in limits and self._is_trump(card):
            return "trump"
        if "schlag" in limits and kind in ("rechter", "linker"):
            return "rechter" if kind == "rechter" else "schlag"
        if "winning" in limits and self.winner([*table, card]) == len(table):
            return "winning"
        return "wild"

    def _is_trump(self, card: str) -> bool:
        return not self.only_weli_is_strong and (
            self._suits[card] == self.trumpf or card == self.rechter
        )

    # Answers with reasons

    def judge_winner(self, cards: Sequence[str], first_trick: bool = False) -> Verdict:
        """The winning card, with the rules for it and for the best card it beats."""
        index = self.winner(cards, first_trick)
        _, sentences = self._winner_answer(cards, first_trick)
        # A house rule plays a part if it matters among the cards that are named.
        named_cards = {
            cards[0],
            *(str(card) for sentence in sentences for card in sentence.values.values()),
        }
        trick = [card for card in cards if card in named_cards]
        verdict = self._verdict(lambda contract: contract._winner_answer(trick, first_trick))
        return replace(verdict, cards=(cards[index],))

    def _winner_answer(self, cards: Sequence[str], first_trick: bool) -> _CardVerdict:
        index = self.winner(cards, first_trick)
        card, kind = cards[index], self._kinds[cards[index]]
        order = (self._order_of_first_trick if first_trick else self._order)[cards[0]]
        rechter_fell = order is not self._order[cards[0]]
        if index == 0 and rechter_fell:
            kind = "rechter"
        sentences = [_Sentence(f"card-{kind}", self._rank_grounds(card, kind), {"card": card})]
        rivals = [other for place, other in enumerate(cards) if place != index and order[other]]
        if rivals:
            best_beaten = max(rivals, key=order.__getitem__)
            beaten_kind = (
                "rechter" if rechter_fell and best_beaten == cards[0] else self._kinds[best_beaten]
            )
            values = {"card": card, "second": best_beaten}
            if order[best_beaten] == order[card]:
                sentences.append(_Sentence("card-equal", ("card-equal",), values))
            else:
                grounds = self._beat_grounds(card, kind, best_beaten, beaten_kind)
                sentences.append(_Sentence("card-beats", grounds, values))
        if rechter_fell:
            sentences.append(_Sentence("card-fallen", ("card-fallen",), {"card": cards[0]}))
        return (card,), tuple(sentences)

    def _rank_grounds(self, card: str, kind: str) -> tuple[str, ...]:
        """Why `card` is of its kind, as keys in `GROUNDS`."""
        if card == WELI and kind == "rechter":
            return ("weli-rechter",)
        if card == WELI and kind == "trumpf" and suit(card) != self.trumpf:
            return ("weli-trumpf",)
        extra_grounds: tuple[str, ...] = ()
        if kind == "kritischer":
            extra_grounds = self._kritischer_grounds(card)
        elif kind == "guter" and self.schlag == RANKS[0]:
            extra_grounds = ("guter-over-ace",)
        elif kind == "trumpf" and card == WELI:
            extra_grounds = ("weli-suit",)
        return (f"card-{kind}", *extra_grounds)

    def _kritischer_grounds(self, card: str) -> tuple[str, ...]:
        """Why a card stays a Kritischer although it would be Rechter or Guter (U13, V4, Y13)."""
        if card == self.rechter:
            return ("kritischer-rechter",)
        return ("kritischer-guter",) if card == self.guter else ()

    def _beat_grounds(self, card: str, kind: str, beaten: str, beaten_kind: str) -> tuple[str, ...]:
        """Why `card` beats `beaten`, which is of the kind `beaten_kind`, as keys in `GROUNDS`."""
        if card == WELI and kind == "rechter":
            return ("weli-rechter",)
        if kind == "guter":
            return ("card-guter",)
        if kind == "kritischer":
            if beaten_kind == "guter":
                return ("beats-guter",)
            ground = "over-kritischer" if beaten_kind == kind else "kritischer-beats"
            return (ground, *self._kritischer_grounds(card))
        if kind == beaten_kind == "trumpf":
            if beaten != WELI:
                return ("higher-trumpf",)
            is_of_trump_suit = suit(beaten) == self.trumpf
            return (
                ("higher-trumpf", "weli-lowest-of-suit") if is_of_trump_suit else ("weli-lowest",)
            )
        return ("higher-unfarbe",) if kind == _PLAIN_KIND else (f"beats-{beaten_kind}",)

    def judge_legal(
        self,
        hand: Sequence[str],
        table: Sequence[str],
        *,
        first_trick: bool = False,
        partner_led: bool = False,
        announced: bool = True,
        second_trick: bool = False,
    ) -> Verdict:
        """The legal cards and the rules.

        :param second_trick: the second of the round, for which Latinisch has a custom
        """
        return self._verdict(
            lambda contract: contract._legal_answer(
                hand, table, first_trick, partner_led, announced, second_trick
            )
        )

    def _legal_answer(
        self,
        hand: Sequence[str],
        table: Sequence[str],
        first_trick: bool,
        partner_led: bool,
        announced: bool,
        second_trick: bool,
    ) -> _CardVerdict:
        allowed, code = self._allowed_cards(hand, table, first_trick, partner_led, announced)
        values = {"card": table[0]} if table else {}
        if code == "follows":
            values["kinds"] = " ".join(self.rules.follow_answer)
        sentences = [_Sentence(f"play-{code}", self._play_grounds(code, table), values)]
        if table and code in ("follows", "cannot"):
            for card in hand:
                if card in self._exempt:
                    ground = "spared-rechter" if card == self.rechter else "spared"
                    sentences.append(_Sentence("play-spared", (ground,), {"card": card}))
                elif partner_led and card in self._partner_exempt:
                    sentences.append(_Sentence("play-spared", ("spared-partner",), {"card": card}))
        partner_custom = self.blind and announced and second_trick
        if partner_custom and self.rules.rule_ids("partner_trick"):
            sentences.append(_Sentence("play-partner-trick", ("play-partner-trick",), {}))
        return allowed, tuple(sentences)

    def _play_grounds(self, code: str, table: Sequence[str]) -> tuple[str, ...]:
        """The keys in `GROUNDS` of the code that `_allowed_cards` returned."""
        if code == "no-duty":
            return self._no_duty_grounds(table[0])
        if code in ("follows", "overtrumps"):
            card = table[0]
            kind = "weli" if card == self.rechter == WELI else self._kinds[card]
            return (f"lead-{kind}", "play-answer" if code == "follows" else "play-overtrumps")
        return (f"play-{code}",)

    def _no_duty_grounds(self, card: str) -> tuple[str, ...]:
        """Why the led card demands no answer, as keys in `GROUNDS`."""
        if self.only_weli_is_strong:
            return ("no-duty-alone",)
        kind = self._kinds[card]
        if kind == _PLAIN_KIND:
            return ("no-duty-unfarbe",)
        is_joker = kind in ("kritischer", "guter") and card != self.rechter
        return ("no-duty-joker",) if is_joker else ("only-lead",)

    def judge_raise(self, card: str, table: Sequence[str]) -> tuple[bool, tuple[Reason, ...]]:
        """Whether the last `card` allows a raise after the lead, and the rules (O-47, I-42).

        >>> from scorer.engine import rules_of
        >>> acht = Contract(rules_of("oberoesterreich"), "8", "H")
        >>> asked = ("E9", ["E10"]), ("S9", ["E10"]), ("S9", [])
        >>> [acht.judge_raise(card, table)[0] for card, table in asked]
        [True, False, True]
        """
        verdict = self._verdict(lambda contract: contract._raise_answer(card, table))
        return bool(verdict.cards), verdict.because

    def _raise_answer(self, card: str, table: Sequence[str]) -> _CardVerdict:
        code = self._raise_code(card, table)
        ground = f"raise-{code}" if code in ("leads", "kritischer") else "last-card"
        values = {} if code in ("unlimited", "leads") else {"card": card}
        sentence = _Sentence(f"raise-{code}", (ground,), values)
        return (() if code == "wild" else (card,)), (sentence,)

    # House rules

    def _verdict(self, answer_of: Callable[[Contract], _CardVerdict]) -> Verdict:
        """The answer with its support.

        A changed switch plays a part in a sentence if the region's value leads to another one or to
        other rules.
        """
        cards, sentences = answer_of(self)
        regional_answers = {
            switch: self._answer_with_regional_value(switch, answer_of)
            for switch in sorted(self.rules.house_switches & _CARD_SWITCHES)
        }
        because = []
        for index, sentence in enumerate(sentences):
            parts = frozenset(
                switch
                for switch, answer in regional_answers.items()
                if self._switch_matters(sentence, answer, cards if index == 0 else None)
            )
            cited, house_rules = support(self.rules, sentence.grounds, parts)
            because.append(Reason(sentence.code, cited, sentence.values, house_rules))
        return Verdict(cards, tuple(because))

    def _switch_matters(
        self, sentence: _Sentence, regional: _CardVerdict | None, cards: tuple[str, ...] | None
    ) -> bool:
        """Whether the answer with the regional value lacks the sentence, names other `cards`, or
        rests on other rules.
        """
        if regional is None:
            return WELI in sentence.values.values()
        regional_cards, regional_sentences = regional
        same_sentence = next((each for each in regional_sentences if each == sentence), None)
        if same_sentence is None or (cards is not None and regional_cards != cards):
            return True
        rule_ids, regional_ids = (
            set(support(self.rules, each.grounds, frozenset())[0])
            for each in (sentence, same_sentence)
        )
        return not rule_ids <= regional_ids or (not rule_ids and bool(regional_ids))

    def _answer_with_regional_value(
        self, switch: str, answer_of: Callable[[Contract], _CardVerdict]
    ) -> _CardVerdict | None:
        """The answer with the region's value of `switch`; None if its pack lacks a card."""
        try:
            rules = with_regional_value(self.rules, switch)
            return answer_of(Contract(rules, self.schlag, self.trumpf, self.blind))
        except (KeyError, Unreadable):
            return None
