"""A result sent again shows the current result."""

import json

import pytest

from tests.builders import WON
from tests.pages import Page
from tests.web.tournament.forms import boxes
from tests.web.tournament.forms import send as send_form
from tests.web.tournament.hall import PAIRS, Hall

SENT, CORRECTED = ((15, 2), (15, 7)), ((3, 15), (4, 15))
SCRIPT = {"HX_Request": "true"}


@pytest.fixture
def hall(server):
    hall = Hall(server, games_per_round=2)
    hall.table = hall.draw()[0]
    return hall


def forms(hall):
    """Address and fields of each form that sends a result."""
    of_table = [("round", "1"), ("table", "1"), ("boxes", "1")]
    return {
        "slip": (f"/e/{hall.table['scorer']}", []),
        "match": (f"/p/{hall.key}/match/1/1", []),
        "line": (f"/p/{hall.key}/quick", of_table),
    }


def send(hall, form_name, script, token="first"):
    path, fields = forms(hall)[form_name]
    sent = {"Accept_Language": "de", **(SCRIPT if script else {})}
    answer = hall.server.request("POST", path, [*fields, *boxes(SENT, token)], **sent)
    return *answer[:2], Page(answer[2])


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("form_name", ["slip", "match", "line"])
class TestResent:
    def test_resent_result_is_accepted_again(self, hall, form_name, script):
        expected = (303,) if not script else (204,) if form_name == "match" else (200,)
        for _ in range(2):
            assert send(hall, form_name, script)[0] in expected

    def test_resent_result_is_refused_once_superseded(self, hall, form_name, script):
        send(hall, form_name, script)
        assert hall.enter(1, 1, *CORRECTED, reason="verlesen")[0] < 300
        before = hall.tournament()
        status, headers, page = send(hall, form_name, script)
        assert (status, headers["bummerl-answer"], page.code) == (409, "final", "superseded")
        notice = page.one(role="alert", data_code="superseded").text
        pairs = [PAIRS[number - 1] for number in hall.table["pairs"]]
        assert all(part in notice for part in (*pairs, "15:2, 15:7", "3:15, 4:15"))
        assert hall.tournament() == before

    def test_resent_result_is_refused_once_removed(self, hall, form_name, script):
        send(hall, form_name, script)
        hall.send("/match/1/1", do="leerung", reason="falscher Tisch")
        status, _, page = send(hall, form_name, script)
        assert (status, page.code) == (409, "superseded")
        assert "15:2, 15:7" in page.one(data_code="superseded").text


def test_resent_line_is_accepted_in_the_next_round(hall):
    send(hall, "line", True)
    hall.enter(1, 2, *CORRECTED)
    hall.draw()
    assert send(hall, "line", True)[0] == 200
    assert send(hall, "line", True, "another")[2].code == "earlier-round"


def test_resent_undone_tap_is_refused(server):
    key = server.table()["scorer"]
    tap = [("token", "t"), ("seq", "0"), ("event", json.dumps(WON))]
    path = f"/t/{key}/events"
    for _ in range(2):
        assert server.request("POST", path, tap, **SCRIPT)[0] == 200
    undo = {"do": "korrektur", "of": 0, "with": []}
    assert server.write(key, undo, "other phone")[0] == 201
    status, headers, text = server.request("POST", path, tap, **SCRIPT)
    assert (status, headers["bummerl-answer"]) == (409, "final")
    assert Page(text).code == "superseded"


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/e/{scorer}", boxes(SENT, "1")),
        ("/e/{opponent}", [("token", "1"), ("do", "hold")]),
        ("/p/{key}/quick", [("token", "1"), ("table", "1")]),
        ("/p/{key}/quick", [("token", "1"), ("table", "1"), ("points", "8 3")]),
        ("/p/{key}/pairs/1", [("token", "1"), ("do", "vermerk"), ("mark", "paid")]),
    ],
)
def test_script_gets_a_page_and_form_a_redirect(hall, path, form):
    path = path.format(key=hall.key, **hall.table)
    status, headers, _ = hall.server.request("POST", path, form, **SCRIPT)
    assert (status, headers["bummerl-method"]) == (200, "POST")
    where = send_form(hall.server, path, [("token", "2"), *form[1:]])
    assert hall.server.request("GET", where)[1]["bummerl-method"] == "GET"
