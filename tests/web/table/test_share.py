"""The links that a table shares: one for each role, and one that other phones can reach."""

from urllib.parse import urlsplit

import pytest

from scorer.web.frame.public_address import is_loopback_only
from scorer.web.frame.qr_code import qr_svg
from tests.builders import NAMED


def share_page(server, key):
    """The share page, and the addresses on it for the viewer, the other side and the writer."""
    page = server.page(f"/t/{key}/share")
    return page, [url.text for url in page.all(css="url")]


def test_shared_addresses_avoid_localhost(server):
    for address in share_page(server, server.table()["scorer"])[1]:
        assert urlsplit(address).hostname not in ("localhost", "127.0.0.1")
        assert urlsplit(address).port == urlsplit(server.url).port


def test_each_role_has_its_own_qr_code(server):
    keys = server.table()
    page, addresses = share_page(server, keys["scorer"])
    paths = [urlsplit(address).path for address in addresses]
    assert paths == [f"/b/{keys['viewer']}", f"/b/{keys['opponent']}", f"/t/{keys['scorer']}"]
    # Each QR code contains the address beside it.
    assert all(qr_svg(address) in page.html for address in addresses)


def test_viewer_key_redirects_to_the_board(server):
    key = server.table()["viewer"]
    status, headers, _ = server.request("GET", f"/t/{key}")
    assert (status, headers["location"]) == (303, f"/b/{key}")


def test_share_page_asks_for_missing_names(server):
    """Other phones do not show "we". The form for names redirects to the share page."""
    key = server.table(sides=NAMED)["scorer"]
    page, _ = share_page(server, key)
    # The code comes first, also on a low screen.
    assert page.index('class="qr"') < page.index('class="notice row"')
    assert "Partei 1 – Partei 2" in page.one("form", css="notice").text
    seats = server.page(f"/t/{key}/seats?share=1")
    assert seats.one("input", name="share")["value"] == "1"
    hidden = [(field["name"], field["value"]) for field in seats.all("input", type="hidden")]
    names = [("name", "Wir"), ("name", "Die"), ("player0", "Anna"), ("player1", "Bert")]
    assert server.submit(f"/t/{key}/seats", [*hidden, *names]) == f"/t/{key}/share"
    assert not share_page(server, key)[0].has("form", css="notice")


@pytest.mark.parametrize(
    ("loopback", "public", "host", "expected"),
    [
        (True, "", "127.0.0.1", True),
        (True, "", "localhost", True),
        (True, "https://watten.example", "127.0.0.1", False),
        (True, "", "watten.example", False),
        (False, "", "127.0.0.1", False),
    ],
)
def test_server_unreachable_by_phones_is_detected(
    app, monkeypatch, loopback, public, host, expected
):
    """A proxy on the same machine passes on the host name that the phone requested."""
    monkeypatch.setitem(app.config, "LOOPBACK", loopback)
    monkeypatch.setitem(app.config, "PUBLIC_URL", public)
    with app.test_request_context(base_url=f"http://{host}:8000"):
        assert is_loopback_only() == expected
