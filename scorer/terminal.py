"""Translates what the server prints at its start into the machine's language.

The language comes from LC_ALL, LC_MESSAGES or LANG; our language files are read by `gettext`.
"""

from __future__ import annotations

from gettext import bindtextdomain, gettext
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "translations"

bindtextdomain("messages", str(FOLDER))


def _(sentence: str, **values: object) -> str:
    """The translated sentence with its values; English if not translated.

    >>> _("{target}: is there already", target="x.db")
    'x.db: is there already'
    """
    return gettext(sentence).format_map(values)
