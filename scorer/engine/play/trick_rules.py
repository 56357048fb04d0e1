"""Which card wins a trick, which may be played, and whether the last card allows a raise.

A `Contract` combines a rule set with the announced Schlag and trump. It computes the order of all
cards once; answers are look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from scorer.engine.input.fields import Unreadable
from scorer.engine.rules.cards import KINDS, RANKS, SCHLAEGE, SUITS, WELI, above, pack, rank, suit
from scorer.engine.rules.grounds import Reason, support
from scorer.engine.rules.loading import with_regional_value
from scorer.engine.rules.ruleset import SWITCHES, RuleSet
from scorer.engine.translatable import N_

NO_WELI: Final = N_("the Weli is not in this pack of 32")
_NO_SUCH: Final = N_("must be one of {known}, not {value}")
_PLAIN: Final = "unfarbe"
_HIGH: Final = ("kritischer", "guter", "rechter")
"""The kinds above the Schläge."""
_RECHTER: Final = frozenset({"rechter", "hauptschlag"})
_LEVEL: Final = 100
_LEVELS: Final = {kind: (len(KINDS) - at) * _LEVEL for at, kind in enumerate(KINDS)}
_HERE: Final = frozenset(
    name
    for name in SWITCHES
    if name.startswith(("follow_", "critical_", "weli"))
    or name in ("deck", "guter_variants", "hauptschlag_falls", "overtake", "blind_variants")
    or name == "last_card"
)
"""The switches that answers about cards may depend on."""
_RANKS: Final = {name: len(RANKS) - at for at, name in enumerate((*RANKS, "6"))}


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A reason without its support; `grounds` are keys in `GROUNDS`."""

    code: str
    grounds: tuple[str, ...] = field(compare=False)
    values: Mapping[str, int | str]


_Answer = tuple[tuple[str, ...], tuple[_Sentence, ...]]
"""The cards of an answer, and its sentences."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer with its reasons; `cards` are the legal cards, or only the winner."""

    cards: tuple[str, ...]
    because: tuple[Reason, ...]


class Contract:
    """The order of the cards and the duty to follow, under one Schlag and trump.

    >>> from scorer.engine import load
    >>> acht = Contract(load("oberoesterreich"), "8", "H")
    >>> acht.kind("H8"), acht.kind("E8"), acht.kind("H7"), acht.kind("S6")
    ('rechter', 'linker', 'trumpf', 'unfarbe')
    >>> acht.winner(["SK", "H9", "HU", "HO"])
    3

    :param blind: play blind even if the variant does not
    :raises Unreadable: no such Schlag or trump in this pack
    """

    def __init__(self, rules: RuleSet, schlag: str, trumpf: str, blind: bool = False) -> None:
        if schlag not in SCHLAEGE:
            raise Unreadable("schlag", _NO_SUCH, known=", ".join(SCHLAEGE), value=repr(schlag))
        if trumpf not in SUITS:
            raise Unreadable("trumpf", _NO_SUCH, known=", ".join(SUITS), value=repr(trumpf))
        if schlag == "6" and rules.deck != 33:
            raise Unreadable("schlag", NO_WELI)
        self.rules, self.schlag, self.trumpf = rules, schlag, trumpf
        self.blind = blind or rules.blind
        self.pack = pack(rules.deck)
        self.rechter = WELI if schlag == "6" else trumpf + schlag
        self.alone = schlag == "6" and rules.weli_schlag == "alone"
        """The Weli is the only strong card: no trumps and no Schläge."""
        self._critical = rules.critical_cards if rules.variant in rules.critical_variants else ()
        self.guter = self._guter()
        self._kinds = {card: self._kind(card) for card in self.pack}
        self._suits = {card: self._suit(card) for card in self.pack}
        self._order = self._strength_by_led_card()
        self._opening = self._order | self._opened_by_rechter()
        demanding = self._demanding()
        self._demands = {
            True: demanding,
            False: frozenset() if rules.follow_first_only else demanding,
        }
        self._answers = self._of(rules.follow_answer) | self._high_trumps()
        self._exempt = self._of(rules.follow_exempt)
        if "rechter" in rules.follow_exempt:
            self._exempt |= {self.rechter}
        self._partner_exempt = self._of(rules.follow_partner_exempt)
        # By whether the partner led: the cards that must, and those that may be played.
        self._duties = {False: self._duty(self._exempt)}
        self._duties[True] = self._duty(self._exempt | self._partner_exempt)
        self._by_table = bool(rules.follow_overtrump or rules.follow_lifted)

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
        if self.alone:
            return _PLAIN
        if rank(card) == self.schlag:
            return "linker"
        return "trumpf" if self._suit(card) == self.trumpf else _PLAIN

    def _suit(self, card: str) -> str:
        """The suit of a card; the Weli may always count as trump (I-23, X5)."""
        if card == WELI and self.rules.weli == "trump" and not self.alone:
            return self.trumpf
        return suit(card)

    def _of(self, kinds: Sequence[str]) -> frozenset[str]:
        return frozenset(card for card in self.pack if self._kinds[card] in kinds)

    def _high_trumps(self) -> frozenset[str]:
        """The trumps above the Schläge; they answer like other trumps unless exempt (U10)."""
        return frozenset(filter(self._is_trump, self._of(_HIGH)))

    # The order of the cards

    def _strength(self, card: str) -> int:
        """The rank of a card regardless of the lead; equal cards share it (U11, V6, F-26)."""
        kind = self._kinds[card]
        within = {
            "kritischer": lambda: len(self._critical) - self._critical.index(card),
            "trumpf": lambda: _RANKS[rank(card)],
            _PLAIN: lambda: _RANKS[rank(card)],
        }.get(kind, lambda: 0)()
        return _LEVELS[kind] + within

    def _strength_by_led_card(self) -> dict[str, Mapping[str, int]]:
        """The strength of every card, for each card that may lead; 0 for plain cards of other
        suits.
        """
        high = {card: self._strength(card) for card in self.pack}
        by_suit = {
            led: {
                card: 0 if self._kinds[card] == _PLAIN and self._suits[card] != led else value
                for card, value in high.items()
            }
            for led in SUITS
        }
        return {card: by_suit[self._suits[card]] for card in self.pack}

    def _opened_by_rechter(self) -> dict[str, Mapping[str, int]]:
        """The order of a round opened by a Rechter that is also a Kritischer (B-21, V4)."""
        if not (self.rules.hauptschlag_falls and self.rechter in self._critical):
            return {}
        fallen = {**self._order[self.rechter], self.rechter: _LEVELS["rechter"]}
        return {self.rechter: fallen}

    def winner(self, cards: Sequence[str], first_trick: bool = False) -> int:
        """The index of the card that takes the trick; of equal ones the first played.

        :param cards: in the order played
        :param first_trick: the trick opens the round

        >>> from scorer.engine import load
        >>> Contract(load("bayern"), "K", "H").winner(["HK", "E7", "HA", "H9"], first_trick=True)
        1
        """
        order = (self._opening if first_trick else self._order)[cards[0]]
        values = [*map(order.__getitem__, cards)]
        return values.index(max(values))

    # Legal cards

    def _demanding(self) -> frozenset[str]:
        if self.alone:
            return frozenset()
        lead = self.rules.follow_lead
        demanding = self._of(lead)
        if not _RECHTER.isdisjoint(lead):
            # Even if it is a Kritischer or the Weli (U10, U12).
            demanding |= {self.rechter}
        if self.rules.critical_demands:
            demanding |= self._high_trumps()
        return demanding

    def _duty(self, free: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """The cards that must be played, and those that may be played instead (U10)."""
        must = self._answers - free
        return must, must | free | self._of(_HIGH)

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

        >>> from scorer.engine import load
        >>> ober = Contract(load("trentino"), "O", "H")
        >>> ober.legal(["H9", "EO", "HO", "SA"], ["H7"])
        ('H9', 'EO', 'HO')
        """
        return self._allowed(hand, table, first_trick, partner_led, announced)[0]

    def _allowed(
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
        allowed, why = self._following(hand, table, first_trick, partner_led, announced)
        if self.rules.overtake and (announced or not self.blind):
            takes = [
                card for card in allowed if self.winner([*table, card], first_trick) == len(table)
            ]
            if not self._exempt.issuperset(takes):
                free = self._exempt.union(takes)
                return tuple(filter(free.__contains__, allowed)), "overtakes"
        return allowed, why

    def _following(
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
        if self._by_table:
            if self.rules.follow_overtrump:
                return self._overtrumping(hand, table)
            if self.winner(table, first_trick):
                return tuple(hand), "lifted"
        must, may = self._duties[partner_led]
        if must.isdisjoint(hand):
            return tuple(hand), "cannot"
        return tuple(filter(may.__contains__, hand)), "follows"

    def _overtrumping(
        self, hand: Sequence[str], table: Sequence[str]
    ) -> tuple[tuple[str, ...], str]:
        """The answers that beat the last trump (F-24, F-25, Y1), and the reason as a code."""
        order = self._order[table[0]]
        last = next(card for card in reversed(table) if card in self._answers)
        higher = tuple(c for c in hand if c in self._answers and order[c] > order[last])
        if higher:
            return higher, "overtrumps"
        lower = tuple(card for card in hand if card in self._answers)
        if lower and self.rules.follow_overtrump == "or-trump":
            return lower, "undertrumps"
        return tuple(hand), "cannot-overtrump"

    # Raising on the last card

    def _raise_code(self, card: str, table: Sequence[str]) -> str:
        """The code of what allows the raise; `wild` if nothing does."""
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
        return not self.alone and (self._suits[card] == self.trumpf or card == self.rechter)

    # Answers with reasons

    def judge_winner(self, cards: Sequence[str], first_trick: bool = False) -> Verdict:
        """The winning card, with the rules for it and for the best card it beats."""
        at = self.winner(cards, first_trick)
        _, said = self._winning(cards, first_trick)
        # A house rule plays a part if it matters among the cards that are named.
        named = {cards[0], *(str(card) for one in said for card in one.values.values())}
        trick = [card for card in cards if card in named]
        verdict = self._verdict(lambda contract: contract._winning(trick, first_trick))
        return replace(verdict, cards=(cards[at],))

    def _winning(self, cards: Sequence[str], first_trick: bool) -> _Answer:
        at = self.winner(cards, first_trick)
        card, kind = cards[at], self._kinds[cards[at]]
        order = (self._opening if first_trick else self._order)[cards[0]]
        fallen = order is not self._order[cards[0]]
        if at == 0 and fallen:
            kind = "rechter"
        said = [_Sentence(f"card-{kind}", self._rank_grounds(card, kind), {"card": card})]
        rivals = [other for n, other in enumerate(cards) if n != at and order[other]]
        if rivals:
            second = max(rivals, key=order.__getitem__)
            lower = "rechter" if fallen and second == cards[0] else self._kinds[second]
            beaten = {"card": card, "second": second}
            if order[second] == order[card]:
                said.append(_Sentence("card-equal", ("card-equal",), beaten))
            else:
                grounds = self._beats(card, kind, second, lower)
                said.append(_Sentence("card-beats", grounds, beaten))
        if fallen:
            said.append(_Sentence("card-fallen", ("card-fallen",), {"card": cards[0]}))
        return (card,), tuple(said)

    def _rank_grounds(self, card: str, kind: str) -> tuple[str, ...]:
        """Why `card` is of its kind, as keys in `GROUNDS`."""
        if card == WELI and kind == "rechter":
            return ("weli-rechter",)
        if card == WELI and kind == "trumpf" and suit(card) != self.trumpf:
            return ("weli-trumpf",)
        more: tuple[str, ...] = ()
        if kind == "kritischer":
            more = self._though_higher(card)
        elif kind == "guter" and self.schlag == RANKS[0]:
            more = ("guter-over-ace",)
        elif kind == "trumpf" and card == WELI:
            more = ("weli-suit",)
        return (f"card-{kind}", *more)

    def _though_higher(self, card: str) -> tuple[str, ...]:
        """Why a Kritischer that would be the Rechter or the Guter stays one (U13, V4, Y13)."""
        if card == self.rechter:
            return ("kritischer-rechter",)
        return ("kritischer-guter",) if card == self.guter else ()

    def _beats(self, card: str, kind: str, second: str, lower: str) -> tuple[str, ...]:
        """Why `card` beats `second`, which is of the kind `lower`, as keys in `GROUNDS`."""
        if card == WELI and kind == "rechter":
            return ("weli-rechter",)
        if kind == "guter":
            return ("card-guter",)
        if kind == "kritischer":
            if lower == "guter":
                return ("beats-guter",)
            ground = "over-kritischer" if lower == kind else "kritischer-beats"
            return (ground, *self._though_higher(card))
        if kind == lower == "trumpf":
            if second != WELI:
                return ("higher-trumpf",)
            own = suit(second) == self.trumpf
            return ("higher-trumpf", "weli-lowest-of-suit") if own else ("weli-lowest",)
        return ("higher-unfarbe",) if kind == _PLAIN else (f"beats-{lower}",)

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
            lambda contract: contract._playing(
                hand, table, first_trick, partner_led, announced, second_trick
            )
        )

    def _playing(
        self,
        hand: Sequence[str],
        table: Sequence[str],
        first_trick: bool,
        partner_led: bool,
        announced: bool,
        second_trick: bool,
    ) -> _Answer:
        allowed, why = self._allowed(hand, table, first_trick, partner_led, announced)
        values = {"card": table[0]} if table else {}
        if why == "follows":
            values["kinds"] = " ".join(self.rules.follow_answer)
        said = [_Sentence(f"play-{why}", self._play_grounds(why, table), values)]
        if table and why in ("follows", "cannot"):
            for card in hand:
                if card in self._exempt:
                    own = "spared-rechter" if card == self.rechter else "spared"
                    said.append(_Sentence("play-spared", (own,), {"card": card}))
                elif partner_led and card in self._partner_exempt:
                    said.append(_Sentence("play-spared", ("spared-partner",), {"card": card}))
        custom = self.blind and announced and second_trick
        if custom and self.rules.ids("partner_trick"):
            said.append(_Sentence("play-partner-trick", ("play-partner-trick",), {}))
        return allowed, tuple(said)

    def _play_grounds(self, why: str, table: Sequence[str]) -> tuple[str, ...]:
        """The keys in `GROUNDS` of the code that `_allowed` returned."""
        if why == "no-duty":
            return self._duty_free(table[0])
        if why in ("follows", "overtrumps"):
            card = table[0]
            kind = "weli" if card == self.rechter == WELI else self._kinds[card]
            return (f"lead-{kind}", "play-answer" if why == "follows" else "play-overtrumps")
        return (f"play-{why}",)

    def _duty_free(self, card: str) -> tuple[str, ...]:
        """Why the led card demands no answer, as keys in `GROUNDS`."""
        if self.alone:
            return ("no-duty-alone",)
        kind = self._kinds[card]
        if kind == _PLAIN:
            return ("no-duty-unfarbe",)
        joker = kind in ("kritischer", "guter") and card != self.rechter
        return ("no-duty-joker",) if joker else ("only-lead",)

    def judge_raise(self, card: str, table: Sequence[str]) -> tuple[bool, tuple[Reason, ...]]:
        """Whether the last `card` allows a raise after the lead, and the rules (O-47, I-42).

        >>> from scorer.engine import load
        >>> acht = Contract(load("oberoesterreich"), "8", "H")
        >>> asked = ("E9", ["E10"]), ("S9", ["E10"]), ("S9", [])
        >>> [acht.judge_raise(card, table)[0] for card, table in asked]
        [True, False, True]
        """
        verdict = self._verdict(lambda contract: contract._answer_to_raise(card, table))
        return bool(verdict.cards), verdict.because

    def _answer_to_raise(self, card: str, table: Sequence[str]) -> _Answer:
        why = self._raise_code(card, table)
        ground = f"raise-{why}" if why in ("leads", "kritischer") else "last-card"
        values = {} if why in ("unlimited", "leads") else {"card": card}
        said = _Sentence(f"raise-{why}", (ground,), values)
        return (() if why == "wild" else (card,)), (said,)

    # House rules

    def _verdict(self, ask: Callable[[Contract], _Answer]) -> Verdict:
        """The answer with its support.

        A changed switch plays a part in a sentence if the region's value leads to another one or to
        other rules.
        """
        cards, said = ask(self)
        usual = {
            switch: self._answer_with_regional_value(switch, ask)
            for switch in sorted(self.rules.agreed & _HERE)
        }
        because = []
        for at, sentence in enumerate(said):
            parts = frozenset(
                switch
                for switch, answer in usual.items()
                if self._switch_matters(sentence, answer, cards if at == 0 else None)
            )
            cited, house = support(self.rules, sentence.grounds, parts)
            because.append(Reason(sentence.code, cited, sentence.values, house))
        return Verdict(cards, tuple(because))

    def _switch_matters(
        self, sentence: _Sentence, usual: _Answer | None, cards: tuple[str, ...] | None
    ) -> bool:
        """Whether the answer with the regional value lacks the sentence, names other `cards`, or
        rests on other rules.
        """
        if usual is None:
            return WELI in sentence.values.values()
        others, said = usual
        same = next((other for other in said if other == sentence), None)
        if same is None or (cards is not None and others != cards):
            return True
        found, known = (
            set(support(self.rules, one.grounds, frozenset())[0]) for one in (sentence, same)
        )
        return not found <= known or (not found and bool(known))

    def _answer_with_regional_value(
        self, switch: str, ask: Callable[[Contract], _Answer]
    ) -> _Answer | None:
        """The answer with the region's value of `switch`; None if its pack lacks a card."""
        try:
            rules = with_regional_value(self.rules, switch)
            return ask(Contract(rules, self.schlag, self.trumpf, self.blind))
        except (KeyError, Unreadable):
            return None
