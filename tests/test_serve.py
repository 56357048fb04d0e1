"""The server process: it starts, prints its address, stops, and restarts without loss."""

import os
import re
import signal
import socket
import subprocess
import sys

import pytest
import zxingcpp

from tests.builders import WON
from tests.commands import bummerl
from tests.sampling import slow
from tests.serving import ADDRESS_LINE, PATIENCE_SECONDS, Server, serving
from tests.terminals import BLACK, CREAM, on_terminal, picture

MEMORY = 110_000
"""The most KB for two workers with one table and its viewers. After the start it is 89,000."""


@pytest.mark.slow
def test_server_stops_cleanly_with_live_viewers(tmp_path):
    with serving(tmp_path / "x.db") as server:
        path = f"/b/{server.table()['viewer']}/stream"
        watchers = [server.watch(path) for _ in range(8)]
        for watch in watchers:
            assert watch.next()["id"] == "0"
        assert server.memory() < MEMORY
        assert server.stop() == 0
        for watch in watchers:
            assert watch.next() == {}
            watch.close()


def test_confirmed_entries_survive_a_kill(tmp_path):
    db = tmp_path / "x.db"
    with serving(db, workers=1) as server:
        key = server.table()["scorer"]
        for number in range(20):
            event = {"do": "ansage", "schlag": "7" if number % 2 else "8"}
            assert server.write(key, event, str(number))[0] == 201
        # Kills the whole process group, including the workers.
        os.killpg(server.process.pid, signal.SIGKILL)
        server.process.wait(timeout=PATIENCE_SECONDS)
    with serving(db, workers=1) as server:
        assert server.seq(key) == 20


@pytest.mark.slow
def test_reconnecting_viewer_gets_only_new_events(tmp_path):
    db = tmp_path / "x.db"
    with serving(db, workers=1) as server:
        keys = server.table(played=[WON])
        assert server.stop() == 0
    with serving(db, workers=1) as server:
        watch = server.watch(f"/b/{keys['viewer']}/stream", Last_Event_ID="1")
        server.write(keys["scorer"], WON, "2")
        assert watch.next()["id"] == "2"
        watch.close()


def test_qr_code_and_address_are_printed(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    given = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    with serving(tmp_path / "x.db", workers=1, host="0.0.0.0", **given) as server:
        assert server.request("GET", "/")[0] == 200
        assert list(home.iterdir()) == []
        assert "█" in server.printed or "▀" in server.printed
        assert "Bummerl is open at http://" in server.printed


@pytest.mark.slow
def test_low_file_limit_prints_a_warning(tmp_path):
    few = "import resource, runpy, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400)); "
    command = [sys.executable, "-c", few + "runpy.run_module('scorer', run_name='__main__')"]
    command += ["serve", "--port", "0", "--db", str(tmp_path / "x.db"), "--workers", "1"]
    warned, pipe = os.environ | {"PYTHONWARNINGS": "always::ResourceWarning"}, subprocess.PIPE
    process = subprocess.Popen(command, env=warned, stdout=pipe, stderr=pipe, text=True)
    assert "open at" in process.stdout.readline()
    process.terminate()
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert "400 files" in errors
    assert "ulimit" in errors
    # No socket is closed twice. Its number could belong to another file by then.
    assert not re.search(r"unclosed <socket(?!.*laddr)", errors), errors


PLAYING = """
import sys, tempfile
from pathlib import Path
import scorer.cli, scorer.gunicorn_server
from scorer.web import create_app
from tests.sampling import slow
from tests.serving import InProcessClient

with tempfile.TemporaryDirectory() as folder:
    phone = InProcessClient(create_app({"DATABASE": str(Path(folder) / "x.db")}))
    keys = phone.table()
    phone.play(keys["scorer"], {"do": "gewinnt", "side": 0})
    for page in ("/", f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
        assert phone.request("GET", page)[0] == 200
    phone.app.extensions["tables"].store.close()
print(*{name.partition(".")[0] for name in sys.modules})
"""


@pytest.mark.slow
def test_tables_load_no_heavy_modules():
    """These modules together take more memory than the rest of the app."""
    rarely = "PIL numpy openskill prometheus_client psycopg python_calamine qrcode rustworkx"
    done = subprocess.run([sys.executable, "-c", PLAYING], check=True, capture_output=True)
    assert set(rarely.split()) & set(done.stdout.decode().split()) == set()


# The output on a terminal


def serve_on_terminal(folder, *options):
    """A server on a terminal."""
    command = [sys.executable, "-m", "scorer", "serve", "--db", str(folder / "x.db"), *options]
    return on_terminal(command, LC_ALL="C.UTF-8", PUBLIC_URL="")


@pytest.mark.parametrize("watchers", [8, *slow(0, 1)])
@pytest.mark.parametrize("attempt", [0, *slow(1, 2)])
def test_ctrl_c_stops_the_server_cleanly(tmp_path, watchers, attempt):
    """The workers may be starting, idle, or holding live pages."""
    with serve_on_terminal(tmp_path, "--port", "0") as terminal:
        server = Server(
            tmp_path / "x.db", terminal.process, terminal.read_until(ADDRESS_LINE.pattern)[1]
        )
        if watchers:
            keys = server.table()
            watching = [server.watch(f"/b/{keys['viewer']}/stream") for _ in range(watchers)]
            for watch in watching:
                assert watch.next()["id"] == "0"
        terminal.interrupt()
        assert terminal.end() == 0
    assert terminal.shown.endswith("\nBummerl has stopped. What was recorded is kept.\n")
    assert not re.search(r"Traceback|Exit|Interrupt", terminal.shown)


def test_starting_workers_stop_on_ctrl_c(tmp_path):
    # A worker that missed the signal would be killed only after this hour.
    late = "import runpy, scorer.gunicorn_server; scorer.gunicorn_server.GRACE_SECONDS = 3600; "
    command = [sys.executable, "-c", late + "runpy.run_module('scorer', run_name='__main__')"]
    command += ["serve", "--port", "0", "--db", str(tmp_path / "x.db")]
    with on_terminal(command) as terminal:
        terminal.read_until(ADDRESS_LINE.pattern)
        terminal.interrupt()
        assert terminal.end() == 0


@pytest.mark.slow
def test_address_is_printed_before_warnings(tmp_path, monkeypatch):
    few = "import resource, runpy; resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400)); "
    few += "import scorer.store.sqlite.driver as it; it.has_wal_fault = lambda: True; "
    command = [sys.executable, "-c", few + "runpy.run_module('scorer', run_name='__main__')"]
    command += ["serve", "--port", "0", "--db", str(tmp_path / "x.db")]
    with on_terminal(command, LC_ALL="C.UTF-8") as terminal:
        terminal.read_until("ulimit -n")
        terminal.interrupt()
        assert terminal.end() == 0
    address, fault = terminal.shown.index("http://"), terminal.shown.index("SQLite")
    assert address < fault < terminal.shown.index("ulimit")
    # The advice names an existing package and the pip of the running Python.
    assert f"{sys.executable} -m pip install pysqlite3" in terminal.shown.replace("\n", "")


@pytest.mark.slow
def test_qr_code_scans_on_light_and_dark_terminals(tmp_path):
    with serve_on_terminal(tmp_path, "--port", "0") as terminal:
        address = terminal.read_until(ADDRESS_LINE.pattern)[1]
    for letters, ground in ((BLACK, CREAM), (CREAM, (7, 54, 66))):
        image = picture(terminal.shown.partition("Bummerl is open")[0], letters, ground)
        # Like some phones, the reader accepts only dark on light.
        [code] = zxingcpp.read_barcodes(image, try_invert=False)
        assert code.text == address


def test_taken_port_error_suggests_another(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = bummerl("serve", "--port", port, "--db", tmp_path / "x.db", status=1)
    errors = done.stderr.decode()
    assert len(errors.splitlines()) == 1
    for named in (str(port), f"make run PORT={port + 1}", f"--port {port + 1}"):
        assert named in errors


@pytest.mark.parametrize("port", [-1, 65536, 99999])
def test_impossible_port_is_refused(tmp_path, port):
    done = bummerl("serve", f"--port={port}", "--db", tmp_path / "x.db", status=2)
    assert b"--port" in done.stderr
