"""The slip of a correction: what a round may have been instead, and what it would change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from scorer.engine import Event, Korrektur
from scorer.engine.telling.correction_preview import Preview
from scorer.engine.telling.rounds import Outcome, PlayedRound, outcomes, rounds
from scorer.engine.telling.slate import SlateLine
from scorer.web.frame.language import signed
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.table.table_view import TableView

LIKELY: Final = 4
"""How many values are shown before the others."""


@dataclass(frozen=True, slots=True)
class CorrectionChoice:
    outcome: Outcome
    events: str
    """The round's events as JSON."""
    text: str
    """The points that it brings, and how."""

    @property
    def heading(self) -> str:
        won = self.outcome.how == "won"
        return gettext("took the round") if won else gettext("other side went")

    def likeness(self, lit: CorrectionChoice | None) -> tuple[bool, ...]:
        """How much it has in common with `lit`; the greatest is the most alike."""
        if lit is None:
            return ()
        mine, its = self.outcome, lit.outcome
        return (
            mine.how == its.how,
            mine.stake == its.stake,
            mine.gain == its.gain,
            _tricks(mine) == _tricks(its),
        )


@dataclass(frozen=True, slots=True)
class CorrectionSlip:
    choices: tuple[CorrectionChoice, ...]
    lit: CorrectionChoice | None
    """The outcome that is tried, or the recorded one; None if neither is among the choices."""

    @property
    def names(self) -> dict[int, CorrectionChoice]:
        """For each side, its outcome most like the lit one."""
        return {
            side: max(own, key=lambda choice: choice.likeness(self.lit))
            for side, own in groupby(self.choices, lambda choice: choice.outcome.side)
        }

    @property
    def likely(self) -> list[CorrectionChoice]:
        """The lowest wins of the lit side, and the lit outcome."""
        own = self._own()
        lowest = [choice for choice in own if choice.outcome.how == "won"][:LIKELY]
        return [choice for choice in own if choice in lowest or choice is self.lit]

    @property
    def rest(self) -> dict[str, list[CorrectionChoice]]:
        """The lit side's other outcomes, by heading."""
        likely = self.likely
        others = [choice for choice in self._own() if choice not in likely]
        return {
            heading: list(choices)
            for heading, choices in groupby(others, lambda choice: choice.heading)
        }

    def _own(self) -> list[CorrectionChoice]:
        if self.lit is None:
            return []
        side = self.lit.outcome.side
        return [choice for choice in self.choices if choice.outcome.side == side]


def correction_slip(
    view: TableView, played: PlayedRound, lines: Sequence[SlateLine], tried: str | None
) -> CorrectionSlip:
    """:param tried: the events that are tried, as JSON; None while nothing is tried"""
    choices = tuple(_choices(view, played))
    if tried is None:
        found = (choice for choice in choices if _was(choice.outcome, lines))
    else:
        found = (choice for choice in choices if choice.events == tried)
    return CorrectionSlip(choices, next(found, None))


def _choices(view: TableView, played: PlayedRound) -> Iterator[CorrectionChoice]:
    for outcome in outcomes(played.opening):
        yield CorrectionChoice(outcome, as_json(*outcome.events), _text(view, outcome))


def as_json(*events: Event) -> str:
    return json.dumps([event.to_json() for event in events], separators=(",", ":"))


def _text(view: TableView, outcome: Outcome) -> str:
    gain = signed(outcome.gain)
    if outcome.how == "folded":
        return gettext("%(gain)s at %(stake)s", gain=gain, stake=outcome.stake)
    beside = view.words["gave"] if outcome.how == "declined" else _tricks(outcome)
    return f"{gain} ({beside})" if beside else gain


def _tricks(outcome: Outcome) -> int | None:
    return getattr(outcome.events[-1], "tricks", None)


def _was(outcome: Outcome, lines: Sequence[SlateLine]) -> bool:
    """Whether the slate's lines of a round tell this outcome."""
    wrote = [line for line in lines if line.deltas[outcome.side]]
    if not wrote or wrote[-1].folded != (outcome.how != "won"):
        return False
    line = wrote[-1]
    raised = [rung.value for rung in line.ladder if rung.do == "bieten"]
    going = raised[-1] if raised else outcome.stake
    gained = line.deltas[outcome.side] == outcome.gain
    return gained and (outcome.how != "folded" or outcome.stake == going)


def outlook(view: TableView, correction: Korrektur, found: Preview) -> str:
    """The score after a correction, and the rounds that it drops, in one sentence."""
    points = " : ".join(map(str, found.after.points))
    game = found.after.game
    if game == view.state.game:
        told = gettext("It would be %(points)s", points=points)
    else:
        told = gettext("It would be %(points)s in game %(game)s", points=points, game=game)
    struck = set(correction.also)
    played = rounds(view.evening)
    dropped = [one for one in played if any(step.source in struck for step in one.steps)]
    if not dropped:
        return told
    if len(dropped) == 1:
        loses = gettext("round %(n)s is dropped", n=dropped[0].number)
    else:
        loses = ngettext("%(num)s round is dropped", "%(num)s rounds are dropped", len(dropped))
    return f"{told}, {loses}"
