"""Browsers and shared caches keep only what cannot change."""

import re
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scorer.web.frame.assets import asset_root, fingerprint
from tests.serving import PATIENCE


@pytest.fixture(scope="module")
def root(server):
    """The address prefix of this server's static files."""
    page = server.request("GET", "/")[2]
    return re.search(r'href="(/static/\w+)/css/', page)[1]


def cached(server, method, path, body=None, **headers):
    """The status, and whether every cache may keep the response."""
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, headers=sent, encode_chunked=bool(body))
    answer = connection.getresponse()
    answer.read()
    kept = answer.getheader("Cache-Control")
    connection.close()
    assert kept in ("no-store", "public, max-age=31536000, immutable"), kept
    return answer.status, kept != "no-store"


def test_every_file_is_kept_for_ever(server, root):
    folder = asset_root() / "static"
    for file in filter(Path.is_file, folder.rglob("*")):
        assert cached(server, "GET", f"{root}/{file.relative_to(folder)}") == (200, True), file


@pytest.mark.parametrize("query", ["", "?v=1"])
def test_no_error_is_kept(server, root, query):
    file, large = f"{root}/icon.svg{query}", iter([b"x" * 70_000])
    assert cached(server, "GET", f"{root}/js/none.js{query}") == (404, False)
    assert cached(server, "GET", f"{root}/../pyproject.toml{query}") == (404, False)
    assert cached(server, "GET", file, Host="a b") == (400, False)
    assert cached(server, "GET", file, Host="evil.example") == (403, False)
    assert cached(server, "GET", file, large, Transfer_Encoding="chunked") == (413, False)
    assert cached(server, "GET", file, Range="bytes=900000-") == (416, False)
    assert cached(server, "POST", file) == (405, False)


def test_another_release_is_answered_and_not_kept(server, root):
    """A page that was opened before an update still finds its scripts."""
    assert cached(server, "GET", "/static/0123456789/icon.svg") == (200, False)
    assert cached(server, "GET", "/static/icon.svg") == (404, False)


def test_a_page_is_never_kept(server):
    assert cached(server, "GET", f"/t/{server.table()['scorer']}") == (200, False)


def test_another_content_has_another_address(tmp_path):
    known = set()
    for name, content in (("a.js", "1"), ("a.js", "2"), ("b.js", "1"), ("js/c.js", "3")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
        fingerprint.cache_clear()
        known.add(fingerprint(tmp_path))
    assert len(known) == 4
