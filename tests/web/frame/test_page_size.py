"""The size of a first visit."""

import gzip
import re

import pytest

from tests.serving import PATIENCE_SECONDS, serving_with_offline_app

MAX_VISIT_BYTES = 50 * 1024


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that prepares phones for offline use, because its pages are larger."""
    with serving_with_offline_app(tmp_path_factory.mktemp("light"), 8_000_000) as running:
        yield running


def size_of_visit(server, path):
    """The compressed size of a page with its scripts, styles and font, in bytes."""
    request = {"Accept_Encoding": "gzip", "Accept_Language": "de"}
    status, headers, page = raw(server, path, **request)
    assert status == 200
    assert headers["content-encoding"] == "gzip"
    total, html = len(page), gzip.decompress(page).decode()
    links = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html))
    # Browsers load these only to put the app on the home screen.
    links = {link for link in links if not re.search(r"/icons/|\.webmanifest$", link)}
    assert any("/js/offline.js" in link for link in links)
    # Scripts that the page loads later by `import("…")` are not counted.
    scripts = [link for link in links if "/js/" in link]
    for script in scripts:
        folder = script.rpartition("/")[0]
        text = server.request("GET", script)[2]
        links |= {f"{folder}/{name}" for name in re.findall(r'from "\./([\w.]+)"', text)}
    # The only font that a stylesheet loads is that of the figures.
    sheets = [server.request("GET", link)[2] for link in links if "/css/" in link]
    fonts = {name for sheet in sheets for name in re.findall(r'url\("\.\./([^"]+)"\)', sheet)}
    root = next(iter(scripts)).rpartition("/js/")[0]
    links |= {f"{root}/{name}" for name in fonts}
    for link in links:
        status, _, body = raw(server, link, **request)
        assert status == 200
        total += len(body)
    return total


def raw(server, path, **headers):
    """Like `server.request`, but with the body in bytes."""
    import http.client
    from urllib.parse import urlsplit

    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE_SECONDS)
    try:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", path, headers=sent)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, found, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/", "/t/{scorer}", "/b/{viewer}", "/t/{scorer}/share"])
def test_first_visit_is_smaller_than_50_kb(server, path):
    assert size_of_visit(server, path.format(**server.table())) < MAX_VISIT_BYTES


def test_tournament_pages_are_smaller_than_50_kb(server):
    pairs = [{"name": f"Anna & Bert {n}", "club": "Ranshofen"} for n in range(40)]
    keys = server.new_tournament(pairs=pairs)
    entry = server.draw(keys["director"])[0]["scorer"]
    paths = [f"/p/{keys['viewer']}/standings", f"/p/{keys['signup']}/signup", f"/e/{entry}"]
    for path in [*paths, f"/p/{keys['viewer']}/find?name=Anna", f"/p/{keys['director']}"]:
        assert size_of_visit(server, path) < MAX_VISIT_BYTES
