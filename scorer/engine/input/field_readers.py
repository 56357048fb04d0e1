"""Readers of JSON fields, with errors that name the place and the reason.

>>> integer(0, 2)("side", 3.0)
Traceback (most recent call last):
scorer.engine.input.field_readers.Unreadable: side: must be a whole number from 0 to 2, not 3
"""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from scorer.engine.translatable import N_

MAX_NAME_LENGTH: Final = 60
MAX_NOTE_LENGTH: Final = 500


NOT_WHOLE: Final = N_("must be a whole number from {low} to {high}, not {value}")
NOT_ONE_OF: Final = N_("must be one of {known}, not {value}")
TOO_LONG: Final = N_("must not be longer than {longest} characters")


class Unreadable(ValueError):
    """Invalid data: the place and the reason.

    >>> print(Unreadable("dealer", "nobody called {name} sits at this table", name="Resi"))
    dealer: nobody called Resi sits at this table

    :param reason: an English sentence, which screens show in the reader's language
    :param values: the values of its placeholders
    """

    def __init__(self, where: str, reason: str, **values: object) -> None:
        self.where, self.reason, self.values = where, reason, values
        super().__init__(f"{where}: {self.say()}")

    def say(self, translate: Callable[[str], str] = str) -> str:
        sentence = translate(self.reason)
        return sentence.format_map(self.values) if self.values else sentence


T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Reader(Generic[T]):
    """Validates one field: called with the place and the value, returns the value.

    >>> integer(0, 2)("side", 1), integer(0, 2).schema
    (1, {'type': 'integer', 'minimum': 0, 'maximum': 2})

    :raises Unreadable: the value is none of its kind
    """

    read: Callable[[str, Any], T]
    schema: Mapping[str, Any]
    """JSON Schema that accepts at least what the reader accepts."""
    write: Callable[[Any], Any] | None = None
    """Converts a value to JSON if it is not a list, object or scalar."""

    def __call__(self, where: str, value: Any) -> T:
        return self.read(where, value)


def integer(low: int, high: int) -> Reader[int]:
    """Reader of whole numbers; accepts 3.0 as 3."""

    def read(where: str, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise Unreadable(where, NOT_WHOLE, low=low, high=high, value=short_repr(value))
        return value

    return Reader(read, {"type": "integer", "minimum": low, "maximum": high})


_CONTROL: Final = ("Cc", "Cs", "Zl", "Zp")


FREE_TEXT: Final = "x-free-text"
"""Marks the JSON Schema of free text, which people write and which may contain names."""


def text(max_length: int) -> Reader[str]:
    """Reader of one line of free text without control characters."""
    reader = code(max_length)
    return Reader(reader.read, {**reader.schema, FREE_TEXT: True})


def code(max_length: int) -> Reader[str]:
    """Reader of an id, a digest, a seed or a word that the program writes."""

    def read(where: str, value: Any) -> str:
        if not isinstance(value, str):
            raise Unreadable(where, N_("must be text"))
        if len(value) > max_length:
            raise Unreadable(where, TOO_LONG, longest=max_length)
        is_printable_ascii = value.isascii() and value.isprintable()
        if not is_printable_ascii and any(unicodedata.category(sign) in _CONTROL for sign in value):
            raise Unreadable(where, N_("must not contain control characters"))
        return value

    return Reader(read, {"type": "string", "maxLength": max_length})


def matching(pattern: str, reason: str) -> Reader[str]:
    """Reader of texts that match a regular expression as a whole.

    :param pattern: in the syntax that Python and JSON Schema share
    """
    compiled = re.compile(pattern)

    def read(where: str, value: Any) -> str:
        if not isinstance(value, str) or compiled.fullmatch(value) is None:
            raise Unreadable(where, reason)
        return value

    return Reader(read, {"type": "string", "pattern": f"^{pattern}$"})


BIDI_CONTROLS: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Invisible characters that change the text direction, so that 2:6 would read 6:2."""
_WITHOUT_BIDI_CONTROLS: Final = dict.fromkeys(map(ord, BIDI_CONTROLS))


_name_text: Final = text(MAX_NAME_LENGTH)


def _name(where: str, value: Any) -> str:
    return _name_text(where, value).translate(_WITHOUT_BIDI_CONTROLS)


name: Final = Reader(_name, _name_text.schema)
"""Reader of names; removes invisible characters that change the text direction."""


def short_repr(value: object) -> str:
    """A short form of a value for error messages."""
    return reprlib.repr(value)


def one_of(*names: str) -> Reader[str]:
    def read(where: str, value: Any) -> str:
        if value not in names:
            raise Unreadable(where, NOT_ONE_OF, known=", ".join(names), value=short_repr(value))
        return str(value)

    return Reader(read, {"enum": list(names)})


def _flag(where: str, value: Any) -> bool:
    if type(value) is not bool:
        raise Unreadable(where, N_("must be true or false, not {value}"), value=short_repr(value))
    return value


flag: Final = Reader(_flag, {"type": "boolean"})


def listed(
    read: Reader[T],
    max_items: int = 1024,
    min_items: int = 0,
    refusal: str = N_("must be a list of at most {most}"),
) -> Reader[tuple[T, ...]]:
    """Reader of lists; each item is read by `read`.

    >>> listed(integer(1, 9), 2)("pairs", [3, 4])
    (3, 4)

    :param refusal: the reason where it is no list or has another length
    """

    def reader(where: str, value: Any) -> tuple[T, ...]:
        if not isinstance(value, list) or not min_items <= len(value) <= max_items:
            raise Unreadable(where, refusal, most=max_items, count=max_items)
        return tuple(read(f"{where}[{index}]", item) for index, item in enumerate(value))

    schema = {"type": "array", "items": read.schema, "maxItems": max_items}
    return Reader(reader, {**schema, "minItems": min_items} if min_items else schema)


def or_none(read: Reader[T]) -> Reader[T | None]:
    """Reader that also accepts null."""

    def reader(where: str, value: Any) -> T | None:
        return None if value is None else read(where, value)

    return Reader(reader, {"anyOf": [read.schema, {"type": "null"}]})


def unless_empty(read: Reader[T], empty: T) -> Reader[T]:
    """Reader that returns `empty` for null and empty values."""

    def reader(where: str, value: Any) -> T:
        return read(where, value) if value else empty

    return Reader(reader, or_none(read).schema)
