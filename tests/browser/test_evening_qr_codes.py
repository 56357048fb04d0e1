"""An evening as QR codes: decoded from one phone's screen, opened on another."""

import io
import json
import urllib.request
from urllib.parse import urlsplit

import pytest
from PIL import Image
from playwright.sync_api import expect

from scorer.book.qr_codec import texts
from scorer.engine import replay
from tests.browser.chromium import find_shell
from tests.browser.conftest import PATIENCE, launch_browser
from tests.browser.taps import expect_sums, new_table, scan_code, tap, win

pytestmark = pytest.mark.shared_phone

RESULT = ".slate .sum"


def read_code_links(page, key):
    """Opens the codes of an evening and returns their links, as cameras read them."""
    page.goto(f"/b/{key}/codes")
    stop = page.locator("[data-turning-stop]")
    if stop.count():
        # The codes take turns, so only one is visible.
        expect(page.locator(".turning .qr:visible")).to_have_count(1)
        stop.click()
    return [scan_code(code) for code in page.locator(".turning .qr").all()]


def without_host(link):
    """A link without its host, for a phone that reaches this machine by another name."""
    address = urlsplit(link)
    return f"{address.path}#{address.fragment}"


@pytest.fixture
def long_evening(server):
    """The keys of a table whose evening takes more than one code."""
    keys = server.table()
    for n in range(200):
        event = {"do": "gewinnt", "side": n % 3 % 2}
        if server.write(keys["scorer"], event, f"{n}")[0] == 422:
            server.write(keys["scorer"], {"do": "neues_spiel"}, f"{n}")
    return keys


def get_record(server, key):
    with urllib.request.urlopen(f"{server.url}/api/tables/{key}/record") as answer:
        return json.load(answer)


def write_one_round(writer):
    """Opens a table, writes a round, and returns the key and the link of the table's only code."""
    key = new_table(writer)
    win(writer, 0)
    expect_sums(writer, 2, 0)
    [link] = read_code_links(writer, key)
    return key, link


def test_scanned_code_shows_the_evening_read_only(phone, server):
    writer, other = phone(), phone()
    key, link = write_one_round(writer)
    assert key not in link
    other.goto(without_host(link))
    expect(other.locator(RESULT)).to_have_text(["2", "0"])
    # The rounds of the slate link to their explanations.
    other.locator("a.reason-link").first.click()
    expect(other.locator("#round-0 .opened")).to_be_visible()
    other.reload()
    expect(other.locator(RESULT)).to_have_text(["2", "0"])
    expect(other.locator("button.tap")).to_have_count(0)
    other.goto("/")
    expect(other.locator(".go-on")).to_have_count(0)


def test_scanned_evening_continues_as_a_new_table(phone, server):
    writer, other = phone(), phone()
    key, link = write_one_round(writer)
    other.goto(without_host(link))
    tap(other.get_by_role("button", name="Hier weiterschreiben"))
    other.wait_for_url("**/t/*")
    own = other.url.rpartition("/")[2]
    win(other, 1)
    expect_sums(other, 2, 2)
    # Continuing from the same code again opens the same table.
    other.goto(without_host(link))
    tap(other.get_by_role("button", name="Hier weiterschreiben"))
    other.wait_for_url("**/t/*")
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
    page = phone()
    page.goto(without_host(links[-1]))
    expect(page.locator("[data-scan=count]")).to_contain_text(f"1 von {len(links)}")
    for link in links[:-1]:
        page = page.context.new_page()
        page.goto(without_host(link))
    state = replay(get_record(server, long_evening["viewer"]))[0].state
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
    keys = server.table()
    for n in range(3):
        server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, f"{n}")
    record = get_record(server, keys["viewer"])
    spoil(record, record["events"])
    record.pop("resolved")
    page = phone()
    page.goto(f"/q/#{'+'.join(texts(record))}")
    expect(page.locator(sign)).to_be_visible()


def test_code_of_another_program_is_refused(phone):
    page = phone()
    page.goto("/q/#https://example.com/menu")
    # The page also shows the text of the code.
    expect(page.locator("[data-refused]")).to_contain_text("https://example.com/menu")


@pytest.mark.slow
def test_camera_reads_the_rotating_codes(phone, server, long_evening, tmp_path, playwright):
    page = phone(device_scale_factor=1)
    read_code_links(page, long_evening["viewer"])
    film = tmp_path / "film.mjpeg"
    with film.open("wb") as frames:
        for code in page.locator(".turning .qr").all():
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
        other.set_default_timeout(PATIENCE)
        other.goto("/q/")
        other.locator("[data-scan=start]").click()
        expect(other.locator(RESULT)).to_have_count(2)
        other.close()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("100%", "100%"),
        ("W1.1.1.0123ABCD.AAAA%", "beschädigt"),
        ("W1.1.1.0123ABCD.AAAA%2", "beschädigt"),
    ],
)
def test_malformed_code_link_is_refused(phone, code, message):
    page = phone()
    page.goto(f"/q/#{code}")
    expect(page.locator("[data-refused]")).to_contain_text(message)


def test_code_is_read_again_after_a_network_error(phone, server):
    page = phone()
    key = server.table()["viewer"]
    [code] = texts(get_record(server, key))
    page.goto("/q/")
    page.route("**/q/", lambda route: route.abort(), times=1)
    page.evaluate("code => (location.hash = code)", code)
    expect(page.locator("[data-scan=network]")).to_be_visible()
    page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
    expect(page.locator(RESULT)).to_have_text(["0", "0"])
    expect(page.locator("[data-scan=network]")).to_be_hidden()
