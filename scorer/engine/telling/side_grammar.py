"""Sides as subjects and objects of sentences, in the forms that a language needs.

A sentence lists the forms that depend on a side: `{side} {side:takes|take} the round`. The first
form is for one, the second for "we", the third for several, the last for "they"; of fewer forms
the last counts for all that follow. `~` is the name: `{side:for ~|for us|for ~|for them}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

Number = Literal["one", "we", "several", "they"]
NUMBERS: Final[tuple[Number, ...]] = ("one", "we", "several", "they")
"""In the order of the forms."""
WE: Final = frozenset({"we", "wir", "noi", "nous"})
THEY: Final = frozenset({"they", "die", "loro", "eux"})
_SEVERAL: Final = re.compile(r"[&+/,]|\b(und|and|e|et)\b")
"""Signs and words between the players in a side's name."""
_PLURAL: Final = re.compile(r"([^aeious]s|es|és|i|x|en|rn|ln|[^g]e|buam)$", re.IGNORECASE)
"""Ends of plurals such as Gäste, Nachbarn, Guests, Ospiti or Invités."""
_SINGULAR: Final = re.compile(
    r"(familie|runde|truppe|bande|gruppe|garten|mannschaft|partie|seite|wehr|jugend|musik)$",
    re.IGNORECASE,
)
"""Ends of words that look like plurals."""
_ARTICLE: Final = re.compile(r"(die|i|gli|les) \w", re.IGNORECASE)
"""Articles before plurals, as in Die Stammtischler, I Gatti or Les Copains."""


def grammatical_number(name: str, players: Sequence[str] = ()) -> Number:
    """The number of a side's name.

    :param players: with more than one the name is a team's, which may be a plural

    >>> [grammatical_number(name) for name in ("Wir", "Anna & Bert", "They", "Resi")]
    ['we', 'several', 'they', 'one']
    >>> of_pair = ("Anna", "Bert")
    >>> [grammatical_number(name, of_pair) for name in ("Gäste", "Die Stammtischler", "Feuerwehr")]
    ['several', 'several', 'one']
    """
    lowered = name.strip().lower()
    if lowered in WE:
        return "we"
    if lowered in THEY:
        return "they"
    looks_plural = _PLURAL.search(lowered) or _ARTICLE.match(lowered)
    is_plural = len(players) > 1 and looks_plural and not _SINGULAR.search(lowered)
    return "several" if is_plural or _SEVERAL.search(name) else "one"


def form(forms: str, number: Number) -> str:
    """The form for this number.

    >>> form("bietet|bieten", "they")
    'bieten'
    """
    all_forms = forms.split("|")
    return all_forms[min(NUMBERS.index(number), len(all_forms) - 1)]


@dataclass(frozen=True, slots=True)
class SideInSentence:
    """A side's name, for `str.format`.

    >>> side = SideInSentence("Wir", "we", {"raises": "bietet {to}|bieten {to}"}, {"to": 4})
    >>> "{side} {side.raises}, gut {side:für ~|für uns}".format(side=side)
    'Wir bieten 4, gut für uns'
    """

    name: str
    number: Number
    verbs: Mapping[str, str] = field(default_factory=dict)
    """The region's verbs, by name."""
    values: Mapping[str, int | str] = field(default_factory=dict)
    """Values in the verbs."""

    def __format__(self, forms: str) -> str:
        return form(forms, self.number).replace("~", self.name) if forms else self.name

    def __getattr__(self, verb: str) -> str:
        try:
            forms = self.verbs[verb]
        except KeyError:
            raise AttributeError(verb) from None
        return form(forms, self.number).format_map(self.values)
