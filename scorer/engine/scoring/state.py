"""The state of an evening: what the slate says after the events so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from scorer.engine.input.codec import Codec, Json
from scorer.engine.input.fields import listed
from scorer.engine.input.fields import name as read_name
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.translatable import N_


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the table: its name and its players in their order of play."""

    name: Annotated[str, read_name, Json(always=True)] = ""
    players: Annotated[
        tuple[str, ...],
        listed(read_name, 2, refusal=N_("must be a list of at most two names")),
        Json(always=True),
    ] = ()

    def to_json(self) -> dict[str, Any]:
        return _side.write(self)


_side: Final = Codec(Side, N_("must have a name and players, and nothing else"))
read_sides: Final = listed(_side.reader, 3, 2, refusal=N_("must be a list of two or three sides"))
"""A reader of two or three sides with their players, at most two a side."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a table plays for: `amount` in cents (`euro`) or in rounds of drinks (`runden`)."""

    amount: int
    unit: str
    per: str
    """`bummerl` or `spiel`."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something changed: what (`code`), by which rules, with which figures.

    A `delta` among the values is a change of that `side`'s points; nothing else changes points.
    """

    code: str
    rules: tuple[str, ...]
    values: Mapping[str, int | str]

    def to_json(self) -> dict[str, Any]:
        return {"code": self.code, "rules": list(self.rules), "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class Raise:
    """An open raise: whose, and to what stake."""

    side: int
    to: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A round that `side` may play for `stay` points or give away for `go`."""

    side: int
    stay: int
    go: int


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game: its winner, last points, the Bummerl it brought each side, its kind."""

    winner: int
    points: tuple[int, ...]
    bummerl: tuple[int, ...]
    kind: str

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.winner,
            "points": list(self.points),
            "bummerl": list(self.bummerl),
            "kind": self.kind,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything the next event is judged by. Sides are indices from 0."""

    rules: RuleSet
    sides: tuple[Side, ...]
    points: tuple[int, ...]
    """Points of the current game, a side each."""
    bummerl: tuple[int, ...]
    """Bummerl of the evening, counted on the side that got them."""
    game: int = 1
    round: int = 1
    """The round being played, from 1 in each game."""
    games: tuple[Game, ...] = ()
    winner: int | None = None

    sits_out: int | None = None
    dealer: int | None = None
    """The dealer's seat, an index into `seats`; None where nobody said who deals."""

    opening: Reason
    """What the round was worth before anyone raised, and why."""
    stake: int = 0
    """What the round is worth now, as agreed."""
    open_raise: Raise | None = None
    raiser: int | None = None
    """Who raised last in this round."""
    four: int | None = None
    """The side the four is on for in this round."""
    undecided: tuple[int, ...] = ()
    """The sides that still have to say whether they play the round."""
    decided: bool = False
    """A side has said that it plays the round."""
    fresh: bool = True
    """Nothing has been recorded of this round: it may still be 'between rounds'."""
    schlag: str | None = None
    trumpf: str | None = None
    swapped: bool = False
    """The announcers of this round have swapped their roles."""
    schoenere: int = 0
    """How often better cards were agreed on in this deal."""
    agreed: tuple[int, ...] = ()
    """The sides that agreed to the table's rules."""
    confirmed: tuple[tuple[int, int, str], ...] = ()
    """Confirmed results as (game, side, stand)."""
    disputed: tuple[int, ...] = ()
    """The recorded events whose rounds are in dispute."""

    price: Price | None = None
    """What the table plays for, if anything."""

    strikes: tuple[int, ...]
    """How often each side has struck in this game."""
    retour: tuple[tuple[int, ...], ...]
    """For each side, the opponents that were near while it stood at 0."""
    because: tuple[Reason, ...] = ()
    """Why the last event changed what it changed, and nothing of what the next round is worth."""

    def confirms(self, game: int) -> tuple[int, ...]:
        """The sides that confirmed a finished game as it now stands."""
        now = (game, self.stand(game))
        return tuple(side for at, side, seen in self.confirmed if (at, seen) == now)

    def stand(self, game: int) -> str:
        """How a finished game ended, as a side confirms it, such as `9:4`."""
        return ":".join(map(str, self.games[game - 1].points))

    @property
    def place(self) -> tuple[int, int]:
        """The game and the round in it that are being played."""
        return self.game, self.round

    @property
    def indices(self) -> range:
        """All sides."""
        return range(len(self.points))

    @property
    def active(self) -> tuple[int, ...]:
        """The sides that play this round."""
        return tuple(side for side in self.indices if side != self.sits_out)

    def others(self, side: int) -> tuple[int, ...]:
        """The opponents of `side` in this round."""
        return tuple(other for other in self.active if other != side)

    @property
    def near(self) -> tuple[bool, ...]:
        """Which sides are krank, gespannt, gestrichen."""
        return tuple(self.rules.is_near(points) for points in self.points)

    @property
    def decision(self) -> Decision | None:
        """The decision that stands open, or None."""
        if not self.undecided:
            return None
        return Decision(self.undecided[0], self.stake, self.rules.decline_value)

    @property
    def seats(self) -> tuple[tuple[int, str], ...]:
        """The seats clockwise as (side, name); a side without players is one seat.

        A side's partners sit opposite each other, so the seats alternate between the sides.
        """
        count = max((len(side.players) for side in self.sides), default=0) or 1
        return tuple(
            (at, side.players[turn % len(side.players)] if side.players else side.name)
            for turn in range(count)
            for at, side in enumerate(self.sides)
        )

    def seat_of(self, name: str) -> int | None:
        """The first seat of the player called `name`, else of the side so called, or None."""
        seats = self.seats
        for seat, (_, player) in enumerate(seats):
            if name and name == player:
                return seat
        for seat, (side, _) in enumerate(seats):
            if name and name == self.sides[side].name:
                return seat
        return None
