"""The commands: their output and exit status."""

import json
import re
import shutil
from contextlib import closing

import pytest

from scorer.store import hash_chain
from scorer.store.sqlite.driver import sqlite3
from tests.builders import BAYERN, WON
from tests.commands import bummerl, shell

RECORD = {"watten": 1, "rules": "oberoesterreich", "events": [WON]}
ILLEGAL = {**RECORD, "events": [{"do": "gehen", "side": 0}]}
EARLIER = "2020-01-01T00:00:00Z"


def test_replay_prints_the_state():
    state = bummerl("replay", "-", given=RECORD).json
    assert (state["ok"], state["points"]) == (True, [2, 0])


def test_replay_names_the_illegal_event():
    state = shell("replay", "-", given=ILLEGAL, status=1).json
    assert state["ok"] is False
    assert state["error"]["event"] == 0
    assert state["error"]["rule"]


def test_replay_of_an_array_prints_an_array():
    states = bummerl("replay", "-", given=[RECORD, ILLEGAL, RECORD], status=1).json
    assert [state["ok"] for state in states] == [True, False, True]
    assert len(bummerl("replay", "-", given=[RECORD, RECORD]).json) == 2
    assert bummerl("replay", "-", given=[]).json == []


def test_replay_accepts_a_byte_order_mark(tmp_path):
    file = tmp_path / "record.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(RECORD).encode())
    bummerl("replay", file)


def test_equity_answers_a_question_or_an_array():
    question = {"rules": "bayern", "points": [11, 9], "open_raise": {"side": 0, "to": 3}}
    other = {"rules": "frankreich", "points": [0, 0]}
    raised, even = bummerl("equity", "-", given=[question, other]).json
    assert raised["take_point"]["live"] <= raised["take_point"]["dead"]
    assert even["win"] == [0.5, 0.5]
    for wrong in ({"points": [15, 15]}, {"p": 1}, {"open_raise": {"side": 0, "to": 4.5}}):
        done = bummerl("equity", "-", given={**question, **wrong}, status=2)
        assert done.stdout == b""
    assert b"open_raise.to" in done.stderr


WINNER = {"ask": "winner", "rules": "bayern", "schlag": "U", "trumpf": "H", "cards": ["HU", "E7"]}


def test_judge_answers_a_question_or_an_array():
    assert bummerl("judge", "-", given=WINNER).json["winner"] == 1
    answers = bummerl("judge", "-", given=[WINNER, WINNER]).json
    assert [answer["winner"] for answer in answers] == [1, 1]


def test_judge_names_the_invalid_field():
    done = bummerl("judge", "-", given=[WINNER | {"cards": ["HU", "HU"]}], status=2)
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
    done = bummerl("replay", "-", given=given, status=2)
    assert done.stdout == b""
    assert len(done.stderr.decode().strip().splitlines()) == 1
    assert b"Traceback" not in done.stderr


def test_missing_file_is_named_in_the_error(tmp_path):
    assert b"nothing.json" in bummerl("replay", tmp_path / "nothing.json", status=2).stderr


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A database with the demonstration evenings, and the command's output."""
    db = tmp_path_factory.mktemp("demo") / "x.db"
    return db, bummerl("demo", "--db", db).stdout.decode()


@pytest.fixture
def new(tmp_path):
    """The path of a database that does not exist yet."""
    return tmp_path / "new.db"


def test_demo_writes_an_evening_for_each_region(demo):
    regions = re.findall(r"^(\w+) +/t/\w{26} +/b/\w{26} +\w{6}$", demo[1], re.MULTILINE)
    assert regions == ["oberoesterreich", "bayern", "suedtirol", "trentino", "frankreich"]


def test_links_lists_the_demo_tournament(demo):
    db, printed = demo
    listed = bummerl("links", "--db", db, "--url", "http://cafe.local").stdout.decode()
    [director] = re.findall(r"^preiswatten +(/p/\w+)", printed, re.MULTILINE)
    assert re.findall(r"^  (http://\S+)$", listed, re.MULTILINE) == [f"http://cafe.local{director}"]


def export_record(demo, region):
    db, printed = demo
    key = re.search(rf"^{region} +/t/(\w+)", printed, re.MULTILINE)[1]
    return bummerl("export", "--db", db, key).json


def export_imported(db, done):
    """The record that an import has made a table of."""
    return bummerl("export", "--db", db, re.match(r"/t/(\w+)", done.stdout.decode())[1]).json


def test_an_exported_evening_replays_and_verifies(demo):
    record = export_record(demo, "suedtirol")
    bummerl("replay", "-", given=record)
    assert re.fullmatch(rb"\w{4,}\s", bummerl("verify", "-", given=record).stdout)


@pytest.mark.parametrize("change", ["alter", "drop", "swap", "head"])
def test_verify_names_the_changed_event(demo, change):
    record = export_record(demo, "bayern")
    events = record["events"]
    if change == "alter":
        events[3]["at"] = EARLIER
    elif change == "drop":
        del events[3]
    elif change == "swap":
        events[3], events[4] = events[4], events[3]
    else:
        record["rules"] = "suedtirol"
    done = bummerl("verify", "-", given=record, status=1)
    assert (b"event 0" if change == "head" else b"event 3") in done.stderr


@pytest.mark.parametrize("sealed", [{}, {"sealed": [1]}])
@pytest.mark.parametrize("command", [["verify"], ["import", "--db", "new.db"]])
def test_invalid_erasure_is_refused(demo, tmp_path, monkeypatch, command, sealed):
    monkeypatch.chdir(tmp_path)
    record = export_record(demo, "bayern")
    record["events"][3] = {"do": "loeschung", **sealed, "hash": record["events"][3]["hash"]}
    assert b"event 3" in bummerl(*command, "-", given=record, status=1).stderr


def test_imported_record_exports_unchanged(demo, new):
    record = export_record(demo, "trentino")
    assert export_imported(new, bummerl("import", "--db", new, "-", given=record)) == record


def test_broken_record_imports_only_with_unverified(demo, new):
    record = export_record(demo, "trentino")
    record["events"][2]["at"] = EARLIER
    done = bummerl("import", "--db", new, "-", given=record, status=1)
    assert b"event 2 does not fit" in done.stderr
    assert not new.exists()
    done = bummerl("import", "--db", new, "--unverified", "-", given=record)
    # The import keeps the record unchanged, so that its fault can still be found.
    assert export_imported(new, done) == record


@pytest.fixture
def everything(demo):
    """The exported demonstration database."""
    return export_all(demo[0])


def export_all(db):
    return bummerl("export", "--db", db).json


def test_a_database_is_exported_and_imported(demo, everything, new):
    kinds = [stream["kind"] for stream in everything["streams"]]
    # One evening per region, and a tournament with an evening at each of its tables.
    assert (kinds.count("table"), kinds.count("tournament")) == (5 + 3 * 6, 1)
    bummerl("import", "--db", new, "-", given=everything)
    assert export_all(new) == everything
    key = re.search(r"/t/(\w+)", demo[1])[1]
    bummerl("export", "--db", new, key)
    assert key not in json.dumps(everything)
    # It is not imported twice.
    done = bummerl("import", "--db", new, "-", given=everything, status=1)
    assert b"has some of these tables already" in done.stderr
    assert export_all(new) == everything


def test_impossible_tournament_is_not_imported(everything, new):
    [found] = [one for one in everything["streams"] if one["kind"] == "tournament"]
    found["events"][1]["event"]["games"][0] = [15, 1]
    done = bummerl("import", "--db", new, "--unverified", "-", given=everything, status=1)
    assert b"event 1: loser-impossible" in done.stderr


def test_a_tournament_is_exported_by_its_key(demo):
    key = re.search(r"^preiswatten +/p/(\w+)", demo[1], re.MULTILINE)[1]
    record = bummerl("export", "--db", demo[0], key).json
    assert record["name"] == "Preiswatten beim Wirt"
    bummerl("verify", "-", given=record)


def test_broken_archive_imports_only_with_unverified(everything, new):
    everything["streams"][1]["events"][2]["event"]["at"] = EARLIER
    done = bummerl("import", "--db", new, "-", given=everything, status=1)
    assert b"streams[1]: event 2 does not fit the chain" in done.stderr
    assert not new.exists()
    bummerl("import", "--db", new, "--unverified", "-", given=everything)
    assert export_all(new) == everything


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bummerl": 2}, b"bummerl: must be 1"),
        ({"bummerl": 1}, b"archive: must have bummerl, streams, boxes"),
        ({"bummerl": 1, "streams": 7, "boxes": []}, b"streams: must be a list"),
        ({"bummerl": 1, "streams": [], "boxes": [{}]}, b"boxes[0]: must have"),
        (b"{}", b"not an exported record"),
        (RECORD, b"carry no chain"),
        ([1], b"not an exported record"),
    ],
)
def test_import_refuses_unsuitable_input(new, given, message):
    assert message in bummerl("import", "--db", new, "-", given=given, status=2).stderr


def test_backup_contains_the_same_database(demo, everything, tmp_path):
    target = tmp_path / "copy.db"
    bummerl("backup", "--db", demo[0], target)
    assert export_all(target) == everything
    assert b"is there already" in bummerl("backup", "--db", demo[0], target, status=1).stderr


def test_import_refuses_an_illegal_record(new):
    done = bummerl("import", "--db", new, "--unverified", "-", given=ILLEGAL, status=1)
    assert b"event 0: nothing-to-answer" in done.stderr
    with closing(sqlite3.connect(new)) as database:
        assert database.execute("select count(*) from events").fetchone() == (0,)


def test_export_with_unknown_key_is_refused(demo):
    assert b"no table" in bummerl("export", "--db", demo[0], "nobody", status=2).stderr


@pytest.mark.slow
def test_demo_writes_the_same_events_each_time(demo, new):
    again = new, bummerl("demo", "--db", new).stdout.decode()

    def events_without_chain(record):
        own = ("at", "prev", "hash")
        return [{k: v for k, v in event.items() if k not in own} for event in record["events"]]

    first, second = (events_without_chain(export_record(one, "trentino")) for one in (demo, again))
    assert first == second


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["demo"], ["export", "key"]])
def test_file_that_is_no_database_is_refused(command, new):
    new.write_text("this is a shopping list, not a database, and longer than its header\n" * 20)
    done = bummerl(*command, "--db", new, status=1)
    assert f"Error: {new}: is no score book" in done.stderr.decode()


def test_serve_refuses_a_taken_port(new, server):
    port = server.url.rsplit(":", 1)[1]
    assert b"cannot listen" in shell("serve", "--port", port, "--db", new, status=1).stderr


def test_export_does_not_overwrite_a_file(demo, everything, tmp_path):
    command = ["export", "--db", demo[0], "--to", tmp_path / "all.json"]
    bummerl(*command)
    assert json.loads((tmp_path / "all.json").read_text()) == everything
    assert b"is there already" in bummerl(*command, status=1).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


def test_export_of_an_empty_book_warns(new):
    new.touch()
    done = bummerl("export", "--db", new)
    assert b"empty" in done.stderr
    assert done.json["streams"] == []


def test_doctor_names_a_damaged_database(demo, tmp_path):
    db, _ = demo
    assert f"ok     {db}: whole" in bummerl("doctor", "--db", db).stdout.decode()
    damaged = tmp_path / "damaged.db"
    content = db.read_bytes()
    damaged.write_bytes(content[:8192] + b"\xff" * 40_000 + content[48_192:])
    found = bummerl("doctor", "--db", damaged, status=1).stdout.decode()
    [line] = [line for line in found.splitlines() if str(damaged) in line]
    assert line.startswith("LOOK")
    assert "backup" in line
    # Here the file is intact, but one event was altered.
    forged = tmp_path / "forged.db"
    shutil.copy(db, forged)
    with closing(sqlite3.connect(forged)) as book:
        book.execute("drop trigger events_no_update")
        book.execute("update events set event = json_set(event, '$.side', 7) where seq = 3")
        book.commit()
    assert b"does not fit its chain" in bummerl("doctor", "--db", forged, status=1).stdout
    # A file cannot be the folder of a database.
    nowhere = damaged / "x.db"
    found = bummerl("doctor", "--db", nowhere, status=1).stdout.decode()
    assert f"LOOK   {nowhere}: " in found


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
    done = bummerl(command, "-", given=text, status=2)
    assert done.stderr
    assert not done.stdout
    assert b"Traceback" not in done.stderr


def chained_record(*events):
    previous, chained = hash_chain.head_hash(BAYERN), []
    for event in events:
        previous = hash_chain.entry_hash(previous, event)
        chained.append({**event, "hash": previous})
    return {**BAYERN, "events": chained}, previous


def test_verify_finds_a_removed_event_by_its_digest():
    record, last = chained_record(WON, {"do": "gewinnt", "side": 1}, WON)
    command = ["verify", "--seen", hash_chain.Witness(last, 3).text, "-"]
    assert last.startswith(bummerl(*command, given=record).stdout.decode().strip())
    record["events"].pop()
    assert b"event 2" in bummerl(*command, given=record, status=1).stderr
    bummerl("verify", "--seen", "nonsense", "-", given=record, status=2)


@pytest.mark.parametrize("digits", [8, 19, 20, 64])
def test_verify_warns_of_digests_under_80_bits(digits):
    (record, last), weak = chained_record(WON), digits < 20
    command = ["verify", "--seen", last[:digits], "-"]
    done = bummerl(*command, given=record, status=3 if weak else 0)
    assert last.startswith(done.stdout.decode().strip())
    assert (f"{4 * digits} bits" in done.stderr.decode()) == weak
    # A digest that is not in the record is an error, however few digits it has.
    bummerl("verify", "--seen", "0" * digits, "-", given={**BAYERN, "events": []}, status=1)
