"""The line that the desk types from a slip: a table or a name, and the points.

>>> read_slip("21 8 -12 3")
Slip(round=0, table=21, points='8 -12 3', name='')
>>> read_slip("Tisch 7.") == read_slip("#7") == read_slip("7")
True
>>> read_slip("R2 7 8 3") == read_slip("Runde 2, Tisch 7 8 3") == read_slip("2/7 8 3")
True
>>> read_slip("Huber")
Slip(round=0, table=0, points='', name='Huber')
>>> read_slip("Huber-Moser 8 -12")
Slip(round=0, table=0, points='8 -12', name='Huber-Moser')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from scorer.tournament import Match
from scorer.tournament.name_matching import word_fit

SLIP: Final = re.compile(
    r"^(?:(?:r|runde|round|turno|manche)\.?\s*([0-9]{1,3})[\s,.:/]+|([0-9]{1,3})/)?"
    r"(?:(?:t|tisch|table|tavolo)\.?\s*|#\s*)?([0-9]{1,4})[.,:]?(?:\s+(.*))?$",
    re.IGNORECASE,
)
"""Groups: the round in two spellings, the table, the points."""
NAMED_SLIP: Final = re.compile(
    r"^(p\.?\s*\d+|\D*[^\d\s]\D*?)\s+([-*]?\d.*)$", re.ASCII | re.IGNORECASE
)
"""Groups: a name without digits or the number of a pair, and the points."""
_PAIR: Final = re.compile(r"p\.?\s*([0-9]{1,4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Slip:
    """One line, as typed."""

    round: int
    """The round, or 0 if none was typed."""
    table: int
    """The table's number, or 0 for a name."""
    points: str = ""
    """In the shorthand of `score_shorthand`."""
    name: str = ""
    """The points are those of the pair with this name or number."""


def read_slip(text: str) -> Slip:
    text = text.strip()
    match = SLIP.match(text)
    if match is None:
        name_match = NAMED_SLIP.match(text)
        return Slip(0, 0, name_match[2], name_match[1]) if name_match else Slip(0, 0, "", text)
    return Slip(int(match[1] or match[2] or 0), int(match[3]), (match[4] or "").strip())


def pair_fit(typed: str, number: int, names: str) -> int:
    """How well a pair fits what was typed, as in `word_fit`; its number, as in "P95", fits best.

    >>> pair_fit("oller", 95, "Anna Öller & Bert"), pair_fit("P95", 95, "Anna & Bert")
    (3, 3)
    >>> pair_fit("95", 95, "Anna & Bert")
    0
    """
    if pair := _PAIR.fullmatch(typed.strip()):
        return 3 * (int(pair[1]) == number)
    return word_fit(names, typed)


def pairs_at(match: Match) -> str:
    """The numbers of all who play at a table, to tell whether others sit there now."""
    return "-".join("+".join(map(str, side)) for side in match.sides)
