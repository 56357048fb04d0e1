"""Every kind of event has its words in the story of a round."""

import pytest

from scorer import create_app
from scorer.book.tables import Table
from scorer.engine import Evening, parse, read_head
from scorer.engine.scoring.events import EVENTS
from scorer.web.table.said import WHO
from scorer.web.table.story import Story

HEAD = {"watten": 1, "rules": "bayern"}
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
def story(tmp_path_factory):
    app = create_app({"DATABASE": str(tmp_path_factory.mktemp("story") / "bummerl.db")})
    with app.test_request_context():
        evening = Evening(read_head(HEAD))
        yield Story(Table("", HEAD, evening, [evening.state]))


@pytest.mark.parametrize("do", EVENTS)
def test_every_kind_of_event_is_told(story, do):
    event = parse({"do": do, **RECORDED.get(do, {"side": 0})})
    assert story.event_text(event)


def test_whatever_is_said_beside_the_play_has_somebody_who_may_say_it():
    assert {do for do, kind in EVENTS.items() if kind.aside} == set(WHO)
