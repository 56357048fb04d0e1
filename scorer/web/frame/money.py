"""Amounts of money as people type and read them, in cents."""

from __future__ import annotations

import re
from typing import Final

from flask_babel import format_currency, format_decimal

_AMOUNT: Final = re.compile(r"(\d{1,4})(?:[.,](\d{1,2}))?(?: ?€)?")


def cents(typed: str) -> int | None:
    """The cents of an amount of at most 9999.99, or None if it is none."""
    match = _AMOUNT.fullmatch(typed)
    return match and int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0"))


def typed_amount(amount: int) -> str:
    """An amount as the value of an input, with the reader's decimal sign."""
    return str(format_decimal(amount / 100, "0.00"))


def euros(amount: int) -> str:
    """An amount with its currency, in the reader's language."""
    return str(format_currency(amount / 100, "EUR"))
