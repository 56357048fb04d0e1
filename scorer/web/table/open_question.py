"""The open question of a table, such as "They raise to 3. Stay or fold?"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scorer.engine import State
from scorer.engine.telling.side_grammar import Number, form, grammatical_number
from scorer.engine.telling.side_names import isolated
from scorer.web.frame.language import labelled
from scorer.web.table.side_sentences import SENTENCES


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    side: int
    """The side that is asked."""
    by: int
    """The side whose raise or points ask it."""
    situation: str
    """Why it is asked, without a full stop, such as "They raise to 3"."""
    question: str
    """The question, such as "Stay?"."""
    name: str
    """Of the side that is asked."""

    @property
    def named_question(self) -> str:
        """The question with the name of the side that is asked, unless `situation` names it."""
        return self.question if self.by == self.side else labelled(self.name, self.question)

    @property
    def spoken(self) -> str:
        """The question for screen readers: the side that raised, then the side that is asked.

        A near side is left out, because its points show it."""
        spoken_question = labelled(self.name, self.question)
        if self.by == self.side:
            return spoken_question
        return f"{self.situation}; {spoken_question}".replace("\u00a0", " ")


def open_question(
    state: State, names: Sequence[str], words: Mapping[str, str], say: Callable[..., str]
) -> OpenQuestion | None:
    """The question to a side that must answer a raise, or say whether it plays.

    :param words: the region's words, which include the questions
    :param say: see `TableView.say`
    """
    open_raise, decision = state.open_raise, state.decision
    if open_raise is not None:
        side, by = state.others(open_raise.side)[0], open_raise.side
        # The figure stands on the line of its verb.
        situation = say(SENTENCES["bieten"], by, to=f"\u00a0{open_raise.to}")
        situation = situation.replace(" \u00a0", "\u00a0")
        question = words["stay_asked"]
    elif decision is not None:
        side = by = decision.side
        situation = say(SENTENCES["near"], side)
        question = words["play_asked"]
    else:
        return None
    question = form(question, _number_of(side, state, names))
    return OpenQuestion(side, by, situation, question, isolated(names[side]))


def _number_of(side: int, state: State, names: Sequence[str]) -> Number:
    """How many are asked: one person, or a side that reads of itself or of others as several."""
    if len(state.points) > 2 or len(state.sides[side].players) == 1:
        return "one"
    number = grammatical_number(names[side])
    return number if number in ("we", "they") else "several"
