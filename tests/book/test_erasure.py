"""Erasing a name keeps sums and hash chain valid, and `verify` lists the erased entries."""

import json
import re
import sqlite3
from contextlib import closing
from datetime import date, timedelta

import pytest

from scorer.book.retention import NOTICE, Retention
from scorer.book.tables import Tables, record_of
from scorer.book.tournaments import Tournaments
from scorer.engine import read_head
from scorer.store import hash_chain
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings, standings
from tests.builders import BAYERN, LOST, WON
from tests.commands import bummerl

PEOPLE = ("Annamirl", "Bertl", "Cilli", "Dorlbauer")
EVENTS = (
    {"do": "gewinnt", "side": 0, "player": "Cilli"},
    {"do": "bieten", "side": 1, "note": "CILLI lacht"},
    {"do": "gehen", "side": 0},
    {"do": "sitzordnung", "dealer": "Cilli"},
    LOST,
)
NAMED = {0, 1, 3}
"""The indices of the events that name Cilli."""


@pytest.fixture
def db(tmp_path):
    return tmp_path / "x.db"


@pytest.fixture
def table(db):
    """The writer's key and the stream of an evening that names Cilli."""
    sides = [{"players": list(PEOPLE[:2])}, {"name": "Cilli & Co", "players": list(PEOPLE[2:])}]
    head = read_head({**BAYERN, "sides": sides, "dealer": PEOPLE[0]})
    with closing(SqliteStore(db)) as store:
        tables = Tables(store)
        key = tables.create(head)["scorer"]
        stream = store.find(key).stream
        for number, event in enumerate(EVENTS):
            tables.record(stream, event, idempotency_key=str(number), by="scorer", expected=None)
    return key, stream


def forget(db, *arguments):
    """What `forget` prints."""
    return bummerl("forget", "--db", db, *arguments).text


def export_record(db, key):
    """An evening's record, and the file it is in."""
    file = db.with_name("record.json")
    file.write_bytes(bummerl("export", "--db", db, key).stdout)
    return json.loads(file.read_text()), file


def points(db, stream):
    with closing(SqliteStore(db)) as store:
        state = Tables(store).current(stream).evening.state
    return state.points, state.bummerl, state.round, state.dealer


def test_forget_without_a_target_only_lists_matches(db, table):
    before = export_record(db, table[0])[0]
    found = forget(db, "cilli")
    assert table[1] in found
    assert "CILLI lacht" in found
    assert "not found" in forget(db, "Resi")
    assert export_record(db, table[0])[0] == before


def test_erasure_keeps_tally_and_chain(db, table):
    key, stream = table
    before, stood = export_record(db, key)[0], points(db, stream)
    witness = hash_chain.Witness(before["events"][-1]["hash"], len(EVENTS)).text
    forget(db, "--from", stream, "Cilli")
    after, file = export_record(db, key)
    assert "cilli" not in json.dumps(after).lower()
    hashes = [[event["hash"] for event in record["events"]] for record in (before, after)]
    assert hashes[1][:-1] == hashes[0]
    assert points(db, stream) == stood
    # A hash noted before still verifies, and `verify` lists what was erased.
    verified = bummerl("verify", "--seen", witness, file).text
    erased_entries = set(re.findall(r"the head|event \d(?=[,:])", verified))
    assert erased_entries == {"the head", *(f"event {index}" for index in NAMED)}


def files_containing(db, name=b"cilli"):
    """The names of the files in the database's folder that contain `name`."""
    return {path.name for path in db.parent.rglob("*.*") if name in path.read_bytes().lower()}


def test_erasure_clears_all_files_of_a_running_server(db, table):
    """A server has the database open, and the log contains the newest events."""
    with closing(SqliteStore(db)) as server:
        tables = Tables(server)
        for number in range(50):
            event = {"do": "sitzordnung", "dealer": "Cilli", "note": f"Cilli {number}"}
            tables.record(table[1], event, idempotency_key=f"n{number}", by="scorer", expected=None)
        assert files_containing(db) == {"x.db", "x.db-wal"}
        forget(db, "--everywhere", "Cilli")
        assert files_containing(db) == set()
        assert Tables(server).current(table[1]).seq == len(EVENTS) + 51


def test_forget_overwrites_deleted_data_of_old_releases(db, table):
    """Old releases did not overwrite deleted data."""
    with closing(sqlite3.connect(db)) as file:
        file.execute("pragma secure_delete=off")
        for sql in ("create table old (word)", "insert into old values ('Resi')", "drop table old"):
            file.execute(sql)
            file.commit()
    assert files_containing(db, b"resi") == {"x.db"}
    assert "not found" in forget(db, "--everywhere", "Resi")
    assert files_containing(db, b"resi") == set()


def test_forget_reports_a_log_held_by_a_reader(db, table):
    with closing(SqliteStore(db)) as server, server._backend.snapshot() as run:
        run("select count(*) from events")
        assert "x.db-wal" in forget(db, "--everywhere", "Cilli")
    assert "x.db-wal" not in forget(db, "--everywhere", "Cilli")
    assert files_containing(db) == set()


def test_forget_lists_copies_that_keep_the_name(db, table):
    copies = db.parent / "copies" / "old.db", db.parent / "x.db.before-2026-01-06T05-00-00"
    for copy in copies:
        copy.parent.mkdir(exist_ok=True)
        bummerl("backup", "--db", db, copy)
    export_record(db, table[0])
    kept = {"old.db", "x.db.before-2026-01-06T05-00-00", "record.json"}
    for arguments in (["Cilli"], ["--everywhere", "Cilli"], ["Cilli"]):
        output = forget(db, *arguments)
        assert {name for name in kept if name in output} == kept, output
    assert files_containing(db) == kept
    forget(copies[0], "--everywhere", "Cilli")
    assert files_containing(db) == kept - {"old.db"}


DESK_EVENTS = [
    {"do": "einstellung", "set": {"name": "Cilli-Preis", "place": "beim Cilli", "date": "Cilli"}},
    {"do": "einstellung", "set": {"club": "SV Cilli"}},
    {"do": "einzeln", "name": "Cilli", "club": "bei Cilli"},
    {"do": "durchsage", "text": "Cilli bitte zum Tisch 3"},
    {"do": "preise", "lines": ["Cilli's Schinken"], "consolation": "ein Bier von Cilli"},
    {"do": "durchsage", "text": "Los", "note": "für Cilli", "player": "Cilli"},
]


def test_forget_erases_a_name_from_all_desk_fields(db):
    with closing(SqliteStore(db)) as store:
        book = Tournaments(store, Tables(store))
        body = {"name": "Preis", "rules": "bayern", "format": "partners", "rounds": 1}
        stream = store.find(book.create(read_settings(body, seed="s"))["director"]).stream
        for number, event in enumerate(DESK_EVENTS):
            book.record(stream, event, idempotency_key=str(number), by="director")
        assert all(stored.event["salt"] for stored in store.events(stream))
        assert f"erased in {len(DESK_EVENTS)} entries" in forget(db, "--everywhere", "Cilli")
        assert "Cilli" not in json.dumps(store.dump())
        assert book.current(stream).settings.club.startswith("SV N. N.")
    assert files_containing(db) == set()


def test_expired_evening_is_erased_from_all_files(db, table):
    with closing(SqliteStore(db)) as server:
        Retention(server, 1, lambda: date(2020, 1, 1)).note_visit(table[1])
        for day in range(NOTICE.days):
            announced = date(2020, 3, 1) + timedelta(days=day)
            assert (
                list(Retention(server, 1, lambda day=announced: day).announce_and_list_due()) == []
            )
        assert table[1] in bummerl("expire", "--db", db, "--months", 1, "--erase").text
        assert files_containing(db) == set()


@pytest.mark.parametrize("place", ["start", *range(len(EVENTS) + 1)])
def test_verify_finds_changes_after_an_erasure(db, table, place):
    key, stream = table
    forget(db, "--from", stream, "Cilli")
    record, file = export_record(db, key)
    if place == "start":
        record["start"]["points"] = [7, 0]
    else:
        record["events"][place]["at"] = "2020-01-01T00:00:00.000Z"
    file.write_text(json.dumps(record))
    assert re.search(r"event \d does not fit", bummerl("verify", file, status=1).text)


def test_verify_rejects_a_forged_erasure(db, table):
    record, file = export_record(db, table[0])
    forged = {**record["events"][0], "side": 1}
    sealed = [hash_chain.erasure_text(0, forged)]
    event = {"do": hash_chain.ERASURE, "sealed": sealed, "at": "", "by": "operator"}
    event["hash"] = hash_chain.entry_hash("0" * 64, event)
    file.write_text(json.dumps({**record, "events": [forged, *record["events"][1:], event]}))
    bummerl("verify", file, status=1)


def test_hash_of_an_erased_event_confirms_no_guess(db, table):
    key, stream = table
    before = export_record(db, key)[0]
    forget(db, "--from", stream, "Cilli")
    after = export_record(db, key)[0]
    previous = hash_chain.starting_hash(after, after["events"])
    salted = before["events"][0]
    assert hash_chain.entry_hash(previous, salted) == after["events"][0]["hash"]
    guess = {name: value for name, value in salted.items() if name != "salt"}
    assert hash_chain.entry_hash(previous, guess) != after["events"][0]["hash"]
    assert salted["salt"] not in json.dumps(after)


def test_running_process_drops_erased_names(db, table):
    store, (_, stream) = SqliteStore(db), table
    tables = Tables(store)
    assert "Cilli" in str(record_of(tables.current(stream)))
    forget(db, "--everywhere", "Cilli")
    assert "Cilli" not in str(record_of(tables.current(stream)))
    # Later events follow the erasure.
    tables.record(stream, WON, idempotency_key="on", by="scorer", expected=None)
    found = tables.current(stream)
    assert hash_chain.first_broken_entry(found.head, found.recorded) is None
    store.close()


def test_name_is_erased_from_heads_without_events(db):
    store = SqliteStore(db)
    tables = Tables(store)
    book = Tournaments(store, tables)
    sides = [{"players": list(pair)} for pair in (PEOPLE[:2], PEOPLE[2:])]
    head = read_head({"watten": 1, "rules": "bayern", "sides": sides})
    stream = store.find(tables.create(head)["scorer"]).stream
    pairs = [{"name": f"{a} & {b}", "players": [a, b]} for a, b in (PEOPLE[:2], PEOPLE[2:])]
    settings = read_settings({"name": "Preis", "rules": "bayern", "pairs": pairs}, seed="s")
    director = book.create(settings)["director"]
    played = store.find(director).stream
    assert "Cilli" in str(tables.current(stream).head)
    assert any("Cilli" in entrant.pair.name for entrant in book.current(played).listed)
    forget(db, "--everywhere", "Cilli")
    tables.record(stream, WON, idempotency_key="1", by="scorer", expected=None)
    book.draw(played, director, idempotency_key="d", by="director")
    found = tables.current(stream)
    assert "Cilli" not in str(record_of(found))
    assert hash_chain.first_broken_entry(found.head, found.recorded) is None
    assert not any("Cilli" in entrant.pair.name for entrant in book.current(played).listed)
    store.close()


class Overtaken(SqliteStore):
    """A store that erases Cilli as soon as it has read a head that names her."""

    def read_streams(self, streams):
        found = super().read_streams(streams)
        if any("Cilli" in str(stream.head) for stream, _ in found.values()):
            forget(self.path, "--everywhere", "Cilli")
        return found


def test_reading_during_an_erasure_is_consistent(db, table):
    store = Overtaken(db)
    tables = Tables(store)
    before, after = tables.current(table[1]), tables.current(table[1])
    # Head and events come from one moment. A mixture would break the chain.
    assert hash_chain.first_broken_entry(before.head, before.recorded) is None
    assert "Cilli" not in str(record_of(after))
    assert hash_chain.first_broken_entry(after.head, after.recorded) is None
    store.close()


def test_record_erased_twice_verifies_and_imports(db, table):
    for name in ("Cilli", PEOPLE[0]):
        forget(db, "--everywhere", name)
    record, file = export_record(db, table[0])
    assert PEOPLE[0] not in json.dumps(record)
    bummerl("verify", file)
    bummerl("import", "--db", db.with_name("y.db"), file)


def test_erasure_keeps_tournament_standings(db):
    store = SqliteStore(db)
    book = Tournaments(store, Tables(store))
    pairs = [{"name": f"{a} & {b}", "players": [a, b]} for a, b in (PEOPLE[:2], PEOPLE[2:])]
    body = {"name": "Preis", "rules": "bayern", "rounds": 1, "games_per_round": 1, "pairs": pairs}
    director = book.create(read_settings(body, seed="s"))["director"]
    stream = store.find(director).stream
    book.draw(stream, director, idempotency_key="d", by="director")
    event = {"do": "ergebnis", "round": 1, "table": 1, "who": "director", "games": [[15, 8]]}
    book.record(stream, event, idempotency_key="r", by="director")
    places = [(line.pair, line.totals) for line in standings(book.current(stream))]
    forget(db, "--everywhere", "Cilli")
    found = book.current(stream)
    assert [(line.pair, line.totals) for line in standings(found)] == places
    assert "Cilli" not in json.dumps(store.dump())
    assert any("N. N." in entrant.pair.name for entrant in found.listed)
    store.close()
