"""The state of a table after its effective events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

from scorer.engine.aggregate import replace
from scorer.engine.input.codec import Codec, Json
from scorer.engine.input.field_readers import listed
from scorer.engine.input.field_readers import name as read_name
from scorer.engine.rules.grounds import Reason
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.translatable import N_


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the table: its name and its players in playing order."""

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


@dataclass(frozen=True, slots=True)
class Price:
    """A table's price: with the unit `euro` in cents, with `runden` in rounds of drinks."""

    amount: int
    unit: str
    per: str
    """`bummerl` or `spiel`."""


@dataclass(frozen=True, slots=True)
class Raise:
    """An open raise: the raising side and the stake it names."""

    side: int
    to: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A round that `side` may play for `play_value` points or give away for `give_away_value`."""

    side: int
    play_value: int
    give_away_value: int


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game: winner, final points, Bummerl per side, and the worst kind of loss."""

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


class Confirmation(NamedTuple):
    """A side's yes to a finished game."""

    game: int
    side: int
    score: str
    """The final score that it confirmed, such as `9:4`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state of scoring; sides are indices from 0."""

    rules: RuleSet
    sides: tuple[Side, ...]
    points: tuple[int, ...]
    """Points of the current game, per side."""
    bummerl: tuple[int, ...]
    """The Bummerl that each side got this evening."""
    game: int = 1
    round: int = 1
    """From 1 in each game."""
    games: tuple[Game, ...] = ()
    winner: int | None = None

    sits_out: int | None = None
    dealer: int | None = None
    """The dealer's seat, an index into `seats`; None if not known."""

    opening_reason: Reason
    """The value of the round before any raise, with its rules."""
    stake: int = 0
    open_raise: Raise | None = None
    raiser: int | None = None
    four_leader: int | None = None
    """The side because of which the round counts four, or None: see `stakes.four_leader`."""
    deciding_sides: tuple[int, ...] = ()
    """The sides that still have to decide whether they play the round."""
    decision_made: bool = False
    round_is_new: bool = True
    """No event of this round is recorded yet."""
    schlag: str | None = None
    trumpf: str | None = None
    roles_swapped: bool = False
    schoenere: int = 0
    """Accepted requests for better cards in this deal."""
    agreeing_sides: tuple[int, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    disputed: tuple[int, ...] = ()
    """Indices of recorded events whose rounds are in dispute."""

    price: Price | None = None

    strikes: tuple[int, ...]
    """Strikes in this game, per side."""
    retour_chances: tuple[tuple[int, ...], ...]
    """Per side, the opponents that were near while it stood at 0."""
    because: tuple[Reason, ...] = ()
    """The reasons of the last change. Those of the next round's value are in `opening_reason`."""

    def confirming_sides(self, game: int) -> tuple[int, ...]:
        """The sides that confirmed the current result of a finished game."""
        score = self.final_score(game)
        return tuple(
            other.side for other in self.confirmations if (other.game, other.score) == (game, score)
        )

    def final_score(self, game: int) -> str:
        """The final score of a finished game, such as `9:4`."""
        return ":".join(map(str, self.games[game - 1].points))

    @property
    def round_id(self) -> tuple[int, int]:
        """The current round, as (game, round)."""
        return self.game, self.round

    @property
    def side_indices(self) -> range:
        return range(len(self.points))

    @property
    def playing_sides(self) -> tuple[int, ...]:
        return tuple(side for side in self.side_indices if side != self.sits_out)

    def others(self, side: int) -> tuple[int, ...]:
        return tuple(other for other in self.playing_sides if other != side)

    @property
    def near(self) -> tuple[bool, ...]:
        """Per side, whether it is krank, gespannt or gestrichen."""
        return tuple(self.rules.is_near(points) for points in self.points)

    @property
    def decision(self) -> Decision | None:
        """The open decision before the play, or None."""
        if not self.deciding_sides:
            return None
        return Decision(self.deciding_sides[0], self.stake, self.rules.decline_value)

    @property
    def seats(self) -> tuple[tuple[int, str], ...]:
        """The seats clockwise as (side, player name).

        All sides have as many seats as the largest has players, at least one. Partners sit opposite
        each other, so seats alternate between the sides.
        """
        seats_per_side = max((len(side.players) for side in self.sides), default=0) or 1
        return tuple(
            (index, side.players[place % len(side.players)] if side.players else side.name)
            for place in range(seats_per_side)
            for index, side in enumerate(self.sides)
        )

    def seat_of(self, name: str) -> int | None:
        """The seat of the player called `name`, else the first seat of the side so called."""
        seats = self.seats
        for seat, (_, player) in enumerate(seats):
            if name and name == player:
                return seat
        for seat, (side, _) in enumerate(seats):
            if name and name == self.sides[side].name:
                return seat
        return None


def with_reasons(state: State, *reasons: Reason) -> State:
    return replace(state, because=state.because + reasons)
