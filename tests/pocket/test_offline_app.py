"""The app as a phone runs it, on a copy of a server's store, without a browser."""

import json
import os
import re
import subprocess
import sys
import time
import zipfile
from urllib.parse import urlencode

import pytest

from scorer.book.replication import Replication
from scorer.book.table_event_limits import MAX_OPEN_PROPOSALS
from scorer.book.tables import Tables
from scorer.engine import read_head
from scorer.pocket.bundle_trimming import library_file, standard_file
from scorer.pocket.offline_app import COOKIES_FILE, DATABASE_FILE, OfflineApp
from scorer.web.frame.device_identity import FORMER_NAME_COOKIE
from tests.builders import BAYERN, LOST, WON

ORIGIN = "http://bummerl.local"
SEED = "ab2c" * 13
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def server(database):
    return Tables(database.open())


@pytest.fixture
def key(server):
    """The writer's key of a table on the server with one round."""
    key = new_table(server)
    record_win(server, key)
    return key


def new_table(server):
    return server.create(read_head(BAYERN))["scorer"]


def record_win(tables, key):
    stream = tables.store.find(key).stream
    n = tables.current(stream).seq
    tables.record(stream, WON, idempotency_key=f"server{n}", by="scorer b", expected=n)


@pytest.fixture
def phone(tmp_path):
    folder = tmp_path / "phone"
    folder.mkdir()
    return OfflineApp(str(folder), ORIGIN)


def copy(server, key):
    stream = server.store.find(key).stream
    return json.dumps({"copy": Replication(server.store).seen_by(stream, key), "seed": SEED})


def post(phone, path, **form):
    status, _, body = phone.answer("POST", path, FORM, urlencode(form).encode())
    return status, body.decode()


def adopt(phone, server, key):
    return phone.adopt(key, copy(server, key))


def tap(phone, key, seq, event=LOST):
    path = f"/t/{key}/events"
    assert post(phone, path, event=json.dumps(event), seq=seq, token=f"t{seq}")[0] == 303


def get(phone, path):
    return phone.answer("GET", path, {})[2].decode()


def fetch_record(phone, key):
    return json.loads(get(phone, f"/api/tables/{key}/record"))


def test_phone_continues_a_table_of_the_server(phone, server, key):
    adopt(phone, server, key)
    assert json.loads(phone.synced_keys()) == [key]
    tap(phone, key, 1)
    assert json.loads(phone.synced_keys()) == []
    [parcel] = json.loads(phone.unsent_streams())
    assert parcel["keys"] == {"scorer": key}
    [event] = parcel["events"]
    assert re.fullmatch("[a-z2-7]{16}:t1", event["name"])
    assert event["body"] == LOST
    assert phone.status() == {"pocket": "offline", "unsent": 1}


def names(phone):
    """The device's name in the last unsent event of each stream."""
    parcels = json.loads(phone.unsent_streams())
    return [parcel["events"][-1]["name"].partition(":")[0] for parcel in parcels]


def test_a_phone_has_another_name_in_each_stream(phone, server):
    for key in (new_table(server), new_table(server)):
        adopt(phone, server, key)
        tap(phone, key, 0)
    one, other = names(phone)
    assert len({one, other, SEED[:16]}) == 3


def test_older_app_keeps_its_name_until_it_is_online(phone, server, key):
    (phone.folder / COOKIES_FILE).write_text(json.dumps({FORMER_NAME_COOKIE: SEED[:16]}))
    phone.reopen()
    unnamed = {"copy": json.loads(copy(server, key))["copy"]}
    phone.adopt(key, json.dumps(unnamed))
    tap(phone, key, 1)
    assert names(phone) == [SEED[:16]]
    # On this table the phone keeps the old name.
    adopt(phone, server, key)
    assert FORMER_NAME_COOKIE not in phone.cookies
    tap(phone, key, 2)
    assert names(phone) == [SEED[:16]]
    other = new_table(server)
    adopt(phone, server, other)
    tap(phone, other, 0)
    assert len(set(names(phone))) == 2


def test_share_page_mentions_a_pending_upload(phone, server, key):
    adopt(phone, server, key)

    def promised():
        page = phone.answer("GET", f"/t/{key}/share", {"Accept-Language": "de"})[2]
        return "sobald dieses Handy" in page.decode()

    assert not promised()
    tap(phone, key, 1)
    assert promised()


def test_tables_survive_a_restart(phone, server, key):
    adopt(phone, server, key)
    assert f"/t/{key}" in get(OfflineApp(str(phone.folder), ORIGIN), "/")


def test_phone_loads_the_book_of_another_page(phone, tmp_path, server, key):
    phone.warm_templates()
    adopt(phone, server, key)
    tap(phone, key, 1)
    (tmp_path / "other").mkdir()
    other, theirs = OfflineApp(str(tmp_path / "other"), ORIGIN), new_table(server)
    adopt(other, server, theirs)
    for name in (DATABASE_FILE, COOKIES_FILE):
        (phone.folder / name).write_bytes((other.folder / name).read_bytes())
    phone.reopen()
    assert phone.status() == {"pocket": "ready", "unsent": 0}
    assert theirs in get(phone, "/")
    assert [phone.answer("GET", f"/t/{one}", {})[0] for one in (theirs, key)] == [200, 404]
    tap(phone, theirs, 0)
    assert fetch_record(phone, theirs)["events"][0]["side"] == 1


def test_rehearsal_leaves_no_open_files(phone):
    phone.warm_templates()
    opened = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
    assert not [path for path in opened if path.startswith(os.path.realpath(phone.folder))]
    for name in (DATABASE_FILE, COOKIES_FILE):
        (phone.folder / name).unlink(missing_ok=True)
    phone.reopen()
    assert phone.store.streams("table") == []
    assert "/t/" not in get(phone, "/")


@pytest.mark.parametrize(("counts", "points"), [("here", [2, 2]), ("there", [4, 0])])
def test_either_version_can_be_chosen(phone, server, key, counts, points):
    adopt(phone, server, key)
    tap(phone, key, 1)
    record_win(server, key)
    assert adopt(phone, server, key) == "conflict"
    assert phone.status() == {"pocket": "conflict", "unsent": 1}
    assert json.loads(phone.synced_keys()) == []
    page = get(phone, "/pocket")
    assert "2 : 2" in page
    assert "4 : 0" in page
    stream = server.store.find(key).stream
    assert post(phone, "/pocket", stream=stream, counts=counts)[0] == 303
    assert json.loads(get(phone, f"/api/tables/{key}"))["state"]["points"] == points
    assert not phone.has_conflict()
    # The other version still exists, either struck out or as a table of its own.
    waiting = json.loads(phone.unsent_streams())
    if counts == "here":
        events = fetch_record(phone, key)["events"]
        assert [event["do"] for event in events] == [*["gewinnt"] * 2, "korrektur", "gewinnt"]
    else:
        [own] = waiting
        assert len(own["new_stream"]["streams"][0]["events"]) == 2


def propose(tables, key, stakes):
    """Propose another stake for the first round, once for each of `stakes`."""
    stream = tables.store.find(key).stream
    for stake in stakes:
        event = {"do": "vorschlag", "side": 0, "of": 0, "with": {**WON, "stake": stake}}
        tables.record(stream, event, idempotency_key=f"p{stake}", by="scorer b", expected=None)


def test_unacceptable_version_is_kept(phone, server, key):
    """The phone keeps a version that the table cannot accept until somebody decides otherwise."""
    adopt(phone, server, key)
    # Proposals are not struck out, so both versions together have too many open ones.
    propose(server, key, range(3, 3 + MAX_OPEN_PROPOSALS))
    propose(phone.app.extensions["tables"], key, [2])
    tap(phone, key, 2)
    assert adopt(phone, server, key) == "conflict"
    before, stream = fetch_record(phone, key), server.store.find(key).stream
    status, page = post(phone, "/pocket", stream=stream, counts="here")
    assert (status, page.count('role="alert"')) == (200, 1)
    assert (fetch_record(phone, key), phone.has_conflict()) == (before, True)


def test_phone_answers_after_a_clock_change(tmp_path, monkeypatch):
    clock = [time.time()]
    monkeypatch.setattr("time.time", lambda: clock[0])
    phone = OfflineApp(str(tmp_path), ORIGIN)
    assert phone.answer("GET", "/", {})[0] == 200
    clock[0] += 86_400
    assert phone.answer("GET", "/", {})[0] == 200


LOADED = """
import json
import os
import sys
from scorer.pocket.offline_app import DATABASE_FILE, COOKIES_FILE, OfflineApp
phone = OfflineApp(sys.argv[1], "http://bummerl.local")
head = json.dumps({"watten": 1, "rules": "bayern"}).encode()
opened = phone.answer("POST", "/api/tables", {"content-type": "application/json"}, head)
table = "/t/" + json.loads(opened[2])["scorer"]
for path in ("/", table, table + "/stream"):
    assert phone.answer("GET", path, {})[0] == 200, path
assert phone.storage_full_response({})[0] == 503
print(*sys.modules)
"""
SERVERS_ONLY = {"psycopg", "gevent", "gunicorn", "rustworkx", "flask_compress"}
# Modules of this machine's Python. The Python for browsers is built without them.
NATIVE_ONLY = {"ctypes", "ctypes._endian"}


def test_phone_loads_no_server_modules(tmp_path):
    command = [sys.executable, "-c", LOADED, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "scorer.pocket.offline_app" in loaded
    assert not SERVERS_ONLY & loaded
    standard = {name for name in loaded if name.partition(".")[0] in sys.stdlib_module_names}
    missing = {name for name in standard if not standard_file(f"{name.replace('.', '/')}.py")}
    libraries = {name for name in loaded - standard if not name.startswith("scorer.")}
    missing |= {name for name in libraries if not library_file(f"{name.replace('.', '/')}.py")}
    assert missing <= NATIVE_ONLY


SNAPSHOT = """
import importlib.metadata, sys, tempfile
sys.path.insert(0, sys.argv[1])
from scorer.pocket.offline_app import OfflineApp, open_descriptors
phone = OfflineApp(tempfile.mkdtemp(), "http://bummerl.local")
importlib.metadata.version("packed")
before = open_descriptors()
forgotten = open(sys.argv[2]) if sys.argv[2:] else None
phone.prepare_snapshot()
print(len(before), open_descriptors())
"""


@pytest.fixture
def packed(tmp_path):
    """A zip archive with a library, like the standard library of a browser's Python."""
    archive = tmp_path / "lib.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("packed-1.dist-info/METADATA", "Name: packed\nVersion: 1\n")
    return archive


def run(script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_memory_snapshot_has_no_open_files(packed):
    done = run(SNAPSHOT, packed)
    assert done.returncode == 0, done.stderr
    # The archive was open before, because the version of its library was looked up.
    before, _, after = done.stdout.strip().partition(" ")
    assert int(before) > 0
    assert after == "[]"


@pytest.mark.slow
def test_snapshot_with_an_open_file_is_refused(packed):
    done = run(SNAPSHOT, packed, packed)
    assert done.returncode == 1
    assert "still open" in done.stderr
