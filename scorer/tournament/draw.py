"""The draw of a round: opponents, tables, byes and notes about broken preferences.

The same tournament with the same seed gives the same draw. If a round is taken back and the same
lots would play, drawing again gives the same draw. A lot is one entry of a pair in the draw; in a
knock-out a pair may buy several. Constraints by priority: pairs that the director keeps apart, no
second bye before every pair had one, no rematch, clubs apart. Chance decides among equals.
"""

from __future__ import annotations

import random
from collections import Counter
from operator import attrgetter

from scorer.engine import Illegal
from scorer.engine.aggregate import replace
from scorer.tournament.event_types.draws import (
    Auslosung,
    require_draw_allowed,
    tables_after_swap,
)
from scorer.tournament.finals import first_final, next_final
from scorer.tournament.knockout import knockout
from scorer.tournament.match import DrawnTable
from scorer.tournament.min_cost_matching import PairingFinder, cheapest_pairing
from scorer.tournament.pairing_costs import club_of, meetings
from scorer.tournament.partners import partners
from scorer.tournament.redraw import redraw
from scorer.tournament.round_plan import Pairing, RoundPlan
from scorer.tournament.round_robin import next_leg
from scorer.tournament.seeds import fresh_seed
from scorer.tournament.stages import next_stage
from scorer.tournament.state import Tournament
from scorer.tournament.table_assignment import assign_tables, pairs_of
from scorer.tournament.taken_back_rounds import reusable_round


def draw(
    tournament: Tournament,
    despite_missing_results: bool = False,
    find_pairing: PairingFinder = cheapest_pairing,
) -> Auslosung:
    """The next round as an event, not yet recorded.

    :param despite_missing_results: draw although results are missing
    :param find_pairing: chooses the opponents, those of the least cost by default
    :raises Illegal: results are missing, too few pairs, or all rounds are played
    """
    require_draw_allowed(tournament, despite_missing_results)
    return taken_back_draw(tournament, despite_missing_results) or fresh_draw(
        tournament, despite_missing_results, find_pairing
    )


def taken_back_draw(
    tournament: Tournament, despite_missing_results: bool = False
) -> Auslosung | None:
    """The draw of the next round that was taken back, with its tables, if the same lots would play
    again; else None.
    """
    last = reusable_round(tournament)
    if last is None:
        return None
    return Auslosung(
        round=last.number,
        stage=last.stage,
        tables=tuple(match.drawn_table for match in last.matches.values()),
        byes=last.byes,
        notes=last.notes,
        anyway=despite_missing_results,
        circles=last.circles,
        leg=last.leg,
        seed=last.seed,
    )


def fresh_draw(
    tournament: Tournament,
    despite_missing_results: bool = False,
    find_pairing: PairingFinder = cheapest_pairing,
) -> Auslosung:
    """The next round, drawn anew: a draw that was taken back does not count."""
    number, seed = len(tournament.rounds) + 1, fresh_seed(tournament)
    rng = random.Random(seed)
    plan = _plan(tournament, rng, find_pairing)
    meeting_counts = meetings(tournament)
    slots = assign_tables(tournament, plan, rng)
    has_third_place_game = plan.stage == "final" and _after_semi_finals(tournament)
    drawn_tables = [
        DrawnTable(
            slot.table,
            pairs_of(tournament, pairing),
            pairing,
            notes=(
                ("third",)
                if index == 1 and has_third_place_game
                else _notes(tournament, pairing, plan.stage, meeting_counts)
            ),
            teams=plan.teams[index] if plan.teams else (),
            own_hall_table=0 if slot.hall_table == slot.table else slot.hall_table,
            wave=slot.wave,
        )
        for index, (pairing, slot) in enumerate(zip(plan.pairings, slots, strict=True))
    ]
    return Auslosung(
        round=number,
        stage=plan.stage,
        tables=tuple(sorted(drawn_tables, key=attrgetter("table"))),
        byes=tuple(sorted(plan.byes)),
        notes=plan.notes,
        anyway=despite_missing_results,
        circles=plan.circles,
        leg=plan.leg,
        seed=seed,
    )


def _plan(tournament: Tournament, rng: random.Random, find_pairing: PairingFinder) -> RoundPlan:
    match next_stage(tournament):
        case None:
            raise Illegal("all-played")
        case "final" if tournament.rounds and tournament.rounds[-1].is_final:
            return next_final(tournament, tournament.rounds[-1])
        case "final":
            return first_final(tournament)
        case "knockout":
            return knockout(tournament, rng, find_pairing)
        case _ if tournament.settings.format == "redraw":
            return redraw(tournament, rng, find_pairing)
        case _ if tournament.settings.format == "partners":
            return partners(tournament, rng, find_pairing)
    plan = next_leg(tournament)
    if plan is None:
        raise Illegal("all-played")
    return plan


def _notes(
    tournament: Tournament,
    pairing: Pairing,
    stage: str,
    meeting_counts: Counter[frozenset[int]],
) -> tuple[str, ...]:
    """Notes of a match about what the draw could not avoid: `rematch`, `same-club` or `apart`."""
    if stage not in ("rounds", "knockout"):
        return ()
    a, b = pairs_of(tournament, pairing)
    is_noted = {
        "rematch": meeting_counts[frozenset((a, b))] > 0,
        "same-club": club_of(tournament, a) == club_of(tournament, b),
        "apart": frozenset((a, b)) in tournament.kept_apart,
    }
    return tuple(note for note, applies in is_noted.items() if applies)


def notes_after_swap(
    tournament: Tournament, lots: tuple[int, int]
) -> list[tuple[tuple[int, int], tuple[str, ...]]]:
    """The pairs of each table that a swap in the newest round changes, and the notes that it would
    have in a draw.

    :raises Illegal: the lots cannot be swapped
    """
    newest = tournament.rounds[-1]
    before = replace(tournament, rounds=tournament.rounds[:-1])
    meeting_counts = meetings(before)
    return [
        (table.pairs, _notes(before, table.lots, newest.stage, meeting_counts))
        for table in tables_after_swap(tournament, newest, lots)
    ]


def _after_semi_finals(tournament: Tournament) -> bool:
    last = tournament.rounds[-1] if tournament.rounds else None
    return last is not None and last.is_final and len(last.matches) == 2
