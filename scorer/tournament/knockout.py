"""Knock-out rounds: lots that have not lost are drawn anew each round."""

from __future__ import annotations

import random

from scorer.engine import Illegal
from scorer.tournament.bye_allocation import knockout_byes
from scorer.tournament.match import Round
from scorer.tournament.min_cost_matching import PairingFinder, cheapest_pairing
from scorer.tournament.pairing_costs import (
    BYE_COST,
    CLUB_COST,
    KEPT_APART_COST,
    MAX_RANDOM_COST,
    REMATCH_COST,
    club_of,
    meetings,
)
from scorer.tournament.round_plan import RoundPlan
from scorer.tournament.state import Tournament


def knockout(
    tournament: Tournament, rng: random.Random, find_pairing: PairingFinder = cheapest_pairing
) -> RoundPlan:
    """The draw of the remaining lots; byes in the first round fill up to a power of two.

    :raises Illegal: fewer than two pairs remain
    """
    alive = remaining_lots(tournament)
    holders = tournament.holders
    pair_of_lot = {lot: holders[lot] for lot in alive}
    if len(set(pair_of_lot.values())) < 2:
        raise Illegal("too-few-pairs")
    rng.shuffle(alive)
    lots_with_bye = knockout_byes(alive, pair_of_lot)
    lots_to_play = [lot for lot in alive if lot not in lots_with_bye]
    met = meetings(tournament)

    def cost(a: int, b: int) -> int:
        first, second = pair_of_lot[lots_to_play[a]], pair_of_lot[lots_to_play[b]]
        is_same_club = club_of(tournament, first) == club_of(tournament, second)
        pairing = frozenset((first, second))
        apart_cost = KEPT_APART_COST * (pairing in tournament.kept_apart) + BYE_COST * (
            first == second
        )
        return (
            apart_cost
            + REMATCH_COST * met[pairing]
            + CLUB_COST * is_same_club
            + rng.randrange(MAX_RANDOM_COST)
        )

    pairings = [(lots_to_play[a], lots_to_play[b]) for a, b in find_pairing(lots_to_play, cost)]
    # Two lots of one pair do not play each other: one of them advances.
    own_lots = [
        pairing for pairing in pairings if pair_of_lot[pairing[0]] == pair_of_lot[pairing[1]]
    ]
    notes = ("own-lots",) if own_lots else ()
    pairings = [pairing for pairing in pairings if pairing not in own_lots]
    return RoundPlan(pairings, [*lots_with_bye, *(lot for lot, _ in own_lots)], "knockout", notes)


def remaining_lots(tournament: Tournament) -> list[int]:
    """The lots to draw next: those that have not lost, of pairs that still play.

    The lots of an open table are left out; its winner is drawn in the round after.
    """
    if not tournament.rounds:
        lots = list(tournament.lots)
    else:
        newest = tournament.rounds[-1]
        unbeaten = _lots_without_loss(tournament) if newest.waiting else set()
        late_lots = [lot for lot in newest.waiting if lot in unbeaten]
        lots = [*_winners(newest), *newest.byes, *late_lots]
    holders = tournament.holders
    return [lot for lot in lots if tournament.entrants[holders[lot]].plays]


def _lots_without_loss(tournament: Tournament) -> set[int]:
    has_won: dict[int, bool] = {}
    for round_ in tournament.rounds[:-1]:
        for match in round_.matches.values():
            for side, lot in enumerate(match.drawn_table.lots):
                has_won[lot] = match.winner == side
    return {lot for lot, is_winner in has_won.items() if is_winner}


def _winners(round_: Round) -> list[int]:
    return [m.drawn_table.lots[m.winner] for m in round_.matches.values() if m.is_decided]
