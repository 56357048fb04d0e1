"""Marking sentences for the language files."""

from typing import NamedTuple


class Counted(NamedTuple):
    """A sentence with a singular and a plural form, chosen by the value named `by`."""

    singular: str
    plural: str
    by: str


def N_(message: str) -> str:
    """Mark a message for translation; it is translated when shown.

    >>> N_("Trump")
    'Trump'
    """
    return message
