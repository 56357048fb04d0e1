"""Resolves two diverged versions of one evening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorer.engine import parse

Body = Mapping[str, Any]


def merge_events(theirs: Sequence[Body], mine: Sequence[Body], base: int) -> list[dict[str, Any]]:
    """The events to record behind `theirs` so that `mine` counts from `base` on.

    The events of `theirs` stay in the record, corrected to nothing.

    >>> both, theirs = {"do": "gewinnt", "side": 0}, {"do": "gewinnt", "side": 1}
    >>> merge_events([both, theirs], [both, {"do": "streichen", "side": 0}], 1)
    [{'do': 'korrektur', 'of': 1, 'with': None}, {'do': 'streichen', 'side': 0}]

    :param theirs: the events of the recorded version, from the start
    :param mine: the events of the version that shall count, from the start
    :param base: number of common events
    """
    struck = [
        {"do": "korrektur", "of": at, "with": None}
        for at in range(len(theirs) - 1, base - 1, -1)
        if not parse(theirs[at]).aside
    ]
    ahead = len(theirs) + len(struck) - base
    return struck + [_moved(body, base, ahead) for body in mine[base:]]


def _moved(body: Body, base: int, ahead: int) -> dict[str, Any]:
    """An event with its references from `base` on moved by `ahead`."""
    said = {
        name: value for name, value in body.items() if name not in ("at", "by", "received", "hash")
    }
    for name in ("of", "through"):
        if isinstance(said.get(name), int):
            said[name] = _next_common(said[name], base, ahead)
    if said.get("also"):
        said["also"] = [_next_common(at, base, ahead) for at in said["also"]]
    return said


def _next_common(place: int, base: int, ahead: int) -> int:
    return place + ahead if place >= base else place
