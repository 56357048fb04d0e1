"""The document of the API says what the API does: routes, fields, and what schemathesis tries."""

import os
import re
import subprocess
import sys

import pytest
from flask import Flask

from scorer.engine.scoring.events import EVENTS
from scorer.tournament.reading import KNOWN
from scorer.web.openapi.document import document
from scorer.web.openapi.schemas import schemas


@pytest.fixture(scope="module")
def told(server):
    status, found = server.json("GET", "/api/openapi.json")
    assert status == 200
    return found


def test_a_route_that_nothing_is_said_about_is_noticed():
    app = Flask("another")
    app.get("/api/tables/<key>/forgotten")(lambda key: key)
    with pytest.raises(LookupError, match="described"):
        document(app)


def test_it_names_every_event_and_every_setting(told):
    shown = told["components"]["schemas"]
    assert len(shown["Event"]["oneOf"]) == len(EVENTS)
    assert shown["Gewinnt"]["properties"]["tricks"]["anyOf"][0]["maximum"] == 5
    assert shown["NewTournament"]["properties"].keys() == KNOWN


def test_every_schema_that_is_named_is_there_and_no_other(told):
    named = set(re.findall(r"#/components/schemas/(\w+)", str(told)))
    assert named == set(schemas())


# What schemathesis tries

EXAMPLES = os.environ.get("BUMMERL_API_EXAMPLES", "")
"""Requests a route; where somebody asks for them, every edge of every field is tried too."""
CONFIG = """
seed = 1
[generation]
max-examples = {examples}
database = "none"
[phases]
examples.enabled = false
coverage.enabled = {long}
stateful.enabled = {long}
[checks]
# A round that the rules refuse is well written all the same.
positive_data_acceptance.expected-statuses = ["2xx", 304, 403, 404, 409, 422]
negative_data_rejection.expected-statuses = [400, 403, 404, 405, 409, 413, 422]
missing_required_header.expected-statuses = [400]
[[operations]]
include-path-regex = "^/api/tables/"
parameters = {{ "path.key" = "{table}" }}
[[operations]]
include-path-regex = "^/api/tournaments/"
parameters = {{ "path.key" = "{tournament}" }}
[[operations]]
include-path-regex = "/stream$"
enabled = false
"""


@pytest.mark.timeout(7200)
def test_no_request_breaks_a_route_or_gets_an_answer_that_is_not_described(server, tmp_path):
    body = {"name": "Preis", "rules": "bayern", "rounds": 3}
    body["pairs"] = [{"name": f"P{n}"} for n in range(4)]
    made = server.json("POST", "/api/tournaments", body)[1]
    assert server.json("POST", f"/api/tournaments/{made['director']}/draw")[0] == 201
    config = tmp_path / "schemathesis.toml"
    config.write_text(
        CONFIG.format(
            examples=EXAMPLES or 10,
            long=str(bool(EXAMPLES)).lower(),
            table=server.table()["scorer"],
            tournament=made["director"],
        )
    )
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", config, "run"]
    found = subprocess.run(
        [*command, "--no-color", f"{server.url}/api/openapi.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "10 selected" in found.stdout
