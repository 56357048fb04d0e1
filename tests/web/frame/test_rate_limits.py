"""Rate limits count over all workers by client; only trusted proxies may forward addresses."""

import pytest
from flask import request
from werkzeug.exceptions import TooManyRequests

from scorer.engine import read_head
from scorer.store.shared_counters import FileCounts, open_counts
from scorer.web import create_app
from scorer.web.frame.rate_limits import (
    CREATE,
    EVERYBODY_FACTOR,
    GUESS_LIMITS,
    NETWORK_FACTOR,
    RateLimit,
    RateLimiter,
    client_network,
)
from tests.databases import PostgresDatabase
from tests.serving import serving


@pytest.fixture
def two(database, tmp_path):
    """The same counts, opened twice as by two workers or two servers."""
    database.open()
    book = isinstance(database, PostgresDatabase)
    place = database.place if book else str(tmp_path / "counts.db")
    found = [open_counts(place) for _ in range(2)]
    yield found
    for counts in found:
        counts.close()


def refusal_waits(limits, who, times):
    """The seconds to wait of each refused request, of this many requests."""
    waits = []
    for _ in range(times):
        try:
            limits.count(who, (RateLimit(3, 60), RateLimit(4, 3600)))
        except TooManyRequests as error:
            waits.append(error.retry_after)
    return waits


def test_workers_share_rate_limit_counts(two):
    workers = [RateLimiter(counts) for counts in two]
    assert [refusal_waits(workers[n % 2], "anna", 1) for n in range(3)] == [[]] * 3
    [wait] = refusal_waits(workers[1], "anna", 1)
    assert 0 < wait <= 60
    assert refusal_waits(workers[1], "bert", 1) == []


def test_count_restarts_after_its_window(two):
    here, there = two
    assert [here.count("key", 0)[0], there.count("key", 60)[0], here.count("key", 60)[0]] == [
        1,
        1,
        2,
    ]


def create_ledgers_from(app, peers):
    """The statuses of requests for new ledgers, one from each of these addresses."""
    client = app.test_client(use_cookies=False)
    form = {"name": "Donnerstag"}
    return [
        client.post("/regulars", data=form, environ_base={"REMOTE_ADDR": peer}).status_code
        for peer in peers
    ]


def test_networks_of_one_customer_count_together(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    most = NETWORK_FACTOR * CREATE.limits[0].most
    found = create_ledgers_from(app, [f"2001:db8:7:{n:x}::1" for n in range(most + 5)])
    assert [status == 429 for status in found] == [n >= most for n in range(most + 5)]
    # Another customer is not kept out.
    assert create_ledgers_from(app, ["2001:db8:8::1", "192.0.2.7"]) == [303, 303]


def test_all_clients_share_a_total_limit(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    limits, most = app.extensions["limits"], EVERYBODY_FACTOR * CREATE.limits[0].most
    limits.count("ledger.create everybody", (RateLimit(most, 60),), most)
    assert create_ledgers_from(app, ["192.0.2.7"]) == [429]


def open_codes_from(app, peer, codes):
    """The statuses of requests for these codes from one address."""
    client = app.test_client(use_cookies=False)
    return [
        client.get(f"/s/{code}", environ_base={"REMOTE_ADDR": peer}).status_code for code in codes
    ]


@pytest.fixture
def hall(tmp_path):
    """An app, the valid codes of its three tables, and their codes from before a renewal."""
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    tables, keys = app.extensions["tables"], []
    for _ in range(3):
        keys.append(tables.create(read_head({"watten": 1, "rules": "bayern"})))
    stale = [made["code"] for made in keys]
    streams = [(tables.store.find(made["scorer"]).stream, made["scorer"]) for made in keys]
    return app, [tables.links.renew(*opened, "viewer")["code"] for opened in streams], stale


def test_valid_codes_are_not_rate_limited(hall):
    app, right, _ = hall
    assert open_codes_from(app, "192.0.2.1", right * 100) == [303] * 300


def test_a_stale_code_counts_less_than_a_wrong_one(hall):
    app, right, stale = hall
    times = GUESS_LIMITS[0].most
    found = open_codes_from(app, "192.0.2.1", (stale * 40)[: 5 * times])
    assert 2 * times < found.count(404) < 5 * times
    wrong = open_codes_from(app, "192.0.2.2", ["ABCDEF"] * (times + 5))
    assert wrong == [404] * times + [429] * 5
    # After too many guesses a right code is refused too.
    assert open_codes_from(app, "192.0.2.2", right) == [429] * 3
    assert open_codes_from(app, "192.0.2.3", right) == [303] * 3


def test_a_closed_link_counts_less_than_a_wrong_one(hall):
    app, _, _ = hall
    tables, times = app.extensions["tables"], GUESS_LIMITS[0].most
    keys = tables.create(read_head({"watten": 1, "rules": "bayern"}))
    tables.links.renew(tables.store.find(keys["scorer"]).stream, keys["scorer"], "viewer")
    client = app.test_client(use_cookies=False)
    found = [client.get(f"/b/{keys['viewer']}").status_code for _ in range(2 * times)]
    assert found == [404] * 2 * times


def test_nobody_waits_longer_than_the_window():
    counts = FileCounts(":memory:")
    assert max(counts.count(str(who), 60)[1] for who in range(1000)) <= 60


def test_limits_work_without_a_counts_file(tmp_path):
    limits = RateLimiter(FileCounts(str(tmp_path)))
    assert len(refusal_waits(limits, "anna", 5)) == 2


def client_and_scheme(app, peer, **headers):
    """The client for which a request counts, and the request's scheme."""
    found = []
    app.add_url_rule(
        "/who", view_func=lambda: found.append((client_network(), request.scheme)) or ""
    )
    app.test_client().get("/who", headers=headers, environ_base={"REMOTE_ADDR": peer})
    return found[0]


@pytest.mark.parametrize(
    ("peer", "who"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("", "unknown"),
    ],
)
def test_client_is_an_address_or_ipv6_network(tmp_path, peer, who):
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    assert client_and_scheme(app, peer)[0] == who


@pytest.mark.parametrize(
    ("hops", "peer", "expected"),
    [
        (1, "10.0.0.9", ("198.51.100.4", "https")),
        (1, "203.0.113.7", ("203.0.113.7", "http")),
        (0, "10.0.0.9", ("10.0.0.9", "http")),
    ],
)
def test_only_configured_proxies_set_the_client(tmp_path, hops, peer, expected):
    config = {"DATABASE": str(tmp_path / "x.db"), "PROXIES": hops, "PROXY_FROM": "10.0.0.0/24"}
    forwarded = {"X-Forwarded-For": "198.51.100.4", "X-Forwarded-Proto": "https"}
    assert client_and_scheme(create_app(config), peer, **forwarded) == expected


@pytest.mark.slow
def test_workers_count_guesses_together(tmp_path):
    """All workers share one count, and events at a table are never limited by it."""
    with serving(tmp_path / "x.db", workers=3, BUMMERL_RATE_LIMITS="on") as server:
        answers = [server.request("GET", "/s/ABCDEF") for _ in range(24)]
        server.table(played=[{"do": "ansage", "schlag": "78"[n % 2]} for n in range(60)])
    assert [status for status, _, _ in answers].count(429) == 4
    assert {status for status, _, _ in answers[:20]} == {404}
    assert int(answers[-1][1]["retry-after"]) > 0
