"""Finds and replaces people's names in streams."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, Final

WORDS: Final = frozenset(
    {
        *("name", "players", "player", "dealer", "note", "club", "place"),
        *("reason", "text", "lines", "consolation"),
    }
)
"""The fields that hold free text."""
RULES: Final = ("resolved", "set")
"""Fields that hold rules and no free text."""
SALT: Final = "salt"


def salted(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry without a salt of its own, and with a new one if it has free text.

    Once the text and the salt are erased, a guessed name cannot be checked against the hash.

    >>> salted({"do": "gewinnt", "side": 0})
    {'do': 'gewinnt', 'side': 0}
    >>> sorted(salted({"do": "gewinnt", "side": 0, "player": "Anna"}))
    ['do', 'player', 'salt', 'side']
    """
    # A salt from a request is not secret.
    unsalted = {field: value for field, value in entry.items() if field != SALT}
    return {**unsalted, SALT: secrets.token_hex(16)} if any(words(entry)) else unsalted


def words(value: Any, field: str = "") -> Iterator[str]:
    """All free texts in a value."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name not in RULES:
                yield from words(item, name)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from words(item, field)
    elif isinstance(value, str) and field in WORDS:
        yield value


def name_pattern(name: str) -> re.Pattern[str]:
    """Matches a name as whole words, ignoring case.

    >>> [bool(name_pattern("Anna").search(text)) for text in ("anna & Bert", "Annamirl")]
    [True, False]
    """
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def with_name_replaced(entry: Mapping[str, Any], name: str, instead: str) -> dict[str, Any]:
    """An entry with `instead` for a name; an entry that changes loses its salt.

    >>> entry = {"player": "Anna", "note": "ANNA lost", "salt": "00"}
    >>> with_name_replaced(entry, "Anna", "N. N. 1")
    {'player': 'N. N. 1', 'note': 'N. N. 1 lost'}
    """
    pattern = name_pattern(name)

    def cleaned(value: Any, field: str = "") -> Any:
        if isinstance(value, Mapping):
            return {k: v if k in RULES else cleaned(v, k) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [cleaned(item, field) for item in value]
        return pattern.sub(instead, value) if isinstance(value, str) and field in WORDS else value

    after: dict[str, Any] = cleaned(entry)
    if after != entry:
        after.pop(SALT, None)
    return after
