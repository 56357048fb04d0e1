"""The writer's buttons, from the engine's legal events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.engine import (
    Bieten,
    Bleiben,
    Gehen,
    Illegal,
    NeuesSpiel,
    check,
)
from scorer.engine.scoring.stakes import next_stake
from scorer.web.frame.language import unbroken_numbers
from scorer.web.frame.translation import gettext
from scorer.web.table.entry_summary import tap_summary, undone_summary
from scorer.web.table.event_buttons import (
    MAX_STAKES_ON_PAD,
    EventButton,
    dealer_choices,
    event_button,
    points_button,
    raised_win_buttons,
    strike_buttons,
    win_buttons,
)
from scorer.web.table.names_for_reader import NamesForReader
from scorer.web.table.table_view import TableView


@dataclass(frozen=True, slots=True)
class PadColumn:
    side: int
    name: str
    raise_button: EventButton | None
    refusal_text: str
    """Why it may not raise, if that needs saying; else ""."""
    refusal_is_shared: bool
    """Whether all sides are refused in the same words, which are then shown once."""
    strikes: tuple[EventButton, ...]
    """Buttons with which the side has its own points struck (`streichen`)."""
    answers: tuple[EventButton, ...]
    wins: tuple[EventButton, ...]
    raised_wins: tuple[EventButton, ...]
    """Buttons that win a round whose raises were not recorded, one per gain."""


# A side's column


def pad_columns(view: TableView) -> list[PadColumn]:
    """Columns of the sides that play; [] after the game."""
    if view.over:
        return []
    wins = win_buttons(view)
    raised_wins = raised_win_buttons(view, wins, MAX_STAKES_ON_PAD)
    columns = [
        _column(view, side, refusal, tuple(wins.get(side, ())), tuple(raised_wins.get(side, ())))
        for side, refusal in _raise_refusals(view).items()
    ]
    reasons = {column.refusal_text for column in columns}
    if len(reasons) > 1 or "" in reasons:
        return columns
    return [replace(column, refusal_is_shared=True) for column in columns]


def _raise_refusals(view: TableView) -> dict[int, Illegal | None]:
    """Why each side may not raise; None if it may.

    A side may be refused only because it raised last. It then gets the other side's reason, if that
    side may not raise either. A side that is near gets the reason of the others, which names it.
    """
    refusals = {side: _refusal_of_raise(view, side) for side in view.state.playing_sides}
    lasting = [
        refusal
        for refusal in refusals.values()
        if refusal is not None and refusal.code != "twice-in-a-row"
    ]
    if view.state.open_raise or not lasting or None in refusals.values():
        return refusals
    shared_refusal = next((one for one in lasting if one.code != "locked-near"), lasting[0])
    named_side = shared_refusal.values.get("other")
    return {
        side: shared_refusal if refusal not in lasting or side == named_side else refusal
        for side, refusal in refusals.items()
    }


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
    refusal: Illegal | None,
    wins: tuple[EventButton, ...],
    raised_wins: tuple[EventButton, ...],
) -> PadColumn:
    raise_button, refusal_text = _raise_button_or_reason(view, side, refusal)
    return PadColumn(
        side,
        view.name(side),
        raise_button,
        refusal_text,
        refusal_is_shared=False,
        strikes=tuple(strike_buttons(view, side)),
        answers=tuple(_answers(view, side)),
        wins=wins,
        raised_wins=raised_wins,
    )


def _raise_button_or_reason(
    view: TableView, side: int, refusal: Illegal | None
) -> tuple[EventButton | None, str]:
    state, open_raise = view.state, view.state.open_raise
    if state.decision is not None:
        # The open question is answered before any raise.
        return None, ""
    if refusal is not None:
        raised_last = open_raise is not None and open_raise.side == side
        return None, "" if raised_last else view.refusal_text(refusal)
    to = next_stake(state)
    label = unbroken_numbers(view.words["bid"].format(to=to))
    return event_button(view, Bieten(side, to), side, label), ""


def _refusal_of_raise(view: TableView, side: int) -> Illegal | None:
    try:
        check(view.state, Bieten(side))
    except Illegal as refusal:
        return refusal
    return None


def _answers(view: TableView, side: int) -> Iterator[EventButton]:
    """The buttons that answer an open question: play or give away the round, stay or fold."""
    open_raise, decision = view.state.open_raise, view.state.decision
    if decision is not None and decision.side == side:
        counts_text = gettext("counts %(points)s", points=decision.play_value)
        yield event_button(view, Bleiben(side), side, view.words["play"], counts_text)
        yield points_button(view, Gehen(side), view.words["give"])
    if open_raise is not None:
        for event in view.legal("bleiben", side):
            counts_text = gettext("counts %(points)s", points=open_raise.to)
            yield event_button(view, event, side, view.words["stay"], counts_text)
        for event in view.legal("gehen", side):
            yield points_button(view, event, view.words["go"])


# The rest of the pad


def pad_values(view: TableView) -> dict[str, Any]:
    high_question = gettext("Who cut the higher card, and deals?")
    low_question = gettext("Who has the lowest card, and deals?")
    rematch = event_button(view, NeuesSpiel(), None, gettext("Rematch"))
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
    return dealer_choices(view) if state.dealer is None and is_first_deal and cuts_again else []


def _undo(view: TableView) -> EventButton | None:
    index = view.evening.undo_index
    if index is None:
        return None
    undo = view.evening.undo_correction()
    return event_button(view, undo, None, tap_summary(view, undo.of, index))


def _redo(view: TableView) -> EventButton | None:
    index = view.evening.redo_index
    if index is None:
        return None
    redo = view.evening.redo_correction()
    return event_button(view, redo, None, undone_summary(view, redo.of, index))
