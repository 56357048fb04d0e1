"""The state of a tournament after its events, as an immutable value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final

from scorer.engine import Illegal
from scorer.engine.aggregate import Aggregate, EventClasses, replace
from scorer.engine.input.codec import Json, codec
from scorer.engine.input.field_readers import code, listed, one_of, text
from scorer.tournament.entrants import Entrant, SignUp
from scorer.tournament.match import Match, Overturned, Round
from scorer.tournament.pairs import given_name
from scorer.tournament.settings import Settings

EVENT_CLASSES: Final[EventClasses[Any]] = EventClasses()
"""All kinds of events; filled when `events` is imported."""
RANKED_IN_SERIES: Final = ("pair", "player")
MAX_SERIES_OTHERS: Final = 29
"""Most other tournaments in a series."""
MAX_CATEGORIES: Final = 12
CONSOLATION_RECEIVERS: Final = ("last", "last-but-one", "winless")


@dataclass(frozen=True, slots=True)
class CategoryPrizes:
    """The prizes of one category of pairs, one line per place within it; free text."""

    category: Annotated[str, given_name]
    lines: Annotated[tuple[str, ...], listed(text(200), 200)]


@dataclass(frozen=True, slots=True)
class Prizes:
    """The prizes, one line per place, and the consolation prize; free text."""

    lines: Annotated[tuple[str, ...], listed(text(200), 200)]
    consolation: Annotated[str, text(200)] = ""
    consolation_for: Annotated[str, one_of(*CONSOLATION_RECEIVERS), Json("to")] = "last"
    """Receiver of the consolation prize: the `last`, the `last-but-one` or the last `winless`."""
    categories: Annotated[
        tuple[CategoryPrizes, ...], listed(codec(CategoryPrizes).reader, MAX_CATEGORIES)
    ] = ()
    one_prize_per_pair: Annotated[bool, Json("once")] = False
    """Whether a pair with one of the main prizes gets none of its category."""


@dataclass(frozen=True, slots=True)
class JointSeries:
    """The other tournaments of a series, and how they are counted."""

    others: Annotated[tuple[str, ...], listed(code(40), MAX_SERIES_OTHERS), Json("of")]
    """Their streams, in playing order."""
    rule: Annotated[str, code(40)] = "places"
    collects: Annotated[str, one_of(*RANKED_IN_SERIES)] = "pair"
    """Whether each `pair` or each `player` is ranked."""


@dataclass(frozen=True, slots=True)
class Decider:
    """A deciding game between level pairs: `winner` ranks before `loser`."""

    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class DeciderTable:
    pairs: tuple[int, int]
    stream: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(Aggregate):
    """The settings and everything recorded since; made by `events.new_tournament`."""

    event_classes: ClassVar[EventClasses[Any]] = EVENT_CLASSES
    initial_settings: Settings
    settings: Settings
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    singles: tuple[SignUp, ...] = ()
    waiting_list: Mapping[int, SignUp] = field(default_factory=dict)
    """The waiting list, by the position of the event in the stream."""
    attendance_recorded: bool = False
    """Whether the director has recorded who is present."""
    rounds: tuple[Round, ...] = ()
    undone_rounds: tuple[Round, ...] = ()
    overturned: Overturned | None = None
    """The newest correction that took rounds back."""
    replaced_streams: tuple[str, ...] = ()
    """Streams that were replaced when pairs were swapped."""
    deciders: tuple[Decider, ...] = ()
    decider_tables: tuple[DeciderTable, ...] = ()
    kept_apart: frozenset[frozenset[int]] = frozenset()
    """Pairs, two by two, that the draw keeps from meeting."""
    prizes: Prizes = Prizes(())
    series: JointSeries = JointSeries(())
    announcement: str = ""
    announcement_round: int = 0
    """The number of rounds when it was announced."""
    clock_round: int = 0
    """The round that the clock runs for."""
    clock_until: int = 0
    """End of the round in seconds since 1970 (UTC); 0 without a clock."""

    def before_finals(self) -> Tournament:
        """The tournament without its finals, with all other changes kept."""
        return replace(self, rounds=tuple(round_ for round_ in self.rounds if not round_.is_final))

    @property
    def without_draft(self) -> Tournament:
        """The tournament as all but the director see it: without a round that is a draft."""
        has_draft = self.rounds and self.rounds[-1].draft
        return replace(self, rounds=self.rounds[:-1]) if has_draft else self

    @property
    def current_announcement(self) -> str:
        """The announcement until the next round is drawn and no longer a draft; then ""."""
        count = len(self.rounds)
        is_draft = bool(self.rounds) and self.rounds[-1].draft
        is_current = count - is_draft <= self.announcement_round <= count
        return self.announcement if is_current else ""

    @property
    def running_clock(self) -> int:
        """End of the clock like `clock_until`; 0 once its round has all results."""
        is_coming = self.clock_round > len(self.rounds)
        is_playing = (
            self.clock_round == len(self.rounds) and self.rounds and self.rounds[-1].unfinished
        )
        return self.clock_until if is_coming or is_playing else 0

    @property
    def active_entrants(self) -> list[Entrant]:
        """The pairs included in draws."""
        return [entrant for entrant in self.entrants.values() if entrant.plays]

    @property
    def listed(self) -> list[Entrant]:
        """The pairs on the list, including those that have withdrawn."""
        return [entrant for entrant in self.entrants.values() if not entrant.removed]

    def entrant(self, number: int) -> Entrant:
        """:raises Illegal: there is no such pair"""
        if number not in self.entrants:
            raise Illegal("no-such-pair", pair=number)
        return self.entrants[number]

    @property
    def lots(self) -> Collection[int]:
        """All lots: in a knock-out as many as were entered, else the pairs' numbers."""
        if self.settings.format != "knockout":
            return self.entrants.keys()
        return range(1, 1 + sum(entrant.pair.entries for entrant in self.entrants.values()))

    def pair_of(self, lot: int) -> int:
        return self.holders[lot]

    @property
    def holders(self) -> dict[int, int]:
        """The pair of each lot; in a knock-out lots are numbered through the pairs in order."""
        if self.settings.format != "knockout":
            return dict(zip(self.entrants, self.entrants, strict=True))
        pair_numbers = (
            n for n, entrant in self.entrants.items() for _ in range(entrant.pair.entries)
        )
        return dict(enumerate(pair_numbers, 1))

    @property
    def tables_drawn(self) -> int:
        return sum(len(round_.matches) for round_ in self.rounds)

    def bye_pairs(self, round_: Round) -> list[int]:
        """The pairs with a bye in a round, once per lot."""
        holders = self.holders if round_.byes else {}
        return [holders[lot] for lot in round_.byes]

    def counted_matches(self, round_: Round) -> list[Match]:
        """The matches with a result, without those of pairs whose games do not count."""
        return [
            match
            for match in round_.matches.values()
            if match.result is not None and not self.is_annulled(match)
        ]

    def is_annulled(self, match: Match) -> bool:
        """Whether a pair of a match has left so that its games do not count."""
        return any(self.entrants[pair].annulled for side in match.sides for pair in side)

    def counted_byes(self, round_: Round) -> list[int]:
        """The pairs that count a bye in a round: those without a table, and the opponents of pairs
        whose games do not count.
        """
        opponents = [
            pair
            for match in round_.matches.values()
            if self.is_annulled(match)
            for side in match.sides
            for pair in side
        ]
        pairs = [*self.bye_pairs(round_), *opponents]
        return [pair for pair in pairs if not self.entrants[pair].annulled]

    def round(self, number: int) -> Round:
        """:raises Illegal: the round is not drawn"""
        if not 1 <= number <= len(self.rounds):
            raise Illegal("no-such-round", round=number)
        return self.rounds[number - 1]

    def match(self, number: int, table: int) -> Match:
        """:raises Illegal: there is no such round or table"""
        matches = self.round(number).matches
        if table not in matches:
            raise Illegal("no-such-table", round=number, table=table)
        return matches[table]

    def target(self, number: int) -> int:
        return self.rounds[number - 1].target

    def games(self, number: int) -> int:
        return self.rounds[number - 1].games

    @property
    def unfinished(self) -> list[tuple[Round, Match]]:
        return [(round_, match) for round_ in self.rounds for match in round_.unfinished]

    @property
    def begun(self) -> bool:
        matches = (match for round_ in self.rounds for match in round_.matches.values())
        return any(match.result is not None for match in matches)

    @property
    def finals_drawn(self) -> bool:
        return any(round_.is_final for round_ in self.rounds)

    @property
    def revocable(self) -> Overturned | None:
        """The correction that can itself be taken back, or None."""
        last = self.overturned
        if last is None or (last.after, last.settings) != (self.rounds, self.settings):
            return None
        return last

    def side_name(self, match: Match, side: int) -> str:
        return " & ".join(self.entrants[number].pair.name for number in match.sides[side])

    def signature_of(self, signed: SignUp) -> str:
        """Role and device name of the phone that signed up, or ""."""
        return str(self.recorded[signed.number - 1].get("by", ""))

    def find_match(self, stream: str) -> tuple[int, Match] | None:
        """Number of the round and match of a table's stream, or None."""
        return _find_match(self.rounds, stream)

    def void_reason(self, stream: str) -> str:
        """Why a table's stream is void: `draw-undone`, `pairs-swapped`, or ""."""
        if stream in self.replaced_streams:
            return "pairs-swapped"
        return "draw-undone" if _find_match(self.undone_rounds, stream) else ""

    def has_table(self, stream: str) -> bool:
        """Whether the stream is or was that of a table of this tournament."""
        return bool(
            self.find_match(stream) or self.void_reason(stream) or self.is_decider_table(stream)
        )

    def is_decider_table(self, stream: str) -> bool:
        return any(table.stream == stream for table in self.decider_tables)


def _find_match(rounds: tuple[Round, ...], stream: str) -> tuple[int, Match] | None:
    for round_ in rounds:
        for match in round_.matches.values():
            if match.drawn_table.stream == stream:
                return round_.number, match
    return None
