"""A tournament as it stands after its events: a value that never changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final

from scorer.engine import Illegal
from scorer.engine.aggregate import Aggregate, Kinds, replace
from scorer.engine.input.fields import listed, one_of, text
from scorer.tournament.match import Entrant, Match, Overturned, Round, SignUp
from scorer.tournament.settings import Settings

KINDS: Final[Kinds[Any]] = Kinds()
"""Every kind of event, once `events` is loaded."""
COLLECTS: Final = ("pair", "player")
MOST_BESIDE: Final = 29
"""Tournaments that count together with another."""
CONSOLED: Final = ("last", "last-but-one", "winless")


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes, one line a place, and the consolation prize; free text."""

    lines: Annotated[tuple[str, ...], listed(text(200), 200)]
    consolation: Annotated[str, text(200)] = ""
    to: Annotated[str, one_of(*CONSOLED)] = "last"
    """Who gets the consolation prize: the `last`, the `last-but-one` or the last `winless`."""


@dataclass(frozen=True, slots=True)
class JointSeries:
    """The other tournaments that count together with this one, and how."""

    of: Annotated[tuple[str, ...], listed(text(40), MOST_BESIDE)]
    """Their streams, in the order in which they were played."""
    rule: Annotated[str, text(40)] = "places"
    """One of `series.toml`."""
    collects: Annotated[str, one_of(*COLLECTS)] = "pair"
    """Who collects: each `pair`, or each `player`."""


@dataclass(frozen=True, slots=True)
class Decider:
    """A deciding game between two pairs that are level: `winner` goes before `loser`."""

    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class DeciderTable:
    """A table of its own for a deciding game."""

    pairs: tuple[int, int]
    stream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(Aggregate):
    """The settings and everything that has happened since; `events.opened` begins one."""

    kinds: ClassVar[Kinds[Any]] = KINDS
    opening: Settings
    """The settings it began with."""
    settings: Settings
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    singles: tuple[SignUp, ...] = ()
    signed: Mapping[int, SignUp] = field(default_factory=dict)
    """Who signed up and waits, by the place of the event in the stream."""
    asked: bool = False
    """Whether the director has said who is there."""
    rounds: tuple[Round, ...] = ()
    undone: tuple[Round, ...] = ()
    """The rounds that were drawn and taken back."""
    overturned: Overturned | None = None
    """The newest correction that took rounds back."""
    replaced: tuple[str, ...] = ()
    """The evenings of tables whose pairs changed places: they have new ones."""
    deciders: tuple[Decider, ...] = ()
    decider_tables: tuple[DeciderTable, ...] = ()
    prizes: Prizes = Prizes(())
    series: JointSeries = JointSeries(())
    announcement: str = ""
    """What the hall's screen announces."""
    clock_until: int = 0
    """When the round ends, in seconds since 1970 (UTC); 0 where no clock runs."""

    def before_finals(self) -> Tournament:
        """The tournament as it was before any final was drawn, by what is known now."""
        return replace(self, rounds=tuple(played for played in self.rounds if not played.final))

    @property
    def active(self) -> list[Entrant]:
        """The pairs that are drawn."""
        return [entrant for entrant in self.entrants.values() if entrant.plays]

    @property
    def listed(self) -> list[Entrant]:
        """The pairs on the list, those that have withdrawn among them."""
        return [entrant for entrant in self.entrants.values() if not entrant.struck]

    def entrant(self, number: int) -> Entrant:
        """The pair with this number.

        :raises Illegal: there is none
        """
        if number not in self.entrants:
            raise Illegal("no-such-pair", pair=number)
        return self.entrants[number]

    @property
    def lots(self) -> Collection[int]:
        """The lots of all pairs: in a knock-out as many as were entered, else a pair's number."""
        if self.settings.format != "knockout":
            return self.entrants.keys()
        return range(1, 1 + sum(entrant.pair.entries for entrant in self.entrants.values()))

    def pair_of(self, lot: int) -> int:
        """The pair that holds a lot: in a knock-out each holds as many as it entered.

        Lots are numbered through the pairs in their order.
        """
        return self.holders[lot]

    @property
    def holders(self) -> dict[int, int]:
        """The pair that holds each lot; to be asked for once where many lots are looked at."""
        if self.settings.format != "knockout":
            return dict(zip(self.entrants, self.entrants, strict=True))
        each = (n for n, entrant in self.entrants.items() for _ in range(entrant.pair.entries))
        return dict(enumerate(each, 1))

    @property
    def tables_drawn(self) -> int:
        """How many tables all rounds have."""
        return sum(len(played.matches) for played in self.rounds)

    def free(self, played: Round) -> list[int]:
        """The pairs with a bye in a round, a pair once for each of its lots."""
        holders = self.holders if played.byes else {}
        return [holders[lot] for lot in played.byes]

    def round(self, number: int) -> Round:
        """A drawn round.

        :raises Illegal: it is not drawn
        """
        if not 1 <= number <= len(self.rounds):
            raise Illegal("no-such-round", round=number)
        return self.rounds[number - 1]

    def match(self, number: int, table: int) -> Match:
        """A table of a round.

        :raises Illegal: there is none
        """
        matches = self.round(number).matches
        if table not in matches:
            raise Illegal("no-such-table", round=number, table=table)
        return matches[table]

    def target(self, number: int) -> int:
        """The points that win a game of a round."""
        return self.rounds[number - 1].target

    def games(self, number: int) -> int:
        """How many games two pairs play in a round."""
        return self.rounds[number - 1].games

    @property
    def missing(self) -> list[tuple[Round, Match]]:
        """The tables of all rounds whose result does not count yet."""
        return [(played, match) for played in self.rounds for match in played.missing]

    @property
    def begun(self) -> bool:
        """Whether any result counts yet."""
        played = (match for drawn in self.rounds for match in drawn.matches.values())
        return any(match.result is not None for match in played)

    @property
    def finals_drawn(self) -> bool:
        """Whether a final is drawn."""
        return any(played.final for played in self.rounds)

    @property
    def revocable(self) -> Overturned | None:
        """The correction that took rounds back and can itself be taken back, or None."""
        last = self.overturned
        if last is None or (last.after, last.settings) != (self.rounds, self.settings):
            return None
        return last

    def called(self, match: Match, side: int) -> str:
        """What a side of a match is called."""
        return " & ".join(self.entrants[number].pair.name for number in match.sides[side])

    def signed_by(self, signed: SignUp) -> str:
        """Whose phone signed up: the key's role and the phone's name."""
        return str(self.recorded[signed.number - 1].get("by", ""))

    def played_at(self, stream: str) -> tuple[int, Match] | None:
        """The match whose table's evening this is, with the number of its round."""
        return _at(self.rounds, stream)

    def gone(self, stream: str) -> str:
        """Why a table's evening counts no longer: `draw-undone`, `pairs-swapped`, or nothing."""
        if stream in self.replaced:
            return "pairs-swapped"
        return "draw-undone" if _at(self.undone, stream) else ""

    def has(self, stream: str) -> bool:
        """Whether this is or was the evening of one of its tables."""
        return bool(self.played_at(stream) or self.gone(stream) or self.decides_at(stream))

    def decides_at(self, stream: str) -> bool:
        """Whether this is the evening of a deciding game."""
        return any(table.stream == stream for table in self.decider_tables)


def _at(rounds: tuple[Round, ...], stream: str) -> tuple[int, Match] | None:
    for played in rounds:
        for match in played.matches.values():
            if match.drawn.stream == stream:
                return played.number, match
    return None
