"""Other users of the machine cannot read Bummerl's files, whatever the umask."""

import os

import pytest

from scorer.book.recovery_file import recovery_secret
from scorer.doctor import examine
from scorer.store import NewStream
from scorer.store.sqlite import SqliteStore, into_file
from tests.commands import bummerl


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def rights(folder):
    return {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()}


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_only_the_owner_can_read_database_files(tmp_path, umask, journal):
    folder = tmp_path / "book"
    folder.mkdir(mode=0o700)
    folder.chmod(0o700)
    store = SqliteStore(folder / "x.db", journal=journal)
    store.create("table", NewStream({}, {"scorer": "key"}))
    store.backup(folder / "copy.db")
    into_file(folder / "other.db", store)
    found = rights(folder)
    assert ("x.db-wal" in found) == (journal == "wal")
    assert set(found.values()) == {"0o600"}, found
    store.close()


@pytest.mark.parametrize("command", [["export", "--to"], ["backup"]], ids=lambda words: words[0])
def test_only_the_owner_can_read_exported_files(tmp_path, umask, command):
    db, made = tmp_path / "x.db", tmp_path / "made"
    SqliteStore(db).close()
    bummerl(command[0], "--db", db, *command[1:], made)
    assert rights(tmp_path) == {"x.db": "0o600", "made": "0o600"}


def test_doctor_names_readable_files(tmp_path):
    db = tmp_path / "x.db"
    store = SqliteStore(db)
    recovery_secret(db)
    assert all(finding.is_ok for finding in examine(str(db)) if str(db) in finding.text)
    for wide in (db, tmp_path / "x.db-wal"):
        wide.chmod(0o640)
        [found] = [f.text for f in examine(str(db)) if not f.is_ok and "chmod" in f.text]
        assert found.endswith(f"chmod 600 {wide}")
        # The server does not change existing rights, because they may be intended.
        SqliteStore(db).close()
        assert wide.stat().st_mode & 0o777 == 0o640
        wide.chmod(0o600)
    store.close()
