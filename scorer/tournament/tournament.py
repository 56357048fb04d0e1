"""A tournament: the fold of its events.

>>> from scorer.tournament.settings import read_settings
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
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from scorer.engine import Illegal
from scorer.tournament.events import (
    Abmeldung,
    Aenderung,
    Anmeldung,
    Auslosung,
    Bestaetigung,
    Einzeln,
    Ergebnis,
    Event,
    Preise,
    Rueckkehr,
    Ruecknahme,
    Sperre,
    Stechen,
    Vermerk,
    Zulosung,
    parse,
)
from scorer.tournament.match import Entrant, Match, Round
from scorer.tournament.results import check_games
from scorer.tournament.settings import MOST_PAIRS, Pair, Settings


class Tournament:
    """The settings and everything that has happened since.

    What it holds are values that are replaced and never changed, so a copy is cheap, and what a
    refused event began is undone by keeping the old ones.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.entrants: Mapping[int, Entrant] = {}
        self.singles: tuple[Einzeln, ...] = ()
        self.rounds: tuple[Round, ...] = ()
        self.deciders: tuple[Stechen, ...] = ()
        self.prizes = Preise(())
        self.recorded: list[Mapping[str, Any]] = []
        for pair in settings.pairs:
            self._enter(pair)

    def copy(self) -> Tournament:
        """The same tournament, to be gone on with while this one stays as it is."""
        other = copy.copy(self)
        other.recorded = self.recorded.copy()
        return other

    def push(self, data: Mapping[str, Any]) -> None:
        """Record one more event.

        :raises Unreadable: not an event
        :raises Illegal: it cannot be now; nothing has changed
        """
        event = parse(data)
        before = vars(self).copy()
        try:
            _DO[type(event)](self, event)
        except Illegal:
            vars(self).update(before)
            raise
        self.recorded.append(data)

    # Looking

    @property
    def active(self) -> list[Entrant]:
        """The pairs that are drawn."""
        return [one for one in self.entrants.values() if not one.withdrawn]

    def entrant(self, number: int) -> Entrant:
        """The pair with this number.

        :raises Illegal: there is none
        """
        if number not in self.entrants:
            raise Illegal("no-such-pair", pair=number)
        return self.entrants[number]

    def match(self, round: int, table: int) -> Match:
        """A table of a round.

        :raises Illegal: there is none
        """
        if not 1 <= round <= len(self.rounds):
            raise Illegal("no-such-round", round=round)
        if table not in self.rounds[round - 1].matches:
            raise Illegal("no-such-table", round=round, table=table)
        return self.rounds[round - 1].matches[table]

    def target(self, round: int) -> int:
        """The points that win a game of a round."""
        finals = self.settings.finals
        if self.rounds[round - 1].stage == "final" and finals and finals.target:
            return finals.target
        return self.settings.rules.target

    def games(self, round: int) -> int:
        """How many games two pairs play in a round."""
        finals = self.settings.finals
        if self.rounds[round - 1].stage == "final" and finals:
            return finals.games
        return self.settings.games

    def played_at(self, stream: str) -> tuple[int, Match] | None:
        """The match whose table's evening this is, with the number of its round."""
        for one in self.rounds:
            for match in one.matches.values():
                if match.drawn.stream == stream:
                    return one.number, match
        return None

    # Who plays

    def may_enter(self, lots: int = 1) -> None:
        """Nothing where so many lots may still enter.

        :raises Illegal: the list is full, or it is too late
        """
        self._late()
        self._room(lots)

    def _room(self, lots: int) -> None:
        if sum(one.pair.entries for one in self.entrants.values()) + lots > MOST_PAIRS:
            raise Illegal("full", most=MOST_PAIRS)

    def _enter(self, pair: Pair) -> None:
        self._room(pair.entries)
        self._free(pair.name)
        number = len(self.entrants) + 1
        self.entrants = {**self.entrants, number: Entrant(number, pair)}

    def _free(self, name: str, but: int = 0) -> None:
        for one in self.entrants.values():
            if one.pair.name == name and one.number != but:
                raise Illegal("name-taken", name=name, pair=one.number)

    def _anmeldung(self, event: Anmeldung) -> None:
        self._late()
        self._enter(event.entry)

    def _late(self) -> None:
        """Only rounds that are drawn anew each time have room for whoever comes late."""
        if self.rounds and (self.settings.format != "redraw" or self.rounds[-1].knockout):
            raise Illegal("too-late-to-enter")

    def _einzeln(self, event: Einzeln) -> None:
        self._late()
        if any(one.name == event.name for one in self.singles):
            raise Illegal("name-taken", name=event.name, pair=0)
        self.singles = (*self.singles, event)

    def _zulosung(self, event: Zulosung) -> None:
        self.may_enter(len(event.entries))
        names = [name for pair in event.entries for name in pair.players]
        waiting = {one.name for one in self.singles}
        if not names or len(set(names)) < len(names) or not waiting.issuperset(names):
            raise Illegal("nobody-single")
        called = [pair.name for pair in event.entries]
        for at, name in enumerate(called):
            self._free(name)
            if name in called[:at]:
                raise Illegal("name-taken", name=name, pair=0)
        for pair in event.entries:
            self._enter(pair)
        self.singles = tuple(single for single in self.singles if single.name not in names)

    def _aenderung(self, event: Aenderung) -> None:
        one = self.entrant(event.pair)
        self._free(event.entry.name, but=event.pair)
        if event.entry.entries != one.pair.entries:
            if self.rounds:
                raise Illegal("lots-fixed", name=one.pair.name)
            self._room(event.entry.entries - one.pair.entries)
        self._replace(one, pair=event.entry)

    def _abmeldung(self, event: Abmeldung) -> None:
        one = self.entrant(event.pair)
        if one.withdrawn:
            raise Illegal("withdrawn-already", name=one.pair.name)
        self._replace(one, withdrawn=True)

    def _rueckkehr(self, event: Rueckkehr) -> None:
        one = self.entrant(event.pair)
        if not one.withdrawn:
            raise Illegal("not-withdrawn", name=one.pair.name)
        self._replace(one, withdrawn=False)

    def _vermerk(self, event: Vermerk) -> None:
        self._replace(self.entrant(event.pair), paid=event.paid, here=event.here)

    def _replace(self, entrant: Entrant, **changed: Any) -> None:
        self.entrants = {**self.entrants, entrant.number: replace(entrant, **changed)}

    # Rounds

    def _auslosung(self, event: Auslosung) -> None:
        if event.round != len(self.rounds) + 1:
            raise Illegal("drawn-already", round=event.round)
        self.may_draw(event.anyway)
        seen: set[int] = set()
        for drawn in event.tables:
            for pair, lot in zip(drawn.pairs, drawn.lots, strict=True):
                self.entrant(pair)
                if lot in seen:
                    raise Illegal("drawn-twice", pair=pair)
                seen.add(lot)
        matches = {drawn.table: Match(drawn) for drawn in event.tables}
        self.rounds = (
            *self.rounds,
            Round(
                event.round,
                event.stage,
                matches,
                event.byes,
                event.notes,
                event.circles,
                event.leg,
            ),
        )

    def may_draw(self, anyway: bool = False) -> None:
        """Nothing where the next round may be drawn.

        :raises Illegal: results are missing, and nobody decided to go on without
        """
        if self.rounds and not anyway and (missing := self.rounds[-1].missing):
            tables = ", ".join(str(match.drawn.table) for match in missing[:20])
            raise Illegal("results-missing", count=len(missing), tables=tables)

    def _ruecknahme(self, event: Ruecknahme) -> None:
        if not self.rounds or event.round != len(self.rounds):
            raise Illegal("not-the-newest", round=event.round)
        if any(match.said for match in self.rounds[-1].matches.values()):
            raise Illegal("results-in", round=event.round)
        self.rounds = self.rounds[:-1]

    # Results

    def _ergebnis(self, event: Ergebnis) -> None:
        match = self.match(event.round, event.table)
        if event.who != "director":
            self._still_theirs(match)
        elif match.locked:
            raise Illegal("locked", table=event.table)
        self.check_result(event)
        self._not_built_upon(match, event)
        self._about(event, match, said={**match.said, event.who: event}, confirmed=False)

    def check_result(self, event: Ergebnis) -> None:
        """Nothing where these can be the games of a table.

        :raises Illegal: which game cannot be, and why
        """
        if event.walkover:
            if event.games or event.who != "director":
                raise Illegal("walkover-by-director")
            return
        rules, target = self.settings.rules, self.target(event.round)
        check_games(rules, target, self.games(event.round), event.games)
        if max(event.retour, default=0) > len(event.games):
            raise Illegal("no-such-game", game=max(event.retour))
        if self.rounds[event.round - 1].knockout:
            trial = Match(self.match(event.round, event.table).drawn, {"director": event})
            if trial.winner < 0:
                raise Illegal("level-in-knockout", table=event.table)

    def _not_built_upon(self, match: Match, event: Ergebnis) -> None:
        """A knock-out result from which a later round was drawn keeps its winner."""
        if match.result is None or not self.rounds[event.round - 1].knockout:
            return
        other = Match(match.drawn, {"director": event}).winner != match.winner
        if other and event.round < len(self.rounds):
            raise Illegal("built-upon", round=event.round + 1)

    def _still_theirs(self, match: Match) -> None:
        table = match.drawn.table
        if match.locked:
            raise Illegal("locked", table=table)
        if match.result is not None:
            raise Illegal("settled", table=table)

    def _bestaetigung(self, event: Bestaetigung) -> None:
        match = self.match(event.round, event.table)
        self._still_theirs(match)
        entered = set(match.said)
        if len(entered) != 1:
            raise Illegal("nothing-to-confirm", table=event.table)
        if event.who in entered:
            raise Illegal("own-result", table=event.table)
        if event.games != next(iter(match.said.values())).games:
            raise Illegal("another-result", table=event.table)
        self._about(event, match, confirmed=True)

    def _sperre(self, event: Sperre) -> None:
        match = self.match(event.round, event.table)
        self._about(event, match, locked=not event.open)

    def _about(self, event: Ergebnis | Bestaetigung | Sperre, match: Match, **changed: Any) -> None:
        """Take note of what the event being recorded says about a match."""
        noted = replace(match, history=(*match.history, len(self.recorded)), **changed)
        played = self.rounds[event.round - 1]
        played = replace(played, matches={**played.matches, event.table: noted})
        self.rounds = (*self.rounds[: event.round - 1], played, *self.rounds[event.round :])

    def _stechen(self, event: Stechen) -> None:
        if self.entrant(event.winner) is self.entrant(event.loser):
            raise Illegal("no-such-pair", pair=event.loser)
        self.deciders = (*self.deciders, event)

    def _preise(self, event: Preise) -> None:
        self.prizes = event


_DO: Final[Mapping[type[Event], Callable[[Tournament, Any], None]]] = {
    Anmeldung: Tournament._anmeldung,
    Einzeln: Tournament._einzeln,
    Zulosung: Tournament._zulosung,
    Aenderung: Tournament._aenderung,
    Abmeldung: Tournament._abmeldung,
    Rueckkehr: Tournament._rueckkehr,
    Vermerk: Tournament._vermerk,
    Auslosung: Tournament._auslosung,
    Ruecknahme: Tournament._ruecknahme,
    Ergebnis: Tournament._ergebnis,
    Bestaetigung: Tournament._bestaetigung,
    Sperre: Tournament._sperre,
    Stechen: Tournament._stechen,
    Preise: Tournament._preise,
}
