"""Blind Watten: no page or export reveals Schlag and trump before the round is over."""

import json
from html import unescape

import pytest

from scorer.engine import REGIONS, replay, rules_of, with_switches
from scorer.store import hash_chain
from tests.builders import RAISED, WON, head_and_events
from tests.sampling import mostly_slow

BLIND = [
    (region, variant)
    for region in REGIONS
    for variant in rules_of(region).variants
    if with_switches(rules_of(region), {}, variant).blind
]
ANNOUNCEMENT = {"do": "ansage", "schlag": "8", "trumpf": "H"}
SHOWN = "Herz Achter"


def open_table(app, events):
    """The keys of a table with these events, as an earlier release could record them."""
    record = {"watten": 1, "rules": "suedtirol", "variant": "blind", "events": events}
    return app.extensions["tables"].create_from_record(record)


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
    keys = local.table(region, variant=variant, cut=True, played=[WON])
    key = keys["scorer"]
    assert "ansage" not in {event["do"] for event in keys["state"]["legal"]}
    assert 'name="trumpf"' not in read(local, f"/t/{key}/more")
    rule = with_switches(rules_of(region), {}, variant).cite("blind_variants")[0]
    unended = {"do": "korrektur", "of": 0, "with": [ANNOUNCEMENT]}
    proposed = {**unended, "do": "vorschlag", "side": 0}
    events = (ANNOUNCEMENT, {**ANNOUNCEMENT, "trumpf": None}, unended, proposed)
    for number, event in enumerate(events):
        status, answer = local.write(key, event, f"api{number}")
        error = answer["error"]
        assert (status, error["code"], error["rule"]) == (422, "announced-blind", rule)
        form = [("event", json.dumps(event)), ("seq", "1"), ("token", f"tap{number}")]
        assert local.request("POST", f"/t/{key}/events", form)[0] == 422
        sent = {"Idempotency_Key": f"phone{number}", "If_Match": '"1"'}
        assert local.json("POST", f"/pocket/streams/{key}/events", event, **sent)[0] == 422
    assert local.seq(key) == 1


def test_open_round_accepts_an_announcement(local):
    for region, variant in (("bayern", "normal"), ("trentino", "offen")):
        keys = local.table(region, variant=variant)
        assert {"do": "ansage", "trumpf": "H"} in keys["state"]["legal"]
        local.play(keys["scorer"], ANNOUNCEMENT)
        assert "Herz" in read(local, f"/b/{keys['viewer']}")


CORRECTED = {"do": "korrektur", "of": 1, "with": [ANNOUNCEMENT, RAISED]}
NOTED = {"do": "korrektur", "of": 1, "with": [ANNOUNCEMENT]}
OLD = [
    [WON, ANNOUNCEMENT],
    [WON, ANNOUNCEMENT, {"do": "bieten", "side": 1}],
    [WON, RAISED, CORRECTED],
    [WON, ANNOUNCEMENT, {"do": "korrektur", "of": 1, "with": None}],
    [WON, WON, {**CORRECTED, "with": [ANNOUNCEMENT, WON]}, NOTED],
    [WON, RAISED, {**CORRECTED, "do": "vorschlag", "side": 0}],
]
"""Events of a running round that an earlier release may have recorded."""


@pytest.mark.parametrize("events", mostly_slow(OLD, 2), ids=range(len(OLD)))
def test_old_announcement_is_hidden_during_the_round(app, local, events):
    assert replay({"watten": 1, "rules": "suedtirol", "events": events})[1] is None
    keys = open_table(app, events)
    for path in pages(keys, [0, 1]):
        # A round that was taken back has no page.
        assert not shows_announcement(read(local, path, known=(200, 404))), path
    # The table's referee does not know Schlag and trump, so it offers no questions.
    assert 'class="segments asks' not in read(local, f"/b/{keys['viewer']}/referee")
    shown = json.loads(read(local, f"/api/tables/{keys['viewer']}/record"))
    assert hash_chain.first_broken_entry(*head_and_events(shown)) is None


def test_announcement_is_shown_after_the_round(app, local):
    keys = open_table(app, [ANNOUNCEMENT, WON])
    for role in ("scorer", "opponent", "viewer"):
        assert shows_announcement(read(local, f"/b/{keys[role]}/round/0"))
        assert shows_announcement(read(local, f"/api/tables/{keys[role]}/record"))


def note_announcement(local, key, spot, schlag, trumpf):
    """Send the form on a round's page that notes the announcement."""
    asked = f"/b/{key}/round/{spot}?mode=announce&schlag={schlag}&trumpf={trumpf}"
    form = local.page(asked).one(id="preview").all("form")[0]
    local.submit(f"/t/{key}/events", form.fields)


@pytest.mark.parametrize(("region", "variant"), BLIND)
def test_finished_blind_round_accepts_a_note(local, region, variant):
    played = [RAISED, {"do": "bleiben", "side": 1}, WON, WON]
    keys = local.table(region, variant=variant, played=played)
    before = local.state(keys["viewer"])
    own, shown = (f"/b/{keys[role]}/round/0" for role in ("scorer", "viewer"))
    assert 'name="mode" value="announce"' in read(local, own)
    assert 'value="announce"' not in read(local, shown)
    note_announcement(local, keys["scorer"], 0, "8", "H")
    assert "Herz" in read(local, shown).partition("entries")[2]
    # A second note replaces the first.
    note_announcement(local, keys["scorer"], 0, "7", "E")
    assert '<option value="E" selected>' in read(local, own)
    after = local.state(keys["viewer"])
    assert after == {**before, "because": after["because"]}


def test_running_blind_round_offers_no_note(app, local):
    path = f"/b/{open_table(app, [RAISED])['scorer']}/round/0"
    assert 'value="announce"' not in read(local, path)
    assert 'id="preview"' not in read(local, f"{path}?mode=announce&schlag=8&trumpf=H")
