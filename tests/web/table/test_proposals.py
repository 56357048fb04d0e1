"""After the cut: a change is proposed, and the other side answers on its own phone."""

import json
import re
from html import unescape

import pytest

WON = {"do": "gewinnt", "side": 0}
OTHER = json.dumps([{"do": "gewinnt", "side": 1}])


@pytest.fixture
def keys(server):
    """Two rounds, so the first is after the cut."""
    found = server.table(cut=True, sides=[{"name": "Wir"}, {"name": "Die"}])
    for number in range(2):
        assert server.write(found["scorer"], WON, str(number))[0] == 201
    return found


def page(server, path):
    return unescape(server.request("GET", path, Accept_Language="de")[2])


def points(server, keys):
    return server.json("GET", f"/api/tables/{keys['viewer']}")[1]["state"]["points"]


def tap(server, text, button):
    """Send the form of a button as the page has it; returns the status."""
    for form in re.findall(r'<form method="post" action="[^"]*">.*?</form>', text, re.DOTALL):
        if f">{button}</button>" in form:
            fields = re.findall(r'name="(\w+)" value="([^"]*?)">', form)
            hidden = re.findall(r'name="(event)" value="(.*?)">', form)
            path = re.search(r'action="([^"]*)"', form)[1]
            return server.request("POST", path, [*fields, *hidden])[0]
    raise AssertionError(f"no button {button}")


def propose(server, keys):
    text = page(server, f"/b/{keys['scorer']}/round/0?mode=replace&events={OTHER}".replace(" ", ""))
    assert "So schreiben" not in text
    assert tap(server, text, "Vorschlagen") == 303


def test_the_other_side_says_yes_and_it_is_written(server, keys):
    propose(server, keys)
    assert points(server, keys) == [4, 0]
    for role in ("scorer", "opponent", "viewer"):
        assert "eine Änderung wartet auf ein Ja" in page(server, f"/b/{keys[role]}")
        assert "Änderung vorgeschlagen" in page(server, f"/b/{keys[role]}/history")
    text = page(server, f"/b/{keys['opponent']}/round/0")
    assert re.search(r"<s>4 : 0</s></td>\s*<td><b>2 : 2</b>", text)
    assert tap(server, text, "Ja, so war es") == 303
    assert points(server, keys) == [2, 2]
    assert "wartet auf ein Ja" not in page(server, f"/b/{keys['viewer']}")
    told = page(server, f"/b/{keys['viewer']}/round/0")
    assert "Partei 1: vorgeschlagen: berichtigt: Partei 2: Runde gewonnen" in told
    assert "Partei 2: hat ja gesagt" in told


def test_refused_stays_refused(server, keys):
    propose(server, keys)
    assert tap(server, page(server, f"/b/{keys['opponent']}/round/0"), "Nein") == 303
    assert points(server, keys) == [4, 0]
    text = page(server, f"/b/{keys['scorer']}/round/0?mode=replace&events={OTHER}".replace(" ", ""))
    assert tap(server, text, "Vorschlagen") == 422


def test_the_writer_takes_it_back(server, keys):
    propose(server, keys)
    assert tap(server, page(server, f"/b/{keys['scorer']}/round/0"), "Zurücknehmen") == 303
    assert "wartet auf ein Ja" not in page(server, f"/b/{keys['viewer']}")
    propose(server, keys)


def test_nobody_says_yes_for_the_other_side(server, keys):
    propose(server, keys)
    for role in ("scorer", "viewer"):
        assert "Ja, so war es" not in page(server, f"/b/{keys[role]}/round/0")
        event = {"do": "zusage", "side": 1, "of": 2}
        assert server.write(keys[role], event, role)[0] == 403
    assert server.write(keys["scorer"], {"do": "absage", "side": 1, "of": 2}, "no")[0] == 403
    change = {"do": "korrektur", "of": 0, "with": None}
    status, answer = server.write(keys["scorer"], change, "change")
    assert (status, answer["error"]["code"]) == (422, "after-the-cut")
    assert points(server, keys) == [4, 0]


@pytest.mark.parametrize(
    "event", ["", "{", "[]", '{"do":"gewinnt","side":0}', '{"do":"korrektur"}']
)
def test_a_proposal_not_of_ours_is_refused(server, keys, event):
    form = [("token", "t"), ("do", "vorschlag"), ("side", "0"), ("event", event)]
    assert server.request("POST", f"/b/{keys['scorer']}/say", form)[0] == 400


def test_the_switch_is_among_the_house_rules(server):
    form = [("rules", "bayern"), ("house", "1"), ("cut", "1"), ("side0", "A"), ("side1", "B")]
    status, headers, _ = server.request("POST", "/new", form)
    assert status == 303
    key = headers["location"].rsplit("/", 1)[1]
    assert server.json("GET", f"/api/tables/{key}/record")[1]["cut"] is True
    assert "Nach dem Abheben bleibt stehen, was steht" in page(server, f"/b/{key}/rules")


def test_what_is_tapped_on_a_slate_leads_to_its_reason(server, keys):
    for path, role in (("t", "scorer"), ("b", "viewer")):
        text = page(server, f"/{path}/{keys[role]}")
        assert re.findall(r'class="why[^"]*" href="(\?round=\d)">', text) == [
            *("?round=1", "?round=0", "?round=1")
        ]
        status, headers, _ = server.request("GET", f"/{path}/{keys[role]}?round=1")
        assert status == 303
        assert headers["location"].endswith(f"/b/{keys[role]}/round/1")
    _, headers, _ = server.request("GET", f"/b/{keys['viewer']}?bummerl")
    assert headers["location"].endswith("/history")


def test_other_names_after_the_cut_are_proposed(server, keys):
    names = [("name", "Die"), ("name", "Wir"), ("seq", "2"), ("token", "swap")]
    assert server.request("POST", f"/t/{keys['scorer']}/seats", names)[0] == 303
    swap = {"do": "sitzordnung", "sides": [{"name": "Die"}, {"name": "Wir"}]}
    assert server.write(keys["scorer"], swap, "direct")[0] == 422
    record = server.json("GET", f"/api/tables/{keys['viewer']}/record")[1]
    assert [event["do"] for event in record["events"]] == ["gewinnt", "gewinnt", "vorschlag"]
    assert "Die – Wir" in page(server, f"/b/{keys['opponent']}/round/1")
    yes = {"do": "zusage", "side": 1, "of": 2}
    assert server.write(keys["opponent"], yes, "yes")[0] == 201
    assert points(server, keys) == [4, 0]
