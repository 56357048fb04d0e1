"""The rows of a slate: each side's sum in its own column, and what stands small beside it.

Rows are tuples: what was drawn of one is found again by all it says, at each tap.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorer.engine import parse
from scorer.engine.scoring.effective_events import Spot
from scorer.engine.telling.slate import SlateLine
from scorer.web.frame.language import signed
from scorer.web.frame.translation import gettext
from scorer.web.table.signatures import Signatures

RAISED: Final = "›"
"""Stands between the stakes of a round that was raised."""


class Cell(NamedTuple):
    """What one side's column says of a round."""

    side: int
    points: int | None
    """The sum that was written; None where nothing was."""
    delta: str
    note: str
    struck: bool


class Row(NamedTuple):
    """One writing on the slate, a cell a side."""

    spot: Spot
    recorded: int
    """The index of what was recorded of it last."""
    round: int
    cells: tuple[Cell, ...]
    marks: tuple[str, ...]
    """What a reader must know of it: corrected, a change proposed."""
    disputed: bool


def row(line: SlateLine, signatures: Signatures, words: Mapping[str, str]) -> Row:
    """A line of the slate as its columns show it.

    :param words: what is said at this table
    """
    sides = range(len(line.points))
    marks = []
    if corrected(line, signatures):
        marks.append(gettext("corrected"))
    if signatures.proposed(line):
        marks.append(gettext("change proposed"))
    return Row(
        line.step.spot,
        line.step.recorded,
        line.round,
        tuple(_cell(line, side, words) for side in sides),
        tuple(marks),
        signatures.disputed(line),
    )


def corrected(line: SlateLine, signatures: Signatures) -> bool:
    """Whether something else was written here first."""
    step, recorded = line.step, signatures.evening.recorded
    return step.recorded != step.source and step.event != parse(recorded[step.source])


def _cell(line: SlateLine, side: int, words: Mapping[str, str]) -> Cell:
    delta = line.deltas[side]
    return Cell(
        side,
        line.points[side] if delta else None,
        signed(delta) if delta else "",
        _note(line, side, words),
        line.struck[side],
    )


def _note(line: SlateLine, side: int, words: Mapping[str, str]) -> str:
    """The small words of a column: the raises stand by who wrote, the fold by who went."""
    if line.folded:
        last = line.ladder[-1] if line.ladder else None
        if last is None or not last.do.startswith("gehen"):
            return ""
        if last.side == side:
            return _went(line, words)
    if not line.deltas[side]:
        return ""
    if line.code == "struck":
        return gettext("struck")
    if line.code == "penalty":
        return gettext("penalty")
    if line.code == "verleugnet":
        return gettext("revoked")
    raises = [rung.value for rung in line.ladder if rung.do == "bieten"]
    return RAISED.join(map(str, [line.base, *raises])) if raises else ""


def _went(line: SlateLine, words: Mapping[str, str]) -> str:
    if line.code == "declined":
        return words["gave"]
    return gettext("%(went)s at %(stake)s", went=words["went"], stake=line.ladder[-1].value)
