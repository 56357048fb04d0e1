"""What other sites, viewers and strangers cannot do."""

import re

import pytest

from tests.builders import WON
from tests.serving import serving

FORM = [("event", '{"do":"gewinnt","side":0}'), ("seq", "0"), ("token", "t")]


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
    ],
)
def test_writes_from_another_site_are_refused(server, headers):
    key = server.table()["scorer"]
    for path, form in [
        (f"/t/{key}/events", FORM),
        (f"/t/{key}/renew", [("role", "viewer")]),
        ("/new", [("rules", "bayern")]),
        ("/language", [("language", "en")]),
    ]:
        status, _, page = server.request("POST", path, form, **headers)
        assert (status, "another site" in page) == (403, True)
    assert server.seq(key) == 0


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_writes_from_own_pages_are_accepted(server, site):
    server.submit(f"/t/{server.table()['scorer']}/events", FORM, Sec_Fetch_Site=site)


@pytest.mark.parametrize("role", ["viewer", "opponent"])
@pytest.mark.parametrize(
    ("method", "path", "form"),
    [
        ("POST", "events", FORM),
        ("POST", "seats", [("seq", "0"), ("token", "t"), ("name", "x"), ("name", "y")]),
        ("POST", "renew", [("role", "viewer")]),
        ("GET", "share", None),
        ("GET", "seats", None),
        ("GET", "stream", None),
    ],
)
def test_viewers_cannot_use_writer_pages(server, role, method, path, form):
    keys = server.table()
    status, _, page = server.request(method, f"/t/{keys[role]}/{path}", form)
    assert status == 403
    assert keys["scorer"] not in page
    assert server.seq(keys["scorer"]) == 0


def test_board_shows_no_other_keys(server):
    keys = server.table()
    for path in (f"/b/{keys['viewer']}", f"/b/{keys['viewer']}/history"):
        page = server.page(path).html
        assert keys["scorer"] not in page and keys["opponent"] not in page


def test_keys_are_hashed_at_rest(server):
    keys = server.table()
    page = server.request("GET", f"/t/{keys['scorer']}/share")[2]
    code = re.search(r'class="code">(\w+)<', page)[1]
    kept = b"".join(path.read_bytes() for path in server.db.parent.glob("bummerl.db*"))
    for key in (keys["scorer"], keys["opponent"], keys["viewer"], code):
        assert key.encode() not in kept


@pytest.mark.parametrize("path", ["/", "/t/{scorer}", "/b/{viewer}", "/b/{viewer}/history", "/x"])
def test_pages_have_a_strict_content_policy(server, path):
    _, headers, page = server.request("GET", path.format(**server.table()))
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    # The page has no inline scripts or styles, which the policy would block.
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r'(?:src|href|action)="https?://(?!192|10|127|172|\[)', page)


def test_names_are_never_rendered_as_markup(server):
    nasty, quote = "<img src=x onerror=alert(1)>", "\"'><script>alert(1)</script>"
    sides = [{"name": nasty, "players": [quote, "a"]}]
    sides += [{"name": quote, "players": ["b", "{{7777*7}}"]}]
    keys = server.table(sides=sides, dealer="{{7777*7}}", played=[WON])
    pad, board = f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"
    for path in (pad, f"{pad}/seats", board, f"{board}/history"):
        page = server.page(path).html
        assert "<img src=x" not in page and "<script>" not in page
        assert "54439" not in re.sub(r"<[^>]*>", "", page)


def test_cookies_are_http_only(server):
    cookie = server.request("GET", f"/t/{server.table()['scorer']}")[1]["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_links_use_the_public_address_of_the_proxy(tmp_path):
    seen = {"X_Forwarded_For": "203.0.113.7", "X_Forwarded_Proto": "https"}
    seen["X_Forwarded_Host"] = "watten.example"
    with serving(tmp_path / "x.db", workers=1, BUMMERL_PROXIES="1") as server:
        key = server.table()["scorer"]
        status, headers, page = server.request("GET", f"/t/{key}/share", **seen)
        assert status == 200 and "Secure" in headers["set-cookie"]
        assert 'href="https://watten.example/b/' in page
        server.submit(f"/t/{key}/events", FORM, **seen, Origin="https://watten.example")


def test_forwarded_host_of_unknown_proxy_is_ignored(server):
    path = f"/t/{server.table()['scorer']}/share"
    assert "evil.example" not in server.page(path, X_Forwarded_Host="evil.example").html


def test_links_use_the_configured_public_url(tmp_path):
    with serving(tmp_path / "x.db", workers=1, PUBLIC_URL="https://watten.example/") as server:
        keys = server.table()
        assert keys["viewer_url"] == f"https://watten.example/b/{keys['viewer']}"
        page = server.request("GET", f"/t/{keys['scorer']}/share")[2]
        assert f"https://watten.example/t/{keys['scorer']}" in page
