"""Authors and times of recorded events, confirmations of results, agreement to the rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from functools import cached_property
from typing import Any, Final

from markupsafe import Markup

from scorer.book.table_links import ROLES
from scorer.book.tables import Table
from scorer.engine import (
    Bestaetigt,
    Einig,
    NeuesSpiel,
    Uebernahme,
)
from scorer.engine.scoring.record import entry_time
from scorer.engine.telling.slate import SlateLine
from scorer.engine.translatable import N_
from scorer.store import hash_chain
from scorer.store.roles import OPPONENT, WRITER
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.entry_times import NOTE, time_of
from scorer.web.frame.language import date_text
from scorer.web.frame.translation import gettext
from scorer.web.table.seat_claim import SeatClaim, newest_claim

_CONFIRMATION_TEXTS: Final = {
    "phone": N_("confirmed by the other side"),
    "program": N_("confirmed by a program with the other side's link"),
    "own": N_("confirmed on the scorekeeper's own phone"),
}
_SPEAKERS: Final = {WRITER: N_("scorekeeper"), OPPONENT: N_("other side")}


class EntryAuthors:
    """The authors and times of a table's entries, and what the sides have confirmed."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.evening = table.evening
        self.state = table.evening.state

    def line_signature(self, line: SlateLine) -> Markup:
        return self.entry_signature(self.evening.recorded[line.step.recorded_index])

    def entry_signature(self, entry: Mapping[str, Any]) -> Markup:
        parts: list[str] = [time] if (time := time_of(entry)) else []
        role, phone = author_of(entry)
        if phone:
            parts += [gettext(_SPEAKERS[role])] if role in _SPEAKERS else []
            # Devices are only numbered where a role has several.
            phones = self._phones.get(role, [])
            if phone in phones and len(phones) > 1:
                parts.append(gettext("phone %(n)s", n=phones.index(phone) + 1))
        elif role in ROLES:
            parts.append(gettext("signed by a program"))
        if role == OPPONENT and phone in self.writer_devices:
            parts.append(gettext("the scorekeeper's own phone"))
        return Markup(" · ").join(parts)

    @cached_property
    def _phones(self) -> dict[str, list[str]]:
        """The devices of each role in the order of their first event."""
        authors = [author_of(entry) for entry in self.evening.recorded]
        return {
            role: list(
                dict.fromkeys(
                    author.device for author in authors if author.device and author.role == role
                )
            )
            for role in (WRITER, OPPONENT)
        }

    @property
    def writer_devices(self) -> set[str]:
        return {*self._phones[WRITER]}

    @property
    def witness(self) -> str:
        """Short hash and number of the newest entry, to note down."""
        last = self.evening.recorded[-1].get("hash", "") if self.table.seq else ""
        return hash_chain.Witness(last, self.table.seq).text if last else ""

    @cached_property
    def takeover(self) -> SeatClaim | None:
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
        return self.takeover if last == Uebernahme.do else None

    @property
    def long_date(self) -> str:
        return self._start_date("long")

    @property
    def medium_date(self) -> str:
        return self._start_date("medium")

    @property
    def start_time(self) -> Markup:
        recorded = self.evening.recorded
        return time_of(recorded[0]) if recorded else Markup()

    def _start_date(self, date_format: str) -> str:
        recorded = self.evening.recorded
        start = entry_time(recorded[0]) if recorded else None
        return date_text(start.astimezone(UTC), date_format) if start else ""

    @property
    def agreement_times(self) -> dict[int, Markup]:
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
        """Two ticks for a game that the other side confirmed, one if the writer's own phone did so;
        empty without a confirmation."""
        confirmation = self._confirmation(game) if game <= len(self.state.games) else ""
        if not confirmation:
            return Markup()
        ticks = "✓" if confirmation == "own" else "✓✓"
        html = Markup(
            '<span class="tick" role="img" data-confirmed="{}" title="{}" aria-label="{}">{}</span>'
        )
        label = gettext(_CONFIRMATION_TEXTS[confirmation])
        tick = html.format(confirmation, label, label, ticks)
        # Weaker confirmations are also shown as text.
        return tick + (
            NOTE.format(gettext(_CONFIRMATION_TEXTS[confirmation]))
            if confirmation in ("own", "program")
            else ""
        )

    def _signer_kind(self, entry: Mapping[str, Any]) -> str:
        """Signer for the other side: "phone", "program" or "own" (the writer's)."""
        role, phone = author_of(entry)
        if phone in self.writer_devices:
            return "own"
        return "program" if role in ROLES and not phone else "phone"

    def _confirmation(self, game: int) -> str:
        """Best confirmation of a game's current result: a key of `_CONFIRMATION_TEXTS`, or ""."""
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
        return next((kind for kind in ("phone", "program", "own") if kind in kinds), "")

    @property
    def has_confirmed_games(self) -> bool:
        return any(self._confirmation(game) for game in range(1, len(self.state.games) + 1))

    @property
    def unconfirmed_games(self) -> list[int]:
        games = range(1, len(self.state.games) + 1)
        return [game for game in games if not self.state.confirming_sides(game)]

    @property
    def rules_agreed_at(self) -> Markup:
        """Time at which the last side agreed to the rules; empty while one has not."""
        agreed = self.agreement_times
        return [*agreed.values()][-1] if len(agreed) == len(self.state.points) else Markup()
