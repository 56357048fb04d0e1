"""Schemathesis sends what the API's document allows and forbids; `make torture` also tries every
edge of every field."""

import subprocess
import sys

from tests.serving import PATIENCE_SECONDS
from tests.torture import IS_LONG_RUN, repetitions

CONFIG = """
seed = 1
request-timeout = {patience}
[generation]
max-examples = {examples}
database = "none"
[phases]
examples.enabled = false
coverage.enabled = {long}
stateful.enabled = false
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


def test_responses_match_the_openapi_document(server, tmp_path):
    body = {"name": "Preis", "rules": "bayern", "seed": "x", "rounds": 3}
    body["pairs"] = [{"name": f"P{n}"} for n in range(4)]
    made = server.json("POST", "/api/tournaments", body)[1]
    assert server.json("POST", f"/api/tournaments/{made['director']}/draw")[0] == 201
    config = tmp_path / "schemathesis.toml"
    config.write_text(
        CONFIG.format(
            patience=PATIENCE_SECONDS,
            examples=repetitions(10, 500),
            long=str(IS_LONG_RUN).lower(),
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
