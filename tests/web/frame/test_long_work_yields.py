"""A worker answers other requests while it draws a large round."""

import threading

import pytest

from tests.builders import NEXT
from tests.serving import serving


@pytest.fixture(scope="module")
def single_worker(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("lone") / "x.db", workers=1) as server:
        yield server


def count_requests_meanwhile(server, path):
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
def test_printing_many_slips_blocks_no_requests(single_worker):
    pairs = [{"name": f"Pair {number}"} for number in range(100)]
    made = single_worker.new_tournament(pairs=pairs, games_per_round=1)
    single_worker.draw(made["director"])
    assert count_requests_meanwhile(single_worker, f"/p/{made['viewer']}/print/cross") > 2
    path = f"/p/{made['director']}/print/slips"
    assert count_requests_meanwhile(single_worker, path) > 5
    # A slip with two codes and boxes takes less than 8 kB, so a phone can load 256 slips.
    assert len(single_worker.request("GET", path)[2]) < 50 * 8_000


@pytest.mark.slow
def test_long_readings_page_blocks_no_requests(single_worker):
    keys = single_worker.table()
    for number in range(60):
        state = single_worker.state(keys["scorer"])
        event = {"do": "gewinnt", "side": number % 2}
        if state["winner"] is not None:
            event = NEXT
        assert single_worker.write(keys["scorer"], event, str(number))[0] == 201
    path = f"/b/{keys['viewer']}/readings"
    assert count_requests_meanwhile(single_worker, path) > 2
    # The page is cached for this state, so nobody else waits for it.
    assert single_worker.request("GET", path)[0] == 200
