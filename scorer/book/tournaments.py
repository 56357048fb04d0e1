"""Tournaments in a store: what is recorded of them, and the draws that open their tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.book.admission import admit
from scorer.book.drawing import drawn
from scorer.book.evenings import BELONGS, Evenings
from scorer.book.folds import Folds, Moved, Said, unheard
from scorer.book.onward import SEATS, next_keys
from scorer.book.proof import Keyring, opening, unproven
from scorer.book.rings import DESK, RINGS, WATCHING, Rings, minted, sealed
from scorer.book.tables import Tables
from scorer.engine import Unreadable, house
from scorer.engine.input.lookalikes import twin
from scorer.engine.scoring.record import moment
from scorer.store import Appended, KeyReused, Opening, Seal, Store, Stream
from scorer.store.keys import digest
from scorer.tournament import Settings, Tournament, parse, read_settings, to_json
from scorer.tournament.events import (
    Auslosung,
    Drawn,
    Event,
    Serie,
    Stechen,
    Stechtisch,
    Tausch,
    Uhr,
    Vermerk,
)
from scorer.tournament.outcomes import rules_of
from scorer.tournament.reading import finals_rules
from scorer.tournament.rounds import retabled
from scorer.tournament.words import LOOKS_TAKEN

Draw = Callable[[Tournament, bool], Auslosung]


class Tournaments:
    """The tournaments of one store.

    :param machine: the secret by which this machine finds a lost director's link
    :param draw: makes the next round, in whatever way suits the place
    :param moved: hears of whatever is recorded of one of them
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        machine: str = "",
        draw: Draw = drawn,
        moved: Moved = unheard,
    ) -> None:
        self.store = store
        self.rings = Rings(store, machine)
        """Who sees which of their keys."""
        self._draw, self._tables = draw, tables
        self._evenings = Evenings(tables, self.rings)
        self._folds = Folds(store, _tournament, moved)

    def create(self, settings: Settings, key: str = "") -> dict[str, str]:
        """A new tournament; returns its keys by role.

        :param key: the director's, where it is known beforehand
        :raises Unreadable: two of its pairs look alike
        :raises KeyTaken: `key` opens something already
        """
        names = [pair.name for pair in settings.pairs]
        for at, name in enumerate(names):
            if other := twin(name, names[:at]):
                raise Unreadable(f"pairs[{at}].name", LOOKS_TAKEN, name=name, other=other)
        keys, rings = minted()
        keys["director"] = key or keys["director"]
        opening = Opening(settings.to_json(), keys, sealed(keys, rings))
        self.rings.remember(self.store.create("tournament", opening).id, keys["director"])
        return keys

    def reading(self, stream: str) -> Tournament:
        """The tournament as it now is; it stays so while it is read."""
        return self._folds.reading(stream)

    def forget(self, stream: str) -> None:
        """Read the tournament anew when it is next asked for."""
        self._folds.forget(stream)

    def record(self, stream: str, body: Mapping[str, Any], *, key: str, by: str) -> int:
        """Record one event exactly once; returns how many there are then.

        :raises Unreadable: no event
        :raises Illegal: it cannot be now
        :raises StoreError: it could not be stored
        """
        done, _ = self._folds.record(
            stream, body, key=key, by=by, allowed=lambda tournament: admit(tournament, body)
        )
        return done.stored.n

    def mark(self, stream: str, pair: int, marks: Mapping[str, bool], *, key: str, by: str) -> None:
        """Mark a pair as paid, as here, or as neither; what is not named stays as it is then.

        Sent again it is the same, whatever else was marked meanwhile.

        :raises Illegal: no such pair, or the tournament takes no more
        """

        def say(tournament: Tournament) -> Said:
            entrant = tournament.entrant(pair)
            now = {"paid": entrant.paid, "here": entrant.here}
            body = to_json(Vermerk(pair, **now | dict(marks)))
            admit(tournament, body)
            return Said(body)

        self._folds.compose(stream, say, key=key, by=by)

    def start_clock(self, stream: str, minutes: int, now: float, *, key: str, by: str) -> int:
        """Start the clock of the round: so many minutes from `now`; 0 takes it off. Returns how
        many events there are then.

        Sent again it is the same, although `now` has moved on.

        :raises Illegal: the tournament takes no more
        :raises KeyReused: `key` has recorded something else
        """
        body = to_json(Uhr(int(now) + 60 * minutes if minutes else 0))

        def say(tournament: Tournament) -> Said:
            admit(tournament, body)
            return Said(body)

        done, _ = self._folds.compose(stream, say, key=key, by=by)
        if not done.fresh and _minutes(done.stored.event) != minutes:
            raise KeyReused(key)
        return done.stored.n

    def take(
        self,
        stream: str,
        director_key: str,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int,
    ) -> Appended:
        """Record an event that came to pass elsewhere, whose tables are here already.

        :param expected: how many events were recorded there before it
        :raises Unreadable: no event, or it names what the desk has no key of
        :raises Illegal: it cannot be now
        :raises StoreError: it could not be stored
        """

        def allowed(tournament: Tournament) -> None:
            self.prove(self.store, director_key, parse(body), tournament.series)
            admit(tournament, body)

        done, _ = self._folds.record(
            stream, body, key=key, by=by, expected=expected, allowed=allowed
        )
        return done

    def prove(self, ring: Keyring, director_key: str, event: Event, series: Serie) -> None:
        """Whether a desk writes every table that an event opens, and has a key of every tournament
        that it counts.

        :param series: what counts together before it
        :raises Unreadable: it has none, and has not counted that before
        """
        desk = ring.unseal(director_key, DESK)
        for table in opens(event):
            if not opening(ring, desk, table, table, ("scorer",)):
                raise unproven("stream")
        if isinstance(event, Serie):
            own = [other for other in event.of if opening(ring, desk, other, other, WATCHING)]
            # What counts together with another tournament comes with it.
            known = {s for other in own for s in self.reading(other).series.of}
            if not known.union(own, series.of).issuperset(event.of):
                raise unproven("of")

    def draw(
        self, stream: str, director_key: str, *, key: str, by: str, anyway: bool = False
    ) -> Auslosung:
        """Draw the next round and open an evening for each of its tables.

        :raises Illegal: it cannot be drawn
        """
        # Drawn before its turn comes, so that no result waits while it is.
        seen = self.reading(stream)
        if known := self.store.recorded(stream, key):
            return _auslosung(known.event)
        first = self._draw(seen, anyway)

        def say(tournament: Tournament) -> Said:
            same = len(tournament.recorded) == len(seen.recorded)
            planned = first if same else self._draw(tournament, anyway)
            return self._opened(stream, tournament, planned, director_key)

        done, _ = self._folds.compose(stream, say, key=key, by=by)
        return _auslosung(done.stored.event)

    def _opened(
        self, stream: str, tournament: Tournament, planned: Auslosung, director_key: str
    ) -> Said:
        """The draw with an evening for each table, whose keys are sealed for the desk."""
        settings = tournament.settings
        finals = settings.finals if planned.stage == "final" else None
        rules = finals_rules(settings.rules, finals)
        evenings = self._evenings.opening(
            stream, tournament, rules, planned.tables, director_key, tournament.rounds
        )
        tables = zip(planned.tables, evenings, strict=True)
        opened = tuple(replace(drawn, stream=own.id) for drawn, own in tables)
        return Said(to_json(replace(planned, tables=opened)), {"table": evenings})

    def swap(
        self,
        stream: str,
        director_key: str,
        number: int,
        lots: tuple[int, int],
        *,
        key: str,
        by: str,
    ) -> None:
        """Let two lots of a round change places; their tables get new evenings.

        :raises Illegal: they cannot
        """

        def say(tournament: Tournament) -> Said:
            drawn = tournament.round(number)
            tables = retabled(tournament, drawn, lots)
            rules = rules_of(tournament, number)
            before = tournament.rounds[: number - 1]
            evenings = self._evenings.opening(
                stream, tournament, rules, tables, director_key, before
            )
            opened = tuple(evening.id for evening in evenings)
            return Said(to_json(Tausch(number, lots, opened=opened)), {"table": evenings})

        self._folds.compose(stream, say, key=key, by=by)

    def decider(
        self, stream: str, director_key: str, pairs: tuple[int, int], *, key: str, by: str
    ) -> str:
        """Open a table for the game that settles a tie; returns its writing key.

        :raises Illegal: no such pairs
        :raises BadRules: these rules cannot be played to so few points
        """

        def say(tournament: Tournament) -> Said:
            for pair in pairs:
                tournament.entrant(pair)
            settings = tournament.settings
            rules = house(settings.rules, {"target": settings.decider})
            drawn = [Drawn(0, pairs, pairs)]
            evenings = self._evenings.opening(stream, tournament, rules, drawn, director_key)
            return Said(to_json(Stechtisch(pairs, evenings[0].id)), {"table": evenings})

        done, _ = self._folds.compose(stream, say, key=key, by=by)
        opened = str(done.stored.event.get("stream", ""))
        return self.rings.writing(director_key, opened) or ""

    def settle(self, stream: str, confirmed: str = "") -> None:
        """Note what the tables of deciding games have come to.

        What was taken back since stays so, and what says the opposite of something noted waits
        until the director has confirmed it.

        :param confirmed: the table whose word the director takes
        """
        for table, decided in self._decided(stream):
            if table == confirmed or not self._denied(stream, decided):
                name = f"decider:{table}:{decided.winner}"
                self.record(stream, to_json(decided), key=name, by="table")

    def counters(self, stream: str) -> dict[str, Stechen]:
        """What tables of deciding games say against what is noted, by their streams."""
        decided_at = self._decided(stream)
        return {table: decided for table, decided in decided_at if self._denied(stream, decided)}

    def _decided(self, stream: str) -> list[tuple[str, Stechen]]:
        """The deciding games that are over at their tables and not noted yet."""
        tournament, unnoted = self.reading(stream), []
        for table in tournament.decider_tables:
            games = self._tables.reading(table.stream).evening.state.games
            if not games:
                continue
            decided = Stechen(table.pairs[games[0].winner], table.pairs[1 - games[0].winner])
            name = f"decider:{table.stream}:{decided.winner}"
            if decided not in tournament.deciders and not self.store.recorded(stream, name):
                unnoted.append((table.stream, decided))
        return unnoted

    def _denied(self, stream: str, decided: Stechen) -> bool:
        return Stechen(decided.loser, decided.winner) in self.reading(stream).deciders

    def onward(
        self, tournament: Tournament, number: int, pair: int, table_key: str
    ) -> dict[str, str]:
        """A pair's keys to its tables of the newest round, by their streams; its own `table_key`
        is that of a table of the round `number`."""
        return next_keys(tournament, number, pair, table_key, self.store.unseal)

    def ways(self, stream: str, director_key: str, opened: Collection[str]) -> list[dict[str, str]]:
        """The boxes that lead pairs from where they sat to the tables just `opened`."""
        boxes = self.store.dump([], self.seats(stream, director_key))["boxes"] if opened else []
        return [box for box in boxes if box["role"] in opened]

    def seats(self, stream: str, director_key: str) -> list[str]:
        """The digests of the keys with which the pairs sit at the tables."""
        scorers = (self.rings.writing(director_key, table) for table in self._tables_of(stream))
        links = (self._tables.links(scorer) for scorer in scorers if scorer)
        return [digest(own[role]) for own in links for role in SEATS if role in own]

    def of_table(self, table_key: str) -> str | None:
        """The tournament that a table says it belongs to, or None where it is not here either.

        Whether it does, the tournament knows (`Tournament.has`).
        """
        stream = self.store.unseal(table_key, BELONGS)
        return stream if stream and self.store.known("tournament", [stream]) else None

    def archive(self, stream: str, director_key: str) -> dict[str, Any]:
        """The tournament with the evenings of all its tables, keys and seals, as an archive.

        Its links open it wherever it is taken in.
        """
        return self.store.dump({stream, *self._tables_of(stream)}, self.rings.digests(director_key))

    def _tables_of(self, stream: str) -> set[str]:
        """The evenings of all tables, of rounds taken back too."""
        tournament = self.reading(stream)
        rounds = (*tournament.rounds, *tournament.undone)
        own = {m.drawn.stream for played in rounds for m in played.matches.values()}
        return (own | {table.stream for table in tournament.decider_tables}) - {""}

    def apart(self, stream: str, director_key: str, name: str) -> dict[str, str]:
        """The tournament as it is here once more, with another name and keys of its own; its
        tables are the same. Returns the keys by role."""
        keys, rings = minted()
        events = [dict(stored.event) for stored in self.store.events(stream)]
        seals = sealed(keys, rings)
        for ring in RINGS:
            for other in {other for event in events for other in _named(parse(event))}:
                if known := self.rings.held(director_key, ring, other):
                    seals.append(Seal(rings[ring], other, known))
        head = {**self.store.stream(stream).head, "name": name}
        # Behind another head the chain is another.
        for event in events:
            del event["hash"]
        self.store.create("tournament", Opening(head, keys, seals, events))
        return keys


def _tournament(stream: Stream) -> Tournament:
    return Tournament(read_settings(stream.head))


def opens(event: Event) -> list[str]:
    """The tables' evenings that an event opens."""
    match event:
        case Auslosung(tables=tables):
            return [drawn.stream for drawn in tables if drawn.stream]
        case Tausch(opened=opened):
            return list(opened)
        case Stechtisch(stream=stream):
            return [stream]
    return []


def _named(event: Event) -> Sequence[str]:
    """The streams beside its own that an event names."""
    return event.of if isinstance(event, Serie) else opens(event)


def _minutes(event: Mapping[str, Any]) -> int | None:
    """For how many minutes the clock was started, or None where the event does not say it."""
    at = moment(event)
    if event["do"] != Uhr.do or at is None:
        return None
    # It was recorded some moments after it was asked for.
    return round((event["until"] - at.timestamp()) / 60) if event["until"] else 0


def _auslosung(event: Mapping[str, Any]) -> Auslosung:
    """The draw that was recorded.

    :raises KeyReused: it recorded something else
    """
    draw = parse(event)
    if not isinstance(draw, Auslosung):
        raise KeyReused(draw.do)
    return draw
