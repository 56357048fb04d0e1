"""Another file in the place of the score book, under a server that goes on."""

import os
import shutil
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scorer.store import hash_chain
from scorer.store.sqlite import SqliteStore
from tests.serving import PATIENCE, serving

SAID = [{"do": "ansage", "schlag": schlag} for schlag in "78"]


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path / "x.db") as running:
        yield running


def backup(server, target):
    with closing(SqliteStore(server.db)) as book:
        book.backup(target)
    return target


def write(server, keys, number, sure=True):
    status, answer = server.write(keys["scorer"], SAID[number % 2], str(number))
    assert status == 201 or not sure, answer
    return status, answer


def taken(ask):
    """The codes of refusals, until it was opened anew, and what is answered then."""
    refused, until = [], time.monotonic() + PATIENCE
    while time.monotonic() < until:
        status, answer = ask()
        if status != 503:
            assert status in (200, 201), answer
            return refused, answer
        refused.append(answer["error"]["code"])
    raise AssertionError(refused)


def answers(server, keys):
    """What it is answered until the book is there again: the codes of refusals, and its length."""
    refused, answer = taken(lambda: server.json("GET", f"/api/tables/{keys['viewer']}"))
    return refused, answer["seq"]


def whole(server, keys):
    """The record holds, and so does the file."""
    _, record = taken(lambda: server.json("GET", f"/api/tables/{keys['viewer']}/record"))
    head = {name: value for name, value in record.items() if name != "events"}
    assert hash_chain.check(head, record["events"]) is None
    with closing(SqliteStore(server.db)) as book:
        assert book.examine() == ""


def overwrite(copy, db):
    """As `cp` does: the file stays, and what is in it is another."""
    shutil.copyfile(copy, db)


@pytest.mark.parametrize("tables", [0, 250])
@pytest.mark.parametrize("exchange", [overwrite, os.replace])
def test_an_older_book_is_refused_once_and_then_taken_up(server, tmp_path, tables, exchange):
    keys = server.table("bayern")
    write(server, keys, 0)
    copy = backup(server, tmp_path / "copy.db")
    # With many the log has been written back, and the book is longer than the copy.
    for _ in range(tables):
        server.table("bayern")
    for number in range(1, 6):
        write(server, keys, number)
    exchange(copy, server.db)
    refused, length = answers(server, keys)
    # Who looks while it is copied finds half a book.
    assert "replaced" in refused
    assert set(refused) <= {"replaced", "damaged"}
    assert length == 1
    for number in range(6, 80):
        status, answer = write(server, keys, number, sure=False)
        assert status == 201 or answer["error"]["code"] == "replaced"
    assert answers(server, keys)[1] >= 70
    whole(server, keys)


def test_live_pages_hear_of_the_other_book(server, tmp_path):
    keys = server.table("bayern")
    copy = backup(server, tmp_path / "copy.db")
    write(server, keys, 0)
    watch = server.watch(f"/b/{keys['viewer']}/stream")
    assert watch.next()
    overwrite(copy, server.db)
    # Nobody asks anything, and yet it ends; the page comes again.
    assert watch.next() == {}


def test_what_is_no_score_book_is_refused_until_one_lies_there(server, tmp_path):
    keys = server.table("bayern")
    write(server, keys, 0)
    copy = backup(server, tmp_path / "copy.db")
    write(server, keys, 1)
    server.db.write_text("Wir 2 Die 4\n" * 5000)
    for number in range(2, 6):
        status, answer = write(server, keys, number, sure=False)
        assert (status, answer["error"]["code"]) == (503, "replaced")
    assert server.db.read_text().startswith("Wir 2")
    overwrite(copy, server.db)
    assert answers(server, keys)[1] == 1
    taken(lambda: write(server, keys, 7, sure=False))
    whole(server, keys)


def test_a_worker_that_starts_meanwhile_does_not_end_the_server(tmp_path):
    log = tmp_path / "log"
    with log.open("w") as errors, serving(tmp_path / "x.db", log=errors) as server:
        keys = server.table("bayern")
        copy = backup(server, tmp_path / "copy.db")
        server.db.write_text("Wir 2 Die 4\n" * 5000)
        main = server.process.pid
        worker, _ = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        os.kill(int(worker), signal.SIGKILL)
        until = time.monotonic() + PATIENCE
        while "score book not opened" not in log.read_text():
            assert time.monotonic() < until
        overwrite(copy, server.db)
        assert answers(server, keys)[1] == 0
        whole(server, keys)


def test_another_time_on_the_file_is_no_other_book(server):
    keys = server.table("bayern")
    for number in range(3):
        write(server, keys, number)
        os.utime(server.db)
        assert answers(server, keys) == ([], number + 1)


def test_nothing_that_was_answered_behind_the_exchange_is_lost(server, tmp_path):
    """Phones write all the time: what is answered 201 by the other book stands in it."""
    tables = [server.table("bayern") for _ in range(8)]
    for keys in tables:
        write(server, keys, 0)
    copy = backup(server, tmp_path / "copy.db")

    def busy(keys):
        answered = []
        for number in range(1, 80):
            began = time.monotonic()
            answered.append((began, write(server, keys, number, sure=False)[0]))
        assert {status for _, status in answered} <= {201, 503}
        return answered

    with ThreadPoolExecutor(len(tables)) as phones:
        running = [phones.submit(busy, keys) for keys in tables]
        overwrite(copy, server.db)
        exchanged = time.monotonic()
        phones_heard = [phone.result() for phone in running]
    for keys, answered in zip(tables, phones_heard, strict=True):
        last = max([exchanged, *(began for began, status in answered if status != 201)])
        assert answers(server, keys)[1] >= sum(began > last for began, _ in answered)
        whole(server, keys)
