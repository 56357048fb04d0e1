"""Pairs of a tournament: their fields, their names, and reading them from JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from scorer.engine import Unreadable
from scorer.engine.input.codec import Codec, Json
from scorer.engine.input.field_readers import MAX_NAME_LENGTH, Reader, integer, listed, unless_empty
from scorer.engine.input.field_readers import name as read_name
from scorer.engine.translatable import N_
from scorer.tournament.surnames import NameOrder

MAX_PAIRS: Final = 512
MAX_LOTS: Final = 16


def _given_name(where: str, value: Any) -> str:
    typed = read_name(where, value).strip() if isinstance(value, str) else ""
    if not typed:
        raise Unreadable(where, N_("is missing"))
    return typed


given_name: Final = Reader(_given_name, {**read_name.schema, "minLength": 1})
_read_trimmed: Final = Reader(
    lambda where, value: read_name(where, value).strip(), read_name.schema
)
_players: Final = listed(given_name, 2, refusal=N_("must be a list of at most two names"))


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair as signed up: one name for two players."""

    name: Annotated[str, unless_empty(given_name, ""), Json(always=True)] = ""
    players: Annotated[tuple[str, ...], unless_empty(_players, ()), Json(always=True)] = ()
    club: Annotated[str, unless_empty(_read_trimmed, "")] = ""
    entries: Annotated[int, integer(1, MAX_LOTS)] = 1
    """Number of lots in a knock-out."""
    category: Annotated[str, unless_empty(_read_trimmed, "")] = ""
    """Whose prizes it plays for besides the main ones, such as "Ladies"; else ""."""

    def to_json(self) -> dict[str, Any]:
        return _codec.write(self)


_codec: Final = Codec(
    Pair, N_("must have name, players, club, entries and category, and nothing else")
)


def _pair(where: str, value: Any) -> Pair:
    pair = _codec.read(value, where)
    name = pair.name or given_name(f"{where}.name", oldest_default_pair_name(pair.players))
    return replace(pair, name=name)


read_pair: Final = Reader(_pair, _codec.schema())
"""Reader of pairs; the name defaults to the players' names, cut off if too long."""


def entered_pair(where: str, value: Any) -> Pair:
    """Like `read_pair`, but `default_pair_name` makes a missing name and shortens long ones.

    :raises Unreadable: the field and the reason
    """
    pair = read_pair(where, value)
    return pair if value.get("name") else replace(pair, name=default_pair_name(pair.players))


_pair_list: Final = listed(
    Reader(entered_pair, read_pair.schema),
    MAX_PAIRS,
    refusal=N_("must be a list of at most {most} pairs"),
)


def _pairs(where: str, value: Any) -> tuple[Pair, ...]:
    pairs = _pair_list(where, value)
    names = [pair.name for pair in pairs]
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Unreadable(f"{where}[{index}].name", N_("another pair is called so already"))
    if sum(pair.entries for pair in pairs) > MAX_PAIRS:
        raise Unreadable(where, N_("must have at most {most} entries"), most=MAX_PAIRS)
    return pairs


read_pairs: Final = Reader(_pairs, _pair_list.schema)


def default_pair_name(players: Sequence[str]) -> str:
    """The default name of a pair; if it is too long, only the surnames are written out.

    >>> default_pair_name(["Anna Huber", "Bert Moser"])
    'Anna Huber & Bert Moser'
    >>> default_pair_name(["Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger Leo"])
    'Hinterberger-Oberneder M. M. & Schwarzenegger L.'
    >>> default_pair_name(["Maximiliane Magdalena Hinterberger-Oberneder", "Leo Schwarzenegger"])
    'M. M. Hinterberger-Oberneder & L. Schwarzenegger'
    """
    order = NameOrder.of(players)
    return _first_that_fits(players, order.with_initials, order.surname)


def _first_that_fits(players: Sequence[str], *shorten: Callable[[str], str]) -> str:
    """The players' names in the first way that is short enough for a pair's name: whole, or
    shortened by the first or second of two functions. If none is, the last is cut off.
    """
    names = list(players)
    for shortened in (None, *shorten):
        names = [shortened(player) for player in players] if shortened else names
        if len(name := " & ".join(names)) <= MAX_NAME_LENGTH:
            return name
    max_length = (MAX_NAME_LENGTH - 3) // 2
    return " & ".join(
        one if len(one) <= max_length else f"{one[: max_length - 1]}…" for one in names
    )


def default_pair_names(players: Sequence[str]) -> set[str]:
    """The default names of a pair in this release and in earlier ones."""

    def with_initials(player: str) -> str:
        first, *rest = player.split()
        return " ".join([first, *(f"{word[0]}." for word in rest)])

    by_first_words = _first_that_fits(players, with_initials, lambda player: player.split()[0])
    return {default_pair_name(players), by_first_words, oldest_default_pair_name(players)}


def oldest_default_pair_name(players: Sequence[str]) -> str:
    """The default name in the first release."""
    return " & ".join(players)[:MAX_NAME_LENGTH].strip()


def whole_name(pair: Pair) -> str:
    """The players' full names, or the pair's own name if it has one.

    >>> players = ("Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger Leo")
    >>> whole_name(Pair(default_pair_name(players), players))
    'Hinterberger-Oberneder Maximiliane Magdalena & Schwarzenegger Leo'
    >>> whole_name(Pair("Die Wilden", players))
    'Die Wilden'
    """
    has_default_name = pair.players and pair.name in default_pair_names(pair.players)
    return " & ".join(pair.players) if has_default_name else pair.name


def players_in(pair_name: str) -> tuple[str, ...]:
    """The two players that a pair's name consists of, or the whole name.

    >>> players_in("Anna Huber & Sepp"), players_in("Die Wilden")
    (('Anna Huber', 'Sepp'), ('Die Wilden',))
    """
    parts = tuple(part.strip() for part in re.split("[&/]", pair_name))
    return parts if len(parts) == 2 and all(parts) else (pair_name,)
