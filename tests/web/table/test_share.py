"""The addresses that a table hands on: one for each role, and one that other phones can open."""

from urllib.parse import urlsplit

from scorer.web.frame.public_address import qr_svg
from tests.pages import Page


def shared(server, key):
    """The page, and the addresses that stand on it to be copied: viewer, other side, writer."""
    page = Page(server.request("GET", f"/t/{key}/share", Accept_Language="de")[2])
    return page, [url.text for url in page.all(css="url")]


def test_an_address_is_one_for_other_phones(server):
    _, addresses = shared(server, server.table()["scorer"])
    for address in addresses:
        assert urlsplit(address).hostname not in ("localhost", "127.0.0.1")
        assert urlsplit(address).port == urlsplit(server.url).port


def test_each_role_has_its_own_code(server):
    keys = server.table()
    page, addresses = shared(server, keys["scorer"])
    paths = [urlsplit(address).path for address in addresses]
    assert paths == [f"/b/{keys['viewer']}", f"/b/{keys['opponent']}", f"/t/{keys['scorer']}"]
    # What a camera reads is the address that stands beside it.
    for address in addresses:
        assert qr_svg(address) in page.html


def test_a_viewers_key_leads_to_the_board(server):
    key = server.table()["viewer"]
    status, headers, _ = server.request("GET", f"/t/{key}")
    assert (status, headers["location"]) == (303, f"/b/{key}")
