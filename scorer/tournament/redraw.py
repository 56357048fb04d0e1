"""Opponents drawn anew each round, avoiding rematches."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from scorer.engine import Illegal
from scorer.tournament.bye_allocation import (
    NOBODY,
    bye_costs,
    bye_notes,
    byes_before,
    free_rounds_before,
)
from scorer.tournament.min_cost_matching import PairingFinder, cheapest_pairing
from scorer.tournament.pairing_costs import (
    CLUB_COST,
    KEPT_APART_COST,
    MAX_RANDOM_COST,
    REMATCH_COST,
    club_of,
    meetings,
)
from scorer.tournament.round_plan import Pairing, RoundPlan
from scorer.tournament.round_robin import circle, round_of_circles
from scorer.tournament.state import Tournament

_TRIED_SEAT_ORDERS: Final = 64
"""The number of random orders of seats from which the best is chosen."""


def redraw(
    tournament: Tournament, rng: random.Random, find_pairing: PairingFinder = cheapest_pairing
) -> RoundPlan:
    """The next round: usually the pairing with the lowest cost. With so many rounds that new
    opponents could run out, it is the next leg of a round robin. Its seats are fixed before the
    first round.

    :raises Illegal: fewer than two pairs
    """
    pairs = [entrant.number for entrant in tournament.active_entrants]
    if len(pairs) < 2:
        raise Illegal("too-few-pairs")
    circle_plan = _next_circle_leg(tournament, pairs, rng)
    if circle_plan is not None:
        return replace(
            circle_plan,
            pairings=[_in_random_order(pairing, rng) for pairing in circle_plan.pairings],
        )
    rng.shuffle(pairs)
    met, past_byes = meetings(tournament), byes_before(tournament)
    cost_of_bye = bye_costs(pairs, free_rounds_before(tournament))
    clubs = {pair: club_of(tournament, pair) for pair in pairs}

    bye_index = len(pairs)

    def match_cost(first: int, second: int) -> int:
        both = frozenset((first, second))
        return (
            KEPT_APART_COST * (both in tournament.kept_apart)
            + REMATCH_COST * met[both] ** 2
            + CLUB_COST * (clubs[first] == clubs[second])
        )

    def cost(i: int, j: int) -> int:
        cost_without_chance = (
            cost_of_bye[pairs[i]] if j == bye_index else match_cost(pairs[i], pairs[j])
        )
        return cost_without_chance + rng.randrange(MAX_RANDOM_COST)

    matched = find_pairing([*pairs, *[NOBODY] * (len(pairs) % 2)], cost)
    pairings = [(pairs[i], pairs[j]) for i, j in matched if j != bye_index]
    byes = [pairs[i] for i, j in matched if j == bye_index]
    return RoundPlan(
        [_in_random_order(pairing, rng) for pairing in pairings],
        byes,
        "rounds",
        bye_notes(byes, past_byes),
    )


def needs_circle(tournament: Tournament) -> bool:
    """Whether free draws could run out of new opponents, so that the first round needs a circle."""
    settings = tournament.settings
    return (
        settings.format == "redraw" and settings.rounds > (len(tournament.active_entrants) + 1) // 2
    )


def _next_circle_leg(
    tournament: Tournament, pairs: list[int], rng: random.Random
) -> RoundPlan | None:
    """The next leg of a circle without rematches, or None if no circle is needed or it is used up.

    With at most half as many rounds as pairs, a free draw needs no rematch unless pairs are kept
    apart, as the graph of remaining opponents stays dense (Dirac's theorem). With more rounds it
    could get stuck, so all pairs are seated in a circle before the first round. Late pairs take
    empty seats and those of pairs that left.
    """
    last = tournament.rounds[-1] if tournament.rounds else None
    if last is None:
        if not needs_circle(tournament):
            return None
        seats, leg = _circle_seats(tournament, pairs, rng), 1
    else:
        if not last.circles:
            return None
        seats, leg = list(last.circles[0]), last.leg + 1
        empty_seats = [seat for seat, pair in enumerate(seats) if pair not in pairs]
        late = [pair for pair in pairs if pair not in seats]
        if len(late) > len(empty_seats):
            return None
        for seat, pair in zip(empty_seats, late, strict=False):
            seats[seat] = pair
    if leg >= len(seats):
        return None
    pairings, byes = round_of_circles(tournament, [seats], leg)
    bye_counts = byes_before(tournament)
    byes_are_fair = len(byes) == len(pairs) % 2 and all(
        bye_counts[pair] == min(bye_counts[other] for other in pairs) for pair in byes
    )
    return (
        RoundPlan(pairings, byes, "rounds", circles=(tuple(seats),), leg=leg)
        if byes_are_fair
        else None
    )


def _circle_seats(tournament: Tournament, pairs: list[int], rng: random.Random) -> list[int]:
    """Of `_TRIED_SEAT_ORDERS` random orders, the one whose conflicts come in the latest rounds.

    A conflict is a match of two pairs to be kept apart or of one club; the first weighs more.
    """
    clubs = {pair: club_of(tournament, pair) for pair in pairs}

    def conflicts_by_leg(seats: list[int]) -> list[int]:
        legs = (circle(seats, number) for number in range(1, len(seats)))
        return [
            sum(
                len(seats) * (frozenset((a, b)) in tournament.kept_apart)
                + (clubs.get(a) == clubs.get(b))
                for a, b in pairings
            )
            for pairings in legs
        ]

    empty = [NOBODY] * (len(pairs) % 2)
    orders = [[*rng.sample(pairs, len(pairs)), *empty] for _ in range(_TRIED_SEAT_ORDERS)]
    may_conflict = len(set(clubs.values())) < len(pairs) or tournament.kept_apart
    return min(orders, key=conflicts_by_leg) if may_conflict else orders[0]


def _in_random_order(pairing: Pairing, rng: random.Random) -> Pairing:
    """The pairing in random order; the first pair deals first."""
    return pairing if rng.random() < 0.5 else (pairing[1], pairing[0])
