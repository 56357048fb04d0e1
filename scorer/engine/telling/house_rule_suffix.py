"""The house rules of a table, appended to the sentences that rest on them."""

from __future__ import annotations

import json

from scorer.engine.aggregate import Illegal
from scorer.engine.input.codec import json_value
from scorer.engine.rules.grounds import Reason


def naming_house_rules(text: str, reason: Reason | Illegal) -> str:
    """A sentence with the house rules it rests on appended.

    >>> from scorer.engine import Bieten, apply, with_switches, rules_of, start
    >>> state = start(with_switches(rules_of("frankreich"), {"alternate": True}))
    >>> try:
    ...     apply(apply(state, Bieten(0)), Bieten(0))
    ... except Illegal as refused:
    ...     naming_house_rules("Not twice", refused)
    'Not twice (house rule of this table: alternate = true, instead of F-33, Y3)'
    """
    for house_rule in reason.house_rules:
        value = json.dumps(json_value(house_rule.value))
        replaced = f", instead of {', '.join(house_rule.replaces)}" if house_rule.replaces else ""
        text += f" (house rule of this table: {house_rule.switch} = {value}{replaced})"
    return text
