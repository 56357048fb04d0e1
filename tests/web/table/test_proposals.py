"""After the cut a change is proposed, and the other side answers on its own phone."""

import json
import re

import pytest

from tests.builders import LOST, NAMED, WON


@pytest.fixture
def keys(server):
    """The keys of a table with two rounds, of which the first is closed by the cut."""
    return server.table(cut=True, sides=NAMED, played=[WON] * 2)


def tap(server, text, do, status=303):
    """Send the form whose button has the value `do`."""
    [form] = [form for form in text.all("form") if form.has("button", name="do", value=do)]
    assert server.request("POST", form["action"], form.fields)[0] == status


def propose(server, keys, status=303):
    change = json.dumps([LOST]).replace(" ", "")
    text = server.page(f"/b/{keys['scorer']}/round/0?mode=replace&events={change}")
    # No button records it at once.
    assert not text.one(id="preview").has("button", name="event")
    tap(server, text, "vorschlag", status)


def test_accepted_proposal_is_written(server, keys):
    propose(server, keys)
    assert server.state(keys["viewer"])["points"] == [4, 0]
    for role in ("scorer", "opponent", "viewer"):
        waits = server.page(f"/b/{keys[role]}").one(data_proposal=True)
        assert waits.one(role="link")["href"] == "?round=0"
        assert server.page(f"/b/{keys[role]}/history").has(css="marked")
    # Beside the button that accepts it stands the score to which it leads.
    asked = server.page(f"/b/{keys['opponent']}").one(data_proposal=True)
    assert asked.has("button") and "2 : 2" in asked.one(role="link").text
    text = server.page(f"/b/{keys['opponent']}/round/0")
    assert re.search(r"<s>4 : 0</s></td>\s*<td><b>2 : 2</b>", text)
    tap(server, text, "zusage")
    assert server.state(keys["viewer"])["points"] == [2, 2]
    assert not server.page(f"/b/{keys['viewer']}").has(data_proposal=True)
    # The round's history shows the old version, the proposal and the consent.
    entries = server.page(f"/b/{keys['viewer']}/round/0").one("ol", css="entries").all("li")
    shown = [(entry["data-do"], entry.has("s")) for entry in entries]
    assert shown == [("gewinnt", True), ("vorschlag", False), ("zusage", False)]
    # The entries name the side that proposed and the side that agreed.
    said = [" ".join(entry.text.split()[:3]) for entry in entries[1:]]
    assert said == ["Partei 1 schlägt", "Partei 2 sagt"]


def test_refused_proposal_cannot_be_repeated(server, keys):
    propose(server, keys)
    tap(server, server.page(f"/b/{keys['opponent']}/round/0"), "absage")
    assert server.state(keys["viewer"])["points"] == [4, 0]
    for role in ("scorer", "opponent", "viewer"):
        path = "t" if role == "scorer" else "b"
        assert server.page(f"/{path}/{keys[role]}").has(css="news")
    propose(server, keys, status=422)


def test_writer_can_withdraw_a_proposal(server, keys):
    propose(server, keys)
    tap(server, server.page(f"/b/{keys['scorer']}/round/0"), "absage")
    board = server.page(f"/b/{keys['viewer']}")
    assert not board.has(data_proposal=True) and not board.has(css="news")
    propose(server, keys)


def test_only_the_other_side_accepts_a_proposal(server, keys):
    propose(server, keys)
    for role in ("scorer", "viewer"):
        assert not server.page(f"/b/{keys[role]}/round/0").has("button", value="zusage")
        assert server.write(keys[role], {"do": "zusage", "side": 1, "of": 2}, role)[0] == 403
    assert server.write(keys["scorer"], {"do": "absage", "side": 1, "of": 2}, "no")[0] == 403
    change = {"do": "korrektur", "of": 0, "with": None}
    status, answer = server.write(keys["scorer"], change, "change")
    assert (status, answer["error"]["code"]) == (422, "after-the-cut")
    assert server.state(keys["viewer"])["points"] == [4, 0]


@pytest.mark.parametrize("event", ["", "{", "[]", json.dumps(WON), '{"do":"korrektur"}'])
def test_malformed_proposal_is_refused(server, keys, event):
    form = [("token", "t"), ("do", "vorschlag"), ("side", "0"), ("event", event)]
    server.submit_refused(f"/b/{keys['scorer']}/say", form, 400)


def test_cut_can_be_set_in_the_house_rules(server):
    form = [("rules", "bayern"), ("house", "1"), ("cut", "1"), ("side0", "A"), ("side1", "B")]
    key = server.submit("/new", form).rsplit("/", 1)[1]
    assert server.record(key)["cut"] is True
    assert server.page(f"/b/{key}/rules").has(data_cut=True)


def test_slate_links_to_the_round_page(server, keys):
    links = ["?round=1", "?round=0", "?round=1"]
    for path, role in (("t", "scorer"), ("b", "viewer")):
        text = server.page(f"/{path}/{keys[role]}")
        assert re.findall(r'class="reason-link[^"]*" href="(\?round=\d)">', text) == links
        status, headers, _ = server.request("GET", f"/{path}/{keys[role]}?round=1")
        assert status == 303 and headers["location"].endswith(f"/b/{keys[role]}/round/1")
    _, headers, _ = server.request("GET", f"/b/{keys['viewer']}?bummerl")
    assert headers["location"].endswith("/history")


def test_name_changes_after_the_cut_are_proposed(server, keys):
    names = [("name", "Die"), ("name", "Wir"), ("seq", "2"), ("token", "swap")]
    server.submit(f"/t/{keys['scorer']}/seats", names)
    swap = {"do": "sitzordnung", "sides": [{"name": "Die"}, {"name": "Wir"}]}
    assert server.write(keys["scorer"], swap, "direct")[0] == 422
    events = server.record(keys["viewer"])["events"]
    assert [event["do"] for event in events] == ["gewinnt", "gewinnt", "vorschlag"]
    assert "Die – Wir" in server.page(f"/b/{keys['opponent']}/round/1")
    server.play(keys["opponent"], {"do": "zusage", "side": 1, "of": 2})
    assert server.state(keys["viewer"])["points"] == [4, 0]


def test_settled_correction_is_changed_only_by_both_sides(server, keys):
    server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": 1})
    server.play(keys["scorer"], {"do": "korrektur", "of": 1, "with": LOST})
    pad, correction = f"/t/{keys['scorer']}", f"/b/{keys['scorer']}/round/1?mode=strike"
    assert not server.page(pad).has("button", css="undo", disabled=True)
    assert not server.page(correction).has("button", name="do", value="vorschlag")
    server.play(keys["opponent"], {"do": "geklaert", "side": 1, "of": 1})
    assert server.page(pad).has("button", css="undo", disabled=True)
    assert server.page(correction).has("button", name="do", value="vorschlag")
    undo = {"do": "korrektur", "of": 3, "with": None}
    path = f"/api/tables/{keys['scorer']}/events"
    status, answer = server.json("POST", path, undo, Idempotency_Key="undo")
    assert (status, answer["error"]["code"]) == (422, "after-the-cut")


def test_log_of_a_round_says_what_each_entry_wrote(server):
    won, lost = "Anna & Bert", "Cilli & Dora"
    keys = server.table(sides=[{"name": won}, {"name": lost}], played=[WON, LOST])
    correction = {"do": "korrektur", "of": 0, "with": [{**WON, "stake": 3}]}
    server.play(keys["scorer"], correction)
    server.play(keys["opponent"], {"do": "vorschlag", "side": 1, "of": 0, "with": [LOST]})
    log = server.page(f"/b/{keys['viewer']}/round/0").text
    for points in ("(+2)", f"({won} +3 statt +2)", f"({lost} +2 statt {won} +3)"):
        assert points in log
