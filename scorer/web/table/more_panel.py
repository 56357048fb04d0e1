"""The panel More: rare events, announcements and the dealer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.engine import (
    Schlagtausch,
    Schoenere,
    Strafe,
    apply,
)
from scorer.web.frame.language import with_sign
from scorer.web.frame.translation import gettext
from scorer.web.table.entry_summary import points_written
from scorer.web.table.event_buttons import (
    MAX_STAKES_IN_PANEL,
    MAX_STAKES_ON_PAD,
    EventButton,
    dealer_choices,
    event_button,
    points_button,
    raised_win_buttons,
    strike_buttons,
    win_buttons,
)
from scorer.web.table.event_texts import REQUESTS
from scorer.web.table.table_view import TableView


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A rare event, with a button for each side."""

    name: str
    buttons: list[EventButton]
    cost: str = ""
    """The points for the others, or the Bummerl; "" if this differs by side."""


def values(view: TableView) -> dict[str, Any]:
    """Template values of the panel "more"."""
    wins = win_buttons(view)
    on_pad = raised_win_buttons(view, wins, MAX_STAKES_ON_PAD)
    raised_wins = {
        side: [button for button in buttons if button not in on_pad[side]]
        for side, buttons in raised_win_buttons(view, wins, MAX_STAKES_IN_PANEL).items()
    }
    sits_out, gespannt_text = gettext("sits out"), gettext("nothing left to bet")
    strikes = [strike for side in view.state.playing_sides for strike in strike_buttons(view, side)]
    sitting_out = [e for e in view.legal("setzt_aus") if e.side != view.state.sits_out]
    return {
        "penalties": _penalties(view),
        "other_penalties": _other_penalties(view),
        "raised_wins": [
            raised_wins[side] for side in view.state.playing_sides if raised_wins.get(side)
        ],
        "strikes": _panel_rows(strikes),
        "gespannt": _panel_rows(
            points_button(view, event, gespannt_text) for event in view.legal("gespannt")
        ),
        "sitting_out": _panel_rows(
            event_button(view, event, event.side, sits_out) for event in sitting_out
        ),
        "announcements": _announcements(view),
        "requests": _requests(view),
        "dealers": dealer_choices(view),
    }


def dealer_values(view: TableView) -> dict[str, Any]:
    """Template values of the panel if it shows only who deals."""
    return {"dealers": dealer_choices(view)}


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
        event_button(view, event, event.side, view.offence(event.offence), _cost(view, event))
        for event in view.legal("strafe")
        if event.offence != "sonstige"
    )


def _cost(view: TableView, event: Strafe) -> str:
    after = apply(view.state, event)
    points = set(points_written(view.state, after).values())
    if points:
        return gettext("the others %(points)s", points=", ".join(map(with_sign, sorted(points))))
    marks = after.bummerl[event.side] - view.state.bummerl[event.side]
    return gettext("%(n)s Bummerl", n=marks)


def _other_penalties(view: TableView) -> list[PanelRow]:
    sides = [side for side in view.state.playing_sides if view.legal("strafe", side)]
    is_only_one = all(event.offence == "sonstige" for event in view.legal("strafe"))
    text = view.offence("sonstige") if is_only_one else gettext("Other offence")
    return _panel_rows(event_button(view, Strafe(side, "sonstige"), side, text) for side in sides)


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
        button = event_button(view, event, event.side, taken_up if event.agreed else refused)
        by_side.setdefault(event.side, []).append(button)
    return [*by_side.values()]
