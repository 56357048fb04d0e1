"""No request exceeds its budget of function calls, with streams of the largest size.

Counted in function calls, so the result is the same on every machine. A database statement counts
as many calls as take the same time.
"""

from __future__ import annotations

import re
from contextlib import closing
from random import Random

import pytest

from scorer import create_app
from scorer.book.single_flight import SingleFlight
from scorer.book.tournament_event_limits import MAX_TOURNAMENT_REPLAY_COST
from scorer.store.sqlite import SqliteStore
from scorer.web import RENDER_CACHE_CHARACTERS, open_book
from tests.largest_streams import ledger, store_tournament, table, tournament
from tests.serving import InProcessClient
from tests.torture import IS_LONG_RUN, repetitions
from tests.tournament import builders
from tests.tournament.test_cost import CALLS_PER_STEP, count_calls
from tests.web.test_route_permissions import ALLOWED_ROLES, PATH_VALUES, request_as

BUDGET = 4 * CALLS_PER_STEP * MAX_TOURNAMENT_REPLAY_COST
"""The most calls of one request. A quarter each is for replaying the costliest stream, for
replaying others, for one of these that is too large, and for rendering."""
SCALE = repetitions(16, 1)
"""`make test-all` divides the sizes and the budget by sixteen."""
FORMS = ("knockout", "round-robin", "groups", "partners")


class ColdServer(InProcessClient):
    """A server that starts anew for every request. `cost` is the last request's calls."""

    def __init__(self, app):
        super().__init__(app)
        self.cost = 0

    def send_request(self, method, path, body, headers):
        app = self.app
        app.extensions["hub"].closed = True
        app.extensions["tables"].store.close()
        open_book(app)
        app.extensions["render_cache"] = SingleFlight(RENDER_CACHE_CHARACTERS, len)
        with count_calls(statement=CALLS_PER_STEP) as calls:
            found = super().send_request(method, path, body, headers)
        self.cost = calls[0]
        return found


@pytest.fixture(scope="module")
def largest(tmp_path_factory):
    """The path of a database with the largest streams of each kind, and the keys by role."""
    path = tmp_path_factory.mktemp("budget") / "x.db"
    keys = {"nobody": "a" * 26, "code": "AAAAAA"}
    with closing(SqliteStore(path)) as store:
        others = [
            tournament(store, repetitions(16, 256), repetitions(2, 5), 0, 0)
            for _ in range(repetitions(3, 29))
        ]
        series = [store.find(other["director"]).stream for other in others]
        keys |= tournament(
            store, 512 // SCALE, repetitions(3, 12), 256 // SCALE, 100, series=series
        )
        keys |= table(store, 1990 // repetitions(8, 1))
        keys |= ledger(store, repetitions(30, 5000), repetitions(40, 30))
        keys["evening"] = store.find(keys["scorer"]).stream
    return path, keys


@pytest.fixture(scope="module")
def cold(largest):
    app = create_app({"DATABASE": str(largest[0]), "RATE_LIMITS": False, "MAX_LIVE_PAGES": 10})
    local = ColdServer(app)
    # Loads what a process loads only once, so that no request pays for it.
    for page in ("/", "/referee", f"/b/{largest[1]['viewer']}", f"/p/{largest[1]['hall']}/hall"):
        local.request("GET", page)
    yield local
    app.extensions["hub"].closed = True
    app.extensions["tables"].store.close()


def requests(app):
    """Each endpoint with its methods, path and roles. `make test-all` takes only the first role."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.endpoint):
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: PATH_VALUES.get(m[1], "{key}"), rule.rule)
        roles = ALLOWED_ROLES[rule.endpoint].split() or ["nobody"]
        for method in sorted(rule.methods & {"GET", "POST"}):
            for role in roles if IS_LONG_RUN else roles[:1]:
                yield rule.endpoint, method, path, role


def test_no_request_costs_more_than_its_budget(cold, largest):
    over_budget = {}
    for endpoint, method, path, role in requests(cold.app):
        status = request_as(cold, endpoint, method, path, largest[1], role)
        assert status < 500, (endpoint, method, role)
        if cold.cost > BUDGET // SCALE:
            over_budget[endpoint, method, role] = cold.cost
    assert over_budget == {}


@pytest.mark.parametrize("form", FORMS)
def test_pages_of_every_format_stay_in_their_budget(tmp_path, form):
    rng, path = Random(27), tmp_path / "x.db"
    played = builders.start_tournament(512 // SCALE, format=form, rounds=99)
    for _ in range(3):
        builders.play_round(played, rng)
    with closing(SqliteStore(path)) as store:
        keys = {"nobody": "a" * 26, **store_tournament(store, played)}
    app = create_app({"DATABASE": str(path), "RATE_LIMITS": False})
    cold, over_budget = ColdServer(app), {}
    for endpoint, method, path, role in requests(app):
        if method == "GET" and role in ("director", "hall"):
            assert request_as(cold, endpoint, method, path, keys, role) < 500, endpoint
            if cold.cost > BUDGET // SCALE:
                over_budget[endpoint, role] = cold.cost
    assert over_budget == {}
    app.extensions["hub"].closed = True
    app.extensions["tables"].store.close()
