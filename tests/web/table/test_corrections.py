"""The history of a round, and its correction."""

import json
import re
from itertools import groupby
from urllib.parse import urlencode

import pytest

from scorer.engine.rules.loading import REGIONS
from scorer.engine.telling.english_sentences import REFUSALS
from tests.builders import LOST, NAMED, NEXT, RAISED, WON
from tests.pages import translated

GOES = {"do": "gehen", "side": 0}
ANSWERED = {"do": "bieten", "side": 1}


def page(server, key, source, *events, status=200, **asked):
    """The page of a round. With events, it previews that they replace the round."""
    given = {"mode": "replace", "events": json.dumps(events)} if events else {}
    return server.page(f"/b/{key}/round/{source}?{urlencode(given | asked)}", status)


def write(server, keys, text):
    """Send the preview's form. Returns the table's state after it."""
    form = text.one(id="preview").all("form")[0]
    server.submit(f"/t/{keys['scorer']}/events", form.fields)
    return server.state(keys["scorer"])


def preview_numbers(text):
    """The numbers in the preview: a game that ends otherwise, the score, the dropped rounds, and if
    they differ the Bummerl then and now."""
    return re.findall(r"\d+", text.one(css="lead").text)


def entries(text):
    """The kind of each event about a round, and whether the event counts."""
    found = text.one("ol", css="entries").all("li")
    return [(entry["data-do"], not entry.has("s")) for entry in found]


def selected_labels(text):
    return [one.text for one in text.one(id="correction").all("button", aria_current="true")]


def test_round_page_shows_events_times_and_rule(server):
    keys = server.table(sides=NAMED, played=[RAISED, {**GOES, "side": 1}, WON])
    text = page(server, keys["viewer"], 0)
    rungs = text.one(css="rungs").all("li")
    assert [rung["class"] for rung in rungs] == ["side-0", "side-1"]
    assert "3" in rungs[0].text
    assert "O-45" in text
    assert entries(text) == [("bieten", True), ("gehen", True)]
    for entry in text.one("ol", css="entries").all("li"):
        assert re.search(r"\d\d:\d\d \w+", entry.one("time", datetime=True).text)
    assert not text.has(css="different")


def test_preview_says_first_that_a_game_would_be_won_or_go_on(server):
    won = [{"do": "gewinnt", "side": 0}] * 5
    keys = server.table(sides=NAMED, set={"target": 11}, played=[*won, LOST])
    lead = page(server, keys["scorer"], 5, *won[:1]).one(css="lead").text
    won_text = translated("{side} would have won game {game}").rpartition("} ")[2]
    assert f"1 {won_text}. " in lead and "12 : 0" in lead
    server.play(keys["scorer"], *won[:1])
    lead = page(server, keys["scorer"], 6, LOST).one(css="lead").text
    not_over = translated("Game %(n)s would not be over") % {"n": 1}
    assert lead.startswith(not_over)


ILLEGAL = [[{"do": "einig", "side": 0}], [WON] * 51, [{}], 5, [{"do": "hexen"}], ["x"], None]


@pytest.mark.parametrize("events", ["", "{", *map(json.dumps, ILLEGAL)])
@pytest.mark.parametrize("mode", ["replace", "insert"])
def test_illegal_correction_link_is_refused(server, mode, events):
    key = server.table(sides=NAMED, played=[WON])["scorer"]
    page(server, key, 0, status=400, mode=mode, events=events)


def test_correction_is_previewed_then_written(server):
    keys = server.table(sides=NAMED, played=[WON, WON])
    text = page(server, keys["scorer"], 0, {**LOST, "stake": 3})
    rows = re.findall(r"<s>([\d :]+)</s></td>\s*<td><b>([\d :]+)</b>", text)
    assert rows == [("2 : 0", "0 : 3"), ("4 : 0", "2 : 3")]
    assert server.state(keys["scorer"])["points"] == [4, 0]
    assert write(server, keys, text)["points"] == [2, 3]
    text = page(server, keys["viewer"], 0)
    assert entries(text) == [("gewinnt", False), ("korrektur", True)]
    # The entry names the new value and the side that gets it.
    assert "Partei 2" in text.one("li", data_do="korrektur").text.partition(" 3 ")[0]


def test_correction_with_equal_sums_is_recorded(server):
    keys = server.table(sides=NAMED, played=[WON, LOST])
    text = page(server, keys["scorer"], 1, ANSWERED, GOES)
    [row] = re.findall(r"<tr><th scope=\"row\">.*?</tr>", text, re.DOTALL)
    # The sums are equal, so the row shows the reason for each.
    stands, then = re.findall(r"<small>(.*?)</small>", row)
    assert "Die" in stands and "Wir" in then.partition(" 3")[0]
    write(server, keys, text)
    text = page(server, keys["scorer"], 1, ANSWERED, GOES)
    assert text.one(id="preview").has(data_unchanged=True)


def test_round_can_be_inserted_and_removed(server):
    keys = server.table(sides=NAMED, played=[WON])
    text = page(server, keys["scorer"], 0, LOST, mode="insert")
    assert write(server, keys, text)["points"] == [2, 2]
    keys = server.table(sides=NAMED, played=[WON, LOST])
    text = page(server, keys["scorer"], 0, mode="strike")
    # In Watten "strike" means points, so the page says "remove".
    removes = translated("Remove this round")
    assert text.one(id="preview").has("button", named=removes)
    # It asks only this, and the page without the question is one tap away.
    assert not text.one(id="correction").has("form", css="names")
    assert text.one(id="correction").has("a", href=f"/b/{keys['scorer']}/round/0")
    assert write(server, keys, text)["points"] == [0, 2]


def test_correction_explains_dropped_rounds(server):
    keys = server.table(sides=NAMED, played=[WON] * 4)
    text = page(server, keys["scorer"], 0, {**WON, "stake": 9})
    notice = text.one(role="alert", data_field="round 2")
    # The sentence contains the reason, which names the winner.
    assert notice.code == "game-over" and "wir haben" in notice.text
    assert preview_numbers(text) == ["1", "9", "0", "3", *"0200"]
    assert write(server, keys, text)["points"] == [9, 0]


def test_correction_of_an_earlier_game_shows_its_score(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 4, LOST, WON, NEXT, LOST])
    text = page(server, keys["scorer"], 0, {**WON, "stake": 3})
    assert preview_numbers(text) == ["9", "0", "1", "2", *"0201"]


def test_preview_says_that_a_confirmed_game_must_be_confirmed_again(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT])
    again = translated("the other side would have to confirm the game again")
    assert again not in page(server, keys["scorer"], 4, LOST).one(css="lead").text
    server.write(keys["opponent"], {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}, "y")
    assert again in page(server, keys["scorer"], 4, LOST).one(css="lead").text


def test_impossible_correction_is_not_offered(server):
    key = server.table(sides=NAMED, played=[WON])["scorer"]
    text = page(server, key, 0, RAISED, RAISED)
    assert text.one(id="preview").has(role="alert") and not text.has("button", name="event")


def test_correction_can_reopen_a_finished_game(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON, WON])
    text = page(server, keys["scorer"], 4, LOST)
    # The page offers other values and the conflicting round, or drops all later rounds.
    assert len(re.findall(r'class="chip" name="events"', text)) > 2
    assert f"/b/{keys['scorer']}/round/6" in text
    assert preview_numbers(text) == ["1", "8", "2", "1", "2", *"0002"]
    rows = re.findall(r"<tr><th.*?>\s*(.*?)\s*</th>\s*<td><s>([\d :]+)</s></td>", text)
    assert rows == [("1.5", "10 : 0"), ("2.1", "2 : 0"), ("2.2", "4 : 0"), ("Bummerl", "0 : 2")]
    found = write(server, keys, text)
    assert (found["game"], found["points"], found["bummerl"]) == (1, [8, 2], [0, 0])
    server.play(keys["scorer"], {"do": "korrektur", "of": 8, "with": None})
    assert server.state(keys["scorer"])["points"] == [4, 0]


def test_preview_tells_one_struck_round_once(server):
    """Its sentence has named the round, and the reason below it says why."""
    keys = server.table(rules="bayern", sides=NAMED, start={"points": [10, 0]})
    server.play(keys["scorer"], {**WON, "stake": 3}, {"do": "gehen", "side": 0})
    preview = page(server, keys["scorer"], 0, WON).one(id="preview")
    round_2 = translated("round %(n)s is dropped") % {"n": 2}
    assert round_2 in preview.one(css="lead").text
    assert not preview.all("li", data_rest=True)
    assert preview.text.count(translated("Round %(n)s") % {"n": 2}) == 2


def test_preview_names_the_game_of_a_dropped_round(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON])
    lead = page(server, keys["scorer"], 2, {**WON, "side": 1}).one(id="preview").one(css="lead")
    dropped = translated("round %(n)s of game %(game)s is dropped") % {"n": 1, "game": 2}
    assert dropped in lead.text


def test_preview_counts_no_round_of_which_only_the_decision_is_struck(server):
    """Sentence, button and table say the same number."""
    at_the_edge = [*[WON] * 3, *[LOST] * 3, *[WON] * 4, {"do": "bleiben", "side": 0}, WON]
    played = [*at_the_edge, NEXT, LOST, WON, LOST]
    keys = server.table("bayern", sides=NAMED, played=played)
    preview = page(server, keys["scorer"], 0, LOST).one(id="preview")
    assert "3" in preview.one("form").one("button").text
    assert "3" in re.findall(r"\d+", preview.one(css="lead").text)
    assert "4" not in re.findall(r"\d+", preview.one(css="lead").text)
    rows = [[cell.text for cell in row.all("td")] for row in preview.one("table").all("tr")]
    assert sum(cells[-1:] == ["–"] for cells in rows) == 3


def test_preview_calls_no_round_impossible_that_stays(server):
    played = [*[WON] * 3, *[LOST] * 3, *[WON] * 3, {"do": "bleiben", "side": 0}, WON]
    keys = server.table("bayern", sides=NAMED, start={"points": [1, 0]}, played=played)
    preview = page(server, keys["scorer"], 0, LOST).one(id="preview")
    assert [item["data-rest"] for item in preview.all("li", data_rest=True)][:1] == ["undecided"]
    assert not preview.all(role="alert")


def test_correction_lists_the_rounds_it_keeps(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON, WON])

    def preview(source):
        text = page(server, keys["scorer"], source, {**WON, "stake": 3})
        rest = text.all("li", data_rest=True)
        return text, [(one["data-rest"], re.findall(r"\d+", one.text)) for one in rest]

    # The sentence above names the one round that is struck.
    assert preview(3)[1] == [("kept", ["2", "1", "2"])]
    # The correction keeps the rounds that the preview says it keeps.
    text, groups = preview(1)
    assert groups == [("kept", ["1", "3", "4", "2", "1", "2"])]
    # The button says how many rounds it strikes.
    assert "1" in text.one(id="preview").one("button").label
    found = write(server, keys, text)
    assert (found["game"], found["points"], found["games"][0]["points"]) == (2, [4, 0], [9, 0])
    # The round's history shows everything that was struck out with its old version.
    shown = entries(page(server, keys["viewer"], 1))
    assert shown == [("gewinnt", False), ("gewinnt", False), ("korrektur", True)]


def test_inserted_round_is_corrected(server):
    keys = server.table(sides=NAMED, played=[WON, LOST])
    write(server, keys, page(server, keys["scorer"], 1, {**WON, "stake": 3}, mode="insert"))
    slate = server.page(f"/b/{keys['viewer']}").html
    links = sorted(re.findall(r'class="reason-link" href="[?]round=([\d.]+)"><span', slate))
    assert links == ["0", "1", "1.1"]
    titles = [page(server, keys["viewer"], at).one("h1").text for at in links]
    assert [re.findall(r"\d+", title) for title in titles] == [["1", "1"], ["1", "2"], ["1", "3"]]
    text = page(server, keys["scorer"], "1.1", {**LOST, "stake": 4})
    assert write(server, keys, text)["points"] == [5, 4]


def test_outdated_correction_is_refused(server):
    key = server.table(sides=NAMED, played=[WON])["scorer"]
    form = page(server, key, 0, mode="strike").one(id="preview").all("form")[0]
    server.play(key, WON)
    assert server.submit_refused(f"/t/{key}/events", form.fields, 409).code == "stale"
    assert server.state(key)["points"] == [4, 0]


def test_viewers_are_offered_no_correction(server):
    key = server.table(sides=NAMED, played=[WON])["viewer"]
    text = page(server, key, 0, mode="strike")
    assert not text.has(id="correction") and not text.has("button", name="mode")


def test_form_of_a_penalty_selects_the_penalty_and_no_winner(server):
    penalty = {"do": "strafe", "side": 1, "offence": "vergeben"}
    keys = server.table(sides=NAMED, played=[penalty])
    form = server.page(f"/b/{keys['scorer']}/round/0").one(id="correction")
    selected = [json.loads(one["value"]) for one in form.all("button", aria_current="true")]
    assert selected == [[penalty]]


def test_form_preselects_the_recorded_result(server):
    played = [{**LOST, "stake": 3}, RAISED, ANSWERED, GOES]
    keys = server.table(sides=NAMED, played=played)
    text = page(server, keys["scorer"], 0)
    assert selected_labels(text) == ["Die", "+3"]
    assert not text.has(id="preview")
    # The fold is not one of the low values, and is selected beside them.
    name, value = selected_labels(page(server, keys["scorer"], 1))
    assert (name, re.findall(r"\d+", value)) == ("Die", ["3", "4"])


def test_changing_the_side_keeps_the_value(server):
    key = server.table(sides=NAMED, played=[{**WON, "stake": 4}])["scorer"]
    other = page(server, key, 0).one(css="names").one("button", named="Die")
    text = page(server, key, 0, mode="replace", events=other["value"])
    assert selected_labels(text) == ["Die", "+4"]
    assert preview_numbers(text) == ["0", "4"]


def test_form_offers_every_outcome_once(server):
    key = server.table("suedtirol", sides=NAMED, played=[WON])["scorer"]
    for name in page(server, key, 0).one(css="names").all("button"):
        text = page(server, key, 0, mode="replace", events=name["value"])
        values = [one.all("button", name="events") for one in text.all(css="values")]
        offered = [one["value"] for part in values for one in part]
        assert len(set(offered)) == len(offered) > 5 >= len(values[0])


def test_opponent_can_only_propose_a_correction(server):
    keys = server.table(sides=NAMED, played=[WON, WON])
    text = page(server, keys["opponent"], 0, LOST)
    # No button records it without the writer's consent.
    assert not text.has("button", name="event")
    [form] = [one for one in text.all("form") if one.has("button", value="vorschlag")]
    server.submit(form["action"], form.fields)
    assert server.state(keys["viewer"])["points"] == [4, 0]
    # The proposing side may only withdraw it, here and on its board.
    text = page(server, keys["opponent"], 0)
    assert text.has("button", value="absage") and not text.has("button", value="zusage")
    assert not server.page(f"/b/{keys['opponent']}").has("button", name="event")
    # The writer's pad shows the proposal, and one tap accepts it.
    waits = server.page(f"/t/{keys['scorer']}").one(data_proposal=True)
    assert "Die" in waits.one(role="link").text
    yes, no = waits.all("form")
    assert "absage" in dict(no.fields)["event"]
    server.submit(yes["action"], yes.fields)
    assert server.state(keys["viewer"])["points"] == [2, 2]
    assert not server.page(f"/t/{keys['scorer']}").has(data_proposal=True)


def test_proposal_is_rejected_by_one_tap_on_the_pad(server):
    keys = server.table(sides=NAMED, played=[WON])
    text = page(server, keys["opponent"], 0, LOST)
    [form] = [one for one in text.all("form") if one.has("button", value="vorschlag")]
    server.submit(form["action"], form.fields)
    waits = server.page(f"/t/{keys['scorer']}").one(data_proposal=True)
    no = waits.all("form")[1]
    server.submit(no["action"], no.fields)
    assert not server.page(f"/t/{keys['scorer']}").has(data_proposal=True)
    assert server.state(keys["viewer"])["points"] == [2, 0]


def test_history_links_to_each_round(server):
    keys = server.table(sides=NAMED, played=[*[WON] * 5, NEXT, WON])
    history = server.page(f"/b/{keys['viewer']}/history").html
    links = set(re.findall(r'href="(/b/\w+/round/\d+)"', history))
    assert len(links) == 6
    assert all(server.request("GET", link)[0] == 200 for link in links)
    # A round that was not played has no page.
    page(server, keys["viewer"], 7, status=404)


def test_evening_marks_corrections_and_folds(server):
    change = {"do": "korrektur", "of": 0, "with": LOST}
    keys = server.table(sides=NAMED, played=[WON, RAISED, {**GOES, "side": 1}, change])
    evening = server.page(f"/b/{keys['viewer']}/history")
    first, second = evening.one(id="round-0"), evening.one(id="round-2")
    assert first.has(css="marked") and not second.has(css="marked")
    # The page shows the old entry struck out beside the new one.
    assert "Partei 1" in first.one("s").text and not second.has("s")
    assert "3" in second.one(css="line-row").all(css="cell")[1].one("small").text


def test_readings_name_the_round_where_they_differ(server):
    keys = server.table(sides=NAMED, played=[WON, RAISED, ANSWERED, GOES])
    outcomes = server.page(f"/b/{keys['viewer']}/readings").all(css="outcome")
    [parted] = [one for one in outcomes if "immer 2" in one.one("h2").text]
    assert [one.text for one in parted.all(css="figures")] == ["2 : 2"]
    assert re.findall(r"\d+", parted.all(css="from-round")[0].text) == ["1", "2"]
    # Readings with the same result follow each other.
    results = [one.one(css="figures").text for one in outcomes if one.has(css="figures")]
    assert len([*groupby(results)]) == len({*results})
    assert any("Frankreich" in one.text for one in outcomes)


@pytest.mark.parametrize("region", REGIONS)
def test_readings_are_sentences_that_name_the_own_rule(server, region):
    page = server.page(f"/b/{server.table(region)['viewer']}/readings", language="de")
    texts = ("%(reading)s (at your table: %(own)s)", "Rules: %(region)s instead of %(own)s")
    patterns = [re.sub(r"%\\\(\w+\\\)s", "(.+)", re.escape(translated(text))) for text in texts]
    read = re.compile("|".join(patterns)).fullmatch
    sentences = [read(one.text) for one in page.all("li")]
    assert len(sentences) > len(REGIONS) and all(sentences)
    assert not {"ja", "nein"} & {part for found in sentences for part in found.groups()}


def test_readings_after_a_rematch_compare_the_game_that_differs(server):
    folded = [{**ANSWERED, "to": 3}, {**RAISED, "to": 4}, {**GOES, "side": 1}]
    keys = server.table(sides=NAMED, played=[*folded, *[LOST] * 5, NEXT])
    outcomes = server.page(f"/b/{keys['viewer']}/readings").all(css="outcome")
    [other] = [one for one in outcomes if "immer 2" in one.one("h2").text]
    assert [one.text for one in other.all(css="figures")] == ["2 : 10"]
    same_winner = translated("Game %(n)s would have ended with other points") % {"n": 1}
    assert same_winner in other.one("p").text


def test_readings_agree_before_the_first_round(server):
    text = server.page(f"/b/{server.table(sides=NAMED)['viewer']}/readings")
    assert text.has(data_alike=True) and not text.has(css="readings")


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


def test_impossible_reading_names_what_would_not_have_been_allowed(server):
    """Without a decision at 13 points, nobody could have given the round away."""
    gives = {"do": "gehen", "side": 0}
    head = {"start": {"points": [13, 0]}, "look_back": "always"}
    made = server.table("bayern", sides=NAMED, played=[gives], **head)
    page = server.page(f"/b/{made['viewer']}/readings", language="de")
    reports = [one.text for one in page.all("p", data_code="nothing-to-answer")]
    assert reports and all("Spiel 1, Runde 1" in one and "gibt her" in one for one in reports)


def test_recorded_outcome_stays_among_the_choices(server):
    key = server.table(sides=NAMED, played=[{**WON, "stake": 7}])["scorer"]
    lowest = page(server, key, 0).all(css="values")[0].one("button", named="+2")
    tried = page(server, key, 0, mode="replace", events=lowest["value"]).all(css="values")[0]
    assert [one.text for one in tried.all("button")] == ["+2", "+3", "+4", "+5", "+7"]


@pytest.mark.parametrize("role", ["scorer", "opponent", "viewer"])
def test_dispute_says_to_each_side_what_it_can_do(server, role):
    keys = server.table(sides=NAMED, played=[WON])
    server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": 0})
    text = page(server, keys[role], 0)
    takes_back, settles = (
        translated(button)
        for button in ("We take it back: the round is right", "The dispute is settled")
    )
    shown = {"scorer": {settles}, "opponent": {takes_back}, "viewer": set()}[role]
    assert {one.text for one in text.all("button")} & {takes_back, settles} == shown


def test_proposal_names_the_points_and_stands_for_its_dispute(server):
    keys = server.table(sides=NAMED, played=[WON])
    change = {"do": "vorschlag", "side": 1, "of": 0, "with": {**WON, "stake": 3}}
    for event in ({"do": "strittig", "side": 1, "of": 0}, change):
        server.play(keys["opponent"], event)
    pad = server.page(f"/t/{keys['scorer']}")
    assert re.findall(r"[+]\d", pad.one(css="proposals").text) == ["+3", "+2"]
    assert pad.one(css="row-notes").text == translated("proposal")
    assert not page(server, keys["opponent"], 0).has("button", named=translated("Propose it"))


def test_points_struck_within_a_round_have_no_number(server):
    events = [{**WON, "stake": 7}, LOST, {"do": "streichen", "side": 1}, WON]
    keys = server.table(sides=NAMED, played=events)
    rows = server.page(f"/b/{keys['viewer']}/history").all(css="line-row")
    assert [row.one(css="quiet").text for row in rows] == ["1", "2", "", "3"]


def test_penalty_preview_names_the_other_side(server):
    key = server.table(sides=NAMED, played=[WON])["scorer"]
    text = page(server, key, 0, {"do": "strafe", "side": 1, "offence": "vergeben"})
    assert not selected_labels(text)
    assert "anderen" in text.one(id="preview").all("p")[0].text
