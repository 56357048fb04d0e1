"""Buttons that record an event, with its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any, Final

from scorer.engine import (
    Bleiben,
    Event,
    Gewinnt,
    Illegal,
    Sitzordnung,
    State,
    apply,
    legal,
)
from scorer.engine.scoring.reachable_stakes import possible_stakes
from scorer.web.frame.language import with_sign
from scorer.web.frame.translation import gettext
from scorer.web.table.entry_summary import points_written
from scorer.web.table.event_json import event_json, events_json
from scorer.web.table.table_view import TableView


@dataclass(frozen=True, slots=True)
class EventButton:
    event_json: str
    """JSON of an event, or of a list of events to record in order."""
    side: int | None
    side_name: str
    """The name of `side`."""
    label: str
    gain: str = ""
    receiver_name: str = ""
    """Name of the side that gets the points, if it is not `side`; else ""."""
    receiver: int | None = None
    """The side that gets the points, if it is not `side`."""


MAX_STAKES_ON_PAD: Final = 3
MAX_STAKES_IN_PANEL: Final = 7


def event_button(
    view: TableView, event: Event | Sequence[Event], side: int | None, label: str, gain: str = ""
) -> EventButton:
    form_value = event_json(event) if isinstance(event, Event) else events_json(event)
    return EventButton(form_value, side, "" if side is None else view.name(side), label, gain)


def points_button(view: TableView, event: Any, label: str) -> EventButton:
    """A button that says how many points its event gives, and to which side."""
    deltas = [*points_written(view.state, apply(view.state, event)).items()]
    gains = [f"{view.name(side)} {with_sign(delta)}" for side, delta in deltas]
    button = event_button(view, event, event.side, label, ", ".join(gains))
    if len(deltas) != 1:
        return button
    [(receiver, delta)] = deltas
    if receiver == event.side:
        return replace(button, gain=with_sign(delta))
    return replace(
        button, gain=with_sign(delta), receiver_name=view.name(receiver), receiver=receiver
    )


def _gain_text(state: State, event: Event, side: int) -> str:
    return with_sign(event.with_round_points(state).points[side] - state.points[side])


def strike_buttons(view: TableView, side: int) -> list[EventButton]:
    strike_text = gettext("have own points struck")
    return [points_button(view, event, strike_text) for event in view.legal("streichen", side)]


def win_buttons(view: TableView) -> dict[int, list[EventButton]]:
    """Buttons that win the round, by side, one per number of tricks.

    If sides still have to say whether they play, a button first records that they do.
    """
    plays = [Bleiben(side) for side in view.state.deciding_sides]
    try:
        state = reduce(apply, plays, view.state)
    except Illegal:
        return {}
    buttons: dict[int, list[EventButton]] = {}
    for event in legal(state) if plays else view.legal("gewinnt"):
        if isinstance(event, Gewinnt):
            label = "" if event.tricks is None else gettext("%(n)s tricks", n=event.tricks)
            to_record = [*plays, event] if plays else event
            button = event_button(
                view, to_record, event.side, label, _gain_text(state, event, event.side)
            )
            buttons.setdefault(event.side, []).append(button)
    return buttons


def raised_win_buttons(
    view: TableView, wins: Mapping[int, Sequence[EventButton]], max_stakes: int
) -> dict[int, list[EventButton]]:
    """Buttons that win a round whose raises were not recorded, by side.

    Near the target several stakes may give the same gain; they share a button.

    :param wins: the buttons that win it at the recorded stake, by side
    """
    state = view.state
    if state.decision is not None:
        return {}
    stakes = possible_stakes(state, MAX_STAKES_IN_PANEL + 1)
    # If a stake alone wins the game from 0 points, a higher one adds nothing.
    raised_stakes = [
        stake for below, stake in pairwise(stakes[: max_stakes + 1]) if below < view.rules.target
    ]
    buttons = {}
    for side, recorded_wins in wins.items():
        gains: dict[str, Event] = {}
        for event in (Gewinnt(side, stake=stake) for stake in raised_stakes):
            gains.setdefault(_gain_text(state, event, side), event)
        if len(recorded_wins) == 1:
            gains.pop(recorded_wins[0].gain, None)
        buttons[side] = [event_button(view, event, side, "", gain) for gain, event in gains.items()]
    return buttons


def dealer_choices(view: TableView) -> list[tuple[str, str]]:
    """(name, event as JSON) per seat; the event is "" for a seat without a name."""
    return [
        (who, event_button(view, Sitzordnung(dealer=name), None, "").event_json if name else "")
        for who, name in view.seating.dealer_choices
    ]
