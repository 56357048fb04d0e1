"""The commands: their output and exit status."""

import json
import re
import shutil
from contextlib import closing

import pytest

from scorer.store import hash_chain
from scorer.store.sqlite.driver import sqlite3
from tests.commands import bummerl, shell

RECORD = {"watten": 1, "rules": "oberoesterreich", "events": [{"do": "gewinnt", "side": 0}]}
ILLEGAL = {**RECORD, "events": [{"do": "gehen", "side": 0}]}


def run_replay(given):
    done = bummerl("replay", "-", given=given)
    return done.returncode, json.loads(done.stdout)


def test_replay_prints_the_state():
    code, state = run_replay(RECORD)
    assert code == 0
    assert state["ok"] is True
    assert state["points"] == [2, 0]


def test_replay_names_the_illegal_event():
    done = shell("replay", "-", given=ILLEGAL)
    assert done.returncode == 1
    state = json.loads(done.stdout)
    assert state["ok"] is False
    assert state["error"]["event"] == 0
    assert state["error"]["rule"]


def test_replay_of_an_array_prints_an_array():
    code, states = run_replay([RECORD, ILLEGAL, RECORD])
    assert code == 1
    assert [state["ok"] for state in states] == [True, False, True]
    assert run_replay([RECORD, RECORD])[0] == 0
    assert run_replay([]) == (0, [])


def test_replay_accepts_a_byte_order_mark(tmp_path):
    file = tmp_path / "record.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(RECORD).encode())
    done = bummerl("replay", file)
    assert done.returncode == 0


def test_equity_answers_a_question_or_an_array():
    question = {"rules": "bayern", "points": [11, 9], "open_raise": {"side": 0, "to": 3}}
    done = bummerl("equity", "-", given=[question, {"rules": "frankreich", "points": [0, 0]}])
    assert done.returncode == 0
    raised, even = json.loads(done.stdout)
    assert raised["take_point"]["live"] <= raised["take_point"]["dead"]
    assert even["win"] == [0.5, 0.5]
    for wrong in ({"points": [15, 15]}, {"p": 1}, {"open_raise": {"side": 0, "to": 4.5}}):
        done = bummerl("equity", "-", given={**question, **wrong})
        assert (done.returncode, done.stdout) == (2, b"")
    assert b"open_raise.to" in done.stderr


def test_judge_answers_a_question_or_an_array():
    question = {"ask": "winner", "rules": "bayern", "schlag": "U", "trumpf": "H"}
    question["cards"] = ["HU", "E7"]
    done = bummerl("judge", "-", given=question)
    assert done.returncode == 0
    assert json.loads(done.stdout)["winner"] == 1
    done = bummerl("judge", "-", given=[question, question])
    assert [answer["winner"] for answer in json.loads(done.stdout)] == [1, 1]


def test_judge_names_the_invalid_field():
    question = {"ask": "winner", "rules": "bayern", "schlag": "U", "trumpf": "H"}
    done = bummerl("judge", "-", given=[question | {"cards": ["HU", "HU"]}])
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"[0].cards[1]: HU is named twice" in done.stderr


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b"null",
        b"[" * 100_000,
        b'{"watten": 2, "rules": "bayern", "events": []}',
        b'{"watten": 1, "rules": "tirol", "events": []}',
        b'{"watten": 1, "rules": "bayern", "events": {}}',
        b'{"watten": 1, "rules": "bayern", "events": [{"do": "hexen"}]}',
    ],
)
def test_unreadable_record_prints_one_error_line(given):
    done = bummerl("replay", "-", given=given)
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.decode().strip().splitlines()) == 1
    assert b"Traceback" not in done.stderr


def test_missing_file_is_named_in_the_error(tmp_path):
    done = bummerl("replay", tmp_path / "nothing.json")
    assert done.returncode == 2
    assert b"nothing.json" in done.stderr


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The folder of a database with the demonstration evenings, and the command's output."""
    folder = tmp_path_factory.mktemp("demo")
    done = bummerl("demo", "--db", folder / "x.db")
    assert done.returncode == 0, done.stderr
    return folder, done.stdout.decode()


def test_demo_writes_an_evening_for_each_region(demo):
    _, printed = demo
    regions = re.findall(r"^(\w+) +/t/\w{26} +/b/\w{26} +\w{6}$", printed, re.MULTILINE)
    assert regions == ["oberoesterreich", "bayern", "suedtirol", "trentino", "frankreich"]


def test_links_lists_the_demo_tournament(demo):
    folder, printed = demo
    done = bummerl("links", "--db", folder / "x.db", "--url", "http://cafe.local")
    assert done.returncode == 0
    [director] = re.findall(r"^preiswatten +(/p/\w+)", printed, re.MULTILINE)
    links = re.findall(r"^  (http://\S+)$", done.stdout.decode(), re.MULTILINE)
    assert links == [f"http://cafe.local{director}"]


def export_record(demo, region):
    folder, printed = demo
    key = re.search(rf"^{region} +/t/(\w+)", printed, re.MULTILINE)[1]
    done = bummerl("export", "--db", folder / "x.db", key)
    assert done.returncode == 0
    return json.loads(done.stdout)


def test_an_exported_evening_replays_and_verifies(demo):
    record = export_record(demo, "suedtirol")
    assert run_replay(record)[0] == 0
    done = bummerl("verify", "-", given=record)
    assert done.returncode == 0
    assert re.fullmatch(rb"\w{4,}\s", done.stdout)


@pytest.mark.parametrize("change", ["alter", "drop", "swap", "head"])
def test_verify_names_the_changed_event(demo, change):
    record = export_record(demo, "bayern")
    events = record["events"]
    if change == "alter":
        events[3]["at"] = "2020-01-01T00:00:00Z"
    elif change == "drop":
        del events[3]
    elif change == "swap":
        events[3], events[4] = events[4], events[3]
    else:
        record["rules"] = "suedtirol"
    done = bummerl("verify", "-", given=record)
    assert done.returncode == 1
    assert (b"event 0" if change == "head" else b"event 3") in done.stderr


@pytest.mark.parametrize("sealed", [{}, {"sealed": [1]}])
@pytest.mark.parametrize("command", [["verify"], ["import", "--db", "new.db"]])
def test_invalid_erasure_is_refused(demo, tmp_path, monkeypatch, command, sealed):
    monkeypatch.chdir(tmp_path)
    record = export_record(demo, "bayern")
    record["events"][3] = {"do": "loeschung", **sealed, "hash": record["events"][3]["hash"]}
    done = bummerl(*command, "-", given=record)
    assert done.returncode == 1
    assert b"event 3" in done.stderr


def test_imported_record_exports_unchanged(demo, tmp_path):
    record = export_record(demo, "trentino")
    done = bummerl("import", "--db", tmp_path / "new.db", "-", given=record)
    assert done.returncode == 0, done.stderr
    key = re.match(r"/t/(\w+)", done.stdout.decode())[1]
    again = json.loads(bummerl("export", "--db", tmp_path / "new.db", key).stdout)
    assert again == record


def test_broken_record_imports_only_with_unverified(demo, tmp_path):
    record = export_record(demo, "trentino")
    record["events"][2]["at"] = "2020-01-01T00:00:00Z"
    db = tmp_path / "new.db"
    done = bummerl("import", "--db", db, "-", given=record)
    assert done.returncode == 1
    assert b"event 2 does not fit" in done.stderr
    assert not db.exists()
    done = bummerl("import", "--db", db, "--unverified", "-", given=record)
    assert done.returncode == 0
    # The import keeps the record unchanged, so that its fault can still be found.
    key = re.match(r"/t/(\w+)", done.stdout.decode())[1]
    assert json.loads(bummerl("export", "--db", db, key).stdout) == record


def export_all(db):
    done = bummerl("export", "--db", db)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_database_is_exported_and_imported(demo, tmp_path):
    everything = export_all(demo[0] / "x.db")
    kinds = [stream["kind"] for stream in everything["streams"]]
    # One evening per region, and a tournament with an evening at each of its tables.
    assert (kinds.count("table"), kinds.count("tournament")) == (5 + 3 * 6, 1)
    done = bummerl("import", "--db", tmp_path / "new.db", "-", given=everything)
    assert done.returncode == 0, done.stderr
    assert export_all(tmp_path / "new.db") == everything
    key = re.search(r"/t/(\w+)", demo[1])[1]
    assert bummerl("export", "--db", tmp_path / "new.db", key).returncode == 0
    assert key not in json.dumps(everything)


def test_impossible_tournament_is_not_imported(demo, tmp_path):
    everything = export_all(demo[0] / "x.db")
    (found,) = (one for one in everything["streams"] if one["kind"] == "tournament")
    found["events"][1]["event"]["games"][0] = [15, 1]
    given = ["import", "--db", tmp_path / "new.db", "--unverified", "-"]
    done = bummerl(*given, given=everything)
    assert done.returncode == 1
    assert b"event 1: loser-impossible" in done.stderr


def test_a_tournament_is_exported_by_its_key(demo):
    key = re.search(r"^preiswatten +/p/(\w+)", demo[1], re.MULTILINE)[1]
    done = bummerl("export", "--db", demo[0] / "x.db", key)
    assert json.loads(done.stdout)["name"] == "Preiswatten beim Wirt"
    assert bummerl("verify", "-", given=json.loads(done.stdout)).returncode == 0


def test_database_is_not_imported_twice(demo, tmp_path):
    everything = export_all(demo[0] / "x.db")
    db = tmp_path / "new.db"
    assert bummerl("import", "--db", db, "-", given=everything).returncode == 0
    done = bummerl("import", "--db", db, "-", given=everything)
    assert done.returncode == 1
    assert b"has some of these tables already" in done.stderr
    assert export_all(db) == everything


def test_broken_archive_imports_only_with_unverified(demo, tmp_path):
    everything = export_all(demo[0] / "x.db")
    everything["streams"][1]["events"][2]["event"]["at"] = "2020-01-01T00:00:00Z"
    db = tmp_path / "new.db"
    done = bummerl("import", "--db", db, "-", given=everything)
    assert done.returncode == 1
    assert b"streams[1]: event 2 does not fit the chain" in done.stderr
    assert not db.exists()
    assert bummerl("import", "--db", db, "--unverified", "-", given=everything).returncode == 0
    assert export_all(db) == everything


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bummerl": 2}, b"bummerl: must be 1"),
        ({"bummerl": 1}, b"archive: must have bummerl, streams, boxes"),
        ({"bummerl": 1, "streams": 7, "boxes": []}, b"streams: must be a list"),
        ({"bummerl": 1, "streams": [], "boxes": [{}]}, b"boxes[0]: must have"),
    ],
)
def test_invalid_archive_is_refused(tmp_path, given, message):
    done = bummerl("import", "--db", tmp_path / "x.db", "-", given=given)
    assert done.returncode == 2
    assert message in done.stderr


def test_backup_contains_the_same_database(demo, tmp_path):
    target = tmp_path / "copy.db"
    assert bummerl("backup", "--db", demo[0] / "x.db", target).returncode == 0
    assert export_all(target) == export_all(demo[0] / "x.db")
    done = bummerl("backup", "--db", demo[0] / "x.db", target)
    assert done.returncode == 1
    assert b"is there already" in done.stderr


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        (b"{}", 2, b"not an exported record"),
        (RECORD, 2, b"carry no chain"),
        ([1], 2, b"not an exported record"),
    ],
)
def test_import_refuses_unsuitable_input(tmp_path, given, code, message):
    done = bummerl("import", "--db", tmp_path / "x.db", "-", given=given)
    assert done.returncode == code
    assert message in done.stderr


def test_import_refuses_an_illegal_record(tmp_path):
    db = tmp_path / "x.db"
    done = bummerl("import", "--db", db, "--unverified", "-", given=ILLEGAL)
    assert done.returncode == 1
    assert b"event 0: nothing-to-answer" in done.stderr
    with closing(sqlite3.connect(db)) as database:
        assert database.execute("select count(*) from events").fetchone() == (0,)


def test_export_with_unknown_key_is_refused(demo):
    done = bummerl("export", "--db", demo[0] / "x.db", "nobody")
    assert done.returncode == 2
    assert b"no table" in done.stderr


def test_demo_writes_the_same_events_each_time(demo, tmp_path):
    again = tmp_path, bummerl("demo", "--db", tmp_path / "x.db").stdout.decode()

    def events_without_chain(record):
        own = ("at", "prev", "hash")
        return [{k: v for k, v in event.items() if k not in own} for event in record["events"]]

    assert events_without_chain(export_record(again, "trentino")) == events_without_chain(
        export_record(demo, "trentino")
    )


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["demo"], ["export", "key"]])
def test_file_that_is_no_database_is_refused(command, tmp_path):
    file = tmp_path / "x.db"
    file.write_text("this is a shopping list, not a database, and longer than its header\n" * 20)
    done = bummerl(*command, "--db", file)
    assert done.returncode == 1
    assert f"Error: {file}: is no score book" in done.stderr.decode()


def test_serve_refuses_a_taken_port(tmp_path, server):
    port = server.url.rsplit(":", 1)[1]
    done = shell("serve", "--port", port, "--db", tmp_path / "x.db")
    assert done.returncode == 1
    assert b"cannot listen" in done.stderr


def test_export_does_not_overwrite_a_file(demo, tmp_path):
    db, to = demo[0] / "x.db", tmp_path / "all.json"
    assert bummerl("export", "--db", db, "--to", to).returncode == 0
    assert json.loads(to.read_text()) == json.loads(bummerl("export", "--db", db).stdout)
    again = bummerl("export", "--db", db, "--to", to)
    assert again.returncode == 1
    assert b"is there already" in again.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


def test_export_of_an_empty_book_warns(tmp_path):
    db = tmp_path / "empty.db"
    db.touch()
    done = bummerl("export", "--db", db)
    assert b"empty" in done.stderr
    assert json.loads(done.stdout)["streams"] == []


def test_doctor_names_a_damaged_database(demo, tmp_path):
    db = demo[0] / "x.db"
    assert f"ok     {db}: whole" in bummerl("doctor", "--db", db).stdout.decode()
    damaged = tmp_path / "damaged.db"
    content = db.read_bytes()
    damaged.write_bytes(content[:8192] + b"\xff" * 40_000 + content[48_192:])
    found = bummerl("doctor", "--db", damaged)
    assert found.returncode == 1
    [line] = [line for line in found.stdout.decode().splitlines() if str(damaged) in line]
    assert line.startswith("LOOK")
    assert "backup" in line
    # Here the file is intact, but one event was altered.
    forged = tmp_path / "forged.db"
    shutil.copy(db, forged)
    with closing(sqlite3.connect(forged)) as book:
        book.execute("drop trigger events_no_update")
        book.execute("update events set event = json_set(event, '$.side', 7) where seq = 3")
        book.commit()
    found = bummerl("doctor", "--db", forged)
    assert found.returncode == 1
    assert "does not fit its chain" in found.stdout.decode()
    # A file cannot be the folder of a database.
    nowhere = bummerl("doctor", "--db", damaged / "x.db")
    assert nowhere.returncode == 1
    assert f"LOOK   {damaged / 'x.db'}: " in nowhere.stdout.decode()


@pytest.mark.parametrize(
    "text",
    [
        b'{"watten": 1, "rules": "bayern", "rules": "trentino"}',
        b'{"watten": 1, "rules": "bayern", "sides": [{"name": "\\ud800"}, {}]}',
        b'{"watten": 1, "rules": "bayern", "events": [{"do": "gewinnt", "side": 0, "side": 1}]}',
    ],
    ids=("head", "surrogate", "event"),
)
@pytest.mark.parametrize("command", ["replay", "verify"])
def test_an_ambiguous_record_is_unreadable(command, text):
    done = bummerl(command, "-", given=text)
    assert done.returncode == 2
    assert done.stderr
    assert not done.stdout
    assert b"Traceback" not in done.stderr


def test_verify_finds_a_removed_event_by_its_digest():
    record = {"watten": 1, "rules": "bayern", "events": []}
    head = {"watten": 1, "rules": "bayern"}
    previous = hash_chain.first(head)
    for side in (0, 1, 0):
        event = {"do": "gewinnt", "side": side}
        previous = event["hash"] = hash_chain.link(previous, event)
        record["events"].append(event)
    seen = hash_chain.Witness(previous, 3).text
    done = bummerl("verify", "--seen", seen, "-", given=record)
    assert done.returncode == 0
    assert previous.startswith(done.stdout.decode().strip())
    record["events"].pop()
    done = bummerl("verify", "--seen", seen, "-", given=record)
    assert done.returncode == 1
    assert b"event 2" in done.stderr
    assert bummerl("verify", "--seen", "nonsense", "-", given=record).returncode == 2


@pytest.mark.parametrize("digits", [8, 19, 20, 64])
def test_verify_warns_of_digests_under_80_bits(digits):
    head = {"watten": 1, "rules": "bayern"}
    event = {"do": "gewinnt", "side": 0}
    event["hash"] = hash_chain.link(hash_chain.first(head), event)
    done = bummerl(
        "verify", "--seen", event["hash"][:digits], "-", given={**head, "events": [event]}
    )
    weak = digits < 20
    assert done.returncode == (3 if weak else 0)
    assert event["hash"].startswith(done.stdout.decode().strip())
    assert (f"{4 * digits} bits" in done.stderr.decode()) == weak
    # A digest that is not in the record is an error, however few digits it has.
    other = "0" * digits
    assert bummerl("verify", "--seen", other, "-", given={**head, "events": []}).returncode == 1
