"""Reading the fields of what was sent or stored, each with an error that says what is wrong.

>>> whole(0, 2)("side", 3.0)
Traceback (most recent call last):
scorer.engine.rules.fields.Unreadable: side: must be a whole number from 0 to 2, not 3
"""

from __future__ import annotations

import reprlib
import unicodedata
from collections.abc import Callable
from typing import Any, Final

from scorer.engine.rules.marked import N_

LONGEST_NAME: Final = 60
LONGEST_NOTE: Final = 500


WHOLE: Final = N_("must be a whole number from {low} to {high}, not {value}")
TOO_LONG: Final = N_("must not be longer than {longest} characters")


class Unreadable(ValueError):
    """Data that is no event or no record: where, and what is wrong with it.

    >>> print(Unreadable("dealer", "nobody called {name} sits at this table", name="Resi"))
    dealer: nobody called Resi sits at this table

    :param reason: an English sentence, which screens show in the reader's language
    :param values: what it names in braces
    """

    def __init__(self, where: str, reason: str, **values: object) -> None:
        self.where, self.reason, self.values = where, reason, values
        super().__init__(f"{where}: {self.say()}")

    def say(self, translate: Callable[[str], str] = str) -> str:
        """What is wrong, in words."""
        sentence = translate(self.reason)
        return sentence.format_map(self.values) if self.values else sentence


def whole(low: int, high: int) -> Callable[[str, Any], int]:
    """A reader of whole numbers; JSON knows 3 and 3.0 as the same number."""

    def read(where: str, value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or not low <= value <= high:
            raise Unreadable(where, WHOLE, low=low, high=high, value=shown(value))
        return value

    return read


def text(longest: int) -> Callable[[str, Any], str]:
    """A reader of one line of text without control characters."""

    def read(where: str, value: Any) -> str:
        if not isinstance(value, str):
            raise Unreadable(where, "must be text")
        if len(value) > longest:
            raise Unreadable(where, TOO_LONG, longest=longest)
        if any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in value):
            raise Unreadable(where, N_("must not contain control characters"))
        return value

    return read


TURNING: Final = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Signs that are not seen and turn the text around them, so that 2:6 would read 6:2."""
_UNTURNED: Final = dict.fromkeys(map(ord, TURNING))


def name(where: str, value: Any) -> str:
    """Read a name; invisible signs that turn the text around it are left out of it."""
    return text(LONGEST_NAME)(where, value).translate(_UNTURNED)


def shown(value: object) -> str:
    """A value as an error shows it: never long, however deep."""
    return reprlib.repr(value)


def one_of(*names: str) -> Callable[[str, Any], str]:
    """A reader of one of these words."""

    def read(where: str, value: Any) -> str:
        if value not in names:
            raise Unreadable(where, f"must be one of {', '.join(names)}, not {shown(value)}")
        return str(value)

    return read


def flag(where: str, value: Any) -> bool:
    """Read yes or no."""
    if type(value) is not bool:
        raise Unreadable(where, f"must be true or false, not {shown(value)}")
    return value
