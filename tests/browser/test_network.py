"""Lost networks, sleeping phones and restarted servers."""

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.probes import probe
from tests.browser.taps import STORE, TAPPED, expect_sums, new_table, start_table, tap, win
from tests.browser.unstable_network import hold_outbox_request, lose_response, wait_for_held_route
from tests.browser.visual_checks import expect_in_view
from tests.builders import LOST
from tests.sampling import slow
from tests.serving import serving_with_offline_app

pytestmark = pytest.mark.shared_phone

# Simulates another page of this phone that sends the same tap while this one is waiting.
ANOTHER = """() => {
  const own = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await own(...asked);
    await (await STORE).change(() => []);
    return answer;
  };
}""".replace("STORE", STORE)


def win_offline(page, side=0):
    page.context.set_offline(True)
    win(page, side)
    expect(page.locator("#outbox")).to_be_visible()


COUNT = "tapped = 0; document.body.addEventListener('htmx:beforeRequest', () => tapped++)"


@pytest.fixture(scope="module")
def preparable(tmp_path_factory):
    """A server that offers to prepare phones for offline use."""
    with serving_with_offline_app(tmp_path_factory.mktemp("preparable"), 10_000_000) as running:
        yield running


def test_offline_tap_is_sent_once(phone, server):
    page, key = start_table(phone)
    win_offline(page)
    # The bar names the unsent tap like its button, which is the only one that is not dimmed.
    # Nothing else can be tapped meanwhile, not by key either.
    expect(page.locator("#outbox span")).to_contain_text("Wir +2")
    expect(page.locator(".tap.win.side-0")).to_have_css("opacity", "1")
    expect(page.locator(".tap.win.side-1")).to_have_css("opacity", "0.4")
    expect(page.locator(".tap.win.side-1")).to_have_css("pointer-events", "none")
    page.evaluate(COUNT)
    win(page, 1)
    assert page.evaluate("tapped") == 0
    page.evaluate(ANOTHER)
    page.context.set_offline(False)
    expect_sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()
    assert server.seq(key) == 1


@pytest.mark.slow
def test_more_link_reports_missing_network(phone):
    page, _ = start_table(phone)
    win_offline(page)
    more = page.get_by_role("link", name="Mehr")
    expect(more).to_have_css("opacity", "1")
    more.click()
    expect(page.locator("#refused")).to_contain_text("„Mehr“")
    # Only one notice is visible at a time.
    expect(page.locator("#outbox")).to_be_hidden()
    page.locator("#refused button").click()
    expect(page.locator("#outbox")).to_be_visible()
    page.context.set_offline(False)
    expect_sums(page, 2, 0)
    tap(more)
    expect(page.locator("#panel > *")).to_have_count(1)


@pytest.mark.slow
def test_more_panel_opens_while_a_tap_is_resent(phone):
    page, key = start_table(phone)
    win_offline(page)
    more = page.locator("#more")
    tap(more)
    expect(page.locator("#refused")).to_be_visible()
    page.locator("#refused button").click()
    kept = hold_outbox_request(page, f"**/t/{key}/events")
    page.context.set_offline(False)
    sending = wait_for_held_route(page, kept)
    # This tap waits for the tap that is being sent, and does not count as its second press.
    tap(more)
    sending.continue_()
    expect_sums(page, 2, 0)
    expect(page.locator("#panel > *")).to_have_count(1)


@pytest.mark.slow
def test_links_of_the_pad_report_missing_network(phone, server):
    page, key = start_table(phone)
    win(page, 0, sums=(2, 0))
    page.context.set_offline(True)
    links = page.locator("#table a[href]:visible")
    assert links.count() > 5
    for link in links.all():
        link.click()
        expect(page.locator("#refused")).to_contain_text("braucht das Netz")
        page.locator("#refused button").click()
        expect(page.locator("#refused")).to_be_hidden()
    assert page.url.endswith(f"/t/{key}")
    page.context.set_offline(False)
    page.get_by_role("link", name="Menü").click()
    page.wait_for_url(f"**/t/{key}/menu")
    page.go_back()
    expect_sums(page, 2, 0)


@pytest.mark.slow
def test_offline_tap_can_be_taken_back(phone, server):
    page, key = start_table(phone)
    win_offline(page)
    page.get_by_role("button", name="Zurücknehmen").click()
    expect(page.locator("#outbox")).to_be_hidden()
    page.context.set_offline(False)
    win(page, 1, sums=(0, 2))
    assert server.seq(key) == 1


@pytest.mark.slow
@pytest.mark.parametrize("screen", [(320, 568), *slow(((390, 844),))])
def test_bar_of_unsent_taps_covers_nothing(phone, preparable, screen):
    width, height = screen
    page = phone(base_url=preparable.url, viewport={"width": width, "height": height})
    page.clock.install()
    new_table(page)
    page.context.set_offline(True)
    win(page, 0)
    page.clock.run_for(10_000)
    expect(page.locator("#outbox")).to_contain_text("Auch ohne Netz")
    expect(page.get_by_role("alert")).to_have_count(1)
    expect_in_view(page.locator("#pad button:visible, .tools .tool:visible"))
    assert probe(page, "overprinted") == []
    # The lowest screen hides the worth of the round while it asks who cuts.
    if height > 568:
        page.locator(".explanation > summary").click()
    for _ in range(2):
        assert probe(page, "overprinted") == []
        page.evaluate("scrollTo(0, 999)")


@pytest.mark.slow
def test_new_table_offers_offline_preparation(phone, preparable):
    page, _ = start_table(phone, base_url=preparable.url, viewport={"width": 320, "height": 568})
    offer = page.locator(".offer")
    expect(offer).to_contain_text("10 MB")
    expect_in_view(page.locator("#pad button:visible, .tools .tool:visible"))
    assert probe(page, "overprinted") == []
    # The offer disappears when the game begins.
    win(page, 0)
    expect(offer).to_be_hidden()
    new_table(page)
    offer.get_by_role("link").click()
    expect(page.locator("[data-pocket-do=prepare]")).to_be_in_viewport()
    page.go_back()
    offer.get_by_role("button").click()
    expect(offer).to_be_hidden()
    new_table(page)
    # The page asked the same earlier, so it already has its answer.
    page.evaluate("navigator.serviceWorker.getRegistration()")
    expect(offer).to_be_hidden()


def test_unsent_tap_survives_closing_its_page(phone, server):
    page, key = start_table(phone, fresh=True)
    win_offline(page, 1)
    again = page.context.new_page()
    page.close()
    again.context.set_offline(False)
    # The page opens while taps still fail, and shows the unsent tap.
    again.route("**/events", lambda route: route.abort(), times=1)
    again.goto(f"/t/{key}")
    expect(again.locator("#outbox span")).to_contain_text("Die +2")
    expect_sums(again, 0, 2)
    expect(again.locator("#outbox")).to_be_hidden()
    assert server.seq(key) == 1


def test_tap_with_lost_response_is_recorded_once(phone, server):
    page, key = start_table(phone)
    page.route("**/events", lose_response, times=1)
    win(page, 0, sums=(2, 0))
    expect(page.locator("#outbox")).to_be_hidden()
    assert server.seq(key) == 1


@pytest.mark.slow
def test_overtaken_offline_tap_is_reported(phone, server):
    page, key = start_table(phone)
    win_offline(page)
    server.play(key, LOST)
    page.context.set_offline(False)
    expect_sums(page, 0, 2)
    # Unsent taps are sent again every few seconds until the network works.
    expect(page.locator("#refused")).to_contain_text("schneller")
    expect(page.locator("#table")).to_have_count(1)


@pytest.mark.slow
def test_tap_during_a_resend_is_reported_as_overtaken(phone):
    page = phone(fresh=True)
    page.clock.install()
    new_table(page)
    # With the clock stopped, the page cannot refresh itself later.
    page.clock.pause_at(datetime.now() + timedelta(days=1))
    kept = hold_outbox_request(page, "**/events")
    win(page, 0)
    expect(page.locator("#outbox")).to_be_visible()
    with page.expect_request("**/events"):
        tap(page.get_by_role("button", name="Jetzt senden"))
    # Simulates that another page of this phone has sent it too.
    page.evaluate(STORE + ".then((store) => store.change(() => []))")
    with page.expect_event("requestfailed"):
        win(page, 1)
    kept[0].continue_()
    expect_sums(page, 2, 0)
    expect(page.locator("#refused")).to_contain_text("schneller")
    expect(page.locator("#outbox")).to_be_hidden()


def test_tapped_button_is_marked_until_the_response(phone):
    page, kept = phone(), []
    new_table(page)
    page.route("**/events", lambda route: kept.append(route))
    with page.expect_request("**/events"):
        win(page, 0)
    expect(page.locator(".tap.win.side-0")).to_have_attribute("data-taken", "")
    expect(page.locator("[data-taken]")).to_have_count(1)
    kept[0].continue_()
    expect_sums(page, 2, 0)
    expect(page.locator("[data-taken]")).to_have_count(0)


@pytest.mark.parametrize("path", ["t", *slow("b")])
def test_reconnected_page_shows_missed_entries(phone, server, path):
    key = server.table()["scorer"]
    page = phone(f"/{path}/{key}")
    expect_sums(page, 0, 0)
    page.context.set_offline(True)
    server.play(key, LOST)
    page.context.set_offline(False)
    expect_sums(page, 0, 2)


def test_a_table_opens_over_plain_http(phone, server):
    # As in a local network: browsers treat this name like that of any other machine.
    page = phone(base_url=server.url.replace("127.0.0.1", "bummerl.local"))
    key = new_table(page)
    win(page, 0, sums=(2, 0))
    assert server.seq(key) == 1


def test_tap_does_not_wait_for_a_page_refresh(phone):
    page, key = start_table(phone)
    page.route(f"**/t/{key}", lambda _: None)
    with page.expect_request(f"**/t/{key}"):
        page.evaluate("document.body.dispatchEvent(new Event('resume'))")
    win(page, 0, sums=(2, 0))


@pytest.mark.slow
def test_failed_tap_of_closed_more_panel_is_resent(phone, server):
    page, kept = phone(), []
    key = new_table(page)
    page.get_by_role("link", name="Mehr").click()
    page.route("**/events", lambda route: kept.append(route), times=1)
    with page.expect_request("**/events"):
        tap(page.locator("#panel .by-side .chip").first)
    page.get_by_role("link", name="Mehr").click()
    page.evaluate("history.back()")
    kept[0].abort()
    # The tap either waits or has already been sent again.
    expect(page.locator(".slate-rows .slate-row .reason-link")).to_have_count(1)
    # Entries from elsewhere are shown as usual.
    server.play(key, LOST)
    expect(page.locator(".slate-rows .slate-row .reason-link")).to_have_count(2)


# tests/pocket/test_foreign_answers.py tries every status.
@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 503])
def test_foreign_response_loses_no_tap_and_no_table(phone, server, status):
    """A response from elsewhere, such as a sign-in page, replaces no table and loses no tap."""
    page, request_types = phone(), []
    key = new_table(page)

    def answer_from_elsewhere(route):
        request_types.append(route.request.resource_type)
        route.fulfill(status=status, content_type="text/html", body="<h1>Sign in first</h1>")

    page.route("**/events", answer_from_elsewhere)
    win(page, 0)
    expect(page.locator("#outbox span")).to_contain_text("Wir +2")
    with page.expect_request("**/events"):
        tap(page.get_by_role("button", name="Jetzt senden"))
    expect_sums(page, 0, 0)
    assert set(request_types) == {"xhr", "fetch"}
    page.unroute("**/events")
    tap(page.get_by_role("button", name="Jetzt senden"))
    expect_sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()
    # The same if the page only refreshes: it is not replaced, and accepts the next tap.
    page.route(f"**/t/{key}", answer_from_elsewhere)
    page.evaluate("window.stands = true")
    with page.expect_response(f"**/t/{key}"):
        page.evaluate("document.body.dispatchEvent(new Event('resume'))")
    page.unroute(f"**/t/{key}")
    win(page, 1, sums=(2, 2))
    assert page.evaluate("window.stands")
    assert server.seq(key) == 2


@pytest.mark.slow
def test_each_table_resends_its_own_tap(phone, server):
    page, kept = phone(), []
    pages = {server.table()["scorer"]: at for at in (page, page.context.new_page())}
    for key, at in pages.items():
        at.goto(f"/t/{key}")
        at.route("**/events", lambda route: kept.append(route), times=1)
        win(at, 0)
    for route in kept:
        route.abort()
    for key, at in pages.items():
        expect_sums(at, 2, 0)
        assert server.seq(key) == 1


def open_with_stopped_clock(page, key):
    """Open a table and stop the page's clock, so that it repeats no request by itself."""
    page.clock.install()
    page.goto(f"/t/{key}")
    page.clock.pause_at(datetime.now() + timedelta(days=1))
    return page


@pytest.mark.slow
def test_tap_sent_by_one_page_unblocks_another(phone, server):
    key = server.table()["scorer"]
    page = phone(f"/t/{key}", fresh=True)
    other, kept = open_with_stopped_clock(page.context.new_page(), key), []
    page.route("**/events", lambda route: kept.append(route), times=1)
    # The server records it at once, so that no news arrives after the response.
    page.route("**/events", lose_response, times=1)
    with page.expect_request(lambda asked: asked.resource_type == "fetch"):
        win(page, 0)
        expect(other.locator("#outbox")).to_be_visible()
        expect_sums(other, 2, 0)
        tap(page.get_by_role("button", name="Jetzt senden"))
    expect(page.locator("#outbox")).to_be_visible()
    kept[0].continue_()
    expect(page.locator("#outbox")).to_be_hidden()
    expect(other.locator("#outbox")).to_be_hidden()
    win(other, 1)
    expect_sums(page, 2, 2)


@pytest.mark.slow
def test_tap_resent_by_another_page_shows_on_its_own(phone, server):
    page = open_with_stopped_clock(phone(fresh=True), server.table()["scorer"])
    other = page.context.new_page()
    other.goto(f"/t/{server.table()['scorer']}")
    page.route("**/events", lambda route: route.abort(), times=1)
    with page.expect_event("requestfailed"):
        win(page, 0)
    tap(other.get_by_role("button", name="Jetzt senden"))
    expect_sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()


# Stores an unsent tap and a refusal in the way of an earlier release.
EARLIER = """([waits, refused]) => {
  localStorage["bummerl-unsent"] = JSON.stringify(waits);
  localStorage["bummerl-refused"] = refused;
}"""


@pytest.mark.slow
def test_unsent_tap_of_earlier_release_is_taken_over(phone, server):
    key = server.table()["scorer"]
    page = phone(f"/t/{key}")
    page.evaluate(EARLIER, [[page.evaluate(TAPPED)], "Rückgängig: zu spät"])
    page.reload()
    expect_sums(page, 2, 0)
    expect(page.locator("#refused span")).to_have_text("Rückgängig: zu spät")
    expect(page.locator("#outbox")).to_be_hidden()
    left = page.evaluate("Object.keys(localStorage)")
    assert [name for name in left if "unsent" in name or "refused" in name] == []
    page.locator("#refused button").click()
    expect(page.locator("#refused")).to_be_hidden()
    page.reload()
    expect_sums(page, 2, 0)
    expect(page.locator("#refused")).to_be_hidden()
    assert server.seq(key) == 1


@pytest.mark.slow
@pytest.mark.parametrize("missing", [*slow("offline_status.js"), "sw.js"])
def test_failed_preparation_reports_a_network_error(phone, preparable, missing):
    page = phone("/", base_url=preparable.url)
    if missing == "offline_status.js":
        page.route("**/offline_status*.js", lambda route: route.abort())
    # This server names a bundle that it does not have, so the worker cannot start.
    page.locator("[data-pocket-do=prepare]").click()
    expect(page.locator("[data-pocket-says=network]")).to_be_visible()
    expect(page.locator("[data-pocket-progress]")).to_be_hidden()
    expect(page.locator("[data-pocket-do=prepare]")).to_be_visible()


KEEP_OTHER = f"""{STORE}.then((store) => store.keep(
  {{ url: "/t/other/events", body: "event=1", what: "Die +3" }})).then(() => null)"""


@pytest.mark.slow
def test_outbox_bar_names_unsent_tap_of_another_table(phone, server):
    page = phone(fresh=True)
    for _ in range(2):
        page.goto(f"/t/{server.table()['scorer']}")
    page.clock.install()
    page.clock.pause_at(datetime.now() + timedelta(days=1))
    page.evaluate(KEEP_OTHER)
    win(page, 0)
    expect(page.locator("#outbox span")).to_contain_text("Die +3")


@pytest.mark.slow
def test_tap_for_a_closed_link_shows_the_error_text(phone, server):
    page = phone("/t/other")
    why = " ".join(page.locator(".error header > *").all_inner_texts())
    assert page.locator(".error header p").inner_text() in why
    page.goto(f"/t/{server.table()['scorer']}")
    page.evaluate(KEEP_OTHER)
    page.reload()
    expect(page.locator("#refused span")).to_have_text(f"Die +3: {why}")
