"""No page of a static site links to what only a server could answer."""

import pytest

from scorer.web import create_app
from scorer.web.pocket.bundle_files import MANIFEST
from tests.browser.positions import VARIED, written
from tests.pages import Page
from tests.sampling import mostly_slow
from tests.serving import InProcessClient

ORIGIN = "https://club.example"
CODES = "/q/"
"""The address in QR codes that contain a whole evening."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    config = {"DATABASE": str(folder / "x.db"), "RATE_LIMITS": False}
    app = create_app({**config, "PUBLIC_URL": ORIGIN})
    (folder / MANIFEST).write_text('{"version": "0123456789ab", "bytes": 0}')
    running = InProcessClient(app)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BUMMERL_POCKET", str(folder))
        # The app records it as a server does, so that every link that a page could show exists.
        written(running)
        app.config["SERVERLESS"] = True
        yield running


@pytest.fixture(scope="module")
def reached():
    """The set of the links that were followed already, since most pages have the same ones."""
    return set()


@pytest.mark.parametrize(("path", "position"), mostly_slow(VARIED, len(VARIED) // 3))
def test_pages_have_no_links_for_other_phones(server, reached, path, position):
    path = path.format(**written(server)[position])
    page = Page(server.request("GET", path)[2])
    assert not page.has(css="qr") or page.has(data_turn_ms=True)
    assert ORIGIN not in page.replace(ORIGIN + CODES, "")
    assert not page.has(action="/s")
    assert not page.has("progress") and not page.has(data_pocket_do="prepare")
    for where in {link["href"].partition("#")[0] for link in page.all("a", href=True)} - reached:
        # The book's page needs the phone's app, so tests/pocket/test_saved_book.py opens it.
        if where.startswith("/") and where != "/book":
            assert server.request("GET", where)[0] < 400, where
        reached.add(where)


def test_desk_has_no_links_for_others(server):
    director = written(server)["over"]["director"]
    status, headers, _ = server.request("GET", f"/p/{director}/links")
    assert (status, headers["location"]) == (303, f"/p/{director}")
    assert server.request("GET", "/s")[1]["location"] == "/"
    slips = server.page(f"/p/{director}/print/slips")
    assert slips.has(css="slip") and not slips.has(css="watch") and not slips.has(css="slip-code")
