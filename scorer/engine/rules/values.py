"""What a value of a rule set may be.

Each check returns the value in its one form, or raises ValueError saying what it must be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scorer.engine.rules.fields import shown

Value = Any
Check = Callable[[Value], Value]


def whole(low: int, high: int) -> Check:
    def check(value: Value) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, not {shown(value)}")
        return value

    return check


def flag(value: Value) -> bool:
    if type(value) is not bool:
        raise ValueError(f"must be true or false, not {shown(value)}")
    return value


def one_of(*names: str) -> Check:
    def check(value: Value) -> str:
        if value not in names:
            raise ValueError(f"must be one of {', '.join(names)}, not {shown(value)}")
        return str(value)

    return check


def some_of(*names: str) -> Check:
    def check(value: Value) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(name in names for name in value):
            raise ValueError(f"must be a list of {', '.join(names)}, not {shown(value)}")
        return tuple(name for name in names if name in value)

    return check


def or_none(check: Check) -> Check:
    def checked(value: Value) -> Value:
        return None if value is None or value == "none" else check(value)

    return checked


def either(words: Iterable[str], check: Check) -> Check:
    def checked(value: Value) -> Value:
        return value if value in words else check(value)

    return checked


def tagged(tag: str, word: str) -> Check:
    """`word`, or `tag:N` with a number of points."""

    def check(value: Value) -> str:
        if value == word:
            return word
        head, _, tail = str(value).partition(":")
        if head != tag or not _short(tail) or not 1 <= int(tail) <= 99:
            raise ValueError(f"must be {word} or {tag}:N, not {shown(value)}")
        return f"{tag}:{int(tail)}"

    return check


def below_target(value: Value) -> int | str:
    """A number of points, or `target-N`."""
    if isinstance(value, str) and value.startswith("target-") and _short(value[7:]):
        return value
    checked: int = whole(1, 99)(value)
    return checked


def names(value: Value) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise ValueError(f"must be a list of names, not {shown(value)}")
    return tuple(value)


def _short(text: str) -> bool:
    """Whether a text is a number of one or two digits."""
    return len(text) < 3 and text.isascii() and text.isdecimal()
