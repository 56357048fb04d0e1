"""Round robin, in one circle or in several groups."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from scorer.engine import Illegal
from scorer.tournament.bye_allocation import NOBODY
from scorer.tournament.round_plan import Pairing, RoundPlan
from scorer.tournament.settings import Settings
from scorer.tournament.state import Tournament


def next_leg(tournament: Tournament) -> RoundPlan | None:
    """The next leg with at least one match, or None after the last.

    The circles are fixed at the first draw, even if pairs leave.
    """
    last = tournament.rounds[-1] if tournament.rounds else None
    circles = last.circles if last else tuple(map(tuple, circles_of(tournament)))
    stage = "groups" if tournament.settings.format == "groups" else "rounds"
    for leg, pairings, byes in _coming_legs(tournament, circles, last.leg if last else 0):
        return RoundPlan(pairings, byes, stage, circles=circles, leg=leg)
    return None


def _coming_legs(
    tournament: Tournament, circles: Sequence[Sequence[int]], last_leg: int
) -> Iterator[tuple[int, list[Pairing], list[int]]]:
    """The legs after `last_leg` with at least one match: their numbers, matches and byes."""
    for leg in range(last_leg + 1, max(map(len, circles), default=0)):
        pairings, byes = round_of_circles(tournament, circles, leg)
        if pairings:
            yield leg, pairings, byes


def coming_opponents(tournament: Tournament) -> dict[int, dict[int, int]]:
    """The opponent of each pair in the coming rounds of a round robin, by round; 0 in a bye.

    Empty if opponents are drawn anew each round.
    """
    last = tournament.rounds[-1] if tournament.rounds else None
    if last is None or not last.circles or last.is_final:
        return {}
    legs = _coming_legs(tournament, last.circles, last.leg)
    return {
        number: dict.fromkeys(byes, 0) | {a: b for two in pairings for a, b in (two, two[::-1])}
        for number, (_, pairings, byes) in enumerate(legs, last.number + 1)
        if number <= tournament.settings.rounds
    }


def round_count(circles: Sequence[Sequence[int]]) -> int:
    """The rounds after which all pairs of each circle have met.

    :param circles: their seats, one of them empty if the number of pairs is odd
    """
    return max(map(len, circles), default=1) - 1


def circles_of(tournament: Tournament) -> list[list[int]]:
    """Seats of each circle, as equal in size as possible and clubs spread over them.

    An empty seat is `NOBODY`.

    :raises Illegal: fewer than two pairs
    """
    settings = tournament.settings
    order = [entrant.number for entrant in tournament.active_entrants]
    if len(order) < 2:
        raise Illegal("too-few-pairs")
    random.Random(f"{settings.seed}/order/{len(tournament.undone_rounds)}").shuffle(order)
    count = len(group_sizes(settings, len(order))) if settings.format == "groups" else 1
    club = {pair: tournament.entrants[pair].pair.club.casefold() for pair in order}
    clubs = Counter(club.values())

    def club_order(pair: int) -> tuple[int, str]:
        return (-clubs[club[pair]], club[pair]) if club[pair] else (1, "")

    pairs_by_club = sorted(order, key=club_order)
    groups = [pairs_by_club[number::count] for number in range(count)]
    return [[*group, *[NOBODY] * (len(group) % 2)] for group in groups]


def group_sizes(settings: Settings, pairs: int) -> list[int]:
    """How many pairs each group will have, the largest first.

    :param pairs: how many are drawn
    """
    count = max(min(settings.groups.count, pairs // 2), 1)
    return [(pairs + count - 1 - number) // count for number in range(count)]


def group_of(tournament: Tournament) -> dict[int, int]:
    """The group of each pair, from 1; empty without groups or before the first draw."""
    first = tournament.rounds[0] if tournament.rounds else None
    if first is None or first.stage != "groups":
        return {}
    return {
        pair: number for number, circle in enumerate(first.circles, 1) for pair in circle if pair
    }


def circle(seats: Sequence[int], leg: int) -> list[Pairing]:
    """Opponents in one leg of the circle method: the first seat is fixed, the others rotate.

    >>> [circle([1, 2, 3, 4], leg) for leg in (1, 2, 3)]
    [[(1, 4), (2, 3)], [(1, 3), (4, 2)], [(1, 2), (3, 4)]]
    """
    rotating = seats[1:]
    shift = leg - 1
    rotated = [seats[0], *rotating[len(rotating) - shift :], *rotating[: len(rotating) - shift]]
    half = len(rotated) // 2
    return list(zip(rotated[:half], rotated[: half - 1 : -1], strict=True))


def round_of_circles(
    tournament: Tournament, circles: Sequence[Sequence[int]], leg: int
) -> tuple[list[Pairing], list[int]]:
    """The matches of one leg in all circles, and the pairs without an opponent."""
    active = {entrant.number for entrant in tournament.active_entrants}
    pairings = [pairing for seats in circles if leg < len(seats) for pairing in circle(seats, leg)]
    active_pairings = [[pair for pair in pairing if pair in active] for pairing in pairings]
    return (
        [(pairing[0], pairing[1]) for pairing in active_pairings if len(pairing) == 2],
        [pairing[0] for pairing in active_pairings if len(pairing) == 1],
    )
