"""An evening replayed under other rules, and where the results differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.loading import REGIONS, BadRules, rulebook, rules_of, with_switches
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.evening import Evening
from scorer.engine.scoring.event_types.bids import Bieten
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.telling.slate import SlateLine, lines_of_evening

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
"""The switches that affect scores; the others only affect what may be played."""


MAX_STEPS: Final = 3_000
"""Replay steps per request, about 0.25 seconds; each reading replays the whole evening."""


@dataclass(frozen=True, slots=True)
class OtherRules:
    rules: RuleSet
    switch: str | None
    """The changed switch, or None for another region's rule set."""
    value: Any


@dataclass(frozen=True, slots=True)
class Reading(OtherRules):
    evening: Evening
    """Up to the first refused event."""
    refusal: Illegal | None
    """The refusal that ended the replay, or None."""
    first_difference: SlateLine | None
    """The first line of the original slate that differs, or None."""

    @property
    def differs(self) -> bool:
        return self.first_difference is not None or self.refusal is not None


def readings(evening: Evening, start: int = 0) -> tuple[Iterator[Reading], int | None]:
    """Some replays of the evening under other rules, and the next `start` or None.

    `MAX_STEPS` limits their number, which is at least one.

    >>> from scorer.engine import replay
    >>> folded = [{"do": "bieten", "side": 0}, {"do": "bieten", "side": 1}, {"do": "gehen",
    ...     "side": 0}]
    >>> evening, _ = replay({"watten": 1, "rules": "bayern", "events": folded})
    >>> found, more = readings(evening)
    >>> points = {(r.switch, r.value): r.evening.state.points for r in found}
    >>> evening.state.points, points["fold_value", "fixed:2"], more
    ((0, 3), (0, 2), None)

    :param start: how many readings to leave out
    """
    others = other_rules(evening)
    stop = start + max(1, MAX_STEPS // max(1, len(evening.steps)))
    original_lines = lines_of_evening(evening)
    replays = (_replay_under(evening, other, original_lines) for other in others[start:stop])
    return replays, stop if stop < len(others) else None


def other_rules(evening: Evening) -> list[OtherRules]:
    """The rule sets to compare with: every other value of each switch, then the other regions.

    Leaves out targets that the points taken over from paper already reach. The order is stable.
    """
    own_rules = evening.state.rules
    entries, changed = rulebook(own_rules.id)["rules"], []
    for name in SCORING:
        entry = entries[name]
        for value in (entry["value"], *entry.get("or", ())):
            try:
                rules = with_switches(own_rules, {name: value})
            except BadRules:
                continue
            if getattr(rules, name) != getattr(own_rules, name) and _can_start(evening, rules):
                changed.append(OtherRules(rules, name, getattr(rules, name)))
    regions = (
        OtherRules(rules_of(region), None, region) for region in REGIONS if region != own_rules.id
    )
    return [*changed, *(other for other in regions if _can_start(evening, other.rules))]


def _can_start(evening: Evening, rules: RuleSet) -> bool:
    return max(evening.head.points, default=0) < rules.target


def _replay_under(
    evening: Evening, other: OtherRules, original_lines: Sequence[SlateLine]
) -> Reading:
    trial = Evening(replace(evening.head, rules=other.rules))
    refusal: Illegal | None = None
    for step in evening.steps:
        try:
            trial.push(_without_stake(step.event).to_json())
        except Illegal as error:
            refusal = error
            break
    first_difference = _first_difference(original_lines, lines_of_evening(trial))
    return Reading(other.rules, other.switch, other.value, trial, refusal, first_difference)


def _without_stake(event: Event) -> Event:
    """A raise without its stake, which may differ under other rules; other events unchanged."""
    return replace(event, to=None) if isinstance(event, Bieten) else event


def _first_difference(
    original_lines: Sequence[SlateLine], other_lines: Sequence[SlateLine]
) -> SlateLine | None:
    """The first line that differs, or None."""
    for index, line in enumerate(original_lines):
        if index >= len(other_lines) or _line_scores(other_lines[index]) != _line_scores(line):
            return line
    return None


def _line_scores(line: SlateLine) -> tuple[object, ...]:
    after = line.step.after
    return line.points, line.deltas, after.bummerl, after.winner
