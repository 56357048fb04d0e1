"""A server killed during writes loses and doubles no confirmed entry."""

import os
import random
import signal
import threading
from contextlib import ExitStack, suppress
from http.client import HTTPException

from scorer.store import hash_chain
from tests.builders import head_and_events
from tests.serving import serving
from tests.torture import IS_LONG_RUN, repetitions

KILLS = repetitions(6, 1000)
WRITERS = 4
PAGE = 1000
"""Events of a table before its writer opens the next table."""
WORKERS = 2
NEW = {"watten": 1, "rules": "bayern"}


class Hall:
    """A server that is killed and restarted, and writers who each write to their own tables."""

    def __init__(self, stack, db, rng):
        self._stack, self._db, self._rng = stack, db, rng
        self.server = None
        self.over = False
        self.heard = threading.Condition()
        self.acknowledged = 0
        self.start()

    def start(self):
        self.server = self._stack.enter_context(serving(self._db, workers=WORKERS))

    def surely(self, ask):
        """Ask until the server responds without a failure, and return the status and body."""
        while True:
            try:
                status, answer = ask(self.server)
            except (OSError, HTTPException, ValueError):
                # The server was killed meanwhile, or has not started yet.
                continue
            if status < 500:
                return status, answer

    def write(self, names_by_table):
        """Write until `over`, and add all acknowledged names to `names_by_table` in order."""
        while not self.over:
            keys = self.surely(lambda to: to.json("POST", "/api/tables", NEW))[1]
            names = names_by_table[keys["viewer"]] = []
            while not self.over and len(names) < PAGE:
                name = f"{keys['viewer'][:6]} {len(names)}"
                seated = {"do": "sitzordnung", "sides": [{"name": name}, {"name": "Die"}]}
                status, _ = self.surely(lambda to: to.write(keys["scorer"], seated, name))  # noqa: B023
                assert status in (200, 201)
                names.append(name)
                with self.heard:
                    self.acknowledged += 1
                    self.heard.notify_all()

    def until(self, more):
        """Wait until `more` further events are acknowledged."""
        with self.heard:
            aim = self.acknowledged + more
            assert self.heard.wait_for(lambda: self.acknowledged >= aim, 120)

    def kill(self, everything):
        """Kill a worker, or the whole server, which then starts again."""
        pid = self.server.process.pid
        if everything:
            os.killpg(pid, signal.SIGKILL)
            self.server.process.wait()
            self.start()
            return
        with open(f"/proc/{pid}/task/{pid}/children") as children:
            workers = children.read().split()
        # A worker that was killed before may be gone by now.
        if workers:
            with suppress(ProcessLookupError):
                os.kill(int(self._rng.choice(workers)), signal.SIGKILL)


def test_acknowledged_writes_survive_kills(tmp_path):
    names_by_table = [{} for _ in range(WRITERS)]
    with ExitStack() as stack:
        rng = random.Random() if IS_LONG_RUN else random.Random(1)
        hall = Hall(stack, tmp_path / "x.db", rng)
        writers = [threading.Thread(target=hall.write, args=(found,)) for found in names_by_table]
        for writer in writers:
            writer.start()
        try:
            for number in range(KILLS):
                hall.until(rng.randrange(1, 30))
                hall.kill(everything=number % 10 == 3)
            hall.until(WRITERS)
        finally:
            hall.over = True
            for writer in writers:
                writer.join()
        for viewer, names in (pair for found in names_by_table for pair in found.items()):
            record = hall.server.json("GET", f"/api/tables/{viewer}/record")[1]
            assert [event["sides"][0]["name"] for event in record["events"]] == names
            assert hash_chain.first_broken_entry(*head_and_events(record)) is None
