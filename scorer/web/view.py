"""What the templates show of a table: names, marks, and the buttons the rules allow."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask_babel import gettext
from markupsafe import Markup

from scorer.engine import (
    Ansage,
    Bestaetigt,
    Bieten,
    Bleiben,
    Einig,
    Event,
    Gehen,
    Geklaert,
    Gewinnt,
    Illegal,
    Korrektur,
    NeuesSpiel,
    Reason,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
    State,
    Strafe,
    Streichen,
    Strittig,
    apply,
    check,
    legal,
    load,
    parse,
)
from scorer.engine.explain import OFFENCE_NAMES, reason_text, refusal_text, side_name
from scorer.engine.procedure import all_redeal, roles
from scorer.engine.rounds import Outcome
from scorer.engine.rules import turned
from scorer.engine.sheet import Line, Rung, ladder, lines, running, worth
from scorer.engine.worth import stakes
from scorer.tables import Table
from scorer.web.card_names import FARBEN, SCHLAEGE
from scorer.web.language import words
from scorer.web.switches import SWITCH_NAMES, shown_value


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


@dataclass(frozen=True, slots=True)
class Column:
    """One side's column of the slate."""

    side: int
    name: str
    players: tuple[str, ...]
    points: int
    near: bool
    bummerl: int
    marks: tuple[int, ...]
    """The Bummerl as they came: 1 a dot, 2 a pair of scissors, 4 two pairs."""
    sits_out: bool
    won: bool


class View:
    """One table as it stands, in the reader's language."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.evening = table.evening
        self.state: State = table.evening.state
        self.rules = self.state.rules
        self.seq = table.seq
        self.words = words(self.rules.id)
        self._legal = legal(self.state)

    # The slate

    def name(self, side: int) -> str:
        """What a side is called."""
        return side_name(self.state.sides, side, gettext)

    @property
    def columns(self) -> list[Column]:
        state = self.state
        return [
            Column(
                side,
                self.name(side),
                state.sides[side].players,
                state.points[side],
                state.near[side],
                state.bummerl[side],
                self._marks(side),
                state.sits_out == side,
                state.winner == side,
            )
            for side in range(len(state.points))
        ]

    def _marks(self, side: int) -> tuple[int, ...]:
        start = self.evening.head.bummerl[side]
        return (1,) * start + tuple(g.bummerl[side] for g in self.state.games if g.bummerl[side])

    def lines(self, game: int | None = None) -> list[Line]:
        return lines(self.evening, game)

    @property
    def games(self) -> range:
        """The numbers of the evening's games, newest first."""
        return range(self.state.game, 0, -1)

    @property
    def dealer(self) -> str | None:
        state = self.state
        if state.dealer is None:
            return None
        side, player = state.seats[state.dealer]
        return player or self.name(side)

    @property
    def procedure(self) -> str:
        """Who deals, cuts and names the Schlag, where every seat has a name."""
        state = self.state
        seats = [at for at, (side, _) in enumerate(state.seats) if side != state.sits_out]
        names = [state.seats[seat][1] for seat in seats]
        players = {player for side in state.sides for player in side.players}
        if state.dealer not in seats or not players.issuperset(names):
            return ""
        who = roles(state.rules, len(seats), seats.index(state.dealer), state.swapped)
        line = gettext(
            "%(dealer)s deals, %(cutter)s cuts, %(schlag)s names the Schlag",
            dealer=names[who.deals],
            cutter=names[who.cuts],
            schlag=names[who.schlag],
        )
        return f"{line} · {self._redealt}" if state.schoenere else line

    @property
    def _redealt(self) -> str:
        """Who got new cards at the last request for better ones."""
        if all_redeal(self.rules, self.state.schoenere):
            return gettext("all four get new cards")
        return gettext("the announcers get new cards")

    @property
    def seat_names(self) -> list[str]:
        """The names by which a dealer can be chosen."""
        return [player for _, player in self.state.seats if player]

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """The raises of the running round so far."""
        return ladder(running(self.evening))

    def rung_text(self, rung: Rung) -> str:
        """One step of the ladder in words."""
        verb = {
            "bieten": self.words["bid"],
            "bleiben": self.words["stay"],
            "gehen": self.words["go"],
            "bleiben-decision": gettext("play for"),
            "gehen-decision": gettext("give away"),
        }[rung.do]
        number = f" {rung.value}" if rung.do in ("bieten", "bleiben-decision") else ""
        return f"{self.name(rung.side)}: {verb}{number}"

    @property
    def announced(self) -> str:
        """Trump and Schlag as far as they were noted."""
        farbe, schlag = self.state.trumpf, self.state.schlag
        return " ".join(
            str(name) for name in (farbe and FARBEN[farbe], schlag and SCHLAEGE[schlag]) if name
        )

    def written(self, line: Line) -> str:
        """When a line was written, and on which phone."""
        return self.signed(self.evening.recorded[line.step.recorded])

    def signed(self, entry: Mapping[str, Any]) -> str:
        """When something was recorded, and on which phone."""
        parts = [at] if (at := self._clock(entry)) else []
        _, _, phone = str(entry.get("by", "")).partition(" ")
        if phone:
            parts.append(gettext("phone %(name)s", name=phone))
        return " · ".join(parts)

    @staticmethod
    def _clock(entry: Mapping[str, Any]) -> str:
        """When something was recorded, in the clock of the machine that serves: it stands in the
        same room or country."""
        at = entry.get("at")
        return f"{datetime.fromisoformat(at).astimezone():%H:%M}" if at else ""

    @property
    def agreed(self) -> dict[int, str]:
        """The sides that agreed to the rules, and when."""
        return {
            step.event.side: self._clock(self.evening.recorded[step.recorded])
            for step in self.evening.steps
            if isinstance(step.event, Einig)
        }

    def ticks(self, game: int) -> Markup:
        """One tick for a game that is written, two for one the other side confirmed."""
        if game > len(self.state.games):
            return Markup()
        sure = bool(self.state.confirms(game))
        words = gettext("confirmed by the other side") if sure else gettext("written")
        return Markup('<span class="tick" role="img" aria-label="{}">{}</span>').format(
            words, "✓✓" if sure else "✓"
        )

    @property
    def to_confirm(self) -> dict[str, Any] | None:
        """The newest finished game that nobody confirmed, with what would be confirmed."""
        game = len(self.state.games)
        if not game or self.state.confirms(game):
            return None
        return {"game": game, "stand": ":".join(map(str, self.state.games[-1].points))}

    def disputed(self, line: Line) -> bool:
        """Whether the round of a line is in dispute."""
        return any(line.first <= of <= line.step.source for of in self.state.disputed)

    @property
    def turned(self) -> list[dict[str, Any]]:
        """The house rules of this table, beside what its region has."""
        own = load(self.rules.id)
        return [
            {
                "label": SWITCH_NAMES.get(name, name),
                "value": shown_value(name, value),
                "own": shown_value(name, getattr(own, name)),
                "rules": self.rules.cite(name),
            }
            for name, value in turned(self.rules).items()
        ]

    # The court

    def entry_text(self, entry: Mapping[str, Any]) -> str:
        """A recorded event in words."""
        return self.event_text(parse(entry))

    def event_text(self, event: Event) -> str:
        """An event in words."""
        if isinstance(event, Korrektur):
            texts = [self.event_text(item) for item in event.with_]
            if not texts:
                return gettext("struck out")
            return gettext("corrected to: %(events)s", events="; ".join(texts))
        verb = self._verb(event)
        side = getattr(event, "side", None)
        return verb if side is None else f"{self.name(side)}: {verb}"

    def _verb(self, event: Event) -> str:
        match event:
            case Bieten():
                return f"{self.words['bid']} {event.to or ''}".strip()
            case Bleiben():
                return self.words["stay"]
            case Gehen():
                return self.words["go"]
            case Gewinnt(stake=None, tricks=None):
                return gettext("took the round")
            case Gewinnt(stake=None):
                return gettext("%(n)s tricks", n=event.tricks)
            case Gewinnt():
                return gettext("took the round at %(stake)s", stake=event.stake)
            case Strafe():
                return gettext(OFFENCE_NAMES[event.offence])
            case Streichen():
                return gettext("have own points struck")
            case NeuesSpiel():
                return gettext("Next game")
            case SetztAus():
                return gettext("sits out")
            case Ansage():
                names = (
                    event.trumpf and FARBEN[event.trumpf],
                    event.schlag and SCHLAEGE[event.schlag],
                )
                return " ".join(str(name) for name in names if name)
            case Schoenere() | Schlagtausch():
                better = isinstance(event, Schoenere)
                title = gettext("Better cards") if better else gettext("Role swap")
                return f"{title}: {self._answered(event)}"
            case Einig():
                return gettext("agreed")
            case Bestaetigt():
                return gettext("confirmed %(stand)s", stand=event.stand)
            case Strittig():
                return gettext("in dispute")
            case Geklaert():
                return gettext("settled")
            case _:
                return gettext("Names and seats")

    @staticmethod
    def _answered(event: Schoenere | Schlagtausch) -> str:
        return gettext("asked, agreed") if event.agreed else gettext("asked, refused")

    def outcome_text(self, outcome: Outcome) -> str:
        """A way a round may have gone, on its button."""
        if outcome.how == "folded":
            return f"{outcome.gain:+d} ({outcome.stake} {self.words['went']})"
        if outcome.how == "declined":
            return f"{outcome.gain:+d} ({gettext('given away')})"
        tricks = getattr(outcome.events[-1], "tricks", None)
        return f"{outcome.gain:+d}" + (f" ({tricks})" if tricks else "")

    @staticmethod
    def as_json(events: Sequence[Event]) -> str:
        return json.dumps([event.to_json() for event in events], separators=(",", ":"))

    # Why

    @property
    def worth(self) -> list[tuple[str, tuple[str, ...]]]:
        return self.sentences(worth(self.evening))

    def sentences(self, reasons: Sequence[Reason]) -> list[tuple[str, tuple[str, ...]]]:
        """Each reason as a sentence with the rules it rests on."""
        near = self.words["near"]
        return [(reason_text(r, self.state, near, gettext), r.rules) for r in reasons]

    def refusal(self, refusal: Illegal) -> str:
        return refusal_text(refusal, self.state, self.words["near"], gettext)

    # The buttons: `legal()` and nothing else

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
                found["schlag"].append((event.schlag, str(SCHLAEGE[event.schlag])))
            elif isinstance(event, Ansage) and event.trumpf:
                found["trumpf"].append((event.trumpf, str(FARBEN[event.trumpf])))
        return found if found["schlag"] else None

    @property
    def requests(self) -> list[tuple[str, list[Button]]]:
        """Asking for better cards or for the other role, and what was answered."""
        titles = {Schoenere: gettext("Better cards"), Schlagtausch: gettext("Role swap")}
        found: dict[str, list[Button]] = {}
        for event in self._legal:
            if isinstance(event, Schoenere | Schlagtausch):
                button = self._button(event, event.side, self._answered(event))
                found.setdefault(titles[type(event)], []).append(button)
        return list(found.items())

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
