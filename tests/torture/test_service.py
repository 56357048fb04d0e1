"""A server on a failing disk says so, shows what it has, and continues when the disk works."""

import json
import os
import subprocess
import sys
from contextlib import closing

import pytest
from click.testing import CliRunner

from scorer.cli import main
from scorer.store import hash_chain
from scorer.store.sqlite import SqliteStore
from scorer.store.sqlite.driver import sqlite3
from tests.builders import head_and_events
from tests.pages import Page
from tests.serving import serving
from tests.torture.disk import FAULTS, Fault, write_fault

SAID = [{"do": "ansage", "schlag": schlag} for schlag in "78"]
FAILING = [
    Fault("write", "-wal", error="ENOSPC", short=True),
    Fault("write", "-wal"),
    Fault("sync", "-wal"),
]
CODES = {"ENOSPC": "full", "EIO": "broken"}


def test_server_continues_when_the_disk_works_again(tmp_path):
    fault_file = tmp_path / "faults.json"
    given = {FAULTS: str(fault_file)}
    with serving(tmp_path / "x.db", program="tests.torture.disk", **given) as server:
        keys = server.table("bayern")
        assert server.write(keys["scorer"], SAID[0], "0")[0] == 201
        for number, fault in enumerate(FAILING, 1):
            write_fault(fault_file, fault)
            said = SAID[number % 2]
            status, answer = server.write(keys["scorer"], said, str(number))
            assert (status, answer["error"]["code"]) == (503, CODES[fault.error])
            assert answer["error"]["message"]
            assert server.request("GET", f"/b/{keys['viewer']}")[0] == 200
            assert server.json("GET", f"/api/tables/{keys['viewer']}")[1]["seq"] == number
            tapped = [("seq", str(number)), ("token", f"t{number}"), ("event", json.dumps(said))]
            status, _, text = server.request("POST", f"/t/{keys['scorer']}/events", tapped)
            assert status == 503
            # The page keeps the tap and its token, so that it can be sent again.
            assert f'value="t{number}"' in text
            [again] = Page(text).all("button", value=True, css="small")
            assert json.loads(again["value"]) == said
            write_fault(fault_file, None)
            assert server.write(keys["scorer"], said, str(number))[0] == 201
            assert server.write(keys["scorer"], said, str(number))[0] == 200
        record = server.json("GET", f"/api/tables/{keys['viewer']}/record")[1]
    assert len(record["events"]) == 1 + len(FAILING)
    assert hash_chain.first_broken_entry(*head_and_events(record)) is None


@pytest.mark.parametrize("error", ["EIO", "ENOSPC"])
def test_failed_backup_command_leaves_no_file(server, tmp_path, error):
    fault_file = tmp_path / "faults.json"
    write_fault(fault_file, Fault("write", ".unfinished", error=error))
    command = [sys.executable, "-m", "tests.torture.disk", "backup", "--db", str(server.db)]
    done = subprocess.run(
        [*command, str(tmp_path / "copy.db")],
        env=os.environ | {FAULTS: str(fault_file)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode
    assert done.stderr.startswith("Error:")
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["faults.json"]


def damaged(path):
    path.write_text("Wir 2 Die 4\n" * 500)


def foreign(path):
    with closing(sqlite3.connect(path)) as other:
        other.execute("create table bills (amount integer)")


def newer(path):
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as later:
        later.execute("update _sqlite_migrations set name = 'm999_later' where rowid = 1")
        later.commit()


@pytest.mark.parametrize(
    ("made", "named"),
    [(damaged, "is damaged"), (foreign, "another program"), (newer, "a newer release")],
)
def test_unusable_database_file_is_left_unchanged(tmp_path, made, named):
    path = tmp_path / "x.db"
    made(path)
    before = path.read_bytes()
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--db", str(path)])
    assert done.exit_code
    assert named in done.output
    assert path.read_bytes() == before
