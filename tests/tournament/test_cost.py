"""What replaying and showing a tournament costs, counted in function calls."""

import subprocess
import sys
from contextlib import contextmanager

import pytest

from scorer.book.tournament_event_limits import MAX_TOURNAMENT_REPLAY_COST, require_not_full
from scorer.book.validation import first_refusal
from scorer.tournament import read_settings
from scorer.tournament.events import new_tournament
from scorer.tournament.knockout import remaining_lots
from scorer.tournament.settings import MAX_PAIRS
from scorer.tournament.stages import next_stage
from scorer.tournament.standings import standings
from tests.sampling import mostly_slow

CALLS_PER_STEP = 200
"""The most function calls per step."""


@contextmanager
def count_calls(statement=1):
    """Count function calls in the block; yields a list with their number.

    :param statement: number of calls that a database statement counts as
    """
    calls = [0]

    def note(_frame, event, called):
        if event == "call":
            calls[0] += 1
        elif event == "c_call":
            calls[0] += statement if called.__name__ == "execute" else 1

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def head(form, pairs=MAX_PAIRS):
    asked = {"name": "P", "rules": "bayern", "format": form, "rounds": 99}
    return read_settings({**asked, "pairs": [{"name": f"P{n}"} for n in range(pairs)]}).to_json()


def draw_event(number, stage="rounds"):
    """The draw of a round with all pairs, as an event."""
    twos = [[2 * n - 1, 2 * n] for n in range(1, MAX_PAIRS // 2 + 1)]
    tables = [{"table": n, "pairs": two, "lots": two} for n, two in enumerate(twos, 1)]
    return {"do": "auslosung", "round": number, "stage": stage, "anyway": True, "tables": tables}


def director_result(**fields):
    return {"do": "ergebnis", "round": 1, "table": 1, "who": "director", **fields}


FLOODS = {
    "draws": lambda n: draw_event(n + 1),
    "draws of a knock-out": lambda n: draw_event(n + 1, "knockout"),
    "draws taken back": lambda n: {"do": "ruecknahme", "round": 1} if n % 2 else draw_event(1),
    "swaps": lambda n: {"do": "tausch", "round": 1, "lots": [1, 3 + n % 2]} if n else draw_event(1),
    "settings": lambda n: {"do": "einstellung", "set": {"name": f"N{n}"}},
    "who is there": lambda n: {"do": "anwesenheit", "absent": list(range(1, 400 + n % 2))},
    "struck off": lambda n: {"do": "streichung", "pairs": list(range(1, 500))},
    "marks": lambda n: {"do": "vermerk", "pair": 1, "paid": bool(n % 2), "here": True},
    "names": lambda n: {"do": "aenderung", "pair": 1, "entry": {"name": f"Q{n}"}},
    "results": lambda n: director_result(games=[[15, 8 + n % 2]] * 3) if n else draw_event(1),
    "deciders": lambda n: {"do": "stechen", "winner": 1 + n % 2, "loser": 2 - n % 2},
}
EVENTS = 40
"""Number of events of each kind. Their cost depends only on the number of their steps."""


@pytest.mark.parametrize("flood", mostly_slow(FLOODS))
def test_event_cost_stays_within_its_steps(flood):
    tournament = new_tournament(read_settings(head("knockout")))
    events = [FLOODS[flood](n) for n in range(EVENTS)]
    with count_calls() as calls:
        tournament = tournament.after(events)
    assert calls[0] <= CALLS_PER_STEP * tournament.replay_cost
    # A tournament that may be replayed must also be cheap to show.
    with count_calls() as calls:
        standings(tournament)
        next_stage(tournament)
        remaining_lots(tournament)
    assert calls[0] <= 10 * MAX_TOURNAMENT_REPLAY_COST


@pytest.mark.slow
def test_tournament_refuses_too_many_changes():
    events = [FLOODS["draws taken back"](n) for n in range(330)]
    refusal = first_refusal("tournament", head("redraw"), events, with_limits=True)
    assert (refusal.code, refusal.values) == (
        "tournament-changed-often",
        {"most": MAX_TOURNAMENT_REPLAY_COST},
    )
    # Recorded events are still read.
    assert first_refusal("tournament", head("redraw"), events) is None


@pytest.mark.slow
def test_largest_tournament_stays_within_the_limit():
    """512 pairs, twelve rounds, each result entered by both pairs and then by the director."""
    tournament = new_tournament(read_settings(head("redraw")))
    for number in range(1, 13):
        result = director_result(games=[[15, 8]] * 3) | {"round": number}
        entered = [
            {**result, "table": table, "who": who}
            for table in range(1, MAX_PAIRS // 2 + 1)
            for who in ("a", "b", "director")
        ]
        tournament = tournament.after([draw_event(number), *entered])
    require_not_full(tournament)
    assert tournament.replay_cost * 2 < MAX_TOURNAMENT_REPLAY_COST


@pytest.mark.slow
def test_drawing_does_not_import_numpy(tmp_path):
    drawing = """
import sys
from pathlib import Path
from scorer.demo import preiswatten
preiswatten(Path(sys.argv[1]))
sys.exit("numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", drawing, tmp_path / "x.db"], check=False)
    assert done.returncode == 0
