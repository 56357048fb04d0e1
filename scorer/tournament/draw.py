"""The draw: who meets whom, at which table, who has a bye, and what had to give.

It is seeded: the same tournament with the same seed draws the same. What weighs most gives last:
nobody has a second bye before all had one, nobody meets the same pair again, clubs stay apart;
among what is left the lot decides.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from scorer.engine import Illegal
from scorer.tournament.circles import next_leg
from scorer.tournament.events import Auslosung, Drawn
from scorer.tournament.knockout import first_final, knockout, lots_in, next_final
from scorer.tournament.matching import assign
from scorer.tournament.plan import LOT, Plan, Two, meetings
from scorer.tournament.redraw import redraw
from scorer.tournament.standings import pair_of
from scorer.tournament.tournament import Tournament


def draw(tournament: Tournament, anyway: bool = False) -> Auslosung:
    """The next round.

    :param anyway: draw although results are missing
    :raises Illegal: it cannot be drawn: results are missing, too few pairs, or all is played
    """
    tournament.may_draw(anyway)
    number = len(tournament.rounds) + 1
    chance = random.Random(f"{tournament.settings.seed}/{number}")
    plan = _planned(tournament, chance)
    # The order of a final's tables is its bracket.
    final = plan.stage == "final"
    tables = range(1, len(plan.twos) + 1) if final else _tables(tournament, plan.twos, chance)
    met = meetings(tournament)
    drawn = [
        Drawn(
            table,
            pairs_of(tournament, two),
            two,
            notes=_notes(tournament, two, plan.stage, at, met),
        )
        for at, (two, table) in enumerate(zip(plan.twos, tables, strict=True))
    ]
    drawn.sort(key=lambda one: one.table)
    return Auslosung(
        number,
        plan.stage,
        tuple(drawn),
        tuple(sorted(plan.byes)),
        plan.notes,
        anyway,
        plan.circles,
        plan.leg,
    )


def upcoming(tournament: Tournament) -> str | None:
    """The stage of the next round: `rounds`, `groups`, `knockout`, `final`; None where all is
    played."""
    settings, drawn = tournament.settings, tournament.rounds
    if drawn and drawn[-1].stage == "final":
        third = any("third" in match.drawn.notes for match in drawn[-1].matches.values())
        return None if third or len(drawn[-1].matches) == 1 else "final"
    if settings.format == "knockout":
        left = {pair_of(tournament, lot) for lot in lots_in(tournament)}
        return "knockout" if len(left) > 1 or not drawn else None
    if len(drawn) < settings.rounds:
        if settings.format == "redraw":
            return "rounds"
        if not drawn or next_leg(tournament) is not None:
            return "groups" if settings.format == "groups" else "rounds"
    return None if settings.finals is None else "final"


def _planned(tournament: Tournament, chance: random.Random) -> Plan:
    match upcoming(tournament):
        case None:
            raise Illegal("all-played")
        case "final" if tournament.rounds and tournament.rounds[-1].stage == "final":
            return next_final(tournament, tournament.rounds[-1])
        case "final":
            return first_final(tournament)
        case "knockout":
            return knockout(tournament, chance)
        case _ if tournament.settings.format == "redraw":
            return redraw(tournament, chance)
    plan = next_leg(tournament)
    if plan is None:
        raise Illegal("all-played")
    return plan


def _tables(tournament: Tournament, twos: Sequence[Two], chance: random.Random) -> list[int]:
    """A table for each match, so that pairs sit at each as evenly as can be."""
    sat: Counter[tuple[int, int]] = Counter()
    for one in tournament.rounds:
        for match in one.matches.values():
            sat.update((pair, match.drawn.table) for pair in match.drawn.pairs)
    rows = [
        [
            sum(sat[pair, table] ** 2 for pair in pairs_of(tournament, two)) * LOT
            + chance.randrange(LOT)
            for table in range(1, len(twos) + 1)
        ]
        for two in twos
    ]
    return [at + 1 for at in assign(rows)]


def _notes(
    tournament: Tournament, two: Two, stage: str, at: int, met: Counter[frozenset[int]]
) -> tuple[str, ...]:
    """What had to give at a table."""
    a, b = pairs_of(tournament, two)
    found = []
    if stage in ("rounds", "knockout"):
        clubs = [tournament.entrants[pair].pair.club.casefold() for pair in (a, b)]
        if met[frozenset((a, b))]:
            found.append("rematch")
        if clubs[0] and clubs[0] == clubs[1]:
            found.append("same-club")
    if stage == "final" and at == 1 and _is_last(tournament):
        found.append("third")
    return tuple(found)


def _is_last(tournament: Tournament) -> bool:
    """Whether the newest round was a semi-final."""
    last = tournament.rounds[-1] if tournament.rounds else None
    return last is not None and last.stage == "final" and len(last.matches) == 2


def pairs_of(tournament: Tournament, two: Two) -> Two:
    """The pairs that hold two lots."""
    return pair_of(tournament, two[0]), pair_of(tournament, two[1])
