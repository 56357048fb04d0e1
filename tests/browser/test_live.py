"""A live page that lost its connection says so, with the time of what it shows."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import WON
from tests.sampling import slow
from tests.serving import serving
from tests.web.tournament.hall import Hall

pytestmark = pytest.mark.shared_phone

LIVE = {
    "pad": "/t/{scorer}",
    "board": "/b/{viewer}",
    "wall": "/b/{viewer}?big=1",
    "desk": "/p/{director}",
    "standings": "/p/{hall}/standings",
    "finder": "/p/{hall}/find?name=anna",
    "hall": "/p/{hall}/hall",
    "result": "/e/{entry}",
}

# Marks a page that has received the first message of its stream, or has loaded the news that the
# message announced.
HEARS = """for (const name of ["htmx:sseBeforeMessage", "htmx:afterRequest"]) {
  addEventListener(name, () => (document.documentElement.dataset.hears = ""));
}"""

# Counts the different messages of a page's stream, and the requests that the page has finished.
COUNTS = """const heard = new Set();
let looked = 0;
const tell = (name, number) => (document.documentElement.dataset[name] = number);
addEventListener("htmx:sseMessage", ({ detail }) => tell("heard", heard.add(detail.data).size));
addEventListener("htmx:afterRequest", () => tell("looked", (looked += 1)));"""

# The event of htmx for a stream that is broken and reconnects.
FAILS = """void document.body.dispatchEvent(new CustomEvent("htmx:sseError", {
  detail: { source: { readyState: EventSource.CONNECTING } } }))"""


def open_and_wait_for_stream(page, path):
    """Open a page and wait for its stream. A late one would make the page live again."""
    with page.expect_response(lambda answer: answer.url.endswith("/stream")):
        page.goto(path)


def new_table_and_tournament(server):
    """The keys of a table and of a tournament with a round drawn."""
    hall = Hall(server, games_per_round=3)
    keys = {"director": hall.key, "hall": hall.keys["viewer"], "entry": hall.draw()[0]["scorer"]}
    return {**server.table(), **keys}


def expect_connection_notice(page, text):
    expect(page.locator("#connection-notice")).to_be_visible()
    expect(page.locator("#connection-notice")).to_have_text(re.compile(rf"{text}.* \d\d:\d\d"))


@pytest.mark.slow
def test_live_pages_report_a_stopped_server(phone, tmp_path):
    with serving(tmp_path / "bummerl.db", workers=1) as own:
        keys = new_table_and_tournament(own)
        pages = {name: phone() for name in LIVE}
        for name, page in pages.items():
            page.goto(own.url + LIVE[name].format(**keys))
            expect(page.locator("#connection-notice")).to_be_hidden()
        own.stop()
        for page in pages.values():
            expect_connection_notice(page, "Nicht mehr live")


@pytest.mark.slow
def test_live_pages_report_a_closed_link(phone, server):
    keys = new_table_and_tournament(server)
    pages = {name: phone() for name in LIVE if name != "result"}
    for name, page in pages.items():
        page.goto(LIVE[name].format(**keys))

    def renew(path, *roles):
        """The new key after the links of these roles were renewed."""
        for role in roles:
            headers = server.request("POST", f"{path}/renew", [("role", role)])[1]
        return headers["location"].split("/")[2]

    writer = renew(f"/t/{keys['scorer']}", "viewer", "scorer")
    director = renew(f"/p/{keys['director']}", "hall", "director")
    # The pages must not show what happens after their links were closed.
    server.play(writer, WON)
    server.request("POST", f"/p/{director}/announce", [("token", "a"), ("text", "Pause")])
    for name, page in pages.items():
        expect_connection_notice(page, "Dieser Link wurde geschlossen")
        assert "Pause" not in page.locator("body").inner_text(), name
        expect(page.locator("[sse-connect] form:not([inert])")).to_have_count(0)
    expect(pages["pad"].locator("#connection-notice")).to_contain_text(
        "Frag am Tisch nach dem neuen"
    )


@pytest.mark.parametrize("name", ["pad", *slow("board", "finder")])
def test_offline_notice_disappears_when_online_again(phone, server, name):
    page = phone(fresh=True)
    # The page must have its stream before the network is cut.
    page.add_init_script(HEARS)
    page.goto(LIVE[name].format(**new_table_and_tournament(server)))
    page.wait_for_selector("html[data-hears]", state="attached")
    # A browser on the server's own machine needs no network.
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        page.evaluate("dispatchEvent(new Event('offline'))")
    page.evaluate("fetch(location.href, { method: 'HEAD' })")
    expect(page.locator("#connection-notice")).to_be_hidden()
    page.context.set_offline(True)
    expect_connection_notice(page, "Nicht mehr live")
    page.context.set_offline(False)
    expect(page.locator("#connection-notice")).to_be_hidden()


@pytest.mark.slow
def test_finder_shows_the_next_draw_live(phone, server):
    hall = Hall(server)
    page = phone(f"/p/{hall.keys['viewer']}/find?name=anna")
    expect(page.locator(".big-number")).to_have_count(0)
    hall.draw()
    expect(page.locator(".big-number")).to_have_text(re.compile("[12]"))


def test_pair_page_updates_live_until_the_end(phone, server):
    hall = Hall(server)
    page = phone(f"/e/{hall.draw()[0]['scorer']}")
    title = page.get_by_role("heading", level=1)
    # No two sums are equal, so somebody wins.
    hall.enter(1, 1, (15, 2))
    expect(page.get_by_text("es fehlen: Runde 1 Tisch 2")).to_be_visible()
    hall.enter(1, 2, (15, 8))
    expect(page.get_by_text("die nächste Runde folgt")).to_be_visible()
    hall.draw()
    expect(title).to_have_text(re.compile(r"Nächster Tisch: \d"))
    hall.enter(2, 1, (15, 3))
    hall.enter(2, 2, (15, 7))
    expect(title).to_have_text("Das Turnier ist zu Ende.")
    expect(page.get_by_text("Sieger: ")).to_be_visible()
    page.get_by_role("link", name="Rangliste und Tische").click()
    expect(page.locator(".ranking tbody tr")).to_have_count(4)


@pytest.mark.slow
@pytest.mark.parametrize("screen", [(1024, 768), *slow(((1920, 1080),), ((1366, 768),))])
def test_offline_notice_covers_nothing_on_hall_screen(phone, server, screen):
    width, height = screen
    hall = Hall(server, 23)
    hall.draw()
    hall.post("/announce", "a", text="Das Essen ist fertig: bitte nach der Runde in die Stube.")
    page = phone(f"/p/{hall.keys['viewer']}/hall", viewport={"width": width, "height": height})
    names = page.locator(".hall-table .name")
    before = [name.bounding_box()["width"] for name in names.all()]
    page.context.set_offline(True)
    expect_connection_notice(page, "Nicht mehr live")
    bar = page.locator("#connection-notice").bounding_box()
    assert (bar["x"], bar["y"], bar["width"]) == (0, 0, width)
    assert bar["height"] < 0.06 * height
    assert [name.bounding_box()["width"] for name in names.all()] == before
    for seen in (*page.locator(".hall-table tr").all(), page.locator(".corner .qr")):
        expect(seen).to_be_in_viewport(ratio=1)
        assert seen.bounding_box()["y"] >= bar["height"]


def test_reconnected_page_shows_no_offline_notice(phone, server):
    page = phone(fresh=True)
    page.clock.install()
    open_and_wait_for_stream(page, LIVE["board"].format(**new_table_and_tournament(server)))
    page.evaluate("void (window.fetch = () => new Promise((done) => (window.answer = done)))")
    page.evaluate(FAILS)
    page.clock.run_for(5_000)
    page.evaluate("document.body.dispatchEvent(new Event('htmx:sseOpen'))")
    page.evaluate("answer(new Response())")
    expect(page.locator("#connection-notice")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["board", *slow("hall")])
def test_hanging_server_is_reported_as_offline(phone, server, name):
    page = phone(fresh=True)
    page.clock.install()
    path = LIVE[name].format(**new_table_and_tournament(server))
    # The wall has no stream.
    open_and_wait_for_stream(page, path) if name == "board" else page.goto(path)
    page.route("**/*", lambda route: None)
    page.evaluate(FAILS)
    page.clock.run_for(60_000)
    expect_connection_notice(page, "Nicht mehr live")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["result", "finder", "round"])
def test_update_during_a_request_is_fetched_too(phone, server, name):
    """A message that arrives during a request leads to one more request."""
    page = phone(fresh=True)
    page.add_init_script(COUNTS)
    keys = new_table_and_tournament(server)
    server.play(keys["scorer"], WON)

    def write(number):
        if name == "round":
            server.play(keys["scorer"], WON)
        else:
            result = {"round": 1, "table": number, "games": [[15, number + 1]] * 3}
            path = f"/api/tournaments/{keys['director']}/results"
            assert server.json("POST", path, result)[0] == 201

    def expect_count(what, number):
        expect(page.locator("html")).to_have_attribute(f"data-{what}", str(number))

    page.goto((LIVE | {"round": "/b/{viewer}?round=0"})[name].format(**keys))
    expect_count("looked", 1)
    routes = []
    page.route("**/*", lambda route: routes.append(route))
    with page.expect_request("**/*"):
        write(1)
    expect_count("heard", 2)
    # The response contains the state at the time of the request.
    before = routes[0].fetch()
    write(2)
    expect_count("heard", 3)
    with page.expect_request("**/*"):
        routes[0].fulfill(response=before)
    expect_count("looked", 2)
    routes[1].continue_()
    expect_count("looked", 3)
    assert len(routes) == 2
