"""Names with the surname first, as in a list by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from scorer.tournament.name_matching import alphabetical

_PARTICLE_WORDS: Final = """
d da dal dalla de degli dei del della den der di du la le lo van vom von zu zum zur
"""
_PARTICLES: Final = frozenset(_PARTICLE_WORDS.split())


@cache
def _given_names() -> frozenset[str]:
    text = Path(__file__).with_name("given_names.txt").read_text(encoding="utf-8")
    return frozenset(map(_comparable_given_name, text.split()))


def _comparable_given_name(word: str) -> str:
    return alphabetical(word.split("-")[0])[0]


@dataclass(frozen=True, slots=True)
class NameOrder:
    """Whether a tournament's names have the surname first."""

    surname_first: bool

    @classmethod
    def of(cls, names: Iterable[str]) -> NameOrder:
        """The order of most names, by the given names that are known.

        >>> NameOrder.of(["Gruber Hansl", "Peter Paul", "Moser Mitzi"])
        NameOrder(surname_first=True)
        >>> NameOrder.of(["Hansl Gruber"]) == NameOrder.of(["Unknown Words"])
        True
        """
        # A name votes +1 if only its last word is a given name, -1 if only its first word is.
        votes = 0
        for name in names:
            are_given_names = [
                _comparable_given_name(word) in _given_names()
                for word in re.findall(r"[\w-]+", name)
            ]
            if len(are_given_names) > 1:
                votes += are_given_names[-1] - are_given_names[0]
        return cls(votes > 0)

    def surname_first_form(self, name: str) -> str:
        """The name beginning with the surname."""
        before, surname, after = self._parts(name)
        return " ".join([*surname, *before, *after])

    def shortened(self, name: str) -> str:
        """The name with a letter for the surname; a single word stays.

        >>> order = NameOrder(surname_first=False)
        >>> order.shortened("Anna Huber"), order.shortened("Hansl")
        ('Anna H.', 'Hansl')
        """
        before, surname, after = self._parts(name)
        rest = [*before, *after]
        return " ".join([*rest, f"{surname[-1][0]}."]) if rest and surname else name

    def with_initials(self, name: str) -> str:
        """The name with the surname written out, and a letter for each other word.

        >>> NameOrder(surname_first=False).with_initials("Anna Maria De Marchi jun.")
        'A. M. De Marchi jun.'
        """
        before, surname, after = self._parts(name)
        return " ".join([*map(_initial, before), *surname, *map(_initial, after)])

    def surname(self, name: str) -> str:
        """The surname, or the only name."""
        return " ".join(self._parts(name)[1])

    def _parts(self, name: str) -> tuple[list[str], list[str], list[str]]:
        """The words before the surname, the surname, and the words after it.

        >>> order = NameOrder(surname_first=False)
        >>> for name in ("Anna Maria Öller", "Marco De Marchi", "Sepp Huber jun.", "Luis (FF)"):
        ...     print(order.surname_first_form(name), "/", order.surname(name))
        Öller Anna Maria / Öller
        De Marchi Marco / De Marchi
        Huber Sepp jun. / Huber
        Luis (FF) / Luis
        >>> NameOrder(surname_first=True).surname("Von der Au Marco")
        'Von der Au'
        """
        words = name.split()
        if self.surname_first:
            end = next((index for index, word in enumerate(words) if not _is_particle(word)), 0) + 1
            return [], words[:end], words[end:]
        end = len(words)
        while end > 1 and (not words[end - 1][0].isupper() or words[end - 1].endswith(".")):
            end -= 1
        start = end - 1
        while start > 1 and _is_particle(words[start - 1]):
            start -= 1
        return words[:start], words[start:end], words[end:]


def _initial(word: str) -> str:
    return word if word.endswith(".") or not word[0].isalpha() else f"{word[0]}."


def _is_particle(word: str) -> bool:
    return word.casefold().rstrip("'’") in _PARTICLES
