"""The writer's buttons, from the engine's legal events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any, Final

from markupsafe import Markup

from scorer.engine import (
    Bieten,
    Bleiben,
    Event,
    Gehen,
    Gewinnt,
    Illegal,
    NeuesSpiel,
    Schlagtausch,
    Schoenere,
    Sitzordnung,
    State,
    Strafe,
    apply,
    check,
    legal,
)
from scorer.engine.scoring.reachable_stakes import possible_stakes
from scorer.engine.scoring.stakes import next_stake
from scorer.web.frame.language import signed, unbroken_numbers
from scorer.web.frame.translation import gettext
from scorer.web.table.entry_summary import event_summary, points_written
from scorer.web.table.event_json import event_json, events_json
from scorer.web.table.event_texts import REQUESTS
from scorer.web.table.names_for_reader import NamesForReader
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


@dataclass(frozen=True, slots=True)
class PadColumn:
    side: int
    name: str
    raise_button: EventButton | None
    raise_refusal: str
    """Why it may not raise, if that needs saying; else ""."""
    refusal_is_shared: bool
    """Whether all sides are refused in the same words, which are then shown once."""
    strikes: tuple[EventButton, ...]
    """Buttons with which the side has its own points struck (`streichen`)."""
    answers: tuple[EventButton, ...]
    wins: tuple[EventButton, ...]
    raised_wins: tuple[EventButton, ...]
    """Buttons that win a round whose raises were not recorded, one per gain."""


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A rare event, with a button for each side."""

    name: str
    buttons: list[EventButton]
    cost: str = ""
    """The points for the others, or the Bummerl; "" if this differs by side."""


MAX_STAKES_ON_PAD: Final = 3
MAX_STAKES_IN_PANEL: Final = 7


def _button(
    view: TableView, event: Event | Sequence[Event], side: int | None, label: str, gain: str = ""
) -> EventButton:
    form_value = event_json(event) if isinstance(event, Event) else events_json(event)
    return EventButton(form_value, side, "" if side is None else view.name(side), label, gain)


def _points_button(view: TableView, event: Any, label: str) -> EventButton:
    """A button that says how many points its event gives, and to which side."""
    deltas = [*points_written(view.state, apply(view.state, event)).items()]
    gains = [f"{view.name(side)} {signed(delta)}" for side, delta in deltas]
    button = _button(view, event, event.side, label, ", ".join(gains))
    if len(deltas) != 1:
        return button
    [(receiver, delta)] = deltas
    if receiver == event.side:
        return replace(button, gain=signed(delta))
    return replace(button, gain=signed(delta), receiver_name=view.name(receiver), receiver=receiver)


def _gain_text(state: State, event: Event, side: int) -> str:
    return signed(event.with_points(state).points[side] - state.points[side])


# A side's column


def pad_columns(view: TableView) -> list[PadColumn]:
    """Columns of the sides that play; [] after the game."""
    if view.over:
        return []
    wins = _wins(view)
    raised_wins = _raised_wins(view, wins, MAX_STAKES_ON_PAD)
    columns = [
        _column(view, side, tuple(wins.get(side, ())), tuple(raised_wins.get(side, ())))
        for side in view.state.active
    ]
    reasons = {column.raise_refusal for column in columns}
    if len(reasons) > 1 or "" in reasons:
        return columns
    return [replace(column, refusal_is_shared=True) for column in columns]


def bidding_columns(view: TableView, sides: Sequence[int]) -> list[PadColumn]:
    """Columns for these sides' own phones, for bidding only."""
    columns = [replace(column, strikes=(), wins=(), raised_wins=()) for column in pad_columns(view)]
    return [
        column
        for column in columns
        if column.side in sides and (column.raise_button or column.answers)
    ]


def _column(
    view: TableView,
    side: int,
    wins: tuple[EventButton, ...],
    raised_wins: tuple[EventButton, ...],
) -> PadColumn:
    raise_button, raise_refusal = _raise(view, side)
    return PadColumn(
        side,
        view.name(side),
        raise_button,
        raise_refusal,
        refusal_is_shared=False,
        strikes=tuple(_strikes(view, side)),
        answers=tuple(_answers(view, side)),
        wins=wins,
        raised_wins=raised_wins,
    )


def _strikes(view: TableView, side: int) -> list[EventButton]:
    strike_text = gettext("have own points struck")
    return [_points_button(view, event, strike_text) for event in view.legal("streichen", side)]


def _raise(view: TableView, side: int) -> tuple[EventButton | None, str]:
    state, open_raise = view.state, view.state.open_raise
    if state.decision is not None:
        # The open question is answered before any raise.
        return None, ""
    try:
        check(state, Bieten(side))
    except Illegal as refusal:
        raised_last = open_raise is not None and open_raise.side == side
        return None, "" if raised_last else view.refusal(refusal)
    to = next_stake(state)
    label = unbroken_numbers(view.words["bid"].format(to=to))
    return _button(view, Bieten(side, to), side, label), ""


def _answers(view: TableView, side: int) -> Iterator[EventButton]:
    """The buttons that answer an open question: play or give away the round, stay or fold."""
    open_raise, decision = view.state.open_raise, view.state.decision
    if decision is not None and decision.side == side:
        counts_text = gettext("counts %(points)s", points=decision.play_value)
        yield _button(view, Bleiben(side), side, view.words["play"], counts_text)
        yield _points_button(view, Gehen(side), view.words["give"])
    if open_raise is not None:
        for event in view.legal("bleiben", side):
            counts_text = gettext("counts %(points)s", points=open_raise.to)
            yield _button(view, event, side, view.words["stay"], counts_text)
        for event in view.legal("gehen", side):
            yield _points_button(view, event, view.words["go"])


def _wins(view: TableView) -> dict[int, list[EventButton]]:
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
            button = _button(
                view, to_record, event.side, label, _gain_text(state, event, event.side)
            )
            buttons.setdefault(event.side, []).append(button)
    return buttons


def _raised_wins(
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
        buttons[side] = [_button(view, event, side, "", gain) for gain, event in gains.items()]
    return buttons


# The rest of the pad


def pad_values(view: TableView) -> dict[str, Any]:
    high_question = gettext("Who cut the higher card?")
    low_question = gettext("Who has the lowest card?")
    rematch = _button(view, NeuesSpiel(), None, gettext("Rematch"))
    cutters = _cutters(view)
    has_players = any(side.players for side in view.state.sides)
    return {
        "cutters": cutters,
        "links_to_dealers": has_players and view.state.dealer is None and not cutters,
        "cut_question": high_question if view.rules.first_dealer == "high" else low_question,
        "next_game": rematch if view.legal("neues_spiel") else None,
        "undo": _undo(view),
        "redo": _redo(view),
        "far_values": lambda: _far_values(view),
    }


def _far_values(view: TableView) -> dict[str, Any]:
    """The values for the far half of a flat phone."""
    names = NamesForReader(view.state, view.says_we, is_far=True)
    far = TableView(view.table, view.says_we, side_names=names)
    return {"view": far, **pad_values(far)}


def _cutters(view: TableView) -> list[tuple[str, str]]:
    """Players who may have won the cut for the first deal; [] if nobody cuts now.

    Nobody cuts in a game that was begun on paper.
    """
    state = view.state
    cuts_again = state.game == 1 or view.rules.next_game_dealer == "cut"
    is_first_deal = state.round == 1 and state.round_is_new and not any(state.points)
    return _dealers(view) if state.dealer is None and is_first_deal and cuts_again else []


def _dealers(view: TableView) -> list[tuple[str, str]]:
    """(name, event as JSON) per seat; the event is "" for a seat without a name."""
    return [
        (who, _button(view, Sitzordnung(dealer=name), None, "").event_json if name else "")
        for who, name in view.seats.dealer_choices
    ]


def _undo(view: TableView) -> EventButton | None:
    index = view.evening.undo_index
    if index is None:
        return None
    undo, label = view.evening.undo(), event_summary(view, index)
    if undo.through is not None:
        label = Markup("{}, {}").format(view.words["play"], label)
    return _button(view, undo, None, label)


def _redo(view: TableView) -> EventButton | None:
    index = view.evening.redo_index
    if index is None:
        return None
    return _button(view, view.evening.redo(), None, event_summary(view, index))


# The panel "more"


def panel_values(view: TableView) -> dict[str, Any]:
    """Template values of the panel "more"."""
    wins = _wins(view)
    on_pad = _raised_wins(view, wins, MAX_STAKES_ON_PAD)
    raised_wins = {
        side: [button for button in buttons if button not in on_pad[side]]
        for side, buttons in _raised_wins(view, wins, MAX_STAKES_IN_PANEL).items()
    }
    sits_out, gespannt_text = gettext("sits out"), gettext("nothing left to bet")
    strikes = [strike for side in view.state.active for strike in _strikes(view, side)]
    sitting_out = [e for e in view.legal("setzt_aus") if e.side != view.state.sits_out]
    return {
        "penalties": _penalties(view),
        "other_penalties": _other_penalties(view),
        "raised_wins": [raised_wins[side] for side in view.state.active if raised_wins.get(side)],
        "strikes": _panel_rows(strikes),
        "gespannt": _panel_rows(
            _points_button(view, event, gespannt_text) for event in view.legal("gespannt")
        ),
        "sitting_out": _panel_rows(
            _button(view, event, event.side, sits_out) for event in sitting_out
        ),
        "announcements": _announcements(view),
        "requests": _requests(view),
        "dealers": _dealers(view),
    }


def dealer_panel_values(view: TableView) -> dict[str, Any]:
    """Template values of the panel if it shows only who deals."""
    return {"dealers": _dealers(view)}


def _panel_rows(buttons: Iterable[EventButton]) -> list[PanelRow]:
    """The buttons grouped by label, which becomes the name of their row."""
    by_label: dict[str, list[EventButton]] = {}
    for button in buttons:
        by_label.setdefault(button.label, []).append(replace(button, label=""))
    return [_panel_row(label, alike) for label, alike in by_label.items()]


def _panel_row(label: str, buttons: list[EventButton]) -> PanelRow:
    gains = {button.gain for button in buttons}
    if len(gains) > 1:
        return PanelRow(label, buttons)
    [cost] = gains
    if buttons[0].receiver_name:
        cost = gettext("the others %(points)s", points=cost)
    return PanelRow(
        label,
        [replace(one, gain="", receiver_name="", receiver=None) for one in buttons],
        cost,
    )


def _penalties(view: TableView) -> list[PanelRow]:
    return _panel_rows(
        _button(view, event, event.side, view.offence(event.offence), _cost(view, event))
        for event in view.legal("strafe")
        if event.offence != "sonstige"
    )


def _cost(view: TableView, event: Strafe) -> str:
    after = apply(view.state, event)
    points = set(points_written(view.state, after).values())
    if points:
        return gettext("the others %(points)s", points=", ".join(map(signed, sorted(points))))
    marks = after.bummerl[event.side] - view.state.bummerl[event.side]
    return gettext("%(n)s Bummerl", n=marks)


def _other_penalties(view: TableView) -> list[PanelRow]:
    sides = [side for side in view.state.active if view.legal("strafe", side)]
    is_only_one = all(event.offence == "sonstige" for event in view.legal("strafe"))
    text = view.offence("sonstige") if is_only_one else gettext("Other offence")
    return _panel_rows(_button(view, Strafe(side, "sonstige"), side, text) for side in sides)


def _announcements(view: TableView) -> dict[str, list[tuple[str, str]]] | None:
    events = view.legal("ansage")
    ranks = [(event.schlag, view.rank(event.schlag)) for event in events if event.schlag]
    suits = [(event.trumpf, view.suit(event.trumpf)) for event in events if not event.schlag]
    return {"schlag": ranks, "trumpf": suits} if ranks else None


def _requests(view: TableView) -> list[tuple[str, list[list[EventButton]]]]:
    """(title, buttons) of each kind of request: a button per answer, by the side that asked."""
    return [
        (gettext("%(request)s: who asked", request=gettext(title)), by_side)
        for do, title in REQUESTS.items()
        if (by_side := _request_buttons(view, view.legal(do)))
    ]


def _request_buttons(
    view: TableView, requests: Sequence[Schoenere | Schlagtausch]
) -> list[list[EventButton]]:
    taken_up, refused = gettext("taken up"), gettext("refused")
    by_side: dict[int, list[EventButton]] = {}
    for event in requests:
        button = _button(view, event, event.side, taken_up if event.agreed else refused)
        by_side.setdefault(event.side, []).append(button)
    return [*by_side.values()]
