"""Two phones settle a dispute, with and without scripts, on the smallest screen."""

import io
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.probes import probe
from tests.browser.taps import expect_sums, middle_of, tap, win
from tests.browser.visual_checks import each_screen
from tests.builders import LOST, WON
from tests.sampling import slow

pytestmark = pytest.mark.shared_phone

SMALL = {"width": 320, "height": 568}
SETTLES = re.compile("Der Streit ist geklärt|Die Runde stimmt doch")
"""The button of the writer, and of the side that disputes."""


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
        win(writer, 0, sums=(points, 0))
    other.goto(f"/b/{keys['opponent']}")
    expect(other.locator(".tick")).to_have_count(0)
    other.get_by_role("button", name=re.compile("Passt: .+ gewinnt 10 : 0")).click()
    expect(other.get_by_role("img", name="von der Gegenpartei bestätigt")).to_be_visible()
    writer.reload()
    expect(writer.get_by_role("img", name="von der Gegenpartei bestätigt")).to_be_visible()


def test_a_round_is_disputed_and_settled(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other)
    writer.goto(f"/t/{keys['scorer']}")
    win(writer, 0, sums=(2, 0))
    other.goto(f"/b/{keys['opponent']}")
    other.locator(".slate-row a").click()
    other.get_by_role("button", name="Runde als strittig melden").click()
    writer.reload()
    expect(writer.locator(".slate-rows .row-notes")).to_have_text("strittig")
    writer.locator(".slate-row a").click()
    writer.get_by_role("button", name="Der Streit ist geklärt").click()
    expect(writer.get_by_role("button", name="Runde als strittig melden")).to_be_visible()
    other.goto(f"/b/{keys['opponent']}")
    expect(other.locator(".slate-rows .row-notes")).to_have_count(0)


@pytest.mark.slow
def test_change_after_the_cut_needs_both_phones(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other, cut=True)
    server.play(keys["scorer"], WON, WON)
    writer.goto(f"/t/{keys['scorer']}")
    writer.locator(".slate-row a").first.click()
    writer.locator("#correction .names .side-1").click()
    writer.get_by_role("button", name="So war’s").click()
    expect(writer.locator("[data-waits]")).to_be_visible()
    other.goto(f"/b/{keys['opponent']}")
    expect_sums(other, 4, 0)
    expect(other.locator("[data-proposal] a")).to_contain_text("Partei 2 +2 statt Partei 1 +2")
    tap(other.locator("[data-proposal]").get_by_role("button", name="Ja, so war es"))
    expect_sums(other, 2, 2)


@pytest.mark.slow
def test_other_side_proposes_a_correction(two, server):
    writer, other = two
    keys = claim_seat_of_other_side(server, other)
    server.play(keys["scorer"], WON, WON)
    other.goto(f"/b/{keys['opponent']}")
    other.locator(".slate-row a").first.click()
    other.locator("#correction .names .side-1").click()
    other.locator("#correction").get_by_role("button", name="+3", exact=True).click()
    expect(other.locator("#correction .lead")).to_have_text("Dann stünde es 2 : 3.")
    other.get_by_role("button", name="So vorschlagen").click()
    expect(other.locator("[data-waits]")).to_be_visible()
    writer.goto(f"/t/{keys['scorer']}")
    expect_sums(writer, 4, 0)
    tap(writer.locator("[data-proposal]").get_by_role("button", name="Ja, so war es"))
    expect_sums(writer, 2, 3)
    expect(writer.locator("[data-proposal]")).to_have_count(0)
    other.goto(f"/b/{keys['opponent']}")
    expect_sums(other, 2, 3)


def download_picture(page, link):
    """The suggested name and the picture that a link of this name downloads."""
    with page.expect_download() as download:
        page.get_by_role("link", name=link).click()
    picture = io.BytesIO(download.value.path().read_bytes())
    return download.value.suggested_filename, Image.open(picture)


@pytest.mark.slow
def test_the_score_sheet_is_sent_as_a_picture(phone, server):
    sheet = f"/b/{server.table('bayern', played=[WON] * 7)['viewer']}/sheet"
    page = phone(sheet)
    name, picture = download_picture(page, "Als Bild senden")
    assert (name, picture.size) == ("bummerl.png", (1080, 1350))
    assert len(set(picture.convert("L").resize((200, 100)).tobytes())) > 10
    assert download_picture(page, "Bild im Quadrat")[1].size == (1080, 1080)
    plain = phone(sheet, java_script_enabled=False)
    plain.get_by_role("link", name="Als Bild senden").click()
    plain.wait_for_url(re.compile(r"\.svg$"))


@pytest.mark.slow
def test_pad_offers_a_picture_of_the_finished_game(phone, server):
    """The game ends while the page is open."""
    page = phone(f"/t/{server.table(played=[WON] * 4)['scorer']}")
    win(page, 0)
    assert download_picture(page, "Bild schicken")[1].size == (1080, 1350)


def test_a_dispute_ends_with_one_tap(phone, server):
    writer, other = phone(), phone()
    keys = claim_seat_of_other_side(server, other)
    server.play(keys["scorer"], WON, LOST)
    writer.goto(f"/t/{keys['scorer']}")
    # The number is 2 because the record begins with the other side's seat claim.
    other.goto(f"/b/{keys['opponent']}/round/2")
    other.get_by_role("button", name="Runde als strittig melden").click()
    # The banner and the row's mark appear without a reload. The banner links to the round.
    expect(writer.locator(".slate-rows .row-notes")).to_have_text("strittig")
    expect(writer.locator(".dispute a")).to_have_attribute("href", "?round=2")
    other.goto(f"/b/{keys['opponent']}")
    for page in (other, writer):
        expect(page.get_by_role("button", name="Passt")).to_have_count(0)
        page.locator(".dispute a").click()
        settle = page.get_by_role("button", name=SETTLES)
        assert settle.bounding_box()["y"] < page.locator(".correction").bounding_box()["y"]
    writer.locator("#correction").get_by_role("button", name="+3", exact=True).click()
    writer.get_by_role("button", name="So war’s").click()
    other.goto(f"/b/{keys['opponent']}")
    expect(other.get_by_role("button", name="Passt")).to_be_visible()
    tap(writer.get_by_role("button", name="Passt"))
    # The other side sees who called it settled. The writer, who did, sees no banner.
    expect(other.locator(".dispute")).to_have_attribute("data-settled-by", "0")
    expect(writer.locator(".dispute")).to_have_count(0)
    for page in (writer, other):
        expect(page.locator(".slate-rows .row-notes")).to_have_text("berichtigt")


@pytest.mark.slow
def test_other_side_accepts_a_struck_disputed_round(phone, server):
    other = phone()
    keys = claim_seat_of_other_side(server, other)
    server.play(keys["scorer"], WON, LOST)
    server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": 1})
    server.play(keys["scorer"], {"do": "korrektur", "of": 1, "with": None})
    other.goto(f"/b/{keys['opponent']}")
    # The disputed round was struck out, so there is no link to it.
    expect(other.locator(".dispute")).to_be_visible()
    expect(other.locator(".dispute a")).to_have_count(0)
    other.get_by_role("button", name="Passt").click()
    expect(other.locator(".dispute")).to_have_count(0)


def test_low_screen_shows_the_question_that_can_be_answered(phone, server):
    """One round is in dispute, and a correction of another one waits for the writer's yes."""
    keys = server.table(played=[WON, LOST, WON])
    server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": 1})
    proposal = {"do": "vorschlag", "side": 1, "of": 0, "with": LOST}
    server.play(keys["opponent"], proposal)
    page = phone(f"/t/{keys['scorer']}", viewport={"width": 320, "height": 568})
    expect(page.locator(".proposals:visible")).to_have_count(1)
    for name in ("Ja, so war es", "Nein"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", ["de-AT", *slow("it-IT", "fr-FR", "en-GB")])
def test_mark_of_a_round_is_on_one_line_beside_the_dash(phone, server, language):
    disputes = {"do": "strittig", "side": 0, "of": 0}
    key = server.table(played=[WON, LOST, disputes])["scorer"]
    page = phone(f"/t/{key}", locale=language)
    rows = page.locator(".slate-rows .slate-row")
    dash, mark = rows.first.locator(".noted .running-total"), rows.first.locator(".disputed")
    for screen in each_screen(page, [(320, 568), (390, 844), (820, 1180)]):
        expect(dash).to_have_text("–")
        assert dash.bounding_box()["x"] < mark.bounding_box()["x"], screen
        assert mark.evaluate("node => node.getClientRects().length") == 1, screen
        assert probe(page, "overflow") == 0, screen
        assert rows.first.bounding_box()["height"] == rows.last.bounding_box()["height"]


def test_two_marks_of_a_row_are_centred_between_the_columns(phone, server):
    corrected = {"do": "korrektur", "of": 0, "with": {**WON, "stake": 3}}
    disputes = {"do": "strittig", "side": 0, "of": 0}
    page = phone(f"/t/{server.table(played=[WON, corrected, disputes])['scorer']}")
    word, line = (
        middle_of(page.locator(f".slate-rows {part}")) for part in (".row-notes", ".reason-link")
    )
    assert abs(word[0] - line[0]) < 2


@pytest.mark.slow
def test_round_page_updates_when_dispute_is_settled(phone, server):
    other = phone()
    keys = claim_seat_of_other_side(server, other)
    server.play(keys["scorer"], WON)
    server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": 1})
    other.goto(f"/b/{keys['opponent']}/round/1")
    settles = other.get_by_role("button", name=SETTLES)
    expect(settles).to_be_visible()
    server.play(keys["scorer"], {"do": "geklaert", "side": 0, "of": 1})
    expect(settles).to_have_count(0)
    other.get_by_role("button", name="Nein, weiter strittig").click()
    expect(settles).to_be_visible()


MARKS_NEWS = """() => document.body.addEventListener("htmx:afterSettle", () =>
  (document.documentElement.dataset.settled = ""))"""


def test_time_is_shown_in_the_readers_time_zone(phone, server):
    """Also after news has replaced parts of the page."""
    keys = server.table(played=[WON])
    path = f"/b/{keys['viewer']}/round/0"
    far = phone(path, timezone_id="Asia/Kolkata")
    time = far.locator("time")
    at = datetime.fromisoformat(time.get_attribute("datetime"))
    local_time = f"{at.astimezone(ZoneInfo('Asia/Kolkata')):%H:%M}"
    expect(time).to_have_text(local_time)
    far.evaluate(MARKS_NEWS)
    server.play(keys["scorer"], LOST)
    expect(far.locator("html[data-settled]")).to_be_attached()
    expect(time).to_have_text(local_time)
    plain = phone(path, java_script_enabled=False)
    expect(plain.locator("time")).to_have_text(f"{at.astimezone():%H:%M %Z}")


FAILING_SHARE = """(name) => {
  navigator.canShare = () => true;
  navigator.share = async () => {
    document.title = "asked";
    throw new DOMException("", name);
  };
}"""


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "leads"), [("NotAllowedError", True), ("AbortError", False)])
def test_failed_share_opens_picture_unless_cancelled(phone, server, fault, leads):
    page = phone(f"/b/{server.table()['viewer']}/sheet")
    page.evaluate(FAILING_SHARE, fault)
    page.get_by_role("link", name="Als Bild senden").click()
    if leads:
        page.wait_for_url("**/*.svg*")
    else:
        expect(page).to_have_title("asked")
        page.evaluate("fetch(location.href)")
        assert page.url.endswith("/sheet")


@pytest.mark.slow
def test_page_of_struck_round_shows_notice_in_place(phone, server):
    keys = server.table(played=[WON])
    writer = phone(f"/b/{keys['scorer']}/round/0?mode=strike", fresh=True, viewport=SMALL)
    # The form's response opens no page, as if the next page were slow.
    writer.route("**/events", lambda route: route.fulfill(status=204))
    writer.get_by_role("button", name="Runde entfernen").click()
    requests = []
    writer.on("request", lambda request: requests.append(request))
    server.play(keys["scorer"], {"do": "korrektur", "of": 0, "with": None})
    expect(writer.locator("#connection-notice")).to_contain_text("Diese Runde gibt es nicht")
    assert not any(request.is_navigation_request() for request in requests)


@pytest.mark.parametrize("door", ["board", "round"])
def test_accepted_proposal_ends_its_dispute(phone, server, door):
    writer, other = phone(), phone()
    keys = claim_seat_of_other_side(server, other)
    server.play(keys["scorer"], WON, LOST)
    other.goto(f"/b/{keys['opponent']}/round/1")
    other.get_by_role("button", name="Runde als strittig melden").click()
    other.locator("#correction").get_by_role("button", name="+3", exact=True).click()
    other.get_by_role("button", name="So vorschlagen").click()
    expect(other.locator("[data-waits]")).to_be_visible()
    writer.goto(f"/t/{keys['scorer']}" if door == "board" else f"/b/{keys['scorer']}/round/1")
    answer = writer.get_by_role("button", name="Ja, so war es")
    tap(answer)
    expect(answer).to_have_count(0)
    for page, path in ((writer, f"/t/{keys['scorer']}"), (other, f"/b/{keys['opponent']}")):
        page.goto(path)
        expect_sums(page, 3, 2)
        expect(page.locator(".dispute")).to_have_count(0)
        expect(page.locator(".slate-rows .row-notes")).to_have_text("berichtigt")
