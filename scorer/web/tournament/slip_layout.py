"""How many slips are on a printed sheet, and how large their boxes are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

SLIPS_PER_SHEET: Final = ((8, 68.5), (6, 91.5), (4, 137.5), (3, 91.5), (2, 137.5))
"""Slips per A4 sheet and their height in mm. Two or three are stacked at full width, more are
in two columns.
"""
TALL_SLIP: Final = 275.0
"""Height in mm of two slips side by side, for many games."""
BOX_HEIGHTS: Final = (18, 14, 11, 9)
"""Possible heights in mm of a slip's boxes."""
TWO_LINE_NAME: Final = 24
"""Letters of a name that fit two lines of a slip."""
ONE_LINE_TITLE: Final = 32
"""Letters of a tournament's name that fit one line of a slip."""


@dataclass(frozen=True, slots=True)
class SlipLayout:
    """Layout of slips on a sheet."""

    count: int
    """Slips per sheet."""
    possible_counts: tuple[int, ...]
    """Selectable numbers of slips per sheet."""
    box_height: int
    """Height in mm of the boxes on large slips, else 0."""
    has_long_names: bool
    """Whether names need more than two lines."""
    wide: bool
    """Whether a slip is as wide as the sheet."""


def slip_layout(
    games: int, longest: int, slips: int = 8, chosen: int = 0, title: int = 0
) -> SlipLayout:
    """The layout with the most slips that fits the games and names, or the chosen one.

    >>> [slip_layout(*sizes).count for sizes in ((3, 20), (3, 60), (10, 60), (20, 60))]
    [8, 8, 4, 2]
    >>> layout = slip_layout(3, 20, slips=3)
    >>> layout.count, layout.possible_counts, layout.box_height, layout.wide
    (3, (8, 6, 4, 3, 2), 9, True)

    :param longest: letters in the longest name
    :param slips: slips to print; few of them are enlarged to fill the sheet
    :param title: letters in the tournament's name
    """
    long = longest > TWO_LINE_NAME
    second_line = 4 if title > ONE_LINE_TITLE else 0
    needed = 24 + second_line + (18.5 if long else 11) + 6.5 * (games + 1)
    heights = {n: height for n, height in SLIPS_PER_SHEET if needed <= height} or {2: TALL_SLIP}
    counts = tuple(heights)
    large_enough = [n for n in counts if n >= slips]
    count = chosen if chosen in counts else min(large_enough, default=counts[0])
    box_room = heights[count] - (28.5 + second_line + (25 if long else 19.5))
    fitting = (height for height in BOX_HEIGHTS if height * (games + 1) <= box_room)
    box_height = next(fitting, 0)
    return SlipLayout(
        count, counts, box_height, long, wide=count < 4 and heights[count] < TALL_SLIP
    )


def needs_small_print(name: str) -> bool:
    """Whether a slip uses small print for a name, because it or one of its words is long.

    >>> needs_small_print("Hansl & Ferdl"), needs_small_print("Hinterschwepfinger Leo")
    (False, True)
    """
    return len(name) > 40 or max(map(len, re.split(r"[\s-]+", name))) > 13
