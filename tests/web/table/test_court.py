"""A round in court: why, when, by whom, and putting it right."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

WON = {"do": "gewinnt", "side": 0}
LOST = {"do": "gewinnt", "side": 1}
GOES = {"do": "gehen", "side": 0}


def table(server, *events):
    keys = server.table(sides=[{"name": "Wir"}, {"name": "Die"}])
    for number, event in enumerate(events):
        status, answer = server.write(keys["scorer"], event, str(number))
        assert status == 201, answer
    return keys


def page(server, key, source, **asked):
    path = f"/b/{key}/round/{source}?{urlencode(asked)}"
    status, _, text = server.request("GET", path, Accept_Language="de")
    return status, unescape(text)


def proposed(text):
    """The correction the preview would write, with the form that writes it."""
    form = re.search(r'id="preview".*?<form.*?</form>', text, re.DOTALL)[0]
    names = ("seq", "token")
    found = [(name, re.search(rf'name="{name}" value="([^"]*)"', form)[1]) for name in names]
    event = re.search(r'name="event" value="(.*?)">', form)[1]
    return [*found, ("event", event)]


def state(server, key):
    return server.json("GET", f"/api/tables/{key}")[1]["state"]


def test_it_tells_the_ladder_the_reason_and_who_wrote_it(server):
    raised = [{"do": "bieten", "side": 0}, {"do": "gehen", "side": 1}]
    keys = table(server, *raised, WON)
    status, text = page(server, keys["viewer"], 0)
    assert status == 200
    assert "Partei 1: bieten 3" in re.sub("<[^>]+>", "", text)
    assert "O-45" in text
    assert re.search(r'Partei 2: gehen <small><time datetime="[^"]+">\d\d:\d\d \w+</time>', text)
    assert "Es war anders" not in text


@pytest.mark.parametrize("events", [[{"do": "einig", "side": 0}], [WON] * 51, [{}], 5])
@pytest.mark.parametrize("mode", ["replace", "insert"])
def test_a_link_to_what_no_correction_may_hold_is_refused(server, mode, events):
    keys = table(server, WON)
    status, _ = page(server, keys["scorer"], 0, mode=mode, events=json.dumps(events))
    assert status == 400


def test_another_winner_is_shown_first_and_then_written(server):
    keys = table(server, WON, WON)
    other = json.dumps([{"do": "gewinnt", "side": 1, "stake": 3}])
    _, text = page(server, keys["scorer"], 0, mode="replace", events=other)
    rows = re.findall(r"<s>([\d :]+)</s></td>\s*<td><b>([\d :]+)</b>", text)
    assert rows == [("2 : 0", "0 : 3"), ("4 : 0", "2 : 3")]
    assert state(server, keys["scorer"])["points"] == [4, 0]
    form = proposed(text)
    assert server.request("POST", f"/t/{keys['scorer']}/events", form)[0] == 303
    assert state(server, keys["scorer"])["points"] == [2, 3]
    _, text = page(server, keys["viewer"], 0)
    assert "<s>Partei 1: Runde gewonnen</s>" in text
    assert "berichtigt: Partei 2: Runde um 3 gewonnen" in text


def test_a_round_that_came_to_the_same_sums_otherwise_is_put_right_too(server):
    keys = table(server, WON, LOST)
    asked = {"mode": "replace", "events": json.dumps([{"do": "bieten", "side": 1}, GOES])}
    _, text = page(server, keys["scorer"], 1, **asked)
    [row] = re.findall(r"<tr><th scope=\"row\">.*?</tr>", text, re.DOTALL)
    # Their sums are the same: it is told what each was written for.
    stands, then = re.findall(r"<small>(.*?)</small>", row)
    assert stands.startswith("Runde an Die")
    assert then.startswith("Wir: gehen (3)")
    path = f"/t/{keys['scorer']}/events"
    assert server.request("POST", path, proposed(text))[0] == 303
    _, text = page(server, keys["scorer"], 1, **asked)
    assert "Es würde sich nichts ändern." in text


def test_a_forgotten_round_is_put_in_and_a_wrong_one_struck_out(server):
    keys = table(server, WON)
    other = json.dumps([LOST])
    _, text = page(server, keys["scorer"], 0, mode="insert", events=other)
    assert server.request("POST", f"/t/{keys['scorer']}/events", proposed(text))[0] == 303
    assert state(server, keys["scorer"])["points"] == [2, 2]
    keys = table(server, WON, LOST)
    _, text = page(server, keys["scorer"], 0, mode="strike")
    # Points are struck at Watten; what was written is taken back.
    assert "<p>zurückgenommen</p>" in text
    assert server.request("POST", f"/t/{keys['scorer']}/events", proposed(text))[0] == 303
    assert state(server, keys["scorer"])["points"] == [0, 2]


def test_what_would_make_a_later_round_impossible_is_said_and_not_offered(server):
    keys = table(server, *[WON] * 4)
    more = json.dumps([{"do": "gewinnt", "side": 0, "stake": 9}])
    status, text = page(server, keys["scorer"], 0, mode="replace", events=more)
    assert status == 200
    assert "Dann wäre Runde 2 unmöglich" in text
    assert "So schreiben" not in text
    # The reason stands inside that sentence: it is one itself, and orders nobody about.
    reason = re.search(r"Dann wäre Runde 2 unmöglich: ([^<]*)<", text)[1]
    assert "gewonnen: Wir" in reason
    assert reason.count(":") == 1


def test_a_game_that_then_would_not_be_over_is_put_right_with_what_came_after(server):
    keys = table(server, *[WON] * 5, {"do": "neues_spiel"}, WON, WON)
    less = json.dumps([LOST])
    _, text = page(server, keys["scorer"], 4, mode="replace", events=less)
    assert "So schreiben" not in text
    # The page goes on: another value, the round in the way, or all that came after.
    assert len(re.findall(r'class="chip" name="events"', text)) > 2
    assert "So lassen" in text
    assert f"/b/{keys['scorer']}/round/6" in text
    assert 'name="rest" value="strike"' in text
    _, text = page(server, keys["scorer"], 4, mode="replace", events=less, rest="strike")
    rows = re.findall(r"<tr><th.*?>\s*(.*?)\s*</th>\s*<td><s>([\d :]+)</s></td>", text)
    assert rows == [("1.5", "10 : 0"), ("2.1", "2 : 0"), ("2.2", "4 : 0"), ("Bummerl", "0 : 2")]
    assert server.request("POST", f"/t/{keys['scorer']}/events", proposed(text))[0] == 303
    found = state(server, keys["scorer"])
    assert (found["game"], found["points"], found["bummerl"]) == (1, [8, 2], [0, 0])
    undone = {"do": "korrektur", "of": 8, "with": None}
    assert server.write(keys["scorer"], undone, "undo")[0] == 201
    assert state(server, keys["scorer"])["points"] == [4, 0]


def test_before_anything_is_struck_out_it_is_said_what_stays_and_what_does_not(server):
    keys = table(server, *[WON] * 5, {"do": "neues_spiel"}, WON, WON)

    def said(source, **asked):
        more = json.dumps([{"do": "gewinnt", "side": 0, "stake": 3}])
        _, text = page(server, keys["scorer"], source, mode="replace", events=more, **asked)
        return text, re.findall(r"<li>([^<:]+): (Spiel[^<]+)</li>", text)

    last = [("Dann nicht mehr möglich", "Spiel 1, Runde 5"), ("Bleibt", "Spiel 2, Runden 1–2")]
    assert said(3)[1] == last
    between = [last[0], ("Bleibt", "Spiel 1, Runden 3–4; Spiel 2, Runden 1–2")]
    assert said(1)[1] == between
    # Where it is confirmed it is said once more, and what is said to stay does.
    text, told = said(1, rest="strike")
    assert told == between
    assert server.request("POST", f"/t/{keys['scorer']}/events", proposed(text))[0] == 303
    found = state(server, keys["scorer"])
    assert (found["game"], found["points"], found["games"][0]["points"]) == (2, [4, 0], [9, 0])
    # The round tells what was struck out with its old version, whole.
    _, text = page(server, keys["viewer"], 1)
    assert "was dann nicht mehr sein kann, ist gestrichen" in text
    assert text.count("<s>") == 2


def test_a_round_that_was_put_in_and_the_one_behind_it_are_each_put_right(server):
    keys = table(server, WON, LOST)
    three = json.dumps([{"do": "gewinnt", "side": 0, "stake": 3}])
    _, text = page(server, keys["scorer"], 1, mode="insert", events=three)
    server.request("POST", f"/t/{keys['scorer']}/events", proposed(text))
    slate = server.request("GET", f"/b/{keys['viewer']}")[2]
    links = re.findall(r'class="why" href="[?]round=([\d.]+)"><span', slate)
    assert sorted(links) == ["0", "1", "1.1"]
    titles = {at: re.search(r"<h1>([^<]*)", page(server, keys["viewer"], at)[1])[1] for at in links}
    assert [titles[at].strip() for at in sorted(links)] == [
        *(f"Spiel 1, Runde {number}" for number in (1, 2, 3))
    ]
    four = json.dumps([{"do": "gewinnt", "side": 1, "stake": 4}])
    _, text = page(server, keys["scorer"], "1.1", mode="replace", events=four)
    assert server.request("POST", f"/t/{keys['scorer']}/events", proposed(text))[0] == 303
    assert state(server, keys["scorer"])["points"] == [5, 4]


def test_an_overtaken_correction_is_shown_the_new_state(server):
    keys = table(server, WON)
    _, text = page(server, keys["scorer"], 0, mode="strike")
    server.write(keys["scorer"], WON, "meanwhile")
    status, _, answer = server.request(
        "POST", f"/t/{keys['scorer']}/events", proposed(text), Accept_Language="de"
    )
    assert status == 409
    assert "schneller" in answer
    assert state(server, keys["scorer"])["points"] == [4, 0]


@pytest.mark.parametrize("role", ["viewer", "opponent"])
def test_only_the_writer_is_offered_corrections(server, role):
    keys = table(server, WON)
    _, text = page(server, keys[role], 0, mode="strike")
    assert "So schreiben" not in text
    assert "Diese Runde gab es nicht" not in text


@pytest.mark.parametrize("events", ["", "{", "7", "null", '[{"do":"hexen"}]', '["x"]'])
def test_a_correction_not_of_ours_is_refused(server, events):
    keys = table(server, WON)
    assert page(server, keys["scorer"], 0, mode="replace", events=events)[0] == 400


def test_a_round_that_is_not_there_is_said_so(server):
    keys = table(server, WON)
    assert page(server, keys["viewer"], 7)[0] == 404


def test_every_line_of_the_evening_leads_to_its_round(server):
    keys = table(server, *[WON] * 5, {"do": "neues_spiel"}, WON)
    history = server.request("GET", f"/b/{keys['viewer']}/history")[2]
    links = set(re.findall(r'href="(/b/\w+/round/\d+)"', history))
    assert len(links) == 6
    assert all(server.request("GET", link)[0] == 200 for link in links)


def test_other_readings_stand_beside_with_the_round_where_they_part(server):
    raised = [{"do": "bieten", "side": 0}, {"do": "bieten", "side": 1}, {"do": "gehen", "side": 0}]
    keys = table(server, WON, *raised)
    path = f"/b/{keys['viewer']}/readings"
    text = unescape(server.request("GET", path, Accept_Language="de")[2])
    parted = text.partition("immer 2")[2].partition("</li>")[0]
    assert re.search(r'class="result figures">2 : 2<', parted)
    assert "Spiel 1, Runde 2" in parted
    assert "<h2>Frankreich</h2>" in text


def test_without_rounds_no_reading_differs(server):
    path = f"/b/{table(server)['viewer']}/readings"
    text = server.request("GET", path, Accept_Language="de")[2]
    assert "Bisher würde keine andere Regel etwas ändern" in text


@pytest.mark.parametrize(
    ("region", "told"),
    [
        ("trentino", "Da wäre das Spiel schon gewonnen gewesen"),
        ("bayern", "Da wäre zu entscheiden gewesen, ob gespielt wird"),
    ],
)
def test_a_reading_that_goes_no_further_gives_no_orders(server, region, told):
    """What could not be played so is told of the evening: nobody is to start or choose anything."""
    keys = server.table(region)
    for number in range(6):
        assert server.write(keys["scorer"], WON, str(number))[0] == 201
    text = server.request("GET", f"/b/{keys['viewer']}/readings", Accept_Language="de")[2]
    assert told in text


def test_a_correction_is_named_before_it_is_written(server):
    keys = table(server, WON)
    other = json.dumps([{"do": "gewinnt", "side": 1, "stake": 3}])
    _, text = page(server, keys["scorer"], 0, mode="replace", events=other)
    shown = text.partition('id="preview"')[2].partition("<table")[0]
    assert "berichtigt: Die: Runde um 3 gewonnen" in shown
