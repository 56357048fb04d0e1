"""What a helper's link can and cannot do."""

import json

import pytest

from tests.builders import helper, helper_keys
from tests.serving import Phone
from tests.web.tournament.forms import WON, boxes, post
from tests.web.tournament.hall import Hall

GAMES = [*WON, [15, 8]]


def table_state(server, director, table):
    tables = server.tournament(director)["draws"][0]["tables"]
    return next(state for state in tables if state["table"] == table)


def test_a_helper_enters_results(server, played):
    key = helper(server, played)
    assert post(server, f"/p/{key}/quick", [("token", "q"), ("entry", "1 8 -12 3 8")])[0] == 303
    assert table_state(server, played, 1)["status"] == "done"
    # The director's desk and the table's page both show the helper's signature.
    assert "Helfer 1" in server.page(f"/p/{played}").one(css="newest").text
    page = server.page(f"/p/{played}/match/1/1")
    assert page.one("ol", css="entries").one("small").text.startswith("Helfer 1 · ")


def test_helper_can_undo_an_own_entry(server, played):
    key = helper(server, played)
    form = [("token", "q"), ("entry", "1 8 -12 3 8")]
    assert post(server, f"/p/{key}/quick", form)[0] == 303
    form = server.page(f"/p/{key}").one(css="newest").one("form")
    taking = form.fields
    assert post(server, f"/p/{key}/quick", taking)[0] == 303
    assert table_state(server, played, 1)["status"] == "open"


def test_helper_enters_only_at_assigned_tables(server, played):
    key = helper(server, played, first="2", last="2")
    desk = server.page(f"/p/{key}")
    assert [item["data-table"] for item in desk.select("ul.matches li")] == ["2"]
    for path, form in (
        ("quick", [("token", "q"), ("entry", "1 8 -12 3 8")]),
        ("match/1/1", boxes(GAMES, "m")),
        ("match/1/1", [("token", "n"), ("do", "walkover"), ("walkover", "a")]),
    ):
        assert post(server, f"/p/{key}/{path}", form)[0] in (403, 422), path
    body = json.dumps({"round": 1, "table": 1, "games": GAMES})
    assert server.request("POST", f"/api/tournaments/{key}/results", body)[0] == 403
    assert table_state(server, played, 1)["status"] == "open"
    body = json.dumps({"round": 1, "table": 2, "games": GAMES})
    assert server.request("POST", f"/api/tournaments/{key}/results", body)[0] == 201
    assert table_state(server, played, 2)["status"] == "done"
    # The desk lists the entries of all tables; a helper takes back those of the helper's tables.
    body = json.dumps({"round": 1, "table": 1, "games": GAMES})
    assert server.request("POST", f"/api/tournaments/{played}/results", body)[0] == 201
    entries = server.page(f"/p/{key}").all("li", data_entered=True)
    undoable = [entry["data-entered"] for entry in entries if entry.has("button", name="take")]
    assert (len(entries), undoable) == (2, ["2"])


FORBIDDEN = {
    "links": None,
    "settings": None,
    "prizes": None,
    "deciders": None,
    "paper": None,
    "print/slips/1": None,
    "draw": [("token", "d")],
    "take-back": [("token", "b"), ("round", "1")],
    "swap": [("token", "s"), ("round", "1"), ("first", "1"), ("second", "3"), ("what", "pairs")],
    "announce": [("token", "a"), ("text", "x")],
    "clock": [("token", "c"), ("minutes", "5")],
    "pairs/strike": [("token", "k"), ("pairs", "1")],
    "pairs/list": [("token", "l"), ("list", "Ida;Jo"), ("take", "1")],
    "pairs/lot": [("token", "o")],
    "renew": [("role", "hall")],
    "helpers": [("token", "h"), ("work", "door")],
    "helpers/close": [("role", "entry-1")],
    "match/1/1": [("token", "x"), ("do", "sperre"), ("open", "0")],
}


@pytest.mark.parametrize("work", ["entry", "door"])
def test_helper_is_refused_all_other_work(server, played, work):
    key = helper(server, played, work=work)
    before = server.tournament(played)
    for path, form in FORBIDDEN.items():
        method, path = ("GET" if form is None else "POST"), f"/p/{key}/{path}"
        assert server.request(method, path, form)[0] in (403, 404, 422), path
    assert server.tournament(played) == before
    assert len(helper_keys(server, played)) == 1
    api = f"/api/tournaments/{key}"
    assert server.request("POST", f"{api}/draw", "{}")[0] == 403


def test_helper_pages_offer_only_permitted_actions(server, played):
    """A helper's pages contain no link and no form that is the director's only."""
    for work, pages in (("entry", ("", "/match/1/1")), ("door", ("/pairs",))):
        key = helper(server, played, work, work=work)
        for page in pages:
            shown = server.page(f"/p/{key}{page}")
            for link in shown.select("main a[href^='/p/']"):
                assert server.request("GET", link["href"])[0] == 200, link
            for form in shown.select("main form[method=post]"):
                status, _, text = server.request("POST", form["action"], [("token", "none")])
                assert status != 403, (form["action"], text)


def test_door_helper_enters_and_marks_pairs_only(server, director):
    key = helper(server, director, work="door")
    assert server.request("GET", f"/p/{key}")[1]["location"] == f"/p/{key}/pairs"
    pair = [("token", "p"), ("player", "Anna"), ("player", "Bert")]
    assert post(server, f"/p/{key}/pairs", pair)[0] == 303
    mark = [("token", "m"), ("do", "vermerk"), ("mark", "came")]
    assert post(server, f"/p/{key}/pairs/1", mark)[0] == 303
    entered = server.tournament(director)["pairs"][0]
    assert (entered["players"], entered["paid"], entered["here"]) == (["Anna", "Bert"], True, True)
    # Only the director withdraws a pair.
    assert post(server, f"/p/{key}/pairs/1", [("token", "w"), ("do", "abmeldung")])[0] == 422
    result = [("token", "q"), ("entry", "1 8 -12 3 8")]
    assert post(server, f"/p/{key}/quick", result)[0] == 403


def test_helper_cannot_undo_a_later_round(server):
    hall = Hall(server, format="knockout")
    hall.play()
    hall.draw()
    key, before = helper(server, hall.key), hall.tournament()
    turned = [("token", "t"), ("a", "8"), ("b", "15"), ("reason", "verlesen")]
    page = post(server, f"/p/{key}/match/1/1", turned)[2]
    assert page.one(role="alert", data_code="only-the-director")
    assert not page.has("button", name="back")
    body = {"round": 1, "table": 1, "games": [[8, 15]], "reason": "verlesen", "back": 2}
    assert server.json("POST", f"/api/tournaments/{key}/results", body)[0] == 403
    assert hall.tournament() == before


def test_helper_links_are_closed_one_by_one(server, played):
    first, second = (helper(server, played, token, work="entry") for token in ("a", "b"))
    assert list(helper_keys(server, played)) == ["entry-1", "entry-2"]
    status, _, _ = post(server, f"/p/{played}/helpers/close", [("role", "entry-1")])
    assert status == 303
    assert server.request("GET", f"/p/{first}")[0] == 404
    assert server.request("GET", f"/p/{second}")[0] == 200
    # Numbers are not reused, so that older signatures stay unambiguous.
    helper(server, played, "c")
    assert list(helper_keys(server, played)) == ["entry-2", "entry-3"]


def test_resent_form_creates_one_helper_link(server, played):
    phone = Phone(server)
    phone.open(f"/p/{played}/links")
    form = [("token", "t"), ("work", "door"), ("first", ""), ("last", "")]
    for _ in range(2):
        assert phone.send(f"/p/{played}/helpers", form) == 303
    assert list(helper_keys(server, played)) == ["door-1"]


def test_helper_links_survive_renewal_of_others(server, played):
    key = helper(server, played)
    post(server, f"/p/{played}/renew", [("role", "hall")])
    new = post(server, f"/p/{played}/renew", [("role", "director")])[1].split("/")[2]
    assert helper_keys(server, new) == {"entry-1": key}
    way = server.page(f"/p/{key}").select_one("nav a")["href"]
    assert server.request("GET", way)[0] == 200


@pytest.mark.parametrize(("first", "last"), [("5", "2"), ("0", "3"), ("x", "3"), ("1", "9999")])
def test_invalid_table_range_is_refused(server, played, first, last):
    form = [("token", "t"), ("work", "entry"), ("first", first), ("last", last)]
    status, _, page = post(server, f"/p/{played}/helpers", form)
    assert status == 422
    # The form keeps the typed values and contains the message.
    assert page.select_one("[name=first]")["value"] == first
    assert page.select_one("#helpers form [data-code]")
    assert helper_keys(server, played) == {}


def test_single_table_number_means_one_table(server, played):
    helper(server, played, first="2")
    assert list(helper_keys(server, played)) == ["entry-1:2-2"]


def test_helper_link_gets_no_offline_copy(server, played):
    key = helper(server, played)
    assert server.request("GET", f"/pocket/streams/{key}")[0] == 403
    phone = Phone(server)
    phone.open(f"/p/{key}")
    assert key not in phone.open("/pocket/streams")
