"""The server as a process: it starts, tells its address, stops, and comes back unharmed."""

import os
import re
import signal
import subprocess
import sys

from tests.serving import PATIENCE, serving

MEMORY = 100_000
"""KB that two workers take with a first table and its viewers; after their start it is 78,000."""


def test_it_stops_cleanly_with_live_viewers(tmp_path):
    with serving(tmp_path / "x.db") as server:
        keys = server.table()
        path = f"/b/{keys['viewer']}/stream"
        watchers = [server.watch(path) for _ in range(8)]
        for watch in watchers:
            assert watch.next()["id"] == "0"
        assert server.memory() < MEMORY
        assert server.stop() == 0
        for watch in watchers:
            assert watch.next() == {}
            watch.close()


def test_what_was_answered_is_there_after_a_kill(tmp_path):
    db = tmp_path / "x.db"
    with serving(db, workers=1) as server:
        key = server.table()["scorer"]
        for number in range(20):
            event = {"do": "ansage", "schlag": "7" if number % 2 else "8"}
            assert server.write(key, event, str(number))[0] == 201
        # The whole process group at once, workers and all.
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait(timeout=PATIENCE)
    with serving(db, workers=1) as server:
        assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 20


def test_a_returning_viewer_is_told_only_what_is_news(tmp_path):
    db = tmp_path / "x.db"
    with serving(db, workers=1) as server:
        keys = server.table()
        server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "1")
        assert server.stop() == 0
    with serving(db, workers=1) as server:
        watch = server.watch(f"/b/{keys['viewer']}/stream", Last_Event_ID="1")
        server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "2")
        assert watch.next()["id"] == "2"
        watch.close()


def test_it_prints_a_code_for_the_phones_in_the_network(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    given = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    with serving(tmp_path / "x.db", workers=1, host="0.0.0.0", **given) as server:
        assert server.request("GET", "/")[0] == 200
        assert list(home.iterdir()) == []
        assert "█" in server.printed or "▀" in server.printed
        assert "Bummerl is open at http://" in server.printed


def test_few_descriptors_are_named_and_leave_room_to_write(tmp_path):
    few = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400)); "
    command = [sys.executable, "-c", few + "runpy.run_module('scorer', run_name='__main__')"]
    process = subprocess.Popen(
        [*command, "serve", "--port", "0", "--db", str(tmp_path / "x.db"), "--workers", "1"],
        env=os.environ | {"PYTHONWARNINGS": "always::ResourceWarning"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert "open at" in process.stdout.readline()
    process.terminate()
    _, said = process.communicate(timeout=PATIENCE)
    assert "400 files" in said
    assert "ulimit" in said
    # No socket is closed twice: by then its number is somebody else's, the database's perhaps.
    assert not re.search(r"unclosed <socket(?!.*laddr)", said), said


PLAYING = """
import sys, tempfile
from pathlib import Path
import scorer.cli, scorer.serve
from scorer.web import create_app
from tests.serving import Local

with tempfile.TemporaryDirectory() as folder:
    phone = Local(create_app({"DATABASE": str(Path(folder) / "x.db")}))
    keys = phone.table()
    assert phone.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "1")[0] == 201
    for page in ("/", f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
        assert phone.request("GET", page)[0] == 200
    phone.app.extensions["tables"].store.close()
print(*{name.partition(".")[0] for name in sys.modules})
"""


def test_a_server_that_only_serves_tables_carries_none_of_what_is_rarely_asked_for():
    """Together these take more memory than all the rest."""
    rarely = "PIL numpy openskill prometheus_client psycopg python_calamine qrcode rustworkx"
    done = subprocess.run([sys.executable, "-c", PLAYING], check=True, capture_output=True)
    assert set(rarely.split()) & set(done.stdout.decode().split()) == set()
