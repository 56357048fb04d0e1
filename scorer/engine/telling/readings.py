"""The same evening under other readings of the rules, and where they part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.engine.rules.loading import REGIONS, BadRules, house, load, rulebook
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.evening import Evening
from scorer.engine.scoring.kinds.bids import Bieten
from scorer.engine.scoring.kinds.event import Event
from scorer.engine.scoring.legality import Illegal
from scorer.engine.telling.slate import Line, all_lines

SCORING: Final = (
    "target",
    "cap_at_target",
    "fold_value",
    "fold_counts_refused",
    "near",
    "near_value",
    "near_lock",
    "decline_value",
    "four_lead",
    "four_if_opponent_below",
    "schneider",
    "retour",
    "misdeal",
    "peek",
    "wild_bid",
    "revoke",
    "revoke_bummerl",
    "revoke_counts_schneider",
    "penalty_ends_round",
    "marks_three",
)
"""The switches that change what is written; the others only change what may be played."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An evening as another reading has it."""

    rules: RuleSet
    switch: str | None
    """The switch that is turned, or None where it is another region's rule set."""
    value: Any
    evening: Evening
    """As far as it is possible under that reading."""
    refusal: Illegal | None
    """Why it goes no further."""
    parts: Line | None
    """The line of the evening as it was written at which the two part."""

    @property
    def differs(self) -> bool:
        """Whether the two part at all."""
        return self.parts is not None or self.refusal is not None


def readings(evening: Evening) -> Iterator[Reading]:
    """The evening under every other value of each switch, then under the other regions.

    >>> from scorer.engine import replay
    >>> folded = [{"do": "bieten", "side": 0}, {"do": "bieten", "side": 1}, {"do": "gehen",
    ...     "side": 0}]
    >>> evening, _ = replay({"watten": 1, "rules": "bayern", "events": folded})
    >>> found = {(r.switch, r.value): r.evening.state.points for r in readings(evening)}
    >>> evening.state.points, found["fold_value", "fixed:2"]
    ((0, 3), (0, 2))
    """
    own = evening.state.rules
    entries = rulebook(own.id)["rules"]
    for name in SCORING:
        entry = entries[name]
        for value in (entry["value"], *entry.get("or", ())):
            try:
                rules = house(own, {name: value})
            except BadRules:
                continue
            if getattr(rules, name) != getattr(own, name) and _starts(evening, rules):
                yield _read(evening, rules, name, getattr(rules, name))
    for region in REGIONS:
        if region != own.id and _starts(evening, load(region)):
            yield _read(evening, load(region), None, region)


def _starts(evening: Evening, rules: RuleSet) -> bool:
    """Whether the points taken over from paper leave a game to play under these rules."""
    return max(evening.head.points, default=0) < rules.target


def _read(evening: Evening, rules: RuleSet, switch: str | None, value: Any) -> Reading:
    trial = Evening(replace(evening.head, rules=rules))
    refusal: Illegal | None = None
    for step in evening.steps:
        try:
            trial.push(_unnamed(step.event).to_json())
        except Illegal as error:
            refusal = error
            break
    return Reading(rules, switch, value, trial, refusal, _parting(evening, trial))


def _unnamed(event: Event) -> Event:
    """A raise by one step, whatever stake that names under the other rules."""
    return replace(event, to=None) if isinstance(event, Bieten) else event


def _parting(evening: Evening, other: Evening) -> Line | None:
    """The first line that is not written alike."""
    theirs = [_told(line) for line in all_lines(other)]
    for at, line in enumerate(all_lines(evening)):
        if at >= len(theirs) or theirs[at] != _told(line):
            return line
    return None


def _told(line: Line) -> tuple[object, ...]:
    after = line.step.after
    return line.points, line.deltas, after.bummerl, after.winner
