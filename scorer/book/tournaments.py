"""Tournaments kept in a store.

Every table of a draw is an evening of its own, with keys for both pairs, so it can be scored
live; what it comes to is entered as a result.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scorer.book.folds import Folds
from scorer.book.tables import Tables
from scorer.engine import Head, RuleSet, Side, house
from scorer.store import KeyReused, Opening, Seal, Stale, Store, Stream
from scorer.store.keys import mint
from scorer.tournament import Settings, Tournament, draw, parse, read_settings, to_json
from scorer.tournament.events import Auslosung, Drawn
from scorer.tournament.settings import finals_rules

ROLES: Final = ("director", "hall", "signup")
"""The director runs it, the hall watches, and with the third key pairs sign up."""
RINGS: Final = ("desk-ring", "hall-ring")
"""The keys of the tables are sealed under a secret of their own, which the director's (or the
hall's) key opens: so a renewed key finds them all, whatever is drawn meanwhile."""
KEPT: Final = 64


@dataclass(slots=True)
class Kept:
    """A tournament as far as this process has read it."""

    stream: str
    tournament: Tournament
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def seq(self) -> int:
        """How many events are recorded."""
        return len(self.tournament.recorded)

    def push(self, event: Mapping[str, Any]) -> None:
        self.tournament.push(event)

    def kept(self, event: Mapping[str, Any]) -> None:
        self.tournament.recorded[-1] = event

    def forget(self) -> None:
        self.tournament = Tournament(self.tournament.settings)


class Tournaments:
    """The tournaments of one store."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self.store = store
        self._tables = tables
        self._folds = Folds(store, _kept, KEPT)

    def create(self, settings: Settings) -> dict[str, str]:
        """A new tournament; returns its keys by role."""
        keys = {role: mint() for role in ROLES}
        rings = {ring: mint() for ring in RINGS}
        self.store.create("tournament", Opening(settings.to_json(), keys, _seals(keys, rings)))
        return keys

    def links(self, director_key: str) -> dict[str, str]:
        """All keys of a tournament as its director may see them."""
        found = {role: self.store.unseal(director_key, role) for role in ("hall", "signup")}
        return {"director": director_key, **{role: key for role, key in found.items() if key}}

    def reading(self, stream: str) -> AbstractContextManager[Kept]:
        """The tournament as it now is, kept still while it is read."""
        return self._folds.reading(stream)

    def record(self, stream: str, body: Mapping[str, Any], *, key: str, by: str) -> int:
        """Record one event exactly once; returns how many there are then.

        :raises Unreadable: no event
        :raises Illegal: it cannot be now
        :raises StoreError: it could not be kept; nothing is recorded
        """
        return self._folds.record(self._folds.open(stream), body, key=key, by=by).stored.n

    def draw(
        self, stream: str, director_key: str, *, key: str, by: str, anyway: bool = False
    ) -> Auslosung:
        """Draw the next round and open an evening for each of its tables.

        :raises Illegal: it cannot be drawn
        """
        with self.reading(stream) as kept:
            while True:
                known = self.store.recorded(stream, key)
                if known is not None:
                    return _drawn_before(known.event)
                planned = self._opened(kept, draw(kept.tournament, anyway), director_key)
                try:
                    self._folds.append(kept, to_json(planned), key=key, by=by)
                except (Stale, KeyReused):
                    # Whoever was quicker may have drawn with this very key.
                    self._folds.catch_up(kept)
                    continue
                return planned

    def _opened(self, kept: Kept, planned: Auslosung, director_key: str) -> Auslosung:
        """The draw with an evening for each table, whose keys are sealed for the desk."""
        settings = kept.tournament.settings
        finals = settings.finals if planned.stage == "final" else None
        rules = finals_rules(settings.rules, finals)
        openings = [self._tables.prepare(_head(kept.tournament, rules, d)) for d in planned.tables]
        streams = self.store.create_all("table", openings)
        desk, hall = (self._ring(director_key, ring) for ring in RINGS)
        seals = []
        for stream, opening in zip(streams, openings, strict=True):
            keys = opening.grants
            seals += [
                Seal(desk, stream.id, keys["scorer"]),
                Seal(hall, stream.id, keys["viewer"]),
                Seal(keys["scorer"], "tournament", kept.stream),
                Seal(keys["opponent"], "tournament", kept.stream),
            ]
        self.store.grant(kept.stream, {}, seals=seals)
        tables = zip(planned.tables, streams, strict=True)
        return replace(planned, tables=tuple(replace(d, stream=s.id) for d, s in tables))

    def _ring(self, key: str, ring: str) -> str:
        return self.store.unseal(key, ring) or ""

    def decider(self, stream: str, pairs: tuple[int, int]) -> dict[str, str]:
        """Open a table for the game that settles a tie; returns its keys by role.

        :raises Illegal: no such pairs
        :raises BadRules: these rules cannot be played to so few points
        """
        with self.reading(stream) as kept:
            for pair in pairs:
                kept.tournament.entrant(pair)
            settings = kept.tournament.settings
            rules = house(settings.rules, {"target": settings.decider})
            return self._tables.create(_head(kept.tournament, rules, Drawn(0, pairs, pairs)))

    def scorer(self, director_key: str, drawn: Drawn) -> str | None:
        """The writing key of a table's evening, for the director."""
        return self.store.unseal(self._ring(director_key, "desk-ring"), drawn.stream)

    def board(self, hall_key: str, drawn: Drawn) -> str | None:
        """The board of a table's evening, for the hall."""
        return self.store.unseal(self._ring(hall_key, "hall-ring"), drawn.stream)

    def of_table(self, table_key: str) -> str | None:
        """The tournament that a table's key belongs to, or None."""
        return self.store.unseal(table_key, "tournament")

    def renew(self, stream: str, director_key: str, role: str) -> dict[str, str]:
        """New keys for a role: the old ones are closed."""
        keys = {**self.links(director_key), role: mint()}
        rings = {ring: self._ring(director_key, ring) for ring in RINGS}
        self.store.grant(stream, {role: keys[role]}, revoke=(role,), seals=_seals(keys, rings))
        return keys


def _kept(stream: Stream) -> Kept:
    return Kept(stream.id, Tournament(read_settings(stream.head)))


def _drawn_before(event: Mapping[str, Any]) -> Auslosung:
    """The draw that a key has recorded.

    :raises KeyReused: it recorded something else
    """
    found = parse(event)
    if not isinstance(found, Auslosung):
        raise KeyReused(found.do)
    return found


def _head(tournament: Tournament, rules: RuleSet, drawn: Drawn) -> Head:
    """A table's record without events: the two pairs as its sides."""
    pairs = [tournament.entrants[number].pair for number in drawn.pairs]
    sides = tuple(Side(pair.name, pair.players) for pair in pairs)
    return Head(rules, sides, (0, 0), (0, 0))


def _seals(keys: Mapping[str, str], rings: Mapping[str, str]) -> list[Seal]:
    """The director sees all links; who signs up is led to the hall."""
    director, hall, signup = (keys[role] for role in ROLES)
    return [
        *(Seal(director, ring, rings[ring]) for ring in RINGS),
        Seal(director, "hall", hall),
        Seal(director, "signup", signup),
        Seal(hall, "hall-ring", rings["hall-ring"]),
        Seal(signup, "hall", hall),
    ]
