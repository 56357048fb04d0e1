"""Writes the test data of a release: a database, records, and the states they lead to.

    python -m tests.released.make 0.2.0

writes `tests/released/0.2.0/`. Run it once, with the code of the release, and keep its output:
every later release must replay it to the same states.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from scorer.book.ledgers import Ledgers
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import REGIONS, Evening, read_head, rules_of
from scorer.store.sqlite import SqliteStore
from scorer.tournament import read_settings
from tests.released.expected import evening_told, tournament_told
from tests.released.play import head, play

HERE = Path(__file__).parent
CALM = ("bieten", "bleiben", "gehen", "gewinnt", "strafe", "streichen", "neues_spiel")


def clock() -> Iterator[str]:
    """Yield time stamps, a minute apart."""
    now = datetime(2026, 1, 6, 19, tzinfo=UTC)
    while True:
        now += timedelta(minutes=1)
        yield now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def variants() -> list[tuple[str, str]]:
    return [(region, variant) for region in REGIONS for variant in rules_of(region).variants]


def records(rng: Random) -> list[dict[str, Any]]:
    """Random records and their states: long ones with all their rules, short ones without."""
    found = []
    for region, variant in variants():
        for plain in (*(False,) * 20, *(True,) * 4):
            data = head(region, variant, rng, plain)
            evening = Evening(read_head(data))
            play(evening, rng, rng.randrange(3, 6) if plain else 26, CALM if plain else ())
            record = {**data, "events": evening.recorded}
            found.append({"record": record, "told": evening_told(evening)})
    return found


class Book:
    """The database of a release, and the keys and states of its streams."""

    def __init__(self, path: Path, rng: Random) -> None:
        times = clock()
        self.store = SqliteStore(path, clock=lambda: next(times))
        self.rng = rng
        self.tables = Tables(self.store)
        self.ledgers = Ledgers(self.store)
        self.tournaments = Tournaments(self.store, self.tables)
        self.told: dict[str, list[Any]] = {"tables": [], "groups": [], "tournaments": []}

    def close(self) -> dict[str, list[Any]]:
        self.store.close()
        return self.told

    def stream(self, key: str) -> str:
        access = self.store.find(key)
        assert access is not None
        return access.stream

    def evening(self, keys: dict[str, str], played: Evening) -> None:
        """Record the events of a played evening."""
        stream = self.stream(keys["scorer"])
        for at, event in enumerate(played.recorded):
            by = "opponent" if event["do"] == "zusage" else "scorer"
            self.tables.record(stream, event, key=f"tap {at}", by=by, expected=at)
        self.tell_table(keys)

    def tell_table(self, keys: dict[str, str]) -> None:
        table = self.tables.current(self.stream(keys["scorer"]))
        self.told["tables"].append({"keys": keys, "told": evening_told(table.evening)})

    def write_evenings(self) -> None:
        """Write an evening in each variant of each region, and add every other one to a ledger."""
        ledger = self.ledgers.create("Stammtisch zum Löwen")
        member = self.stream(ledger["member"])
        for at, (region, variant) in enumerate(variants()):
            played = Evening(read_head(head(region, variant, self.rng)))
            play(played, self.rng, 45)
            keys = self.tables.create(played.head)
            self.evening(keys, played)
            if at % 2:
                table = self.stream(keys["viewer"])
                self.ledgers.add(member, ledger["member"], table, keys["viewer"], "member")
                if at == 5:
                    self.ledgers.drop(member, table, "member")
        found = self.ledgers.current(member)
        told = {"name": found.name, "evenings": list(found.evenings)}
        boards = [key for _, key in self.ledgers.boards(ledger["reader"], found)]
        self.told["groups"].append({"keys": ledger, "told": told, "boards": boards})

    def write_tournament(self, settings: dict[str, Any], rounds: int) -> None:
        """Write a tournament with disputes, corrections and one live table."""
        keys = self.tournaments.create(read_settings(settings))
        stream = self.stream(keys["director"])
        if settings.get("format", "redraw") == "redraw":
            self._desk(stream)
        for number in range(1, rounds + 1):
            drawn = self.tournaments.draw(
                stream, keys["director"], key=f"draw {number}", by="director"
            )
            if number == 1 and settings.get("format", "redraw") == "redraw":
                self._say(stream, {"do": "ruecknahme", "round": 1})
                drawn = self.tournaments.draw(stream, keys["director"], key="anew", by="director")
            self._results(stream, number, [table.table for table in drawn.tables])
        live = self.tournaments.keyrings.writer_key(keys["director"], drawn.tables[0].stream)
        assert live is not None
        self._live(live)
        self._say(stream, {"do": "stechen", "winner": 1, "loser": 2})
        self._say(stream, {"do": "preise", "lines": ["Ein Speck", "Ein Schnaps"]})
        tournament = self.tournaments.current(stream)
        told = tournament_told(tournament)
        self.told["tournaments"].append({"keys": keys, "told": told})

    def _say(self, stream: str, event: dict[str, Any]) -> None:
        key = f"desk {self.store.length(stream)}"
        self.tournaments.record(stream, event, key=key, by="director")

    def _desk(self, stream: str) -> None:
        late = {"name": "Die Späten", "players": ["Max", "Moritz"], "club": "TSV"}
        self._say(stream, {"do": "anmeldung", "entry": late})
        for name in ("Xaver", "Zenzi"):
            self._say(stream, {"do": "einzeln", "name": name})
        lot = {"name": "Xaver & Zenzi", "players": ["Xaver", "Zenzi"]}
        self._say(stream, {"do": "zulosung", "entries": [lot]})
        self._say(stream, {"do": "vermerk", "pair": 2, "paid": True, "here": True})
        self._say(stream, {"do": "aenderung", "pair": 1, "entry": {"name": "Anna und Bert"}})
        self._say(stream, {"do": "abmeldung", "pair": 3})
        self._say(stream, {"do": "rueckkehr", "pair": 3})
        self._say(stream, {"do": "abmeldung", "pair": 4})

    def _results(self, stream: str, number: int, tables: list[int]) -> None:
        for table in tables:
            tournament = self.tournaments.current(stream)
            target, games = tournament.target(number), tournament.games(number)
            losers = [self.rng.choice((0, 2, 5, target - 1)) for _ in range(games)]
            about = {"do": "ergebnis", "round": number, "table": table}
            won = {**about, "games": [[target, points] for points in losers]}
            lost = {**about, "games": [[points, target] for points in losers]}
            if table % 3 == 1:
                self._say(stream, {**won, "who": "a"})
                self._say(stream, {**lost, "who": "b"})
                self._say(stream, {**won, "who": "director", "reason": "Zettel", "retour": [1]})
                self._say(stream, {"do": "sperre", "round": number, "table": table})
            elif table % 3 == 2:
                self._say(stream, {**lost, "who": "b"})
                games_seen = {"games": lost["games"]}
                yes = {"do": "bestaetigung", "round": number, "table": table, "who": "a"}
                self._say(stream, {**yes, **games_seen})
            else:
                self._say(stream, {**won, "who": "director"})
                self._say(stream, {**lost, "who": "director", "reason": "Vertippt"})

    def _live(self, scorer: str) -> None:
        keys = self.tables.links.keys_for_writer(scorer)
        table = self.tables.current(self.stream(scorer))
        played = Evening(table.evening.head)
        play(played, self.rng, 12)
        self.evening(keys, played)


PAIRS = [
    {"name": f"Paar {n}", "players": [f"Hans {n}", f"Sepp {n}"], "club": f"SV {n % 3}"}
    for n in range(1, 7)
]
TOURNAMENTS = (
    ({"name": "Preiswatten", "rules": "bayern", "games_per_round": 3, "seed": "s"}, 3),
    ({"name": "Runde", "rules": "suedtirol", "format": "round-robin", "seed": "r"}, 2),
    ({"name": "K.o.", "rules": "oberoesterreich", "games_per_round": 1, "format": "knockout"}, 2),
)


def main(version: str) -> None:
    folder = HERE / version
    folder.mkdir(exist_ok=True)
    kept = json.dumps(records(Random(f"{version} records")), ensure_ascii=False)
    (folder / "records.json.gz").write_bytes(gzip.compress(kept.encode(), mtime=0))
    path = folder / "book.db"
    path.unlink(missing_ok=True)
    book = Book(path, Random(f"{version} book"))
    book.write_evenings()
    for settings, rounds in TOURNAMENTS:
        book.write_tournament({**settings, "pairs": PAIRS}, rounds)
    told = json.dumps(book.close(), ensure_ascii=False)
    (folder / "book.json.gz").write_bytes(gzip.compress(told.encode(), mtime=0))
    (folder / "book.db.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    path.unlink()


if __name__ == "__main__":
    main(sys.argv[1])
