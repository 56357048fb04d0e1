"""A refused or failed event changes nothing: a property over mostly illegal events."""

from contextlib import suppress
from dataclasses import fields

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorer.book.tables import Tables
from scorer.engine import Illegal, Unreadable
from scorer.store import IdempotencyKeyReused, Stale, Unavailable
from scorer.store.sqlite import SqliteStore
from scorer.tournament import parse
from tests.builders import LOST, NEXT, WON, new_stream
from tests.sampling import examples
from tests.tournament.builders import start_tournament

NAMES = st.sampled_from(("Anna", "Bert", "Cilli", "Dora"))
NUMBERS = st.integers(1, 3)


def fixed(do, **fields):
    return st.fixed_dictionaries({"do": st.just(do), **fields})


def pair_of(names):
    return {"name": " & ".join(names), "players": list(names)}


PAIR = st.tuples(NAMES, NAMES).map(pair_of)
WHERE = {"round": NUMBERS, "table": NUMBERS}
GAMES = st.sampled_from(([[15, 3]], [[3, 15]], [[15, 15]], []))
EVENTS = st.one_of(
    fixed("anmeldung", entry=PAIR),
    fixed("einzeln", name=NAMES),
    fixed("zulosung", entries=st.lists(PAIR, min_size=1, max_size=2)),
    fixed("aenderung", pair=NUMBERS, entry=PAIR),
    fixed("abmeldung", pair=NUMBERS),
    fixed("rueckkehr", pair=NUMBERS),
    fixed("trennung", pair=NUMBERS, other=NUMBERS, apart=st.booleans()),
    fixed("punkte", pair=NUMBERS, points=st.integers(-5, 5), reason=st.sampled_from(("", "x"))),
    fixed("vermerk", pair=NUMBERS, paid=st.booleans(), here=st.booleans()),
    fixed(
        "auslosung",
        round=NUMBERS,
        stage=st.just("rounds"),
        tables=st.sampled_from(([{"table": 1, "pairs": [1, 2]}], [{"table": 1, "pairs": [1, 9]}])),
    ),
    fixed("ruecknahme", round=NUMBERS),
    fixed("ergebnis", **WHERE, who=st.sampled_from(("a", "b", "director")), games=GAMES),
    fixed("bestaetigung", **WHERE, who=st.sampled_from(("a", "b")), games=GAMES),
    fixed("sperre", **WHERE, open=st.booleans()),
    fixed("stechen", winner=NUMBERS, loser=NUMBERS),
)
SINGLES = [{"do": "einzeln", "name": name} for name in ("Anna", "Bert", "Cilli", "Dora")]
LOTS = [{**pair_of(two), "entries": 2} for two in (("Anna", "Bert"), ("Cilli", "Dora"))]
BOTH = {"do": "zulosung", "entries": LOTS}


def field_reprs(tournament):
    """The `repr` of each field except the settings."""
    held = {field.name: getattr(tournament, field.name) for field in fields(tournament)}
    return {name: repr(value) for name, value in held.items() if name != "settings"}


@given(st.sampled_from((2, 2, 2, 511)), st.lists(EVENTS, max_size=25))
@example(510, [*SINGLES, BOTH])
@examples(60)
def test_refused_event_does_not_change_a_tournament(count, events):
    tournament = start_tournament(count).now
    for event in events:
        before, before_event = field_reprs(tournament), tournament
        try:
            tournament = tournament.after([event])
        except (Illegal, Unreadable):
            assert tournament is before_event
        else:
            assert parse(tournament.recorded[-1]) == parse(event)
        assert field_reprs(before_event) == before


class Failing(SqliteStore):
    """A store that fails as `fails` says: before or after it appends an event, or while reading."""

    fails = ""

    def append(self, *given, **named):
        fails, self.fails = self.fails, ""
        if fails == "before":
            raise Unavailable("broken")
        done = super().append(*given, **named)
        if fails == "after":
            raise Unavailable("broken")
        return done

    def events_after(self, lengths):
        if self.fails == "reading":
            raise Unavailable("broken")
        return super().events_after(lengths)

    def read_streams(self, streams):
        if self.fails == "reading":
            raise Unavailable("broken")
        return super().read_streams(streams)


STRUCK = st.integers(0, 5).map(lambda of: {"do": "korrektur", "of": of, "with": []})
SAID = st.sampled_from((WON, LOST)) | st.just(NEXT) | STRUCK
FAILURES = st.sampled_from(("", "", "before", "after", "other"))
TRIES = st.lists(st.tuples(SAID, FAILURES), max_size=12)


@given(TRIES)
@examples(25)
def test_cached_tables_match_the_store(tmp_path_factory, tried):
    path = tmp_path_factory.mktemp("exact") / "x.db"
    store, other = Failing(path), SqliteStore(path)
    book = Tables(store)
    stream = new_stream(book)
    for number, (event, trouble) in enumerate(tried):
        if trouble == "other":
            name = f"other {number}"
            with suppress(Illegal):
                Tables(other).record(stream, event, idempotency_key=name, by="b", expected=None)
        store.fails = trouble if trouble in ("before", "after") else ""
        seq = book.current(stream).seq
        with suppress(Illegal, Stale, Unavailable):
            book.record(stream, event, idempotency_key=str(number), by="a", expected=seq)
        store.fails = ""
        own, anew = book.current(stream), Tables(other).current(stream)
        assert own.recorded == anew.recorded
        assert own.states == anew.states
    store.close()
    other.close()


def test_event_is_checked_against_the_newest_state(tmp_path):
    own, theirs = (Tables(SqliteStore(tmp_path / "x.db")) for _ in range(2))
    stream = new_stream(own)
    assert own.current(stream).seq == 0
    theirs.record(stream, WON, idempotency_key="won", by="b", expected=0)
    struck = {"do": "korrektur", "of": 0, "with": []}
    done = own.record(stream, struck, idempotency_key="struck", by="a", expected=None)
    assert (done.is_new, done.seq, done.state.points) == (True, 2, (0, 0))
    for book in (own, theirs):
        book.store.close()


def test_failed_repetition_may_have_been_recorded(tmp_path):
    """If the event was recorded earlier, the error does not claim that nothing was recorded."""
    own, theirs = (Tables(Failing(tmp_path / "x.db")) for _ in range(2))
    stream = new_stream(theirs)
    theirs.record(stream, WON, idempotency_key="won", by="a", expected=0)
    own.store.fails = "reading"
    with pytest.raises(Unavailable) as failed:
        own.record(stream, WON, idempotency_key="won", by="a", expected=0)
    assert failed.value.may_be_recorded


def test_repeated_event_is_answered_without_a_write(tmp_path):
    tables = Tables(Failing(tmp_path / "x.db"))
    stream = new_stream(tables)
    tables.record(stream, WON, idempotency_key="won", by="a", expected=0)
    tables.store.fails = "before"
    assert not tables.record(stream, WON, idempotency_key="won", by="a", expected=0).is_new
    with pytest.raises(IdempotencyKeyReused):
        tables.record(stream, LOST, idempotency_key="won", by="a", expected=0)
    tables.store.close()
