"""Marking sentences for the language files."""


def N_(message: str) -> str:
    """Mark a message; it is translated where it is shown.

    >>> N_("Trump")
    'Trump'
    """
    return message
