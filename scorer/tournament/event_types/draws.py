"""Events about rounds: drawing one, taking it back, and swapping lots or tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from scorer.engine import Illegal
from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import code, integer, listed, text
from scorer.tournament.event_types.event import GLANCE, Event
from scorer.tournament.match import (
    DrawnTable,
    DrawnTables,
    Match,
    PairNumber,
    Round,
    RoundNumber,
    TwoNumbers,
)
from scorer.tournament.settings import Settings, Since
from scorer.tournament.state import Tournament
from scorer.tournament.table_assignment import extra_table


@dataclass(frozen=True, slots=True)
class Auslosung(Event):
    """A round is drawn; the draw is part of the event, so that replay never draws again."""

    do = "auslosung"
    round: RoundNumber
    stage: Annotated[str, code(20)]
    tables: DrawnTables
    byes: tuple[PairNumber, ...] = ()
    notes: Annotated[tuple[str, ...], listed(text(200))] = ()
    """`second-bye` if a pair has a bye although it had one before."""
    anyway: bool = False
    circles: Annotated[tuple[tuple[int, ...], ...], listed(listed(integer(0, 9999)))] = ()
    """In a round robin: the seats of each circle, 0 for an empty seat."""
    leg: Annotated[int, integer(0, 9999)] = 0
    """Number of this round within the round robin, from 1."""
    seed: Annotated[str, code(80)] = ""
    """The round's seed, see `seeds.round_seed`."""
    draft: bool = False
    """Whether only the director sees the round until it is released."""

    def replay_cost(self, state: Tournament) -> int:
        return 1 + len(self.tables) + (state.tables_drawn + len(state.undone_rounds)) // GLANCE

    def check(self, state: Tournament) -> None:
        if self.round != len(state.rounds) + 1:
            raise Illegal("drawn-already", round=self.round)
        require_draw_allowed(state, self.anyway)
        _check_lots(state, self)

    def effect(self, state: Tournament) -> Tournament:
        settings = state.settings
        final = settings.finals if self.stage == "final" else None
        target = (final and final.target) or settings.rules.target
        new_round = Round(
            self.round,
            self.stage,
            {table.table: _new_match(settings, table, target) for table in self.tables},
            self.byes,
            self.notes,
            self.circles,
            self.leg,
            self.seed,
            games=settings.games_in(self.round) if final is None else final.games,
            target=target,
            waiting=_waiting_lots(state),
            draft=self.draft,
        )
        undone = tuple(
            last
            for last in state.undone_rounds
            if not last.seed or (last.number, last.seed) != (self.round, self.seed)
        )
        return replace(state, rounds=(*state.rounds, new_round), undone_rounds=undone)


@dataclass(frozen=True, slots=True)
class Freigabe(Event):
    """The director releases a draft: everybody sees the round, and results can be entered."""

    do = "freigabe"
    round: RoundNumber

    def check(self, state: Tournament) -> None:
        if self.round != len(state.rounds) or not state.rounds[-1].draft:
            raise Illegal("no-draft", round=self.round)

    def effect(self, state: Tournament) -> Tournament:
        *rounds, newest = state.rounds
        return replace(state, rounds=(*rounds, replace(newest, draft=False)))


@dataclass(frozen=True, slots=True)
class Ruecknahme(Event):
    """The newest draw is taken back, and its clock removed."""

    do = "ruecknahme"
    round: RoundNumber
    asks: bool = False
    """Whether presence is asked again before the next draw, and nobody is absent until then."""

    def replay_cost(self, state: Tournament) -> int:
        return 1 + self.asks * len(state.entrants) // GLANCE

    def check(self, state: Tournament) -> None:
        if not state.rounds or self.round != len(state.rounds):
            raise Illegal("not-the-newest", round=self.round)
        if any(match.entered_results for match in state.rounds[-1].matches.values()):
            raise Illegal("results-in", round=self.round)

    def effect(self, state: Tournament) -> Tournament:
        *rounds, newest = state.rounds
        undone = (*state.undone_rounds, newest)
        state = replace(state, rounds=tuple(rounds), undone_rounds=undone)
        if state.clock_round == self.round:
            state = replace(state, clock_until=0)
        if not self.asks:
            return state
        there = {n: replace(entrant, absent=False) for n, entrant in state.entrants.items()}
        return replace(state, attendance_recorded=False, entrants=there)


@dataclass(frozen=True, slots=True)
class Tausch(Event):
    """Two lots of a round change places, or two matches their tables, before they play.

    If neither lot has a table, because it has a bye or entered after the draw, a new table opens
    for both.
    """

    do = "tausch"
    round: RoundNumber
    lots: TwoNumbers | None = None
    tables: TwoNumbers | None = None
    opened: Annotated[tuple[str, ...], listed(code(40), 2)] = ()
    """Streams of the swapped lots' new tables, in the order of the tables."""

    def replay_cost(self, state: Tournament) -> int:
        return 1 + (len(state.rounds[-1].matches) // GLANCE if state.rounds else 0)

    def check(self, state: Tournament) -> None:
        state.round(self.round)
        if (self.lots is None) == (self.tables is None) or self.round != len(state.rounds):
            raise Illegal("not-the-newest", round=self.round)
        self._matches(state)

    def effect(self, state: Tournament) -> Tournament:
        newest_round = state.rounds[-1]
        replaced, byes = state.replaced_streams, newest_round.byes
        if self.lots is not None:
            byes = _byes_after_swap(newest_round, self.lots)
            if self.opened:
                old = (
                    newest_round.matches[table].drawn_table.stream
                    for table in tables_of_lots(newest_round, self.lots)
                )
                replaced = (*replaced, *old)
        newest = replace(
            newest_round,
            matches=self._matches(state),
            byes=byes,
            circles=self._circles(state),
            swapped_by_hand=True,
        )
        return replace(state, rounds=(*state.rounds[:-1], newest), replaced_streams=replaced)

    def _circles(self, state: Tournament) -> tuple[tuple[int, ...], ...]:
        """The seats of a round robin's circles after the swap, which later rounds follow."""
        circles, lots = state.rounds[-1].circles, self.lots
        stays = state.settings.version < Since.SWAPS_IN_LATER_ROUNDS
        if lots is None or self.round > 1 or stays:
            return circles
        return tuple(tuple(_other(lots, pair) for pair in circle) for circle in circles)

    def _matches(self, state: Tournament) -> Mapping[int, Match]:
        """The matches of the newest round after the swap, by table.

        :raises Illegal: the swap is not allowed
        """
        if self.tables is not None:
            return _matches_with_tables_swapped(state.rounds[-1], self.tables)
        assert self.lots is not None
        return _matches_with_lots_swapped(state, state.rounds[-1], self.lots, self.opened)


def _new_match(settings: Settings, drawn: DrawnTable, target: int) -> Match:
    return Match(drawn, target=target, unfinished=settings.scoring.unfinished)


def require_released(round_: Round) -> None:
    """:raises Illegal: the round is not released yet"""
    if round_.draft:
        raise Illegal("draft-open", round=round_.number)


def require_draw_allowed(tournament: Tournament, despite_missing_results: bool = False) -> None:
    """Check that the next round may be drawn.

    :param despite_missing_results: also if results of the newest round are missing
    :raises Illegal: the newest round is a draft, or results are missing
    """
    if not tournament.rounds:
        return
    newest = tournament.rounds[-1]
    require_released(newest)
    if not despite_missing_results and (missing := newest.unfinished):
        tables = ", ".join(str(match.drawn_table.table) for match in missing[:20])
        raise Illegal("results-missing", count=len(missing), tables=tables)


def _check_lots(tournament: Tournament, event: Auslosung) -> None:
    """Check that all pairs and lots of a draw exist, and that each lot is at one table at most."""
    for drawn in event.tables:
        for pair in (*drawn.pairs, *(number for team in drawn.teams for number in team)):
            tournament.entrant(pair)
    lots, drawn_lots = tournament.lots, set[int]()
    for lot in (lot for drawn in event.tables for lot in drawn.lots):
        if lot in drawn_lots:
            raise Illegal("drawn-twice", pair=lot)
        drawn_lots.add(lot)
    for lot in (*drawn_lots, *event.byes):
        if lot not in lots:
            raise Illegal("no-such-pair", pair=lot)


def _waiting_lots(tournament: Tournament) -> tuple[int, ...]:
    if not tournament.rounds:
        return ()
    newest, lots_still_open = tournament.rounds[-1], open_lots(tournament)
    before = (lot for lot in newest.waiting if lot in lots_still_open)
    return tuple(
        dict.fromkeys(
            (*before, *(lot for match in newest.unfinished for lot in match.drawn_table.lots))
        )
    )


def open_lots(tournament: Tournament) -> set[int]:
    return {lot for _, match in tournament.unfinished for lot in match.drawn_table.lots}


def _byes_after_swap(drawn: Round, lots: tuple[int, int]) -> tuple[int, ...]:
    if tables_of_lots(drawn, lots):
        return tuple(_other(lots, lot) for lot in drawn.byes)
    return tuple(lot for lot in drawn.byes if lot not in lots)


def _require_unplayed(match: Match) -> Match:
    if match.entered_results or match.locked:
        raise Illegal("played-already", table=match.drawn_table.table)
    return match


def _matches_with_tables_swapped(drawn: Round, tables: tuple[int, int]) -> Mapping[int, Match]:
    for table in tables:
        if table not in drawn.matches:
            raise Illegal("no-such-table", round=drawn.number, table=table)
    here, there = (_require_unplayed(drawn.matches[table]) for table in tables)
    moved_matches = {
        to.drawn_table.table: replace(
            match,
            drawn_table=replace(
                match.drawn_table,
                table=to.drawn_table.table,
                own_hall_table=to.drawn_table.own_hall_table,
                wave=to.drawn_table.wave,
            ),
        )
        for match, to in ((here, there), (there, here))
    }
    return {table: moved_matches.get(table, match) for table, match in drawn.matches.items()}


def tables_of_lots(drawn: Round, lots: tuple[int, int]) -> list[int]:
    """The tables that a swap of two lots changes, in order."""
    return sorted(
        table for table, match in drawn.matches.items() if set(match.drawn_table.lots) & set(lots)
    )


def _matches_with_lots_swapped(
    tournament: Tournament, drawn: Round, lots: tuple[int, int], opened: tuple[str, ...]
) -> Mapping[int, Match]:
    """The matches by table, with two lots exchanged.

    :param opened: streams of the changed tables
    """
    if gets_extra_table(tournament, drawn, lots):
        [new] = tables_after_swap(tournament, drawn, lots)
        new = replace(new, stream="".join(opened[:1]))
        return {**drawn.matches, new.table: _new_match(tournament.settings, new, drawn.target)}
    _check_swap(drawn, lots)
    changed_tables = tables_of_lots(drawn, lots)
    if any(match.drawn_table.teams for match in drawn.matches.values()):
        raise Illegal("nothing-to-swap")
    matches = dict(drawn.matches)
    for index, table in enumerate(changed_tables):
        match = _require_unplayed(matches[table])
        stream = opened[index] if index < len(opened) else match.drawn_table.stream
        matches[table] = replace(
            match, drawn_table=table_after_swap(tournament, match.drawn_table, lots, stream)
        )
    return matches


def _check_swap(drawn: Round, lots: tuple[int, int]) -> None:
    """Check that two lots can be swapped.

    :raises Illegal: a lot is not in the round, both are the same, or both have a bye
    """
    playing = {lot for match in drawn.matches.values() for lot in match.drawn_table.lots}
    if lots[0] == lots[1]:
        raise Illegal("swapped-with-itself", pair=lots[0])
    for lot in lots:
        if lot not in playing | set(drawn.byes):
            raise Illegal("not-in-this-round", pair=lot)
    if playing.isdisjoint(lots):
        raise Illegal("both-have-a-bye")


def gets_extra_table(tournament: Tournament, drawn: Round, lots: tuple[int, int]) -> bool:
    """Whether two lots that are at no table of the round can get an extra table."""
    if tournament.settings.format != "redraw" or drawn.stage != "rounds" or lots[0] == lots[1]:
        return False
    there = all(lot in tournament.entrants and tournament.entrants[lot].plays for lot in lots)
    return there and not tables_of_lots(drawn, lots)


def tables_after_swap(
    tournament: Tournament, drawn: Round, lots: tuple[int, int]
) -> list[DrawnTable]:
    """The changed or added tables after a swap of two lots, in order."""
    if not gets_extra_table(tournament, drawn, lots):
        _check_swap(drawn, lots)
        tables = (drawn.matches[table].drawn_table for table in tables_of_lots(drawn, lots))
        return [table_after_swap(tournament, table, lots, "") for table in tables]
    place = extra_table(tournament, drawn)
    own_hall_table = 0 if place.hall_table == place.table else place.hall_table
    return [DrawnTable(place.table, lots, lots, own_hall_table=own_hall_table, wave=place.wave)]


def table_after_swap(
    tournament: Tournament, drawn: DrawnTable, lots: tuple[int, int], stream: str
) -> DrawnTable:
    """A table after a swap of two lots.

    :raises Illegal: both lots at the table would belong to one pair
    """
    first, second = (_other(lots, lot) for lot in drawn.lots)
    pairs = (tournament.pair_of(first), tournament.pair_of(second))
    if pairs[0] == pairs[1]:
        raise Illegal("nothing-to-swap")
    return replace(drawn, lots=(first, second), pairs=pairs, stream=stream, notes=())


def _other(lots: tuple[int, int], lot: int) -> int:
    return lots[1 - lots.index(lot)] if lot in lots else lot
