"""Who signed what at a table and when: what was written, confirmed, disputed and agreed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from flask_babel import format_date
from markupsafe import Markup

from scorer.book.tables import ROLES, Table
from scorer.engine import Bestaetigt, Einig, Geklaert, NeuesSpiel, Strittig, Uebernahme
from scorer.engine.scoring.effective_events import Spot
from scorer.engine.scoring.proposals import Proposal
from scorer.engine.scoring.record import moment
from scorer.engine.telling.rounds import PlayedRound, round_at
from scorer.engine.telling.slate import SlateLine
from scorer.engine.translatable import N_
from scorer.store import hash_chain
from scorer.web.frame.translation import gettext
from scorer.web.table.seat_claim import Hold, newest, signer

_CONFIRMED: Final = {
    "nobody": N_("written"),
    "phone": N_("confirmed by the other side"),
    "program": N_("confirmed by a program with the other side's link"),
    "own": N_("confirmed on the writer's own phone"),
}
_SPEAKERS: Final = {"scorer": N_("writer"), "opponent": N_("other side")}
_TIME: Final = Markup('<time datetime="{}">{}</time>')
_ASIDE: Final = Markup(' <small class="quiet">({})</small>')


def clock(entry: Mapping[str, Any]) -> str:
    """When something was recorded, in the clock of the machine that serves: it stands in the same
    room or country."""
    at = moment(entry)
    return f"{at:%H:%M}" if at else ""


def told(entry: Mapping[str, Any]) -> Markup:
    """The same with its zone: a page's script tells it by the clock of the phone that reads. A time
    that only a phone has noted is marked as that."""
    at = moment(entry)
    if at is None:
        return Markup()
    mark = _ASIDE.format(by_phone) if (by_phone := phones_clock(entry)) else ""
    return _TIME.format(at.isoformat(), f"{at:%H:%M %Z}") + mark


def phones_clock(entry: Mapping[str, Any]) -> str:
    """Whose clock the time of an entry is by, where it was brought home by a phone; else ""."""
    return gettext("by the phone's clock") if hash_chain.RECEIVED in entry else ""


def _called(about: PlayedRound) -> str:
    return gettext("Game %(game)s, round %(number)s", game=about.game, number=about.number)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A round in dispute."""

    of: int
    """The recorded event that was disputed."""
    spot: Spot | None
    """Where its round is found; None where it was struck out since."""
    round: str
    corrected: bool
    """Whether something else stands there since it was disputed."""

    def settled(self, side: int) -> str:
        """The event by which a side says that it is settled."""
        return json.dumps(Geklaert(side, self.of).to_json(), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Closed:
    """A dispute that another side than the one that began it called settled."""

    of: int
    """The recorded event that was disputed."""
    spot: Spot | None
    """Where its round is found; None where it was struck out since."""
    round: str
    side: int
    """Whose dispute it was."""
    by: int
    at: Markup

    @property
    def again(self) -> str:
        """The event by which that side says that it is not."""
        return json.dumps(Strittig(self.side, self.of).to_json(), separators=(",", ":"))


class Signatures:
    """What stands signed in the record of a table, in the reader's language."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.evening = table.evening
        self.state = table.evening.state

    def written(self, line: SlateLine) -> Markup:
        """When a line was written, and on which phone."""
        return self.signed(self.evening.recorded[line.step.recorded])

    def signed(self, entry: Mapping[str, Any]) -> Markup:
        """When something was recorded, and on which phone."""
        parts: list[str] = [at] if (at := told(entry)) else []
        role, phone = signer(entry)
        if phone:
            parts += [gettext(_SPEAKERS[role])] if role in _SPEAKERS else []
            # Its name is told where it tells two phones of one role apart.
            if self._phones.get(role) != {phone}:
                parts.append(gettext("phone %(name)s", name=phone[:8]))
        elif role in ROLES:
            parts.append(gettext("signed by a program"))
        if role == "opponent" and phone in self.writers:
            parts.append(gettext("the writer's own phone"))
        return Markup(" · ").join(parts)

    @cached_property
    def _phones(self) -> dict[str, set[str]]:
        """The phones that signed on this evening, by role."""
        found: dict[str, set[str]] = {"scorer": set(), "opponent": set()}
        for role, phone in map(signer, self.evening.recorded):
            if phone and role in found:
                found[role].add(phone)
        return found

    @property
    def writers(self) -> set[str]:
        """The phones that wrote on this evening."""
        return self._phones["scorer"]

    @property
    def witness(self) -> str:
        """The short hash of the newest entry and its number, for whoever watches to remember."""
        last = self.evening.recorded[-1].get("hash", "") if self.table.seq else ""
        return hash_chain.Witness(last, self.table.seq).text if last else ""

    @cached_property
    def taken(self) -> Hold | None:
        """The phone that last took the other side's link from another, if any did."""
        found = newest(self.table)
        return found if found is not None and found.again else None

    @cached_property
    def just_taken(self) -> Hold | None:
        """The same, while the game runs in which it did: all who watch should know of it."""
        recorded = reversed(self.evening.recorded)
        last = next(
            (e["do"] for e in recorded if e.get("do") in (Uebernahme.do, NeuesSpiel.do)), None
        )
        return self.taken if last == Uebernahme.do else None

    @property
    def date(self) -> str:
        """The day the evening began."""
        return self._began("long")

    @property
    def day(self) -> str:
        """The same, where there is little room for it."""
        return self._began("medium")

    def _began(self, form: str) -> str:
        recorded = self.evening.recorded
        at = moment(recorded[0]) if recorded else None
        return format_date(at, form) if at else ""

    @property
    def agreed(self) -> dict[int, Markup]:
        """The sides that agreed to the rules, and when; who did last is last."""
        found: dict[int, Markup] = {}
        for step in self.evening.steps:
            # It is said before play: the rest of the evening need not be looked through.
            if len(found) == len(self.state.agreed):
                break
            if isinstance(step.event, Einig):
                found[step.event.side] = told(self.evening.recorded[step.recorded])
        return found

    def ticks(self, game: int) -> Markup:
        """One tick for a game that is written, two for one the other side confirmed."""
        if game > len(self.state.games):
            return Markup()
        who = self._confirmed(game)
        ticks = "✓" if who in ("nobody", "own") else "✓✓"
        html = Markup(
            '<span class="tick" role="img" data-confirmed="{}" title="{}" aria-label="{}">{}</span>'
        )
        said = gettext(_CONFIRMED[who])
        tick = html.format(who, said, said, ticks)
        # What is worth less is said for all to read.
        return tick + (_ASIDE.format(gettext(_CONFIRMED[who])) if who in ("own", "program") else "")

    def _kind(self, entry: Mapping[str, Any]) -> str:
        """What signed for the other side: its phone, a program, or the writer's own phone."""
        role, phone = signer(entry)
        if phone in self.writers:
            return "own"
        return "program" if role in ROLES and not phone else "phone"

    def _confirmed(self, game: int) -> str:
        """Who confirmed a game as it now stands: nobody, the other side's phone, a program, or the
        writer's own."""
        said = [(game, side, self.state.stand(game)) for side in self.state.confirms(game)]
        found = {
            self._kind(entry)
            for entry in self.evening.recorded
            if entry.get("do") == Bestaetigt.do
            and (entry["game"], entry["side"], entry["stand"]) in said
        }
        # The best of them counts.
        return next((who for who in ("phone", "program", "own") if who in found), "nobody")

    @property
    def unconfirmed(self) -> list[int]:
        """The finished games that nobody confirmed as they now stand."""
        games = range(1, len(self.state.games) + 1)
        return [game for game in games if not self.state.confirms(game)]

    def disputed(self, line: SlateLine) -> bool:
        """Whether the round of a line is in dispute."""
        return any(line.first <= of <= line.step.source for of in self.state.disputed)

    @cached_property
    def disputes(self) -> list[Dispute]:
        """The rounds in dispute, in the order they came to be."""
        return [self._dispute(of) for of in self.state.disputed]

    def _dispute(self, of: int) -> Dispute:
        about = round_at(self.evening, Spot(of))
        if about is None or not about.play:
            return Dispute(of, None, "", corrected=True)
        said = max(
            at
            for at, entry in enumerate(self.evening.recorded)
            if entry["do"] == Strittig.do and entry["of"] == of
        )
        corrected = any(step.recorded > said for step in about.steps)
        return Dispute(of, about.play[0].spot, _called(about), corrected)

    @cached_property
    def closed(self) -> list[Closed]:
        """The disputes that were called settled by others than whose they were, while the game runs
        in which that was said: whoever disputed should know of it."""
        said: dict[int, Mapping[str, Any]] = {}
        # What was said before this game is no news: the rest need not be looked through.
        for entry in reversed(self.evening.recorded):
            if entry["do"] == NeuesSpiel.do:
                break
            if entry["do"] in (Strittig.do, Geklaert.do):
                said.setdefault(entry["of"], entry)
        settled = [entry for entry in reversed(said.values()) if entry["do"] == Geklaert.do]
        begun = ((entry, self._begun(entry["of"])) for entry in settled)
        return [self._closed(entry, side) for entry, side in begun if side != entry["side"]]

    def _begun(self, of: int) -> int:
        """Whose the newest dispute about a recorded event is."""
        told = reversed(self.evening.recorded)
        return int(next(e["side"] for e in told if e["do"] == Strittig.do and e["of"] == of))

    def _closed(self, entry: Mapping[str, Any], side: int) -> Closed:
        about = round_at(self.evening, Spot(entry["of"]))
        spot, called = None, gettext("A round that was taken back")
        if about is not None and about.play:
            spot, called = about.play[0].spot, _called(about)
        return Closed(entry["of"], spot, called, side, entry["side"], told(entry))

    def proposed(self, line: SlateLine) -> bool:
        """Whether a change of a line's round waits for the other side's yes."""
        about = range(line.first, line.step.source + 1)
        return any(proposal.correction.of in about for proposal in self._open)

    @cached_property
    def _open(self) -> tuple[Proposal, ...]:
        """The changes that nobody has answered."""
        return self.evening.proposals.open

    @property
    def proposals(self) -> list[tuple[Spot, str]]:
        """The changes that wait for a yes: where each was recorded, and the round it is about."""
        found = []
        for proposal in self._open:
            about = round_at(self.evening, Spot(proposal.correction.of))
            if about is not None and about.play:
                found.append((about.play[0].spot, _called(about)))
        return found

    @property
    def all_agreed(self) -> Markup:
        """When the last side agreed to the rules; nothing while one has not."""
        agreed = self.agreed
        return [*agreed.values()][-1] if len(agreed) == len(self.state.points) else Markup()
