"""What a helper's link can and cannot do."""

import pytest

from tests.builders import helper, helper_keys
from tests.serving import Phone
from tests.web.tournament.forms import WON, boxes, fields, post, refusal_page, send
from tests.web.tournament.hall import Hall

GAMES = [*WON, [15, 8]]


TYPED = "1 8 -12 3 8"


def table_status(server, director, table):
    tables = server.tournament(director)["draws"][0]["tables"]
    return next(state["status"] for state in tables if state["table"] == table)


def test_a_helper_enters_results(server, drawn):
    key = helper(server, drawn)
    send(server, f"/p/{key}/quick", entry=TYPED)
    assert table_status(server, drawn, 1) == "done"
    # The director's desk and the table's page both show the helper's signature.
    assert "Helfer 1" in server.page(f"/p/{drawn}").one(css="newest").text
    page = server.page(f"/p/{drawn}/match/1/1")
    assert page.one("ol", css="entries").one("small").text.startswith("Helfer 1 · ")
    # The helper can undo the entry.
    undo = server.page(f"/p/{key}").one(css="newest").one("form")
    send(server, f"/p/{key}/quick", undo.fields)
    assert table_status(server, drawn, 1) == "open"


def test_helper_enters_only_at_assigned_tables(server, drawn):
    key = helper(server, drawn, first="2", last="2")
    desk = server.page(f"/p/{key}")
    assert [item["data-table"] for item in desk.select("ul.matches li")] == ["2"]
    for path, form in (
        ("quick", fields(entry=TYPED)),
        ("match/1/1", boxes(GAMES, "m")),
        ("match/1/1", fields(do="walkover", walkover="a")),
    ):
        assert post(server, f"/p/{key}/{path}", form)[0] in (403, 422), path

    def enter(by, table):
        body = {"round": 1, "table": table, "games": GAMES}
        return server.json("POST", f"/api/tournaments/{by}/results", body)[0]

    assert enter(key, 1) == 403
    assert table_status(server, drawn, 1) == "open"
    assert enter(key, 2) == 201
    assert table_status(server, drawn, 2) == "done"
    # The desk lists a helper only the entries of the helper's tables.
    assert enter(drawn, 1) == 201
    entries = server.page(f"/p/{key}").all("li", data_entered=True)
    undoable = [entry["data-entered"] for entry in entries if entry.has("button", name="take")]
    assert (len(entries), undoable) == (1, ["2"])


PAGES = ("links", "settings", "prizes", "deciders", "paper", "print/slips/1")
FORBIDDEN = {
    "draw": {},
    "take-back": {"round": 1},
    "swap": {"round": 1, "first": 1, "second": 3, "what": "pairs"},
    "announce": {"text": "x"},
    "clock": {"minutes": 5},
    "pairs/strike": {"pairs": 1},
    "pairs/list": {"list": "Ida;Jo", "take": 1},
    "pairs/lot": {},
    "renew": {"role": "hall"},
    "helpers": {"work": "door"},
    "helpers/close": {"role": "entry-1"},
    "match/1/1": {"do": "sperre", "open": 0},
}


@pytest.mark.parametrize("work", ["entry", "door"])
def test_helper_is_refused_all_other_work(server, drawn, work):
    key = helper(server, drawn, work=work)
    before = server.tournament(drawn)
    for path in PAGES:
        assert server.request("GET", f"/p/{key}/{path}")[0] in (403, 404), path
    for path, form in FORBIDDEN.items():
        assert post(server, f"/p/{key}/{path}", fields(**form))[0] in (403, 404, 422), path
    assert server.tournament(drawn) == before
    assert len(helper_keys(server, drawn)) == 1
    assert server.request("POST", f"/api/tournaments/{key}/draw", "{}")[0] == 403


def test_helper_pages_offer_only_permitted_actions(server, drawn):
    """A helper's pages contain no link and no form that is the director's only."""
    for work, pages in (("entry", ("", "/match/1/1")), ("door", ("/pairs",))):
        key = helper(server, drawn, work, work=work)
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
    send(server, f"/p/{key}/pairs", player=["Anna", "Bert"])
    send(server, f"/p/{key}/pairs/1", do="vermerk", mark="came")
    entered = server.tournament(director)["pairs"][0]
    assert (entered["players"], entered["paid"], entered["here"]) == (["Anna", "Bert"], True, True)
    # Only the director withdraws a pair.
    assert refusal_page(server, f"/p/{key}/pairs/1", do="abmeldung").code == "only-the-director"
    assert post(server, f"/p/{key}/quick", fields(entry=TYPED))[0] == 403


def test_helper_cannot_undo_a_later_round(server):
    hall = Hall(server, format="knockout")
    hall.play()
    hall.draw()
    key, before = helper(server, hall.key), hall.tournament()
    page = refusal_page(server, f"/p/{key}/match/1/1", a=8, b=15, reason="verlesen")
    assert page.one(role="alert", data_code="only-the-director")
    assert not page.has("button", name="back")
    body = {"round": 1, "table": 1, "games": [[8, 15]], "reason": "verlesen", "back": 2}
    assert server.json("POST", f"/api/tournaments/{key}/results", body)[0] == 403
    assert hall.tournament() == before


def test_helper_links_are_closed_one_by_one(server, drawn):
    first, second = (helper(server, drawn, token, work="entry") for token in ("a", "b"))
    assert list(helper_keys(server, drawn)) == ["entry-1", "entry-2"]
    send(server, f"/p/{drawn}/helpers/close", role="entry-1")
    assert [server.request("GET", f"/p/{key}")[0] for key in (first, second)] == [404, 200]
    # Numbers are not reused, so that older signatures stay unambiguous.
    helper(server, drawn, "c")
    assert list(helper_keys(server, drawn)) == ["entry-2", "entry-3"]


def test_resent_form_creates_one_helper_link(server, drawn):
    phone = Phone(server)
    phone.open(f"/p/{drawn}/links")
    for _ in range(2):
        assert phone.send(f"/p/{drawn}/helpers", fields("t", work="door")) == 303
    assert list(helper_keys(server, drawn)) == ["door-1"]


def test_helper_links_survive_renewal_of_others(server, drawn):
    key = helper(server, drawn)
    send(server, f"/p/{drawn}/renew", role="hall")
    new = send(server, f"/p/{drawn}/renew", role="director").split("/")[2]
    assert helper_keys(server, new) == {"entry-1": key}
    way = server.page(f"/p/{key}").select_one("nav a")["href"]
    assert server.request("GET", way)[0] == 200


@pytest.mark.parametrize(("first", "last"), [("5", "2"), ("0", "3"), ("x", "3"), ("1", "9999")])
def test_invalid_table_range_is_refused(server, drawn, first, last):
    page = refusal_page(server, f"/p/{drawn}/helpers", work="entry", first=first, last=last)
    # The form keeps the typed values and contains the message.
    assert page.select_one("[name=first]")["value"] == first
    assert page.select_one("#helpers form [data-code]")
    assert helper_keys(server, drawn) == {}


def test_single_table_number_means_one_table(server, drawn):
    helper(server, drawn, first="2")
    assert list(helper_keys(server, drawn)) == ["entry-1:2-2"]


def test_helper_link_gets_no_offline_copy(server, drawn):
    key = helper(server, drawn)
    assert server.request("GET", f"/pocket/streams/{key}")[0] == 403
    phone = Phone(server)
    phone.open(f"/p/{key}")
    assert key not in phone.open("/pocket/streams")
