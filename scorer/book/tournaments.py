"""Tournaments in a store: records events, and draws rounds with their tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from scorer.book.key_check import KeyLookup, missing_key_error, opening_key
from scorer.book.keyrings import (
    DESK_RING,
    RINGS,
    ROLES_SEEING_STANDINGS,
    Keyrings,
    keyring_seals,
    mint_keys_and_rings,
)
from scorer.book.match_tables import TOURNAMENT_SEAL, MatchTables
from scorer.book.next_table_keys import SEATS, next_table_keys
from scorer.book.notifications import yield_to_others
from scorer.book.pairing_process import check_draws, draw_round
from scorer.book.stream_cache import EventToAppend, OnChange, StreamCache, ignore_change
from scorer.book.tables import Tables
from scorer.book.tournament_event_limits import check_new_event
from scorer.engine import Illegal, Unreadable, with_switches
from scorer.engine.input.lookalikes import lookalike_of
from scorer.engine.scoring.record import entry_time
from scorer.engine.translatable import N_
from scorer.store import Appended, IdempotencyKeyReused, NewStream, Seal, Stream
from scorer.store.hash_chain import ERASURE, canonical_json
from scorer.store.keys import digest
from scorer.store.roles import DIRECTOR, TOURNAMENT_KIND, WRITER
from scorer.store.sql_store import Store
from scorer.tournament import Settings, Tournament, new_tournament, parse, read_settings
from scorer.tournament.english_sentences import LOOKS_TAKEN
from scorer.tournament.event_types.announcements import Serie, Uhr
from scorer.tournament.event_types.draws import Auslosung, Tausch, tables_after_swap
from scorer.tournament.event_types.event import Event
from scorer.tournament.event_types.registrations import Vermerk
from scorer.tournament.event_types.results import Stechen, Stechtisch, rules_of_round
from scorer.tournament.match import DrawnTable
from scorer.tournament.seeds import fresh_seed, round_seed
from scorer.tournament.settings_reader import finals_rules
from scorer.tournament.state import Decider, JointSeries

Draw = Callable[[Tournament, bool], Auslosung]


@dataclass(frozen=True, slots=True)
class SettledDeciders:
    """The result of noting finished deciding games."""

    contradictions: Mapping[str, Decider]
    """Results of tables, by stream, that contradict the noted ones."""
    refusal: Illegal | None = None


class Tournaments:
    """The tournaments of one store.

    :param machine_secret: secret under which this machine seals directors' keys
    :param draw: draws the next round
    :param on_change: called after each recorded event
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        machine_secret: str = "",
        draw: Draw = draw_round,
        on_change: OnChange = ignore_change,
    ) -> None:
        self.store = store
        self.keyrings = Keyrings(store, machine_secret)
        self._draw, self._tables = draw, tables
        self._match_tables = MatchTables(tables, self.keyrings)
        self._cache = StreamCache(store, _empty_tournament, on_change)

    def create(self, settings: Settings, key: str = "") -> dict[str, str]:
        """Create a tournament; return its keys by role.

        :param key: the director's key, '' for a new one
        :raises Unreadable: two of its pairs look alike
        :raises StreamKeyTaken: `key` is in use
        """
        require_distinct_names(settings)
        keys, rings = mint_keys_and_rings()
        keys[DIRECTOR] = key or keys[DIRECTOR]
        new_stream = NewStream(settings.to_json(), keys, keyring_seals(keys, rings))
        self.keyrings.seal_for_machine(
            self.store.create(TOURNAMENT_KIND, new_stream).id, keys[DIRECTOR]
        )
        return keys

    def current(self, stream: str) -> Tournament:
        return self._cache.current(stream)

    def current_within(self, streams: Collection[str]) -> dict[str, Tournament]:
        """As many of the tournaments, in order, as one request may replay."""
        # Steps per event vary, so they are counted after each read.
        return self._cache.current_within(streams, max_batch=0)

    def drop_cached(self, stream: str) -> None:
        self._cache.drop_cached(stream)

    def record(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: str,
        by: str,
        precondition: Callable[[Tournament], None] = lambda tournament: None,
    ) -> int:
        """Record one event once per `idempotency_key`; return the number of events after it.

        :param precondition: raises to refuse a new event after the tournament's last one
        :raises Unreadable: no event
        :raises Illegal: the tournament refuses it
        :raises StoreError: it could not be stored
        """

        def check(tournament: Tournament) -> None:
            precondition(tournament)
            check_new_event(tournament, body)

        appended, _ = self._cache.append_body(
            stream, body, idempotency_key=idempotency_key, by=by, precondition=check
        )
        return appended.stored.n

    def mark(
        self, stream: str, pair: int, marks: Mapping[str, bool], *, idempotency_key: str, by: str
    ) -> None:
        """Set or clear a pair's marks `paid` and `here`; a mark not in `marks` stays.

        Idempotent, even if other marks have changed since.

        :raises Illegal: no such pair, or the tournament is full
        """

        def compose(tournament: Tournament) -> EventToAppend:
            entrant = tournament.entrant(pair)
            now = {"paid": entrant.paid, "here": entrant.here}
            body = Vermerk(pair, **now | dict(marks)).to_json()
            check_new_event(tournament, body)
            return EventToAppend(body)

        self._cache.append_composed(stream, compose, idempotency_key=idempotency_key, by=by)

    def start_clock(
        self, stream: str, minutes: int, now: float, *, idempotency_key: str, by: str
    ) -> int:
        """Start the round's clock at `now` for so many minutes, or remove it for 0. Return the
        number of events after it.

        Idempotent, whatever `now` is.

        :raises Illegal: the tournament is full
        :raises IdempotencyKeyReused: `idempotency_key` has recorded another event
        """
        body = Uhr(int(now) + 60 * minutes if minutes else 0).to_json()

        def compose(tournament: Tournament) -> EventToAppend:
            check_new_event(tournament, body)
            return EventToAppend(body)

        appended, _ = self._cache.append_composed(
            stream, compose, idempotency_key=idempotency_key, by=by
        )
        if not appended.is_new and _clock_minutes(appended.stored.event) != minutes:
            raise IdempotencyKeyReused(idempotency_key)
        return appended.stored.n

    def record_upload(
        self,
        stream: str,
        director_key: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: str,
        by: str,
        expected: int,
    ) -> Appended:
        """Record an event of a phone. The tables that it names are uploaded already.

        :param expected: required number of events
        :raises Unreadable: no event, or it names streams without a key for the desk
        :raises Illegal: the tournament refuses it
        :raises StoreError: it could not be stored
        """

        def precondition(tournament: Tournament) -> None:
            self.check_uploaded_event(tournament, body, self.store, director_key)

        # Checked before taking the writer's lock, so that no result waits for the check.
        before = self.current(stream)
        is_next_draw = isinstance(parse(body), Auslosung) and len(before.recorded) == expected
        if is_next_draw and self.store.find_recorded(stream, idempotency_key) is None:
            precondition(before)
            check_draws(before.initial_settings, before.recorded, {expected: body})
        appended, _ = self._cache.append_body(
            stream,
            body,
            idempotency_key=idempotency_key,
            by=by,
            expected=expected,
            precondition=precondition,
        )
        return appended

    def check_uploaded_event(
        self, tournament: Tournament, body: Mapping[str, Any], ring: KeyLookup, director_key: str
    ) -> None:
        """Check an event of a phone. The tables that it names are uploaded already.

        :param ring: where the tables' keys are sealed for the desk
        :raises Unreadable: no event, or it names streams without a key for the desk, or its seed
            is not the announced one
        :raises Illegal: a limit is reached, or two names look alike
        """
        event = parse(body)
        self._require_keys(ring, director_key, event, tournament.series)
        seeds = (round_seed(tournament), fresh_seed(tournament))
        if isinstance(event, Auslosung) and event.seed not in seeds:
            raise Unreadable("seed", N_("must be the one whose digest was shown before the draw"))
        check_new_event(tournament, body)

    def _require_keys(
        self, ring: KeyLookup, director_key: str, event: Event, series: JointSeries
    ) -> None:
        """Check that the desk has a writer's key of every table that an event opens, and a key of
        every tournament that it counts.

        :param series: the tournaments counted so far
        :raises Unreadable: a key is missing for a stream that is not counted yet
        """
        desk = ring.unseal(director_key, DESK_RING)
        for table in opened_streams(event):
            if not opening_key(ring, desk, table, table, (WRITER,)):
                raise missing_key_error("stream")
        if isinstance(event, Serie):
            openable_streams = [
                other
                for other in event.others
                if opening_key(ring, desk, other, other, ROLES_SEEING_STANDINGS)
            ]
            # A counted tournament brings those it counts itself.
            counted = {s for other in openable_streams for s in self.current(other).series.others}
            if not counted.union(openable_streams, series.others).issuperset(event.others):
                raise missing_key_error("of")

    def draw(
        self,
        stream: str,
        director_key: str,
        *,
        idempotency_key: str,
        by: str,
        despite_missing_results: bool = False,
        draft: bool = False,
    ) -> Auslosung:
        """Draw the next round and open a table for each match.

        :param draft: only the director sees the round until it is released
        :raises Illegal: it cannot be drawn
        """
        # Drawn before the writer lock is taken, so that results are not blocked.
        before = self.current(stream)
        if repeated := self.store.find_recorded(stream, idempotency_key):
            return _auslosung(repeated.event)
        first_draw = self._draw(before, despite_missing_results)

        def compose(tournament: Tournament) -> EventToAppend:
            same = len(tournament.recorded) == len(before.recorded)
            planned_draw = first_draw if same else self._draw(tournament, despite_missing_results)
            planned_draw = replace(planned_draw, draft=draft)
            return self._with_tables(stream, tournament, planned_draw, director_key)

        appended, _ = self._cache.append_composed(
            stream, compose, idempotency_key=idempotency_key, by=by
        )
        return _auslosung(appended.stored.event)

    def _with_tables(
        self, stream: str, tournament: Tournament, planned_draw: Auslosung, director_key: str
    ) -> EventToAppend:
        """The draw with its tables to be created, whose keys are sealed for the desk."""
        if all(drawn.stream for drawn in planned_draw.tables):
            # The draw was taken back before, so its tables are open.
            return EventToAppend(planned_draw.to_json())
        settings = tournament.settings
        finals = settings.finals if planned_draw.stage == "final" else None
        rules = finals_rules(settings.rules, finals)
        new_tables = self._match_tables.prepare(
            stream, tournament, rules, planned_draw.tables, director_key, tournament.rounds
        )
        tables = zip(planned_draw.tables, new_tables, strict=True)
        opened = tuple(replace(drawn, stream=table.id) for drawn, table in tables)
        return EventToAppend(replace(planned_draw, tables=opened).to_json(), {"table": new_tables})

    def swap(
        self,
        stream: str,
        director_key: str,
        number: int,
        lots: tuple[int, int],
        *,
        idempotency_key: str,
        by: str,
    ) -> None:
        """Exchange two lots of a round; their tables are replaced by new ones.

        :raises Illegal: they cannot be exchanged
        """

        def compose(tournament: Tournament) -> EventToAppend:
            drawn_round = tournament.round(number)
            tables = tables_after_swap(tournament, drawn_round, lots)
            rules = rules_of_round(tournament, number)
            before = tournament.rounds[: number - 1]
            new_tables = self._match_tables.prepare(
                stream, tournament, rules, tables, director_key, before
            )
            opened = tuple(table.id for table in new_tables)
            return EventToAppend(
                Tausch(number, lots, opened=opened).to_json(), {"table": new_tables}
            )

        self._cache.append_composed(stream, compose, idempotency_key=idempotency_key, by=by)

    def open_decider_table(
        self,
        stream: str,
        director_key: str,
        pairs: tuple[int, int],
        *,
        idempotency_key: str,
        by: str,
    ) -> str:
        """Open a table for a deciding game; return its writer's key.

        :raises Illegal: no such pairs
        :raises BadRules: the rules do not allow so few points
        """

        def compose(tournament: Tournament) -> EventToAppend:
            for pair in pairs:
                tournament.entrant(pair)
            settings = tournament.settings
            rules = with_switches(settings.rules, {"target": settings.decider})
            drawn = [DrawnTable(0, pairs, pairs)]
            new_tables = self._match_tables.prepare(stream, tournament, rules, drawn, director_key)
            return EventToAppend(
                Stechtisch(pairs, new_tables[0].id).to_json(), {"table": new_tables}
            )

        appended, _ = self._cache.append_composed(
            stream, compose, idempotency_key=idempotency_key, by=by
        )
        opened = str(appended.stored.event.get("stream", ""))
        return self.keyrings.writer_key(director_key, opened) or ""

    def note_deciders(self, stream: str, confirmed: str = "") -> SettledDeciders:
        """Note the results of finished deciding games.

        A result that was taken back stays so. A result that contradicts a noted one is returned
        until the director confirms it.

        :param confirmed: the table whose result is confirmed
        """
        tournament, contradictions = self.current(stream), dict[str, Decider]()
        noted = set(tournament.deciders)
        for table, decided in self._unnoted_deciders(stream, tournament):
            if table != confirmed and Decider(decided.loser, decided.winner) in noted:
                contradictions[table] = decided
                continue
            try:
                body = Stechen(decided.winner, decided.loser).to_json()
                self.record(stream, body, idempotency_key=_decider_key(table, decided), by="table")
            except Illegal as refusal:
                return SettledDeciders(contradictions, refusal)
            noted.add(decided)
        return SettledDeciders(contradictions)

    def _unnoted_deciders(self, stream: str, tournament: Tournament) -> list[tuple[str, Decider]]:
        """The finished deciding games not noted yet, with their tables."""
        tables = self._tables.current_all([t.stream for t in tournament.decider_tables])
        decided: dict[str, tuple[str, Decider]] = {}
        for table in tournament.decider_tables:
            for game in tables[table.stream].evening.state.games[:1]:
                won = Decider(table.pairs[game.winner], table.pairs[1 - game.winner])
                if won not in tournament.deciders:
                    decided[_decider_key(table.stream, won)] = (table.stream, won)
        noted = self.store.recorded_idempotency_keys(stream, decided)
        return [entry for name, entry in decided.items() if name not in noted]

    def pair_table_keys(
        self, tournament: Tournament, number: int, pair: int, table_key: str
    ) -> dict[str, str]:
        """A pair's keys to its tables of the newest round, by stream.

        :param table_key: the pair's key of a table of round `number`
        """
        return next_table_keys(tournament, number, pair, table_key, self.store.unseal)

    def next_table_boxes(
        self, stream: str, director_key: str, opened: Collection[str]
    ) -> list[dict[str, str]]:
        """The boxes by which pairs get from their last tables to those just `opened`."""
        if not opened:
            return []
        boxes = self.store.dump([], self.seat_key_digests(stream, director_key))["boxes"]
        return [box for box in boxes if box["role"] in opened]

    def seat_key_digests(self, stream: str, director_key: str) -> list[str]:
        """The digests of the pairs' keys to the tables."""
        by_table = self.table_keys(director_key, self._tables_of(stream))
        return [digest(keys[role]) for keys in by_table.values() for role in SEATS if role in keys]

    def table_keys(self, director_key: str, tables: Collection[str]) -> dict[str, dict[str, str]]:
        """The keys by role of each table, as far as the desk has them."""
        writer_keys = self.keyrings.keys_from_ring(director_key, DESK_RING)
        writers = {table: writer_keys[table] for table in tables if table in writer_keys}
        by_writer = self._tables.links.keys_for_writers(writers.values())
        return {table: by_writer[writer] for table, writer in writers.items()}

    def of_table(self, table_key: str) -> str | None:
        """The tournament that a table's key names, or None if it is not in this store.

        Not proof that the table belongs to it: see `Tournament.has_table`.
        """
        stream = self.store.unseal(table_key, TOURNAMENT_SEAL)
        return stream if stream and self.store.existing_streams(TOURNAMENT_KIND, [stream]) else None

    def archive(self, stream: str, director_key: str) -> tuple[str, Iterator[str]]:
        """An archive of the tournament and all its tables with keys and seals.

        In another database the same links open it. A large archive has about 20 MB, so its
        streams are read one at a time, and other requests are served in between.

        :returns: a digest that changes with the archive, and the archive's JSON in parts
        """
        streams = {stream, *self._tables_of(stream)}
        frame = self.store.dump(streams, self.keyrings.ring_digests(director_key), events=False)
        state = canonical_json([frame, self.store.lengths(sorted(streams))])
        return sha256(state.encode()).hexdigest()[:32], self._archive_parts(frame)

    def _archive_parts(self, frame: Mapping[str, Any]) -> Iterator[str]:
        head = canonical_json({**frame, "streams": []})
        yield head.removesuffix("]}")
        for index, stream in enumerate(frame["streams"]):
            [archived_stream] = self.store.dump([stream["id"]])["streams"]
            yield "," * bool(index) + canonical_json(archived_stream)
            yield_to_others()
        yield "]}"

    def _tables_of(self, stream: str) -> set[str]:
        """The streams of all tables, including those of rounds taken back."""
        tournament = self.current(stream)
        rounds = (*tournament.rounds, *tournament.undone_rounds)
        drawn_streams = {m.drawn_table.stream for round_ in rounds for m in round_.matches.values()}
        return (drawn_streams | {table.stream for table in tournament.decider_tables}) - {""}

    def copy_with_new_keys(self, stream: str, director_key: str, name: str) -> dict[str, str]:
        """Copy the tournament under another name with new keys; the tables are shared. Return
        the keys by role."""
        keys, rings = mint_keys_and_rings()
        stored = self.store.events(stream)
        # Erasures are left out, because only a command on the server may record them.
        events = [dict(entry.event) for entry in stored if entry.event["do"] != ERASURE]
        seals = keyring_seals(keys, rings)
        named_streams = {other for event in events for other in _named_streams(parse(event))}
        for ring in RINGS:
            table_keys = self.keyrings.keys_from_ring(director_key, ring)
            seals += [
                Seal(rings[ring], other, table_keys[other])
                for other in named_streams & table_keys.keys()
            ]
        head = {**self.store.stream(stream).head, "name": name}
        # The copy has another head, so its events get new hashes.
        for event in events:
            del event["hash"]
        self.store.create(TOURNAMENT_KIND, NewStream(head, keys, seals, events))
        return keys


def _decider_key(table: str, decided: Decider) -> str:
    """Idempotency key for noting a table's deciding game."""
    return f"decider:{table}:{decided.winner}"


def require_distinct_names(settings: Settings) -> None:
    """Check the pairs that a tournament begins with.

    :raises Unreadable: two of them look alike
    """
    names = [pair.name for pair in settings.pairs]
    for index, name in enumerate(names):
        if other := lookalike_of(name, names[:index]):
            raise Unreadable(f"pairs[{index}].name", LOOKS_TAKEN, name=name, other=other)


def _empty_tournament(stream: Stream) -> Tournament:
    return new_tournament(read_settings(stream.head))


def opened_streams(event: Event) -> list[str]:
    match event:
        case Auslosung(tables=tables):
            return [drawn.stream for drawn in tables if drawn.stream]
        case Tausch(opened=opened):
            return list(opened)
        case Stechtisch(stream=stream):
            return [stream]
    return []


def _named_streams(event: Event) -> Sequence[str]:
    """The streams of other tournaments or tables that an event names."""
    return event.others if isinstance(event, Serie) else opened_streams(event)


def _clock_minutes(event: Mapping[str, Any]) -> int | None:
    """The minutes that the clock was set to, or None if the event has no such value."""
    time = entry_time(event)
    if event["do"] != Uhr.do or time is None:
        return None
    # Rounded, because it was recorded slightly after the request.
    return round((event["until"] - time.timestamp()) / 60) if event["until"] else 0


def _auslosung(event: Mapping[str, Any]) -> Auslosung:
    """The draw in a recorded event.

    :raises IdempotencyKeyReused: it is another event
    """
    draw = parse(event)
    if not isinstance(draw, Auslosung):
        raise IdempotencyKeyReused(draw.do)
    return draw
