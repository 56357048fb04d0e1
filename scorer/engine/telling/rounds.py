"""The rounds of an evening: what each is made of, what else it could have been, what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.kinds.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.kinds.corrections import Korrektur
from scorer.engine.scoring.kinds.deal import (
    Ansage,
    NeuesSpiel,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
)
from scorer.engine.scoring.kinds.event import Event
from scorer.engine.scoring.kinds.points import Gewinnt, Streichen
from scorer.engine.scoring.legality import Illegal
from scorer.engine.scoring.state import Game, State
from scorer.engine.scoring.tally import apply
from scorer.engine.scoring.worth import next_raise, stakes
from scorer.engine.telling.slate import Line, all_lines

_ABOUT: Final = ("korrektur", "vorschlag", "zusage", "absage", "strittig", "geklaert")
_BETWEEN: Final = (Streichen, SetztAus, Sitzordnung)
"""What is done between two rounds, though it may stand in the course of one."""
_SAID: Final = (Ansage, Schoenere, Schlagtausch)


@dataclass(frozen=True, slots=True)
class Round:
    """The steps of one round, from its opening to what it wrote."""

    game: int
    number: int
    steps: tuple[Step, ...]

    @property
    def play(self) -> tuple[Step, ...]:
        """Its steps without what was done between the rounds before it."""
        return tuple(step for step in self.steps if not isinstance(step.event, _BETWEEN))

    @property
    def first(self) -> int:
        """The index of its first recorded event."""
        return self.steps[0].source

    @property
    def last(self) -> int:
        """The index of its last recorded event."""
        return self.steps[-1].source

    @property
    def opening(self) -> State:
        """The state in which it is played."""
        return self.play[0].before if self.play else self.steps[-1].after


def rounds(evening: Evening) -> list[Round]:
    """The rounds that count, the running one last."""
    played = (step for step in evening.played if not isinstance(step.event, NeuesSpiel))
    by_place = groupby(played, attrgetter("before.place"))
    return [Round(game, number, tuple(steps)) for (game, number), steps in by_place]


def round_at(evening: Evening, source: int) -> Round | None:
    """The round that the recorded event `source` belongs to, or belonged to before a correction."""
    found = rounds(evening)
    covering = (event.of for event in evening.corrections if event.of <= source <= event.last)
    return next((r for at in (source, *covering) for r in found if r.first <= at <= r.last), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A way a round may have gone: who won it, how, and the events that say so."""

    how: str
    """`won`, `folded` or `declined`."""
    side: int
    """Who wrote the points."""
    stake: int
    """What it was played for, or the raise the other side went on."""
    gain: int
    events: tuple[Event, ...]


def outcomes(opening: State) -> list[Outcome]:
    """The ways a round that opened so may have gone.

    >>> from scorer.engine import load, start
    >>> [(o.how, o.side, o.stake, o.gain) for o in outcomes(start(load("bayern")))][:3]
    [('won', 0, 2, 2), ('won', 0, 3, 3), ('won', 0, 4, 4)]
    """
    found = []
    for side in opening.active:
        for how, stake, events in _conceivable(opening, side):
            try:
                after = _folded(opening, events)
            except Illegal:
                continue
            gain = after.points[side] - opening.points[side]
            found.append(Outcome(how, side, stake, gain, tuple(events)))
    return found


def _conceivable(opening: State, side: int) -> Iterator[tuple[str, int, list[Event]]]:
    plays: list[Event] = [Bleiben(asked) for asked in opening.undecided]
    for stake in stakes(opening):
        named = None if stake == opening.stake else stake
        for taken in opening.rules.tricks:
            yield "won", stake, [*plays, Gewinnt(side, taken, named)]
    for stake in stakes(opening)[1:]:
        yield "folded", stake, [*plays, *folded(side, stake, opening)]
    for asked in opening.undecided:
        if asked != side:
            yield "declined", opening.stake, [Gehen(asked)]


def _folded(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = apply(state, event)
    return state


def folded(side: int, to: int, opening: State) -> list[Event]:
    """A round in which the other side went on a raise of `side` to `to`.

    The raises before it are put in turn, as the rules of the bidding want it.

    >>> from scorer.engine import load, start
    >>> folded(0, 4, start(load("bayern")))
    [Bieten(side=1, to=3), Bieten(side=0, to=4), Gehen(side=1)]
    """
    other = opening.others(side)[0]
    ladder = list(range(next_raise(opening), to + 1, opening.rules.step))
    raisers = [side if (len(ladder) - at) % 2 else other for at in range(len(ladder))]
    raises = [Bieten(raiser, stake) for raiser, stake in zip(raisers, ladder, strict=True)]
    return [*raises, Gehen(other)]


def replacing(found: Round, events: Sequence[Event]) -> Korrektur:
    """The correction by which a round went so; without events it is struck out.

    What was announced and asked for in it stays, and so does who sits where.
    """
    play = found.play
    first, last = play[0].source, play[-1].source
    stays = _BETWEEN + _SAID if events else _BETWEEN
    within = (step for step in found.steps if first <= step.source <= last)
    staying = [step.event for step in within if isinstance(step.event, stays)]
    return Korrektur(first, (*staying, *events), None if last == first else last)


def inserting(found: Round, events: Sequence[Event]) -> Korrektur:
    """The correction that puts a forgotten round before another one."""
    source = found.play[0].source
    first = tuple(step.event for step in found.steps if step.source == source)
    return Korrektur(source, (*events, *first))


def with_the_rest(evening: Evening, correction: Korrektur) -> Korrektur:
    """The same correction, with all struck out that was played after what it replaces; who sits
    where stays."""
    later = [step for step in evening.played if step.source > correction.last]
    seats = (step.event for step in later if isinstance(step.event, Sitzordnung))
    last = max([correction.last, *(step.source for step in later)])
    through = None if last == correction.of else last
    return replace(correction, with_=(*correction.with_, *seats), through=through)


def in_the_way(evening: Evening, correction: Korrektur, refusal: Illegal) -> Round | None:
    """The first round after what `correction` replaces that it makes impossible."""
    failed = correction.last if refusal.event is None else refusal.event
    later = (found for found in rounds(evening) if found.play and found.first > correction.last)
    return next((found for found in later if found.last >= failed), None)


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the slate as it stands and as it would stand; None where it is not there."""

    old: Line | None
    new: Line | None

    @property
    def same(self) -> bool:
        """Whether both say the same of the same round, sums included."""
        return self.old is not None and self.new is not None and _said(self.old) == _said(self.new)


def _said(line: Line) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    return line.game, line.round, line.points, line.deltas


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would do to all that follows."""

    after: State
    games: tuple[Game, ...]
    changes: tuple[Change, ...]
    """The lines that differ, old beside new."""


def preview(evening: Evening, correction: Korrektur) -> Preview:
    """What would stand after `correction`; nothing is changed.

    :raises Illegal: it is impossible; `event` names the recorded event it fails at
    :raises Unreadable: it puts in too many events, or what stands beside the play
    """
    trial = evening.copy()
    trial.head = replace(evening.head, cut=False)
    trial.push(correction.to_json())
    beside = _aligned(all_lines(evening), all_lines(trial), correction)
    changes = tuple(change for change in beside if not change.same)
    return Preview(trial.state, trial.state.games, changes)


def _aligned(old: list[Line], new: list[Line], correction: Korrektur) -> list[Change]:
    """Both lists side by side, each whole and in its order: what was not touched stands beside
    itself."""
    touched = range(correction.of, correction.last + 1)

    def place(line: Line) -> int:
        return touched.start if line.step.source in touched else line.step.source

    groups: dict[int, tuple[list[Line], list[Line]]] = {}
    for at, found in enumerate((old, new)):
        for line in found:
            groups.setdefault(place(line), ([], []))[at].append(line)
    changes = []
    for _, (before, after) in sorted(groups.items()):
        # A round put in before another leaves that one where it was, and so do rounds struck out
        # after it.
        added, struck = len(after) - len(before), len(before) - len(after)
        pairs = zip([*[None] * added, *before], [*after, *[None] * struck], strict=True)
        changes += [Change(was, then) for was, then in pairs]
    return changes


def written(evening: Evening, first: int, last: int) -> list[tuple[int, Any, bool]]:
    """All that was recorded about the events from `first` to `last`, and what their corrections
    took the place of: index, entry, whether it counts now."""
    counting = {step.recorded for step in evening.steps}
    beside = _ABOUT[1:]
    made = (event for event in evening.corrections if first <= event.of <= last)
    replaced = {at for event in made for at in range(event.of, event.last + 1)} - counting
    found, about = [], {*range(first, last + 1), *replaced}
    for index, entry in enumerate(evening.recorded):
        if index in about or (entry["do"] in _ABOUT and entry["of"] in about):
            about.add(index)
            stands = entry["do"] in beside or index in counting or evening.stands(index)
            found.append((index, entry, stands))
    return found
