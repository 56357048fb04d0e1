"""What waits on a phone is never lost: pages and workers share it in every order."""

import shutil
from pathlib import Path

import pytest

from tests import node
from tests.torture import often

HERE = Path(__file__).parent
[INDEXEDDB] = (HERE.parent / "browser" / "vendor").glob("fake-indexeddb-*/build/esm/index.js")
RUNS = often(1500, 100_000)


def interleaved(scripts, runs):
    return node.run(HERE / "node" / "interleavings.mjs", scripts, INDEXEDDB, 0, runs)


def test_each_tap_is_recorded_or_refused_and_told_or_waits_in_every_order():
    found = interleaved(node.SCRIPTS, RUNS)
    assert found["runs"] == RUNS
    assert found["kills"] > RUNS
    assert found["shown"] > RUNS / 10
    assert found["aborts"] > RUNS


# What loses a tap or its refusal, each by one change of the script.
CARELESS = {
    "what was read before is written": [
        (
            "return new Promise((found, failed) => {\n    const change",
            "const before = await done(db.transaction(STORE).objectStore(STORE).getAll());\n"
            "  return new Promise((found, failed) => {\n    const change",
        ),
        ("work(together(stored))", "work(together(before))"),
        ("write(store, stored, entries)", "write(store, before, entries)"),
    ],
    "an answer takes what was typed since": [("&& one.body === entry.body", "")],
    "a refusal is told before it is kept": [("if (!why) return", "return")],
    "one refusal takes another's place": [
        ("settled = { ...settled, why, tab", "entries = entries.filter((one) => !one.why);\n$&")
    ],
    "what could not be kept meanwhile is forgotten": [("unkept.filter(isNew(taken))", "[]")],
    "what two pages took over waits twice": [
        (
            "[...stored, ...unkept.filter((entry) => !isThere(stored, entry))]",
            "[...stored, ...unkept]",
        )
    ],
    "what a dead page was at is left": [("isLeft(entry) ? free(entry) : entry", "entry")],
}


@pytest.mark.parametrize("changes", CARELESS.values(), ids=CARELESS)
def test_what_is_less_careful_is_found(tmp_path, changes):
    shutil.copytree(node.SCRIPTS, tmp_path / "js")
    store = tmp_path / "js" / "outbox_store.js"
    text = store.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new.replace("$&", old))
    store.write_text(text)
    with pytest.raises(AssertionError, match="seed"):
        interleaved(tmp_path / "js", RUNS)
