"""Finds and replaces people's names in streams."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from scorer.engine.aggregate import METADATA_SCHEMA
from scorer.engine.input.field_readers import name as name_reader
from scorer.engine.input.texts_in_json import with_texts
from scorer.engine.scoring.events import EVENTS as table_events
from scorer.engine.scoring.events import schema as table_schema
from scorer.engine.scoring.record import HEAD
from scorer.engine.scoring.state import read_sides

SALT: Final = "salt"


def with_salt(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry with a new salt if it has free text, else without one.

    Once the text and the salt are erased, a guessed name cannot be checked against the hash.

    >>> with_salt({"do": "gewinnt", "side": 0})
    {'do': 'gewinnt', 'side': 0}
    >>> sorted(with_salt({"do": "gewinnt", "side": 0, "player": "Anna"}))
    ['do', 'player', 'salt', 'side']
    """
    # A salt from a request is not secret.
    without_salt = {field: value for field, value in entry.items() if field != SALT}
    return (
        {**without_salt, SALT: secrets.token_hex(16)}
        if any(free_texts(without_salt))
        else without_salt
    )


def free_texts(entry: Mapping[str, Any]) -> list[str]:
    """All free texts in a head or an event.

    >>> free_texts({"group": 1, "name": "Stammtisch"})
    ['Stammtisch']
    >>> new = {"do": "gewinnt", "side": 0, "note": "Anna"}
    >>> free_texts({"do": "korrektur", "of": 0, "with": new})
    ['Anna']
    """
    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    with_texts(_schema(entry), entry, collect, _schema)
    return texts


def _schema(entry: Any) -> Mapping[str, Any]:
    """JSON Schema of a head or an event."""
    if not isinstance(entry, Mapping):
        return {}
    if "do" in entry:
        return _event_schema(str(entry["do"]))
    return next((_HEADS[kind]() for kind in _HEADS if kind in entry), {})


@cache
def _event_schema(do: str) -> Mapping[str, Any]:
    if do in table_events:
        return table_schema(table_events[do])
    from scorer.tournament.events import EVENTS
    from scorer.tournament.state import EVENT_CLASSES

    if do in EVENTS:
        return EVENT_CLASSES.schema(EVENTS[do])
    # A ledger's events hold ids.
    return {"properties": METADATA_SCHEMA}


@cache
def _table_head() -> Mapping[str, Any]:
    return {"properties": {**HEAD.schema()["properties"], "sides": read_sides.schema}}


@cache
def _tournament_head() -> Mapping[str, Any]:
    from scorer.tournament.settings import SETTINGS

    return SETTINGS.schema()


def _ledger_head() -> Mapping[str, Any]:
    return {"properties": {"name": name_reader.schema}}


_HEADS: Final[Mapping[str, Callable[[], Mapping[str, Any]]]] = {
    "watten": _table_head,
    "tournament": _tournament_head,
    "group": _ledger_head,
}
"""Schemas of heads by a field that only this kind has. They are made on first use, so that a server
without tournaments does not import their code."""


def name_pattern(name: str) -> re.Pattern[str]:
    """Match a name as whole words, ignoring case.

    >>> [bool(name_pattern("Anna").search(text)) for text in ("anna & Bert", "Annamirl")]
    [True, False]
    """
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def with_name_replaced(entry: Mapping[str, Any], name: str, replacement: str) -> dict[str, Any]:
    """An entry with `replacement` for a name; an entry that changes loses its salt.

    >>> entry = {"do": "gehen", "player": "Anna", "note": "ANNA lost", "salt": "00"}
    >>> with_name_replaced(entry, "Anna", "N. N. 1")
    {'do': 'gehen', 'player': 'N. N. 1', 'note': 'N. N. 1 lost'}
    """
    pattern = name_pattern(name)

    def replace_name(text: str) -> str:
        return pattern.sub(replacement, text)

    redacted: dict[str, Any] = with_texts(_schema(entry), entry, replace_name, _schema)
    if redacted != entry:
        redacted.pop(SALT, None)
    return redacted
