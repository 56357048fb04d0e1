"""Results entered by one phone for both pairs, or by a program, are marked."""

import re

import pytest

from scorer.web.tournament.result_signatures import CONFIRMATION_REMARKS
from tests.pages import translated
from tests.serving import Phone
from tests.web.tournament.forms import send
from tests.web.tournament.hall import Hall

GAMES = [("a", "15"), ("b", "8")]


@pytest.fixture
def match(server):
    """The keys of the director and both pairs of a tournament with its first round drawn."""
    hall = Hall(server, 2)
    [table] = hall.draw()
    return hall.key, table["scorer"], table["opponent"]


@pytest.fixture
def anna(server, match):
    """A phone of the first pair."""
    phone = Phone(server)
    phone.open(f"/e/{match[1]}")
    return phone


@pytest.fixture
def cilli(server, match):
    """A phone that has the second pair's seat claim."""
    phone = Phone(server)
    hold(phone, match[2])
    return phone


def hold(phone, key, *, take=False):
    """Claim the seat as the page does when it is opened, or by its button if `take` is true."""
    phone.open(f"/e/{key}")
    assert phone.send(f"/e/{key}", [("do", "hold"), *([("take", "1")] if take else [])]) == 303


def holds(phone, key):
    return re.search(r'data-seat-claim="(\w+)"', phone.open(f"/e/{key}"))[1]


def enter(phone, key):
    return phone.send(f"/e/{key}", [*GAMES, ("token", "enter")])


def confirm(phone, key):
    return phone.send(f"/e/{key}", [*GAMES, ("do", "bestaetigung"), ("token", "yes")])


def enter_by_program(server, key):
    result = {"round": 1, "table": 1, "games": [[15, 8]]}
    assert server.json("POST", f"/api/tournaments/{key}/results", result)[0] == 201


def confirmation(server, director):
    return server.tournament(director)["draws"][0]["tables"][0]["confirmed"]


def test_only_the_first_phone_confirms_for_its_pair(server, match, anna, cilli):
    _, first, second = match
    dora = Phone(server)
    hold(dora, second)
    assert (holds(cilli, second), holds(dora, second)) == ("here", "elsewhere")
    assert enter(anna, first) == 303
    assert confirm(dora, second) == 422
    assert confirm(cilli, second) == 303
    assert confirmation(server, match[0]) == "phones"


def test_seat_takeover_is_shown_to_both_pairs(server, match, anna, cilli):
    _, first, second = match
    dora = Phone(server)
    assert "data-took-over" not in anna.open(f"/e/{first}")
    hold(dora, second, take=True)
    assert (holds(cilli, second), holds(dora, second)) == ("elsewhere", "here")
    for phone, key in ((anna, first), (cilli, second)):
        assert "data-took-over" in phone.open(f"/e/{key}")
    assert "data-took-over" not in dora.open(f"/e/{second}")
    assert enter(anna, first) == confirm(dora, second) == 303
    for phone, key in ((anna, first), (cilli, second)):
        assert "data-took-over" not in phone.open(f"/e/{key}")


def test_only_the_phone_that_speaks_gets_a_form(server, match, anna, cilli):
    _, first, second = match
    dora = Phone(server)
    hold(dora, second)
    pages = (anna, first), (cilli, second), (dora, second)
    assert ['name="a"' in phone.open(f"/e/{key}") for phone, key in pages] == [True, True, False]


def test_confirmation_by_one_phone_for_both_is_marked(server, match, anna):
    director, first, second = match
    path = f"/p/{director}/match/1/1"
    assert server.page(path).data("confirmed") == ["nobody"]
    assert enter(anna, first) == confirm(anna, second) == 303
    assert confirmation(server, director) == "own"
    remark = translated(CONFIRMATION_REMARKS["own"])
    for where in (path, f"/e/{first}", f"/e/{second}"):
        assert remark in server.page(where).one(data_confirmed="own").text, where
    assert remark in server.page(f"/p/{director}").one(id="table-1").text


def test_confirmation_by_a_program_is_marked(server, match, anna):
    director, first, second = match
    assert enter(anna, first) == 303
    enter_by_program(server, second)
    assert confirmation(server, director) == "program"
    text = server.page(f"/p/{director}/match/1/1")
    remark = translated(CONFIRMATION_REMARKS["program"])
    assert remark in text.one(data_confirmed="program").text
    entries = text.one("ol", css="entries").all("li")
    signed = [(entry["data-do"], entry["data-signed-by"]) for entry in entries]
    assert signed == [("ergebnis", "phone"), ("ergebnis", "program")]


def test_directors_result_needs_no_confirmation(server, match):
    assert confirmation(server, match[0]) == "nobody"
    enter_by_program(server, match[0])
    assert confirmation(server, match[0]) == "director"


def test_seat_claim_does_not_block_undoing_the_draw(server, match, cilli):
    send(server, f"/p/{match[0]}/take-back", round=1)


def test_slip_links_a_phone_to_its_next_table(server):
    hall = Hall(server, rounds=3)
    first = hall.draw()[0]
    anna, cilli, passer_by = Phone(server), Phone(server), Phone(server)
    anna.open(f"/e/{first['scorer']}")
    enter(anna, first["scorer"])
    hold(cilli, first["opponent"])
    confirm(cilli, first["opponent"])
    hall.finish()

    def next_tables(phone, key):
        return re.findall(r'href="/e/(\w+)"', phone.open(f"/e/{key}"))

    for _ in range(2):
        keys = {
            pair: table[seat]
            for table in hall.draw()
            for pair, seat in zip(table["pairs"], ("scorer", "opponent"), strict=True)
        }
        seated = ((anna, "scorer"), (cilli, "opponent"))
        for (phone, seat), pair in zip(seated, first["pairs"], strict=True):
            assert next_tables(phone, first[seat]) == [keys[pair]]
            assert next_tables(passer_by, first[seat]) == []
        assert next_tables(anna, first["opponent"]) == []
        hall.finish()


def test_only_the_phone_that_speaks_for_a_pair_sees_the_confirm_button(server, match, anna, cilli):
    _, first, second = match
    assert enter(anna, first) == 303
    dora = Phone(server)
    button = 'value="bestaetigung"'
    for phone, sees in ((cilli, True), (dora, False)):
        assert (button in phone.open(f"/e/{second}")) == sees
    hold(dora, second, take=True)
    assert button in dora.open(f"/e/{second}")
    assert button not in cilli.open(f"/e/{second}")
