"""Writes the largest tournament, table, ledger and series that the limits allow."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache

from scorer.book.keyrings import keyring_seals, mint_keys_and_rings
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import Evening, read_head
from scorer.store import NewStream, Seal, StreamKeyTaken
from scorer.store.keys import mint
from scorer.tournament import parse, read_settings
from tests.builders import NEXT

GAMES = 3


@cache
def evening(entries):
    """The first `entries` events of an evening (a tuple). The sides win the rounds in turn."""
    played = Evening(read_head({"watten": 1, "rules": "bayern"}))
    while len(played.recorded) < entries:
        state = played.state
        if state.winner is not None:
            event = NEXT
        elif state.decision is not None:
            event = {"do": "bleiben", "side": state.decision.side}
        else:
            event = {"do": "gewinnt", "side": len(played.recorded) % 2}
        played.push(event)
    return tuple(played.recorded)


def draw(pairs, number, stage="rounds"):
    """The event that draws a round. No two pairs meet again in a later round."""
    half = pairs // 2
    left, right = range(1, half + 1), range(half + 1, pairs + 1)
    met = [right[(at + number) % half] for at in range(half)]
    return {
        "do": "auslosung",
        "round": number,
        "stage": stage,
        "anyway": True,
        "tables": [
            {"table": n, "pairs": [a, b], "lots": [a, b]}
            for n, (a, b) in enumerate(zip(left, met, strict=True), 1)
        ],
    }


def results(pairs, number):
    """The results of a round: at each table one from each pair and one from the director."""
    for table in range(1, pairs // 2 + 1):
        points = [[15, 2 + (table + at) % 12] for at in range(GAMES)]
        where = {"do": "ergebnis", "round": number, "table": table, "games": points}
        for who in ("a", "b", "director"):
            yield {**where, "who": who}


def people(pairs):
    return [
        {"name": f"Pair {n}", "players": [f"Anna {n}", f"Bert {n}"], "club": f"Club {n % 40}"}
        for n in range(1, pairs + 1)
    ]


def store_tournament(store, found):
    """Store a tournament that was played in memory, and return its keys by role."""
    keys, rings = mint_keys_and_rings()
    new_stream = NewStream(
        found.initial_settings.to_json(), keys, keyring_seals(keys, rings), found.recorded
    )
    store.create("tournament", new_stream)
    return keys


def table(store, entries):
    """Store a table with this number of entries, and return its keys by role."""
    head = read_head({"watten": 1, "rules": "bayern", "look_back": "always"})
    new_stream = Tables(store).prepare(head.to_json(), evening(entries))
    store.create("table", new_stream)
    return dict(new_stream.grants)


def tournament(store, pairs, rounds, live, entries, series=()):
    """Store a tournament, and return its keys by role.

    Phones and the desk have entered all results but those of the newest round.

    :param live: how many tables of the newest round record their games live
    :param entries: how many entries each of these tables has
    :param series: the streams of tournaments that count together with this one
    """
    asked = {"name": "T", "rules": "bayern", "games_per_round": GAMES, "rounds": 99, "seed": "s"}
    settings = read_settings({**asked, "pairs": people(pairs)})
    keys, rings = mint_keys_and_rings()
    events = []
    for number in range(1, rounds):
        events += [draw(pairs, number), *results(pairs, number)]
    if series:
        events.append({"do": "serie", "of": list(series)})
    new_stream = NewStream(settings.to_json(), keys, keyring_seals(keys, rings), events)
    store.create("tournament", new_stream)
    tables = Tables(store)
    book = Tournaments(store, tables, draw=lambda *_: parse(draw(pairs, rounds)))
    prepare = book._match_tables.prepare

    def written(*given):
        return [
            replace(one, events=evening(entries) if at < live else ())
            for at, one in enumerate(prepare(*given))
        ]

    book._match_tables.prepare = written
    stream = store.find(keys["director"]).stream
    newest = book.draw(
        stream,
        keys["director"],
        idempotency_key="newest",
        by="director",
        despite_missing_results=True,
    )
    links = book.table_keys(keys["director"], [newest.tables[0].stream])
    [(_, table)] = links.items()
    return {**keys, "pair-a": table["scorer"], "pair-b": table["opponent"]}


def _create_evening(store, tables, head, entries):
    """Store an evening, trying again while its random code is taken."""
    while True:
        new_stream = tables.prepare(read_head(head).to_json(), evening(entries))
        with suppress(StreamKeyTaken):
            store.create("table", new_stream)
            return new_stream


def ledger(store, evenings, entries):
    """Store a ledger of evenings with `entries` entries each, and return its keys by role."""
    tables = Tables(store)
    keys = {"member": mint(), "reader": mint()}
    seals, events = [Seal(keys["member"], "reader", keys["reader"])], []
    for n in range(evenings):
        names = [f"P{(n + at) % 40}" for at in range(4)]
        sides = [{"players": names[:2]}, {"players": names[2:]}]
        head = {"watten": 1, "rules": "bayern", "sides": sides}
        new_stream = _create_evening(store, tables, head, entries)
        seals.append(Seal(keys["reader"], f"table {new_stream.id}", new_stream.grants["viewer"]))
        events.append({"do": "abend", "table": new_stream.id})
    store.create("group", NewStream({"group": 1, "name": "Regulars"}, keys, seals, events))
    return keys
