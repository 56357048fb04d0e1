"""The OpenAPI document matches the API: routes, fields, and what schemathesis tries."""

import re

import pytest
from flask import Flask

from scorer.engine.scoring.events import EVENTS
from scorer.tournament.settings import SETTINGS
from scorer.web.openapi.document import document
from scorer.web.openapi.schemas import schemas


@pytest.fixture(scope="module")
def told(server):
    status, found = server.json("GET", "/api/openapi.json")
    assert status == 200
    return found


def test_undescribed_route_is_noticed():
    app = Flask("another")
    app.get("/api/tables/<key>/forgotten")(lambda key: key)
    with pytest.raises(LookupError, match="described"):
        document(app)


def test_it_names_every_event_and_every_setting(told):
    shown = told["components"]["schemas"]
    assert len(shown["Event"]["oneOf"]) == len(EVENTS)
    assert shown["Gewinnt"]["properties"]["tricks"]["anyOf"][0]["maximum"] == 5
    assert shown["NewTournament"]["properties"].keys() == SETTINGS.names


def test_every_named_schema_is_there(told):
    named = set(re.findall(r"#/components/schemas/(\w+)", str(told)))
    assert named == set(schemas())
