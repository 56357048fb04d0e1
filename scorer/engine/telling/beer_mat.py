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
