"""Every kind of event has its text in a round's history."""

import re

import pytest

from scorer.book.tables import Table
from scorer.engine import Evening, parse, read_head
from scorer.engine.scoring.events import EVENTS
from scorer.web.table.event_permissions import SIDES_ALLOWED
from scorer.web.table.event_texts import event_text
from scorer.web.table.table_view import TableView
from tests.builders import BAYERN, RAISED, WON

RECORDED = {
    "strafe": {"side": 0, "offence": "vergeben"},
    "ansage": {"trumpf": "H"},
    "schoenere": {"side": 0, "agreed": True},
    "schlagtausch": {"side": 0, "agreed": False},
    "neues_spiel": {},
    "sitzordnung": {"dealer": "Anna"},
    "bestaetigt": {"side": 0, "game": 1, "stand": "9:4"},
    "strittig": {"side": 0, "of": 0},
    "geklaert": {"side": 0, "of": 0},
    "uebernahme": {"link": "5f2a"},
    "loeschung": {"sealed": []},
    "preis": {"amount": 50, "unit": "euro", "per": "bummerl"},
    "korrektur": {"of": 0, "with": None},
    "vorschlag": {"side": 0, "of": 0, "with": None},
    "zusage": {"side": 0, "of": 0},
    "absage": {"side": 0, "of": 0},
}


@pytest.fixture(scope="module")
def view(app):
    with app.test_request_context():
        evening = Evening(read_head(BAYERN))
        yield TableView(Table("", BAYERN, evening, [evening.state]))


@pytest.mark.parametrize("do", EVENTS)
def test_every_kind_of_event_has_a_text(view, do):
    event = parse({"do": do, **RECORDED.get(do, {"side": 0})})
    assert event_text(view, event)


def test_every_statement_has_a_speaker():
    assert {do for do, kind in EVENTS.items() if kind.is_statement} == set(SIDES_ALLOWED)


@pytest.mark.parametrize(
    ("language", "raised", "stayed"),
    [
        ("it", "Alfa rilancia a 3", "Beta accetta"),
        ("fr", "Alfa annonce rilancio à 3", "Beta suit"),
    ],
)
def test_events_are_worded_as_actions_not_orders(server, language, raised, stayed):
    """An infinitive after a side's name would read like an order."""
    played = [RAISED, {"do": "bleiben", "side": 1}, WON]
    keys = server.table("trentino", sides=[{"name": "Alfa"}, {"name": "Beta"}], played=played)
    html = server.page(f"/b/{keys['viewer']}/round/0", language=language).html
    text = re.sub("<[^>]+>", "", html)
    assert raised in text and stayed in text
    assert not re.search(r"accettare\b|suivre\b", text)


def test_finished_game_shows_no_near_win_state(server):
    keys = server.table("trentino", start={"points": [13, 14]})

    def look():
        """The states beside the sides, and which sides are marked as near."""
        heads = server.page(f"/b/{keys['viewer']}", language="it").all("div", css="head")
        states = {head.one("p", css="side-state").text for head in heads}
        return states, ["near" in head["class"].split() for head in heads]

    near, marked = look()
    assert all(marked) and "" not in near
    server.play(keys["scorer"], WON)
    states, marked = look()
    assert not any(marked) and not near & states
