"""What a page of a long evening costs, counted in replayed events."""

import json
import sys
from collections import Counter
from contextlib import contextmanager
from itertools import cycle

import pytest
from flask import template_rendered

from scorer.book.tables import Table
from scorer.book.tournaments import Tournaments
from scorer.engine import Evening, Geklaert, Gewinnt, NeuesSpiel, Strittig, read_head
from scorer.engine.scoring import transitions
from scorer.engine.telling.rules_comparison import MAX_STEPS, other_rules
from scorer.web.table.disputes import Disputes
from scorer.web.table.entry_authors import EntryAuthors
from tests.builders import WON
from tests.web.tournament.hall import Hall

HEAD = {"watten": 1, "rules": "oberoesterreich"}
ENTRIES = 1000
LIVE = ("board.stream", "writer.stream")


def long_evening():
    evening, sides = Evening(read_head(HEAD)), cycle((0, 1, 0, 0, 1))
    while len(evening.recorded) < ENTRIES:
        over = evening.state.winner is not None
        evening.push((NeuesSpiel() if over else Gewinnt(next(sides))).to_json())
    return evening


@pytest.fixture(scope="module")
def keys(app):
    return app.extensions["tables"].create_from_record({**HEAD, "events": long_evening().recorded})


@pytest.fixture
def template_counts(app):
    """A Counter of the templates that were rendered, by name."""
    found = Counter()

    def note(_, template, **__):
        found[template.name] += 1

    with template_rendered.connected_to(note, app):
        yield found


@contextmanager
def calls(function):
    """A context manager that yields the list of the calls of a function in it."""
    found = []

    def note(frame, event, _):
        if event == "call" and frame.f_code is function.__code__:
            found.append(function.__name__)

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


def fetch(app, path, language="de"):
    """The text of a page, and the number of events that were applied for it."""
    client = app.test_client()
    with calls(transitions.apply) as carried:
        answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code in (200, 303), path
    return answer.text, len(carried)


def pages(app, key, *prefixes):
    """The path of each page under these prefixes for this key, without live streams."""
    urls = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith(prefixes) and "GET" in rule.methods and rule.endpoint not in LIVE:
            values = {"key": key, "place": 5, "index": 5, "game": 1}
            yield urls.build(rule.endpoint, {name: values[name] for name in rule.arguments})


@pytest.mark.slow
def test_pages_of_long_evenings_apply_few_events(app, keys):
    app.extensions["tables"].current(app.extensions["tables"].store.find(keys["viewer"]).stream)
    paths = [*pages(app, keys["viewer"], "/b/<key>"), *pages(app, keys["scorer"], "/t/<key>")]
    assert any(path.endswith("/readings") for path in paths)
    for path in paths:
        assert fetch(app, path)[1] <= MAX_STEPS, path


@pytest.mark.slow
def test_long_readings_page_loads_in_parts(app, keys):
    path, found, parts = f"/b/{keys['viewer']}/readings", 0, 0
    while path:
        text, carried = fetch(app, path)
        assert carried <= MAX_STEPS
        assert fetch(app, path)[1] == 0
        assert "vendor/htmx" in text
        found += text.count("<h2>") + text.partition('<ul class="links">')[2].count("<li>")
        parts += 1
        path = text.partition('hx-get="')[2].partition('"')[0]
    assert found == len(other_rules(long_evening()))
    assert parts > 3


@pytest.mark.parametrize(
    ("page", "template"),
    [
        ("sheet", "table/board/_sheet_rounds.html"),
        ("history", "table/board/history.html"),
        ("readings", "table/corrections/readings.html"),
    ],
)
def test_cached_parts_are_rendered_once(app, template_counts, page, template):
    tables = app.extensions["tables"]
    key = tables.create_from_record({**HEAD, "events": []})["viewer"]
    path, stream = f"/b/{key}/{page}", tables.store.find(key).stream
    for _ in range(3):
        fetch(app, path)
    assert template_counts[template] == 1
    fetch(app, path, "en")
    assert template_counts[template] == 2
    tables.record(stream, WON, idempotency_key="1", by="scorer", expected=0)
    fetch(app, path)
    assert template_counts[template] == 3


class CountingEntry(dict):
    """An entry. The class counts how often a field of any entry is read."""

    looked = 0

    def __getitem__(self, name):
        CountingEntry.looked += 1
        return super().__getitem__(name)


def test_settled_disputes_read_only_the_running_game(app):
    evening = long_evening()
    evening.push(Strittig(1, ENTRIES - 1).to_json())
    evening.recorded[:] = map(CountingEntry, evening.recorded)
    authors = EntryAuthors(Table("", HEAD, evening, []))
    CountingEntry.looked = 0
    assert Disputes(authors).settled == []
    assert 0 < CountingEntry.looked < 50
    evening.push(Geklaert(0, ENTRIES - 1).to_json())
    with app.test_request_context():
        [closed] = Disputes(EntryAuthors(authors.table)).settled
    assert (closed.of, closed.side, closed.settled_by) == (ENTRIES - 1, 1, 0)


def test_table_page_reads_its_tournament_once(local):
    table = Hall(local, 2).draw()[0]
    page = f"/t/{table['scorer']}"
    form = [("token", "t"), ("seq", "0"), ("event", json.dumps(WON))]
    asked = [("GET", path) for path in (page, f"{page}/menu", f"/b/{table['opponent']}")]
    for method, path, *body in [*asked, ("POST", f"{page}/events", form)]:
        for headers in ({}, {"HX_Request": "true"}) if path == page else ({},):
            with calls(Tournaments.current) as readings:
                assert local.request(method, path, *body, **headers)[0] in (200, 303)
            assert len(readings) == 1, path
