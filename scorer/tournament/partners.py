"""Tournaments of single players: partners and opponents are drawn anew each round.

Repeated partners are avoided first, then repeated opponents.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from scorer.engine import Illegal
from scorer.tournament.bye_allocation import bye_notes, byes_before
from scorer.tournament.min_cost_matching import Matcher, cheapest
from scorer.tournament.pairing_costs import LOT, REMATCH
from scorer.tournament.round_plan import RoundPlan
from scorer.tournament.state import Tournament


def partners(tournament: Tournament, chance: random.Random, match: Matcher = cheapest) -> RoundPlan:
    """The next round of players: four per table, the rest have a bye.

    :raises Illegal: fewer than four players
    """
    players = [entrant.number for entrant in tournament.active]
    if len(players) < 4:
        raise Illegal("too-few-players")
    chance.shuffle(players)
    byes = byes_before(tournament)
    players.sort(key=lambda player: byes[player], reverse=True)
    seated = len(players) - len(players) % 4
    byes_now, playing = players[seated:], players[:seated]
    chance.shuffle(playing)
    together, against = _met(tournament)

    def as_partners(a: int, b: int) -> int:
        return REMATCH * together[frozenset((playing[a], playing[b]))] ** 2 + chance.randrange(LOT)

    teams = [(playing[a], playing[b]) for a, b in match(playing, as_partners)]

    def as_opponents(a: int, b: int) -> int:
        met = sum(against[frozenset((mine, theirs))] for mine in teams[a] for theirs in teams[b])
        return REMATCH * met**2 + chance.randrange(LOT)

    tables = [
        (teams[a], teams[b]) for a, b in match([frozenset(team) for team in teams], as_opponents)
    ]
    tables = [table if chance.random() < 0.5 else table[::-1] for table in tables]
    first_players = [(first[0], second[0]) for first, second in tables]
    notes = bye_notes(byes_now, byes)
    return RoundPlan(first_players, byes_now, "rounds", notes, teams=tables)


def _met(tournament: Tournament) -> tuple[Counter[frozenset[int]], Counter[frozenset[int]]]:
    together: Counter[frozenset[int]] = Counter()
    against: Counter[frozenset[int]] = Counter()
    for played in tournament.rounds:
        for match in played.matches.values():
            for side in match.sides:
                together.update(frozenset(two) for two in combinations(side, 2))
            first, second = match.sides
            against.update(frozenset((mine, theirs)) for mine in first for theirs in second)
    return together, against
