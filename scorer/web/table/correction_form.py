"""The form of a correction: what a round may have been instead, and what it would change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from scorer.engine import Korrektur
from scorer.engine.scoring.state import State
from scorer.engine.telling.correction_preview import Preview
from scorer.engine.telling.rounds import Outcome, PlayedRound, outcomes, rounds
from scorer.engine.telling.slate import SlateLine
from scorer.engine.translatable import N_
from scorer.web.frame.language import score_text, with_sign
from scorer.web.frame.translation import gettext, ngettext
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
    view: TableView, played: PlayedRound, lines: Sequence[SlateLine], tried_events: str | None
) -> CorrectionForm:
    """:param tried_events: as JSON; None while nothing is tried"""
    choices = tuple(_choices(view, played))
    recorded = next((choice for choice in choices if _matches_lines(choice.outcome, lines)), None)
    if tried_events is None:
        return CorrectionForm(choices, recorded, recorded)
    tried = next((choice for choice in choices if choice.events == tried_events), None)
    return CorrectionForm(choices, recorded, tried)


def _choices(view: TableView, played: PlayedRound) -> Iterator[CorrectionChoice]:
    for outcome in outcomes(played.opening_state):
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


def preview_sentence(
    view: TableView, correction: Korrektur, preview_result: Preview, reader: int | None
) -> str:
    """The effect of a correction: the game's new winner, the score, the rounds it drops, the
    Bummerl, and whether the game has to be confirmed again.

    :param reader: the side that the reader speaks for; None for a viewer. Side 0 writes, and any
        other side confirms games.
    """
    after, played = preview_result.after, rounds(view.evening)
    corrected_games = [
        one.game for one in played if one.first_index <= correction.of <= one.last_index
    ]
    game = min([*corrected_games, after.game])
    struck_indices = set(correction.also)
    # A round stays if only the decision to play it is struck.
    dropped = [one for one in played if one.steps[-1].original_index in struck_indices]
    parts = [_ending_and_score(view, after, game), *_dropped_text(dropped, game)]
    if after.bummerl != view.state.bummerl:
        old, new = (score_text(state.bummerl) for state in (view.state, after))
        parts.append(gettext("Bummerl %(new)s instead of %(old)s", new=new, old=old))
    text = ", ".join(parts)
    if game <= len(view.state.games) and game not in view.authors.unconfirmed_games:
        text += "; " + (
            gettext("you would have to confirm the game again")
            if reader
            else gettext("the other side would have to confirm the game again")
        )
    return text


def _ending_and_score(view: TableView, after: State, game: int) -> str:
    """The score of a corrected game. If the game has another winner, that comes first."""
    score = after.points if game == after.game else after.games[game - 1].points
    points = score_text(score)
    if game == view.state.game:
        sentence = gettext("It would be %(points)s", points=points)
    else:
        sentence = gettext("It would be %(points)s in game %(game)s", points=points, game=game)
    winner = _winner(after, game)
    if winner == _winner(view.state, game):
        return sentence
    ending = (
        gettext("Game %(n)s would not be over", n=game)
        if winner is None
        else view.say(N_("{side} would have won game {game}"), winner, game=game)
    )
    return f"{ending}. {sentence}"


def _dropped_text(dropped: Sequence[PlayedRound], corrected_game: int) -> list[str]:
    """Which rounds a correction drops; [] if none."""
    if len(dropped) == 1:
        number, game = dropped[0].number, dropped[0].game
        if game == corrected_game:
            return [gettext("round %(n)s is dropped", n=number)]
        return [gettext("round %(n)s of game %(game)s is dropped", n=number, game=game)]
    texts = ngettext("%(num)s round is dropped", "%(num)s rounds are dropped", len(dropped))
    return [texts] if dropped else []


def _winner(state: State, game: int) -> int | None:
    """The winner of a game; None if it is not over or has not begun."""
    if game > state.game:
        return None
    return state.winner if game == state.game else state.games[game - 1].winner
