"""Marking sentences for the language files."""

from typing import NamedTuple


class Counted(NamedTuple):
    """A sentence in its two English forms, which the number called `by` chooses between."""

    singular: str
    plural: str
    by: str


def N_(message: str) -> str:
    """Mark a message; it is translated where it is shown.

    >>> N_("Trump")
    'Trump'
    """
    return message
