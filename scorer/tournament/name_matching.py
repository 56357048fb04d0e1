"""Sorting and comparing names of people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+")


def alphabetical(name: str) -> tuple[str, str]:
    """Sort key for names: umlauts next to their vowels (DIN 5007-1), then the name itself.

    >>> sorted(["Zauner", "Öller", "Obermair", "Oz", "Ähm", "Strasser", "Straßl"], key=alphabetical)
    ['Ähm', 'Obermair', 'Öller', 'Oz', 'Strasser', 'Straßl', 'Zauner']
    """
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign)), name


def normalized_name(name: str) -> str:
    """A name without case, accents, spaces and punctuation.

    >>> normalized_name("Anna  HUBER") == normalized_name("anna-huber")
    True
    """
    plain, _ = alphabetical(unicodedata.normalize("NFKC", name))
    return "".join(sign for sign in plain if sign.isalnum())


def normalized_spelling(name: str) -> str:
    """Like `normalized_name`, with ä and ae (ö, ü likewise) treated as equal.

    >>> [normalized_spelling(name) for name in ("Öllinger", "Oellinger", "ollinger")]
    ['ollinger', 'ollinger', 'ollinger']
    """
    return re.sub("(?<=[aou])e", "", normalized_name(name))


def word_fit(names: str, query: str) -> int:
    """How well names contain all words typed, in any order and spelling: 3 if they are words of the
    names, 2 if words begin with them, 1 if they are within words, 0 if not or if no word was typed.
    On the desk's page static/js/desk_tables.js decides alike.

    >>> [word_fit("Öller-Huber & Bert", query) for query in ("huber", "bert oell", "uber", "x")]
    [3, 2, 1, 0]
    """
    typed, words = _spelled_words(query), _spelled_words(names)
    if not typed:
        return 0
    if set(typed) <= set(words):
        return 3
    if all(any(word.startswith(part) for word in words) for part in typed):
        return 2
    return int(all(part in "".join(words) for part in typed))


def _spelled_words(text: str) -> list[str]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text))
    return [*filter(None, map(normalized_spelling, words))]


def people_key(players: Sequence[str], name: str) -> str:
    """A key that is equal for two entries of the same pair, in any order of players and names.

    >>> people_key(["Bert Öller", "Anna"], "Wirt") == people_key([], "anna & OLLER, bert")
    True
    """
    people: Iterable[str] = players if len(players) == 2 else name.replace("/", "&").split("&")
    return "&".join(sorted(filter(None, map(_person_key, people))))


def is_same_person(name: str, other: str) -> bool:
    """Whether two names have the same words, in any order.

    >>> is_same_person("Huber Sepp", "sepp huber"), is_same_person("Sepp sen.", "Sepp jun.")
    (True, False)
    """
    return _person_key(name) == _person_key(other)


def _person_key(name: str) -> str:
    """A key of a name that ignores the order of its words."""
    return "".join(sorted(map(normalized_name, re.findall(r"\w+", name))))
