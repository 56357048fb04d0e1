"""The seed of each round and its digest.

The tournament's seed is secret until the last draw.
"""

from __future__ import annotations

import hashlib

from scorer.tournament.stages import next_stage
from scorer.tournament.state import Tournament
from scorer.tournament.taken_back_rounds import reusable_round


def round_seed(tournament: Tournament) -> str:
    """Seed of the next round. It stays secret until the draw."""
    last = reusable_round(tournament)
    return fresh_seed(tournament) if last is None else last.seed


def fresh_seed(tournament: Tournament) -> str:
    """Seed of a round that was not drawn before, derived from the tournament's seed, the round's
    number and how often that round was taken back.
    """
    number = len(tournament.rounds) + 1
    undone_count = sum(undone.number == number for undone in tournament.undone_rounds)
    text = f"{tournament.settings.seed}/{number}/{undone_count}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def hides_seed(tournament: Tournament) -> bool:
    """Whether the tournament's seed would reveal a draw that is still to come or not released."""
    return next_stage(tournament) is not None or tournament.without_draft is not tournament


def seed_digest(seed: str) -> str:
    """Commitment to a seed, published before the draw: 80 bits of SHA-256 in groups of four digits.

    >>> seed_digest("x")
    '2d71 1642 b726 b044 0162'
    """
    digits = hashlib.sha256(seed.encode()).hexdigest()
    return " ".join(digits[start : start + 4] for start in range(0, 20, 4))
