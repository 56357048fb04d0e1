"""A whole tournament with phones, two directors, corrections, withdrawals and a killed server. The
standings and the paper equal a recount of the slips.

`make hall` plays a longer one.
"""

import json
import os
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPException
from random import Random
from threading import Lock

import pytest

from tests.browser.paper import open_as_pdf, sheet_text, texts_off_paper
from tests.serving import PATIENCE_SECONDS, serving

PAIRS = int(os.environ.get("HALL_PAIRS", "64"))
ROUNDS = int(os.environ.get("HALL_ROUNDS", "5"))
PHONES = 32
GAMES = 3
LOSERS = (0, 2, 3, 5, 8, 11, 14)


class Hall:
    """A server that may be killed or busy. Requests are repeated until there is a response."""

    def __init__(self, db, stack):
        self.db, self.stack = db, stack
        self.lock = Lock()
        self.server = stack.enter_context(serving(db))

    def send(self, method, path, body=None, **headers):
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                answer = self.server.request(method, path, body, **headers)
                # A busy score book responds with 503, and accepts the request later.
                if answer[0] != 503:
                    return answer
            except (OSError, HTTPException):
                pass
            assert time.monotonic() < end
            time.sleep(0.05)

    def kill(self):
        """Kill the server and start another one with the same database."""
        with self.lock:
            os.killpg(self.server.process.pid, signal.SIGKILL)
            self.server.process.wait()
            self.server = self.stack.enter_context(serving(self.db))


def result_form(games, token, **more):
    fields = [(side, str(p)) for game in games for side, p in zip("ab", game, strict=True)]
    return [("token", token), *fields, *more.items()]


def random_games(rng):
    games = [[15, rng.choice(LOSERS)] for _ in range(GAMES)]
    return [game if rng.random() < 0.5 else game[::-1] for game in games]


def report_table_result(hall, director, number, table, rng):
    """Both phones of a table report; the director decides if they differ. Returns the games."""
    games, name = random_games(rng), f"{number}.{table['table']}"
    first, second = table["scorer"], table["opponent"]
    cookies = [{"Cookie": f"phone=p{name.replace('.', 'x')}{side}"} for side in "ab"]
    assert hall.send("POST", f"/e/{first}", result_form(games, name), **cookies[0])[0] == 303
    if rng.random() < 0.8:
        yes = result_form(games, f"{name}y", do="bestaetigung")
        assert hall.send("POST", f"/e/{second}", yes, **cookies[1])[0] == 303
        return games
    other = [game[::-1] for game in games]
    assert hall.send("POST", f"/e/{second}", result_form(other, f"{name}n"), **cookies[1])[0] == 303
    desk = f"/p/{director}/match/{number}/{table['table']}"
    assert hall.send("POST", desk, result_form(games, f"{name}d", reason="Zettel"))[0] == 303
    return games


def correct_result(hall, director, number, table, rng):
    """The director corrects the result of a table. Returns the new games."""
    games = random_games(rng)
    token = f"c{number}.{table}.{rng.random()}"
    desk = f"/p/{director}/match/{number}/{table}"
    stale = result_form(games, f"{token}s", reason="spät", seen="0")
    assert hall.send("POST", desk, stale)[0] == 422
    assert hall.send("POST", desk, result_form(games, token, reason="verlesen"))[0] == 303
    return games


def recount(draws, slips):
    """Games won, difference and points by pair, computed only from the slips and the byes."""
    sums = {pair: [0, 0, 0] for pair in range(1, PAIRS + 1)}
    for draw in draws:
        for pair in draw["byes"]:
            sums[pair][0] += GAMES
        for table in draw["tables"]:
            for a, b in slips[draw["round"], table["table"]]:
                for pair, own, other in zip(table["pairs"], (a, b), (b, a), strict=True):
                    sums[pair][0] += own > other
                    sums[pair][1] += own - other
                    sums[pair][2] += own
    return sums


@pytest.mark.slow
def test_tournament_standings_equal_a_recount_of_slips(tmp_path, phone):
    rng, slips, gone = Random(7), {}, set()
    with ExitStack() as stack, ThreadPoolExecutor(PHONES) as phones:
        hall = Hall(tmp_path / "hall.db", stack)
        pairs = [{"name": f"Paar {n:03}", "club": f"Ort {n % 9}"} for n in range(1, PAIRS + 1)]
        body = {"name": "Saal", "pairs": pairs, "rounds": ROUNDS, "games_per_round": GAMES}
        body["preset"] = "won-difference-points"
        keys = hall.server.new_tournament(**body)
        director = keys["director"]
        for number in range(1, ROUNDS + 1):
            path = f"/api/tournaments/{director}/draw"

            def draw(who, path=path, number=number):
                answer = hall.send("POST", path, {}, Idempotency_Key=f"{who} {number}")
                return answer[0], json.loads(answer[2])

            answers = dict(phones.map(draw, ("Anna", "Bert")))
            # One of the two directors gets the response that the round is already drawn.
            assert set(answers) == {201, 409}
            played = {}
            for table in answers[201]["tables"]:
                name = table["table"]
                said = (hall, director, number, table, Random(f"{number} {name}"))
                played[name] = phones.submit(report_table_result, *said)
            if number in (2, 4):
                hall.kill()
            slips |= {(number, table): future.result() for table, future in played.items()}
            for table in rng.sample(sorted(played), 3):
                slips[number, table] = correct_result(hall, director, number, table, rng)
            if number in (2, 3):
                for pair in rng.sample(sorted(set(range(1, PAIRS + 1)) - gone), 3):
                    gone.add(pair)
                    leaves = [("token", f"w{pair}"), ("do", "abmeldung")]
                    assert hall.send("POST", f"/p/{director}/pairs/{pair}", leaves)[0] == 303
        tournament = hall.server.tournament(keys["viewer"])
        sums = recount(tournament["draws"], slips)
        lines = tournament["standings"]
        ranked = ("won", "difference", "points")
        assert {line["pair"]: [line[name] for name in ranked] for line in lines} == sums
        placed = [line for line in lines if line["rank"]]
        assert [line["rank"] for line in placed] == list(range(1, PAIRS - len(gone) + 1))
        assert {line["pair"] for line in lines if not line["rank"]} == gone
        values = [sums[line["pair"]] for line in placed]
        assert values == sorted(values, reverse=True)
        page = phone(base_url=hall.server.url)
        check_printed_sheets(page, director, tournament["draws"], gone)


def check_printed_sheets(page, director, draws, gone):
    """Assert that each sheet names all pairs it must, and that public sheets have page numbers."""
    everybody = set(range(1, PAIRS + 1))
    there = {"standings": everybody, "list": everybody, "cross": everybody}
    there |= {"ways": everybody - gone, "certificates?best=1": set()}
    for draw in draws:
        playing = {pair for table in draw["tables"] for pair in table["pairs"]}
        there[f"results/{draw['round']}"] = playing
    there |= {"by-name": playing, "by-table": playing, "slips": playing}
    for what, pairs in there.items():
        document = open_as_pdf(page, f"/p/{director}/print/{what}")
        # Small letters come out of a PDF with gaps between them.
        sheets = [sheet_text(sheet).replace(" ", "") for sheet in document]
        names = {int(number) for text in sheets for number in re.findall(r"Paar(\d{3})", text)}
        assert names >= pairs, what
        for number, sheet in enumerate(document, 1):
            assert texts_off_paper(sheet) == [], what
            if what not in ("slips", "list", "certificates?best=1"):
                assert f"{number}/{len(sheets)}" in sheets[number - 1], what
