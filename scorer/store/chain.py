"""The chain: every event carries a hash over itself and the one before.

>>> head = {"watten": 1}
>>> event = {"do": "gewinnt", "side": 0}
>>> event["hash"] = link(first(head), event)
>>> check(head, [event]), check(head, [{**event, "side": 1}])
(None, 0)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any


def canonical(value: Any) -> str:
    """`value` as JSON in its one form."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def first(head: Mapping[str, Any]) -> str:
    """The hash a chain starts from: its head's."""
    return _hash(canonical(head))


def link(previous: str, event: Mapping[str, Any]) -> str:
    """The hash of `event` behind `previous`; a hash the event carries does not count."""
    body = {name: value for name, value in event.items() if name != "hash"}
    return _hash(previous + canonical(body))


def check(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the first event that does not fit, or None where the chain holds."""
    previous = first(head)
    for index, event in enumerate(events):
        previous = link(previous, event)
        if event.get("hash") != previous:
            return index
    return None


def short(hash: str) -> str:
    """A hash as people compare it."""
    return hash[:8]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
