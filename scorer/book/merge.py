"""Merges two versions of one evening that have diverged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.engine import parse
from scorer.engine.scoring.record import with_references
from scorer.store.hash_chain import ERASURE, first_broken_entry

Body = Mapping[str, Any]


def merge_events(theirs: Sequence[Body], mine: Sequence[Body], base: int) -> list[dict[str, Any]]:
    """The events that, appended to `theirs`, make `mine` count from index `base` on.

    The events of `theirs` stay in the record, but corrections cancel them.

    >>> shared, theirs = {"do": "gewinnt", "side": 0}, {"do": "gewinnt", "side": 1}
    >>> merge_events([shared, theirs], [shared, {"do": "streichen", "side": 0}], 1)
    [{'do': 'korrektur', 'of': 1, 'with': None}, {'do': 'streichen', 'side': 0}]

    :param theirs: the events of the recorded version, from the start
    :param mine: the events of the version that shall count, from the start
    :param base: number of common events
    """
    corrections = [
        {"do": "korrektur", "of": index, "with": None}
        for index in range(len(theirs) - 1, base - 1, -1)
        if not parse(theirs[index]).is_statement
    ]
    shift = len(theirs) + len(corrections) - base
    return corrections + [_shift_references(body, base, shift) for body in mine[base:]]


def _shift_references(body: Body, base: int, shift: int) -> dict[str, Any]:
    """An event with its references from `base` on moved by `shift`."""
    unstamped = {
        name: value for name, value in body.items() if name not in ("at", "by", "received", "hash")
    }
    return with_references(unstamped, lambda index: index + shift if index >= base else index)


def without_erasures(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record to open as a separate table, with new hashes if a name was erased from it.

    The new table cannot contain the erasure, because no key may record one. Without it the old
    hashes do not fit, so the hashes are computed anew.
    """
    events = record["events"]
    kept_indexes = [index for index, event in enumerate(events) if event["do"] != ERASURE]
    head = {name: value for name, value in record.items() if name != "events"}
    if len(kept_indexes) == len(events) and first_broken_entry(head, events) is None:
        return record
    new_indexes = {index: place for place, index in enumerate(kept_indexes)}
    kept_events = [
        with_references(events[index], lambda index: new_indexes.get(index, index))
        for index in kept_indexes
    ]
    for event in kept_events:
        del event["hash"]
    return {**head, "events": kept_events}
