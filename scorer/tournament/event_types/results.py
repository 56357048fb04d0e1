"""Events about results: entering, clearing, confirming, locking, and deciding games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from scorer.engine import Illegal, RuleSet, Unreadable
from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import code, integer, one_of, text
from scorer.engine.translatable import N_
from scorer.tournament.event_types.draws import require_released
from scorer.tournament.event_types.event import GLANCE, Event
from scorer.tournament.match import (
    Match,
    Overturned,
    PairNumber,
    PlayedGames,
    Result,
    Round,
    RoundNumber,
    TableNumber,
    TwoNumbers,
    Who,
    retour_games,
)
from scorer.tournament.result_validation import check_games, check_retour
from scorer.tournament.settings import Since
from scorer.tournament.settings_reader import finals_rules
from scorer.tournament.state import Decider, DeciderTable, Tournament

FirstRound = Annotated[int, integer(0, 999)]
"""The first of the dependent rounds that are taken back with a correction, or 0."""


@dataclass(frozen=True, slots=True)
class Ergebnis(Event, Result):
    """The games of a table, entered by the director or one of its pairs."""

    do = "ergebnis"
    anyway: bool = False
    """Confirmed on request: the correction changes the finalists, or the points are only possible
    with an agreed penalty.
    """
    back: FirstRound = 0
    """The first of the rounds drawn from the result that are taken back with it, or 0."""

    def replay_cost(self, state: Tournament) -> int:
        return 1 + (state.tables_drawn // GLANCE if self.back else 0)

    def check(self, state: Tournament) -> None:
        match = state.match(self.round, self.table)
        if self.who != "director":
            if self.back:
                raise Unreadable("back", N_("is for the director alone"))
            _require_open_to_pairs(state, self.round, match)
        elif match.locked:
            raise Illegal("locked", table=self.table)
        check_result(state, self)
        _check_dependent_rounds(state, self)

    def effect(self, state: Tournament) -> Tournament:
        return _with_results(state, self)


@dataclass(frozen=True, slots=True)
class Leerung(Event):
    """The director removes all results of a table, or only the director's."""

    do = "leerung"
    round: RoundNumber
    table: TableNumber
    reason: Annotated[str, text(200)] = ""
    anyway: bool = False
    back: FirstRound = 0
    who: Annotated[str, one_of("director")] = ""
    """`director` keeps what the pairs entered; "" removes everything."""

    def replay_cost(self, state: Tournament) -> int:
        return 1 + (state.tables_drawn // GLANCE if self.back else 0)

    def check(self, state: Tournament) -> None:
        match = state.match(self.round, self.table)
        if match.locked:
            raise Illegal("locked", table=self.table)
        if not (self.who in match.entered_results if self.who else match.entered_results):
            raise Illegal("nothing-to-confirm", table=self.table)
        _check_dependent_rounds(state, self)

    def effect(self, state: Tournament) -> Tournament:
        return _with_results(state, self)


@dataclass(frozen=True, slots=True)
class Widerruf(Event):
    """Restores the rounds that the newest correction took back, and the results before it.

    The history of the corrected table keeps all entries.
    """

    do = "widerruf"
    round: RoundNumber
    table: TableNumber

    def replay_cost(self, state: Tournament) -> int:
        return 1 + len(state.undone_rounds) + state.tables_drawn // GLANCE

    def check(self, state: Tournament) -> None:
        undone = state.revocable
        if undone is None or (undone.round, undone.table) != (self.round, self.table):
            raise Illegal("correction-stays")

    def effect(self, state: Tournament) -> Tournament:
        undone = state.revocable
        assert undone is not None
        history = state.match(self.round, self.table).history
        match = undone.before[self.round - 1].matches[self.table]
        return _with_match(
            replace(
                state,
                rounds=undone.before,
                undone_rounds=tuple(
                    drawn for drawn in state.undone_rounds if drawn not in undone.removed_rounds
                ),
                overturned=None,
            ),
            self,
            replace(match, history=history),
        )


@dataclass(frozen=True, slots=True)
class Bestaetigung(Event):
    """The other pair confirms the entered result; `games` are the games it saw."""

    do = "bestaetigung"
    round: RoundNumber
    table: TableNumber
    who: Who
    games: PlayedGames
    retour: Annotated[tuple[int, ...] | None, retour_games] = None
    """The Retourschneider as shown to the confirming pair, or None if none were shown."""

    def check(self, state: Tournament) -> None:
        match = state.match(self.round, self.table)
        _require_open_to_pairs(state, self.round, match)
        if len(match.entered_results) != 1:
            raise Illegal("nothing-to-confirm", table=self.table)
        if self.who in match.entered_results:
            raise Illegal("own-result", table=self.table)
        (other,) = match.entered_results.values()
        retour = other.retour if self.retour is None else self.retour
        if (self.games, retour) != (other.games, other.retour):
            raise Illegal("another-result", table=self.table)

    def effect(self, state: Tournament) -> Tournament:
        return _with_match(state, self, state.match(self.round, self.table), confirmed=True)


@dataclass(frozen=True, slots=True)
class Sperre(Event):
    """The director locks a table's result, or lets it be changed again (`open`)."""

    do = "sperre"
    round: RoundNumber
    table: TableNumber
    open: bool = False

    def check(self, state: Tournament) -> None:
        state.match(self.round, self.table)

    def effect(self, state: Tournament) -> Tournament:
        return _with_match(state, self, state.match(self.round, self.table), locked=not self.open)


@dataclass(frozen=True, slots=True)
class Stechen(Event):
    """A deciding game between two pairs that are level: `winner` goes before `loser`."""

    do = "stechen"
    winner: PairNumber
    loser: PairNumber
    undone: bool = False
    """Whether the recorded deciding game of these two is taken back."""

    def replay_cost(self, state: Tournament) -> int:
        return 1 + (len(state.deciders) // GLANCE if self.undone else 0)

    def check(self, state: Tournament) -> None:
        if state.entrant(self.winner) is state.entrant(self.loser):
            raise Illegal("no-such-pair", pair=self.loser)
        if self.undone and self._other_deciders(state) == state.deciders:
            raise Illegal("no-decider")

    def effect(self, state: Tournament) -> Tournament:
        if self.undone:
            return replace(state, deciders=self._other_deciders(state))
        return replace(state, deciders=(*state.deciders, Decider(self.winner, self.loser)))

    def _other_deciders(self, state: Tournament) -> tuple[Decider, ...]:
        two = {self.winner, self.loser}
        return tuple(noted for noted in state.deciders if {noted.winner, noted.loser} != two)


@dataclass(frozen=True, slots=True)
class Stechtisch(Event):
    """A separate table for a deciding game; the table reports its winner."""

    do = "stechtisch"
    pairs: TwoNumbers
    stream: Annotated[str, code(40)]

    def check(self, state: Tournament) -> None:
        for pair in self.pairs:
            state.entrant(pair)

    def effect(self, state: Tournament) -> Tournament:
        table = DeciderTable(self.pairs, self.stream)
        return replace(state, decider_tables=(*state.decider_tables, table))


# Shared checks and helpers


def _check_dependent_rounds(state: Tournament, event: Ergebnis | Leerung) -> None:
    """Check that a correction keeps the results of later rounds valid, or takes these back.

    :raises Illegal: `back` names the wrong round, or a knock-out's winner would change
    """
    state = _without_dependent_rounds(state, event)
    round_, match = state.round(event.round), state.match(event.round, event.table)
    if match.result is None or not round_.is_knockout or event.round == len(state.rounds):
        return
    if replace(match, entered_results=_results_after(match, event)).winner != match.winner:
        raise Illegal("built-upon", round=event.round + 1)


def _results_after(match: Match, event: Ergebnis | Leerung) -> Mapping[str, Result]:
    """The newest result by origin once the event has happened."""
    if isinstance(event, Ergebnis):
        return {**match.entered_results, event.who: event}
    return {
        who: result for who, result in match.entered_results.items() if event.who not in ("", who)
    }


def _with_results(state: Tournament, event: Ergebnis | Leerung) -> Tournament:
    """The tournament with a match's new results, and without the dependent rounds if `back` is set.

    A result that both pairs confirmed stays confirmed when the director enters another.
    """
    before, match = state.rounds, state.match(event.round, event.table)
    changes = {
        "entered_results": _results_after(match, event),
        "confirmed": match.confirmed and event.who == "director",
    }
    state = _with_match(_without_dependent_rounds(state, event), event, match, **changes)
    if not event.back:
        return state
    overturned = Overturned(event.round, event.table, before, state.rounds, state.settings)
    return replace(state, overturned=overturned)


def rounds_built_on(state: Tournament, number: int) -> tuple[Round, ...]:
    """The rounds that were drawn from the results of a round, in order."""
    if state.round(number).is_knockout:
        return state.rounds[number:]
    return tuple(round_ for round_ in state.rounds if round_.is_final)


def _without_dependent_rounds(state: Tournament, event: Ergebnis | Leerung) -> Tournament:
    """The tournament without the rounds that a correction takes back.

    :raises Illegal: `back` is not the first round that depends on the result
    """
    if not event.back:
        return state
    dependent_rounds = rounds_built_on(state, event.round)
    if not dependent_rounds or dependent_rounds[0].number != event.back:
        raise Illegal("no-such-round", round=event.back)
    undone = (*state.undone_rounds, *reversed(dependent_rounds))
    return replace(state, undone_rounds=undone, rounds=state.rounds[: event.back - 1])


def _with_match(
    state: Tournament,
    event: Ergebnis | Bestaetigung | Sperre | Leerung | Widerruf,
    match: Match,
    **changed: Any,
) -> Tournament:
    """The tournament with a changed match, the event noted in the match's history."""
    index, newest = event.round - 1, state.seq - 1
    new_match = replace(match, history=(*match.history, newest), **changed)
    round_ = state.rounds[index]
    round_ = replace(round_, matches={**round_.matches, event.table: new_match})
    return replace(state, rounds=(*state.rounds[:index], round_, *state.rounds[index + 1 :]))


def check_result(tournament: Tournament, event: Ergebnis) -> None:
    """Check that the games of a result are possible.

    :raises Illegal: the game and the reason
    """
    round_ = tournament.round(event.round)
    require_released(round_)
    if event.walkover:
        if event.games or event.who != "director":
            raise Illegal("walkover-by-director")
        if event.walkover == "none" and round_.is_final:
            raise Illegal("level-in-knockout", table=event.table)
        return
    rules, scoring = tournament.settings.rules, tournament.settings.scoring
    unfinished = bool(scoring.unfinished)
    check_games(rules, round_.target, round_.games, event.games, event.anyway, unfinished)
    if tournament.settings.version >= Since.CHECKED_ENTRIES:
        check_retour(
            rules_of_round(tournament, event.round), event.games, event.retour, round_.target
        )
    elif max(event.retour, default=0) > len(event.games):
        raise Illegal("no-such-game", game=max(event.retour))
    if round_.is_knockout:
        trial = replace(
            tournament.match(event.round, event.table), entered_results={"director": event}
        )
        if not trial.is_decided:
            raise Illegal("level-in-knockout", table=event.table)


def rules_of_round(tournament: Tournament, number: int) -> RuleSet:
    final = tournament.round(number).is_final
    return finals_rules(tournament.settings.rules, tournament.settings.finals if final else None)


def _require_open_to_pairs(tournament: Tournament, number: int, match: Match) -> None:
    table = match.drawn_table.table
    if match.locked:
        raise Illegal("locked", table=table)
    if match.result is not None:
        raise Illegal("settled", table=table)
    is_too_late = tournament.finals_drawn and not tournament.round(number).is_final
    if is_too_late and tournament.settings.version >= Since.CHECKED_ENTRIES:
        raise Illegal("finals-drawn", table=table)
