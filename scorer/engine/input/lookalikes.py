"""Detection of names that look alike, in any script."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

_LATIN_LOOKALIKES: Final = str.maketrans("I1|0", "lllO")
"""Characters of our own alphabet that look alike in some typeface."""
_INVISIBLE: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u3164\ufe0e\ufe0f"
"""Invisible characters that Unicode classifies as letters or marks."""


def lookalike_of(name: str, others: Iterable[str]) -> str | None:
    """The first of `others` that looks like `name`, or None.

    Ignores case, spaces and invisible characters; letters that look alike count as equal.

    >>> lookalike_of("ANNA", ["Berta", "\u0410\u200bnn\u0430 "]), lookalike_of("Ilse", ["llse"])
    ('\u0410\u200bnn\u0430 ', 'llse')
    >>> lookalike_of("Anna", ["Änna", "Anna A."])
    """
    normalized, shape = _normalized_and_shape(name)
    for other in others:
        other_normalized, other_shape = _normalized_and_shape(other)
        if normalized == other_normalized or shape == other_shape:
            return other
    return None


def normalized(name: str) -> str:
    """A name without case, spaces and invisible characters, for comparison.

    >>> normalized("ANNA ") == normalized("anna"), normalized("Anna") == normalized("Änna")
    (True, False)
    """
    return _normalized_and_shape(name)[0]


# Takes 3 microseconds a name, and a list of 512 pairs compares each name with all others.
@lru_cache(maxsize=4096)
def _normalized_and_shape(name: str) -> tuple[str, str]:
    """The name without case, and the same with look-alike characters replaced."""
    visible = unicodedata.normalize("NFKC", name).translate(_lookalikes())
    visible = "".join(sign for sign in visible if _is_visible(sign))
    return visible.casefold(), visible.translate(_LATIN_LOOKALIKES)


@cache
def _lookalikes() -> dict[int, str]:
    """Translation table from other scripts to the Latin letters or digits they look like."""
    lines = Path(__file__).with_name("lookalikes.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {ord(lookalike): latin for latin, lookalikes in pairs for lookalike in lookalikes}


def _is_visible(sign: str) -> bool:
    return unicodedata.category(sign) not in ("Cf", "Zs", "Cc") and sign not in _INVISIBLE
