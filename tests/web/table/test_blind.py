"""Blind Watten: no page or export reveals Schlag and trump before the round is over."""

import json
import re
from html import unescape

import pytest

from scorer.engine import REGIONS, house, load, replay
from scorer.store import hash_chain
from tests.builders import WON, split

BLIND = [
    (region, variant)
    for region in REGIONS
    for variant in load(region).variants
    if house(load(region), {}, variant).blind
]
ANNOUNCEMENT = {"do": "ansage", "schlag": "8", "trumpf": "H"}
SHOWN = "Herz Achter"


def open_table(app, events, region="suedtirol", variant="blind", **head):
    """The keys of a table with these events, as an earlier release could record them."""
    record = {"watten": 1, "rules": region, "variant": variant, "events": events, **head}
    return app.extensions["tables"].open_record(record)


def read(local, path, known=(200,)):
    status, _, text = local.request("GET", path)
    assert status in known, path
    return unescape(text)


def pages(keys, spots):
    """The paths of all pages and responses that show a table, for each of its keys."""
    for role in ("scorer", "opponent", "viewer"):
        key = keys[role]
        yield from (f"/b/{key}", f"/b/{key}/history", f"/b/{key}/rules", f"/b/{key}/readings")
        yield from (f"/b/{key}/round/{spot}" for spot in spots)
        yield from (f"/api/tables/{key}", f"/api/tables/{key}/record")
    yield from (f"/pocket/streams/{keys[role]}" for role in ("opponent", "viewer"))
    yield f"/b/{keys['viewer']}?big"
    yield from (f"/t/{keys['scorer']}{page}" for page in ("", "/more", "/menu"))


def shows_announcement(text):
    """Whether a page or a response shows the announced Schlag or trump."""
    return SHOWN in text or '"trumpf":"H"' in text.replace(" ", "")


@pytest.mark.parametrize(("region", "variant"), BLIND)
def test_blind_round_refuses_announcements(local, region, variant):
    keys = local.table(region, variant=variant, cut=True)
    key = keys["scorer"]
    assert "ansage" not in {event["do"] for event in keys["state"]["legal"]}
    assert 'name="trumpf"' not in read(local, f"/t/{key}/more")
    local.play(key, WON)
    rule = house(load(region), {}, variant).cite("blind_variants")[0]
    unended = {"do": "korrektur", "of": 0, "with": [ANNOUNCEMENT]}
    proposed = {**unended, "do": "vorschlag", "side": 0}
    for number, event in enumerate(
        (ANNOUNCEMENT, {**ANNOUNCEMENT, "trumpf": None}, unended, proposed)
    ):
        status, answer = local.write(key, event, f"api{number}")
        assert (status, answer["error"]["code"]) == (422, "announced-blind")
        assert answer["error"]["rule"] == rule
        form = [("event", json.dumps(event)), ("seq", "1"), ("token", f"tap{number}")]
        assert local.request("POST", f"/t/{key}/events", form)[0] == 422
        path = f"/pocket/streams/{key}/events"
        sent = {"Idempotency_Key": f"phone{number}", "If_Match": '"1"'}
        assert local.json("POST", path, event, **sent)[0] == 422
    assert local.seq(key) == 1


def test_open_round_accepts_an_announcement(local):
    for region, variant in (("bayern", "normal"), ("trentino", "offen")):
        keys = local.table(region, variant=variant)
        assert {"do": "ansage", "trumpf": "H"} in keys["state"]["legal"]
        local.play(keys["scorer"], ANNOUNCEMENT)
        assert "Herz" in read(local, f"/b/{keys['viewer']}")


CORRECTED = {"do": "korrektur", "of": 1, "with": [ANNOUNCEMENT, {"do": "bieten", "side": 0}]}
OLD = [
    [WON, ANNOUNCEMENT],
    [WON, ANNOUNCEMENT, {"do": "bieten", "side": 1}],
    [WON, {"do": "bieten", "side": 0}, CORRECTED],
    [WON, ANNOUNCEMENT, {"do": "korrektur", "of": 1, "with": None}],
    [
        WON,
        WON,
        {"do": "korrektur", "of": 1, "with": [ANNOUNCEMENT, WON]},
        {**CORRECTED, "with": [ANNOUNCEMENT]},
    ],
    [WON, {"do": "bieten", "side": 0}, {**CORRECTED, "do": "vorschlag", "side": 0}],
]
"""Events of a running round that an earlier release may have recorded."""


@pytest.mark.parametrize("events", OLD, ids=range(len(OLD)))
def test_old_announcement_is_hidden_during_the_round(app, local, events):
    record = {"watten": 1, "rules": "suedtirol", "events": events}
    _, refusal = replay(record)
    assert refusal is None
    keys = open_table(app, events)
    for path in pages(keys, [0, 1]):
        # A round that was taken back has no page.
        assert not shows_announcement(read(local, path, known=(200, 404))), path
    # The table's referee does not know Schlag and trump, so it offers no questions.
    assert 'class="segments asks' not in read(local, f"/b/{keys['viewer']}/referee")
    shown = json.loads(read(local, f"/api/tables/{keys['viewer']}/record"))
    assert hash_chain.check(*split(shown)) is None


def test_announcement_is_shown_after_the_round(app, local):
    keys = open_table(app, [ANNOUNCEMENT, WON])
    for role in ("scorer", "opponent", "viewer"):
        assert shows_announcement(read(local, f"/b/{keys[role]}/round/0"))
        assert shows_announcement(read(local, f"/api/tables/{keys[role]}/record"))


def note_announcement(local, key, spot, schlag, trumpf):
    """Send the form on a round's page that notes the announcement; returns the status."""
    asked = f"/b/{key}/round/{spot}?mode=announce&schlag={schlag}&trumpf={trumpf}"
    form = re.search(r'id="preview".*?<form.*?</form>', read(local, asked), re.DOTALL)[0]
    fields = [(n, re.search(rf'name="{n}" value="([^"]*)"', form)[1]) for n in ("seq", "token")]
    event = re.search(r'name="event" value="(.*?)">', form)[1]
    return local.request("POST", f"/t/{key}/events", [*fields, ("event", event)])[0]


@pytest.mark.parametrize(("region", "variant"), BLIND)
def test_finished_blind_round_accepts_a_note(local, region, variant):
    keys = local.table(region, variant=variant)
    raised = [{"do": "bieten", "side": 0}, {"do": "bleiben", "side": 1}, WON, WON]
    local.play(keys["scorer"], *raised)
    before = local.state(keys["viewer"])
    page = read(local, f"/b/{keys['scorer']}/round/0")
    assert re.search(r'name="mode" value="announce"', page)
    assert 'value="announce"' not in read(local, f"/b/{keys['viewer']}/round/0")
    assert note_announcement(local, keys["scorer"], 0, "8", "H") == 303
    assert "Herz" in read(local, f"/b/{keys['viewer']}/round/0").partition("entries")[2]
    # A second note replaces the first.
    assert note_announcement(local, keys["scorer"], 0, "7", "E") == 303
    assert re.search(r'<option value="E" selected>', read(local, f"/b/{keys['scorer']}/round/0"))
    after = local.state(keys["viewer"])
    assert after == {**before, "because": after["because"]}


def test_running_blind_round_offers_no_note(app, local):
    keys = open_table(app, [{"do": "bieten", "side": 0}])
    page = read(local, f"/b/{keys['scorer']}/round/0")
    assert 'value="announce"' not in page
    asked = f"/b/{keys['scorer']}/round/0?mode=announce&schlag=8&trumpf=H"
    assert 'id="preview"' not in read(local, asked)
