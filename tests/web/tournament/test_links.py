"""What each link opens, and the answer to unknown tournaments."""

import re

import pytest

from scorer.web.frame.qr_code import qr_svg
from tests.serving import Phone
from tests.web.tournament.forms import pair_keys, post, send, visitor_and_signup_keys


def test_each_link_has_its_qr_code(server, drawn):
    links = server.page(f"/p/{drawn}/links")
    addresses = [url.text for url in links.all(css="url")]
    assert [address.split("/")[3] for address in addresses[:2]] == ["p", "p"]
    for address in addresses[:2]:
        assert qr_svg(address) in links.html


def test_renewed_link_invalidates_the_old_one(server, drawn):
    key, _ = visitor_and_signup_keys(server, drawn)
    scorer, _ = pair_keys(server, drawn)
    for role in ("hall", "director"):
        where = send(server, f"/p/{drawn}/renew", role=role)
    new = where.split("/")[2]
    assert new != drawn
    links = server.request("GET", f"/p/{new}/links")[2]
    # Each button is folded in with a text about what it closes. The next page confirms the renewal.
    assert links.count('<details class="renew">') == links.count('name="role"') == 3
    assert 'role="status"' in server.page(where)
    assert 'role="status"' not in links
    assert server.request("GET", f"/p/{drawn}")[0] == 404
    assert server.request("GET", f"/p/{key}/standings")[0] == 404
    assert pair_keys(server, new)[0] == scorer
    fresh, _ = visitor_and_signup_keys(server, new)
    assert re.search(r'href="/b/\w+"', server.page(f"/p/{fresh}/find?name=anna"))


def test_start_page_lists_the_renewed_link(server, drawn):
    phone = Phone(server)
    phone.open(f"/p/{drawn}")
    where = send(server, f"/p/{drawn}/renew", role="director")
    phone.open(where)
    start = phone.open("/")
    assert f"/p/{where.split('/')[2]}" in start
    assert drawn not in start


def test_foreign_keys_in_cookies_are_ignored(server, drawn):
    keys = server.table()
    cookie = f"tournaments={keys['scorer']}.{drawn}; groups={drawn}; tables={drawn}"
    status, _, text = server.request("GET", "/", Cookie=cookie)
    assert status == 200
    assert "Preiswatten &lt;3&gt;" in text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("match/9/9", [("a", "15"), ("b", "3")], 404),
        ("match/0/1", [("a", "15"), ("b", "3")], 404),
        ("match/1/99", [("do", "sperre")], 404),
        ("take-back", [("round", "9" * 5000)], 422),
        ("decider", [("winner", "9" * 5000), ("loser", "")], 422),
        ("pairs/9", [("do", "vermerk"), ("mark", "paid")], 422),
        ("pairs/9", [("do", "abmeldung")], 422),
        ("pairs/1", [("do", "fliegen")], 400),
        ("match/1/1", [("a", "²"), ("b", "x")], 422),
    ],
)
def test_invalid_tournament_forms_are_refused(server, drawn, path, form, status):
    assert post(server, f"/p/{drawn}/{path}", [("token", "t"), *form])[0] == status


@pytest.mark.parametrize("asked", ["pairs?entered=abc", "hall?page=abc", "hall?page=-1"])
def test_invalid_query_values_are_ignored(server, drawn, asked):
    server.page(f"/p/{drawn}/{asked}")


def test_unknown_match_or_sheet_returns_404(server, drawn):
    for path in ("match/0/1", "match/9/1", "print/results/9", "print/slips/9", "print/nothing"):
        assert server.page(f"/p/{drawn}/{path}", 404)
