"""Responses of proxies and captive portals remove nothing from the outbox."""

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests import node
from tests.builders import WON
from tests.web.tournament.hall import Hall

HERE = Path(__file__).parent
[INDEXEDDB] = (HERE.parent / "browser" / "vendor").glob("fake-indexeddb-*/build/esm/index.js")
BOXES = [("a", "15"), ("b", "2"), ("a", "15"), ("b", "7")]
TAP = [("seq", "0"), ("event", json.dumps(WON))]


def entry(url, *fields):
    return {"url": url, "body": urlencode([("token", url), *fields]), "what": url}


@pytest.mark.slow
def test_foreign_responses_remove_no_waiting_entry(server):
    hall = Hall(server, games_per_round=2)
    slip = hall.draw()[0]
    writer = server.table()["scorer"]
    desk = f"/p/{hall.key}"
    waiting = [
        entry(f"/t/{writer}/events", *TAP),
        entry(f"/e/{slip['scorer']}", *BOXES),
        entry(f"{desk}/quick", ("table", "2"), ("round", "1"), ("points", "8 3")),
        entry(f"{desk}/pairs/1", ("do", "vermerk"), ("mark", "paid")),
    ]
    pages = ["/", f"/t/{writer}", f"/e/{slip['scorer']}", desk, f"{desk}/pairs", "/t/nobody"]
    given = [server.url, json.dumps(waiting), json.dumps(pages)]
    found = node.run(HERE / "node" / "answers.mjs", node.SCRIPTS, INDEXEDDB, *given)
    assert found["lost"] == []
    assert found["count"] == len(waiting) * (400 * 3 + 3 + 6 * len(pages))
    # At the end the server itself answers, and records each entry once.
    assert found["left"] == []
    assert server.seq(writer) == 1
    first, second = hall.tournament()["draws"][0]["tables"]
    assert (first["status"], second["games"]) == ("entered", [[15, 8], [15, 3]])
    assert hall.page("/pairs").one(id="pair-1").has("button", aria_pressed="true")
