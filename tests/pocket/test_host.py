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
from scorer.pocket.host import COOKIES_FILE, DATABASE_FILE, Phone
from scorer.web.frame.device_identity import FORMER_NAME_COOKIE

ORIGIN = "http://bummerl.local"
SEED = "ab2c" * 13
FORM = {"content-type": "application/x-www-form-urlencoded"}


def won(side):
    return {"do": "gewinnt", "side": side}


@pytest.fixture
def server(database):
    return Tables(database.open())


@pytest.fixture
def table(server):
    """The keys of a table on the server with one round."""
    keys = server.create(read_head({"watten": 1, "rules": "bayern"}))
    record_win(server, keys["scorer"], 0)
    return keys


def record_win(tables, key, side):
    stream = tables.store.find(key).stream
    n = tables.current(stream).seq
    tables.record(stream, won(side), idempotency_key=f"server{n}", by="scorer b", expected=n)


@pytest.fixture
def phone(tmp_path):
    folder = tmp_path / "phone"
    folder.mkdir()
    return Phone(str(folder), ORIGIN)


def copy(server, key):
    stream = server.store.find(key).stream
    return json.dumps({"copy": Replication(server.store).seen_by(stream, key), "seed": SEED})


def post(phone, path, **form):
    status, _, body = phone.answer("POST", path, FORM, urlencode(form).encode())
    return status, body.decode()


def tap(phone, key, seq, side):
    path = f"/t/{key}/events"
    return post(phone, path, event=json.dumps(won(side)), seq=seq, token=f"t{seq}")[0]


def fetch_record(phone, key):
    return json.loads(phone.answer("GET", f"/api/tables/{key}/record", {})[2])


def test_phone_continues_a_table_of_the_server(phone, server, table):
    phone.adopt(table["scorer"], copy(server, table["scorer"]))
    assert json.loads(phone.synced_keys()) == [table["scorer"]]
    assert tap(phone, table["scorer"], 1, 1) == 303
    assert json.loads(phone.synced_keys()) == []
    [parcel] = json.loads(phone.unsent_streams())
    assert parcel["keys"] == {"scorer": table["scorer"]}
    [event] = parcel["events"]
    assert re.fullmatch("[a-z2-7]{16}:t1", event["name"])
    assert event["body"] == won(1)
    assert phone.stands() == {"pocket": "offline", "unsent": 1}


def names(phone):
    """The device's name in the last unsent event of each stream."""
    parcels = json.loads(phone.unsent_streams())
    return [parcel["events"][-1]["name"].partition(":")[0] for parcel in parcels]


def test_a_phone_has_another_name_in_each_stream(phone, server):
    for _ in range(2):
        keys = server.create(read_head({"watten": 1, "rules": "bayern"}))
        phone.adopt(keys["scorer"], copy(server, keys["scorer"]))
        assert tap(phone, keys["scorer"], 0, 0) == 303
    one, other = names(phone)
    assert len({one, other, SEED[:16]}) == 3


def test_older_app_keeps_its_name_until_it_is_online(phone, server, table):
    (phone.folder / COOKIES_FILE).write_text(json.dumps({FORMER_NAME_COOKIE: SEED[:16]}))
    phone.recall()
    phone.adopt(
        table["scorer"], json.dumps({"copy": json.loads(copy(server, table["scorer"]))["copy"]})
    )
    assert tap(phone, table["scorer"], 1, 1) == 303
    assert names(phone) == [SEED[:16]]
    # On this table the phone keeps the old name.
    phone.adopt(table["scorer"], copy(server, table["scorer"]))
    assert FORMER_NAME_COOKIE not in phone.cookies
    assert tap(phone, table["scorer"], 2, 1) == 303
    assert names(phone) == [SEED[:16]]
    other = server.create(read_head({"watten": 1, "rules": "bayern"}))
    phone.adopt(other["scorer"], copy(server, other["scorer"]))
    assert tap(phone, other["scorer"], 0, 0) == 303
    assert len(set(names(phone))) == 2


def test_share_page_mentions_a_pending_upload(phone, server, table):
    phone.adopt(table["scorer"], copy(server, table["scorer"]))

    def promised():
        page = phone.answer("GET", f"/t/{table['scorer']}/share", {"Accept-Language": "de"})[2]
        return "sobald dieses Handy" in page.decode()

    assert not promised()
    assert tap(phone, table["scorer"], 1, 1) == 303
    assert promised()


def test_tables_survive_a_restart(phone, server, table):
    phone.adopt(table["scorer"], copy(server, table["scorer"]))
    again = Phone(str(phone.folder), ORIGIN)
    page = again.answer("GET", "/", {})[2].decode()
    assert f"/t/{table['scorer']}" in page


def test_phone_loads_the_book_of_another_page(phone, tmp_path, server, table):
    phone.rehearse()
    phone.adopt(table["scorer"], copy(server, table["scorer"]))
    assert tap(phone, table["scorer"], 1, 1) == 303
    (tmp_path / "other").mkdir()
    other = Phone(str(tmp_path / "other"), ORIGIN)
    theirs = server.create(read_head({"watten": 1, "rules": "trentino"}))
    other.adopt(theirs["scorer"], copy(server, theirs["scorer"]))
    for name in (DATABASE_FILE, COOKIES_FILE):
        (phone.folder / name).write_bytes((other.folder / name).read_bytes())
    phone.recall()
    assert phone.stands() == {"pocket": "ready", "unsent": 0}
    assert theirs["scorer"] in phone.answer("GET", "/", {})[2].decode()
    for keys, found in ((theirs, 200), (table, 404)):
        assert phone.answer("GET", f"/t/{keys['scorer']}", {})[0] == found
    assert tap(phone, theirs["scorer"], 0, 0) == 303
    assert fetch_record(phone, theirs["scorer"])["events"][0]["side"] == 0


def test_rehearsal_leaves_no_open_files(phone):
    phone.rehearse()
    opened = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
    assert not [path for path in opened if path.startswith(os.path.realpath(phone.folder))]
    for name in (DATABASE_FILE, COOKIES_FILE):
        (phone.folder / name).unlink(missing_ok=True)
    phone.recall()
    assert phone.store.streams("table") == []
    assert "/t/" not in phone.answer("GET", "/", {})[2].decode()


@pytest.mark.parametrize(("counts", "points"), [("here", [2, 2]), ("there", [4, 0])])
def test_either_version_can_be_chosen(phone, server, table, counts, points):
    phone.adopt(table["scorer"], copy(server, table["scorer"]))
    tap(phone, table["scorer"], 1, 1)
    record_win(server, table["scorer"], 0)
    assert phone.adopt(table["scorer"], copy(server, table["scorer"])) == "conflict"
    assert phone.stands() == {"pocket": "conflict", "unsent": 1}
    assert json.loads(phone.synced_keys()) == []
    page = phone.answer("GET", "/pocket", {})[2].decode()
    assert "2 : 2" in page
    assert "4 : 0" in page
    stream = server.store.find(table["scorer"]).stream
    assert post(phone, "/pocket", stream=stream, counts=counts)[0] == 303
    state = json.loads(phone.answer("GET", f"/api/tables/{table['scorer']}", {})[2])["state"]
    assert state["points"] == points
    assert not phone.has_conflict()
    # The other version still exists, either struck out or as a table of its own.
    waiting = json.loads(phone.unsent_streams())
    if counts == "here":
        assert [event["do"] for event in fetch_record(phone, table["scorer"])["events"]] == [
            "gewinnt",
            "gewinnt",
            "korrektur",
            "gewinnt",
        ]
    else:
        [own] = waiting
        assert len(own["new_stream"]["streams"][0]["events"]) == 2


def propose(tables, key, stakes):
    """Propose another stake for the first round, once for each of `stakes`."""
    stream = tables.store.find(key).stream
    for stake in stakes:
        event = {"do": "vorschlag", "side": 0, "of": 0, "with": {**won(0), "stake": stake}}
        tables.record(stream, event, idempotency_key=f"p{stake}", by="scorer b", expected=None)


def test_unacceptable_version_is_kept(phone, server, table):
    """The phone keeps a version that the table cannot accept until somebody decides otherwise."""
    key = table["scorer"]
    phone.adopt(key, copy(server, key))
    # Proposals are not struck out, so both versions together have too many open ones.
    propose(server, key, range(3, 3 + MAX_OPEN_PROPOSALS))
    propose(phone.app.extensions["tables"], key, [2])
    tap(phone, key, 2, 1)
    assert phone.adopt(key, copy(server, key)) == "conflict"
    before, stream = fetch_record(phone, key), server.store.find(key).stream
    status, page = post(phone, "/pocket", stream=stream, counts="here")
    assert (status, page.count('role="alert"')) == (200, 1)
    assert (fetch_record(phone, key), phone.has_conflict()) == (before, True)


def test_phone_answers_after_a_clock_change(tmp_path, monkeypatch):
    clock = [time.time()]
    monkeypatch.setattr("time.time", lambda: clock[0])
    phone = Phone(str(tmp_path), ORIGIN)
    assert phone.answer("GET", "/", {})[0] == 200
    clock[0] += 86_400
    assert phone.answer("GET", "/", {})[0] == 200


LOADED = """
import json
import os
import sys
from scorer.pocket.host import DATABASE_FILE, COOKIES_FILE, Phone
phone = Phone(sys.argv[1], "http://bummerl.local")
head = json.dumps({"watten": 1, "rules": "bayern"}).encode()
opened = phone.answer("POST", "/api/tables", {"content-type": "application/json"}, head)
table = "/t/" + json.loads(opened[2])["scorer"]
for path in ("/", table, table + "/stream"):
    assert phone.answer("GET", path, {})[0] == 200, path
assert phone.full({})[0] == 503
print(*sys.modules)
"""
SERVERS_ONLY = {"psycopg", "gevent", "gunicorn", "rustworkx", "flask_compress"}
# Modules of this machine's Python. The Python for browsers is built without them.
NATIVE_ONLY = {"ctypes", "ctypes._endian"}


def test_phone_loads_no_server_modules(tmp_path):
    command = [sys.executable, "-c", LOADED, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "scorer.pocket.host" in loaded
    assert not SERVERS_ONLY & loaded
    standard = {name for name in loaded if name.partition(".")[0] in sys.stdlib_module_names}
    missing = {name for name in standard if not standard_file(f"{name.replace('.', '/')}.py")}
    libraries = {name for name in loaded - standard if not name.startswith("scorer.")}
    missing |= {name for name in libraries if not library_file(f"{name.replace('.', '/')}.py")}
    assert missing <= NATIVE_ONLY


SNAPSHOT = """
import importlib.metadata, sys, tempfile
sys.path.insert(0, sys.argv[1])
from scorer.pocket.host import Phone, open_descriptors
phone = Phone(tempfile.mkdtemp(), "http://bummerl.local")
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


def snapshot(*arguments):
    command = [sys.executable, "-c", SNAPSHOT, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_memory_snapshot_has_no_open_files(packed):
    done = snapshot(packed)
    assert done.returncode == 0, done.stderr
    # The archive was open before, because the version of its library was looked up.
    before, _, after = done.stdout.strip().partition(" ")
    assert int(before) > 0
    assert after == "[]"


def test_snapshot_with_an_open_file_is_refused(packed):
    done = snapshot(packed, packed)
    assert done.returncode == 1
    assert "still open" in done.stderr
