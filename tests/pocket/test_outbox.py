"""No tap is lost, in whatever order pages and workers use the outbox."""

import shutil
from pathlib import Path

import pytest

from tests import node
from tests.torture import repetitions

HERE = Path(__file__).parent
[INDEXEDDB] = (HERE.parent / "browser" / "vendor").glob("fake-indexeddb-*/build/esm/index.js")
RUNS = repetitions(1500, 100_000)


def run_interleavings(scripts, runs):
    return node.run(HERE / "node" / "interleavings.mjs", scripts, INDEXEDDB, 0, runs)


def test_no_tap_is_lost_in_any_order():
    """Each tap is recorded, still waits, or is refused with a message to the user."""
    counts = run_interleavings(node.SCRIPTS, RUNS)
    assert counts["runs"] == RUNS
    assert counts["kills"] > RUNS
    assert counts["shown"] > RUNS / 10
    assert counts["aborts"] > RUNS


# Changes of the script, each of which loses a tap or its refusal.
FAULTY_CHANGES = {
    "writes entries that were read before its transaction": [
        (
            "return new Promise((resolve, reject) => {\n    const transaction",
            "const before = await resultOf(db.transaction(STORE).objectStore(STORE).getAll());\n"
            "  return new Promise((resolve, reject) => {\n    const transaction",
        ),
        ("work(withMemoryOnly(stored))", "work(withMemoryOnly(before))"),
        ("write(store, stored, entries)", "write(store, before, entries)"),
    ],
    "an answer removes an entry that was typed anew since": [("&& one.body === entry.body", "")],
    "a refusal is shown without being stored": [
        (
            "return why ? withEntry(entries, { ...settled, why, ...(asked && { asked }) }) :",
            "return",
        )
    ],
    "a refusal replaces an earlier refusal": [
        (
            "return why ? withEntry(entries,",
            "return why ? withEntry(entries.filter((one) => !one.why),",
        )
    ],
    "forgets entries that could not be stored": [("memoryOnly.filter(isAbsentFrom(memory))", "[]")],
    "stores an entry twice that two pages took over": [
        (
            "[...stored, ...memoryOnly.filter((entry) => !isStored(stored, entry))]",
            "[...stored, ...memoryOnly]",
        )
    ],
    "leaves entries that a closed page was sending": [
        ("isLeft(entry) ? freed(entry) : entry", "entry")
    ],
}


def changed_scripts(folder, name, *changes):
    """The folder of a copy of all scripts in which one is changed."""
    scripts = folder / "static" / "js"
    shutil.copytree(node.SCRIPTS, scripts)
    text = (scripts / name).read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (scripts / name).write_text(text)
    return scripts


@pytest.mark.parametrize("changes", FAULTY_CHANGES.values(), ids=FAULTY_CHANGES)
def test_faulty_changes_fit_the_script(tmp_path, changes):
    """The slow test below would fail only much later."""
    changed_scripts(tmp_path, "outbox_store.js", *changes)


@pytest.mark.slow
@pytest.mark.parametrize("changes", FAULTY_CHANGES.values(), ids=FAULTY_CHANGES)
def test_faulty_script_changes_are_detected(tmp_path, changes):
    scripts = changed_scripts(tmp_path, "outbox_store.js", *changes)
    with pytest.raises(AssertionError, match="seed"):
        run_interleavings(scripts, RUNS)


A, B = ["/e/a", "15:15", "unread"], ["/e/b", "16:2", "unread"]
REFUSALS = {
    "a page that is seen": ("seen", [[["/t/x/events", "not now", "unread"]], 1]),
    "tapped on another page": ("elsewhere", [[["/t/x/events", "not now", "unread"]], 1]),
    "two results": ("two", [[A, B], 2]),
    "understood on one page": ("understood", [[B], [B]]),
    "superseded": ("superseded", [[["/e/a", "another stands", "unread"]], 1]),
}


@pytest.fixture(scope="module")
def refusals():
    return node.run(HERE / "node" / "refusals.mjs", node.SCRIPTS, INDEXEDDB)


@pytest.mark.parametrize(("case", "left"), REFUSALS.values(), ids=REFUSALS)
def test_no_refusal_is_lost_before_it_is_read(refusals, case, left):
    assert refusals[case] == left


@pytest.mark.parametrize(
    ("script", "old", "new", "case"),
    [
        ("store", "entries.map((one) => (one.id === entry.id ? entry : one))", "[entry]", "two"),
        (
            "store",
            "drop = (entry) => change((entries) => without(entries, entry))",
            "drop = () => change((entries) => entries.filter(({ why }) => !why))",
            "understood",
        ),
        ("attempt", "status >= 400 ?", "status >= 400 && status !== 409 ?", "superseded"),
    ],
    ids=["stores only the newest entry", "removes all refusals", "ignores conflicts"],
)
def test_script_changes_that_lose_refusals_are_detected(tmp_path, script, old, new, case):
    scripts = changed_scripts(tmp_path, f"outbox_{script}.js", (old, new))
    outcomes = node.run(HERE / "node" / "refusals.mjs", scripts, INDEXEDDB)
    assert outcomes[case] != dict(REFUSALS.values())[case]
