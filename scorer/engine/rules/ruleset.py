"""A rule set: all values by which a table scores, with the rule ids they come from."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scorer.engine.input.codec import json_value
from scorer.engine.input.field_readers import flag, integer, one_of
from scorer.engine.rules.cards import KINDS, cards
from scorer.engine.rules.switch_values import (
    Check,
    Value,
    below_target,
    either,
    names,
    optional,
    some_of,
    tagged,
)

OFFENCES: Final = (
    "vergeben",
    "abgehoben-geschaut",
    "wild-geboten",
    "krank-geboten",
    "nicht-bekannt",
    "sonstige",
)


def _rule(check: Check) -> Any:
    return field(metadata={"check": check})


_PENALTY = optional(either(("stake",), integer(1, 99)))


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class RuleSet:
    """The rules of one table.

    Each field is a switch of the rulebook; `sources` has the rule ids of each.

    >>> from scorer.engine import with_switches, rules_of
    >>> bayern = rules_of("bayern")
    >>> bayern.target, bayern.near, bayern.cite("target")
    (15, 2, ('B-03',))
    >>> with_switches(bayern, {"target": 11}).is_near(9)
    True
    """

    id: str
    variant: str
    variants: tuple[str, ...]
    sources: Mapping[str, tuple[str, ...]] = field(repr=False)
    house_switches: frozenset[str] = field(default=frozenset(), repr=False)
    """The switches that differ from the region's values: the house rules."""

    target: int = _rule(integer(3, 99))
    """Points that win the game when reached or passed."""
    cap_at_target: bool = _rule(flag)
    """Points over the target are not scored."""
    base: int = _rule(integer(1, 20))
    """Points of a round without raises."""
    step: int = _rule(integer(1, 20))
    """Points that one raise adds to the stake."""
    max_stake: int | None = _rule(optional(integer(1, 99)))
    """The highest stake, or None for no limit."""
    alternate: bool = _rule(flag)
    """A side may not raise twice in a row."""
    fold_value: str = _rule(tagged("fixed", "agreed"))
    """Points of the raising side after a fold: `agreed` (the stake before) or `fixed:N`."""
    fold_counts_refused: bool = _rule(flag)
    """A fold gives the points of the refused raise."""
    tricks_to_end: int = _rule(integer(3, 5))
    """A side ends the round with this many tricks; 5: all tricks are played."""
    overtrick: int = _rule(integer(0, 9))
    """Points of each trick beyond three."""

    near: int | None = _rule(optional(integer(1, 20)))
    """Points below the target at which a side is krank, gespannt or gestrichen; or None."""
    near_value: int | None = _rule(optional(integer(1, 99)))
    """The value of a round while a playing side is near, or None for no change."""
    near_lock: str = _rule(one_of("none", "self", "both", "bets"))
    """The sides that may not raise: none, the near side (`self`) or both. With `bets` the near
    side may neither raise nor stay on a raise.
    """
    decline: str = _rule(one_of("none", "near", "four"))
    """The side that may give a round away unplayed: none, the near side, or that with the four."""
    decline_value: int = _rule(integer(1, 99))
    """Points for a round given away."""
    decline_when_both: bool = _rule(flag)
    """Declining is possible even if both sides are near."""
    four_value: int = _rule(integer(1, 99))
    """The value of the round if a near side leads by far."""
    four_lead: int | None = _rule(optional(integer(1, 99)))
    """The lead of a near side from which the four applies, or None."""
    four_if_opponent_below: int | str | None = _rule(optional(below_target))
    """The four applies while the opponent has fewer points (a number or `target-N`)."""
    raise_after_four: bool = _rule(flag)
    """A four that was played may be raised."""
    bid_when_locked: str = _rule(tagged("penalty", "reject"))
    """A raise by a locked side is refused, or costs `penalty:N` points once reported."""
    gespannt: bool = _rule(flag)
    """A side may be marked as having nothing left to bet, which ends the round."""

    strike: bool = _rule(flag)
    """A side may have its own points struck while another side is near."""
    strike_limit: int | None = _rule(optional(integer(1, 9)))
    """Strikes per game, or None for no limit."""
    strike_requires_not_krank: bool = _rule(flag)
    """A near side may not strike."""
    schneider: int = _rule(integer(0, 9))
    """Bummerl of a loser without points; 0: no Schneider."""
    retour: int = _rule(integer(0, 9))
    """Bummerl of a near side that loses to a side that stood at 0; 0: no Retourschneider."""
    three_sides: str = _rule(one_of("document", "addition"))
    """Whether the document describes three sides or this program adds them."""
    sits_out_by: str = _rule(one_of("dealt-last", "turn"))
    """With three sides: the previous dealer's side sits out, or the sides in turn."""
    marks_three: str = _rule(one_of("each", "last"))
    """With three sides: every loser gets Bummerl, or only the last."""

    misdeal: int | str | None = _rule(_PENALTY)
    peek: int | str | None = _rule(_PENALTY)
    peek_penalty_variants: tuple[str, ...] = _rule(names)
    """Variants in which looking at the cut is an offence."""
    wild_bid: int | str | None = _rule(_PENALTY)
    revoke: int | str | None = _rule(optional(either(("stake", "bummerl"), integer(1, 99))))
    revoke_bummerl: int = _rule(integer(1, 9))
    revoke_counts_schneider: bool = _rule(flag)
    penalty_ends_round: tuple[str, ...] = _rule(some_of(*OFFENCES))
    """The offences that end the round and pass the deal."""

    deck: int = _rule(integer(32, 33))
    critical_cards: tuple[str, ...] = _rule(cards)
    """The Kritische, the highest first."""
    critical_variants: tuple[str, ...] = _rule(names)
    """Variants that have Kritische."""
    guter_variants: tuple[str, ...] = _rule(names)
    """Variants in which the trump one above the Rechter beats it: Guter, Guate, Wander-Kritt."""
    weli: str = _rule(one_of("suit", "trump"))
    """The Weli is an ordinary Schell, or always the lowest trump."""
    weli_schlag: str = _rule(one_of("rechter", "alone"))
    """As Schlag, the Weli is the Rechter above the trumps, or the only strong card."""
    critical_demands: bool = _rule(flag)
    """A led Kritischer or Wander-Kritt of the trump suit demands trump."""
    hauptschlag_falls: bool = _rule(flag)
    """A Kritischer that is also the Rechter counts only as the Rechter when it opens the round."""

    follow_lead: tuple[str, ...] = _rule(some_of("hauptschlag", *KINDS))
    """The kinds of card that demand an answer when led; `hauptschlag` is the Schlag of the trump
    suit, even if it is a Kritischer.
    """
    follow_first_only: bool = _rule(flag)
    """Only the first card of a round demands an answer."""
    follow_answer: tuple[str, ...] = _rule(some_of(*KINDS))
    """The kinds that count as an answer."""
    follow_exempt: tuple[str, ...] = _rule(some_of(*KINDS))
    """Kinds that may answer but need not."""
    follow_partner_exempt: tuple[str, ...] = _rule(some_of(*KINDS))
    """As `follow_exempt`, for the leader's partner."""
    follow_overtrump: str | None = _rule(optional(one_of("or-free", "or-trump")))
    """An answer must beat the last trump; if it cannot, any card may be played, or any trump."""
    follow_lifted: bool = _rule(flag)
    """Once the led card is beaten, no answer is required."""
    overtake: bool = _rule(flag)
    """The cards on the table must be beaten if possible."""
    blind_variants: tuple[str, ...] = _rule(names)
    """Variants in which only the announcers know, and follow, Schlag and trump."""
    last_card: tuple[str, ...] = _rule(some_of("suit", "trump", "schlag", "winning"))
    """Kinds of last card that allow a raise after the lead; empty for no limit."""

    direction: str = _rule(one_of("cw", "ccw"))
    first_dealer: str = _rule(one_of("high", "low"))
    """The highest or the lowest cut card deals first."""
    next_game_dealer: str = _rule(one_of("cut", "turn"))
    """First dealer of the next game: by a new cut, or the next seat in turn."""
    cut_keep: bool = _rule(flag)
    """A Kritischer found at the cut may be kept."""
    packets: tuple[str, ...] = _rule(some_of("3+2", "2+3"))
    """How five cards are dealt; empty if the rules do not say."""
    schoenere: bool = _rule(flag)
    schoenere_all_at: int | None = _rule(optional(integer(2, 9)))
    """The accepted request for better cards that redeals all hands, or None."""
    schoenere_until: str = _rule(one_of("decision", "raise"))
    """Better cards may be requested until a side decides to play, or until the first raise."""
    schlagtausch: bool = _rule(flag)
    schlagtausch_until: str = _rule(one_of("decision", "raise"))
    """The roles may be swapped until a side decides to play, or until the first raise."""

    @property
    def blind(self) -> bool:
        """Whether only the announcers know Schlag and trump (E-11, O-61, I-32).

        >>> from scorer.engine import with_switches, rules_of
        >>> rules_of("suedtirol").blind, with_switches(rules_of("trentino"), {}, "blind").blind
        (True, True)
        >>> rules_of("bayern").blind
        False
        """
        return self.variant in self.blind_variants

    @property
    def four_below(self) -> int | None:
        """`four_if_opponent_below` in points; None if that leaves no points below.

        >>> from scorer.engine import with_switches, rules_of
        >>> trentino = rules_of("trentino")
        >>> trentino.four_below, with_switches(trentino, {"target": 5}).four_below
        (10, None)
        """
        limit = self.four_if_opponent_below
        points = self.target - int(limit[7:]) if isinstance(limit, str) else limit or 0
        return points if points > 0 else None

    @property
    def tricks(self) -> Sequence[int | None]:
        """The trick counts a won round may name; only None if overtricks do not count.

        >>> from scorer.engine import rules_of
        >>> [*rules_of("frankreich").tricks], [*rules_of("bayern").tricks]
        ([3, 4, 5], [None])
        """
        return range(3, self.tricks_to_end + 1) if self.overtrick else (None,)

    def is_near(self, points: int) -> bool:
        """Whether a side with these points is krank, gespannt or gestrichen."""
        return self.near is not None and self.target - self.near <= points < self.target

    def __hash__(self) -> int:
        # Hashing all fields would be slow; these tell most rule sets apart.
        return hash((self.id, self.variant, self.target))

    def rule_ids(self, name: str) -> tuple[str, ...]:
        """The rule ids of the region's value of a switch, or of an entry of `[cites]`.

        With another target, those of the rule that derives the value (`NAME:target`).

        >>> from scorer.engine import with_switches, rules_of
        >>> bayern = rules_of("bayern")
        >>> bayern.rule_ids("near"), with_switches(bayern, {"target": 11}).rule_ids("near")
        (('B-26',), ('V11',))
        """
        derived = self.sources.get(f"{name}:target", ()) if "target" in self.house_switches else ()
        return derived or self.sources.get(name, ())

    def allowing_ids(self, name: str) -> tuple[str, ...]:
        """The ids of the rules by which a table may give a switch the value that it has.

        >>> from scorer.engine import with_switches, rules_of
        >>> with_switches(rules_of("frankreich"), {"target": 15}).allowing_ids("target")
        ('F-41',)
        """
        value = json.dumps(json_value(getattr(self, name))).strip('"')
        return self.sources.get(f"{name}:{value}") or self.sources.get(f"{name}:or", ())

    def cite(self, name: str) -> tuple[str, ...]:
        """The rule ids of the value of a switch.

        >>> from scorer.engine import with_switches, rules_of
        >>> with_switches(rules_of("bayern"), {"fold_value": "fixed:2"}).cite("fold_value")
        ()
        """
        return self.allowing_ids(name) if name in self.house_switches else self.rule_ids(name)

    @property
    def fixed_fold_points(self) -> int | None:
        """The N of a `fold_value` of `fixed:N`; None if a fold gives the stake.

        >>> from scorer.engine import rules_of
        >>> rules_of("suedtirol").fixed_fold_points, rules_of("bayern").fixed_fold_points
        (2, None)
        """
        return _number_after("fixed", self.fold_value)

    def penalty(self, offence: str) -> int | str | None:
        """The cost of an offence: points, `stake`, `bummerl`, or None if it has no fixed one."""
        if offence == "abgehoben-geschaut":
            return self.peek if self.variant in self.peek_penalty_variants else None
        if offence == "krank-geboten":
            return _number_after("penalty", self.bid_when_locked)
        if offence == "sonstige":
            return None
        cost: int | str | None = getattr(self, PENALTY_FIELDS[offence])
        return cost

    def to_json(self) -> dict[str, Value]:
        """The complete rule set as JSON; `resolved` reads it."""
        return {
            "id": self.id,
            "variant": self.variant,
            "variants": list(self.variants),
            "values": {name: json_value(getattr(self, name)) for name in SWITCHES},
            # Rule ids come from the rulebook; earlier releases require the field.
            "sources": {},
        }


CHECKS: Final = {
    item.name: item.metadata["check"]
    for item in dataclasses.fields(RuleSet)
    if "check" in item.metadata
}
SWITCHES: Final = tuple(CHECKS)
"""The field names that a table's `set` may change."""

PENALTY_FIELDS: Final = {
    "vergeben": "misdeal",
    "abgehoben-geschaut": "peek",
    "wild-geboten": "wild_bid",
    "krank-geboten": "bid_when_locked",
    "nicht-bekannt": "revoke",
    "sonstige": "penalty_ends_round",
}


def _number_after(tag: str, value: str) -> int | None:
    """The N of `tag:N`, or None for another word."""
    prefix, _, number = value.partition(":")
    return int(number) if prefix == tag else None
