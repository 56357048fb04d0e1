"""The number of slips on a printed sheet, and the size of their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

SLIPS_PER_SHEET: Final = ((8, 68.5), (6, 91.5), (4, 137.5), (3, 91.5), (2, 137.5))
"""Slips per A4 sheet and their height in mm. Two or three are stacked at full width, more are
in two columns.
"""
TALL_SLIP: Final = 275.0
"""Height in mm of two slips side by side, for many games."""
LARGE_BOX: Final = 8
"""Least height in mm of a box on a roomy slip."""
CODES_HEIGHT: Final = 22
LARGE_CODES_HEIGHT: Final = 28
"""Height in mm of the codes if they are below the boxes, and of those of a roomy slip."""
NAME_SIZES: Final = {"": 9.0, "name-8": 8.0, "name-7": 7.0, "name-6": 6.0, "name-5": 5.25}
"""CSS classes of names, with their letters in points, before a roomy slip enlarges them."""
LINE_SIZES: Final = ("", "name-8", "name-7")
"""Sizes that the names of all slips share; smaller letters are harder to read than a break."""
NAME_HEIGHTS: Final = {False: (10.95, 18.0), True: (22.8, 27.5)}
"""Height in mm of short and of long names, by whether the slip is roomy."""
NUMBER_LINE: Final = 2.9
"""Height in mm of the number above a name."""
LINE_HEIGHT: Final = 1.15
POINT: Final = 0.353
"""Millimetres of a point."""
ONE_LINE_TITLE: Final = 32
"""Letters of a tournament's name that fit one line of a slip."""


@dataclass(frozen=True, slots=True)
class SlipLayout:
    """Layout of slips on a sheet."""

    count: int
    """Slips per sheet."""
    possible_counts: tuple[int, ...]
    """Selectable numbers of slips per sheet."""
    is_roomy: bool
    """Whether there is room to enlarge everything."""
    has_long_names: bool
    """Whether a name needs more than two lines."""
    is_wide: bool
    """Whether a slip is as wide as the sheet."""
    shows_retour: bool
    """Whether a column for Retour takes room from the names."""
    has_codes_below: bool
    """Whether the codes are below the boxes, so that the names have more room."""
    common_size: str = ""
    """The class of all names but those that are too long for it."""

    def name_size(self, name: str) -> str:
        """The class of a name: the common one, or smaller if a word would be broken.

        >>> layout = slip_layout(3, ["Hansl & Ferdl", "Mitzi Baumgartner"], slip_count=20)
        >>> [layout.name_size(name) for name in ("Hansl & Ferdl", "Mitzi Hinterschwepfinger")]
        ['name-7', 'name-6']
        """
        sizes = list(NAME_SIZES)
        smaller = sizes[sizes.index(self.common_size) :]
        return next((size for size in smaller if self._has_room_for(name, size)), sizes[-1])

    def with_common_size(self, names: Sequence[str]) -> SlipLayout:
        """This layout with the largest letters in which the names fit: short names with each
        player on one line. Names that are too long even for small letters do not count.
        """
        player_lines = None if self.has_long_names else 1
        fitting = [name for name in names if self._has_room_for(name, LINE_SIZES[-1], player_lines)]
        size = next(
            size
            for size in LINE_SIZES
            if all(self._has_room_for(name, size, player_lines) for name in fitting)
        )
        return replace(self, common_size=size)

    def _has_room_for(self, name: str, size: str, player_lines: int | None = None) -> bool:
        enlarged = (1.6 if self.is_wide else 1.3) if self.is_roomy else 1
        width = _name_width(self.is_wide, self.shows_retour, self.has_codes_below)
        height = NAME_HEIGHTS[self.is_roomy][self.has_long_names] - NUMBER_LINE * enlarged
        return _fits(name, NAME_SIZES[size] * enlarged, width, height, player_lines)


def slip_layout(
    games: int,
    names: Sequence[str],
    slip_count: int = 8,
    chosen_count: int = 0,
    title_length: int = 0,
    shows_retour: bool = False,
) -> SlipLayout:
    """The layout with the most slips that fits the games and names, or the chosen one.

    >>> short, long = ["Hansl & Ferdl"], ["Maximilian Hinterleitner & Max Huber"]
    >>> [slip_layout(*sizes).count for sizes in ((3, short), (3, long), (10, long), (20, long))]
    [8, 8, 4, 2]
    >>> layout = slip_layout(3, short, slip_count=3)
    >>> layout.count, layout.possible_counts, layout.is_roomy, layout.is_wide
    (3, (8, 6, 4, 3, 2), True, True)

    :param slip_count: slips to print; few of them are enlarged to fill the sheet
    :param title_length: letters in the tournament's name
    """
    second_line = 4 if title_length > ONE_LINE_TITLE else 0
    long, long_without_codes = (_are_long(names, shows_retour, below) for below in (False, True))
    needed = _least_height(games, long) + second_line
    heights = {n: height for n, height in SLIPS_PER_SHEET if needed <= height} or {2: TALL_SLIP}
    counts = tuple(heights)
    large_enough = [n for n in counts if n >= slip_count]
    count = chosen_count if chosen_count in counts else min(large_enough, default=counts[0])
    room = heights[count] - second_line
    wide = count < 4 and heights[count] < TALL_SLIP
    below = not wide and _least_height(games, long_without_codes) + CODES_HEIGHT <= room
    if below:
        long = long_without_codes
    boxes = LARGE_BOX * (games + 1) + (LARGE_CODES_HEIGHT if below else 0)
    roomy = 29 + NAME_HEIGHTS[True][long] + boxes <= room
    layout = SlipLayout(count, counts, roomy, long, wide, shows_retour, below)
    return layout.with_common_size(names)


def _least_height(games: int, has_long_names: bool) -> float:
    """Millimetres of a slip with codes beside its boxes, and a title of one line."""
    return 24 + NAME_HEIGHTS[False][has_long_names] + 6.5 * (games + 1)


def _are_long(names: Sequence[str], shows_retour: bool, has_codes_below: bool) -> bool:
    """Whether one of the names does not fit the usual height."""
    width = _name_width(False, shows_retour, has_codes_below)
    height = NAME_HEIGHTS[False][False] - NUMBER_LINE
    return not all(
        _fits(name, NAME_SIZES[LINE_SIZES[-1]], width, height, player_lines=1)
        or _fits(name, NAME_SIZES[""], width, height)
        for name in names
    )


def _name_width(wide: bool, shows_retour: bool, has_codes_below: bool = False) -> float:
    """Millimetres for the letters of a name."""
    sheet = 134 if wide else 81 if has_codes_below else 52.4
    return (sheet - (9 if shows_retour else 0)) / 2 - (4 if wide else 1)


def _fits(
    name: str, points: float, width: float, height: float, player_lines: int | None = None
) -> bool:
    """Whether a name fits in letters of a size, with each word unbroken.

    :param player_lines: most lines of a player; None for any number

    >>> _fits("Hansl & Ferdl", 9, 22, 8), _fits("Hinterschwepfinger & Ferdl", 9, 22, 8)
    (True, False)
    """
    ems = width / (points * POINT)
    lines, players = 0, name.split(" & ")
    for player in players:
        used = ems
        for word in re.findall(r"[^\s-]+-?", player):
            needed = _ems(word)
            if used + 0.4 + needed <= ems:
                used += 0.4 + needed
            else:
                # The lines of a name after the first are indented.
                lines, used = lines + 1, needed + (0 if used == ems else 0.6)
            if used > ems:
                return False
    is_high = player_lines is not None and lines > player_lines * len(players)
    return not is_high and lines * points * LINE_HEIGHT * POINT <= height


def _ems(word: str) -> float:
    """The width of a word in ems, as of a wide typeface."""
    return sum(map(_em, word))


def _em(letter: str) -> float:
    if letter in "fijlrt'-.1":
        return 0.42
    if letter in "mwMW":
        return 1
    return 0.76 if letter.isupper() else 0.64


def needs_small_print(name: str) -> bool:
    """Whether a tournament's name needs small print, because it or one of its words is long.

    >>> needs_small_print("Preiswatten in Au"), needs_small_print("Kameradschaftsbund Au")
    (False, True)
    """
    return len(name) > 40 or max(map(len, re.split(r"[\s-]+", name))) > 13
