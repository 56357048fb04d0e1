"""The writer's buttons: `legal()` and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Final

from markupsafe import Markup, escape

from scorer.book.tables import Table
from scorer.engine import (
    Ansage,
    Bieten,
    Bleiben,
    Event,
    Gehen,
    Gespannt,
    Gewinnt,
    Illegal,
    Korrektur,
    NeuesSpiel,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
    State,
    Strafe,
    Streichen,
    Zusage,
    apply,
    check,
    legal,
    parse,
)
from scorer.engine.scoring.stakes import lock, next_raise, stakes
from scorer.web.frame.language import signed
from scorer.web.frame.translation import gettext
from scorer.web.table.story import Story
from scorer.web.table.view import DID


@dataclass(frozen=True, slots=True)
class Button:
    """What a tap records, and what its button says."""

    event: str
    """One event as JSON, or a list of events that are recorded one after the other."""
    side: int | None
    who: str
    what: str
    gain: str = ""
    to: str = ""
    """Who gets what it writes, where that is not the side itself."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A side's own column of buttons: whatever it may do stands there and nowhere else."""

    side: int
    name: str
    raises: Button | None
    refused: str
    """Why it may not raise, where it may not."""
    beside: tuple[Button, ...]
    """What its state asks for at once: streichen."""
    gives: Button | None
    """Giving the round away unplayed."""
    answers: tuple[Button, ...]
    waits: str
    """What it waits for, where the other side has to answer."""
    wins: tuple[Button, ...]
    quick: tuple[Button, ...]
    """Rounds whose raises nobody noted, by what they were played for."""


MOST_QUICK: Final = 3
"""How many such rounds stand on the pad; all of them stand behind "more"."""
MOST_STAKES: Final = 7
"""How many of them there are at most."""
_json: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Pad(Story):
    """One table with the buttons its rules allow."""

    def __init__(self, table: Table, ours: bool = True) -> None:
        super().__init__(table, ours)

    @cached_property
    def _legal(self) -> tuple[Event, ...]:
        return legal(self.state)

    def _button(
        self, event: Event | Sequence[Event], side: int | None, what: str, gain: str = ""
    ) -> Button:
        who = "" if side is None else self.name(side)
        events = event if isinstance(event, Sequence) else [event]
        data = [tapped.to_json() for tapped in events]
        wanted = data if isinstance(event, Sequence) else data[0]
        return Button(_json(wanted), side, who, what, gain)

    def _gains(self, before: State, after: State) -> str:
        found = _written(before, after).items()
        return ", ".join(f"{self.name(side)} {signed(delta)}" for side, delta in found)

    def _priced(self, event: Event, side: int, what: str, after: State | None = None) -> Button:
        """A button that says what its event writes, and to whom.

        :param after: what the event leads to, where that has been tried
        """
        after = after or apply(self.state, event)
        found = list(_written(self.state, after).items())
        button = self._button(event, side, what, self._gains(self.state, after))
        if len(found) != 1:
            return button
        [(to, delta)] = found
        return replace(button, gain=signed(delta), to="" if to == side else self.name(to))

    def _plus(self, event: Event, side: int, state: State | None = None) -> str:
        state = state or self.state
        return signed(event.written(state).points[side] - state.points[side])

    @cached_property
    def lanes(self) -> list[Lane]:
        """The columns of buttons of the sides that play."""
        return [self._lane(side) for side in self.state.active] if not self.over else []

    def answering(self, sides: Sequence[int]) -> list[Lane]:
        """What these sides may say of the bidding from their own phone."""
        found = [
            replace(lane, beside=(), wins=(), quick=()) for lane in self.lanes if lane.side in sides
        ]
        return [lane for lane in found if lane.raises or lane.answers]

    def _lane(self, side: int) -> Lane:
        raises, refused = self._raise(side)
        return Lane(
            side,
            self.name(side),
            raises,
            refused,
            tuple(self._strike(side)),
            self._gives(side),
            (*self._plays(side), *self._answers(side)),
            self._waits(side),
            tuple(self._wins.get(side, ())),
            tuple(self._quick(side, MOST_QUICK)),
        )

    def _raise(self, side: int) -> tuple[Button | None, str]:
        """The raise a side may make, or why it may not."""
        state, event = self.state, Bieten(side)
        if state.decision is not None:
            return None, self._held(side)
        try:
            check(state, event)
        except Illegal as refusal:
            own = state.open_raise is not None and state.open_raise.side == side
            return None, "" if own else self.refusal(refusal)
        to = next_raise(state)
        return self._button(Bieten(side, to), side, f"{self.words['bid']} {to}"), ""

    def _held(self, side: int) -> str:
        """Why a side may not raise while one is asked whether it plays."""
        if held := lock(self.state, side):
            return self.refusal(Illegal(held.code, side=side, other=held.side))
        return self.asked.text if self.asked and self.asked.side == side else ""

    def _gives(self, side: int) -> Button | None:
        decision = self.state.decision
        if decision is None or decision.side != side:
            return None
        return self._priced(Gehen(side), side, self.words["give"])

    def _plays(self, side: int) -> Iterator[Button]:
        """Playing a round that may be given away, without saying yet who takes it."""
        decision = self.state.decision
        if decision is not None and decision.side == side:
            counts = gettext("counts %(points)s", points=decision.stay)
            yield self._button(Bleiben(side), side, self.words["hold"], counts)

    def _answers(self, side: int) -> Iterator[Button]:
        """Staying on an open raise, or going."""
        opened = self.state.open_raise
        if opened is None:
            return
        for event in self._legal:
            if isinstance(event, Bleiben) and event.side == side:
                gain = gettext("counts %(points)s", points=opened.to)
                yield self._button(event, side, self.words["stay"], gain)
            elif isinstance(event, Gehen) and event.side == side:
                yield self._priced(event, side, self.words["go"])

    def _waits(self, side: int) -> str:
        opened = self.state.open_raise
        if opened is None or opened.side != side:
            return ""
        return f"{self.words['bid']} {opened.to}"

    @cached_property
    def _wins(self) -> dict[int, list[Button]]:
        """Taking the round, a list of buttons a side (one a number of tricks).

        Where a side is asked whether it plays, taking the round says that it did.
        """
        plays = [Bleiben(side) for side in self.state.undecided]
        try:
            state = reduce(apply, plays, self.state)
        except Illegal:
            return {}
        found: dict[int, list[Button]] = {}
        for event in legal(state) if plays else self._legal:
            if isinstance(event, Gewinnt):
                what = "" if event.tricks is None else gettext("%(n)s tricks", n=event.tricks)
                taken = [*plays, event] if plays else event
                plus = self._plus(event, event.side, state)
                button = self._button(taken, event.side, what, plus)
                found.setdefault(event.side, []).append(button)
        return found

    def _quick(self, side: int, most: int = MOST_STAKES) -> list[Button]:
        """Taking a round whose raises nobody noted, a button a stake."""
        if self.state.decision is not None or side not in self._wins:
            return []
        events = [Gewinnt(side, stake=stake) for stake in self._stakes[1 : most + 1]]
        return [self._button(event, side, "", self._plus(event, side)) for event in events]

    @cached_property
    def _stakes(self) -> tuple[int, ...]:
        """What the running round may have been played for, the plain one first."""
        return stakes(self.state, MOST_STAKES + 1)

    @property
    def quick(self) -> list[list[Button]]:
        """All rounds whose raises nobody noted, a list of stakes a side."""
        return [found for side in self.state.active if (found := self._quick(side))]

    def _strike(self, side: int) -> Iterator[Button]:
        for event in self._legal:
            if isinstance(event, Streichen) and event.side == side:
                yield self._priced(event, side, gettext("have own points struck"))

    @property
    def gespannt(self) -> list[Button]:
        """Who may be marked as having nothing left to bet, and what that brings the others."""
        return [
            self._priced(event, event.side, gettext("nothing left to bet"))
            for event in self._legal
            if isinstance(event, Gespannt)
        ]

    @property
    def penalties(self) -> list[tuple[str, list[Button]]]:
        """The offences these rules know, each with a button a side."""
        found: dict[str, list[Button]] = {}
        for event in self._legal:
            if isinstance(event, Strafe) and event.offence != "sonstige":
                button = self._penalty(event)
                found.setdefault(self.offence(event.offence), []).append(button)
        return list(found.items())

    def _penalty(self, event: Strafe) -> Button:
        after = apply(self.state, event)
        button = self._priced(event, event.side, "", after)
        marks = after.bummerl[event.side] - self.state.bummerl[event.side]
        return button if button.gain else replace(button, gain=gettext("%(n)s Bummerl", n=marks))

    @property
    def other_penalties(self) -> list[Button]:
        """Any other offence, points to be filled in, and who gets them."""
        return [
            self._button(Strafe(side, "sonstige"), side, "", self._points_to(side))
            for side in self.state.active
            if any(isinstance(event, Strafe) and event.side == side for event in self._legal)
        ]

    def _points_to(self, offender: int) -> str:
        """Who gets the points that are filled in."""
        others = map(self.name, self.state.others(offender))
        return ", ".join(gettext("%(name)s + points", name=name) for name in others)

    @property
    def sitting_out(self) -> list[Button]:
        return [
            self._button(event, event.side, gettext("sits out"))
            for event in self._legal
            if isinstance(event, SetztAus) and event.side != self.state.sits_out
        ]

    @property
    def announcements(self) -> dict[str, list[tuple[str, str]]] | None:
        """The ranks and suits that may be noted as announced."""
        found: dict[str, list[tuple[str, str]]] = {"schlag": [], "trumpf": []}
        for event in self._legal:
            if isinstance(event, Ansage) and event.schlag:
                found["schlag"].append((event.schlag, self.rank(event.schlag)))
            elif isinstance(event, Ansage) and event.trumpf:
                found["trumpf"].append((event.trumpf, self.suit(event.trumpf)))
        return found if found["schlag"] else None

    @property
    def requests(self) -> list[tuple[str, list[Button]]]:
        """Asking for better cards or for the other role, and what was answered."""
        titles = {Schoenere: gettext("Better cards"), Schlagtausch: gettext("Role swap")}
        found: dict[str, list[Button]] = {}
        for event in self._legal:
            if isinstance(event, Schoenere | Schlagtausch):
                button = self._button(event, event.side, self.answered(event))
                found.setdefault(titles[type(event)], []).append(button)
        return list(found.items())

    @property
    def cutters(self) -> list[tuple[str, str]]:
        """Who may have won the cut for the first deal; asked until the game's play begins."""
        state = self.state
        again = state.game == 1 or self.rules.next_game_dealer == "cut"
        if state.dealer is not None or state.round > 1 or not state.fresh or not again:
            return []
        return self.dealers

    @property
    def dealers(self) -> list[tuple[str, str]]:
        """Who may deal, and the event that says so; none for a seat that wants a name first."""
        return [
            (who, self._button(Sitzordnung(dealer=name), None, "").event if name else "")
            for who, name in self.seats.chosen
        ]

    @property
    def cut_question(self) -> str:
        """What is asked of the `cutters`."""
        if self.rules.first_dealer == "high":
            return gettext("Who cut the higher card?")
        return gettext("Who cut the lower card?")

    @property
    def next_game(self) -> Button | None:
        if not any(isinstance(event, NeuesSpiel) for event in self._legal):
            return None
        return self._button(NeuesSpiel(), None, gettext("Rematch"))

    # Back and forth

    @property
    def undo(self) -> Button | None:
        """Taking back the last thing done, called by what it is."""
        index = self.evening.undoes
        if index is None:
            return None
        undo, what = self.evening.undo(), self._done(index)
        if undo.through is not None:
            what = Markup("{}, {}").format(self.words["held"], what)
        return self._button(undo, None, what)

    @property
    def redo(self) -> Button | None:
        """Bringing back what was taken back last, called by what it is."""
        index = self.evening.redoes
        if index is None:
            return None
        return self._button(self.evening.redo(), None, self._done(index))

    def _done(self, index: int) -> Markup:
        """What was recorded at `index`, as short as a button wants it."""
        recorded = self.evening.recorded[index]
        if recorded["do"] in (Korrektur.do, Zusage.do):
            return escape(gettext("correction"))
        step = next((s for s in reversed(self.evening.steps) if s.source == index), None)
        event = step.event if step else parse(recorded)
        before = step.before if step else self.state
        try:
            after = step.after if step else apply(before, event)
        except Illegal:
            return self.event_done(event)
        return self._brought(event, before, after) or self.event_done(event)

    def _brought(self, event: Event, before: State, after: State) -> Markup:
        """What an event wrote to whom, and whether that was a penalty."""
        why = gettext("penalty") if isinstance(event, Strafe) else ""
        return Markup(", ").join(
            DID.format(who=self.name(side), what=f"{signed(delta)} {why}".rstrip())
            for side, delta in _written(before, after).items()
        )


def _written(before: State, after: State) -> dict[int, int]:
    """What was written between two states of a game, by side."""
    if before.game != after.game:
        return {}
    gains = enumerate(zip(before.points, after.points, strict=True))
    return {side: new - old for side, (old, new) in gains if new != old}
