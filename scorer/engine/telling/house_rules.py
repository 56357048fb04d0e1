"""The house rules of a table, appended to the sentences that rest on them."""

from __future__ import annotations

import json

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.grounds import Reason
from scorer.engine.rules.ruleset import plain


def with_house(text: str, told: Reason | Illegal) -> str:
    """A sentence with the house rules it rests on appended.

    >>> from scorer.engine import Bieten, apply, house, load, start
    >>> state = start(house(load("frankreich"), {"alternate": True}))
    >>> try:
    ...     apply(apply(state, Bieten(0)), Bieten(0))
    ... except Illegal as refused:
    ...     with_house("Not twice", refused)
    'Not twice (house rule of this table: alternate = true, instead of F-33, Y3)'
    """
    for own in told.house:
        value = json.dumps(plain(own.value))
        instead = f", instead of {', '.join(own.replaces)}" if own.replaces else ""
        text += f" (house rule of this table: {own.switch} = {value}{instead})"
    return text
