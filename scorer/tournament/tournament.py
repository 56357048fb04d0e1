"""A tournament: the fold of its events.

>>> from scorer.tournament.reading import read_settings
>>> evening = Tournament(read_settings({"name": "Preiswatten", "rules": "bayern",
...     "games_per_round": 1, "pairs": [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]}))
>>> evening.push({"do": "auslosung", "round": 1, "stage": "rounds",
...     "tables": [{"table": 1, "pairs": [2, 1]}]})
>>> evening.push({"do": "ergebnis", "round": 1, "table": 1, "who": "director",
...     "games": [[15, 8]]})
>>> evening.match(1, 1).status
'done'
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Mapping
from typing import Any

from scorer.engine import Illegal
from scorer.tournament import people
from scorer.tournament.events import Durchsage, Preise, Serie, Stechen, Stechtisch, Uhr
from scorer.tournament.handlers import HANDLERS
from scorer.tournament.match import Entrant, Match, Overturned, Round, Signed
from scorer.tournament.settings import Settings
from scorer.tournament.wire import parse


class Tournament:
    """The settings and everything that has happened since.

    What it holds are values that are replaced and never changed, so a copy is cheap, and what a
    refused event began is undone by keeping the old ones.
    """

    def __init__(self, settings: Settings) -> None:
        self.opening = settings
        """The settings it began with."""
        self.settings = settings
        self.entrants: Mapping[int, Entrant] = {}
        self.singles: tuple[Signed, ...] = ()
        self.signed: Mapping[int, Signed] = {}
        """Who signed up and waits, by the place of the event in the stream."""
        self.asked = False
        """Whether the director has said who is there."""
        self.rounds: tuple[Round, ...] = ()
        self.undone: tuple[Round, ...] = ()
        """The rounds that were drawn and taken back."""
        self.overturned: Overturned | None = None
        """The newest correction that took rounds back."""
        self.replaced: tuple[str, ...] = ()
        """The evenings of tables whose pairs changed places: they have new ones."""
        self.deciders: tuple[Stechen, ...] = ()
        self.decider_tables: tuple[Stechtisch, ...] = ()
        self.prizes = Preise(())
        self.series = Serie(())
        self.announced = Durchsage("")
        self.clock = Uhr(0)
        self.recorded: list[Mapping[str, Any]] = []
        for pair in settings.pairs:
            people.enter(self, pair)

    def copy(self) -> Tournament:
        """The same tournament, to be gone on with while this one stays as it is."""
        other = copy.copy(self)
        other.recorded = self.recorded.copy()
        return other

    def under(self, settings: Settings) -> Tournament:
        """What has happened, seen by other settings."""
        other = self.copy()
        other.settings = settings
        return other

    def before_finals(self) -> Tournament:
        """The tournament as it was before any final was drawn, by what is known now."""
        other = self.copy()
        other.rounds = tuple(played for played in self.rounds if not played.final)
        return other

    def push(self, data: Mapping[str, Any]) -> None:
        """Record one more event.

        :raises Unreadable: not an event
        :raises Illegal: it cannot be now; nothing has changed
        """
        event = parse(data)
        before = vars(self).copy()
        self.recorded.append(data)
        try:
            HANDLERS[type(event)](self, event)
        except BaseException:
            self.recorded.pop()
            vars(self).update(before)
            raise

    # Looking

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
        if self.settings.format != "knockout":
            return lot
        last = 0
        for number, entrant in self.entrants.items():
            last += entrant.pair.entries
            if lot <= last:
                return number
        raise ValueError(lot)

    def free(self, played: Round) -> list[int]:
        """The pairs with a bye in a round, a pair once for each of its lots."""
        return [self.pair_of(lot) for lot in played.byes]

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

    def signed_by(self, signed: Signed) -> str:
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
