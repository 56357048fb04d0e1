"""Random requests to every address with every key get an answer, and the pages still work.

A failure names the seed of its request. `make test-all` always uses the same seed.
"""

import json
import random
import re
import time
from urllib.parse import quote

import pytest

from scorer.store import hash_chain
from scorer.store.keys import digest
from scorer.web import create_app
from tests.serving import InProcessClient
from tests.torture import IS_LONG_RUN
from tests.web.test_route_permissions import PATH_VALUES, keys_by_role

REQUESTS = 1500
"""Requests that `make test-all` sends. `make torture` sends requests for an hour."""
HOUR = 3600
CAST = 250
"""Requests before new keys are made, because requests revoke keys and fill tables."""
VALUES = [
    *("", "0", "1", "-1", "7", "a", "x" * 300, "9" * 5000, "1e999", "NaN", "null", "true", "[]"),
    *("{" * 400, "[" * 2000, '{"do":"gewinnt","side":0}', '{"do":"korrektur","of":0}', "٣", "²"),
    *("\u202e2:6", "\u0000", "a\u0301" * 40, "🂡", "=1+1", "<script>", "%s%(x)s{0}", "\\", "../x"),
    *("//evil.example", "/\\evil.example", "/b/x\nSet-Cookie: a=b", "javascript:alert(1)", "hold"),
    *(
        "bayern",
        "replace",
        "insert",
        "strike",
        "director",
        "scorer",
        "b",
        "euro",
        "ergebnis",
        "uhr",
    ),
    *("aufnahme", "aenderung", "vermerk", "leerung", "walkover", "sperre", "bestaetigung", "{}"),
    *("2026-13-01T00:00:00.000Z", "0000-05-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"),
]
FIELDS = re.findall(
    r"\w+",
    """event seq token do side of game stand name player player0 player1 side0 side1 entry
    pairs signed a b retour reason seen round mode events from back lang language find best
    code hash price unit per who sure finals walkover set switch tap list take role at
    missing anyway number tables lots pair club entries rules region house look_back cut
    target dealer schlag trumpf points tricks winner loser open pick minutes text group
    table regulars preset format rounds places seed q message players here paid absent
    undone copy streams base other hand offence sealed at""",
)
EVENTS = re.findall(
    r"\w+",
    """gewinnt bieten bleiben gehen neues_spiel korrektur vorschlag zusage absage sitzordnung
    strafe streichen gespannt ansage schoenere schlagtausch setzt_aus einig bestaetigt strittig
    geklaert preis uebernahme ergebnis anmeldung auslosung hexen loeschung abend""",
)
PAIRS = [{"name": "A"}, {"name": "B"}]
BIRTHS = [
    ("table", "scorer", {"watten": 1, "rules": "bayern"}),
    ("group", "member", {"group": 1, "name": "G"}),
    ("tournament", "director", {"name": "P", "rules": "bayern", "pairs": PAIRS, "seed": "s"}),
]
"""The kind, role and head of streams that a phone may have created offline."""


@pytest.fixture
def inside(tmp_path):
    config = {"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False, "MAX_LIVE_PAGES": 0}
    app = create_app(config)
    yield InProcessClient(app)
    app.extensions["hub"].closed = True
    app.extensions["tables"].store.close()


class Hostile:
    """Random requests from a seed."""

    def __init__(self, seed, routes, keys):
        self.draw, self.routes, self.keys = random.Random(seed), routes, list(keys.values())
        self.born = []

    def value(self):
        return self.draw.choice([*VALUES, *self.keys])

    def data(self, depth=0):
        """Random JSON, often an event with fields that no event has."""
        kind = self.draw.random()
        if depth > 3 or kind < 0.4:
            numbers = [0, 1, -1, 2, 15, 2**70, 1.5, -0.0, True, False, None]
            return self.draw.choice([*numbers, *VALUES, *self.keys])
        if kind < 0.55:
            return [self.data(depth + 1) for _ in range(self.draw.randrange(4))]
        names = self.draw.sample(FIELDS, self.draw.randrange(6))
        found = {name: self.data(depth + 1) for name in [*names, "side", "of", "with"]}
        return {"do": self.draw.choice(EVENTS), **found}

    def request(self):
        """A random request as (method, path, body, headers)."""
        rule = self.draw.choice(self.routes)
        path = re.sub(r"<(?:\w+:)?(\w+)>", self._place, rule)
        if self.draw.random() < 0.4:
            path += "?" + self._form()
        method = self.draw.choice(["GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "OPTIONS"])
        headers = {
            name: self.draw.choice(["", "*", '"1"', "9" * 400, "de;q=x", "bytes=9-1", "true"])
            for name in ("If-Match", "Last-Event-ID", "Accept-Language", "Range", "HX-Request")
            if self.draw.random() < 0.2
        }
        headers["Idempotency-Key"] = self.draw.choice(["", "k", str(self.draw.random()), "x" * 300])
        if method != "POST":
            return method, path, None, headers
        if rule == "/pocket/streams":
            sent = json.dumps(self.birth())
            return method, path, sent, {**headers, "Content-Type": "application/json"}
        if self.draw.random() < 0.5:
            sent = json.dumps(self.data())
            return method, path, sent, {**headers, "Content-Type": "application/json"}
        kind = "application/x-www-form-urlencoded"
        return method, path, self._form(), {**headers, "Content-Type": kind}

    def birth(self):
        """A stream as a phone would upload it, with random events and a valid hash chain."""
        kind, role, head = self.draw.choice(BIRTHS)
        name, key = (f"{self.draw.getrandbits(64):016x}" for _ in range(2))
        self.keys.append(key)
        self.born.append(name)
        previous, entries = hash_chain.head_hash(head), []
        for n in range(self.draw.randrange(4)):
            event = {"do": "gewinnt", "side": 0, "at": self.value()}
            if kind == "group":
                event = {"do": "abend", "table": self.draw.choice(self.born), "at": self.value()}
            if self.draw.random() < 0.2:
                event = {"do": self.draw.choice(EVENTS), "sealed": self.data(1)}
            previous = hash_chain.entry_hash(previous, event)
            entries.append({"key": str(n), "body": {}, "event": {**event, "hash": previous}})
        row = {"digest": digest(key), "role": role, "created": self.value(), "revoked": None}
        stream = {"id": name, "kind": kind, "head": head, "created": self.value()}
        return {
            "bummerl": 1,
            "streams": [{**stream, "events": entries, "keys": [row]}],
            "boxes": [],
        }

    def _place(self, found):
        if self.draw.random() < 0.85:
            return PATH_VALUES.get(found[1]) or self.draw.choice(self.keys)
        return quote(self.value()[:200], safe="") or "-"

    def _form(self):
        pairs = [(name, self._filled(name)) for name in self.draw.sample(FIELDS, 5)]
        pairs.append(("token", str(self.draw.random())))
        return "&".join(f"{name}={quote(value, safe='')}" for name, value in pairs)

    def _filled(self, name):
        if name in ("event", "events", "copy") and self.draw.random() < 0.8:
            return json.dumps(self.data())
        return self.value()


def test_random_requests_cause_no_server_error(inside):
    live = [
        rule for rule in inside.app.url_map.iter_rules() if not rule.endpoint.endswith("stream")
    ]
    routes, first = [rule.rule for rule in live], random.randrange(2**32) if IS_LONG_RUN else 1
    begun, number = time.monotonic(), 0
    while number < REQUESTS or (IS_LONG_RUN and time.monotonic() < begun + HOUR):
        if number % CAST == 0:
            seed = first + number
            keys = keys_by_role(inside)
            hostile = Hostile(seed, routes, keys)
        method, path, body, headers = hostile.request()
        status, _, text = inside.send_request(method, path, body, headers)
        assert status < 500, (seed, number % CAST, method, path, body, headers, text[-2000:])
        number += 1
        if number % CAST == 0:
            check_pages(inside, seed, keys)


def check_pages(inside, seed, keys):
    """Check that pages still open, unless their keys were revoked."""
    looked = 0
    for role, where in (
        ("scorer", "/t/{} /b/{}/history /b/{}/sheet /b/{}/readings /api/tables/{}/record"),
        ("viewer", "/b/{} /b/{}/history /b/{}/sheet.svg /b/{}/evening.csv"),
        ("director", "/p/{} /p/{}/pairs /p/{}/print/slips /p/{}/match/1/1 /api/tournaments/{}"),
        ("hall", "/p/{}/standings /p/{}/hall"),
        ("member", "/g/{}"),
        ("pair-a", "/e/{} /t/{}"),
    ):
        for path in where.format(*[keys[role]] * 9).split():
            status = inside.request("GET", path)[0]
            assert status in (200, 302, 303, 404), (seed, path, status)
            looked += status == 200
    assert looked > 3
