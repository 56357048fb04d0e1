"""Players sign up themselves, and the director accepts them."""

import re

import pytest

from tests.pages import parse, translated
from tests.web.tournament.forms import (
    enter_pairs,
    fields,
    post,
    refusal_page,
    send,
    visitor_and_signup_keys,
)
from tests.web.tournament.hall import Hall


def test_sign_ups_wait_for_the_director(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    send(server, f"/p/{signup}/signup", player=["Anna", "B"])
    send(server, f"/p/{signup}/signup", player="Cilli")
    page = server.page(f"/p/{director}/pairs")
    assert page.data("pairs") == ["0"]
    # The list shows how and when each sign-up arrived, but not the signature in the record.
    entries = page.one(id="signed").all("li")
    assert len(entries) == 2
    for entry in entries:
        came = entry.one("small").text
        assert any(translated(way) in came for way in ("from a phone", "signed by a program"))
        assert re.search(r"\d\d:\d\d", came)
    assert not re.search(r"signup \w", page)


def test_confirmation_tells_single_players_of_their_partner(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    alone = "%(who)s: signed up. You get a partner by lot once the director has accepted you."
    texts = [
        server.page(send(server, f"/p/{signup}/signup", player=players)).one(data_signed=True).text
        for players in (["Anna", "B"], ["Cilli"])
    ]
    assert [text == translated(alone) % {"who": "Cilli"} for text in texts] == [False, True]


def test_director_accepts_and_refuses_sign_ups(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    send(server, f"/p/{signup}/signup", player=["Anna", "B"])
    send(server, f"/p/{signup}/signup", player="Cilli")
    pairs_path = f"/p/{director}/pairs"
    waiting = waiting_numbers(server.page(pairs_path))
    send(server, f"{pairs_path}/signed", do="aufnahme", signed=waiting)
    # A single player waits for a partner.
    page = server.page(pairs_path)
    assert page.data("pairs") == ["1"]
    assert page.one("p", data_singles=True).text == "Cilli"
    assert not page.has("form", action=f"{pairs_path}/lot")
    assert refusal_page(server, f"{pairs_path}/lot").code == "too-few-singles"
    send(server, f"{pairs_path}/signed", do="ablehnung", signed=waiting_numbers(page))
    assert "Cilli" not in server.page(pairs_path)


def test_name_signs_up_once(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    send(server, f"/p/{signup}/signup", player=["Anna", "B"])
    page = refusal_page(server, f"/p/{signup}/signup", player=["Anna", "B"])
    notice = page.one(role="alert", data_code=True)
    assert (notice.code, "Anna & B" in notice.text) == ("name-taken", True)


def test_sign_up_link_opens_nothing_else(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    assert server.request("GET", f"/p/{signup}/pairs")[0] == 403
    assert post(server, f"/p/{signup}/draw", fields())[0] == 403


def waiting_numbers(page):
    return re.findall(r'name="signed" value="(\d+)"', page)


@pytest.mark.live
def test_sign_up_is_streamed_to_the_desk(server, drawn):
    _, signup = visitor_and_signup_keys(server, drawn)
    with server.watch(f"/p/{drawn}/stream", Accept_Language="de") as watch:
        assert not parse(watch.next()["data"]).has(data_signed=True)
        send(server, f"/p/{signup}/signup", player=["Irmi", "Jakl"])
        notice = parse(watch.next()["data"]).one(role="status", data_signed="1")
    assert notice.one(role="link")["href"] == f"/p/{drawn}/pairs#signed"


def test_duplicate_sign_up_blocks_no_other(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    send(server, f"/p/{signup}/signup", player=["Bauer Fritz", "Moser Luis"], club="SV Au")
    send(server, f"/p/{signup}/signup", player=["Anna", "Bert"])
    lines = "Bauer Fritz;Moser Luis;\nCilli;Dora;Linz"
    # The preview names the pair that would be entered twice.
    preview = post(server, f"/p/{director}/pairs/list", fields(list=lines))[2]
    twice = preview.one(data_on_waiting_list=True).text
    assert "Bauer Fritz & Moser Luis" in twice and "Anna" not in twice
    enter_pairs(server, director, lines)
    page = server.page(f"/p/{director}/pairs")
    assert "SV Au" in page.one(id="signed").text
    numbers = re.findall(r'name="signed" value="(\d+)"( checked)?', page)
    assert [ticked for _, ticked in numbers] == ["", " checked"]
    accept = {"do": "aufnahme", "signed": [number for number, _ in numbers]}
    for _ in range(2):
        send(server, f"/p/{director}/pairs/signed", token="a", **accept)
    waiting = server.page(f"/p/{director}/pairs").one(id="signed")
    refused = waiting.one(role="status", data_code="name-taken")
    assert "Bauer Fritz & Moser Luis" in refused.text
    assert "Anna & Bert" not in waiting.text
    names = [pair["name"] for pair in server.tournament(director)["pairs"]]
    assert names == ["Bauer Fritz & Moser Luis", "Cilli & Dora", "Anna & Bert"]


LONG = ("Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger-Pfefferkornhuber Leopold")


def test_long_names_are_abbreviated(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    surnames = "Hinterberger-Oberneder & Schwarzenegger-Pfefferkornhuber"
    where = send(server, f"/p/{signup}/signup", player=LONG)
    assert surnames.replace(" & ", "+%26+") in where
    page = server.page(f"/p/{director}/pairs")
    assert surnames in page.text
    send(server, f"/p/{director}/pairs/signed", do="aufnahme", signed=waiting_numbers(page))
    # The preview of a list shows the abbreviated name.
    pair_list = fields(list=f"{LONG[1]};Oberleitner-Zwischenbrugger Anna Katharina")
    abbreviated = "Schwarzenegger-Pfefferkornh… & Oberleitner-Zwischenbrugger"
    assert abbreviated in post(server, f"/p/{director}/pairs/list", pair_list)[2].text
    [pair] = server.tournament(director)["pairs"]
    assert (pair["name"], tuple(pair["players"])) == (surnames, LONG)


def test_phone_that_signed_up_learns_what_became_of_it(server):
    hall = Hall(server, 2)
    signup_path = f"/p/{hall.keys['signup']}/signup"
    pages = [send(server, signup_path, token=name, player=[name, ""]) for name in ("Irmi", "Jakl")]

    def status():
        return [server.page(page).one(data_signed=True).text for page in pages]

    assert all("Nr." not in text for text in status())
    hall.send("/pairs/signed", do="aufnahme", signed=[1, 2])
    accepted = translated("Entered: %(name)s waits for a partner.")
    assert status() == [accepted % {"name": name} for name in ("Irmi", "Jakl")]
    drawn = hall.server.page(hall.send("/pairs/lot")).one(data_paired=True).text
    assert "3 " in drawn and "Irmi" in drawn and "Jakl" in drawn
    assert all("Nr. 3" in text and "Irmi" in text and "Jakl" in text for text in status())


def test_sign_up_is_refused_after_the_end(server):
    hall, pair = Hall(server), {"token": "1", "player": ["Irmi", "Jakl"]}
    signup_path = f"/p/{hall.keys['signup']}/signup"
    send(server, signup_path, **pair)
    hall.play()
    hall.play()
    for path in (signup_path, f"/p/{hall.keys['signup']}/signed-up?who=Irmi+%26+Jakl"):
        page = server.page(path)
        assert page.one(role="status", data_code=True).code == "tournament-over"
        assert not page.one("main").has("form")
        assert not page.has(data_signed=True)
    assert refusal_page(server, signup_path, player="Karl").code == "tournament-over"
    # A repeated sign-up from before the end is accepted, but not reported as new.
    send(server, signup_path, **pair)
    assert not hall.page().has(data_signed=True)


def test_sign_up_cannot_ask_for_more_lots(server):
    where = send(server, "/p/new", name="T", rules="bayern", preset="lots-knockout")
    director = where.split("/")[2]
    _, signup = visitor_and_signup_keys(server, director)
    send(server, f"/p/{signup}/signup", player=["A", "B"], entries=16)
    send(server, f"/p/{director}/pairs/signed", do="aufnahme", signed=1)
    assert server.tournament(director)["pairs"][0].get("entries") is None


def test_sign_ups_per_phone_are_limited(server, director):
    _, signup = visitor_and_signup_keys(server, director)
    for n in range(5):
        form = fields(player=[f"A{n}", f"B{n}"])
        status, _, page = post(server, f"/p/{signup}/signup", form, Cookie="phone=abcd1234")
        assert status == (303 if n < 4 else 422)
    assert page.code == "too-many-by-phone"


def test_single_players_sign_up_one_by_one(server):
    hall = Hall(server, 0, format="partners", pairs=[])
    path = f"/p/{hall.keys['signup']}/signup"
    assert len(server.page(path).all("input", name="player")) == 1
    partner = translated("With one name only you get a partner by lot.")
    assert partner not in server.page(path)
    shown = server.submit(path, [("token", "s"), ("player", "Anna"), ("club", "")])
    page = server.page(shown)
    again = translated("Sign up another player")
    assert page.one("summary").text == again
