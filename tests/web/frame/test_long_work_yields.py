"""A worker answers other requests while it draws a large round."""

import threading

import pytest

from tests.builders import NEXT
from tests.serving import serving


@pytest.fixture(scope="module")
def lone(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("lone") / "x.db", workers=1) as server:
        yield server


def answered_meanwhile(server, path):
    """The number of other requests that are answered while this page is made."""
    found, begun = [], threading.Event()

    def fetch():
        begun.set()
        found.append(server.request("GET", path)[0])

    thread = threading.Thread(target=fetch)
    thread.start()
    begun.wait(10)
    count = 0
    while not found:
        assert server.request("GET", "/s")[0] == 200
        count += 1
    thread.join(30)
    assert found == [200]
    return count


@pytest.mark.slow
def test_the_slips_of_many_tables(lone):
    pairs = [{"name": f"Pair {number}"} for number in range(100)]
    made = lone.new_tournament(pairs=pairs, games_per_round=1)
    lone.draw(made["director"])
    assert answered_meanwhile(lone, f"/p/{made['viewer']}/print/cross") > 2
    path = f"/p/{made['director']}/print/slips"
    assert answered_meanwhile(lone, path) > 5
    # A slip with two codes and boxes takes less than 8 kB, so a phone can load 256 slips.
    assert len(lone.request("GET", path)[2]) < 50 * 8_000


@pytest.mark.slow
def test_the_other_readings_of_a_long_evening(lone):
    keys = lone.table()
    for number in range(60):
        state = lone.state(keys["scorer"])
        event = {"do": "gewinnt", "side": number % 2}
        if state["winner"] is not None:
            event = NEXT
        assert lone.write(keys["scorer"], event, str(number))[0] == 201
    path = f"/b/{keys['viewer']}/readings"
    assert answered_meanwhile(lone, path) > 2
    # The page is cached for this state, so nobody else waits for it.
    assert lone.request("GET", path)[0] == 200
