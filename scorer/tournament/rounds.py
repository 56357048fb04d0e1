"""Rounds: what draws, swaps and their taking back do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from scorer.engine import Illegal
from scorer.tournament.events import Auslosung, Drawn, Ruecknahme, Tausch
from scorer.tournament.match import Match, Round
from scorer.tournament.seats import one_more

if TYPE_CHECKING:
    from scorer.tournament.tournament import Tournament


def may_draw(tournament: Tournament, anyway: bool = False) -> None:
    """Let the next round be drawn, if it may.

    :raises Illegal: results are missing, and nobody decided to go on without
    """
    if tournament.rounds and not anyway and (missing := tournament.rounds[-1].missing):
        tables = ", ".join(str(match.drawn.table) for match in missing[:20])
        raise Illegal("results-missing", count=len(missing), tables=tables)


def auslosung(tournament: Tournament, event: Auslosung) -> None:
    if event.round != len(tournament.rounds) + 1:
        raise Illegal("drawn-already", round=event.round)
    may_draw(tournament, event.anyway)
    _all_there(tournament, event)
    settings, finals = tournament.settings, tournament.settings.finals
    final = finals if event.stage == "final" else None
    drawn_round = Round(
        event.round,
        event.stage,
        {drawn.table: Match(drawn) for drawn in event.tables},
        event.byes,
        event.notes,
        event.circles,
        event.leg,
        event.seed,
        games=settings.games_in(event.round) if final is None else final.games,
        target=(final and final.target) or settings.rules.target,
        waiting=_waiting(tournament),
    )
    tournament.rounds = (*tournament.rounds, drawn_round)


def _all_there(tournament: Tournament, event: Auslosung) -> None:
    """Let a draw pass of pairs and lots that there are, each lot at one table at most."""
    for drawn in event.tables:
        for pair in (*drawn.pairs, *(number for team in drawn.teams for number in team)):
            tournament.entrant(pair)
    lots, seen = tournament.lots, set[int]()
    for lot in (lot for drawn in event.tables for lot in drawn.lots):
        if lot in seen:
            raise Illegal("drawn-twice", pair=lot)
        seen.add(lot)
    for lot in (*seen, *event.byes):
        if lot not in lots:
            raise Illegal("no-such-pair", pair=lot)


def _waiting(tournament: Tournament) -> tuple[int, ...]:
    """The lots at tables that are open now, of the newest round and of those before."""
    if not tournament.rounds:
        return ()
    newest = tournament.rounds[-1]
    return (
        *(lot for lot in newest.waiting if lot in open_lots(tournament)),
        *(lot for match in newest.missing for lot in match.drawn.lots),
    )


def open_lots(tournament: Tournament) -> set[int]:
    """The lots at any table that is open."""
    return {lot for _, match in tournament.missing for lot in match.drawn.lots}


def ruecknahme(tournament: Tournament, event: Ruecknahme) -> None:
    if not tournament.rounds or event.round != len(tournament.rounds):
        raise Illegal("not-the-newest", round=event.round)
    if any(match.said for match in tournament.rounds[-1].matches.values()):
        raise Illegal("results-in", round=event.round)
    tournament.undone = (*tournament.undone, tournament.rounds[-1])
    tournament.rounds = tournament.rounds[:-1]


def tausch(tournament: Tournament, event: Tausch) -> None:
    drawn = tournament.round(event.round)
    if (event.lots is None) == (event.tables is None) or event.round != len(tournament.rounds):
        raise Illegal("not-the-newest", round=event.round)
    if event.tables is not None:
        matches = _tables_swapped(drawn, event.tables)
    else:
        assert event.lots is not None
        matches = _lots_swapped(tournament, drawn, event.lots, event.opened)
        if event.opened:
            old = (drawn.matches[table].drawn.stream for table in swapped(drawn, event.lots))
            tournament.replaced = (*tournament.replaced, *old)
        drawn = replace(drawn, byes=_byes(drawn, event.lots))
    tournament.rounds = (*tournament.rounds[:-1], replace(drawn, matches=matches))


def _byes(drawn: Round, lots: tuple[int, int]) -> tuple[int, ...]:
    """The byes of a round once two lots have changed places, or got a table more."""
    if swapped(drawn, lots):
        return tuple(_other(lots, lot) for lot in drawn.byes)
    return tuple(lot for lot in drawn.byes if lot not in lots)


def _untouched(match: Match) -> Match:
    if match.said or match.locked:
        raise Illegal("played-already", table=match.drawn.table)
    return match


def _tables_swapped(drawn: Round, tables: tuple[int, int]) -> Mapping[int, Match]:
    """The matches with two of them at each other's table."""
    for table in tables:
        if table not in drawn.matches:
            raise Illegal("no-such-table", round=drawn.number, table=table)
    here, there = (_untouched(drawn.matches[table]) for table in tables)
    moved = {
        to.drawn.table: replace(
            match,
            drawn=replace(
                match.drawn, table=to.drawn.table, seat=to.drawn.seat, wave=to.drawn.wave
            ),
        )
        for match, to in ((here, there), (there, here))
    }
    return {table: moved.get(table, match) for table, match in drawn.matches.items()}


def swapped(drawn: Round, lots: tuple[int, int]) -> list[int]:
    """The tables that a swap of two lots changes, in order."""
    return sorted(
        table for table, match in drawn.matches.items() if set(match.drawn.lots) & set(lots)
    )


def _lots_swapped(
    tournament: Tournament, drawn: Round, lots: tuple[int, int], opened: tuple[str, ...]
) -> Mapping[int, Match]:
    """The matches with two lots in each other's place; `opened` are their tables' evenings."""
    if table_more(tournament, drawn, lots):
        [new] = retabled(tournament, drawn, lots)
        return {**drawn.matches, new.table: Match(replace(new, stream="".join(opened[:1])))}
    _both_there(drawn, lots)
    touched = swapped(drawn, lots)
    if any(match.drawn.teams for match in drawn.matches.values()):
        raise Illegal("nothing-to-swap")
    matches = dict(drawn.matches)
    for at, table in enumerate(touched):
        match = _untouched(matches[table])
        stream = opened[at] if at < len(opened) else match.drawn.stream
        matches[table] = replace(match, drawn=with_lots(tournament, match.drawn, lots, stream))
    return matches


def _both_there(drawn: Round, lots: tuple[int, int]) -> None:
    """Let two lots pass that can change places.

    :raises Illegal: they are not in the round, or have no places to change
    """
    playing = {lot for match in drawn.matches.values() for lot in match.drawn.lots}
    if lots[0] == lots[1]:
        raise Illegal("swapped-with-itself", pair=lots[0])
    for lot in lots:
        if lot not in playing | set(drawn.byes):
            raise Illegal("not-in-this-round", pair=lot)
    if playing.isdisjoint(lots):
        raise Illegal("both-have-a-bye")


def table_more(tournament: Tournament, drawn: Round, lots: tuple[int, int]) -> bool:
    """Whether two lots, neither at a table of the round, can get one more."""
    if tournament.settings.format != "redraw" or drawn.stage != "rounds" or lots[0] == lots[1]:
        return False
    there = all(lot in tournament.entrants and tournament.entrants[lot].plays for lot in lots)
    return there and not swapped(drawn, lots)


def retabled(tournament: Tournament, drawn: Round, lots: tuple[int, int]) -> list[Drawn]:
    """The tables as they are after a swap of two lots, in order."""
    if not table_more(tournament, drawn, lots):
        _both_there(drawn, lots)
        tables = (drawn.matches[table].drawn for table in swapped(drawn, lots))
        return [with_lots(tournament, table, lots, "") for table in tables]
    place = one_more(tournament, drawn)
    seat = 0 if place.seat == place.table else place.seat
    return [Drawn(place.table, lots, lots, seat=seat, wave=place.wave)]


def with_lots(tournament: Tournament, drawn: Drawn, lots: tuple[int, int], stream: str) -> Drawn:
    """A table after two lots have changed places."""
    first, second = (_other(lots, lot) for lot in drawn.lots)
    pairs = (tournament.pair_of(first), tournament.pair_of(second))
    if pairs[0] == pairs[1]:
        raise Illegal("nothing-to-swap")
    return replace(drawn, lots=(first, second), pairs=pairs, stream=stream, notes=())


def _other(lots: tuple[int, int], lot: int) -> int:
    return lots[1 - lots.index(lot)] if lot in lots else lot
