"""A tournament's page needs at most eleven database statements, whatever its size."""

from contextlib import closing, contextmanager

import pytest

from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings
from scorer.web import create_app

MAX_STATEMENTS = 11
PAIRS = 24
VALUES = {"number": 1, "table": 1, "what": "standings"}
ROOMS = ("clone", "desk", "exports", "hall", "links", "matches", "pairs", "printouts", "prizes")
ROOMS += ("result_entry", "series", "setup", "signup", "deciders", "tournament_api")


class Counting(SqliteStore):
    """A store that lists the SQL statements it runs."""

    def __init__(self, path):
        super().__init__(path)
        self.statements = []
        rows, snapshot = self._backend.rows, self._backend.snapshot

        def counted(run):
            def counting(sql, *parameters):
                self.statements.append(sql)
                return run(sql, *parameters)

            return counting

        @contextmanager
        def counted_snapshot():
            with snapshot() as run:
                yield counted(run)

        self._backend.rows, self._backend.snapshot = counted(rows), counted_snapshot


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """The path of a database with a tournament, and the tournament's keys by role.

    The tournament is in its second round and has two deciding games.
    """
    path = tmp_path_factory.mktemp("statements") / "x.db"
    pairs = [{"name": f"Pair {n}"} for n in range(PAIRS)]
    given = {"name": "T", "rules": "bayern", "games_per_round": 1, "pairs": pairs, "seed": "s"}
    with closing(SqliteStore(path)) as store:
        tables = Tables(store)
        book = Tournaments(store, tables)
        director = book.create(read_settings(given))["director"]
        stream = store.find(director).stream
        for number in (1, 2):
            named = {"idempotency_key": f"draw {number}", "by": "director"}
            drawn = book.draw(stream, director, **named).tables
            for table in drawn[: PAIRS // (2 * number)]:
                where = {"round": number, "table": table.table}
                games = {"do": "ergebnis", **where, "who": "director", "games": [[15, 8]]}
                book.record(stream, games, idempotency_key=f"{number} {table.table}", by="director")
        for pairs in ((1, 2), (3, 4)):
            named = {"idempotency_key": f"decider {pairs}", "by": "director"}
            table = store.find(book.open_decider_table(stream, director, pairs, **named)).stream
            for n, do in enumerate(("gewinnt", "gewinnt", "bleiben", "gewinnt")):
                event = {"do": do, "side": 0}
                tables.record(table, event, idempotency_key=str(n), by="scorer", expected=n)
            assert tables.current(table).evening.state.games
        keys = book.keyrings.keys_by_role(director)
        pair = book.keyrings.writer_key(director, drawn[-1].stream)
    return path, {**keys, "pair": pair}


def addresses(app, role):
    """Yield endpoint and URL values of the tournament's pages; of the slip's pages for `pair`."""
    for rule in app.url_map.iter_rules():
        if "GET" not in rule.methods or rule.endpoint.split(".")[0] not in ROOMS:
            continue
        is_page = "key" in rule.arguments and "stream" not in rule.rule
        if is_page and rule.rule.startswith("/e/") == (role == "pair"):
            values = {name: value for name, value in VALUES.items() if name in rule.arguments}
            assert {*values, "key"} == rule.arguments, rule
            yield rule.endpoint, values


@pytest.mark.parametrize("role", ["director", "hall", "signup", "pair"])
def test_page_runs_at_most_eleven_statements(evening, role):
    path, keys = evening
    counted = {}
    with closing(Counting(path)) as store:
        app = create_app({"DATABASE": str(path), "RATE_LIMITS": False})
        with app.test_request_context():
            pages = addresses(app, role)
            paths = {app.url_for(page, key=keys[role], **values) for page, values in pages}
        for address in sorted(paths):
            # Nothing is cached from the page before.
            tables = app.extensions["tables"] = Tables(store)
            app.extensions["tournaments"] = Tournaments(store, tables)
            store.statements.clear()
            status = app.test_client().get(address).status_code
            assert status in (200, 303, 403), address
            counted[address] = len(store.statements)
    assert len(counted) > 1
    assert {address: n for address, n in counted.items() if n > MAX_STATEMENTS} == {}
