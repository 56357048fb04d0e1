"""Tournaments of single players: partners and opponents are drawn anew each round.

Repeated partners are avoided first, then repeated opponents.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from scorer.engine import Illegal
from scorer.tournament.bye_allocation import bye_notes, byes_before, free_rounds_before
from scorer.tournament.min_cost_matching import PairingFinder, cheapest_pairing
from scorer.tournament.pairing_costs import MAX_RANDOM_COST, REMATCH_COST
from scorer.tournament.round_plan import RoundPlan
from scorer.tournament.state import Tournament


def partners(
    tournament: Tournament, rng: random.Random, find_pairing: PairingFinder = cheapest_pairing
) -> RoundPlan:
    """The next round of players: four per table, the rest have a bye.

    :raises Illegal: fewer than four players
    """
    players = [entrant.number for entrant in tournament.active_entrants]
    if len(players) < 4:
        raise Illegal("too-few-players")
    rng.shuffle(players)
    free_rounds = free_rounds_before(tournament)
    players.sort(key=lambda player: free_rounds[player], reverse=True)
    seat_count = len(players) - len(players) % 4
    byes_this_round, playing = players[seat_count:], players[:seat_count]
    rng.shuffle(playing)
    partner_counts, opponent_counts = _earlier_meetings(tournament)

    def partner_cost(a: int, b: int) -> int:
        return REMATCH_COST * partner_counts[
            frozenset((playing[a], playing[b]))
        ] ** 2 + rng.randrange(MAX_RANDOM_COST)

    teams = [(playing[a], playing[b]) for a, b in find_pairing(playing, partner_cost)]

    def opponent_cost(a: int, b: int) -> int:
        meeting_count = sum(
            opponent_counts[frozenset((mine, theirs))] for mine in teams[a] for theirs in teams[b]
        )
        return REMATCH_COST * meeting_count**2 + rng.randrange(MAX_RANDOM_COST)

    tables = [
        (teams[a], teams[b])
        for a, b in find_pairing([frozenset(team) for team in teams], opponent_cost)
    ]
    tables = [table if rng.random() < 0.5 else table[::-1] for table in tables]
    first_players = [(first[0], second[0]) for first, second in tables]
    notes = bye_notes(byes_this_round, byes_before(tournament))
    return RoundPlan(first_players, byes_this_round, "rounds", notes, teams=tables)


def _earlier_meetings(
    tournament: Tournament,
) -> tuple[Counter[frozenset[int]], Counter[frozenset[int]]]:
    partner_counts: Counter[frozenset[int]] = Counter()
    opponent_counts: Counter[frozenset[int]] = Counter()
    for round_ in tournament.rounds:
        for match in round_.matches.values():
            for side in match.sides:
                partner_counts.update(frozenset(pair) for pair in combinations(side, 2))
            first, second = match.sides
            opponent_counts.update(frozenset((mine, theirs)) for mine in first for theirs in second)
    return partner_counts, opponent_counts
