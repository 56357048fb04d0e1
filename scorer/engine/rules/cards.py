"""Cards: suits, ranks, packs and their names.

A card is written as suit and rank: `H10` is the Ten of Hearts, `S6` the Weli.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from scorer.engine.input.field_readers import Unreadable, short_repr
from scorer.engine.translatable import N_

SUITS: Final = ("E", "L", "H", "S")
"""Eichel, Laub, Herz, Schell."""
RANKS: Final = ("A", "K", "O", "U", "10", "9", "8", "7")
"""High to low, without the Weli."""
WELI: Final = "S6"
"""The six of Schell, the 33rd card."""
SCHLAEGE: Final = (*RANKS, "6")
"""The values a Schlag may have; `6` is the Weli."""
KINDS: Final = ("kritischer", "guter", "rechter", "linker", "trumpf", "unfarbe")
"""The kinds of card once Schlag and trump are announced, the strongest first."""
NAMES_FILE: Final = Path(__file__).parents[2] / "rulebook" / "cards.toml"

_CARDS_WITHOUT_WELI: Final = tuple(suit + rank for suit in SUITS for rank in RANKS)


def pack(deck: int) -> tuple[str, ...]:
    """The cards of a pack: 32, or 33 with the Weli.

    >>> len(pack(33)), pack(33)[-1], WELI in pack(32)
    (33, 'S6', False)
    """
    return (*_CARDS_WITHOUT_WELI, WELI) if deck == 33 else _CARDS_WITHOUT_WELI


def suit(card: str) -> str:
    return card[0]


def rank(card: str) -> str:
    return card[1:]


def above(card: str) -> str:
    """The card one higher in its suit; after the ace comes the seven (O-60, U13; W6; X10).

    >>> above("H8"), above("L10"), above("SA")
    ('H9', 'LU', 'S7')
    """
    return suit(card) + RANKS[RANKS.index(rank(card)) - 1]


def cards(where: str, value: Any) -> tuple[str, ...]:
    """Reader of a list of different cards, as in a rulebook."""
    if not isinstance(value, list | tuple) or any(card not in pack(33) for card in value):
        raise Unreadable(where, N_("must be a list of cards, not {value}"), value=short_repr(value))
    if len(set(value)) < len(value):
        raise Unreadable(where, N_("names a card twice"))
    return tuple(value)


@cache
def _names() -> Mapping[str, Any]:
    with NAMES_FILE.open("rb") as file:
        return tomllib.load(file)


def _find_name(sign: str, language: str, pattern: str, region: str) -> str:
    """The region's name of a suit or rank, else the pattern's."""
    page = _names()[language]
    return str(page.get(region, {}).get(sign) or page[pattern][sign])


def suit_name(sign: str, language: str = "en", pattern: str = "german", region: str = "") -> str:
    """The name of a suit.

    >>> suit_name("S"), suit_name("S", "fr", "french")
    ('Bells', 'Carreau')
    """
    return _find_name(sign, language, pattern, region)


def rank_name(height: str, language: str = "en", pattern: str = "german", region: str = "") -> str:
    """The name of a rank or Schlag.

    >>> rank_name("O", "de"), rank_name("O", "de", "french"), rank_name("6")
    ('Ober', 'Dame', 'Weli')
    >>> rank_name("A", "de"), rank_name("A", "de", region="oberoesterreich")
    ('Ass', 'Sau')
    """
    return _find_name(height, language, pattern, region)


def short_name(height: str, language: str = "en", pattern: str = "german", region: str = "") -> str:
    """The abbreviation of a rank in a card's corner; the Weli's is its name.

    >>> short_name("O", "en", "french"), short_name("10"), short_name("6")
    ('Q', '10', 'Weli')
    """
    if height == rank(WELI):
        return rank_name(height, language, pattern, region)
    page = _names()[language]
    regional = page.get(region, {}).get("short", {})
    return str(regional.get(height) or page[pattern]["short"].get(height, height))


def card_name(card: str, language: str = "en", pattern: str = "german", region: str = "") -> str:
    """The name of a card.

    >>> card_name("H10"), card_name("HK", "de"), card_name("S7", "it", "french")
    ('Ten of Hearts', 'Herz-König', 'Sette di Quadri')
    """
    if card == WELI:
        return rank_name("6", language, pattern, region)
    form: str = _names()[language]["card"]
    return form.format(
        suit=suit_name(suit(card), language, pattern, region),
        rank=rank_name(rank(card), language, pattern, region),
    )
