"""Validators of rule set values; `scorer.engine.input.field_readers` has those of single fields.

A validator gets the place and the value. It returns the normalised value, or raises `Unreadable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from scorer.engine.input.field_readers import Unreadable, integer, short_repr
from scorer.engine.translatable import N_

Value = Any
Check = Callable[[str, Value], Value]

_NOT_A_LIST_OF: Final = N_("must be a list of {known}, not {value}")
_NOT_TAGGED: Final = N_("must be {word} or {tag}:N, not {value}")
_NOT_NAMES: Final = N_("must be a list of names, not {value}")


def some_of(*names: str) -> Check:
    def check(where: str, value: Value) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(name in names for name in value):
            raise Unreadable(where, _NOT_A_LIST_OF, known=", ".join(names), value=short_repr(value))
        return tuple(name for name in names if name in value)

    return check


def optional(check: Check) -> Check:
    """Also accepts null, written `none` in a rulebook."""

    def checked(where: str, value: Value) -> Value:
        return None if value is None or value == "none" else check(where, value)

    return checked


def either(words: Iterable[str], check: Check) -> Check:
    def checked(where: str, value: Value) -> Value:
        return value if value in words else check(where, value)

    return checked


def tagged(tag: str, word: str) -> Check:
    """`word`, or `tag:N` with a number of points."""

    def check(where: str, value: Value) -> str:
        if value == word:
            return word
        prefix, _, number = str(value).partition(":")
        if prefix != tag or not _is_small_number(number) or not 1 <= int(number) <= 99:
            raise Unreadable(where, _NOT_TAGGED, word=word, tag=tag, value=short_repr(value))
        return f"{tag}:{int(number)}"

    return check


def below_target(where: str, value: Value) -> int | str:
    """A number of points, or `target-N`."""
    if isinstance(value, str) and value.startswith("target-") and _is_small_number(value[7:]):
        return value
    points: int = integer(1, 99)(where, value)
    return points


def names(where: str, value: Value) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise Unreadable(where, _NOT_NAMES, value=short_repr(value))
    return tuple(value)


def _is_small_number(text: str) -> bool:
    return len(text) < 3 and text.isascii() and text.isdecimal()
