"""Each key has the same permissions for programs, taps and uploads."""

import json
from functools import partial

import pytest

from scorer.store import hash_chain
from scorer.store.keys import digest
from tests.builders import NEXT, WON, head_and_events

ROLES = ("scorer", "opponent", "viewer")
PLAYED = [*[WON] * 5, NEXT]
"""A whole game, 10:0, and the start of the next."""
AGREED = {"do": "bestaetigt", "game": 1, "stand": "10:0"}
CHANGED = {"of": 4, "with": [WON]}

ALLOWED = [
    # Event, side, who may record it.
    ({"do": "gewinnt"}, 0, {"scorer"}),
    ({"do": "gewinnt"}, 1, {"scorer"}),
    ({"do": "bieten"}, 0, {"scorer"}),
    ({"do": "bieten"}, 1, {"scorer", "opponent"}),
    ({"do": "korrektur", **CHANGED}, None, {"scorer"}),
    ({"do": "einig"}, 0, {"scorer"}),
    ({"do": "einig"}, 1, {"opponent"}),
    (AGREED, 0, set()),
    (AGREED, 1, {"opponent"}),
    ({"do": "strittig", "of": 0}, 0, {"scorer"}),
    ({"do": "strittig", "of": 0}, 1, {"opponent"}),
    ({"do": "vorschlag", **CHANGED}, 0, {"scorer"}),
    ({"do": "vorschlag", **CHANGED}, 1, {"opponent"}),
    ({"do": "preis", "amount": 100, "unit": "euro", "per": "bummerl"}, None, {"scorer"}),
    ({"do": "loeschung", "sealed": []}, None, set()),
    ({"do": "loeschung", "sealed": [f"0 {'0' * 64}"]}, None, set()),
    ({"do": "loeschung"}, None, set()),
    ({"do": "loeschung", "sealed": [1]}, None, set()),
    # Only a phone records this, when it opens the link.
    ({"do": "uebernahme", "link": "0" * 16}, None, set()),
]


def by_api(server, key, role, event, seen):
    return server.write(key, event, "token")[0]


def by_tap(server, key, role, event, seen):
    form = [("event", json.dumps(event)), ("seq", str(seen)), ("token", "token")]
    return server.request("POST", f"/{'t' if role == 'scorer' else 'b'}/{key}/events", form)[0]


def by_phone(server, key, role, event, seen, **cookie):
    sent = {"Idempotency_Key": "token", "If_Match": f'"{seen}"', **cookie}
    return server.json("POST", f"/pocket/streams/{key}/events", event, **sent)[0]


@pytest.fixture(scope="module")
def new_played_table(server):
    """A function that creates a table after its first game whose other side may answer."""

    return partial(server.table, answers=True, played=PLAYED)


@pytest.mark.parametrize("channel", [by_api, by_tap, by_phone])
@pytest.mark.parametrize(("event", "side", "who"), ALLOWED)
def test_only_permitted_roles_can_record_each_event(
    server, new_played_table, event, side, who, channel
):
    table = new_played_table()
    body = event if side is None else {**event, "side": side}
    for role in ROLES:
        # Roles without permission come first, to show that they change nothing.
        if role not in who:
            assert channel(server, table[role], role, body, len(PLAYED)) == 403, role
    head, events = head_and_events(server.record(table["viewer"]))
    assert len(events) == len(PLAYED)
    assert hash_chain.first_broken_entry(head, events) is None
    for role in sorted(who):
        fresh = table if len(who) == 1 else new_played_table()
        assert channel(server, fresh[role], role, body, len(PLAYED)) in (201, 303), role


def test_phone_can_claim_only_its_own_link(server, new_played_table):
    table, phone = new_played_table(), {"Cookie": "phone=abcdefgh"}
    links = {role: digest(table[role])[:16] for role in ROLES}
    for role, link, cookie in (
        ("scorer", links["opponent"], phone),
        ("opponent", links["scorer"], phone),
        # A program has no phone that could claim the link.
        ("opponent", links["opponent"], {}),
    ):
        event = {"do": "uebernahme", "link": link}
        assert by_phone(server, table[role], role, event, len(PLAYED), **cookie) == 403
    event = {"do": "uebernahme", "link": links["opponent"]}
    seen = len(PLAYED)
    assert by_phone(server, table["opponent"], "opponent", event, seen, **phone) == 201
    other = {"Cookie": "phone=stranger"}
    agreed = {**AGREED, "side": 1}
    assert by_phone(server, table["opponent"], "opponent", agreed, seen + 1, **other) == 403


def test_desk_cannot_upload_an_erasure(server):
    director = server.new_tournament(rounds=3)["director"]
    event = {"do": "loeschung", "sealed": []}
    assert by_phone(server, director, "director", event, 0) == 403
