"""Rows of the slate. They are tuples, as rendered rows are cached by value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from scorer.engine import Event, Strafe, parse
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.telling.slate import SlateLine
from scorer.web.frame.language import unbroken_numbers, with_sign
from scorer.web.frame.translation import gettext
from scorer.web.table.disputes import Disputes
from scorer.web.table.entry_authors import EntryAuthors
from scorer.web.table.side_sentences import SENTENCES

RAISE_SIGN: Final = "›"

Say = Callable[..., str]
"""Returns a sentence about a side: `TableView.say`."""


class SlateCell(NamedTuple):
    side: int
    points: int | None
    """The new sum; None if unchanged."""
    delta: str
    note: str
    crossed_out: bool
    sat_out: bool
    """Whether this side sat the round out."""

    @property
    def text(self) -> str:
        """The new sum, a dash if it is unchanged; "" for a side that sat out."""
        if self.points is not None:
            return str(self.points)
        return "" if self.sat_out else "–"

    @property
    def is_empty(self) -> bool:
        return self.points is None and not self.note


class SlateRow(NamedTuple):
    place: EventPlace
    recorded_index: int
    """Index of its last recorded event."""
    round: int
    cells: tuple[SlateCell, ...]
    marks: tuple[str, ...]
    disputed: bool
    corrected: Event | None
    """The event that was recorded first, if a correction replaced it."""

    @property
    def note_side(self) -> int | None:
        """The side whose empty cell holds the row's only note; None if the notes need a line."""
        if len(self.marks) + self.disputed > 1:
            return None
        return next((cell.side for cell in self.cells if cell.is_empty), None)

    @property
    def raises(self) -> str:
        """The shorthand of its raises, such as "2›3"; "" without."""
        return next((cell.note for cell in self.cells if RAISE_SIGN in cell.note), "")


def slate_row(line: SlateLine, authors: EntryAuthors, disputes: Disputes, say: Say) -> SlateRow:
    sides = range(len(line.points))
    marks = []
    corrected = _event_before_correction(line, authors)
    if corrected is not None:
        marks.append(gettext("corrected"))
    if disputes.has_proposal(line):
        marks.append(gettext("proposal"))
    return SlateRow(
        line.step.place,
        line.step.recorded_index,
        line.round,
        tuple(_cell(line, side, say) for side in sides),
        tuple(marks),
        # The proposal says what the dispute is about.
        disputes.is_disputed(line) and not disputes.has_proposal(line),
        corrected,
    )


def _event_before_correction(line: SlateLine, authors: EntryAuthors) -> Event | None:
    step = line.step
    if step.recorded_index == step.original_index:
        return None
    first_event = parse(authors.evening.recorded[step.original_index])
    return None if first_event == step.event else first_event


def _cell(line: SlateLine, side: int, say: Say) -> SlateCell:
    delta = line.deltas[side]
    return SlateCell(
        side,
        line.points[side] if delta else None,
        with_sign(delta) if delta else "",
        _note(line, side, say),
        line.crossed_out[side] and bool(delta),
        line.step.before.sits_out == side,
    )


def _note(line: SlateLine, side: int, say: Say) -> str:
    """Small text of a cell: the raises for the side that scored, the fold for the other; the
    penalty for the side that did it."""
    if line.ended_by_fold:
        last = line.ladder[-1] if line.ladder else None
        if last is None or not last.do.startswith("gehen"):
            return ""
        if last.side == side:
            return _fold_text(line, side, say)
    event = line.step.event
    if isinstance(event, Strafe) and event.side == side:
        return gettext("revoked") if line.code == "verleugnet" else gettext("penalty")
    if not line.deltas[side] or isinstance(event, Strafe):
        return ""
    if line.code == "struck":
        return gettext("struck")
    raises = [rung.value for rung in line.ladder if rung.do == "bieten"]
    return RAISE_SIGN.join(map(str, [line.opening_value, *raises])) if raises else ""


def _fold_text(line: SlateLine, side: int, say: Say) -> str:
    if line.code == "declined":
        return say("{side.gives}", side)
    if len(line.points) > 2:
        # Narrow columns; the raises of the side that wins show the value.
        return say("{side.folds}", side)
    return unbroken_numbers(say(SENTENCES["folded-at"], side, stake=line.ladder[-1].value))
