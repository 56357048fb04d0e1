"""Others open a table by its codes and see it live."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.paper import open_as_pdf, read_qr_codes
from tests.browser.taps import expect_sums, new_table, path_of, scan_code, undo, win
from tests.browser.visual_checks import unfold
from tests.sampling import slow

pytestmark = pytest.mark.shared_phone


def read_viewer_link(page, key):
    page.goto(f"/t/{key}/share")
    return scan_code(page.locator("[data-link=viewer] .qr"))


@pytest.mark.slow
def test_share_page_prints_only_the_viewer_code(phone):
    """Paper that is hung up must not have the writer's code."""
    page = phone()
    path = f"/t/{new_table(page)}/share"
    found = [code for sheet in open_as_pdf(page, path) for code in read_qr_codes(sheet)]
    assert [path_of(code)[:3] for code in found] == ["/b/"]


@pytest.mark.parametrize("scheme", ["light", *slow("dark")])
def test_viewer_code_opens_the_live_board(phone, scheme):
    writer, viewer = phone(color_scheme=scheme), phone()
    key = new_table(writer)
    url = read_viewer_link(writer, key)
    assert path_of(url).startswith("/b/")
    assert key not in url
    viewer.goto(path_of(url))
    expect_sums(viewer, 0, 0)
    writer.goto(f"/t/{key}")
    win(writer, 0)
    expect_sums(viewer, 2, 0)
    win(writer, 1)
    expect_sums(viewer, 2, 2)
    # The board may be updated before the writer's own page.
    expect_sums(writer, 2, 2)
    undo(writer)
    expect_sums(viewer, 2, 0)
    expect(viewer.locator("button.tap")).to_have_count(0)


def test_share_page_shows_one_code_at_a_time(phone):
    page = phone()
    page.goto(f"/t/{new_table(page)}/share")
    for role in ("scorer", "opponent", "viewer"):
        page.locator(f"[data-link={role}] > summary").click()
        expect(page.locator(".qr:visible")).to_have_count(1)
        expect(page.locator(f"[data-link={role}] .qr")).to_be_visible()


@pytest.mark.slow
def test_typed_code_opens_the_board(phone):
    writer, viewer = phone(), phone()
    key = new_table(writer)
    win(writer, 0, sums=(2, 0))
    writer.goto(f"/t/{key}/share")
    code = writer.locator(".code").inner_text()
    viewer.goto("/s")
    viewer.get_by_label("Code").fill(f" {code[:3].lower()}-{code[3:].lower()} ")
    viewer.get_by_role("button", name="Zuschauen").click()
    expect_sums(viewer, 2, 0)


@pytest.mark.slow
def test_renewing_the_viewer_link_closes_the_old_one(phone):
    writer, viewer = phone(), phone()
    old = path_of(read_viewer_link(writer, new_table(writer)))
    code = writer.locator(".code").inner_text()
    viewer.goto(old)
    expect_sums(viewer, 0, 0)
    # The page asks before it closes the old link.
    writer.locator("[data-link=viewer] .renew > summary").click()
    viewer_link = writer.locator("[data-link=viewer]")
    viewer_link.get_by_role("button", name="Alten Link ungültig machen").click()
    expect(writer.locator(".code")).not_to_have_text(code)
    viewer.reload()
    title = viewer.get_by_role("heading", level=1)
    expect(title).to_contain_text("Dieser Link öffnet keinen Tisch")
    viewer.goto(f"/s/{code}")
    expect(viewer.get_by_role("alert")).to_contain_text("Dieser Code gilt nicht mehr")
    # The typed code remains, so that it can be corrected.
    expect(viewer.get_by_label("Code")).to_have_value(code)
    viewer.goto(path_of(scan_code(writer.locator("[data-link=viewer] .qr"))))
    expect_sums(viewer, 0, 0)


def test_renewed_writer_link_blocks_the_old_one(phone):
    writer, other = phone(), phone()
    key = new_table(writer)
    # The other phone receives no news until it taps.
    other.route("**/stream", lambda route: None)
    other.goto(f"/t/{key}")
    expect_sums(other, 0, 0)
    writer.goto(f"/t/{key}/share")
    last = writer.locator("[data-link=scorer]")
    last.locator("summary").first.click()
    last.locator(".renew > summary").click()
    last.get_by_role("button", name="Alten Link ungültig machen").click()
    expect(writer).not_to_have_url(re.compile(key))
    writer.get_by_role("link", name="Zurück zum Tisch").click()
    win(writer, 0, sums=(2, 0))
    # The page with the closed link reports that a tap is refused, and still shows the table.
    # Nothing is written, and nothing else can be tapped.
    win(other, 1)
    expect(other.locator("#connection-notice")).to_contain_text("Frag am Tisch nach dem neuen")
    expect_sums(other, 0, 0)
    expect(other.locator("#table form:not([inert])")).to_have_count(0)
    expect_sums(writer, 2, 0)


@pytest.mark.slow
def test_wall_shows_the_code_of_its_own_address(phone):
    writer, wall = phone(), phone(viewport={"width": 1280, "height": 720})
    key = new_table(writer)
    wall.goto(f"{path_of(read_viewer_link(writer, key))}?big=1")
    assert path_of(scan_code(wall.locator(".corner .qr"))) == path_of(wall.url.partition("?")[0])


PASTED = """() => {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.id = "pasted";
  field.focus();
}"""


def open_over_plain_http(phone, server):
    """A phone that opens pages over plain HTTP by a local host name."""
    page = phone("/", base_url=server.url.replace("127.0.0.1", "bummerl.local"))
    assert page.evaluate("!window.isSecureContext && !navigator.clipboard")
    return page


def pages_with_links(page, server):
    director = server.new_tournament()["director"]
    _, headers, _ = server.request("POST", "/regulars", [("name", "Beim Wirt")])
    return [f"/t/{new_table(page)}/share", f"/p/{director}/links", headers["location"]]


@pytest.mark.slow
def test_links_are_copied_over_plain_http(phone, server):
    page = open_over_plain_http(phone, server)
    for path in pages_with_links(page, server):
        page.goto(path)
        unfold(page)
        assert page.locator(".url").count() == page.locator("[data-share]:visible").count() > 0
        for at, address in enumerate(page.locator(".url").all()):
            button = page.locator("[data-share]").nth(at)
            expect(button).to_have_text("Link kopieren")
            button.click()
            expect(button).to_have_text("Kopiert")
            page.evaluate(PASTED)
            page.keyboard.press("ControlOrMeta+V")
            expect(page.locator("#pasted")).to_have_value(address.inner_text())
            page.locator("#pasted").evaluate("field => field.remove()")


@pytest.mark.slow
def test_link_is_selected_if_copying_fails(phone, server):
    page = open_over_plain_http(phone, server)
    page.goto(f"/t/{new_table(page)}/share")
    page.evaluate("() => { document.execCommand = () => false; }")
    page.locator("[data-share]").first.click()
    expect(page.locator("[data-share]").first).to_contain_text("Markierten Link")
    marked = page.evaluate("() => getSelection().toString().trim()")
    assert marked == page.locator(".url").first.inner_text()
