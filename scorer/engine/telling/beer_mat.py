"""The rules of a table in the few sentences that fit on a beer mat."""

from __future__ import annotations

from scorer.engine.rules.loading import changed_switches, rulebook
from scorer.engine.rules.ruleset import RuleSet


def beer_mat_rule_ids(rules: RuleSet) -> list[str]:
    """The ids of the region's main rules that hold at this table, in order.

    >>> from scorer.engine import with_switches, rules_of
    >>> bayern = rules_of("bayern")
    >>> beer_mat_rule_ids(bayern)[:3]
    ['B-03', 'B-02', 'B-23']
    >>> beer_mat_rule_ids(with_switches(bayern, {"target": 11}))[:2]
    ['B-02', 'B-23']
    """
    changed = {*changed_switches(rules)}
    sentences = rulebook(rules.id)["mat"]
    return [rule for rule, switches in sentences.items() if changed.isdisjoint(switches)]


def unstated_near_threshold(rules: RuleSet) -> int | None:
    """The points from which a side is near the target, if a house rule removed the region's
    sentence about it; None if that holds, or if there is no such limit.

    >>> from scorer.engine import with_switches, rules_of
    >>> bayern = rules_of("bayern")
    >>> unstated_near_threshold(with_switches(bayern, {"target": 11}))
    9
    >>> unstated_near_threshold(bayern) is None
    True
    """
    changed = {*changed_switches(rules)}
    defining = [
        switches
        for switches in rulebook(rules.id)["mat"].values()
        if {"near", "target"} <= {*switches}
    ]
    if rules.near is None or all(changed.isdisjoint(switches) for switches in defining):
        return None
    return rules.target - rules.near
