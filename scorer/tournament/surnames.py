"""Names with the surname first, as in a list by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
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


def is_given_name(word: str) -> bool:
    """Whether the word is a known given name.

    >>> is_given_name("Seppi"), is_given_name("Huber")
    (True, False)
    """
    return _comparable_given_name(word) in _given_names()


def _comparable_given_name(word: str) -> str:
    return alphabetical(word.split("-")[0])[0]


@dataclass(frozen=True, slots=True)
class NameOrder:
    """The order of the words in a tournament's names."""

    surname_first: bool
    """The order of a name that does not show it by a given name at one of its ends."""

    @classmethod
    def of(cls, names: Iterable[str]) -> NameOrder:
        """The order of most names, by the given names that are known.

        >>> NameOrder.of(["Gruber Hansl", "Peter Paul", "Moser Mitzi"])
        NameOrder(surname_first=True)
        >>> NameOrder.of(["Hansl Gruber"]) == NameOrder.of(["Unknown Words"])
        True
        """
        return cls(sum(map(_vote, names)) > 0)

    def surname_first_form(self, name: str) -> str:
        """The name beginning with the surname."""
        before, surname, after = self._parts(name)
        return " ".join([*surname, *before, *after])

    def shortened(self, name: str) -> str:
        """The name with a letter for the surname; a single word stays.

        >>> order = NameOrder(surname_first=False)
        >>> [order.shortened(name) for name in ("Anna Huber", "Huber Anna", "Hansl")]
        ['Anna H.', 'Anna H.', 'Hansl']
        >>> order.shortened("Franz Xaver Ober-Niedermayer von und zu H")
        'Franz Xaver O.'
        """
        before, surname, after = self._parts(name)
        given = list(takewhile(is_given_name, before))
        if given and len(given) < len(before):
            before, surname = given, [before[len(given)]]
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
        >>> order = NameOrder(surname_first=True)
        >>> [order.surname(name) for name in ("Von der Au Marco", "Thomas Huber", "Dr. Moser Resi")]
        ['Von der Au', 'Huber', 'Moser']
        >>> order.surname("Huber, Sepp"), order.surname_first_form("De Marchi, Luca")
        ('Huber', 'De Marchi Luca')
        """
        until_comma, comma, after_comma = name.partition(",")
        if comma and until_comma.strip() and after_comma.strip():
            return [], until_comma.split(), after_comma.split()
        words = name.split()
        start = next((index for index, word in enumerate(words) if not word.endswith(".")), 0)
        before, surname, after = self._parts_without_titles(words[start:])
        return [*words[:start], *before], surname, after

    def _parts_without_titles(self, words: list[str]) -> tuple[list[str], list[str], list[str]]:
        vote = _vote(" ".join(words))
        if vote > 0 or (vote == 0 and self.surname_first):
            end = next((index for index, word in enumerate(words) if not _is_particle(word)), 0) + 1
            return [], words[:end], words[end:]
        end = len(words)
        while end > 1 and (not words[end - 1][0].isupper() or words[end - 1].endswith(".")):
            end -= 1
        start = end - 1
        while start > 1 and _is_particle(words[start - 1]):
            start -= 1
        return words[:start], words[start:end], words[end:]


def _vote(name: str) -> int:
    """1 if only the last word of a name is a known given name, -1 if only the first is, else 0."""
    words = re.findall(r"[\w-]+", name)
    are_given_names = [is_given_name(word) for word in words]
    return are_given_names[-1] - are_given_names[0] if len(words) > 1 else 0


def _initial(word: str) -> str:
    return word if word.endswith(".") or not word[0].isalpha() else f"{word[0]}."


def _is_particle(word: str) -> bool:
    return word.casefold().rstrip("'’") in _PARTICLES
