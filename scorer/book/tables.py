"""Tables: evenings in a store, shared by everyone who holds one of their keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from scorer.book.folds import MOST_READ, Folds, Moved, ignore_news, mark
from scorer.engine import (
    Evening,
    Event,
    Head,
    Illegal,
    NeuesSpiel,
    Sitzordnung,
    State,
    Uebernahme,
    Vorschlag,
    parse,
    read_head,
    replay,
)
from scorer.engine.scoring.record import read
from scorer.engine.telling.side_names import require_distinct_players
from scorer.store import KeyTaken, Opening, Seal, Stream, seals
from scorer.store.keys import mint, mint_code, new_stream
from scorer.store.sql_store import Store

MOST_EVENTS: Final = 2000
"""Entries of a table: more than two long nights write, and few enough to fold in a moment."""
MOST_FOLDED: Final = 20_000
"""Fold steps that replaying a table may cost; a correction costs one for each event behind it."""
MOST_OPEN: Final = 20
"""Proposals that wait for an answer at a table."""
MOST_TAKEN: Final = 100
"""Times that phones take the other side's link before a full table refuses that, too."""
TRIES: Final = 20
"""How often a code is drawn again because it is taken."""

Found = TypeVar("Found")

ROLES: Final = ("scorer", "opponent", "viewer")
_SHOWN: Final = ("opponent", "viewer", "code")
"""The roles whose keys a table's writer may see."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table's evening as far as it was read."""

    stream: str
    head: Mapping[str, Any]
    """The head as it was written, which the chain starts from."""
    evening: Evening
    states: list[State]
    """The state after each recorded event, the start first."""

    @property
    def recorded(self) -> list[Mapping[str, Any]]:
        """The events, as they are stored."""
        return self.evening.recorded

    @property
    def seq(self) -> int:
        """How many events are recorded."""
        return len(self.recorded)

    @property
    def folded(self) -> int:
        """The steps that folding them takes."""
        return self.evening.folded

    @property
    def mark(self) -> str:
        """What tells this state from any other the table ever stood in."""
        return mark(self)

    def after(self, events: Iterable[Mapping[str, Any]]) -> Table:
        """The table after more events.

        :raises Illegal: the rules refuse one
        """
        evening, states = self.evening.copy(), self.states.copy()
        states += [evening.push(data) for data in events]
        return replace(self, evening=evening, states=states)

    def stored(self, data: Mapping[str, Any]) -> Table:
        """The same with its newest event as the store has it, hash and all."""
        return replace(self, evening=self.evening.stored(data))


@dataclass(frozen=True, slots=True)
class RecordedTap:
    """The answer to a recorded event: the state it led to, and whether it was new."""

    state: State
    seq: int
    fresh: bool
    table: Table
    """The table with it, and with whatever is known to have followed."""


class Tables:
    """The tables of one store.

    :param moved: hears of whatever is recorded at one of them
    :param code: draws a code for typing by hand; None where tables get none
    """

    def __init__(
        self, store: Store, moved: Moved = ignore_news, code: Callable[[], str] | None = mint_code
    ) -> None:
        self.store, self._code = store, code
        self._folds = Folds(store, _table, moved)

    def create(self, head: Head, key: str = "") -> dict[str, str]:
        """Open a table and return its keys by role, the typed `code` among them.

        :param key: the writer's, where it is known beforehand
        :raises Unreadable: two players look alike
        :raises KeyTaken: `key` opens something already
        """
        return self._drawn(lambda: self.new(head, key))

    def new(self, head: Head, key: str = "") -> Opening:
        """A table to be opened where nothing was written yet, with its keys by role.

        :param key: the writer's, where it is known beforehand
        :raises Unreadable: two players look alike
        """
        require_distinct_players(head.sides)
        return self.opening(head.to_json(), key=key)

    def _drawn(self, drawn: Callable[[], Opening]) -> dict[str, str]:
        def opened() -> dict[str, str]:
            opening = drawn()
            self.store.create("table", opening)
            return dict(opening.grants)

        return _drawn_again(opened)

    def opening(
        self, head: Mapping[str, Any], events: Sequence[Mapping[str, Any]] = (), key: str = ""
    ) -> Opening:
        """A table to be opened, with its keys by role; `key` is the writer's, where it is known."""
        keys = {role: mint() for role in ROLES} | self._new_code()
        keys["scorer"] = key or keys["scorer"]
        return Opening(head, keys, _seals(keys), events, new_stream())

    def take(self, record: Mapping[str, Any]) -> dict[str, str]:
        """Open a table with a whole record, as `record_of` gave it; returns its keys by role.

        Events stay as they are recorded, with their times, writers and hashes, even where the
        chain does not hold; what carries no hash is chained anew.

        :raises Unreadable: no record
        :raises Illegal: an event the rules refuse; nothing is stored
        """
        evening, refusal = replay(record)
        if refusal is not None:
            raise refusal
        head = {name: value for name, value in record.items() if name != "events"}
        # A head that names its whole rule set stays as it was written.
        head = head if "resolved" in head else evening.head.to_json()
        return self._drawn(lambda: self.opening(head, record.get("events", ())))

    def links(self, scorer_key: str) -> dict[str, str]:
        """All keys of a table as its writer may see them, by role; of a table from elsewhere there
        may be some that nobody sealed for him."""
        return self.links_all([scorer_key])[scorer_key]

    def links_all(self, scorer_keys: Collection[str]) -> dict[str, dict[str, str]]:
        """The same of several tables, by their writers' keys."""
        return {
            scorer: {"scorer": scorer, **{role: seen[role] for role in _SHOWN if role in seen}}
            for scorer, seen in self.store.unseal_all(scorer_keys).items()
        }

    def viewer(self, key: str, role: str) -> str | None:
        """The key that only looks, as the holder of `key` may hand it round."""
        return key if role == "viewer" else self.store.unseal(key, "viewer")

    def board(self, stream: str, scorer_key: str) -> str:
        """The viewer's key, as the writer hands it round; one more where he knows none."""
        known = self.links(scorer_key).get("viewer")
        return known or self.renew(stream, scorer_key, "viewer", closing=False)["viewer"]

    def code(self, stream: str, scorer_key: str) -> dict[str, str]:
        """All keys of a table as its writer may see them; one that was opened on a phone gets its
        code now."""
        keys = self.links(scorer_key)

        def granted() -> dict[str, str]:
            code = self._new_code()
            self.store.grant(stream, code, seals=_seals({**keys, **code}))
            return code

        if "viewer" not in keys or "code" in keys:
            return keys
        return keys | _drawn_again(granted)

    def _new_code(self) -> dict[str, str]:
        return {"code": self._code()} if self._code else {}

    def renew(
        self, stream: str, scorer_key: str, role: str, *, closing: bool = True
    ) -> dict[str, str]:
        """New keys for a role: the old ones are closed. The viewer's takes the code with it."""
        keys = self.links(scorer_key)

        def granted() -> dict[str, str]:
            code = self._new_code() if role == "viewer" else {}
            renewed = {role: mint(), **code}
            revoke, shown = tuple(renewed) if closing else (), _seals({**keys, **renewed})
            self.store.grant(stream, renewed, revoke=revoke, seals=shown)
            return renewed

        return keys | _drawn_again(granted)

    def reading(self, stream: str) -> Table:
        """The table as it now is; it stays so while it is read."""
        return self._folds.reading(stream)

    def reading_all(self, streams: Collection[str]) -> dict[str, Table]:
        """The same of several tables, by their streams."""
        return self._folds.reading_all(streams)

    def reading_within(self, streams: Collection[str], most: int = MOST_READ) -> dict[str, Table]:
        """The same of as many tables, in their order, as fold in `most` steps."""
        return self._folds.reading_within(streams, most)

    def forget(self, stream: str) -> None:
        """Read the table anew when it is next asked for."""
        self._folds.forget(stream)

    def record(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int | None,
        most_games: int = 0,
    ) -> RecordedTap:
        """Record one event exactly once.

        :param key: the caller's own name for this event; the same again is the same event
        :param expected: how many events the caller had seen, or None not to care
        :param most_games: after so many games none begins; 0 for as many as one likes
        :raises Stale: the table has moved on since
        :raises Illegal: the rules refuse it
        :raises StoreError: it could not be stored
        """

        done, table = self._folds.record(
            stream,
            body,
            key=key,
            by=by,
            expected=expected,
            allowed=lambda table: admit(table.evening, body, most_games),
        )
        return RecordedTap(table.states[done.stored.n], done.stored.n, done.fresh, table)


def _table(stream: Stream) -> Table:
    evening = Evening(read_head(stream.head))
    return Table(stream.id, stream.head, evening, [evening.state])


def imported(record: Mapping[str, Any]) -> tuple[Table, Illegal | None]:
    """A record from elsewhere as a table of no store, up to the first event that is refused.

    :raises Unreadable: no record
    """
    head, events = read(record)
    evening = Evening(head)
    written = {name: value for name, value in record.items() if name != "events"}
    table = Table("", written, evening, [evening.state])
    for index, event in enumerate(events):
        try:
            _bounded(evening, parse(event))
            table.states.append(evening.push(event))
        except Illegal as refusal:
            refusal.event = index
            return table, refusal
    return table, None


def admit(evening: Evening, body: Mapping[str, Any], most_games: int = 0) -> None:
    """Let an event pass that a table takes, whatever the rules say of it.

    It is asked of what is to be recorded alone: what was recorded before stays.

    :param most_games: after so many games none begins; 0 for as many as one likes
    :raises Unreadable: no event, or it would seat two players who look alike
    :raises Illegal: there is too much of it, or only the other side's yes carries it
    """
    event = parse(body)
    _bounded(evening, event)
    if isinstance(event, NeuesSpiel) and 0 < most_games <= len(evening.state.games):
        raise Illegal("games-played", most=most_games)
    if evening.needs_yes(event):
        raise Illegal("after-the-cut")
    if evening.discloses(event):
        raise Illegal("announced-blind", evening.state.rules.cite("blind_variants"))


def _bounded(evening: Evening, event: Event) -> None:
    """Keep an evening such that it can be folded, shown and checked while others wait.

    :raises Illegal: the table is full, or too much of it waits for an answer
    :raises Unreadable: it would seat two players who look alike
    """
    for seating in (event, *getattr(event, "with_", ())):
        if isinstance(seating, Sitzordnung):
            require_distinct_players(seating.sides or ())
    full = len(evening.recorded) >= MOST_EVENTS or evening.folded >= MOST_FOLDED
    if full and not (isinstance(event, Uebernahme) and _taken(evening) < MOST_TAKEN):
        raise Illegal("table-full", most=MOST_EVENTS)
    if isinstance(event, Vorschlag) and len(evening.proposals.open) >= MOST_OPEN:
        raise Illegal("too-many-proposals", most=MOST_OPEN)


def _taken(evening: Evening) -> int:
    return sum(entry["do"] == Uebernahme.do for entry in evening.recorded)


def _drawn_again(attempt: Callable[[], Found]) -> Found:
    """What opens a table, again with another code where somebody has the drawn one.

    :raises KeyTaken: there are hardly any left
    """
    for _ in range(TRIES):
        try:
            return attempt()
        except KeyTaken:
            continue
    return attempt()


def _seals(keys: Mapping[str, str]) -> list[Seal]:
    """The writer sees all links of the table; the code and the other side lead to the viewer's."""
    shown = [("scorer", role) for role in _SHOWN]
    shown += [(role, "viewer") for role in ("code", "opponent")]
    return seals(keys, shown)


def record_of(table: Table) -> dict[str, Any]:
    """The table's whole record as docs/record.md has it, with its chain."""
    return {**table.head, "events": list(table.evening.recorded)}


def shown_record(table: Table) -> dict[str, Any]:
    """The same as whoever holds a link may read it: see `Evening.shown`."""
    return {**table.head, "events": list(table.evening.shown)}
