"""Two phones settle a dispute, with and without scripts, on the smallest screen."""

import io
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.taps import expect_sums, tap, win
from tests.builders import WON
from tests.slow import slow

pytestmark = pytest.mark.shared_phone

SMALL = {"width": 320, "height": 568}


@pytest.fixture(params=[True, *slow(False)], ids=["scripts", "plain"])
def two(phone, server, request):
    """The pages of the writer's phone and the other side's, with or without scripts."""
    writer = phone(viewport=SMALL, java_script_enabled=request.param)
    other = phone(viewport=SMALL, java_script_enabled=request.param)
    return writer, other


def claim_seat_of_other_side(server, other, cut=False):
    keys = server.table(cut=cut)
    other.goto(f"/b/{keys['opponent']}")
    # The seat claim is recorded, so a tap on a page opened before it would be refused.
    assert other.request.post(f"/b/{keys['opponent']}/hold").ok
    return keys


def test_the_other_side_confirms_a_result(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other)
    writer.goto(f"/t/{keys['scorer']}")
    for points in (2, 4, 6, 8, 10):
        win(writer, 0)
        expect_sums(writer, points, 0)
    other.goto(f"/b/{keys['opponent']}")
    expect(other.get_by_role("img", name="angeschrieben")).to_be_visible()
    other.get_by_role("button", name="Wir bestätigen: Spiel 1, 10 : 0").click()
    expect(other.get_by_role("img", name="von der Gegenpartei bestätigt")).to_be_visible()
    writer.reload()
    expect(writer.get_by_role("img", name="von der Gegenpartei bestätigt")).to_be_visible()


def test_a_round_is_disputed_and_settled(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other)
    writer.goto(f"/t/{keys['scorer']}")
    win(writer, 0)
    expect_sums(writer, 2, 0)
    other.goto(f"/b/{keys['opponent']}")
    other.locator(".line a").click()
    other.get_by_role("button", name="Runde als strittig melden").click()
    writer.reload()
    expect(writer.locator(".lines .said")).to_have_text("strittig")
    writer.locator(".line a").click()
    writer.get_by_role("button", name="Der Streit ist geklärt").click()
    expect(writer.get_by_role("button", name="Runde als strittig melden")).to_be_visible()
    other.goto(f"/b/{keys['opponent']}")
    expect(other.locator(".lines .said")).to_have_count(0)


def test_change_after_the_cut_needs_both_phones(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other, cut=True)
    for number in range(2):
        server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, str(number))
    writer.goto(f"/t/{keys['scorer']}")
    writer.locator(".line a").first.click()
    writer.locator("#slip .names .side-1").click()
    writer.get_by_role("button", name="So war's").click()
    expect(writer.locator("[data-waits]")).to_be_visible()
    other.goto(f"/b/{keys['opponent']}")
    expect_sums(other, 4, 0)
    expect(other.locator("[data-proposal] a")).to_contain_text("Partei 2 holt die Runde")
    tap(other.locator("[data-proposal]").get_by_role("button", name="Ja, so war es"))
    expect_sums(other, 2, 2)


def test_other_side_proposes_a_correction(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other)
    for number in range(2):
        server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, str(number))
    other.goto(f"/b/{keys['opponent']}")
    other.locator(".line a").first.click()
    other.locator("#slip .names .side-1").click()
    other.locator("#slip").get_by_role("button", name="+3", exact=True).click()
    expect(other.locator("#slip .lead")).to_have_text("Dann stünde es 2 : 3.")
    other.get_by_role("button", name="So war's").click()
    expect(other.locator("[data-waits]")).to_be_visible()
    writer.goto(f"/t/{keys['scorer']}")
    expect_sums(writer, 4, 0)
    tap(writer.locator("[data-proposal]").get_by_role("button", name="Ja, so war es"))
    expect_sums(writer, 2, 3)
    expect(writer.locator("[data-proposal]")).to_have_count(0)
    other.goto(f"/b/{keys['opponent']}")
    expect_sums(other, 2, 3)


def test_disputes_show_live(phone, server):
    writer, other = phone(), phone()
    keys = server.table(played=[{"do": "gewinnt", "side": 0}])
    writer.goto(f"/t/{keys['scorer']}")
    other.goto(f"/b/{keys['opponent']}/round/0")
    other.get_by_role("button", name="Runde als strittig melden").click()
    expect(writer.locator(".lines .said")).to_have_text("strittig")


def size_of(download):
    return Image.open(io.BytesIO(download.path().read_bytes())).size


def test_the_score_sheet_is_sent_as_a_picture(phone, server):
    page = phone()
    keys = server.table()
    server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "1")
    page.goto(f"/b/{keys['viewer']}/sheet")
    link = page.get_by_role("link", name="Als Bild senden")
    with page.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "bummerl.png"
    picture = Image.open(io.BytesIO(download.value.path().read_bytes())).convert("L")
    assert picture.size == (1080, 1350)
    assert len(set(picture.resize((200, 100)).tobytes())) > 10
    with page.expect_download() as download:
        page.get_by_role("link", name="Bild im Quadrat").click()
    assert size_of(download.value) == (1080, 1080)
    plain = phone(java_script_enabled=False)
    plain.goto(f"/b/{keys['viewer']}/sheet")
    plain.get_by_role("link", name="Als Bild senden").click()
    plain.wait_for_url(re.compile(r"\.svg$"))


def test_pad_offers_a_picture_of_the_finished_game(phone, server):
    """The game ends while the page is open."""
    page = phone()
    keys = server.table(played=[WON] * 4)
    page.goto(f"/t/{keys['scorer']}")
    win(page, 0)
    with page.expect_download() as download:
        page.get_by_role("link", name="Bild schicken").click()
    assert size_of(download.value) == (1080, 1350)


def test_a_dispute_ends_with_one_tap(phone, server):
    writer, other = phone(), phone()
    keys = claim_seat_of_other_side(server, other)
    for number in range(2):
        server.write(keys["scorer"], {"do": "gewinnt", "side": number}, str(number))
    writer.goto(f"/t/{keys['scorer']}")
    # The number is 2 because the record begins with the other side's seat claim.
    other.goto(f"/b/{keys['opponent']}/round/2")
    other.get_by_role("button", name="Runde als strittig melden").click()
    # The banner appears without a reload, and links to the round on each phone.
    expect(writer.locator(".dispute a")).to_have_attribute("href", "?round=2")
    other.goto(f"/b/{keys['opponent']}")
    for page in (other, writer):
        expect(page.get_by_role("button", name="Passt")).to_have_count(0)
        page.locator(".dispute a").click()
        settle = page.get_by_role("button", name="Der Streit ist geklärt")
        assert settle.bounding_box()["y"] < page.locator(".writing").bounding_box()["y"]
    writer.locator("#slip").get_by_role("button", name="+3", exact=True).click()
    writer.get_by_role("button", name="So war's").click()
    other.goto(f"/b/{keys['opponent']}")
    expect(other.get_by_role("button", name="Passt")).to_be_visible()
    tap(writer.get_by_role("button", name="Passt"))
    # The other side sees who called it settled. The writer, who did, sees no banner.
    expect(other.locator(".dispute")).to_have_attribute("data-settled-by", "0")
    expect(writer.locator(".dispute")).to_have_count(0)
    for page in (writer, other):
        expect(page.locator(".lines .said")).to_have_text("berichtigt")


def test_other_side_accepts_a_struck_disputed_round(phone, server):
    other = phone()
    keys = claim_seat_of_other_side(server, other)
    for number in range(2):
        server.write(keys["scorer"], {"do": "gewinnt", "side": number}, str(number))
    server.write(keys["opponent"], {"do": "strittig", "side": 1, "of": 1}, "dispute")
    server.write(keys["scorer"], {"do": "korrektur", "of": 1, "with": None}, "strike")
    other.goto(f"/b/{keys['opponent']}")
    # The disputed round was struck out, so there is no link to it.
    expect(other.locator(".dispute")).to_be_visible()
    expect(other.locator(".dispute a")).to_have_count(0)
    other.get_by_role("button", name="Passt").click()
    expect(other.locator(".dispute")).to_have_count(0)


def test_dispute_mark_is_centred_between_the_columns(phone, server):
    page = phone()
    keys = server.table()
    server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "1")
    server.write(keys["scorer"], {"do": "strittig", "side": 0, "of": 0}, "2")
    page.goto(f"/t/{keys['scorer']}")
    word, line = (
        page.locator(f".lines {part}").bounding_box() for part in (".said", ".reason-link")
    )
    middles = [box["x"] + box["width"] / 2 for box in (word, line)]
    assert abs(middles[0] - middles[1]) < 2


def test_round_page_updates_when_dispute_is_settled(phone, server):
    other = phone()
    keys = claim_seat_of_other_side(server, other)
    assert server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "won")[0] == 201
    disputed = {"do": "strittig", "side": 1, "of": 1}
    assert server.write(keys["opponent"], disputed, "disputed")[0] == 201
    other.goto(f"/b/{keys['opponent']}/round/1")
    settles = other.get_by_role("button", name="Der Streit ist geklärt")
    expect(settles).to_be_visible()
    assert server.write(keys["scorer"], {"do": "geklaert", "side": 0, "of": 1}, "end")[0] == 201
    expect(settles).to_have_count(0)
    other.get_by_role("button", name="Nein, weiter strittig").click()
    expect(settles).to_be_visible()


def test_time_is_shown_in_the_readers_time_zone(phone, server):
    keys = server.table()
    assert server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "won")[0] == 201
    path = f"/b/{keys['viewer']}/round/0"
    far = phone(timezone_id="Asia/Kolkata")
    far.goto(path)
    time = far.locator("time")
    at = datetime.fromisoformat(time.get_attribute("datetime"))
    expect(time).to_have_text(f"{at.astimezone(ZoneInfo('Asia/Kolkata')):%H:%M}")
    plain = phone(java_script_enabled=False)
    plain.goto(path)
    expect(plain.locator("time")).to_have_text(f"{at.astimezone():%H:%M %Z}")


@pytest.mark.parametrize(("fault", "leads"), [("NotAllowedError", True), ("AbortError", False)])
def test_failed_share_opens_picture_unless_cancelled(phone, server, fault, leads):
    page = phone()
    page.goto(f"/b/{server.table()['viewer']}/sheet")
    page.evaluate(
        """(name) => {
          navigator.canShare = () => true;
          navigator.share = async () => {
            document.title = "asked";
            throw new DOMException("", name);
          };
        }""",
        fault,
    )
    page.get_by_role("link", name="Als Bild senden").click()
    if leads:
        page.wait_for_url("**/*.svg*")
    else:
        expect(page).to_have_title("asked")
        page.evaluate("fetch(location.href)")
        assert page.url.endswith("/sheet")


def test_page_of_struck_round_shows_notice_in_place(phone, server):
    keys = server.table()
    assert server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "won")[0] == 201
    writer = phone(fresh=True, viewport=SMALL)
    writer.goto(f"/b/{keys['scorer']}/round/0?mode=strike")
    # The form's response opens no page, as if the next page were slow.
    writer.route("**/events", lambda route: route.fulfill(status=204))
    writer.get_by_role("button", name="Runde entfernen").click()
    navigations = []
    writer.on(
        "request", lambda sent: navigations.append(sent.url) if sent.is_navigation_request() else 0
    )
    struck = {"do": "korrektur", "of": 0, "with": None}
    assert server.write(keys["scorer"], struck, "strike")[0] == 201
    expect(writer.locator("#stale")).to_contain_text("Diese Runde gibt es nicht")
    assert navigations == []
