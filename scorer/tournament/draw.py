"""The draw of a round: opponents, tables, byes and notes about broken preferences.

The same tournament with the same seed gives the same draw. If a round is taken back and the same
lots would play, drawing again gives the same draw. A lot is one entry of a pair in the draw; in a
knock-out a pair may buy several. Constraints by priority: pairs that the director keeps apart, no
second bye before every pair had one, no rematch, clubs apart. Chance decides among equals.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from operator import attrgetter

from scorer.engine import Illegal
from scorer.engine.aggregate import replace
from scorer.tournament.event_types.draws import (
    Auslosung,
    open_lots,
    require_draw_allowed,
    tables_after_swap,
)
from scorer.tournament.finals import first_final, next_final
from scorer.tournament.knockout import knockout, remaining_lots
from scorer.tournament.match import DrawnTable, Round
from scorer.tournament.min_cost_matching import PairingFinder, cheapest_pairing
from scorer.tournament.pairing_costs import club_of, meetings
from scorer.tournament.partners import partners
from scorer.tournament.redraw import needs_circle, redraw
from scorer.tournament.round_plan import Pairing, RoundPlan
from scorer.tournament.round_robin import circles_of, next_leg
from scorer.tournament.settings import CIRCLES
from scorer.tournament.state import Tournament
from scorer.tournament.table_assignment import assign_tables, pairs_of


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
    last = _reusable_round(tournament)
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


def _reusable_round(tournament: Tournament) -> Round | None:
    stage = next_stage(tournament)
    if stage in (None, "final"):
        return None
    number = len(tournament.rounds) + 1
    playing = {entrant.number for entrant in tournament.active_entrants}
    if stage == "knockout":
        playing = {*remaining_lots(tournament)}
    for undone_round in reversed(tournament.undone_rounds):
        has_results = any(
            match.entered_results or match.result for match in undone_round.matches.values()
        )
        table_pairs = {
            frozenset(match.drawn_table.pairs) for match in undone_round.matches.values()
        }
        has_changed = (
            has_results
            or undone_round.swapped_by_hand
            or not table_pairs.isdisjoint(tournament.kept_apart)
        )
        if (
            undone_round.number == number
            and undone_round.stage == stage
            and _has_expected_circles(undone_round, tournament)
            and undone_round.seed
            and not has_changed
            and _lots_of_round(undone_round) == playing
        ):
            return undone_round
    return None


def _has_expected_circles(undone_round: Round, tournament: Tournament) -> bool:
    """Whether a round has the circles that the tournament's settings ask for by now."""
    if tournament.rounds or undone_round.is_knockout:
        return True
    sizes = sorted(map(len, undone_round.circles))
    if tournament.settings.format in CIRCLES:
        return sizes == sorted(map(len, circles_of(tournament)))
    return bool(sizes) == needs_circle(tournament)


def _lots_of_round(drawn: Round) -> set[int]:
    """The lots of a round; its players if partners are drawn."""
    at_tables = {
        number
        for match in drawn.matches.values()
        for side in match.drawn_table.teams or (match.drawn_table.lots,)
        for number in side
    }
    return at_tables.union(drawn.byes)


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
    drawn = [
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
        tables=tuple(sorted(drawn, key=attrgetter("table"))),
        byes=tuple(sorted(plan.byes)),
        notes=plan.notes,
        anyway=despite_missing_results,
        circles=plan.circles,
        leg=plan.leg,
        seed=seed,
    )


def round_seed(tournament: Tournament) -> str:
    """Seed of the next round. It stays secret until the draw."""
    last = _reusable_round(tournament)
    return fresh_seed(tournament) if last is None else last.seed


def fresh_seed(tournament: Tournament) -> str:
    """Seed of a round that was not drawn before, derived from the tournament's seed, the round's
    number and how often that round was taken back.
    """
    number = len(tournament.rounds) + 1
    undone_count = sum(undone.number == number for undone in tournament.undone_rounds)
    text = f"{tournament.settings.seed}/{number}/{undone_count}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def hides_seed(tournament: Tournament) -> bool:
    """Whether the tournament's seed would reveal a draw that is still to come or not released."""
    return next_stage(tournament) is not None or tournament.without_draft is not tournament


def seed_digest(seed: str) -> str:
    """Commitment to a seed, published before the draw: 80 bits of SHA-256 in groups of four digits.

    >>> seed_digest("x")
    '2d71 1642 b726 b044 0162'
    """
    digits = hashlib.sha256(seed.encode()).hexdigest()
    return " ".join(digits[start : start + 4] for start in range(0, 20, 4))


def next_stage(tournament: Tournament) -> str | None:
    """Stage of the next round: `rounds`, `groups`, `knockout` or `final`; None after the last."""
    settings, drawn = tournament.settings, tournament.rounds
    if drawn and drawn[-1].is_final:
        has_third_place_game = any(match.is_third_place for match in drawn[-1].matches.values())
        return None if has_third_place_game or len(drawn[-1].matches) == 1 else "final"
    if settings.format == "knockout":
        if drawn and (len(drawn[-1].matches), drawn[-1].byes, drawn[-1].waiting) == (1, (), ()):
            # This is the final, even if its result is missing.
            return None
        lots = {*remaining_lots(tournament), *open_lots(tournament)}
        holders = tournament.holders
        remaining_pairs = {holders[lot] for lot in lots}
        return "knockout" if len(remaining_pairs) > 1 or not drawn else None
    if len(drawn) < settings.rounds:
        if settings.format in ("redraw", "partners"):
            return "rounds"
        if not drawn or next_leg(tournament) is not None:
            return "groups" if settings.format == "groups" else "rounds"
    return None if settings.finals is None else "final"


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
