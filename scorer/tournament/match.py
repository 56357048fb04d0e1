"""Rounds, tables and matches of a tournament, as immutable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from scorer.engine.input.codec import Codec, Json
from scorer.engine.input.field_readers import (
    Reader,
    Unreadable,
    code,
    integer,
    listed,
    one_of,
    text,
)
from scorer.engine.translatable import N_
from scorer.tournament.result_validation import HIGHEST, Games
from scorer.tournament.settings import Settings

KNOCKOUT: Final = ("knockout", "final")
"""Stages in which the loser is out."""
RESULT_SOURCES: Final = ("director", "a", "b")
"""Origin of a result: the director, or the first or second pair of the table."""

_read_number: Final = integer(1, 9999)


def two_of(read: Reader[int]) -> Reader[tuple[int, ...]]:
    return listed(read, 2, 2, N_("must be a list of two numbers"))


PairNumber = Annotated[int, _read_number]
TableNumber = Annotated[int, _read_number]
TwoNumbers = Annotated[tuple[int, int], two_of(_read_number)]
RoundNumber = Annotated[int, integer(1, 999)]
Notes = Annotated[tuple[str, ...], listed(text(40))]
Who = Annotated[str, one_of(*RESULT_SOURCES)]
PlayedGames = Annotated[Games, listed(two_of(integer(0, HIGHEST)), 20)]
"""The points of both pairs in each game."""
_games_won: Final = listed(integer(1, 20), 20)
retour_games: Final[Reader[tuple[int, ...]]] = Reader(
    lambda where, value: tuple(sorted(set(_games_won(where, value)))), _games_won.schema
)
"""Reader of the numbers of games, from 1, won as a Retourschneider."""


def _teams(where: str, value: Any) -> tuple[tuple[int, ...], ...]:
    teams = listed(listed(_read_number, 2), 2)(where, value)
    if len(teams) not in (0, 2) or not all(teams):
        raise Unreadable(where, N_("must name who plays on either side"))
    return teams


@dataclass(frozen=True, slots=True)
class DrawnTable:
    table: TableNumber
    pairs: TwoNumbers
    lots: TwoNumbers
    """The pairs' numbers, except in a knock-out, where a pair may hold several lots."""
    stream: Annotated[str, code(40)] = ""
    """Stream of the table if it is scored live, else ""."""
    notes: Notes = ()
    """Notes of the draw: `rematch`, `same-club`, `apart`, `third`."""
    teams: Annotated[tuple[tuple[int, ...], ...], Reader(_teams, {"type": "array"})] = ()
    """If partners are drawn: the players of both sides; `pairs` then holds the first of each."""
    own_hall_table: Annotated[int, integer(0, 9999), Json("seat")] = 0
    """The hall's table number if it differs from `table`, else 0."""
    wave: Annotated[int, integer(1, 99)] = 1
    """Wave in which the match is played if tables are few, from 1."""


_codec: Final = Codec(DrawnTable, unknown=None)


def _drawn(where: str, value: Any) -> DrawnTable:
    with_lots = {"lots": value.get("pairs"), **value} if isinstance(value, Mapping) else value
    return _codec.read(with_lots, where)


_drawn_schema: Final = {"type": "object", "properties": _codec.schema()["properties"]}
DrawnTables = Annotated[tuple[DrawnTable, ...], listed(Reader(_drawn, _drawn_schema))]


@dataclass(frozen=True, slots=True)
class Result:
    round: RoundNumber
    table: TableNumber
    who: Who
    games: PlayedGames
    retour: Annotated[tuple[int, ...], retour_games] = ()
    """Numbers of the games, from 1, won as a Retourschneider."""
    walkover: Annotated[str, one_of("a", "b", "none")] = ""
    """The pair (`a`, `b`) whose opponents did not play, or `none` if neither did; then `games` is
    empty.
    """
    reason: Annotated[str, text(200)] = ""

    @property
    def walkover_winner(self) -> int:
        """The side (0 or 1) that wins without play, or -1."""
        return ("a", "b").index(self.walkover) if self.walkover in ("a", "b") else -1


@dataclass(frozen=True, slots=True)
class Match:
    drawn_table: DrawnTable
    entered_results: Mapping[str, Result] = field(default_factory=dict)
    """The newest result by origin (`RESULT_SOURCES`)."""
    history: tuple[int, ...] = ()
    """Indices of all events about this match."""
    confirmed: bool = False
    locked: bool = False
    target: int = 0
    """The points that finish a game."""
    unfinished: str = ""
    """The value of an unfinished game, one of `settings.UNFINISHED`."""

    def is_unfinished(self, game: tuple[int, int]) -> bool:
        return max(game) < self.target

    def games_won(self, result: Result) -> tuple[int, int]:
        """Games won by each side. An unfinished game is won only if the settings say so."""
        counted_games = [
            game
            for game in result.games
            if self.unfinished == "win" or not self.is_unfinished(game)
        ]
        return sum(a > b for a, b in counted_games), sum(a < b for a, b in counted_games)

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The numbers on either side: one pair, or two players drawn as partners."""
        if self.drawn_table.teams:
            return self.drawn_table.teams[0], self.drawn_table.teams[1]
        return (self.drawn_table.pairs[0],), (self.drawn_table.pairs[1],)

    @property
    def hall_table(self) -> int:
        return self.drawn_table.own_hall_table or self.drawn_table.table

    @property
    def is_third_place(self) -> bool:
        return "third" in self.drawn_table.notes

    @property
    def result(self) -> Result | None:
        """The valid result: the director's, or one that both pairs agree on; else None."""
        if "director" in self.entered_results:
            return self.entered_results["director"]
        entered = list(self.entered_results.values())
        return entered[0] if entered and (self.confirmed or self._pairs_agree) else None

    @property
    def _pairs_agree(self) -> bool:
        return (
            len(self.entered_results) == 2
            and len({(r.games, r.retour) for r in self.entered_results.values()}) == 1
        )

    @property
    def status(self) -> str:
        """`done`, `open`, `entered` by one pair, or `amber` if the pairs' results differ."""
        if self.result is not None:
            return "done"
        return ("open", "entered", "amber")[len(self.entered_results)]

    @property
    def winner(self) -> int:
        """The winning side (0 or 1); -1 while open, level or not played."""
        result = self.result
        if result is None:
            return -1
        if result.walkover:
            return result.walkover_winner
        first, second = self.games_won(result)
        margin = first - second or sum(a - b for a, b in result.games)
        return -1 if margin == 0 else int(margin < 0)

    @property
    def is_decided(self) -> bool:
        return self.winner >= 0


@dataclass(frozen=True, slots=True)
class Round:
    number: int
    stage: str
    matches: Mapping[int, Match]
    byes: tuple[int, ...]
    notes: tuple[str, ...]
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0
    seed: str = ""
    games: int = 1
    target: int = 15
    waiting: tuple[int, ...] = ()
    """In a knock-out: lots whose tables of earlier rounds were open at this draw."""
    swapped_by_hand: bool = False
    """Whether pairs or tables were swapped by hand, so that it no longer follows from its seed."""
    draft: bool = False
    """Whether only the director sees it."""

    @property
    def unfinished(self) -> list[Match]:
        return [match for match in self.matches.values() if match.status != "done"]

    @property
    def playing(self) -> set[int]:
        return {number for m in self.matches.values() for side in m.sides for number in side}

    @property
    def is_final(self) -> bool:
        return self.stage == "final"

    @property
    def is_knockout(self) -> bool:
        return self.stage in KNOCKOUT


@dataclass(frozen=True, slots=True)
class Overturned:
    """A correction that took back the rounds depending on its result."""

    round: int
    table: int
    before: tuple[Round, ...]
    after: tuple[Round, ...]
    settings: Settings
    """The settings these rounds were drawn with."""

    @property
    def removed_rounds(self) -> tuple[Round, ...]:
        return self.before[len(self.after) :]
