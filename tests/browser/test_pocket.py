"""The whole Bummerl in the pocket: real Chromium, a real bundle, a network that goes and comes.

Preparing a phone takes seconds, so the tests of this file share one. Each leaves it with the
server there and everything sent.
"""

import json
import os
import shutil
import signal
import urllib.request
from contextlib import ExitStack
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, replay, result
from scorer.pocket import bundle
from scorer.store.chain import check
from scorer.web import asset_root
from tests.browser.chromium import find_chromium
from tests.browser.conftest import FLAGS
from tests.browser.taps import new_table, scanned, sums, undo, win
from tests.serving import serving

PATIENT = 90_000
SEND = "navigator.serviceWorker.controller.postMessage(['send'])"
# Asks the phone's own API; answers the status where it is no success.
ASK = """const ask = async (path, body) => {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const method = body ? "POST" : "GET";
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  return answer.ok ? answer.json() : answer.status;
};"""
# An evening as long as two games take.
EVENING = f"""async rules => {{ {ASK}
  const path = `/api/tables/${{(await ask("/api/tables", {{ watten: 1, rules }})).scorer}}`;
  for (let round = 0; round < 24; round++) {{
    const {{ legal }} = (await ask(path)).state;
    const rounds = legal.filter((event) => ["gewinnt", "bieten"].includes(event.do));
    const choice = rounds.length ? rounds : legal;
    await ask(`${{path}}/events`, choice[(round * 7) % choice.length]);
  }}
  return [await ask(`${{path}}/record`), (await ask(path)).state];
}}"""
DRAW = f"""async pairs => {{ {ASK}
  const head = {{ name: "Preis", rules: "bayern", rounds: 3, pairs }};
  const opened = await ask("/api/tournaments", head);
  return (await ask(`/api/tournaments/${{opened.director}}/draw`, {{}})).tables;
}}"""
# Notes what a page shows that is the last one seen, until the app has drawn it anew.
SHOWN = """addEventListener("DOMContentLoaded", () => {
  if (!("last" in document.documentElement.dataset)) return;
  sessionStorage.last = [...document.querySelectorAll(".sum")].map((sum) => sum.textContent.trim());
});"""
TAP = f"""async ([path, event]) => {{ {ASK} return ask(path, event); }}"""


@pytest.fixture(scope="module")
def made(tmp_path_factory, pytestconfig):
    """The parts of the bundle; downloads stay from one run to the next."""
    folder = tmp_path_factory.mktemp("pocket") / "made"
    bundle.make(folder, asset_root(), pytestconfig.rootpath / "instance" / "parts")
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory, made):
    folder = tmp_path_factory.mktemp("pocket") / "pocket"
    bundle.build(made, folder)
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


@pytest.fixture(scope="module")
def hut(tmp_path_factory, built):
    found = Hut(tmp_path_factory.mktemp("hut") / "bummerl.db", built)
    yield found
    found.go()


class Phone:
    """A browser that keeps what it has, and can be killed."""

    def __init__(self, playwright, folder, url):
        self._playwright, self._folder, self._url = playwright, folder, url
        self.start()

    def start(self):
        self.context = self._playwright.chromium.launch_persistent_context(
            self._folder,
            executable_path=find_chromium(),
            args=FLAGS,
            base_url=self._url,
            locale="de-AT",
        )
        self.page = self.context.new_page()

    def process(self):
        """The id of the browser's own process."""
        session = self.context.browser.new_browser_cdp_session()
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        [browser] = [process["id"] for process in processes if process["type"] == "browser"]
        return browser

    def kill(self):
        """As an empty battery does it."""
        browser = self.process()
        with self.context.expect_event("close"):
            os.kill(browser, signal.SIGKILL)

    def reopen(self):
        """Close all pages, and open a new one."""
        before = self.context.pages
        self.page = self.context.new_page()
        for page in before:
            page.close()
        return self.page


@pytest.fixture(scope="module")
def phone(playwright, tmp_path_factory, hut):
    found = Phone(playwright, tmp_path_factory.mktemp("phone"), hut.server.url)
    prepared(found.page)
    yield found
    for page in found.context.pages:
        page.close()
    found.context.close()


def prepared(page):
    page.goto("/")
    page.locator("[data-pocket-do=prepare]").click()
    stands(page, "ready")


def stands(page, pocket, unsent=0):
    page.wait_for_selector(
        f"html[data-pocket={pocket}][data-unsent='{unsent}']", state="attached", timeout=PATIENT
    )


def home(hut, page):
    """The server is back, and everything goes there."""
    hut.come()
    page.evaluate(SEND)
    stands(page, "ready")


def record(server, key):
    with urllib.request.urlopen(f"{server.url}/api/tables/{key}/record") as answer:
        return json.load(answer)


def whole(told):
    """The state of a record whose events are legal and whose chain holds."""
    evening, refusal = replay(told)
    assert refusal is None
    head = {field: value for field, value in told.items() if field != "events"}
    assert check(head, told["events"]) is None
    return evening.state


def test_an_evening_goes_on_without_network_and_comes_back_once(hut, phone):
    page = phone.page
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
    page = phone.reopen()
    page.goto(f"/t/{key}")
    sums(page, 4, 2)
    page.goto(f"/b/{key}/history")
    expect(page.locator("main")).to_contain_text("2")
    born = new_table(page, "bayern")
    win(page, 0)
    sums(page, 2, 0)
    home(hut, page)
    for name, points, count in ((key, (4, 2), 5), (born, (2, 0), 1)):
        told = record(hut.server, name)
        assert whole(told).points == points
        assert len(told["events"]) == count
    # The page goes on with the server, live for everybody.
    win(page, 0)
    sums(page, 4, 0)
    assert len(record(hut.server, born)["events"]) == 2


def test_evenings_under_all_rules_and_a_draw_are_the_same_alone(hut, phone):
    page = phone.page
    hut.go()
    page.goto("/")
    for region in REGIONS:
        told, state = page.evaluate(EVENING, region)
        assert len(told["events"]) == 24
        assert json.loads(json.dumps(result(whole(told)))) == state
    # A director's laptop draws a round, by the matching library that runs in a browser.
    tables = page.evaluate(DRAW, [{"name": f"Paar {n}"} for n in range(6)])
    assert sorted(pair for table in tables for pair in table["pairs"]) == [1, 2, 3, 4, 5, 6]
    home(hut, page)


def test_when_two_wrote_or_a_link_was_closed_a_person_decides_and_nothing_is_lost(hut, phone):
    page = phone.page
    renewed = new_table(page)
    page.reload()
    shut = new_table(page)
    win(page, 0)
    sums(page, 2, 0)
    page.reload()
    key = new_table(page)
    win(page, 0)
    sums(page, 2, 0)
    page.reload()
    page.context.set_offline(True)
    hut.go()
    win(page, 1)
    sums(page, 2, 2)
    page.goto(f"/t/{shut}")
    win(page, 0)
    sums(page, 4, 0)
    page.goto(f"/t/{renewed}")
    win(page, 1)
    sums(page, 0, 2)
    hut.come()
    role = [("role", "scorer")]
    assert hut.server.request("POST", f"/t/{shut}/renew", role)[0] == 303
    status, headers, _ = hut.server.request("POST", f"/t/{renewed}/renew", role)
    assert status == 303
    path = f"/api/tables/{key}/events"
    other = {"do": "gewinnt", "side": 0}
    assert hut.server.json("POST", path, other, Idempotency_Key="other")[0] == 201
    page.context.set_offline(False)
    page.evaluate(SEND)
    stands(page, "conflict", 3)
    # By the new link it is sent as if nothing had happened.
    anew = headers["location"].split("/")[-2]
    page.goto(f"/t/{anew}")
    sums(page, 0, 2)
    stands(page, "conflict", 2)
    assert whole(record(hut.server, anew)).points == (0, 2)
    page.goto("/pocket")
    closed = page.locator("[data-closed] + .versions")
    expect(closed.locator(".result")).to_have_text(["4 : 0", "2 : 0"])
    closed.get_by_role("button").click()
    page.wait_for_url("/")
    page.goto("/pocket")
    results = page.locator(".version .result")
    expect(results).to_have_text(["2 : 2", "4 : 0"])
    page.locator("button[value=here]").click()
    stands(page, "ready")
    # What the closed link kept back is a table of its own, on the server too.
    own = page.locator("a[href^='/t/']").first.get_attribute("href")[3:]
    assert own != shut
    assert whole(record(hut.server, own)).points == (4, 0)
    told = record(hut.server, key)
    assert whole(told).points == (2, 2)
    # The other's round stays in the record, struck out.
    said = [event["do"] for event in told["events"]]
    assert said == ["gewinnt", "gewinnt", "korrektur", "gewinnt"]


def test_codes_are_shown_and_read_without_network(hut, phone):
    page = phone.page
    key = new_table(page)
    win(page, 0)
    sums(page, 2, 0)
    hut.go()
    win(page, 1)
    sums(page, 2, 2)
    page.goto(f"/t/{key}/share")
    page.locator(f"a[href='/b/{key}/codes']").click()
    link = scanned(page.locator(".turning .qr"))
    # Another table's state is shown by this prepared phone, whose server is gone.
    page.goto("/q/#" + link.partition("#")[2])
    sums(page, 2, 2)
    home(hut, page)


def test_a_killed_browser_wakes_with_the_last_state_and_a_full_phone_keeps_it(hut, phone):
    page = phone.page
    key = new_table(page, "suedtirol")
    hut.go()
    win(page, 1)
    sums(page, 0, 2)
    page.reload()
    sums(page, 0, 2)
    phone.kill()
    phone.start()
    page = phone.page
    # A browser asks anew how much room there is, and looks seldom after that.
    session = page.context.new_cdp_session(page)
    room = {"origin": hut.server.url}
    session.send("Storage.overrideQuotaForOrigin", {**room, "quotaSize": 1000})
    # Before Python runs, the page is there as it was last seen.
    page.add_init_script(SHOWN)
    page.goto(f"/t/{key}")
    stands(page, "offline", 1)
    sums(page, 0, 2)
    assert page.evaluate("sessionStorage.last") == "0,2"
    # What cannot be kept is refused, and nothing else is lost.
    tap = [f"/api/tables/{key}/events", {"do": "gewinnt", "side": 0}]
    assert page.evaluate(TAP, tap) == 503
    page.reload()
    sums(page, 0, 2)
    session.send("Storage.overrideQuotaForOrigin", room)
    win(page, 1)
    sums(page, 0, 4)
    home(hut, page)
    assert whole(record(hut.server, key)).points == (0, 4)


def test_a_new_version_waits_for_the_evenings_end(hut, phone, built):
    page = phone.page
    key = new_table(page)
    old = json.loads((built / "bundle.json").read_text())["version"]
    new = "0123456789ab"
    shutil.copytree(built / old, built / new)
    for name in ("sw.js", "bundle.json", f"{new}/bundle.js"):
        path = built / name
        path.write_text(path.read_text().replace(old, new))
    waiting = "navigator.serviceWorker.getRegistration().then(it => Boolean(it.waiting))"
    page.evaluate("navigator.serviceWorker.getRegistration().then(it => it.update())")
    page.wait_for_function(waiting, timeout=PATIENT)
    # The evening goes on by the version it began with.
    stands(page, "ready")
    hut.go()
    win(page, 0)
    sums(page, 2, 0)
    assert page.evaluate("caches.keys()").count(f"pocket-{old}") == 1
    phone.reopen()
    page = phone.page
    page.goto(f"/t/{key}")
    page.wait_for_function(f"caches.has('pocket-{old}').then(has => !has)", timeout=PATIENT)
    sums(page, 2, 0)
    home(hut, page)


def test_plain_http_says_what_https_would_add(hut, chromium):
    page = chromium.new_page(base_url=f"http://bummerl.local:{hut.port}", locale="de-AT")
    page.goto("/")
    expect(page.locator("[data-pocket-says=insecure]")).to_be_visible()
    expect(page.locator("[data-pocket-do=prepare]")).to_be_hidden()
    page.close()


def test_the_card_names_the_true_size(hut, built):
    version = json.loads((built / "bundle.json").read_text())["version"]
    size = sum(path.stat().st_size for path in (built / version).iterdir())
    assert f"({round(size / 1e6)} MB)" in hut.server.request("GET", "/")[2]


def test_a_tampered_part_is_refused(hut, chromium, built):
    version = json.loads((built / "bundle.json").read_text())["version"]
    app = built / version / "app.tar.gz"
    kept = app.read_bytes()
    app.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    try:
        page = chromium.new_page(base_url=hut.server.url, locale="de-AT")
        page.goto("/")
        page.locator("[data-pocket-do=prepare]").click()
        expect(page.locator("[data-pocket-says=tampered]")).to_be_visible(timeout=PATIENT)
        page.close()
    finally:
        app.write_bytes(kept)


def test_a_folder_of_files_is_a_whole_bummerl(tmp_path, made, chromium):
    bundle.site(made, asset_root(), tmp_path)
    files = partial(SimpleHTTPRequestHandler, directory=os.fspath(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        page = chromium.new_page(base_url=f"http://127.0.0.1:{host.server_port}", locale="de-AT")
        prepared(page)
        key = new_table(page)
        win(page, 0)
        sums(page, 2, 0)
        host.shutdown()
    page.reload()
    sums(page, 2, 0)
    # No server knows a link, so the evening itself is what is shared.
    page.goto(f"/t/{key}/share")
    link = scanned(page.locator(".turning .qr"))
    page.goto("/q/#" + link.partition("#")[2])
    sums(page, 2, 0)
    page.close()
