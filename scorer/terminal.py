"""What the terminal says, in the language its machine is set to (LC_ALL, LC_MESSAGES or LANG)."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "translations"


@cache
def _catalog() -> gettext.NullTranslations:
    return gettext.translation("messages", FOLDER, fallback=True)


def _(sentence: str, **values: object) -> str:
    """A sentence with its places filled in; English where its language has none.

    >>> _("{target}: is there already", target="x.db")
    'x.db: is there already'
    """
    return _catalog().gettext(sentence).format_map(values)
