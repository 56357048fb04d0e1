"""The pairs of a tournament: what they are called, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from scorer.engine import Unreadable
from scorer.engine.input.codec import Codec, Json
from scorer.engine.input.fields import LONGEST_NAME, Reader, listed, unless_empty, whole
from scorer.engine.input.fields import name as read_name
from scorer.engine.translatable import N_

MOST_PAIRS: Final = 512
MOST_ENTRIES: Final = 16


def _given_name(where: str, value: Any) -> str:
    typed = read_name(where, value).strip() if isinstance(value, str) else ""
    if not typed:
        raise Unreadable(where, N_("is missing"))
    return typed


given_name: Final = Reader(_given_name, {**read_name.schema, "minLength": 1})
"""A reader of names that must not be empty."""
_club: Final = Reader(lambda where, value: read_name(where, value).strip(), read_name.schema)
_players: Final = listed(given_name, 2, refusal=N_("must be a list of at most two names"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Who signed up: two players under one name."""

    name: Annotated[str, unless_empty(given_name, ""), Json(always=True)] = ""
    players: Annotated[tuple[str, ...], unless_empty(_players, ()), Json(always=True)] = ()
    club: Annotated[str, unless_empty(_club, "")] = ""
    entries: Annotated[int, whole(1, MOST_ENTRIES)] = 1
    """How many lots of a knock-out it holds."""

    def to_json(self) -> dict[str, Any]:
        return _codec.write(self)


_codec: Final = Codec(Pair, N_("must have name, players, club and entries, and nothing else"))


def _pair(where: str, value: Any) -> Pair:
    pair = _codec.read(value, where)
    called = pair.name or given_name(f"{where}.name", called_before(pair.players))
    return replace(pair, name=called)


read_pair: Final = Reader(_pair, _codec.schema())
"""A reader of pairs; without a name a pair is called by its players."""


def entered_pair(where: str, value: Any) -> Pair:
    """A pair as it is entered now: without a name called by its players, however long theirs are.

    :raises Unreadable: the field and the reason
    """
    pair = read_pair(where, value)
    return pair if value.get("name") else replace(pair, name=called_by(pair.players))


_each: Final = listed(
    Reader(entered_pair, read_pair.schema),
    MOST_PAIRS,
    refusal=N_("must be a list of at most {most} pairs"),
)


def _pairs(where: str, value: Any) -> tuple[Pair, ...]:
    pairs = _each(where, value)
    names = [pair.name for pair in pairs]
    for at, name in enumerate(names):
        if name in names[:at]:
            raise Unreadable(f"{where}[{at}].name", N_("another pair is called so already"))
    if sum(pair.entries for pair in pairs) > MOST_PAIRS:
        raise Unreadable(where, N_("must have at most {most} entries"), most=MOST_PAIRS)
    return pairs


read_pairs: Final = Reader(_pairs, _each.schema)
"""A reader of the pairs a tournament is opened with."""


def called_by(players: Sequence[str]) -> str:
    """What a pair is called that gives itself no name; of what stands first in a name nothing is
    left out while there is room, of the rest its first letters.

    >>> called_by(["Anna", "Bert"])
    'Anna & Bert'
    >>> called_by(["Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger Leo"])
    'Hinterberger-Oberneder M. M. & Schwarzenegger L.'
    """
    words = [player.split() for player in players]
    short = [" ".join([first, *(f"{word[0]}." for word in rest)]) for first, *rest in words]
    for parts in (players, short, [first for first, *_ in words]):
        if len(called := " & ".join(parts)) <= LONGEST_NAME:
            return called
    most = (LONGEST_NAME - 3) // 2
    return " & ".join(one if len(one) <= most else f"{one[: most - 1]}…" for one, *_ in words)


def called_before(players: Sequence[str]) -> str:
    """What a recorded pair without a name is called: as it was when it was recorded."""
    return " & ".join(players)[:LONGEST_NAME].strip()


def whole_name(pair: Pair) -> str:
    """What a pair is called where there is room: its players by their whole names, unless it gave
    itself another.

    >>> players = ("Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger Leo")
    >>> whole_name(Pair(called_by(players), players))
    'Hinterberger-Oberneder Maximiliane Magdalena & Schwarzenegger Leo'
    >>> whole_name(Pair("Die Wilden", players))
    'Die Wilden'
    """
    made = pair.players and pair.name in (called_by(pair.players), called_before(pair.players))
    return " & ".join(pair.players) if made else pair.name
