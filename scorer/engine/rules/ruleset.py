"""A rule set: every number and habit by which one region scores, with the rules it comes from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scorer.engine.input.fields import flag, one_of, whole
from scorer.engine.rules.cards import KINDS, cards
from scorer.engine.rules.validators import (
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


_PENALTY = optional(either(("stake",), whole(1, 99)))


@dataclass(frozen=True, slots=True, kw_only=True, weakref_slot=True)
class RuleSet:
    """The rules one table plays by.

    Fields named in the rulebook carry their meaning below; `sources` gives the rule ids of each.

    >>> from scorer.engine import house, load
    >>> bayern = load("bayern")
    >>> bayern.target, bayern.near, bayern.cite("target")
    (15, 2, ('B-03',))
    >>> house(bayern, {"target": 11}).is_near(9)
    True
    """

    id: str
    variant: str
    variants: tuple[str, ...]
    sources: Mapping[str, tuple[str, ...]] = field(repr=False)
    agreed: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """The switches that a table turned over its region's values: its house rules."""

    target: int = _rule(whole(3, 99))
    """Points that win the game; reaching or passing them is enough."""
    cap_at_target: bool = _rule(flag)
    """Points over the target are not written."""
    base: int = _rule(whole(1, 20))
    """Points of a round nobody raised."""
    step: int = _rule(whole(1, 20))
    """Points by which one raise lifts the stake."""
    max_stake: int | None = _rule(optional(whole(1, 99)))
    """The highest stake that may be bid, or None."""
    alternate: bool = _rule(flag)
    """No side raises twice in a row."""
    fold_value: str = _rule(tagged("fixed", "agreed"))
    """What the raiser writes when the others go: `agreed` (the stake before) or `fixed:N`."""
    fold_counts_refused: bool = _rule(flag)
    """The refused raise counts too when the others go."""
    tricks_to_end: int = _rule(whole(3, 5))
    """A round stops at this many tricks of one side; 5: all tricks are played."""
    overtrick: int = _rule(whole(0, 9))
    """Points of each trick beyond three."""

    near: int | None = _rule(optional(whole(1, 20)))
    """How many points below the target a side becomes krank, gespannt, gestrichen; or None."""
    near_value: int | None = _rule(optional(whole(1, 99)))
    """What a round is worth while a side of it is near, or None for no change."""
    near_lock: str = _rule(one_of("none", "self", "both", "bets"))
    """Who may no longer raise: nobody is locked, the near side, both, or the near side may
    neither raise nor stay on a raise (`bets`)."""
    decline: str = _rule(one_of("none", "near", "four"))
    """Who may give a round away unplayed: nobody, the near side, or the side the four is on."""
    decline_value: int = _rule(whole(1, 99))
    """What the others get for a round given away."""
    decline_when_both: bool = _rule(flag)
    """Sides may decline even when both are near; else such a round is simply played."""
    four_value: int = _rule(whole(1, 99))
    """What the round is worth when a near side leads by far."""
    four_lead: int | None = _rule(optional(whole(1, 99)))
    """The lead from which the four is on for a near side, or None."""
    four_if_opponent_below: int | str | None = _rule(optional(below_target))
    """The four is on while the near side's opponent is below this (`target-N` is derived)."""
    raise_after_four: bool = _rule(flag)
    """A held four may still be raised."""
    bid_when_locked: str = _rule(tagged("penalty", "reject"))
    """A locked side that raises: refused, or `penalty:N` points once the table reports it."""
    gespannt: bool = _rule(flag)
    """A side may be marked as having nothing left to bet; that ends the round."""

    strike: bool = _rule(flag)
    """A side may have its own points struck while another is near."""
    strike_limit: int | None = _rule(optional(whole(1, 9)))
    """How often in one game, or None."""
    strike_requires_not_krank: bool = _rule(flag)
    """Only a side that is not near itself may strike."""
    schneider: int = _rule(whole(0, 9))
    """Bummerl of a loser without points; 0: no Schneider."""
    retour: int = _rule(whole(0, 9))
    """Bummerl of a near side beaten by one that stood at 0; 0: no Retourschneider."""
    three_sides: str = _rule(one_of("document", "addition"))
    """Whether the document knows three sides, or this program adds them."""
    sits_out_by: str = _rule(one_of("dealt-last", "turn"))
    """With three sides: whoever dealt last sits out, or the seats in turn."""
    marks_three: str = _rule(one_of("each", "last"))
    """With three sides: each loser is marked, or only the last."""

    misdeal: int | str | None = _rule(_PENALTY)
    peek: int | str | None = _rule(_PENALTY)
    peek_penalty_variants: tuple[str, ...] = _rule(names)
    """Variants in which looking at the cut is punished at all."""
    wild_bid: int | str | None = _rule(_PENALTY)
    revoke: int | str | None = _rule(optional(either(("stake", "bummerl"), whole(1, 99))))
    revoke_bummerl: int = _rule(whole(1, 9))
    revoke_counts_schneider: bool = _rule(flag)
    penalty_ends_round: tuple[str, ...] = _rule(some_of(*OFFENCES))
    """The offences after which the round is over and the deal passes."""

    deck: int = _rule(whole(32, 33))
    critical_cards: tuple[str, ...] = _rule(cards)
    """The Kritische, the highest first."""
    critical_variants: tuple[str, ...] = _rule(names)
    """Variants that play with them."""
    guter_variants: tuple[str, ...] = _rule(names)
    """Variants in which the trump one above the Rechter beats it: Guter, Guate, Wander-Kritt."""
    weli: str = _rule(one_of("suit", "trump"))
    """The Weli is a plain card of Schell, or always the lowest trump."""
    weli_schlag: str = _rule(one_of("rechter", "alone"))
    """Announced, the Weli is the Rechter over the trumps, or the only strong card at all."""
    critical_demands: bool = _rule(flag)
    """A led Kritischer or Wander-Kritt of the trump suit demands trump."""
    hauptschlag_falls: bool = _rule(flag)
    """A Kritischer that is the Rechter too counts as no more than that when it opens the round."""

    follow_lead: tuple[str, ...] = _rule(some_of("hauptschlag", *KINDS))
    """The kinds of card that demand an answer when led; `hauptschlag` is the Schlag of the trump
    suit even where it is a Kritischer."""
    follow_first_only: bool = _rule(flag)
    """Only the first card of a round demands anything."""
    follow_answer: tuple[str, ...] = _rule(some_of(*KINDS))
    """The kinds that answer it."""
    follow_exempt: tuple[str, ...] = _rule(some_of(*KINDS))
    """Kinds that may answer and never must."""
    follow_partner_exempt: tuple[str, ...] = _rule(some_of(*KINDS))
    """The same for the partner of whoever led."""
    follow_overtrump: str | None = _rule(optional(one_of("or-free", "or-trump")))
    """An answer must beat the trump last played; who cannot is free, or must trump at least."""
    follow_lifted: bool = _rule(flag)
    """Once the led card is beaten nobody has to answer it any more."""
    overtake: bool = _rule(flag)
    """Who can must beat the cards on the table."""
    blind_variants: tuple[str, ...] = _rule(names)
    """Variants in which only the announcers know Schlag and trump, and only they are bound."""
    last_card: tuple[str, ...] = _rule(some_of("suit", "trump", "schlag", "winning"))
    """What the last card must be for its holder to raise after the lead; empty for no limit."""

    direction: str = _rule(one_of("cw", "ccw"))
    first_dealer: str = _rule(one_of("high", "low"))
    """Who cuts the highest or lowest card deals first."""
    next_game_dealer: str = _rule(one_of("cut", "turn"))
    """The next game's first dealer: whoever wins the cut, or the next in turn."""
    cut_keep: bool = _rule(flag)
    """A Kritischer found at the cut may be kept."""
    packets: tuple[str, ...] = _rule(some_of("3+2", "2+3"))
    """In which packets five cards are dealt; empty where the rules do not say."""
    schoenere: bool = _rule(flag)
    schoenere_all_at: int | None = _rule(optional(whole(2, 9)))
    """At this accepted request for better cards all four get new ones, or None."""
    schoenere_until: str = _rule(one_of("decision", "raise"))
    """Better cards may be asked for until a side has said whether it plays the round, or until the
    first raise only."""
    schlagtausch: bool = _rule(flag)

    @property
    def blind(self) -> bool:
        """Whether only the announcers know Schlag and trump (E-11, O-61, I-32).

        >>> from scorer.engine import house, load
        >>> load("suedtirol").blind, house(load("trentino"), {}, "blind").blind
        (True, True)
        >>> load("bayern").blind
        False
        """
        return self.variant in self.blind_variants

    @property
    def four_below(self) -> int | None:
        """`four_if_opponent_below` in points; None where no points are below it.

        >>> from scorer.engine import house, load
        >>> load("trentino").four_below, house(load("trentino"), {"target": 5}).four_below
        (10, None)
        """
        limit = self.four_if_opponent_below
        points = self.target - int(limit[7:]) if isinstance(limit, str) else limit or 0
        return points if points > 0 else None

    @property
    def tricks(self) -> Sequence[int | None]:
        """How many tricks may be named of a round won: None alone where they count nothing.

        >>> from scorer.engine import load
        >>> [*load("frankreich").tricks], [*load("bayern").tricks]
        ([3, 4, 5], [None])
        """
        return range(3, self.tricks_to_end + 1) if self.overtrick else (None,)

    def is_near(self, points: int) -> bool:
        """Whether a side with these points is krank, gespannt, gestrichen."""
        return self.near is not None and self.target - self.near <= points < self.target

    def __hash__(self) -> int:
        # What most tables differ in: the whole of it would take longer than most questions.
        return hash((self.id, self.variant, self.target))

    def cite(self, *names: str) -> tuple[str, ...]:
        """The rule ids that the values of the fields `names` rest on, each once.

        A value that the table agreed on rests on what allows it (`NAME:or`), and thresholds of
        another target on what says so (`NAME:target`).

        >>> from scorer.engine import house, load
        >>> load("bayern").cite("near"), house(load("bayern"), {"target": 11}).cite("near")
        (('B-26',), ('V11',))
        >>> house(load("bayern"), {"fold_value": "fixed:2"}).cite("fold_value")
        ()
        """
        return tuple(dict.fromkeys(rule for name in names for rule in self._behind(name)))

    def _behind(self, name: str) -> tuple[str, ...]:
        if name in self.agreed:
            return self.sources.get(f"{name}:or", ())
        other = self.sources.get(f"{name}:target", ()) if "target" in self.agreed else ()
        return other or self.sources.get(name, ())

    def penalty(self, offence: str) -> int | str | None:
        """What an offence costs: points, `stake`, `bummerl`, or None where it is no offence."""
        if offence == "abgehoben-geschaut":
            return self.peek if self.variant in self.peek_penalty_variants else None
        if offence == "krank-geboten":
            word, _, points = self.bid_when_locked.partition(":")
            return int(points) if word == "penalty" else None
        if offence == "sonstige":
            return None
        cost: int | str | None = getattr(self, PENALTY_FIELDS[offence])
        return cost

    def to_json(self) -> dict[str, Value]:
        """The whole resolved rule set as data; `resolved` reads it back."""
        return {
            "id": self.id,
            "variant": self.variant,
            "variants": list(self.variants),
            "values": {name: plain(getattr(self, name)) for name in SWITCHES},
            "sources": {name: list(ids) for name, ids in self.sources.items()},
        }


CHECKS: Final = {
    item.name: item.metadata["check"]
    for item in dataclasses.fields(RuleSet)
    if "check" in item.metadata
}
"""What each value may be, by its name."""
SWITCHES: Final = tuple(CHECKS)
"""The names a table's `set` may turn, in the order of the rule set."""

PENALTY_FIELDS: Final = {
    "vergeben": "misdeal",
    "abgehoben-geschaut": "peek",
    "wild-geboten": "wild_bid",
    "krank-geboten": "bid_when_locked",
    "nicht-bekannt": "revoke",
    "sonstige": "penalty_ends_round",
}
"""Which field rules on which offence."""


def plain(value: Value) -> Value:
    """A value as JSON has it."""
    return list(value) if isinstance(value, tuple) else value
