"""What a tournament is made of: the pairs that entered, its rounds, and their matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from scorer.engine.input.codec import Codec
from scorer.engine.input.fields import Reader, Unreadable, listed, one_of, text, whole
from scorer.engine.translatable import N_
from scorer.tournament.pairs import Pair
from scorer.tournament.result_validation import HIGHEST, Games
from scorer.tournament.settings import Settings

KNOCKOUT: Final = ("knockout", "final")
"""The stages in which who loses is out."""
WHO: Final = ("director", "a", "b")
"""Who enters or confirms a result: the director, or the first or second pair of the table."""

_number: Final = whole(1, 9999)


def two(read: Reader[int]) -> Reader[tuple[int, ...]]:
    """A reader of two numbers."""
    return listed(read, 2, 2, N_("must be a list of two numbers"))


PairNumber = Annotated[int, _number]
"""A pair's start number, or its lot in a knock-out."""
TableNumber = Annotated[int, _number]
TwoNumbers = Annotated[tuple[int, int], two(_number)]
RoundNumber = Annotated[int, whole(1, 999)]
Notes = Annotated[tuple[str, ...], listed(text(40))]
Who = Annotated[str, one_of(*WHO)]
PlayedGames = Annotated[Games, listed(two(whole(0, HIGHEST)), 20)]
"""The points of each game, of both pairs."""
_games_won: Final = listed(whole(1, 20), 20)
retour_games: Final[Reader[tuple[int, ...]]] = Reader(
    lambda where, value: tuple(sorted(set(_games_won(where, value)))), _games_won.schema
)
"""A reader of the games, from 1, that were won against a gespannt side after standing at 0."""


def _teams(where: str, value: Any) -> tuple[tuple[int, ...], ...]:
    teams = listed(listed(_number, 2), 2)(where, value)
    if len(teams) not in (0, 2) or not all(teams):
        raise Unreadable(where, N_("must name who plays on either side"))
    return teams


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """One table of a draw."""

    table: TableNumber
    pairs: TwoNumbers
    lots: TwoNumbers
    """The lots that play: in a knock-out a pair may hold several, else its own number."""
    stream: Annotated[str, text(40)] = ""
    """The table's own evening, where it is scored live."""
    notes: Notes = ()
    """What had to give here: `rematch`, `same-club`."""
    teams: Annotated[tuple[tuple[int, ...], ...], Reader(_teams, {"type": "array"})] = ()
    """Where partners are drawn too: who plays on either side; `pairs` then names the first."""
    seat: Annotated[int, whole(0, 9999)] = 0
    """The table in the hall where it is another than `table`, which numbers the match."""
    wave: Annotated[int, whole(1, 99)] = 1
    """Which wave of matches it belongs to where tables are few."""


_codec: Final = Codec(DrawnTable, unknown=None)


def _drawn(where: str, value: Any) -> DrawnTable:
    with_lots = {"lots": value.get("pairs"), **value} if isinstance(value, Mapping) else value
    return _codec.read(with_lots, where)


DrawnTables = Annotated[tuple[DrawnTable, ...], listed(Reader(_drawn, {"type": "object"}))]


@dataclass(frozen=True, slots=True)
class Result:
    """The games of a table, as the director or one of its pairs says."""

    round: RoundNumber
    table: TableNumber
    who: Who
    games: PlayedGames
    retour: Annotated[tuple[int, ...], retour_games] = ()
    """The games, from 1, won against a gespannt side after standing at 0."""
    walkover: Annotated[str, one_of("a", "b", "none")] = ""
    """`a` or `b`: the pair whose opponents did not play; `none` where neither was there. Then
    there are no games."""
    reason: Annotated[str, text(200)] = ""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A pair that signed up, and what the desk has noted of it."""

    number: int
    pair: Pair
    withdrawn: bool = False
    paid: bool = False
    here: bool = False
    absent: bool = False
    """Not there when the director was asked; drawn again once it is here."""
    struck: bool = False
    """Taken off the list: it never played."""

    @property
    def plays(self) -> bool:
        """Whether it is drawn."""
        return not (self.withdrawn or self.absent or self.struck)

    @property
    def holds_place(self) -> bool:
        """Whether it takes one of the places."""
        return not (self.withdrawn or self.struck)


@dataclass(frozen=True, slots=True)
class SignUp:
    """Who signed up and waits, for the director or for a partner."""

    number: int
    """The place of its event in the stream, from 1."""
    name: str
    """What the pair, or the player, is called."""
    club: str
    pair: Pair | None = None
    """The pair, or None where a player waits without a partner."""


@dataclass(frozen=True, slots=True)
class Match:
    """One table of a round."""

    drawn: DrawnTable
    said: Mapping[str, Result] = field(default_factory=dict)
    """The newest result of each who entered one."""
    history: tuple[int, ...] = ()
    """The indices of the events about it, old values included."""
    confirmed: bool = False
    locked: bool = False

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who plays on either side: a pair, or two players who are partners for a round."""
        if self.drawn.teams:
            return self.drawn.teams[0], self.drawn.teams[1]
        return (self.drawn.pairs[0],), (self.drawn.pairs[1],)

    @property
    def seat(self) -> int:
        """The number of the table in the hall."""
        return self.drawn.seat or self.drawn.table

    @property
    def third(self) -> bool:
        """Whether it is played for the third place."""
        return "third" in self.drawn.notes

    @property
    def result(self) -> Result | None:
        """The result that counts, or None."""
        if "director" in self.said:
            return self.said["director"]
        entered = list(self.said.values())
        return entered[0] if entered and (self.confirmed or self._agree) else None

    @property
    def _agree(self) -> bool:
        return len(self.said) == 2 and len({(r.games, r.retour) for r in self.said.values()}) == 1

    @property
    def status(self) -> str:
        """`open`, `entered` by one pair, `amber` where the pairs differ, or `done`."""
        if self.result is not None:
            return "done"
        return ("open", "entered", "amber")[len(self.said)]

    @property
    def order(self) -> int:
        """Where it stands on a list of what needs attention: the amber ones first."""
        return ("amber", "entered", "open", "done").index(self.status)

    @property
    def winner(self) -> int:
        """Which of its two pairs (0 or 1) won the match; -1 while open, level or not played."""
        result = self.result
        if result is None:
            return -1
        if result.walkover:
            return ("a", "b").index(result.walkover) if result.walkover != "none" else -1
        won = sum(1 if a > b else -1 for a, b in result.games)
        margin = won or sum(a - b for a, b in result.games)
        return -1 if margin == 0 else int(margin < 0)


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round."""

    number: int
    stage: str
    matches: Mapping[int, Match]
    byes: tuple[int, ...]
    notes: tuple[str, ...]
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0
    seed: str = ""
    games: int = 1
    """How many games two pairs play in it."""
    target: int = 15
    """The points that win a game of it."""
    waiting: tuple[int, ...] = ()
    """In a knock-out: the lots whose tables of earlier rounds were open when it was drawn."""

    @property
    def missing(self) -> list[Match]:
        """The tables whose result does not count yet."""
        return [match for match in self.matches.values() if match.status != "done"]

    @property
    def playing(self) -> set[int]:
        """Who plays a match of it: pairs, or players whose partners were drawn."""
        return {number for m in self.matches.values() for side in m.sides for number in side}

    @property
    def final(self) -> bool:
        """Whether it is one of the finals of the best."""
        return self.stage == "final"

    @property
    def knockout(self) -> bool:
        """Whether who loses is out."""
        return self.stage in KNOCKOUT


@dataclass(frozen=True, slots=True)
class Overturned:
    """A correction that took back the rounds which rest on its result."""

    round: int
    table: int
    before: tuple[Round, ...]
    """All rounds as they were before it."""
    after: tuple[Round, ...]
    settings: Settings
    """By which they were drawn."""

    @property
    def gone(self) -> tuple[Round, ...]:
        """The rounds that it took back."""
        return self.before[len(self.after) :]
