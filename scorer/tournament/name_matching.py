"""Names as people sort and compare them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence


def alphabetical(name: str) -> tuple[str, str]:
    """A key to sort names by as they are printed, umlauts beside their vowels as in a telephone
    book's lists.

    Nobody can tell of "Franz Martin" which is the surname. So what stands first decides: a list
    with a column of surnames puts them there, and whoever types a name chooses.

    >>> sorted(["Zauner", "Öller", "Obermair", "Oz", "Ähm", "Strasser", "Straßl"], key=alphabetical)
    ['Ähm', 'Obermair', 'Öller', 'Oz', 'Strasser', 'Straßl', 'Zauner']
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)), name


def folded_name(name: str) -> str:
    """What stays of a name without letters' case, accents, spaces and signs.

    >>> alike("Anna  HUBER") == alike("anna-huber")
    True
    """
    plain, _ = alphabetical(unicodedata.normalize("NFKC", name))
    return "".join(sign for sign in plain if sign.isalnum())


def folded_spelling(name: str) -> str:
    """The same, however its umlauts were typed.

    >>> spelled("Öllinger") == spelled("Oellinger") == spelled("ollinger")
    True
    """
    return re.sub("(?<=[aou])e", "", folded_name(name))


def same_people(players: Sequence[str], name: str) -> str:
    """What two entries of the same pair have in common, in whatever order it was written.

    >>> same_people(["Bert Öller", "Anna"], "Wirt") == same_people([], "anna & OLLER, bert")
    True
    """
    people: Iterable[str] = players if len(players) == 2 else name.replace("/", "&").split("&")
    return "&".join(sorted(filter(None, map(_same_person, people))))


def _same_person(name: str) -> str:
    """A name whichever stands first, given name or surname."""
    return "".join(sorted(map(folded_name, re.findall(r"\w+", name))))
