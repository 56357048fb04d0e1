"""Scheduled backups and restoring them."""

import os
import re
from contextlib import closing
from pathlib import Path

from scorer.book.tables import Tables
from scorer.store.sqlite import SqliteStore
from tests.builders import BAYERN, WON
from tests.commands import bummerl


def create_book(path, rounds):
    """Create a score book with an evening of `rounds` rounds, and return the writer's key."""
    with closing(SqliteStore(path)) as store:
        return Tables(store).create_from_record({**BAYERN, "events": [WON] * rounds})["scorer"]


def count_rounds(path, key):
    with closing(SqliteStore(path)) as store:
        access = store.find(key)
        return store.length(access.stream) if access else None


def test_backup_deletes_the_oldest_dated_copies(tmp_path):
    db, folder = tmp_path / "x.db", tmp_path / "copies"
    key = create_book(db, 3)
    folder.mkdir()
    names = [f"bummerl-2026-01-0{day}T05-00-00.db" for day in (1, 2, 3)]
    for name in [*names, "bummerl-2025.db", "notes.txt"]:
        (folder / name).write_text("older")
    done = bummerl("backup", "--db", db, "--keep", 2, folder)
    [newest] = re.findall(r"bummerl-\S+\.db", done.text)
    there = {path.name for path in folder.iterdir()}
    assert there == {names[2], newest, "bummerl-2025.db", "notes.txt"}
    assert count_rounds(folder / newest, key) == 3


def test_restore_keeps_the_former_database(tmp_path):
    db = tmp_path / "x.db"
    key = create_book(db, 3)
    bummerl("backup", "--db", db, "--keep", 2, db, status=2)
    copy = bummerl("backup", "--db", db, "--keep", 2, tmp_path / "new" / "copies").text
    copy = Path(copy.strip())
    before, kept = copy.read_bytes(), create_book(db, 5)
    # The restored file still belongs to the server's user if root restores it.
    server = 65534 if os.geteuid() == 0 else os.getuid()
    os.chown(db, server, -1)
    db.chmod(0o600)
    printed = bummerl("restore", "--db", db, copy).text
    assert (count_rounds(db, key), count_rounds(db, kept)) == (3, None)
    former = tmp_path / re.search(r"x\.db\.before-\S+", printed)[0]
    assert count_rounds(former, kept) == 5
    assert copy.read_bytes() == before
    assert (db.stat().st_uid, db.stat().st_mode & 0o777) == (server, 0o600)


def test_damaged_copy_is_not_restored(tmp_path):
    db, copy = tmp_path / "x.db", tmp_path / "copy.db"
    key = create_book(db, 2)
    copy.write_bytes(b"a shopping list, not a database\n" * 100)
    assert "is no score book" in bummerl("restore", "--db", db, copy, status=1).text
    assert count_rounds(db, key) == 2
    assert [path.name for path in tmp_path.iterdir() if "restored" in path.name] == []
