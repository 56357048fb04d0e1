"""Records, names and events that many tests use."""

import re

from scorer.engine import read_head
from scorer.store import NewStream
from scorer.store.keys import digest, mint, seal_key
from scorer.store.sqlite.phone_store import PhoneStore
from tests.pages import parse

WON = {"do": "gewinnt", "side": 0}
LOST = {"do": "gewinnt", "side": 1}
NEXT = {"do": "neues_spiel"}
RAISED = {"do": "bieten", "side": 0}

NAMED = [{"name": "Wir"}, {"name": "Die"}]
SEATED = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Cilli", "Dora"]},
]
BAYERN = {"watten": 1, "rules": "bayern"}
NEW_TOURNAMENT = {
    "name": "Preis",
    "rules": "bayern",
    "seed": "s",
    "pairs": [{"name": "A"}, {"name": "B"}],
}
NEW_LEDGER = {"group": 1, "name": "Stammtisch"}


def new_stream(tables, **head):
    """The stream of a new Bavarian table of `Tables`."""
    return tables.store.find(tables.create(read_head({**BAYERN, **head}))["scorer"]).stream


def head_and_events(record):
    """The head of a record, and its events."""
    return {name: value for name, value in record.items() if name != "events"}, record["events"]


def helper_keys(server, director):
    """The keys of a tournament's helpers by role."""
    cards = parse(server.request("GET", f"/p/{director}/links")[2]).select("#helpers [data-link]")
    links = {card["data-link"]: card.select_one(".url a") for card in cards}
    return {role: link["href"].split("/p/")[1] for role, link in links.items() if link}


def helper(server, director, token="helper", **form):
    """The key of a new helper link. Without `form` the helper enters results at all tables."""
    form = [("token", token), *{"work": "entry", "first": "", "last": "", **form}.items()]
    status, headers, text = server.request("POST", f"/p/{director}/helpers", form)
    assert status == 303, text
    role = re.search("made=([^#]+)#", headers["location"])[1].replace("%3A", ":")
    return helper_keys(server, director)[role]


def sealed_box(holder, role, key):
    """A box with a key, sealed for the holder of another key."""
    nonce, box = seal_key(key, holder)
    return {"holder": digest(holder), "role": role, "nonce": nonce, "box": box}


def phone_copy(folder, kind, head, events=(), keys=None, seals=()):
    """The copy of a new stream of any kind, as an offline phone uploads it."""
    store = PhoneStore(folder / f"{mint()}.db")
    new_stream = NewStream(head, {"viewer": mint()} if keys is None else keys, seals, events)
    stream = store.create(kind, new_stream).id
    copy = store.dump([stream], [digest(seal.key) for seal in seals if seal.role == "desk-ring"])
    store.close()
    return copy


ANNOUNCEMENTS = [{"do": "ansage", "schlag": "7"}, {"do": "ansage", "schlag": "8"}]


def new_table_with_events(tables, count, **head):
    """The stream of a new table with `count` events."""
    events = [ANNOUNCEMENTS[number % 2] for number in range(count)]
    keys = tables.create_from_record({**BAYERN, **head, "events": events})
    return tables.store.find(keys["scorer"]).stream
