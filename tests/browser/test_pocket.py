"""The whole Bummerl in the pocket: real Chromium, a real bundle, a network that goes and comes."""

import json
import os
import urllib.request
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from scorer.engine import replay
from scorer.pocket import bundle
from scorer.store.chain import check
from scorer.web import asset_root
from tests.browser.taps import new_table, sums, undo, win
from tests.serving import serving

PATIENT = 90_000


@pytest.fixture(scope="module")
def parts(pytestconfig):
    """Downloaded parts are kept from one run to the next."""
    return pytestconfig.rootpath / "instance" / "parts"


@pytest.fixture(scope="module")
def built(tmp_path_factory, parts):
    folder = tmp_path_factory.mktemp("pocket") / "pocket"
    bundle.build(folder, asset_root(), parts)
    return folder


class Hut:
    """A server that can be gone and come back at the same address, with the same book."""

    def __init__(self, db, built):
        self._db, self._built, self._up = db, built, ExitStack()
        self.port = "0"
        self.come()

    def come(self):
        running = serving(self._db, port=self.port, BUMMERL_POCKET=str(self._built))
        self.server = self._up.enter_context(running)
        self.port = self.server.url.rsplit(":", 1)[1]

    def go(self):
        self._up.close()


@pytest.fixture
def hut(tmp_path, built):
    found = Hut(tmp_path / "bummerl.db", built)
    yield found
    found.go()


@pytest.fixture
def phones(chromium):
    with ExitStack() as stack:

        def new(url):
            context = chromium.new_context(base_url=url, locale="de-AT")
            stack.callback(context.close)
            return context.new_page()

        yield new


def prepared(page):
    page.goto("/")
    page.locator("[data-pocket-do=prepare]").click()
    stands(page, "ready")


def stands(page, pocket, unsent=0):
    page.wait_for_selector(
        f"html[data-pocket={pocket}][data-unsent='{unsent}']", state="attached", timeout=PATIENT
    )


def record(server, key):
    with urllib.request.urlopen(f"{server.url}/api/tables/{key}/record") as answer:
        return json.load(answer)


def test_an_evening_goes_on_without_network_and_comes_back_once(hut, phones):
    page = phones(hut.server.url)
    prepared(page)
    key = new_table(page)
    win(page, 0)
    sums(page, 2, 0)
    page.reload()
    # What another phone writes is here too before the network goes.
    with page.context.expect_event("response", lambda found: "/pocket/streams/" in found.url):
        hut.server.write(key, {"do": "gewinnt", "side": 0}, "other")
    sums(page, 4, 0)
    hut.go()
    for points in (2, 4):
        win(page, 1)
        sums(page, 4, points)
    undo(page)
    sums(page, 4, 2)
    stands(page, "offline", 3)
    # What was said to be recorded outlives the page.
    page.close()
    page = page.context.new_page()
    page.goto(f"/t/{key}")
    sums(page, 4, 2)
    page.goto(f"/b/{key}/history")
    expect(page.locator("main")).to_contain_text("2")
    born = new_table(page, "bayern")
    win(page, 0)
    sums(page, 2, 0)
    hut.come()
    page.evaluate("navigator.serviceWorker.controller.postMessage(['send'])")
    stands(page, "ready")
    for name, points, count in ((key, (4, 2), 5), (born, (2, 0), 1)):
        told = record(hut.server, name)
        evening, refusal = replay(told)
        assert refusal is None
        assert evening.state.points == points
        assert len(told["events"]) == count
        head = {field: value for field, value in told.items() if field != "events"}
        assert check(head, told["events"]) is None
    # The page goes on with the server, live for everybody.
    win(page, 0)
    sums(page, 4, 0)
    assert len(record(hut.server, born)["events"]) == 2


def test_when_two_wrote_a_person_decides_and_nothing_is_lost(hut, phones):
    page = phones(hut.server.url)
    prepared(page)
    key = new_table(page)
    win(page, 0)
    sums(page, 2, 0)
    page.reload()
    page.context.set_offline(True)
    hut.go()
    win(page, 1)
    sums(page, 2, 2)
    hut.come()
    path = f"/api/tables/{key}/events"
    other = {"do": "gewinnt", "side": 0}
    assert hut.server.json("POST", path, other, Idempotency_Key="other")[0] == 201
    page.context.set_offline(False)
    page.evaluate("navigator.serviceWorker.controller.postMessage(['send'])")
    stands(page, "conflict", 1)
    page.goto("/pocket")
    results = page.locator(".version .result")
    expect(results).to_have_text(["2 : 2", "4 : 0"])
    page.locator("button[value=here]").click()
    stands(page, "ready")
    told = record(hut.server, key)
    assert replay(told)[0].state.points == (2, 2)
    # The other's round stays in the record, struck out.
    assert [event["do"] for event in told["events"]] == [
        "gewinnt",
        "gewinnt",
        "korrektur",
        "gewinnt",
    ]


def test_a_tampered_part_is_refused(hut, phones, built):
    [app] = built.glob("*/app.zip")
    kept = app.read_bytes()
    app.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    try:
        page = phones(hut.server.url)
        page.goto("/")
        page.locator("[data-pocket-do=prepare]").click()
        expect(page.locator("[data-pocket-says=tampered]")).to_be_visible(timeout=PATIENT)
    finally:
        app.write_bytes(kept)


def test_a_folder_of_files_is_a_whole_bummerl(tmp_path, parts, phones):
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    bundle.site(tmp_path, asset_root(), parts)
    files = partial(SimpleHTTPRequestHandler, directory=os.fspath(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        page = phones(f"http://127.0.0.1:{host.server_port}")
        page.goto("/")
        page.locator("[data-pocket-do=prepare]").click()
        stands(page, "ready")
        key = new_table(page)
        win(page, 0)
        sums(page, 2, 0)
        host.shutdown()
    page.reload()
    sums(page, 2, 0)
    page.goto(f"/t/{key}/share")
    expect(page.locator("svg").first).to_be_visible()
