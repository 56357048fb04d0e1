"""Names as people sort and compare them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence


def surname(name: str) -> str:
    """The part of a player's name that lists are sorted by: the last word, or what a comma ends.

    >>> surname("Anna Huber"), surname("Huber, Anna"), surname("Resi")
    ('Huber', 'Huber', 'Resi')
    """
    before, comma, _ = name.partition(",")
    words = before.split()
    return before.strip() if comma else words[-1] if words else name


def alphabetical(name: str) -> tuple[str, str]:
    """A key to sort names by, umlauts beside their vowels as in a telephone book's lists.

    >>> sorted(["Zauner", "Öller", "Obermair", "Oz", "Ähm", "Strasser", "Straßl"], key=alphabetical)
    ['Ähm', 'Obermair', 'Öller', 'Oz', 'Strasser', 'Straßl', 'Zauner']
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)), name


def by_surname(name: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """A key to sort players by: surname, then the whole name."""
    return alphabetical(surname(name)), alphabetical(name)


def alike(name: str) -> str:
    """What stays of a name without letters' case, accents, spaces and signs.

    >>> alike("Anna  HUBER") == alike("anna-huber")
    True
    """
    plain, _ = alphabetical(unicodedata.normalize("NFKC", name))
    return "".join(sign for sign in plain if sign.isalnum())


def same_people(players: Sequence[str], name: str) -> str:
    """What two entries of the same pair have in common, in whatever order it was written.

    >>> same_people(["Bert", "Anna"], "Wirt") == same_people([], "anna & BERT")
    True
    """
    found: Iterable[str] = players if len(players) == 2 else name.replace("/", "&").split("&")
    return "&".join(sorted(filter(None, map(alike, found))))
