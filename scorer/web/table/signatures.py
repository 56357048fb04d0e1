"""Authors and times of recorded events, confirmations, disputes and agreements."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from flask_babel import format_date
from markupsafe import Markup

from scorer.book.table_links import ROLES
from scorer.book.tables import Table
from scorer.engine import (
    Bestaetigt,
    Einig,
    Geklaert,
    NeuesSpiel,
    Strittig,
    Uebernahme,
    Zusage,
)
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.scoring.proposals import Proposal
from scorer.engine.scoring.record import moment
from scorer.engine.telling.rounds import PlayedRound, round_at
from scorer.engine.telling.slate import SlateLine
from scorer.engine.translatable import N_
from scorer.store import hash_chain
from scorer.store.roles import OPPONENT, WRITER
from scorer.web.frame.language import unbroken_numbers
from scorer.web.frame.translation import gettext
from scorer.web.table.event_permissions import THEIRS
from scorer.web.table.seat_claim import SeatClaim, newest_claim, signer

_CONFIRMATION_TEXTS: Final = {
    "nobody": N_("written"),
    "phone": N_("confirmed by the other side"),
    "program": N_("confirmed by a program with the other side's link"),
    "own": N_("confirmed on the writer's own phone"),
}
_SPEAKERS: Final = {WRITER: N_("writer"), OPPONENT: N_("other side")}
_TIME: Final = Markup('<time datetime="{}">{}</time>')
_NOTE: Final = Markup(' <small class="quiet">({})</small>')


def clock(entry: Mapping[str, Any]) -> str:
    """Time of an entry in the server's time zone."""
    time = moment(entry)
    return f"{time:%H:%M}" if time else ""


def time_of(entry: Mapping[str, Any]) -> Markup:
    """Time of an entry as HTML, which a script converts to the reader's zone; marked if only a
    phone's clock gave it."""
    time = moment(entry)
    if time is None:
        return Markup()
    mark = _NOTE.format(note) if (note := offline_note(entry)) else ""
    return shown_time(time) + mark


def shown_time(time: datetime) -> Markup:
    """:param time: with a time zone"""
    return _TIME.format(time.isoformat(), f"{time:%H:%M %Z}")


def offline_note(entry: Mapping[str, Any]) -> str:
    """Note for an entry that was recorded offline, else ""."""
    return gettext("by the phone's clock") if hash_chain.RECEIVED in entry else ""


def _round_name(played_round: PlayedRound) -> str:
    name = gettext(
        "Game %(game)s, round %(number)s", game=played_round.game, number=played_round.number
    )
    return unbroken_numbers(name)


@dataclass(frozen=True, slots=True)
class Dispute:
    of: int
    place: EventPlace | None
    """None if the round was struck out since."""
    round: str
    side: int
    """The side that disputed."""
    corrected: bool
    """Whether the round was changed after the dispute."""
    game: int | None = None
    """None if the round was struck out since."""

    def settlement(self, side: int) -> str:
        """JSON of the event by which `side` settles it."""
        return json.dumps(Geklaert(side, self.of).to_json(), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class SettledDispute:
    of: int
    place: EventPlace | None
    """None if the round was struck out since."""
    round: str
    side: int
    """The side that disputed."""
    by: int
    at: Markup

    @property
    def reopening(self) -> str:
        """JSON of the event by which `side` disputes again."""
        return json.dumps(Strittig(self.side, self.of).to_json(), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that awaits an answer, and the round that it is about."""

    proposal: Proposal
    place: EventPlace
    round: str

    def acceptance(self, side: int) -> str:
        """JSON of the event by which `side` accepts it; "" if its own party proposed it."""
        if self.proposal.is_of(side):
            return ""
        return json.dumps(Zusage(side, self.proposal.index).to_json(), separators=(",", ":"))


class Signatures:
    def __init__(self, table: Table) -> None:
        self.table = table
        self.evening = table.evening
        self.state = table.evening.state

    def line_signature(self, line: SlateLine) -> Markup:
        return self.entry_signature(self.evening.recorded[line.step.recorded_index])

    def entry_signature(self, entry: Mapping[str, Any]) -> Markup:
        parts: list[str] = [time] if (time := time_of(entry)) else []
        role, phone = signer(entry)
        if phone:
            parts += [gettext(_SPEAKERS[role])] if role in _SPEAKERS else []
            # The name is only needed where a role has several devices.
            if self._phones.get(role) != {phone}:
                parts.append(gettext("phone %(name)s", name=phone[:8]))
        elif role in ROLES:
            parts.append(gettext("signed by a program"))
        if role == OPPONENT and phone in self.writers:
            parts.append(gettext("the writer's own phone"))
        return Markup(" · ").join(parts)

    @cached_property
    def _phones(self) -> dict[str, set[str]]:
        phones: dict[str, set[str]] = {WRITER: set(), OPPONENT: set()}
        for role, phone in map(signer, self.evening.recorded):
            if phone and role in phones:
                phones[role].add(phone)
        return phones

    @property
    def writers(self) -> set[str]:
        return self._phones[WRITER]

    def phone_number(self, index: int) -> int:
        """The number of the writer's phone that recorded an event, from 1 in the order of their
        first events; 0 if there is only one, or if another phone recorded it."""
        _, phone = signer(self.evening.recorded[index])
        writer_phones = self._writer_phones
        return (
            writer_phones.index(phone) + 1
            if len(writer_phones) > 1 and phone in writer_phones
            else 0
        )

    @cached_property
    def _writer_phones(self) -> list[str]:
        """The writer's phones that recorded play, in the order of their first event."""
        steps = self.evening.steps
        signers = (signer(self.evening.recorded[step.recorded_index]) for step in steps)
        return list(dict.fromkeys(phone for role, phone in signers if phone and role == WRITER))

    @property
    def witness(self) -> str:
        """Short hash and number of the newest entry, to note down."""
        last = self.evening.recorded[-1].get("hash", "") if self.table.seq else ""
        return hash_chain.Witness(last, self.table.seq).text if last else ""

    @cached_property
    def claim(self) -> SeatClaim | None:
        """The last claim of the other side's seat from another device."""
        claim = newest_claim(self.table)
        return claim if claim is not None and claim.is_takeover else None

    @cached_property
    def recent_claim(self) -> SeatClaim | None:
        """`claim` during the current game."""
        recorded = reversed(self.evening.recorded)
        last = next(
            (e["do"] for e in recorded if e.get("do") in (Uebernahme.do, NeuesSpiel.do)), None
        )
        return self.claim if last == Uebernahme.do else None

    @property
    def date(self) -> str:
        return self._start_date("long")

    @property
    def day(self) -> str:
        return self._start_date("medium")

    def _start_date(self, date_format: str) -> str:
        recorded = self.evening.recorded
        start = moment(recorded[0]) if recorded else None
        return format_date(start, date_format) if start else ""

    @property
    def agreed(self) -> dict[int, Markup]:
        """Time of agreement to the rules by side, the latest last."""
        times: dict[int, Markup] = {}
        for step in self.evening.steps:
            # Agreement comes before play, so stop early.
            if len(times) == len(self.state.agreeing_sides):
                break
            if isinstance(step.event, Einig):
                times[step.event.side] = time_of(self.evening.recorded[step.recorded_index])
        return times

    def ticks(self, game: int) -> Markup:
        """One tick for a finished game, two if the other side confirmed it."""
        if game > len(self.state.games):
            return Markup()
        confirmation = self._confirmation(game)
        ticks = "✓" if confirmation in ("nobody", "own") else "✓✓"
        html = Markup(
            '<span class="tick" role="img" data-confirmed="{}" title="{}" aria-label="{}">{}</span>'
        )
        label = gettext(_CONFIRMATION_TEXTS[confirmation])
        tick = html.format(confirmation, label, label, ticks)
        # Weaker confirmations are also shown as text.
        return tick + (
            _NOTE.format(gettext(_CONFIRMATION_TEXTS[confirmation]))
            if confirmation in ("own", "program")
            else ""
        )

    def _signer_kind(self, entry: Mapping[str, Any]) -> str:
        """Signer for the other side: "phone", "program" or "own" (the writer's)."""
        role, phone = signer(entry)
        if phone in self.writers:
            return "own"
        return "program" if role in ROLES and not phone else "phone"

    def _confirmation(self, game: int) -> str:
        """Best confirmation of a game's current result: a key of `_CONFIRMATION_TEXTS`."""
        current = [
            (game, side, self.state.final_score(game)) for side in self.state.confirming_sides(game)
        ]
        kinds = {
            self._signer_kind(entry)
            for entry in self.evening.recorded
            if entry.get("do") == Bestaetigt.do
            and (entry["game"], entry["side"], entry["stand"]) in current
        }
        # The best of them counts.
        return next((kind for kind in ("phone", "program", "own") if kind in kinds), "nobody")

    @property
    def unconfirmed_games(self) -> list[int]:
        games = range(1, len(self.state.games) + 1)
        return [game for game in games if not self.state.confirming_sides(game)]

    @property
    def confirmable_games(self) -> list[int]:
        """The unconfirmed games that the side confirming them does not itself dispute."""
        disputed = {dispute.game for dispute in self.disputes if dispute.side in THEIRS}
        return [game for game in self.unconfirmed_games if game not in disputed]

    def is_disputed(self, line: SlateLine) -> bool:
        return any(line.first <= of <= line.step.original_index for of in self.state.disputed)

    @cached_property
    def disputes(self) -> list[Dispute]:
        return [self._dispute(of) for of in self.state.disputed]

    def _dispute(self, of: int) -> Dispute:
        disputed_round = round_at(self.evening, EventPlace(of))
        side = self._disputing_side(of)
        if disputed_round is None or not disputed_round.play:
            return Dispute(of, None, "", side, corrected=True)
        last_disputed = max(
            index
            for index, entry in enumerate(self.evening.recorded)
            if entry["do"] == Strittig.do and entry["of"] == of
        )
        corrected = any(step.recorded_index > last_disputed for step in disputed_round.steps)
        place, round_name = disputed_round.play[0].place, _round_name(disputed_round)
        return Dispute(of, place, round_name, side, corrected, disputed_round.game)

    @cached_property
    def settled_disputes(self) -> list[SettledDispute]:
        """Disputes that another side called settled during the current game."""
        newest: dict[int, Mapping[str, Any]] = {}
        # Only the current game counts, so stop early.
        for entry in reversed(self.evening.recorded):
            if entry["do"] == NeuesSpiel.do:
                break
            if entry["do"] in (Strittig.do, Geklaert.do):
                newest.setdefault(entry["of"], entry)
        settled_entries = [
            entry for entry in reversed(newest.values()) if entry["do"] == Geklaert.do
        ]
        disputing_sides = ((entry, self._disputing_side(entry["of"])) for entry in settled_entries)
        return [
            self._settled_dispute(entry, side)
            for entry, side in disputing_sides
            if side != entry["side"]
        ]

    def _disputing_side(self, of: int) -> int:
        newest_first = reversed(self.evening.recorded)
        return int(
            next(e["side"] for e in newest_first if e["do"] == Strittig.do and e["of"] == of)
        )

    def _settled_dispute(self, entry: Mapping[str, Any], side: int) -> SettledDispute:
        disputed_round = round_at(self.evening, EventPlace(entry["of"]))
        place, round_name = None, gettext("A round that was taken back")
        if disputed_round is not None and disputed_round.play:
            place, round_name = disputed_round.play[0].place, _round_name(disputed_round)
        return SettledDispute(entry["of"], place, round_name, side, entry["side"], time_of(entry))

    def has_proposal(self, line: SlateLine) -> bool:
        round_indices = range(line.first, line.step.original_index + 1)
        return any(proposal.correction.of in round_indices for proposal in self._open_proposals)

    @cached_property
    def _open_proposals(self) -> tuple[Proposal, ...]:
        return self.evening.proposals.open

    @property
    def proposals(self) -> list[OpenProposal]:
        open_proposals = []
        for proposal in self._open_proposals:
            proposal_round = round_at(self.evening, EventPlace(proposal.correction.of))
            if proposal_round is not None and proposal_round.play:
                place = proposal_round.play[0].place
                open_proposals.append(OpenProposal(proposal, place, _round_name(proposal_round)))
        return open_proposals

    @property
    def all_agreed(self) -> Markup:
        """Time at which the last side agreed to the rules; empty while one has not."""
        agreed = self.agreed
        return [*agreed.values()][-1] if len(agreed) == len(self.state.points) else Markup()
