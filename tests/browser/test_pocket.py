"""The offline app: real Chromium, a real bundle, and a network that is cut and restored.

Each test has its own server and prepared phone. `make test` runs the one of the whole process:
prepare, write offline, upload. The others run in `make test-all`.
"""

import json
import os
import re
import shutil
from contextlib import closing
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, result
from scorer.pocket import bundle
from scorer.web import create_app
from scorer.web.frame.assets import asset_root
from tests.browser.find_chromium import find_chromium
from tests.browser.taps import TAPPED, expect_sums, new_table, scan_code, tap, undo, win
from tests.browser.unstable_network import (
    PATIENT,
    SEND,
    Phone,
    UnstableServer,
    expect_app_state,
    expect_valid_record,
    prepare_offline_app,
    reconnect_and_upload,
    wait_until,
)
from tests.builders import LOST, WON

# Preparing a phone takes half a minute, and on a busy machine several.
pytestmark = pytest.mark.timeout(900)

# Requests the phone's own API. Returns the status instead of the body if it fails.
ASK = """const ask = async (path, body) => {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const method = body ? "POST" : "GET";
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  return answer.ok ? answer.json() : answer.status;
};"""
# Plays 24 legal events at a new table. Returns its record and state.
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
  // A phone keeps the keys of the pages it has seen.
  await fetch(`/p/${{opened.director}}`);
  return (await ask(`/api/tournaments/${{opened.director}}/draw`, {{}})).tables;
}}"""
# Stores the sums of a page's cached copy, before the app replaces it.
SHOWN = """addEventListener("DOMContentLoaded", () => {
  if (!("last" in document.documentElement.dataset)) return;
  sessionStorage.last = [...document.querySelectorAll(".sum")].map((sum) => sum.textContent.trim());
});"""
# Creates a ledger that counts a table, and returns the ledger's key.
COUNTED = """async (table) => {
  const post = (path, said) => fetch(path, { method: "POST", body: new URLSearchParams(said) });
  const group = (await post("/regulars", { name: "Hütte" })).url.split("/").pop();
  await post("/regulars/evenings", { group, table });
  return group;
}"""
# Reads a value from one of the phone's own databases.
READ = """const read = (database, store, key) => new Promise((done) => {
  indexedDB.open(database).onsuccess = ({ target: { result: db } }) => {
    db.transaction(store).objectStore(store).get(key).onsuccess = ({ target: { result } }) => {
      db.close();
      done(result);
    };
  };
});"""
# Whether the cached copy of a table's page has these sums.
KEPT = f"""async ([path, sums]) => {{ {READ}
  const copy = (await read("bummerl", "copies", path))?.text;
  const shown = new DOMParser().parseFromString(copy, "text/html").querySelectorAll(".sum");
  return [...shown].map((sum) => sum.textContent.trim()).join() === sums;
}}"""
# Whether the phone has the newest event of a table, in its score book or in a copy of the record.
COPIED = f"""async (key) => {{ {READ}
  const [root] = location.pathname.split(/\\bt\\//);
  const {{ events }} = await (await fetch(`${{root}}api/tables/${{key}}/record`)).json();
  const database = root === "/" ? "bummerl" : `bummerl ${{root}}`;
  const book = await read(database, "files", "bummerl.db") ?? new Uint8Array();
  const copy = await read(database, "copies", key) ?? "";
  return (new TextDecoder("latin1").decode(book) + copy).includes(events.at(-1).hash);
}}"""
# The phone's memory snapshot: "bytes" if there is one, else the number of failed attempts.
MEMORY = f"""async (name) => {{ {READ}
  const kept = await read("bummerl-parts", "parts", name);
  return kept?.byteLength > 1e7 ? "bytes" : kept;
}}"""
# Overwrites the memory snapshot with useless bytes.
SPOIL = """name => new Promise((done) => {
  indexedDB.open("bummerl-parts").onsuccess = ({ target: { result: db } }) => {
    const change = db.transaction("parts", "readwrite");
    change.objectStore("parts").put(new Uint8Array(1000), name);
    change.oncomplete = () => done(db.close());
  };
})"""
# Whether the phone's own start page lists these tables first.
SHELVED = f"""async (keys) => {{ {READ}
  const cookies = new TextDecoder().decode(await read("bummerl", "files", "cookies.json"));
  return JSON.parse(cookies || "{{}}").tables?.startsWith(keys);
}}"""
# Breaks the app in a page's worker by removing its score book.
BREAK = "async (app) => { (await import(app)).offlineApp.store = null; }"
# The status of an address, or 999 if there is no response.
STATUS = "path => fetch(path).then((answer) => answer.status, () => 999)"
HREFS = "links => links.map((link) => link.pathname + link.search)"
SERVERS = ("bundle_files.worker", "pocket_api.shelf", "metrics.metrics")
"""Endpoints that only a server provides: two for its phones, and its metrics."""
# Prevents a page from finding its worker.
DEAF = "navigator.serviceWorker.getRegistration = () => new Promise(() => {});"
# Submits the form of the start page's cached copy as soon as it is loaded.
HASTY = """addEventListener("DOMContentLoaded", () => {
  if ("last" in document.documentElement.dataset) document.querySelector("#new").requestSubmit();
});"""
TAP = f"""async ([path, event]) => {{ {ASK} return ask(path, event); }}"""


@pytest.fixture(scope="module")
def bundle_parts(tmp_path_factory, pytestconfig):
    """The folder of the bundle's parts. Downloads are kept for later runs."""
    folder = tmp_path_factory.mktemp("pocket") / "made"
    bundle.make(folder, asset_root(), pytestconfig.rootpath / "instance" / "parts")
    return folder


@pytest.fixture
def bundle_folder(tmp_path, bundle_parts):
    folder = tmp_path / "pocket"
    bundle.build(bundle_parts, folder)
    return folder


@pytest.fixture
def unstable(tmp_path, bundle_folder):
    found = UnstableServer(tmp_path / "server" / "bummerl.db", bundle_folder)
    yield found
    found.close()


@pytest.fixture
def phone(playwright, tmp_path, unstable):
    found = Phone(playwright, tmp_path / "phone", unstable.server.url)
    prepare_offline_app(found.page)
    yield found
    found.close()


@pytest.fixture
def plain_phone(playwright, tmp_path, unstable):
    """A phone that is not prepared yet, on an address without HTTPS."""
    found = Phone(playwright, tmp_path / "phone", f"http://bummerl.local:{unstable.port}")
    yield found
    found.close()


@pytest.fixture
def unprepared(chromium):
    """A function that returns an empty page of a new phone."""
    contexts = []

    def new(locale="de-AT"):
        contexts.append(chromium.new_context(locale=locale))
        contexts[-1].set_default_timeout(PATIENT)
        return contexts[-1].new_page()

    yield new
    for context in contexts:
        context.close()


def bundle_version(bundle_folder):
    return json.loads((bundle_folder / "bundle.json").read_text())["version"]


def snapshot_name(bundle_folder):
    """The name under which a phone stores the memory snapshot of this version."""
    return f"memory {bundle_version(bundle_folder)}"


def start_table(page, *rules):
    """Open a table, write 2 : 0, wait until the phone has it, and return the writer's key."""
    key = new_table(page, *rules)
    win(page, 0, sums=(2, 0))
    wait_until(page, COPIED, key)
    return key


def write_a_round_offline(unstable, page, key):
    """Write 2 : 0, cut the network and write 2 : 2 offline."""
    win(page, 0, sums=(2, 0))
    wait_until(page, COPIED, key)
    unstable.disconnect()
    win(page, 1, sums=(2, 2))
    expect_app_state(page, "offline", 1)


def write_offline_after_another_phone(unstable, page, key):
    """Another phone writes 4 : 0, the network is cut, and this phone writes 4 : 2 offline."""
    cookies = "; ".join(f"{it['name']}={it['value']}" for it in page.context.cookies())
    newest = "not written yet"
    # The phone must receive the other's entry before the cut. Older copies may arrive first.
    with page.context.expect_event("response", lambda at: newest in at.headers.get("etag", "")):
        unstable.server.play(key, WON)
        copy = unstable.server.request("GET", f"/pocket/streams/{key}", Cookie=cookies)
        newest = copy[1]["etag"].strip('"')
    expect_sums(page, 4, 0)
    # The phone stores the entry after the response.
    wait_until(page, COPIED, key)
    unstable.disconnect()
    for points in (2, 4):
        win(page, 1, sums=(4, points))
    undo(page)
    expect_sums(page, 4, 2)
    expect_app_state(page, "offline", 3)


def test_an_offline_evening_is_uploaded_once(unstable, phone):
    page = phone.page
    key = start_table(page)
    page.reload()
    write_offline_after_another_phone(unstable, page, key)
    # Entries that were reported as recorded survive the page.
    page = phone.reopen()
    page.goto(f"/t/{key}")
    expect_sums(page, 4, 2)
    page.goto(f"/b/{key}/history")
    expect(page.locator("main")).to_contain_text("2")
    born = start_table(page, "bayern")
    ledger = page.evaluate(COUNTED, born)
    reconnect_and_upload(unstable, page)
    assert unstable.server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"] == 1
    for name, points, count in ((key, (4, 2), 5), (born, (2, 0), 1)):
        record = unstable.server.record(name)
        assert expect_valid_record(record).points == points
        assert len(record["events"]) == count
    # The page continues with the server, and is live again.
    win(page, 0, sums=(4, 0))
    assert len(unstable.server.record(born)["events"]) == 2
    unstable.server.play(born, LOST)
    expect_sums(page, 4, 2)


@pytest.mark.slow
def test_the_start_page_works_offline(unstable, phone):
    page = phone.page
    # No table that is open here is listed before those below.
    page.goto("/")
    # Two tables as if from before the preparation: the phone's app never saw their pages.
    older = [unstable.server.table("bayern", played=[WON])["scorer"] for _ in range(2)]
    ledger = unstable.server.request("POST", "/regulars", [("name", "Donnerstag")])[1]["location"]
    tournament = unstable.server.new_tournament(name="Beim Wirt")["director"]
    others = {ledger: "Donnerstag", f"/p/{tournament}": "Beim Wirt"}
    for path in (*(f"/t/{key}" for key in older), *others):
        page.context.request.get(path)
    page.goto("/")
    expect(page.locator("[data-pocket-says=ready]")).to_be_visible()
    # A prepared phone is not offered preparation.
    expect(page.locator("[data-pocket-do=prepare]")).to_be_hidden()
    wait_until(page, SHELVED, ".".join(older[::-1]))
    unstable.disconnect()
    page.reload()
    listed = page.locator(".mine a[href^='/t/']").all()[:2]
    assert [link.get_attribute("href")[3:] for link in listed] == older[::-1]
    for link in listed:
        expect(link).to_contain_text(re.compile(r"2\D+0"))
    for path, name in others.items():
        page.goto("/")
        page.locator(f".mine a[href='{path}']").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.goto(f"/t/{older[0]}")
    expect_sums(page, 2, 0)
    reconnect_and_upload(unstable, page)


@pytest.mark.slow
def test_all_rules_and_a_draw_work_offline(unstable, phone):
    page = phone.page
    unstable.disconnect()
    page.goto("/")
    for region in REGIONS:
        record, state = page.evaluate(EVENING, region)
        assert len(record["events"]) == 24
        assert json.loads(json.dumps(result(expect_valid_record(record)))) == state
    # A director's laptop draws a round with the matching library for browsers.
    tables = page.evaluate(DRAW, [{"name": f"Paar {n}"} for n in range(6)])
    assert sorted(pair for table in tables for pair in table["pairs"]) == [1, 2, 3, 4, 5, 6]
    reconnect_and_upload(unstable, page)


def key_of_finished_match(server):
    """The writer's key of a tournament table that has played its only game."""
    director = server.new_tournament(rules="oberoesterreich", games_per_round=1)["director"]
    slip = server.draw(director)[0]["scorer"]
    server.play(slip, *[WON] * 5)
    return slip


@pytest.mark.slow
def test_user_resolves_upload_conflicts(unstable, phone):
    page = phone.page
    slip = key_of_finished_match(unstable.server)
    with page.context.expect_event("response", lambda found: "/pocket/streams/" in found.url):
        page.goto(f"/t/{slip}")
    renewed = new_table(page)
    page.reload()
    shut = start_table(page)
    page.reload()
    key = start_table(page)
    page.reload()
    page.context.set_offline(True)
    unstable.disconnect()
    win(page, 1, sums=(2, 2))
    page.goto(f"/t/{shut}")
    win(page, 0, sums=(4, 0))
    page.goto(f"/t/{renewed}")
    win(page, 1, sums=(0, 2))
    page.goto(f"/t/{slip}")
    tap(page.get_by_role("button", name="Revanche"))
    expect_sums(page, 0, 0)
    # A link opens the list of entries that wait.
    page.locator(".unsent-status a:visible").click()
    expect(page.locator("[data-waits] li")).to_have_count(4)
    unstable.connect()
    role = [("role", "scorer")]
    assert unstable.server.request("POST", f"/t/{shut}/renew", role)[0] == 303
    status, headers, _ = unstable.server.request("POST", f"/t/{renewed}/renew", role)
    assert status == 303
    unstable.server.play(key, WON)
    page.context.set_offline(False)
    page.evaluate(SEND)
    expect_app_state(page, "conflict", 4)
    # Meanwhile all other tables are live.
    apart = new_table(page)
    expect_app_state(page, "conflict", 4)
    unstable.server.play(apart, LOST)
    expect_sums(page, 0, 2)
    # The new link uploads the offline entry as usual.
    anew = headers["location"].split("/")[-2]
    page.goto(f"/t/{anew}")
    expect_sums(page, 0, 2)
    expect_app_state(page, "conflict", 3)
    assert expect_valid_record(unstable.server.record(anew)).points == (0, 2)
    page.goto("/pocket")
    closed = page.locator("[data-aside]", has=page.locator("[data-closed]"))
    expect(closed.locator(".result")).to_have_text(["4 : 0", "2 : 0"])
    closed.locator("button[value=there]").click()
    page.wait_for_url("/")
    page.goto("/pocket")
    mine = page.locator("button[value=here]")
    parted = page.locator("[data-aside]", has=mine)
    expect(parted.locator(".result")).to_have_text(["2 : 2", "4 : 0"])
    mine.click()
    expect_app_state(page, "conflict", 1)
    # A refused entry remains until a person decides about it.
    page.goto("/pocket")
    expect(page.locator("[data-refused] .quoted")).to_contain_text("Spiel")
    expect(page.locator(".entries li")).to_have_count(1)
    last = page.locator("details", has=page.locator("button[value=nothing]"))
    expect(last.locator("button")).to_be_hidden()
    last.locator("summary").click()
    last.locator("button").click()
    expect_app_state(page, "ready")
    # The entries of the closed link are now a table of their own, on the phone and on the server.
    page.reload()
    own = page.locator("a[href^='/t/']").first.get_attribute("href")[3:]
    assert own != shut
    assert expect_valid_record(unstable.server.record(own)).points == (4, 0)
    record = unstable.server.record(key)
    assert expect_valid_record(record).points == (2, 2)
    # The other's round stays in the record, struck out.
    said = [event["do"] for event in record["events"]]
    assert said == ["gewinnt", "gewinnt", "korrektur", "gewinnt"]


@pytest.mark.slow
def test_codes_are_shown_and_read_without_network(unstable, phone):
    page = phone.page
    key = start_table(page)
    unstable.disconnect()
    win(page, 1, sums=(2, 2))
    # Going back from a card shows the referee's whole page, with its drawings.
    page.goto(f"/b/{key}/referee?schlag=U&trumpf=H")
    page.get_by_role("button", name="Herz-Unter", exact=True).click()
    page.wait_for_url("**tap=**")
    page.go_back()
    expect(page.locator(".faces li.nothing")).to_have_count(1)
    expect(page.locator("#german-E")).to_be_attached()
    page.goto(f"/t/{key}/share")
    page.locator(f"a[href='/b/{key}/codes']").click()
    # The prepared phone shows the evening of a code without the server.
    page.goto("/q/#" + scan_code(page.locator(".carousel .qr")).partition("#")[2])
    expect_sums(page, 2, 2)
    # It continues the evening at a table of its own; both are uploaded.
    page.get_by_role("button", name="Hier weiterschreiben").click()
    page.wait_for_url("**/t/*")
    own = page.url.rpartition("/")[2]
    assert own != key
    win(page, 1, sums=(2, 4))
    reconnect_and_upload(unstable, page)
    assert expect_valid_record(unstable.server.record(own)).points == (2, 4)
    assert expect_valid_record(unstable.server.record(key)).points == (2, 2)


def stop_workers(page):
    tools = page.context.new_cdp_session(page)
    for command in ("enable", "stopAllWorkers"):
        tools.send(f"ServiceWorker.{command}")


@pytest.mark.slow
def test_entries_survive_killed_browser_and_full_phone(unstable, phone):
    page = phone.page
    key = start_table(page, "suedtirol")
    unstable.disconnect()
    win(page, 1, sums=(2, 2))
    page.reload()
    expect_sums(page, 2, 2)
    wait_until(page, KEPT, [f"/t/{key}", "2,2"])
    phone.kill()
    page = phone.start()
    # After its start a browser checks the available storage, and rarely later.
    session = page.context.new_cdp_session(page)
    room = {"origin": unstable.server.url}
    session.send("Storage.overrideQuotaForOrigin", {**room, "quotaSize": 1000})
    # Before Python runs, the phone shows the page's cached copy. No other page has woken the app.
    page.add_init_script(SHOWN)
    page.goto(f"/t/{key}")
    expect_app_state(page, "offline", 1)
    expect_sums(page, 2, 2)
    assert page.evaluate("sessionStorage.last") == "2,2"
    # A form that is submitted from a cached copy gets a response, though the page is being renewed.
    page.goto("about:blank")
    stop_workers(page)
    other = page.context.new_page()
    other.add_init_script(HASTY)
    other.goto(unstable.server.url)
    expect(other.locator("main.error")).to_have_attribute("data-code", "full")
    other.close()
    page.goto(f"/t/{key}")
    expect_sums(page, 2, 2)
    # An entry that cannot be stored is refused, and nothing else is lost.
    assert page.evaluate(TAP, [f"/api/tables/{key}/events", WON]) == 503
    page.reload()
    expect_sums(page, 2, 2)
    session.send("Storage.overrideQuotaForOrigin", room)
    win(page, 1, sums=(2, 4))
    reconnect_and_upload(unstable, page)
    assert expect_valid_record(unstable.server.record(key)).points == (2, 4)


@pytest.mark.slow
def test_cached_page_is_replaced_by_the_current_one(unstable, phone):
    page = phone.page
    key = start_table(page)
    unstable.disconnect()
    page.reload()
    wait_until(page, KEPT, [f"/t/{key}", "2,0"])
    win(page, 1, sums=(2, 2))
    page = phone.reopen()
    stop_workers(page)
    page.add_init_script(DEAF + SHOWN)
    page.goto(f"/t/{key}")
    expect_app_state(page, "offline", 1)
    expect_sums(page, 2, 2)
    assert page.evaluate("sessionStorage.last") == "2,0"
    page = phone.reopen()
    page.goto("/")
    reconnect_and_upload(unstable, page)


@pytest.mark.slow
def test_offline_app_starts_with_a_broken_snapshot(unstable, phone, bundle_folder):
    page, name = phone.page, snapshot_name(bundle_folder)
    key = start_table(page)
    wait_until(page, f"async name => (await ({MEMORY})(name)) === 'bytes'", name)
    unstable.disconnect()
    # The app tries the snapshot when it starts, and replaces it with a number if it is useless.
    for points, left in ((2, "bytes"), (4, 3)):
        win(page, 1, sums=(2, points))
        if left != "bytes":
            page.evaluate(SPOIL, name)
        phone.kill()
        page = phone.start()
        page.goto(f"/t/{key}")
        expect_app_state(page, "offline", points // 2)
        expect_sums(page, 2, points)
        assert page.evaluate(MEMORY, name) == left
        expect_every_page_served(page)
        page.goto(f"/t/{key}")
        expect_sums(page, 2, points)
    reconnect_and_upload(unstable, page)
    assert expect_valid_record(unstable.server.record(key)).points == (2, 4)


def expect_every_page_served(page):
    """Assert that the phone serves every public page and every link on the page of rules."""
    page.goto("/rules")
    paths = [rule.rule for rule in create_app().url_map.iter_rules() if is_public_page(rule)]
    paths += page.locator("main a[href^='/']").evaluate_all(HREFS)
    assert "/api/openapi.json" in paths
    for path in dict.fromkeys(paths):
        assert page.evaluate(STATUS, path) < 500, path


def is_public_page(rule):
    """Whether a route is a page that needs no key and no server."""
    return "GET" in rule.methods and not rule.arguments and rule.endpoint not in SERVERS


@pytest.mark.slow
def test_broken_offline_app_restarts(unstable, plain_phone, bundle_folder):
    page = plain_phone.page
    prepare_offline_app(page)
    key = start_table(page)
    expect_app_state(page, "ready")
    write_offline_after_another_phone(unstable, page, key)
    version = bundle_version(bundle_folder)
    for points in (4, 6):
        page.workers[0].evaluate(BREAK, f"/pocket/{version}/app.js")
        win(page, 1, sums=(4, points))
    expect_app_state(page, "offline", 5)
    unstable.connect()
    page.goto(f"/t/{key}")
    expect_app_state(page, "ready")
    assert expect_valid_record(unstable.server.record(key)).points == (4, 6)


@pytest.mark.slow
def test_a_closed_browser_database_reopens(unstable, playwright, tmp_path):
    # The headless shell has no page that closes databases.
    phone = Phone(playwright, tmp_path / "phone", unstable.server.url, find_chromium())
    page = phone.page
    prepare_offline_app(page)
    start_table(page)
    unstable.disconnect()
    win(page, 1, sums=(2, 2))
    closing = page.context.new_page()
    closing.goto("chrome://indexeddb-internals")
    closing.get_by_text("Force close").click()
    expect(closing.get_by_text("Open connections: 0")).to_be_visible()
    closing.close()
    page.reload()
    expect_sums(page, 2, 2)
    win(page, 1, sums=(2, 4))
    reconnect_and_upload(unstable, page)
    phone.close()


@pytest.mark.slow
def test_new_version_starts_after_old_pages_are_closed(unstable, phone, bundle_folder):
    page = phone.page
    key = start_table(page)
    old, new = bundle_version(bundle_folder), "0123456789ab"
    shutil.copytree(bundle_folder / old, bundle_folder / new)
    for name in ("sw.js", "bundle.json", f"{new}/bundle.js"):
        path = bundle_folder / name
        path.write_text(path.read_text().replace(old, new))
    registered = "navigator.serviceWorker.getRegistration()"
    page.evaluate(f"{registered}.then(it => it.update())")
    wait_until(page, f"() => {registered}.then(it => Boolean(it.waiting))")
    # The evening continues with the version with which it began.
    expect_app_state(page, "ready")
    unstable.disconnect()
    win(page, 0, sums=(4, 0))
    assert page.evaluate("caches.keys()").count(f"pocket-static-{old}") == 1
    # The new version starts once no page of the old one is open.
    with page.context.service_workers[0].expect_event("close"):
        page = phone.reopen()
    page.goto(f"/t/{key}")
    wait_until(page, f"() => caches.has('pocket-static-{old}').then(has => !has)")
    expect_sums(page, 4, 0)
    unstable.restart()
    reconnect_and_upload(unstable, page)


@pytest.mark.slow
def test_open_page_works_offline_over_plain_http(unstable, plain_phone):
    page = plain_phone.page
    page.goto("/")
    expect(page.locator("[data-pocket-says=insecure]")).to_be_visible()
    prepare_offline_app(page)
    expect(page.locator("[data-pocket-says=open]")).to_be_visible()
    key = new_table(page)
    expect_app_state(page, "ready")
    # A server that hangs counts as unreachable. The entry is sent as soon as the server responds.
    page.route("**/events", lambda _: None, times=1)
    win(page, 0, sums=(2, 0))
    expect_app_state(page, "ready")
    # The other page does not poll, so it does not know yet what the first page records.
    other = page.context.new_page()
    other.add_init_script("window.setInterval = () => 0")
    other.goto(f"/t/{key}")
    expect_app_state(other, "ready")
    write_offline_after_another_phone(unstable, page, key)
    # Two pages of one phone write in one score book.
    old = json.dumps(other.evaluate(TAPPED))
    win(other, 0)
    # The refusal is shown in its place, and at the foot of the page until somebody closes it.
    expect(other.get_by_role("alert").filter(has_text="schneller").first).to_be_visible()
    expect_sums(other, 4, 2)
    win(other, 0, sums=(6, 2))
    # Another page could not open, so a tap on its link shows a notice.
    page.locator(".slate-rows a.reason-link").first.click()
    expect(page.locator("#refused")).to_be_visible()
    page.locator("#refused button").click()
    page.locator(f"a[href='/t/{key}/menu']").click()
    expect(page.locator("#refused")).to_be_visible()
    # Entries that were reported as recorded survive the pages, and the next page uploads them.
    page = plain_phone.reopen()
    unstable.connect()
    # The next page also sends a tap from before all entries, which is refused.
    page.add_init_script(f"localStorage['bummerl-unsent'] ??= {json.dumps(old)}")
    page.goto(f"/t/{key}")
    expect(page.locator("#refused")).to_contain_text("schneller")
    expect_app_state(page, "ready")
    expect_sums(page, 6, 2)
    record = unstable.server.record(key)
    assert expect_valid_record(record).points == (6, 2)
    assert len(record["events"]) == 6


@pytest.mark.slow
def test_user_resolves_a_conflict_over_plain_http(unstable, plain_phone):
    page = plain_phone.page
    page.goto("/")
    prepare_offline_app(page)
    # A page that is closed properly has stored that the phone is prepared.
    page = plain_phone.reopen()
    key = new_table(page)
    expect_app_state(page, "ready")
    old = json.dumps(page.evaluate(TAPPED))
    # Another token, so that the old tap is not the one recorded next.
    page.reload()
    expect_app_state(page, "ready")
    write_a_round_offline(unstable, page, key)
    plain_phone.kill()
    unstable.connect()
    unstable.server.play(key, WON)
    page = plain_phone.start()
    page.goto(f"/t/{key}")
    expect_app_state(page, "conflict", 1)
    # Meanwhile another table is live, and an unsent tap of this one does not block it.
    unstable.server.play(new_table(page), LOST)
    expect_sums(page, 0, 2)
    expect_app_state(page, "conflict", 1)
    # The next page sends a tap of an earlier release. A script of this page could still take it.
    page.add_init_script(
        f"sessionStorage.old ??= localStorage['bummerl-unsent'] = {json.dumps(old)}"
    )
    page.reload()
    expect(page.locator("#refused")).to_contain_text("schneller")
    win(page, 0, sums=(2, 2))
    expect_app_state(page, "conflict", 1)
    page.locator(".unsent-status a:visible").click()
    expect(page.locator(".versions .result")).to_have_text(["2 : 2", "4 : 0"])
    page.locator("button[value=here]").click()
    page.wait_for_url("/")
    expect_app_state(page, "ready")
    record = unstable.server.record(key)
    assert expect_valid_record(record).points == (2, 2)
    assert [event["do"] for event in record["events"]][-3:] == ["gewinnt", "korrektur", "gewinnt"]


@pytest.mark.slow
def test_start_page_states_the_real_download_size(unstable, bundle_folder):
    files = (bundle_folder / bundle_version(bundle_folder)).iterdir()
    size = sum(path.stat().st_size for path in files)
    assert f"({round(size / 1e6)} MB)" in unstable.server.request("GET", "/")[2]


@pytest.mark.slow
def test_tampered_bundle_part_is_refused(unstable, unprepared, bundle_folder):
    app = bundle_folder / bundle_version(bundle_folder) / "app.tar.gz"
    kept = app.read_bytes()
    # Replaces the file, which may be a link to that of other tests.
    app.unlink()
    app.write_bytes(kept[:-1] + bytes([kept[-1] ^ 1]))
    page = unprepared()
    page.goto(unstable.server.url)
    page.locator("[data-pocket-do=prepare]").click()
    expect(page.locator("[data-pocket-says=tampered]")).to_be_visible(timeout=PATIENT)


@pytest.fixture(params=["127.0.0.1", "bummerl.local"])
def in_a_folder(request, playwright, tmp_path, bundle_folder):
    """Yield a server with a folder in its address, a phone, and the address."""
    book = tmp_path / "server" / "bummerl.db"
    server = UnstableServer(book, bundle_folder, folder="/club/watten")
    with closing(server) as unstable:
        start = f"http://{request.param}:{unstable.port}/club/watten/"
        with closing(Phone(playwright, tmp_path / "phone", start)) as phone:
            yield unstable, phone, start


@pytest.mark.slow
def test_offline_app_works_in_a_folder_of_a_server(in_a_folder):
    """With and without a service worker, the phone requests nothing outside the folder."""
    unstable, phone, start = in_a_folder
    asked = []
    phone.context.on("request", lambda request: asked.append(request.url))
    page = phone.page
    prepare_offline_app(page, start)
    key = new_table(page, start=start)
    expect_app_state(page, "ready")
    write_a_round_offline(unstable, page, key)
    unstable.connect()
    expect_app_state(page, "ready")
    page.goto(start)
    expect(page.locator(f"a[href='/club/watten/t/{key}']").first).to_be_visible()
    assert expect_valid_record(unstable.server.record(key)).points == (2, 2)
    assert [url for url in asked if url.startswith("http") and not url.startswith(start)] == []


class WebSpace(SimpleHTTPRequestHandler):
    """A static file host. `broken` maps names of files to the way in which they are broken."""

    broken: ClassVar[dict[str, str]] = {}
    continued: ClassVar[list[tuple[int, int]]] = []
    """Where each continued download began, and the size of its file."""

    def guess_type(self, path):
        return "text/plain" if self._way(path) == "type" else super().guess_type(path)

    def do_GET(self):
        way = self._way(self.path)
        if way == "gone":
            self.send_error(404)
        elif way in ("half", "end") and "Range" not in self.headers:
            # The connection breaks in the middle of the file or just before its end.
            data = Path(self.translate_path(self.path)).read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data) + 1))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if way == "half" else data)
        elif "Range" in self.headers:
            self._send_rest()
        else:
            super().do_GET()

    def _send_rest(self):
        data = Path(self.translate_path(self.path)).read_bytes()
        start = int(re.fullmatch(r"bytes=(\d+)-", self.headers["Range"])[1])
        rest = data[start:]
        self.send_response(206 if rest else 416)
        self.send_header("Content-Length", str(len(rest)))
        self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.end_headers()
        self.wfile.write(rest)
        self.continued.append((start, len(data)))

    def end_headers(self):
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def _way(self, path):
        return self.broken.get(os.fspath(path).rpartition("/")[2], "")

    def log_message(self, *_):
        pass


@pytest.fixture
def files(tmp_path):
    """Yield the address of a static file host, its folder, and a function that stops it."""
    handler = partial(WebSpace, directory=os.fspath(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{host.server_port}", tmp_path, host.shutdown
        host.shutdown()
    WebSpace.broken.clear()
    WebSpace.continued.clear()


@pytest.fixture
def first_page(files, bundle_parts, unprepared):
    """An empty page of an unprepared phone, and the address of a static site."""
    address, space, _ = files
    bundle.site(bundle_parts, asset_root(), space)
    return unprepared("fr-CH"), f"{address}/"


FAULTS = {
    "storage": """IDBFactory.prototype.open = () => {
        throw new DOMException("blocked", "SecurityError");
    };""",
    "https": "Object.defineProperty(window, 'isSecureContext', { value: false });",
    "old": "delete window.DecompressionStream;",
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_first_page_names_the_missing_browser_feature(first_page, fault):
    page, start = first_page
    page.add_init_script(FAULTS[fault])
    page.goto(start)
    # The page shows only the reader's language.
    expect(page.locator("main > p[lang=fr]")).to_be_visible()
    expect(page.locator("main > p[lang=de]")).to_be_hidden()
    page.locator("[data-pocket-do=prepare]").click()
    expect(page.locator("[data-fault]:visible")).to_have_count(1)
    expect(page.locator(f"[data-fault={fault}] p:visible")).to_have_attribute("lang", "fr")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way"), [("sw.js", "type"), ("app.tar.gz", "gone")])
def test_first_page_reports_a_faulty_host(first_page, name, way):
    page = prepare_broken_site(*first_page, name, way, "host")
    del WebSpace.broken[name]
    page.locator("[data-pocket-do=prepare]").click()
    page.wait_for_selector("html[data-pocket=ready] #new", timeout=PATIENT)


def prepare_broken_site(page, start, name, way, fault):
    """Prepare a phone though a file is broken, and wait until the page names the fault."""
    WebSpace.broken[name] = way
    page.goto(start)
    page.locator("[data-pocket-do=prepare]").click()
    expect(page.locator(f"[data-fault={fault}] p:visible")).to_have_count(1)
    return page


@pytest.mark.slow
@pytest.mark.parametrize("way", ["half", "end"])
def test_interrupted_download_resumes(first_page, way):
    page = prepare_broken_site(*first_page, "python_stdlib.zip.gz", way, "network")
    # A busy browser may have read nothing before the connection broke. Then nothing can continue.
    while page.evaluate("document.documentElement.dataset.pocket") == "absent":
        page.evaluate("document.documentElement.dataset.pocket = 'tapped'")
        page.locator("[data-pocket-do=prepare]").click()
        expect(page.locator(".size")).to_have_text(re.compile(r"\d,\d / \d+,\d MB"))
        end = "html[data-pocket=absent], html[data-pocket=ready] #new"
        page.wait_for_selector(end, state="attached", timeout=PATIENT)
    [(offset, size)] = WebSpace.continued
    # A busy browser may not have read the last bytes when the connection broke.
    assert 0 < offset <= size if way == "end" else 0 < offset < size


@pytest.mark.slow
def test_saved_file_restores_a_phone_without_data(files, bundle_parts, unprepared, tmp_path):
    address, space, stop = files
    bundle.site(bundle_parts, asset_root(), space / "watten")
    start, file = f"{address}/watten/", tmp_path / "saved.json"
    first, second = unprepared(), unprepared()
    for page in (first, second):
        prepare_offline_app(page, start)
        # This Chromium does not promise to keep the storage, and the card says so.
        expect(page.locator("[data-storage=may-go]")).to_be_visible()
    key = new_table(first, start=start)
    win(first, 0, sums=(2, 0))
    for page in (first, second):
        page.goto(f"{start}book")
        page.locator("[data-storage-ask]").click()
        expect(page.locator("[data-storage-refused]")).to_be_visible()
    with first.expect_download() as download:
        first.locator("a[href$='/book/file']").click()
    download.value.save_as(file)
    second.locator("input[type=file]").set_input_files(file)
    second.locator("form[enctype] button").click()
    expect(second.locator("[data-brought='1 0 0 0']")).to_be_visible()
    stop()
    second.goto(start)
    second.locator(f"a[href$='/t/{key}']").first.click()
    expect_sums(second, 2, 0)
    win(second, 1, sums=(2, 2))


@pytest.mark.slow
def test_static_sites_in_two_folders_stay_separate(files, bundle_parts, unprepared):
    """Two folders of one host share nothing, though one of them contains the other."""
    address, space, stop = files
    starts, keys, page = [], [], unprepared()
    for folder in ("club/watten", "club"):
        bundle.site(bundle_parts, asset_root(), space / folder)
        start = f"{address}/{folder}/"
        starts.append(start)
        prepare_offline_app(page, start)
        # Functions that need a server are not offered.
        expect(page.locator("#new")).to_be_visible()
        expect(page.locator("form[action$='/s']")).to_have_count(0)
        keys.append(new_table(page, start=start))
        assert page.url == f"{start}t/{keys[-1]}"
        win(page, 0, sums=(2, 0))
    stop()
    for start, key, other in zip(starts, keys, keys[::-1], strict=True):
        assert page.goto(f"{start}t/{other}").status == 404
        page.goto(f"{start}t/{key}")
        expect_sums(page, 2, 0)
    # There is no server that knows a link, so the code contains the evening itself.
    page.goto(f"{start}t/{key}/share")
    link = scan_code(page.locator(".carousel .qr"))
    assert link.startswith(f"{start}q/#")
    page.goto(link)
    expect_sums(page, 2, 0)
