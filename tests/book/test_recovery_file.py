"""`bummerl links` finds a lost director's link, on the server's machine only."""

import re

import pytest

from scorer.book import recovery_file
from scorer.book.recovery_file import recovery_secret
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import read_head
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings
from tests.builders import BAYERN
from tests.commands import bummerl

SETTINGS = {"name": "Preiswatten", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}]}


@pytest.fixture
def db(tmp_path):
    return tmp_path / "x.db"


def book(db, machine):
    store = SqliteStore(db)
    return Tournaments(store, Tables(store), machine)


def links(db, *more, status=0):
    return bummerl("links", "--db", db, "--url", "http://hall", *more, status=status).text


def test_workers_share_one_secret(db, monkeypatch):
    quicker, mint = [], recovery_file.mint

    def overtaken():
        """Let another worker write its secret first; return a new key."""
        if not quicker:
            quicker.append("")
            quicker[0] = recovery_secret(db)
        return mint()

    monkeypatch.setattr(recovery_file, "mint", overtaken)
    first = recovery_secret(db)
    assert quicker == [first] != [""]
    assert recovery_secret(db) == first


def test_empty_secret_file_gets_a_secret(db):
    db.with_name("x.db.key").touch()
    assert recovery_secret(db) == recovery_secret(db) != ""


def test_newest_link_is_printed_with_a_qr_code(db):
    tournaments = book(db, recovery_secret(db))
    keys = tournaments.create(read_settings(SETTINGS, "s"))
    assert recovery_secret(db) == recovery_secret(db)
    assert (db.parent / "x.db.key").stat().st_mode & 0o077 == 0
    text = links(db)
    assert f"http://hall/p/{keys['director']}" in text
    assert "█" in text
    stream = tournaments.store.find(keys["director"]).stream
    new = tournaments.keyrings.renew(stream, keys["director"], "director")["director"]
    assert f"/p/{new}" in links(db)
    assert keys["director"] not in links(db)


def test_unknown_director_link_can_be_renewed(db):
    tournaments = book(db, "")
    keys = tournaments.create(read_settings(SETTINGS, "s"))
    stream = tournaments.store.find(keys["director"]).stream
    assert f"links --renew {stream}" in links(db)
    new = re.search(r"http://hall/p/(\w+)", links(db, "--renew", stream))[1]
    assert tournaments.store.find(keys["director"]) is None
    assert tournaments.store.find(new).role == "director"
    assert tournaments.keyrings.keys_by_role(new).keys() == {"director", "hall", "signup"}
    assert tournaments.draw(stream, new, idempotency_key="d", by="x").round == 1


def test_id_of_no_tournament_is_reported(db):
    tournaments = book(db, recovery_secret(db))
    keys = tournaments.create(read_settings(SETTINGS, "s"))
    table = Tables(tournaments.store).create(read_head(BAYERN))["scorer"]
    for mistyped in ("0123456789abcdef", tournaments.store.find(table).stream):
        assert mistyped in links(db, "--renew", mistyped, status=1)
    assert tournaments.store.find(keys["director"]).role == "director"
    assert tournaments.store.find(table).role == "scorer"
