"""The writer's buttons: `legal()` and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass

from flask_babel import gettext

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
    NeuesSpiel,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
    Strafe,
    Streichen,
    apply,
    check,
    legal,
)
from scorer.engine.scoring.worth import stakes
from scorer.engine.telling.explain import OFFENCE_NAMES
from scorer.web.table.view import View


@dataclass(frozen=True, slots=True)
class Button:
    """A legal event and what its button says."""

    event: str
    side: int | None
    who: str
    what: str
    gain: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """What a side may not do now, and why."""

    who: str
    why: str
    rule: str


class Pad(View):
    """One table with the buttons its rules allow."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._legal = legal(self.state)

    def _button(self, event: Event, side: int | None, what: str, gain: str = "") -> Button:
        who = "" if side is None else self.name(side)
        data = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))
        return Button(data, side, who, what, gain)

    def _gain(self, event: Event) -> str:
        """What an event writes to whom, by trying it."""
        before, after = self.state.points, apply(self.state, event).points
        gains = [(s, new - old) for s, (old, new) in enumerate(zip(before, after, strict=True))]
        return ", ".join(f"{self.name(side)} {delta:+d}" for side, delta in gains if delta)

    def _plus(self, event: Event, side: int) -> str:
        return f"{apply(self.state, event).points[side] - self.state.points[side]:+d}"

    @property
    def decisions(self) -> list[Button]:
        """Playing on or giving the round away."""
        decision = self.state.decision
        if decision is None:
            return []
        plays, gives = Bleiben(decision.side), Gehen(decision.side)
        worth_ = gettext("counts %(points)s", points=decision.stay)
        return [
            self._button(plays, decision.side, gettext("play on"), worth_),
            self._button(gives, decision.side, gettext("give the round away"), self._gain(gives)),
        ]

    @property
    def answers(self) -> list[Button]:
        """Staying on an open raise, or going."""
        opened = self.state.open_raise
        if opened is None:
            return []
        found = []
        for event in self._legal:
            if isinstance(event, Bleiben):
                gain = gettext("counts %(points)s", points=opened.to)
                found.append(self._button(event, event.side, self.words["stay"], gain))
            elif isinstance(event, Gehen):
                found.append(self._button(event, event.side, self.words["go"], self._gain(event)))
        return found

    @property
    def raises(self) -> list[Button | Refused]:
        """For each side that plays: the raise it may make, or why it may not."""
        state, found = self.state, list[Button | Refused]()
        if state.winner is not None or state.decision is not None:
            return found
        for side in state.active:
            event = Bieten(side)
            try:
                check(state, event)
            except Illegal as refusal:
                if state.open_raise is None or state.open_raise.side != side:
                    found.append(Refused(self.name(side), self.refusal(refusal), refusal.rule))
                continue
            to = apply(state, event).open_raise
            assert to is not None
            found.append(self._button(Bieten(side, to.to), side, f"{self.words['bid']} {to.to}"))
        return found

    @property
    def wins(self) -> list[list[Button]]:
        """Taking the round, a list of buttons a side (one a number of tricks)."""
        found: dict[int, list[Button]] = {}
        for event in self._legal:
            if isinstance(event, Gewinnt):
                what = "" if event.tricks is None else gettext("%(n)s tricks", n=event.tricks)
                button = self._button(event, event.side, what, self._plus(event, event.side))
                found.setdefault(event.side, []).append(button)
        return list(found.values())

    @property
    def quick(self) -> list[list[Button]]:
        """Taking a round whose raises nobody noted, a list of stakes a side."""
        if not self.wins:
            return []
        found = []
        for side in self.state.active:
            events = [Gewinnt(side, stake=stake) for stake in stakes(self.state)[1:]]
            found.append([self._button(e, side, "", self._plus(e, side)) for e in events])
        return [buttons for buttons in found if buttons]

    @property
    def strikes(self) -> list[Button]:
        return [
            self._button(event, event.side, gettext("have own points struck"), self._gain(event))
            for event in self._legal
            if isinstance(event, Streichen)
        ]

    @property
    def gespannt(self) -> list[Button]:
        """Who may be marked as having nothing left to bet, and what that brings the others."""
        return [
            self._button(event, event.side, gettext("nothing left to bet"), self._gain(event))
            for event in self._legal
            if isinstance(event, Gespannt)
        ]

    @property
    def penalties(self) -> list[tuple[str, list[Button]]]:
        """The offences these rules know, each with a button a side."""
        found: dict[str, list[Button]] = {}
        for event in self._legal:
            if isinstance(event, Strafe) and event.offence != "sonstige":
                button = self._button(event, event.side, "", self._penalty_gain(event))
                found.setdefault(gettext(OFFENCE_NAMES[event.offence]), []).append(button)
        return list(found.items())

    def _penalty_gain(self, event: Strafe) -> str:
        marks = apply(self.state, event).bummerl[event.side] - self.state.bummerl[event.side]
        return self._gain(event) or gettext("%(n)s Bummerl", n=marks)

    @property
    def other_penalties(self) -> list[Button]:
        """Any other offence, points to be filled in."""
        return [
            self._button(Strafe(side, "sonstige"), side, "")
            for side in self.state.active
            if any(isinstance(event, Strafe) and event.side == side for event in self._legal)
        ]

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
    def cutters(self) -> list[Button]:
        """Who may have won the cut for the first deal; asked until the game's play begins."""
        state = self.state
        again = state.game == 1 or self.rules.next_game_dealer == "cut"
        if state.dealer is not None or state.round > 1 or not state.fresh or not again:
            return []
        return [self._button(Sitzordnung(dealer=name), None, name) for name in self.seat_names]

    @property
    def cut_question(self) -> str:
        """What is asked of the `cutters`."""
        if self.rules.first_dealer == "high":
            return gettext("Who cut the higher card?")
        return gettext("Who cut the lower card?")

    def dealer_event(self, name: str) -> str:
        """The event by which `name` becomes the dealer."""
        return self._button(Sitzordnung(dealer=name), None, "").event

    @property
    def next_game(self) -> Button | None:
        if not any(isinstance(event, NeuesSpiel) for event in self._legal):
            return None
        return self._button(NeuesSpiel(), None, gettext("Next game"))

    @property
    def undo(self) -> Button | None:
        if not self.evening.can_undo:
            return None
        return self._button(self.evening.undo(), None, "")

    @property
    def redo(self) -> Button | None:
        if not self.evening.can_redo:
            return None
        return self._button(self.evening.redo(), None, "")
