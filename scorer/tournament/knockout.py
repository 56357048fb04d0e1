"""Knock-out rounds: lots that have not lost are drawn anew each round."""

from __future__ import annotations

import random

from scorer.engine import Illegal
from scorer.tournament.bye_allocation import knockout_byes
from scorer.tournament.match import Round
from scorer.tournament.min_cost_matching import Matcher, cheapest
from scorer.tournament.pairing_costs import APART, BYE, CLUB, LOT, REMATCH, club_of, meetings
from scorer.tournament.round_plan import RoundPlan
from scorer.tournament.state import Tournament


def knockout(tournament: Tournament, chance: random.Random, match: Matcher = cheapest) -> RoundPlan:
    """The draw of the remaining lots; byes in the first round fill up to a power of two.

    :raises Illegal: fewer than two pairs remain
    """
    alive = lots_in(tournament)
    holders = tournament.holders
    owner = {lot: holders[lot] for lot in alive}
    if len(set(owner.values())) < 2:
        raise Illegal("too-few-pairs")
    chance.shuffle(alive)
    free = knockout_byes(alive, owner)
    rest = [lot for lot in alive if lot not in free]
    met = meetings(tournament)

    def cost(a: int, b: int) -> int:
        first, second = owner[rest[a]], owner[rest[b]]
        same = club_of(tournament, first) == club_of(tournament, second)
        pairing = frozenset((first, second))
        kept_apart = APART * (pairing in tournament.apart) + BYE * (first == second)
        return kept_apart + REMATCH * met[pairing] + CLUB * same + chance.randrange(LOT)

    pairings = [(rest[a], rest[b]) for a, b in match(rest, cost)]
    # Two lots of one pair do not play each other: one of them advances.
    own_lots = [pairing for pairing in pairings if owner[pairing[0]] == owner[pairing[1]]]
    notes = ("own-lots",) if own_lots else ()
    pairings = [pairing for pairing in pairings if pairing not in own_lots]
    return RoundPlan(pairings, [*free, *(lot for lot, _ in own_lots)], "knockout", notes)


def lots_in(tournament: Tournament) -> list[int]:
    """The lots to draw next: those that have not lost, of pairs that still play.

    The lots of an open table are left out; its winner is drawn in the round after.
    """
    if not tournament.rounds:
        lots = list(tournament.lots)
    else:
        newest = tournament.rounds[-1]
        through = _came_through(tournament) if newest.waiting else set()
        late = [lot for lot in newest.waiting if lot in through]
        lots = [*_winners(newest), *newest.byes, *late]
    holders = tournament.holders
    return [lot for lot in lots if tournament.entrants[holders[lot]].plays]


def _came_through(tournament: Tournament) -> set[int]:
    won: dict[int, bool] = {}
    for played in tournament.rounds[:-1]:
        for match in played.matches.values():
            for side, lot in enumerate(match.drawn.lots):
                won[lot] = match.winner == side
    return {lot for lot, came in won.items() if came}


def _winners(played: Round) -> list[int]:
    return [m.drawn.lots[m.winner] for m in played.matches.values() if m.winner >= 0]
