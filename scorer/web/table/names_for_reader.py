"""The names of a table's sides as one reader sees them.

Of two sides, the writer reads an unnamed one as "We" or "They". Everybody else reads its players,
or else "Side 1" or "Side 2".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from scorer.engine import Side, State
from scorer.engine.input.lookalikes import normalized
from scorer.engine.telling.player_statistics import people
from scorer.engine.telling.side_grammar import Number, grammatical_number
from scorer.engine.telling.side_names import side_name
from scorer.web.frame.language import in_dialect
from scorer.web.frame.translation import gettext
from scorer.web.table.new_table_form import default_side_names


class NamesForReader:
    """
    :param says_we: whether the reader is the writer, for whom default names such as "We" are right
    :param is_far: whether the reader sits opposite the writer, who calls the reader's side "They"
    """

    def __init__(self, state: State, says_we: bool, *, is_far: bool = False) -> None:
        self._sides = state.sides
        self._says_we = says_we
        self._is_far = is_far

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Distinct names, in the page's dialect."""
        return self._distinct([self._dialect_name(side) for side in range(len(self._sides))])

    @cached_property
    def for_lists(self) -> tuple[str, ...]:
        """Names for lists of evenings: players instead of default names."""
        names = [
            "" if side.players and _has_default_name(side) else self._dialect_name(index)
            for index, side in enumerate(self._sides)
        ]
        return self._distinct(names)

    @property
    def are_missing(self) -> bool:
        """Whether neither a player nor a side has a name that other readers see."""
        return not any(people(side, default_side_names()) for side in self._sides)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides with these names."""
        pairs = zip(self._sides, self.names, strict=True)
        return tuple(Side(name, side.players) for side, name in pairs)

    @cached_property
    def numbers(self) -> tuple[Number, ...]:
        """The grammatical number of each name, whatever a dialect makes of it."""
        return tuple(
            grammatical_number(self._own_name(index) or name, side.players)
            for index, (side, name) in enumerate(zip(self._sides, self.names, strict=False))
        )

    def _distinct(self, names: Sequence[str]) -> tuple[str, ...]:
        """Distinct names; empty ones are replaced by players or numbers."""
        sides = [Side(name, side.players) for name, side in zip(names, self._sides, strict=True)]
        names = [side_name(sides, side, gettext) for side in range(len(sides))]
        return tuple(
            f"{name} {index + 1}" if names.count(name) > 1 else name
            for index, name in enumerate(names)
        )

    def _dialect_name(self, side: int) -> str:
        return in_dialect(self._own_name(side))

    def _own_name(self, side: int) -> str:
        """A side's own name; "" for a default name that is wrong for this reader.

        A reader opposite the writer reads "We" for "They", and "They" for "We".
        """
        sides = self._sides
        if not _has_default_name(sides[side]):
            return sides[side].name
        # Of three, each side is one person, so "We are" and "They are" would be wrong.
        if not self._says_we or len(sides) != 2:
            return ""
        if self._is_far:
            other = sides[1 - side]
            return other.name if _has_default_name(other) else ""
        return sides[side].name


def _has_default_name(side: Side) -> bool:
    return normalized(side.name) in default_side_names()
