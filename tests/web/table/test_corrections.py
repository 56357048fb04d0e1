"""The history of a round, and its correction."""

import json
import re
from urllib.parse import urlencode

import pytest

from scorer.engine.telling.messages import REFUSALS
from tests.builders import LOST, NAMED, NEXT, WON
from tests.pages import Page, translated

GOES = {"do": "gehen", "side": 0}


def page(server, key, source, **asked):
    path = f"/b/{key}/round/{source}?{urlencode(asked)}"
    status, _, text = server.request("GET", path, Accept_Language="de")
    return status, Page(text)


def offers_correction(text):
    """Whether a page has a button that writes a correction."""
    return bool(text.all("button", name="event"))


def correction_form(text):
    """The fields of the preview's form, which records the correction."""
    form = re.search(r'id="preview".*?<form.*?</form>', text, re.DOTALL)[0]
    names = ("seq", "token")
    found = [(name, re.search(rf'name="{name}" value="([^"]*)"', form)[1]) for name in names]
    event = re.search(r'name="event" value="(.*?)">', form)[1]
    return [*found, ("event", event)]


def outlook(text):
    """The numbers in the preview's sentence: the new score, the game and the dropped rounds."""
    return re.findall(r"\d+", text.one(css="lead").text)


def entries(text):
    """The kind of each event about a round, and whether the event counts."""
    found = text.one("ol", css="entries").all("li")
    return [(entry["data-do"], not entry.has("s")) for entry in found]


def test_round_page_shows_events_times_and_rule(server):
    raised = [{"do": "bieten", "side": 0}, {"do": "gehen", "side": 1}]
    keys = server.table(sides=NAMED, played=[*raised, WON])
    status, text = page(server, keys["viewer"], 0)
    assert status == 200
    assert [rung["class"] for rung in text.one(css="rungs").all("li")] == ["side-0", "side-1"]
    assert "3" in text.one(css="rungs").all("li")[0].text
    assert "O-45" in text
    assert entries(text) == [("bieten", True), ("gehen", True)]
    for entry in text.one("ol", css="entries").all("li"):
        assert re.search(r"\d\d:\d\d \w+", entry.one("time", datetime=True).text)
    assert not text.has(css="different")


@pytest.mark.parametrize("events", [[{"do": "einig", "side": 0}], [WON] * 51, [{}], 5])
@pytest.mark.parametrize("mode", ["replace", "insert"])
def test_illegal_correction_link_is_refused(server, mode, events):
    keys = server.table(sides=NAMED, played=[WON])
    status, _ = page(server, keys["scorer"], 0, mode=mode, events=json.dumps(events))
    assert status == 400


def test_correction_is_previewed_then_written(server):
    keys = server.table(sides=NAMED, played=[WON, WON])
    other = json.dumps([{"do": "gewinnt", "side": 1, "stake": 3}])
    _, text = page(server, keys["scorer"], 0, mode="replace", events=other)
    rows = re.findall(r"<s>([\d :]+)</s></td>\s*<td><b>([\d :]+)</b>", text)
    assert rows == [("2 : 0", "0 : 3"), ("4 : 0", "2 : 3")]
    assert server.state(keys["scorer"])["points"] == [4, 0]
    form = correction_form(text)
    assert server.request("POST", f"/t/{keys['scorer']}/events", form)[0] == 303
    assert server.state(keys["scorer"])["points"] == [2, 3]
    _, text = page(server, keys["viewer"], 0)
    assert entries(text) == [("gewinnt", False), ("korrektur", True)]
    # The entry names the new value and the side that gets it.
    corrected = text.one("li", data_do="korrektur").text
    assert "Partei 2" in corrected.partition(" 3 ")[0]


def test_correction_with_equal_sums_is_recorded(server):
    keys = server.table(sides=NAMED, played=[WON, LOST])
    asked = {"mode": "replace", "events": json.dumps([{"do": "bieten", "side": 1}, GOES])}
    _, text = page(server, keys["scorer"], 1, **asked)
    [row] = re.findall(r"<tr><th scope=\"row\">.*?</tr>", text, re.DOTALL)
    # The sums are equal, so the row shows the reason for each.
    stands, then = re.findall(r"<small>(.*?)</small>", row)
    assert "Die" in stands
    assert "Wir" in then.partition(" 3")[0]
    path = f"/t/{keys['scorer']}/events"
    assert server.request("POST", path, correction_form(text))[0] == 303
    _, text = page(server, keys["scorer"], 1, **asked)
    assert text.one(id="preview").has(data_unchanged=True)


def test_round_can_be_inserted_and_removed(server):
    keys = server.table(sides=NAMED, played=[WON])
    other = json.dumps([LOST])
    _, text = page(server, keys["scorer"], 0, mode="insert", events=other)
    assert server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))[0] == 303
    assert server.state(keys["scorer"])["points"] == [2, 2]
    keys = server.table(sides=NAMED, played=[WON, LOST])
    _, text = page(server, keys["scorer"], 0, mode="strike")
    # In Watten "strike" means points, so the page says "remove".
    removes = translated("Remove this round")
    assert text.one(id="preview").has("button", named=removes)
    # It asks only this, and the page without the question is one tap away.
    assert not text.one(id="slip").has("form", css="names")
    assert text.one(id="slip").has("a", href=f"/b/{keys['scorer']}/round/0")
    assert server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))[0] == 303
    assert server.state(keys["scorer"])["points"] == [0, 2]


def test_correction_explains_dropped_rounds(server):
    keys = server.table(sides=NAMED, played=[WON] * 4)
    more = json.dumps([{"do": "gewinnt", "side": 0, "stake": 9}])
    status, text = page(server, keys["scorer"], 0, mode="replace", events=more)
    assert status == 200
    notice = text.one(role="alert", data_field="round 2")
    assert notice.code == "game-over"
    # The sentence contains the reason, which names the winner.
    assert "wir haben" in notice.text
    assert outlook(text) == ["9", "0", "3"]
    assert server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))[0] == 303
    assert server.state(keys["scorer"])["points"] == [9, 0]


def test_impossible_correction_is_not_offered(server):
    keys = server.table(sides=NAMED, played=[WON])
    raised = json.dumps([{"do": "bieten", "side": 0}] * 2)
    status, text = page(server, keys["scorer"], 0, mode="replace", events=raised)
    assert status == 200
    assert text.one(id="preview").has(role="alert")
    assert not offers_correction(text)


def test_correction_can_reopen_a_finished_game(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON, WON])
    less = json.dumps([LOST])
    _, text = page(server, keys["scorer"], 4, mode="replace", events=less)
    # The page offers other values and the conflicting round, or drops all later rounds.
    assert len(re.findall(r'class="chip" name="events"', text)) > 2
    assert f"/b/{keys['scorer']}/round/6" in text
    assert outlook(text) == ["8", "2", "1", "2"]
    rows = re.findall(r"<tr><th.*?>\s*(.*?)\s*</th>\s*<td><s>([\d :]+)</s></td>", text)
    assert rows == [("1.5", "10 : 0"), ("2.1", "2 : 0"), ("2.2", "4 : 0"), ("Bummerl", "0 : 2")]
    assert server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))[0] == 303
    found = server.state(keys["scorer"])
    assert (found["game"], found["points"], found["bummerl"]) == (1, [8, 2], [0, 0])
    undone = {"do": "korrektur", "of": 8, "with": None}
    server.play(keys["scorer"], undone)
    assert server.state(keys["scorer"])["points"] == [4, 0]


def test_correction_lists_the_rounds_it_keeps(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON, WON])

    def preview(source):
        more = json.dumps([{"do": "gewinnt", "side": 0, "stake": 3}])
        _, text = page(server, keys["scorer"], source, mode="replace", events=more)
        rest = text.all("li", data_rest=True)
        return text, [(one["data-rest"], re.findall(r"\d+", one.text)) for one in rest]

    last = [("impossible", ["1", "5"]), ("kept", ["2", "1", "2"])]
    assert preview(3)[1] == last
    # The correction keeps the rounds that the preview says it keeps.
    text, groups = preview(1)
    assert groups == [last[0], ("kept", ["1", "3", "4", "2", "1", "2"])]
    assert server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))[0] == 303
    found = server.state(keys["scorer"])
    assert (found["game"], found["points"], found["games"][0]["points"]) == (2, [4, 0], [9, 0])
    # The round's history shows everything that was struck out with its old version.
    _, text = page(server, keys["viewer"], 1)
    assert entries(text) == [("gewinnt", False), ("gewinnt", False), ("korrektur", True)]


def test_inserted_round_is_corrected(server):
    keys = server.table(sides=NAMED, played=[WON, LOST])
    three = json.dumps([{"do": "gewinnt", "side": 0, "stake": 3}])
    _, text = page(server, keys["scorer"], 1, mode="insert", events=three)
    server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))
    slate = server.request("GET", f"/b/{keys['viewer']}")[2]
    links = re.findall(r'class="reason-link" href="[?]round=([\d.]+)"><span', slate)
    assert sorted(links) == ["0", "1", "1.1"]
    titles = {at: re.search(r"<h1>([^<]*)", page(server, keys["viewer"], at)[1])[1] for at in links}
    assert [re.findall(r"\d+", titles[at]) for at in sorted(links)] == [
        *(["1", str(number)] for number in (1, 2, 3))
    ]
    four = json.dumps([{"do": "gewinnt", "side": 1, "stake": 4}])
    _, text = page(server, keys["scorer"], "1.1", mode="replace", events=four)
    assert server.request("POST", f"/t/{keys['scorer']}/events", correction_form(text))[0] == 303
    assert server.state(keys["scorer"])["points"] == [5, 4]


def test_outdated_correction_is_refused(server):
    keys = server.table(sides=NAMED, played=[WON])
    _, text = page(server, keys["scorer"], 0, mode="strike")
    server.write(keys["scorer"], WON, "meanwhile")
    status, _, answer = server.request(
        "POST", f"/t/{keys['scorer']}/events", correction_form(text), Accept_Language="de"
    )
    assert status == 409
    assert Page(answer).code == "stale"
    assert server.state(keys["scorer"])["points"] == [4, 0]


def test_viewers_are_offered_no_correction(server):
    keys = server.table(sides=NAMED, played=[WON])
    _, text = page(server, keys["viewer"], 0, mode="strike")
    assert not text.has(id="slip")
    assert not text.has("button", name="mode")


def selected_labels(text):
    return [one.text for one in text.one(id="slip").all("button", aria_current="true")]


def test_slip_preselects_the_recorded_result(server):
    three = {**LOST, "stake": 3}
    raised = [{"do": "bieten", "side": 0}, {"do": "bieten", "side": 1}, GOES]
    keys = server.table(sides=NAMED, played=[three, *raised])
    _, text = page(server, keys["scorer"], 0)
    assert selected_labels(text) == ["Die", "+3"]
    assert not text.has(id="preview")
    # The fold is not one of the low values, and is selected beside them.
    name, value = selected_labels(page(server, keys["scorer"], 1)[1])
    assert (name, re.findall(r"\d+", value)) == ("Die", ["3", "4"])


def test_changing_the_side_keeps_the_value(server):
    keys = server.table(sides=NAMED, played=[{**WON, "stake": 4}])
    _, text = page(server, keys["scorer"], 0)
    [other] = [one for one in text.one(css="names").all("button") if one.text == "Die"]
    _, text = page(server, keys["scorer"], 0, mode="replace", events=other["value"])
    assert selected_labels(text) == ["Die", "+4"]
    assert outlook(text) == ["0", "4"]


def test_slip_offers_every_outcome_once(server):
    keys = server.table("suedtirol", sides=NAMED, played=[WON])
    _, text = page(server, keys["scorer"], 0)
    for name in text.one(css="names").all("button"):
        _, text = page(server, keys["scorer"], 0, mode="replace", events=name["value"])
        values = [one.all("button", name="events") for one in text.all(css="values")]
        offered = [one["value"] for part in values for one in part]
        assert len(set(offered)) == len(offered) > 5
        assert len(values[0]) <= 5


def test_opponent_can_only_propose_a_correction(server):
    keys = server.table(sides=NAMED, played=[WON, WON])
    other = json.dumps([LOST], separators=(",", ":"))
    _, text = page(server, keys["opponent"], 0, mode="replace", events=other)
    # No button records it without the writer's consent.
    assert not offers_correction(text)
    [form] = [one for one in text.all("form") if one.has("button", value="vorschlag")]
    assert server.request("POST", form["action"], form.fields)[0] == 303
    assert server.state(keys["viewer"])["points"] == [4, 0]
    # The proposing side may only withdraw it, here and on its board.
    _, text = page(server, keys["opponent"], 0)
    assert not text.has("button", value="zusage")
    assert text.has("button", value="absage")
    assert not server.page(f"/b/{keys['opponent']}").has("button", name="event")
    # The writer's pad shows the proposal, and one tap accepts it.
    waits = server.page(f"/t/{keys['scorer']}").one(data_proposal=True)
    assert "Die" in waits.one(role="link").text
    form = waits.one("form")
    assert server.request("POST", form["action"], form.fields)[0] == 303
    assert server.state(keys["viewer"])["points"] == [2, 2]
    assert not server.page(f"/t/{keys['scorer']}").has(data_proposal=True)


@pytest.mark.parametrize("events", ["", "{", "7", "null", '[{"do":"hexen"}]', '["x"]'])
def test_malformed_correction_is_refused(server, events):
    keys = server.table(sides=NAMED, played=[WON])
    assert page(server, keys["scorer"], 0, mode="replace", events=events)[0] == 400


def test_missing_round_returns_404(server):
    keys = server.table(sides=NAMED, played=[WON])
    assert page(server, keys["viewer"], 7)[0] == 404


def test_history_links_to_each_round(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON])
    history = server.request("GET", f"/b/{keys['viewer']}/history")[2]
    links = set(re.findall(r'href="(/b/\w+/round/\d+)"', history))
    assert len(links) == 6
    assert all(server.request("GET", link)[0] == 200 for link in links)


def test_evening_marks_corrections_and_folds(server):
    raised = [{"do": "bieten", "side": 0}, {"do": "gehen", "side": 1}]
    change = {"do": "korrektur", "of": 0, "with": LOST}
    keys = server.table(sides=NAMED, played=[WON, *raised, change])
    evening = server.page(f"/b/{keys['viewer']}/history")
    first, second = evening.one(id="round-0"), evening.one(id="round-2")
    assert first.has(css="marked") and not second.has(css="marked")
    # The page shows the old entry struck out beside the new one.
    assert "Partei 1" in first.one("s").text
    assert not second.has("s")
    notes = [cell.one("small").text for cell in second.one(css="line-row").all(css="cell")]
    assert "3" in notes[1]


def test_readings_name_the_round_where_they_differ(server):
    raised = [{"do": "bieten", "side": 0}, {"do": "bieten", "side": 1}, {"do": "gehen", "side": 0}]
    keys = server.table(sides=NAMED, played=[WON, *raised])
    path = f"/b/{keys['viewer']}/readings"
    text = server.page(path)
    outcomes = text.all(css="outcome")
    [parted] = [one for one in outcomes if one.one("ul").text.count("immer 2")]
    assert [one.text for one in parted.all(css="figures")] == ["2 : 2", "0 : 0"]
    assert re.findall(r"\d+", parted.all(css="way")[0].text) == ["1", "2"]
    # Readings with the same result are listed together.
    results = [tuple(figures.text for figures in one.all(css="figures")) for one in outcomes]
    assert len(results) == len({*results})
    assert any("Frankreich" in one.text for one in outcomes)


def test_readings_agree_before_the_first_round(server):
    path = f"/b/{server.table(sides=NAMED)['viewer']}/readings"
    text = server.page(path)
    assert text.has(data_alike=True)
    assert not text.has(css="readings")


@pytest.mark.parametrize(
    ("region", "code"), [("trentino", "game-over"), ("bayern", "decision-open")]
)
def test_impossible_reading_gives_no_instructions(server, region, code):
    """The page reports the event that was impossible, without telling anybody what to do next."""
    keys = server.table(region, played=[WON] * 6)
    text = server.page(f"/b/{keys['viewer']}/readings")
    reports = {one.text for one in text.all("p", data_code=code)}
    # The refusal's usual sentence says what to do next, so the page does not use it.
    orders = [part for part in re.split(r"\{\w+\}", translated(REFUSALS[code])) if len(part) > 5]
    assert reports and not any(part in one for one in reports for part in orders)


def test_penalty_preview_names_the_other_side(server):
    keys = server.table(sides=NAMED, played=[WON])
    given = json.dumps([{"do": "strafe", "side": 1, "offence": "vergeben"}])
    _, text = page(server, keys["scorer"], 0, mode="replace", events=given)
    assert not selected_labels(text)
    assert "anderen" in text.one(id="preview").all("p")[0].text
