"""Display names of sides, and checks that names are distinguishable."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from scorer.engine.input.field_readers import Unreadable
from scorer.engine.input.lookalikes import lookalike_of
from scorer.engine.scoring.state import Side
from scorer.engine.translatable import N_

SIDE_NAME: Final = N_("Side {number}")
_TWINS: Final = N_("two are called {name}: tell them apart, such as {name} A. and {name} B.")


def side_name(sides: Sequence[Side], side: int, translate: Callable[[str], str] = str) -> str:
    """The name of a side, else its players, else its number.

    Names that look alike get their side's number.

    >>> side_name((Side("Wir"), Side("", ("Cilli", "Dora")), Side()), 1)
    'Cilli & Dora'
    >>> side_name((Side("Wir"), Side("wir ")), 1)
    'wir  (2)'
    """
    names = [_own_name(item) for item in sides]
    if side >= len(sides) or not names[side]:
        return translate(SIDE_NAME).format(number=side + 1)
    others = names[:side] + names[side + 1 :]
    return (
        names[side] if lookalike_of(names[side], others) is None else f"{names[side]} ({side + 1})"
    )


def require_distinct_players(sides: Sequence[Side]) -> None:
    """Refuse players whose names look alike.

    >>> require_distinct_players((Side("Wir", ("Anna", "Berta")), Side("Die", ("anna", "Dora"))))
    Traceback (most recent call last):
    scorer.engine.input.field_readers.Unreadable: players: two are called anna: tell them apart, \
such as anna A. and anna B.

    :raises Unreadable: two look alike
    """
    players = [player for side in sides for player in side.players]
    for index, player in enumerate(players):
        if lookalike_of(player, players[:index]) is not None:
            raise Unreadable("players", _TWINS, name=player)


def _own_name(side: Side) -> str:
    return side.name or " & ".join(filter(None, side.players))


def isolated(name: str) -> str:
    """A name in a right-to-left script wrapped in bidi isolates; other names unchanged."""
    is_right_to_left = any(unicodedata.bidirectional(sign) in ("R", "AL", "AN") for sign in name)
    return f"\u2068{name}\u2069" if is_right_to_left else name
