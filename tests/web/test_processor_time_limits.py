"""Limits of the processor time of one address, on every route."""

import threading

import greenlet
import pytest
from werkzeug.exceptions import TooManyRequests

from scorer import create_app
from scorer.book.fair_queue import FairQueue
from scorer.book.pairing_process import MAX_DRAWN_HERE
from scorer.store import Unavailable
from scorer.web.frame.processor_time import TimeMeter, watch_greenlets
from scorer.web.frame.rate_limits import PROCESSOR_TIME
from tests.serving import InProcessClient, serving
from tests.torture.test_offline_streams import HEAD, WON, stream_copy, upload
from tests.web.test_route_permissions import PATH_VALUES

ALL = PROCESSOR_TIME[0].most * 1024 / 1_000_000
"""The seconds of processor time that an address may use in a minute."""
ANYWAY = {"anyway": True}
FREE = {"static", "other_release", "health.live", "health.ready"}


@pytest.fixture
def local(tmp_path):
    return InProcessClient(create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": True}))


def spend(local, seconds):
    local.app.extensions["limits"].count_time("127.0.0.1", seconds)


def upload_table(local):
    copy, keys = stream_copy("table", HEAD, [(event, "scorer a", "") for event in WON])
    return upload(local, copy, keys["scorer"])[0]


def test_address_over_its_share_gets_429(local):
    table = local.table(look_back="always", played=[WON[0]])
    spend(local, ALL + 1)
    for rule in local.app.url_map.iter_rules():
        if "GET" in rule.methods and rule.endpoint not in FREE:
            places = {name: PATH_VALUES.get(name, table["viewer"]) for name in rule.arguments}
            path = rule.build(places)[1]
            assert local.request("GET", path)[0] == 429, path
    question = {"rules": "bayern", "points": [0, 0]}
    assert local.json("POST", "/api/equity", question)[0] == 429
    assert upload_table(local) == 429
    # Events at a table are still accepted.
    local.play(table["scorer"], WON[0])
    assert local.request("GET", "/health")[0] == 200


def test_refusal_has_a_retry_after_header(local):
    spend(local, ALL + 1)
    status, headers, page = local.request("GET", "/", Accept_Language="de")
    assert status == 429
    assert 0 < int(headers["retry-after"]) <= 60
    assert "<html" in page


def test_other_addresses_are_not_refused(local):
    local.app.extensions["limits"].count_time("192.0.2.7", ALL + 1)
    assert local.request("GET", "/")[0] == 200


def test_half_of_the_share_is_not_refused(local):
    for _ in range(5):
        spend(local, ALL / 10)
    assert local.request("GET", "/referee")[0] == 200
    assert upload_table(local) == 201


REQUESTS = {
    200: ("GET", "/rules", None),
    404: ("GET", "/t/nobody", None),
    422: ("POST", "/api/equity", {"rules": "bayern"}),
}


@pytest.mark.parametrize("status", REQUESTS)
def test_time_of_every_response_is_counted(local, status):
    limits, spent = local.app.extensions["limits"], []
    limits.count_time = lambda who, seconds: spent.append((who, seconds))
    assert local.request(*REQUESTS[status])[0] == status
    assert {who for who, _ in spent} == {"127.0.0.1"}
    assert all(seconds > 0 for _, seconds in spent)


def test_time_of_draws_is_counted(tmp_path):
    """The limit also counts the time of the process that makes the draw."""
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": True})
    local, spent = InProcessClient(app), []
    limits = app.extensions["limits"]
    keys = local.new_tournament(pairs=[{"name": f"P{n}"} for n in range(MAX_DRAWN_HERE + 2)])
    limits.count_time = lambda who, seconds: spent.append(seconds)
    local.draw(keys["director"])
    # Python alone takes a tenth of a second to start.
    assert max(spent) > 0.05
    del limits.count_time
    spend(local, ALL + 1)
    assert local.json("POST", f"/api/tournaments/{keys['director']}/draw", ANYWAY)[0] == 429


@pytest.mark.slow
def test_busy_address_does_not_delay_other_draws(tmp_path):
    """The first draw of another address begins before the waiting draws of a busy address."""
    proxy = {"BUMMERL_RATE_LIMITS": "on", "BUMMERL_PROXIES": "1"}
    with serving(tmp_path / "x.db", workers=1, **proxy) as server:
        large, small = (
            [{"name": f"P{n}"} for n in range(count)] for count in (300, MAX_DRAWN_HERE + 2)
        )
        keys = [server.new_tournament(pairs=large)["director"] for _ in range(5)]
        honest = server.new_tournament(pairs=small)["director"]
        done = []

        def draw(key, peer):
            path = f"/api/tournaments/{key}/draw"
            done.append((peer, server.json("POST", path, {}, X_Forwarded_For=peer)[0]))

        much = [threading.Thread(target=draw, args=(key, "192.0.2.7")) for key in keys]
        for thread in much:
            thread.start()
        draw(honest, "192.0.2.8")
        for thread in much:
            thread.join(120)
        assert ("192.0.2.8", 201) in done[:3]
        assert sorted(done) == [("192.0.2.7", 201)] * 5 + [("192.0.2.8", 201)]


def test_greenlet_is_charged_only_for_its_own_time(local):
    """A request is not charged for the time of others while it waits."""
    limits, spent = local.app.extensions["limits"], []
    limits.count_time = lambda who, seconds: spent.append(seconds)

    def waiting(environ, start_response):
        mine = greenlet.getcurrent()
        greenlet.greenlet(lambda: (burn(), mine.switch())).switch()
        return []

    def run_requests():
        watch_greenlets()
        for answer in (waiting, lambda *_: burn()):
            TimeMeter(local.app, answer)({"REMOTE_ADDR": "192.0.2.7"}, None)
        greenlet.settrace(None)

    thread = threading.Thread(target=run_requests)
    thread.start()
    thread.join(60)
    waited, burnt = spent
    assert burnt > 10 * waited


def burn():
    sum(range(3_000_000))
    return []


def test_turns_are_shared_fairly_between_addresses():
    turns, order = FairQueue(max_turns=2), []
    begun, go_on = threading.Semaphore(0), threading.Semaphore(0)

    def ask(asker):
        with turns.turn(asker, 60):
            order.append(asker)
            begun.release()
            go_on.acquire()

    askers = [threading.Thread(target=ask, args=("many",)) for _ in range(10)]
    for thread in askers:
        thread.start()
    begun.acquire()
    # Ten requests of one address wait. The first of another does not wait for them.
    others = [threading.Thread(target=ask, args=(name,)) for name in ("one", "two")]
    for thread in others:
        thread.start()
        begun.acquire() if thread is others[0] else None
    assert order[:2] == ["many", "one"]
    # A thread that has started may not wait yet.
    with turns._changed:
        while "two" not in turns._waiting_calls:
            turns._changed.wait(0.01)
    with pytest.raises(Unavailable), turns.turn("many", 0):
        pass
    for _ in range(12):
        go_on.release()
    for thread in (*askers, *others):
        thread.join(60)
    assert order[2] == "two" or order[3] == "two"
    assert sorted(order) == ["many"] * 10 + ["one", "two"]


def test_limiter_raises_when_no_time_is_left(local):
    limits = local.app.extensions["limits"]
    limits.require_time_left("192.0.2.7")
    limits.count_time("192.0.2.7", ALL + 1)
    with pytest.raises(TooManyRequests):
        limits.require_time_left("192.0.2.7")
