"""The form of a correction: what a round may have been instead, and what it would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from scorer.engine.telling.rounds import Outcome, PlayedRound, outcomes
from scorer.engine.telling.slate import SlateLine
from scorer.web.frame.language import with_sign
from scorer.web.frame.translation import gettext
from scorer.web.table.event_json import events_json
from scorer.web.table.table_view import TableView

MAX_LIKELY: Final = 4
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

    def likeness(self, selected: CorrectionChoice | None) -> tuple[bool, ...]:
        """How much it has in common with `selected`; the greatest is the most alike."""
        if selected is None:
            return ()
        mine, selected_outcome = self.outcome, selected.outcome
        return (
            mine.how == selected_outcome.how,
            mine.stake == selected_outcome.stake,
            mine.gain == selected_outcome.gain,
            _tricks(mine) == _tricks(selected_outcome),
        )


@dataclass(frozen=True, slots=True)
class CorrectionForm:
    choices: tuple[CorrectionChoice, ...]
    recorded: CorrectionChoice | None
    """None if no choice has the recorded outcome."""
    selected: CorrectionChoice | None
    """The outcome that is tried, else the recorded one; None if it is not among the choices."""

    @property
    def nearest_by_side(self) -> dict[int, CorrectionChoice]:
        """For each side, its outcome most like the selected one."""
        return {
            side: max(choices, key=lambda choice: choice.likeness(self.selected))
            for side, choices in groupby(self.choices, lambda choice: choice.outcome.side)
        }

    @property
    def likely(self) -> list[CorrectionChoice]:
        """The lowest wins of the selected side, the selected outcome and the recorded one."""
        choices = self._selected_side_choices()
        lowest = [choice for choice in choices if choice.outcome.how == "won"][:MAX_LIKELY]
        likely = [*lowest, self.selected, self.recorded]
        return [choice for choice in choices if choice in likely]

    @property
    def other_choices(self) -> dict[str, list[CorrectionChoice]]:
        """The other outcomes of the selected side, by heading."""
        likely = self.likely
        unlikely = [choice for choice in self._selected_side_choices() if choice not in likely]
        return {
            heading: list(choices)
            for heading, choices in groupby(unlikely, lambda choice: choice.heading)
        }

    def _selected_side_choices(self) -> list[CorrectionChoice]:
        if self.selected is None:
            return []
        side = self.selected.outcome.side
        return [choice for choice in self.choices if choice.outcome.side == side]


def correction_form(
    view: TableView, played_round: PlayedRound, lines: Sequence[SlateLine], tried_events: str | None
) -> CorrectionForm:
    """:param tried_events: as JSON; None while nothing is tried"""
    choices = tuple(_choices(view, played_round))
    recorded = next((choice for choice in choices if _matches_lines(choice.outcome, lines)), None)
    if tried_events is None:
        return CorrectionForm(choices, recorded, recorded)
    tried = next((choice for choice in choices if choice.events == tried_events), None)
    return CorrectionForm(choices, recorded, tried)


def _choices(view: TableView, played_round: PlayedRound) -> Iterator[CorrectionChoice]:
    for outcome in outcomes(played_round.opening_state):
        yield CorrectionChoice(outcome, events_json(outcome.events), _text(view, outcome))


def _text(view: TableView, outcome: Outcome) -> str:
    gain = with_sign(outcome.gain)
    if outcome.how == "folded":
        at_stake = gettext("at %(stake)s", stake=outcome.stake)
        return _in_two_parts(gain, at_stake)
    if outcome.how == "declined":
        return f"{gain} ({view.words['give']})"
    tricks = _tricks(outcome)
    if tricks is None:
        return gain
    return _in_two_parts(gain, gettext("%(n)s tricks", n=tricks))


def _in_two_parts(gain: str, rest: str) -> str:
    """Both parts. The second is below the first if they do not fit one line."""
    unbroken = rest.replace(" ", "\u00a0")
    return f"{gain} {unbroken}"


def _tricks(outcome: Outcome) -> int | None:
    return getattr(outcome.events[-1], "tricks", None)


def _matches_lines(outcome: Outcome, lines: Sequence[SlateLine]) -> bool:
    """Whether the slate's lines of a round tell this outcome."""
    scoring_lines = [line for line in lines if line.deltas[outcome.side] and line.code != "penalty"]
    if not scoring_lines or scoring_lines[-1].ended_by_fold != (outcome.how != "won"):
        return False
    line = scoring_lines[-1]
    raises = [rung.value for rung in line.ladder if rung.do == "bieten"]
    last_stake = raises[-1] if raises else outcome.stake
    same_gain = line.deltas[outcome.side] == outcome.gain
    return same_gain and (outcome.how != "folded" or outcome.stake == last_stake)
