"""The values of a region's switches, and which of them apply to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.engine import REGIONS, RuleSet, rulebook, rules_of
from scorer.engine.rules.ruleset import SWITCHES
from scorer.web.rules.house_rules import SWITCH_GROUPS, SWITCH_NAMES, shown_value

_DECLINES: Final = ("decline_value", "decline_when_both")
_FOURS: Final = ("four_value", "raise_after_four")
_STRIKES: Final = ("strike_limit", "strike_requires_not_krank")
_REVOKES: Final = ("revoke_bummerl", "revoke_counts_schneider")
_CRITICAL: Final = ("critical_cards", "critical_variants", "hauptschlag_falls", "critical_demands")
_LISTS: Final = ("guter_variants", "blind_variants", "follow_partner_exempt", "packets")

_PRESENT_IF: Final[Mapping[str, Callable[[RuleSet], bool]]] = {
    "fold_counts_refused": lambda rules: rules.fold_value == "agreed",
    "overtrick": lambda rules: rules.tricks_to_end > 3,
    "near_value": lambda rules: rules.near is not None,
    **dict.fromkeys(_DECLINES, lambda rules: rules.decline != "none"),
    **dict.fromkeys(_FOURS, lambda rules: bool(rules.four_lead or rules.four_below)),
    "four_lead": lambda rules: rules.four_lead is not None,
    "four_if_opponent_below": lambda rules: rules.four_below is not None,
    "gespannt": lambda rules: rules.gespannt,
    **dict.fromkeys(_STRIKES, lambda rules: rules.strike),
    "peek_penalty_variants": lambda rules: rules.peek is not None,
    "wild_bid": lambda rules: bool(rules.last_card),
    **dict.fromkeys(_REVOKES, lambda rules: rules.revoke == "bummerl"),
    "penalty_ends_round": lambda rules: any(map(rules.penalty, rules.penalty_ends_round)),
    **dict.fromkeys(_CRITICAL, lambda rules: bool(rules.critical_cards)),
    **dict.fromkeys(("weli", "weli_schlag"), lambda rules: rules.deck == 33),
    "follow_overtrump": lambda rules: rules.follow_overtrump is not None,
    "schoenere_all_at": lambda rules: rules.schoenere,
    "schoenere_until": lambda rules: rules.schoenere and rules.decline != "none",
    "schlagtausch_until": lambda rules: rules.schlagtausch and rules.decline != "none",
}
"""Condition under which a switch means something in a region."""


@dataclass(frozen=True, slots=True)
class RegionValue:
    name: str
    label: str
    is_present: bool
    """Whether the region has it; else a table may only add it."""
    value: str
    data: str
    alternatives: tuple[str, ...]
    """Alternatives that a table may agree on, as text."""
    rules: tuple[str, ...]


def _is_present(rules: RuleSet, name: str) -> bool:
    if not rulebook(rules.id)["rules"][name]["from"]:
        return False
    if name in _LISTS:
        return bool(getattr(rules, name))
    return name not in _PRESENT_IF or _PRESENT_IF[name](rules)


def cell(region: str, name: str) -> RegionValue:
    """:param name: one of the rule set's SWITCHES"""
    rules, entry = rules_of(region), rulebook(region)["rules"][name]
    return RegionValue(
        name,
        str(SWITCH_NAMES[name]),
        _is_present(rules, name),
        shown_value(name, entry["value"], region),
        json.dumps(entry["value"]),
        tuple(shown_value(name, other, region) for other in entry.get("or", ())),
        rules.cite(name),
    )


_NO: Final = ("false", "null", '"none"', "[]")
"""Values, as JSON, by which a region says that it has no such rule."""


def comparison(
    regions: Sequence[str] = REGIONS, only_different: bool = False
) -> list[tuple[str, list[list[RegionValue]]]]:
    """The heading of each group of switches with its rows: a cell per region for each switch that
    any of them has. A group without rows is left out.

    :param only_different: leave out rows in which all regions have the same value
    """

    def is_shown(row: list[RegionValue]) -> bool:
        values = {item.data if item.is_present else None for item in row}
        if only_different:
            # A region without a rule plays as one that says no to it.
            values = {None if value in _NO else value for value in values}
        return values != {None} and not (only_different and len(values) == 1)

    groups = []
    for heading, names in SWITCH_GROUPS:
        rows = [[cell(region, name) for region in regions] for name in names]
        if shown_rows := list(filter(is_shown, rows)):
            groups.append((str(heading), shown_rows))
    return groups


def agreeable_values(region: str) -> list[RegionValue]:
    return [item for name in SWITCHES if (item := cell(region, name)).alternatives]
