"""Databases of earlier releases open, and every stream replays to the same state as then."""

import gzip

import pytest

from scorer.book.ledgers import Ledgers
from scorer.book.tables import Tables, record_of
from scorer.book.tournaments import Tournaments
from scorer.store import hash_chain
from scorer.store.sqlite import SqliteStore
from tests.builders import head_and_events
from tests.released.expected import RELEASES, evening_told, read, same, tournament_told


@pytest.fixture(params=RELEASES, ids=lambda path: path.name)
def release(request):
    return request.param


@pytest.fixture
def book(release, tmp_path):
    """Yield a store on a copy of the release's database, and the states that the release gave."""
    path = tmp_path / "book.db"
    path.write_bytes(gzip.decompress((release / "book.db.gz").read_bytes()))
    store = SqliteStore(path)
    yield store, read(release / "book.json.gz")
    store.close()


def test_released_book_replays_to_the_same_state(book):
    store, expected = book
    tables = Tables(store)
    tournaments = Tournaments(store, tables)

    def stream(key):
        return store.find(key).stream

    for item in expected["tables"]:
        table = tables.current(stream(item["keys"]["viewer"]))
        assert same(evening_told(table.evening), item["told"])
        assert hash_chain.first_broken_entry(*head_and_events(record_of(table))) is None
        assert tables.links.keys_for_writer(item["keys"]["scorer"]) == item["keys"]
    for item in expected["groups"]:
        ledgers = Ledgers(store)
        found = ledgers.current(stream(item["keys"]["member"]))
        assert {"name": found.name, "evenings": list(found.evenings)} == item["told"]
        assert [key for _, key in ledgers.boards(item["keys"]["reader"], found)] == item["boards"]
    for item in expected["tournaments"]:
        tournament = tournaments.current(stream(item["keys"]["hall"]))
        assert same(tournament_told(tournament), item["told"])


def test_released_book_has_every_kind_of_event(book):
    store, expected = book
    tables = Tables(store)
    kinds = set()
    for item in expected["tables"]:
        table = tables.current(store.find(item["keys"]["viewer"]).stream)
        kinds |= {event["do"] for event in table.evening.recorded}
    assert kinds >= {"korrektur", "vorschlag", "zusage", "absage", "strittig", "geklaert"}
    assert kinds >= {"bestaetigt", "einig", "preis", "streichen", "strafe", "setzt_aus"}
    assert {item["told"]["rounds"][0]["stage"] for item in expected["tournaments"]} >= {"rounds"}
