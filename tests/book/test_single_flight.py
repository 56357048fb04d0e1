"""A page that many ask for at once is rendered once, and the cache of pages is bounded."""

import threading

from scorer.book.single_flight import SingleFlight


def test_concurrent_requests_render_a_page_once():
    once, drawn = SingleFlight(1000, len), []
    begun, ready = threading.Event(), threading.Event()

    def draw():
        drawn.append("page")
        begun.set()
        ready.wait(20)
        return "page"

    threads = [threading.Thread(target=once, args=(("k", 1), draw)) for _ in range(8)]
    for thread in threads:
        thread.start()
    begun.wait(20)
    ready.set()
    for thread in threads:
        thread.join(20)
    assert drawn == ["page"]


def test_page_cache_is_bounded_by_page_size():
    once = SingleFlight(100, len)
    for number in range(10):
        assert once((number,), lambda: "x" * 30) == "x" * 30
    assert once((9,), lambda: "anew") == "x" * 30
    assert once((6,), lambda: "anew") == "anew"
