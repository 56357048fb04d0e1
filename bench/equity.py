"""Solving the equity tables of all rule sets, against python-chess counting positions."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import chess

from bench.ratios import Ratio, ratio, seconds
from scorer import create_app
from scorer.engine import REGIONS, rules_of
from scorer.engine.equity.model import DEFAULT_CHANCE, live
from scorer.engine.equity.score_graph import ScoreGraph
from scorer.engine.equity.solver import EquityTable

DEPTH = 4
PAGE = 0.005
"""Seconds that a page may add."""


def perft(board: chess.Board, depth: int) -> int:
    """The number of positions after `depth` moves, counted as python-chess does."""
    if depth == 1:
        return board.legal_moves.count()
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += perft(board, depth - 1)
        board.pop()
    return found


def tables() -> None:
    for region in REGIONS:
        EquityTable(ScoreGraph(rules_of(region)), live(DEFAULT_CHANCE))


def measure() -> Iterator[Ratio]:
    yield ratio(
        "the tables of all five rule sets",
        tables,
        f"python-chess perft({DEPTH})",
        lambda: perft(chess.Board(), DEPTH),
        aim="below 1",
    )
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": str(Path(folder) / "x.db"), "RATE_LIMITS": False})
        client = app.test_client()

        def least(path: str) -> float:
            client.get(path)
            return min(seconds(lambda: client.get(path)) for _ in range(15))

        added = least("/rules/suedtirol/gehen") - least("/s")
        yield Ratio("what the largest sheet adds to a small page", "5 ms", added / PAGE, "below 1")
        app.extensions["tables"].store.close()
