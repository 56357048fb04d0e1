"""Players sign up themselves, and the director accepts them."""

import re

import pytest

from tests.pages import parse, translated
from tests.web.tournament.forms import WON, post, refusal_page, visitor_and_signup_keys


def test_sign_ups_wait_for_the_director(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    pair = [("player", "Anna"), ("player", "B")]
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *pair])[0] == 303
    text = refusal_page(server, f"/p/{signup}/signup", [("token", "2"), *pair])
    notice = text.one(role="alert", data_code=True)
    assert notice.code == "name-taken"
    assert "Anna & B" in notice.text
    assert post(server, f"/p/{signup}/signup", [("token", "3"), ("player", "Cilli")])[0] == 303
    text = server.page(f"/p/{director}/pairs")
    assert text.data("pairs") == ["0"]
    # The list shows how and when each sign-up arrived, but not the signature in the record.
    for waiting in text.one(id="signed").all("li"):
        came = waiting.one("small").text
        assert any(translated(way) in came for way in ("from a phone", "signed by a program"))
        assert re.search(r"\d\d:\d\d", came)
    assert not re.search(r"signup \w", text)
    signed = [("signed", number) for number in re.findall(r'name="signed" value="(\d+)"', text)]
    accept = [("token", "a"), ("do", "aufnahme"), *signed]
    assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    text = server.page(f"/p/{director}/pairs")
    assert text.data("pairs") == ["1"]
    assert text.one("p", data_singles=True).text == "Cilli"
    assert not text.has("form", action=f"/p/{director}/pairs/lot")
    text = refusal_page(server, f"/p/{director}/pairs/lot", [("token", "l")])
    assert text.code == "too-few-singles"
    alone = re.findall(r'name="signed" value="(\d+)"', text)
    off = [("token", "o"), ("do", "ablehnung"), *[("signed", number) for number in alone]]
    assert post(server, f"/p/{director}/pairs/signed", off)[0] == 303
    assert "Cilli" not in server.page(f"/p/{director}/pairs")
    for path in ("pairs", "links", "match/1/1", "print/slips", "standings", "hall"):
        assert server.request("GET", f"/p/{signup}/{path}")[0] == 403
    assert post(server, f"/p/{signup}/draw", [("token", "d")])[0] == 403


@pytest.mark.live
def test_sign_up_is_streamed_to_the_desk(server, played):
    _, signup = visitor_and_signup_keys(server, played)
    with server.watch(f"/p/{played}/stream", Accept_Language="de") as watch:
        assert not parse(watch.next()["data"]).has(data_signed=True)
        form = [("token", "1"), ("player", "Irmi"), ("player", "Jakl")]
        assert post(server, f"/p/{signup}/signup", form)[0] == 303
        notice = parse(watch.next()["data"]).one(role="status", data_signed="1")
    assert notice.one(role="link")["href"] == f"/p/{played}/pairs#signed"


def test_duplicate_sign_up_blocks_no_other(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    entry = [("token", "1"), ("player", "Bauer Fritz"), ("player", "Moser Luis"), ("club", "SV Au")]
    assert post(server, f"/p/{signup}/signup", entry)[0] == 303
    other = [("token", "2"), ("player", "Anna"), ("player", "Bert")]
    assert post(server, f"/p/{signup}/signup", other)[0] == 303
    form = [("token", "l"), ("list", "Bauer Fritz;Moser Luis;\nCilli;Dora;Linz")]
    # The preview names the pair that would be entered twice.
    preview = post(server, f"/p/{director}/pairs/list", form)[2]
    assert "Bauer Fritz & Moser Luis" in preview.one(data_on_waiting_list=True).text
    assert "Anna" not in preview.one(data_on_waiting_list=True).text
    assert post(server, f"/p/{director}/pairs/list", [*form, ("take", "1")])[0] == 303
    text = server.page(f"/p/{director}/pairs")
    assert "SV Au" in text.one(id="signed").text
    numbers = re.findall(r'name="signed" value="(\d+)"( checked)?', text)
    assert [ticked for _, ticked in numbers] == ["", " checked"]
    accept = [("token", "a"), ("do", "aufnahme"), *[("signed", number) for number, _ in numbers]]
    for _ in range(2):
        assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    text = server.page(f"/p/{director}/pairs")
    waiting = text.one(id="signed")
    refused = waiting.one(role="status", data_code="name-taken")
    assert "Bauer Fritz & Moser Luis" in refused.text
    assert "Anna & Bert" not in waiting.text
    pairs = server.tournament(director)["pairs"]
    names = [pair["name"] for pair in pairs]
    assert names == ["Bauer Fritz & Moser Luis", "Cilli & Dora", "Anna & Bert"]


LONG = ("Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger-Pfefferkornhuber Leopold")


def test_long_names_are_abbreviated(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    players = [("player", name) for name in LONG]
    surnames = "Hinterberger-Oberneder & Schwarzenegger-Pfefferkornhuber"
    status, where, _ = post(server, f"/p/{signup}/signup", [("token", "1"), *players])
    assert status == 303
    assert surnames.replace(" & ", "+%26+") in where
    text = server.page(f"/p/{director}/pairs")
    assert surnames in text.text
    [number] = re.findall(r'name="signed" value="(\d+)"', text)
    accept = [("token", "a"), ("do", "aufnahme"), ("signed", number)]
    assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    # The preview of a list shows the abbreviated name.
    form = [("token", "l"), ("list", f"{LONG[1]};Oberleitner-Zwischenbrugger Anna Katharina")]
    abbreviated = "Schwarzenegger-Pfefferkornh… & Oberleitner-Zwischenbrugger"
    assert abbreviated in post(server, f"/p/{director}/pairs/list", form)[2].text
    pairs = server.tournament(director)["pairs"]
    assert (pairs[0]["name"], tuple(pairs[0]["players"])) == (surnames, LONG)


def test_sign_up_is_refused_after_the_end(server, played):
    _, signup = visitor_and_signup_keys(server, played)
    form = [("player", "Irmi"), ("player", "Jakl")]
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *form])[0] == 303
    for number in (1, 2):
        for table in (1, 2):
            result = {"round": number, "table": table, "games": [*WON, [15, 0]]}
            assert server.json("POST", f"/api/tournaments/{played}/results", result)[0] == 201
        if number == 1:
            assert post(server, f"/p/{played}/draw", [("token", "d2")])[0] == 303
    for path in ("signup", "signed-up?who=Irmi+%26+Jakl"):
        text = server.page(f"/p/{signup}/{path}")
        assert text.one(role="status", data_code=True).code == "tournament-over"
        assert not text.one("main").has("form")
        assert not text.has(data_signed=True)
    assert (
        refusal_page(server, f"/p/{signup}/signup", [("token", "2"), ("player", "Karl")]).code
        == "tournament-over"
    )
    # A repeated sign-up from before the end is accepted, but not reported as new.
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *form])[0] == 303
    assert not server.page(f"/p/{played}").has(data_signed=True)


def test_sign_up_cannot_ask_for_more_lots(server):
    form = [("name", "T"), ("rules", "bayern"), ("preset", "lots-knockout")]
    director = post(server, "/p/new", form)[1].split("/")[2]
    _, signup = visitor_and_signup_keys(server, director)
    pair = [("player", "A"), ("player", "B"), ("entries", "16")]
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *pair])[0] == 303
    accept = [("token", "2"), ("do", "aufnahme"), ("signed", "1")]
    assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    assert server.tournament(director)["pairs"][0].get("entries") is None


def test_sign_ups_per_phone_are_limited(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    cookie = "phone=abcd1234"
    for n in range(5):
        form = [("token", str(n)), ("player", f"A{n}"), ("player", f"B{n}")]
        status, _, text = post(server, f"/p/{signup}/signup", form, Cookie=cookie)
    assert (status, text.code) == (422, "too-many-by-phone")
