"""Health, readiness, metrics and logs, without secrets."""

import json
import logging
import re
import sys

import pytest

from scorer import create_app
from scorer.store.sqlite.driver import sqlite3
from scorer.web.frame.logs import JsonLines
from tests.serving import serving

TOKEN = "only-the-operator-knows"
PEOPLE = ("Annamirl", "Bertl", "Cilli", "Dorlbauer")


@pytest.fixture(scope="module")
def monitored(tmp_path_factory):
    """A server with JSON logs and metrics, the secrets of an evening on it, and the log's path."""
    folder = tmp_path_factory.mktemp("watched")
    with (folder / "log").open("w") as log:
        environment = {"BUMMERL_LOG": "json", "BUMMERL_METRICS_TOKEN": TOKEN}
        with serving(folder / "x.db", log=log, **environment) as server:
            yield server, _evening(server), folder / "log"


def _evening(server):
    sides = [{"name": "", "players": PEOPLE[:2]}, {"name": "", "players": PEOPLE[2:]}]
    keys = server.table(sides=sides, dealer=PEOPLE[0])
    event = {"do": "gewinnt", "side": 0, "player": PEOPLE[1], "note": f"says {PEOPLE[3]}"}
    server.play(keys["scorer"], event)
    assert server.write(keys["scorer"], {**event, "side": PEOPLE[2]}, "2")[0] == 422
    assert server.write(keys["viewer"], event, "3")[0] == 403
    for path in ("/t/{scorer}", "/b/{viewer}", "/t/{scorer}/share", "/b/{viewer}/sheet", "/t/x"):
        server.request("GET", path.format(**keys))
    server.request("GET", f"/nothing/{keys['scorer']}?name={PEOPLE[0]}")
    return [keys["viewer"], keys["scorer"], keys["opponent"], *PEOPLE, TOKEN]


def test_health_and_readiness_are_reported(server):
    assert server.json("GET", "/health") == (200, {"live": True})
    assert server.json("GET", "/ready") == (200, {"ready": True})


def test_database_of_newer_release_is_not_ready(tmp_path):
    client = create_app({"DATABASE": str(tmp_path / "x.db")}).test_client()
    with sqlite3.connect(tmp_path / "x.db") as db:
        db.execute("insert into _sqlite_migrations values (99, 'bummerl', 'm999_later', '')")
    answer = client.get("/ready")
    assert (answer.status_code, answer.get_json()) == (503, {"ready": False, "reason": "newer"})
    assert client.get("/health").status_code == 200


@pytest.mark.slow
def test_metrics_need_the_operators_token(server, monitored):
    for target, headers in [
        (server, {"Authorization": f"Bearer {TOKEN}"}),
        (monitored[0], {}),
        (monitored[0], {"Authorization": "Bearer"}),
    ]:
        assert target.request("GET", "/metrics", **headers)[0] == 404


@pytest.mark.slow
def test_metrics_sum_all_workers(monitored):
    server, secrets, _ = monitored
    for _ in range(20):
        server.request("GET", "/rules")
    watch = server.watch(f"/b/{secrets[0]}/stream")
    watch.next()
    status, headers, text = server.request("GET", "/metrics", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    assert headers["content-type"].startswith("text/plain")
    answers = re.findall(r"^bummerl_answers_total\{(.*)\} (\S+)$", text, re.MULTILINE)
    counted = {labels: float(count) for labels, count in answers}
    assert counted['method="GET",route="pages.index",status="200"'] == 20
    assert counted['method="POST",route="api.append",status="201"'] == 1
    assert re.search(r"^bummerl_events 1\.0$", text, re.MULTILINE)
    assert re.search(r"^bummerl_live_pages 1\.0$", text, re.MULTILINE)
    watch.close()
    assert [secret for secret in secrets if secret in text] == []


def test_logs_have_each_request_and_no_secrets(monitored):
    _, secrets, log = monitored
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    requests = {(line["route"], line["status"]) for line in lines if line["message"] == "answered"}
    assert {
        ("api.append", 201),
        ("api.append", 422),
        ("writer.page", 200),
        ("none", 404),
    } <= requests
    assert all(line["seconds"] >= 0 for line in lines if line["message"] == "answered")
    assert [secret for secret in secrets if secret in text] == []


def test_logged_errors_have_a_place_and_no_secrets():
    key = "a" * 26
    try:
        raise LookupError(f"{PEOPLE[0]} at {key}")
    except LookupError:
        found = sys.exc_info()
    record = logging.LogRecord("x", logging.ERROR, "", 0, f"Exception on /t/{key}", (), found)
    text = JsonLines().format(record)
    line = json.loads(text)
    assert line["exception"] == "LookupError"
    assert line["where"][-1].startswith(__file__)
    assert line["message"] == "Exception on /t/…"
    assert PEOPLE[0] not in text
    assert key not in text


@pytest.mark.parametrize("name", ["scorer", "scorer.book.live_channels"])
def test_logs_have_no_keys(tmp_path, caplog, name):
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    app.extensions["tables"].store.close()
    key = "abcdefghijklmnopqrstuvwx23"
    logger = logging.getLogger(name)
    try:
        raise ValueError(f"at /b/{key}")
    except ValueError:
        logger.exception("Exception on %s", f"/t/{key}/share")
    assert "Exception on /t/…/share" in caplog.text
    assert "at /b/…" in caplog.text
    assert key not in caplog.text
