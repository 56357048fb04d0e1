"""An evening as QR codes: decoded from one phone's screen, opened on another."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from scorer.book.evening_qr_codes import texts
from scorer.engine import replay
from tests.browser.conftest import PATIENCE_MS, launch_browser
from tests.browser.find_chromium import find_shell
from tests.browser.taps import expect_sums, new_table, path_of, scan_code, tap, win
from tests.builders import WON

pytestmark = pytest.mark.shared_phone

RESULT = ".slate .sum"


def read_code_links(page, key):
    """Open the codes of an evening and return their links, as cameras read them."""
    page.goto(f"/b/{key}/codes")
    stop = page.locator("[data-turning-stop]")
    if stop.count():
        # The codes take turns, so only one is visible.
        expect(page.locator(".carousel .qr:visible")).to_have_count(1)
        stop.click()
    return [scan_code(code) for code in page.locator(".carousel .qr").all()]


@pytest.fixture
def long_evening(server):
    """The keys of a table whose evening takes more than one code."""
    keys = server.table()
    for n in range(200):
        if server.write(keys["scorer"], {"do": "gewinnt", "side": n % 3 % 2}, f"{n}")[0] == 422:
            server.write(keys["scorer"], {"do": "neues_spiel"}, f"{n}")
    return keys


def write_one_round(writer):
    """Open a table, write a round, and return the key and the link of the table's only code."""
    key = new_table(writer)
    win(writer, 0, sums=(2, 0))
    [link] = read_code_links(writer, key)
    return key, link


def test_scanned_code_shows_the_evening_read_only(phone, server):
    key, link = write_one_round(phone())
    assert key not in link
    other = phone(path_of(link))
    expect(other.locator(RESULT)).to_have_text(["2", "0"])
    # The rounds of the slate link to their explanations.
    other.locator("a.reason-link").first.click()
    expect(other.locator("#round-0 .round-details")).to_be_visible()
    other.reload()
    expect(other.locator(RESULT)).to_have_text(["2", "0"])
    expect(other.locator("button.tap")).to_have_count(0)
    other.goto("/")
    expect(other.locator(".go-on")).to_have_count(0)


def continue_evening(page, link):
    """Continue the evening of a code, and return the key of its table."""
    page.goto(path_of(link))
    tap(page.get_by_role("button", name="Hier weiterschreiben"))
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


@pytest.mark.slow
def test_scanned_evening_continues_as_a_new_table(phone, server):
    writer, other = phone(), phone()
    key, link = write_one_round(writer)
    own = continue_evening(other, link)
    win(other, 1, sums=(2, 2))
    # The same code can be continued again.
    continue_evening(other, link)
    writer.goto(f"/t/{key}")
    expect_sums(writer, 2, 0)
    other.goto("/")
    expect(other.locator(".go-on")).to_have_count(1)
    other.goto(f"/b/{own}/history")
    expect(other.locator("[data-continues]")).to_be_visible()


@pytest.mark.slow
def test_codes_opened_one_by_one_show_the_evening(phone, long_evening, server):
    links = read_code_links(phone(), long_evening["viewer"])
    assert len(links) > 1
    page = phone(path_of(links[-1]))
    expect(page.locator("[data-scan=count]")).to_contain_text(f"1 von {len(links)}")
    for link in links[:-1]:
        page = page.context.new_page()
        page.goto(path_of(link))
    state = replay(server.record(long_evening["viewer"]))[0].state
    expect(page.locator(RESULT)).to_have_text([str(points) for points in state.points])


@pytest.mark.parametrize(
    ("spoil", "sign"),
    [
        (lambda head, events: events.insert(1, {"do": "bleiben", "side": 1}), "[data-stops='1']"),
        (lambda head, events: events[0].update(side=1), "[data-unsound]"),
        (lambda head, events: head.update(rules="skat"), "[data-refused]"),
    ],
)
def test_invalid_record_in_a_code_is_flagged(phone, server, spoil, sign):
    record = server.record(server.table(played=[WON] * 3)["viewer"])
    spoil(record, record["events"])
    record.pop("resolved")
    page = phone(f"/q/#{'+'.join(texts(record))}")
    expect(page.locator(sign)).to_be_visible()


@pytest.mark.slow
def test_camera_reads_the_rotating_codes(phone, server, long_evening, tmp_path, playwright):
    page = phone(device_scale_factor=1)
    read_code_links(page, long_evening["viewer"])
    film = tmp_path / "film.mjpeg"
    with film.open("wb") as frames:
        for code in page.locator(".carousel .qr").all():
            picture = Image.new("RGB", (640, 480), "grey")
            picture.paste(Image.open(io.BytesIO(code.screenshot())), (120, 40))
            for _ in range(10):
                picture.save(frames, "JPEG", quality=90)
    flags = [
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    with launch_browser(playwright, find_shell(), *flags) as browser:
        other = browser.new_page(base_url=server.url, locale="de-AT")
        other.set_default_timeout(PATIENCE_MS)
        other.goto("/q/")
        other.locator("[data-scan=start]").click()
        expect(other.locator(RESULT)).to_have_count(2)
        other.close()


# The page shows the text of a code of another program.
REFUSED = {
    **{code: code for code in ("https://example.com/menu", "100%")},
    **{f"W1.1.1.0123ABCD.AAAA{end}": "beschädigt" for end in ("%", "%2")},
}


@pytest.mark.parametrize(("code", "message"), REFUSED.items())
def test_malformed_code_link_is_refused(phone, code, message):
    expect(phone(f"/q/#{code}").locator("[data-refused]")).to_contain_text(message)


def test_code_is_read_again_after_a_network_error(phone, server):
    [code] = texts(server.record(server.table()["viewer"]))
    page = phone("/q/")
    page.route("**/q/", lambda route: route.abort(), times=1)
    page.evaluate("code => (location.hash = code)", code)
    expect(page.locator("[data-scan=network]")).to_be_visible()
    page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
    expect(page.locator(RESULT)).to_have_text(["0", "0"])
    expect(page.locator("[data-scan=network]")).to_be_hidden()
