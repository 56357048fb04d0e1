"""Browsers and shared caches keep only what cannot change."""

import re
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scorer.web.frame.assets import asset_root, fingerprint
from tests.serving import PATIENCE_SECONDS


@pytest.fixture(scope="module")
def root(server):
    """The address prefix of this server's static files."""
    page = server.request("GET", "/")[2]
    return re.search(r'href="(/static/\w+)/css/', page)[1]


def status_and_caching(server, method, path, body=None, **headers):
    """The status, and whether every cache may keep the response."""
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE_SECONDS)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, headers=sent, encode_chunked=bool(body))
    answer = connection.getresponse()
    answer.read()
    kept = answer.getheader("Cache-Control")
    connection.close()
    assert kept in ("no-store", "public, max-age=31536000, immutable"), kept
    return answer.status, kept != "no-store"


def test_every_static_file_is_cached_for_ever(server, root):
    folder = asset_root() / "static"
    for file in filter(Path.is_file, folder.rglob("*")):
        assert status_and_caching(server, "GET", f"{root}/{file.relative_to(folder)}") == (
            200,
            True,
        ), file


@pytest.mark.parametrize("query", ["", "?v=1"])
def test_errors_are_not_cached(server, root, query):
    file, large = f"{root}/icon.svg{query}", iter([b"x" * 70_000])
    assert status_and_caching(server, "GET", f"{root}/js/none.js{query}") == (404, False)
    assert status_and_caching(server, "GET", f"{root}/../pyproject.toml{query}") == (404, False)
    assert status_and_caching(server, "GET", file, Host="a b") == (400, False)
    assert status_and_caching(server, "GET", file, Host="evil.example") == (403, False)
    assert status_and_caching(server, "GET", file, large, Transfer_Encoding="chunked") == (
        413,
        False,
    )
    assert status_and_caching(server, "GET", file, Range="bytes=900000-") == (416, False)
    assert status_and_caching(server, "POST", file) == (405, False)


def test_file_of_another_release_is_served_uncached(server, root):
    """A page that was opened before an update still finds its scripts."""
    assert status_and_caching(server, "GET", "/static/0123456789/icon.svg") == (200, False)
    assert status_and_caching(server, "GET", "/static/icon.svg") == (404, False)


def test_pages_are_not_cached(server):
    assert status_and_caching(server, "GET", f"/t/{server.table()['scorer']}") == (200, False)


def test_changed_files_change_the_fingerprint(tmp_path):
    known = set()
    for name, content in (("a.js", "1"), ("a.js", "2"), ("b.js", "1"), ("js/c.js", "3")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
        fingerprint.cache_clear()
        known.add(fingerprint(tmp_path))
    assert len(known) == 4
