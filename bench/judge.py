"""Card rules, against python-chess pushing a move."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from bench.ratios import Ratio, ratio
from scorer.engine import Contract, rules_of

MANY = 2000
HAND, TABLE = ("H9", "EO", "HO", "SA", "L7"), ("H7",)
TRICK = ("SK", "H9", "HU", "HO")


def measure() -> Iterator[Ratio]:
    board, move = chess.Board(), chess.Move.from_uci("e2e4")
    ober = Contract(rules_of("trentino"), "O", "H")
    acht = Contract(rules_of("oberoesterreich"), "8", "H")

    def pushes() -> None:
        for _ in range(MANY):
            board.push(move)
            board.pop()

    def winners() -> None:
        for _ in range(MANY):
            acht.winner(TRICK)

    def answers() -> None:
        for _ in range(MANY):
            ober.legal(HAND, TABLE)

    aim = "at most 0.2"
    yield ratio("the winner of four cards", winners, "python-chess push and pop", pushes, aim=aim)
    yield ratio("the legal answers of five", answers, "python-chess push and pop", pushes, aim=aim)
