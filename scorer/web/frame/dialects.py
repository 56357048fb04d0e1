"""Dialects: regional words and reasons on slate, pad and board that replace the German ones.

A dialect is one file; a club's own files lie in a folder beside the database. See
docs/translating.md.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.support import NullTranslations
from flask import Flask, current_app

import scorer
from scorer.store import database_url

FOLDER: Final = Path(scorer.__file__).parent / "dialects"
WORDS_FILE: Final = "german_words.toml"
BASE_LANGUAGE: Final = "de"
"""Language that dialects modify."""


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """A dialect; compared by identity."""

    id: str
    """Name of its file without suffix."""
    name: str
    words: Mapping[str, str]


class InvalidDialect(Exception):
    """A dialect file that cannot be used; the text names file and reason."""


@cache
def vocabulary() -> Mapping[str, tuple[str, ...]]:
    """The German words that a dialect may replace, by place.

    >>> "bleiben" in vocabulary()["bidding"]
    True
    """
    with (FOLDER / WORDS_FILE).open("rb") as file:
        return {place: tuple(words) for place, words in tomllib.load(file).items()}


def read(path: Path) -> Dialect:
    """Read one dialect file.

    :raises InvalidDialect: invalid TOML, no name, or a word that is not in `vocabulary`
    """
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise InvalidDialect(f"{path}: {error}") from None
    name, words = content.get("name"), content.get("words")
    if not isinstance(name, str) or not name.strip() or not isinstance(words, dict):
        raise InvalidDialect(f"{path}: needs a name and [words]")
    replaceable = {word for words in vocabulary().values() for word in words}
    for word, replacement in words.items():
        if word not in replaceable:
            raise InvalidDialect(f"{path}: {word!r} is no word of slate, pad or board")
        if not isinstance(replacement, str) or _placeholders(replacement) != _placeholders(word):
            raise InvalidDialect(f"{path}: {word!r} needs the same %(places)s")
    return Dialect(path.stem, name.strip(), words)


def _placeholders(text: str) -> set[str]:
    """The placeholders of a text.

    >>> _placeholders("Runde %(n)s")
    {'%(n)s'}
    """
    return {f"%({part.partition(')')[0]})s" for part in text.split("%(")[1:]}


def own_folder(db: Path) -> Path:
    return db.parent / "dialects"


def files(folder: Path) -> list[Path]:
    shipped = (path for path in FOLDER.glob("*.toml") if path.name != WORDS_FILE)
    return [*sorted(shipped), *sorted(folder.glob("*.toml"))]


def dialects() -> Mapping[str, Dialect]:
    by_id: Mapping[str, Dialect] = current_app.extensions["dialects"]
    return by_id


class DialectTranslations(NullTranslations):
    """German translations with the words of a dialect."""

    def __init__(self, german: NullTranslations, words: Mapping[str, str]) -> None:
        super().__init__()
        self.add_fallback(german)
        self._words = words

    def gettext(self, message: str) -> str:
        german = super().gettext(message)
        return self._words.get(german, german)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        german = super().ngettext(msgid1, msgid2, n)
        return self._words.get(german, german)

    def pgettext(self, context: str, message: str) -> str:
        german = str(super().pgettext(context, message))
        return self._words.get(german, german)

    ugettext, ungettext, upgettext = gettext, ngettext, pgettext


@cache
def dialect_translations(german: NullTranslations, dialect: Dialect) -> DialectTranslations:
    """A dialect's translations; one object per dialect, since caches use it as key."""
    return DialectTranslations(german, dialect.words)


def init_app(app: Flask) -> None:
    """Read all dialects; invalid files are logged and left out."""
    by_id: dict[str, Dialect] = {}
    for path in files(own_folder(database_url.own_file(app.config["DATABASE"]))):
        try:
            by_id[path.stem] = read(path)
        except InvalidDialect as error:
            app.logger.warning("dialect left out: %s", error)
    app.extensions["dialects"] = by_id
