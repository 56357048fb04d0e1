"""Limits of what slips and sign-ups can add to a tournament."""

import pytest

from scorer.book.tables import Tables
from scorer.book.tournament_event_limits import (
    MAX_PAIR_EVENTS_PER_MATCH,
    MAX_TOURNAMENT_EVENTS,
    MAX_WAITING,
    check_new_event,
    require_not_full,
)
from scorer.book.tournaments import Tournaments
from scorer.engine import Illegal
from scorer.store import NewStream
from scorer.tournament import new_tournament, read_settings

SETTINGS = {"name": "T", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}
MARKED = [{"do": "vermerk", "pair": 1, "paid": paid, "here": True} for paid in (True, False)]


@pytest.fixture
def book(store):
    return Tournaments(store, Tables(store))


def new_tournament_with_events(store, events):
    """The stream of a tournament with these events."""
    head = read_settings(SETTINGS).to_json()
    return store.create("tournament", NewStream(head, {}, events=events)).id


def record_event(book, stream, body, name):
    return book.record(stream, body, idempotency_key=name, by="x")


def upload_event(book, stream, body, name):
    """Like `record_event`, but as an upload of a phone that was offline."""
    seen = len(book.current(stream).recorded)
    done = book.record_upload(stream, "", body, idempotency_key=name, by="x", expected=seen)
    return done.stored.n


def test_full_tournament_refuses_new_events():
    tournament = new_tournament(read_settings(SETTINGS))
    for at in range(MAX_TOURNAMENT_EVENTS):
        require_not_full(tournament)
        tournament = tournament.after([MARKED[at % 2]])
    for refused in (
        lambda: require_not_full(tournament),
        lambda: check_new_event(tournament, MARKED[0]),
    ):
        with pytest.raises(Illegal, match="tournament-full"):
            refused()
    # Recorded events are still read.
    assert len(tournament.after([MARKED[0]]).recorded) == MAX_TOURNAMENT_EVENTS + 1


def test_too_many_results_of_a_pair_are_refused(store, book):
    director = book.create(read_settings(SETTINGS))["director"]
    stream = store.find(director).stream
    book.draw(stream, director, idempotency_key="draw", by="x")

    def result(who, points):
        return {"do": "ergebnis", "round": 1, "table": 1, "who": who, "games": [[15, points]] * 3}

    for number in range(MAX_PAIR_EVENTS_PER_MATCH):
        record_event(book, stream, result("a", 2 + number % 10), f"{number}")
    with pytest.raises(Illegal, match="said-often"):
        record_event(book, stream, result("b", 0), "b")
    assert record_event(book, stream, result("director", 0), "desk")


def test_full_waiting_list_refuses_signups(store, book):
    waits = [{"do": "einzeln", "name": f"P{n}", "waiting": True} for n in range(MAX_WAITING)]
    stream = new_tournament_with_events(store, waits)
    entry = {"do": "anmeldung", "entry": {"name": "Anna & Bert"}}
    for way in (record_event, upload_event):
        with pytest.raises(Illegal, match="waiting-full"):
            way(book, stream, {**entry, "waiting": True}, "signup")
    assert record_event(book, stream, entry, "desk") == MAX_WAITING + 1
