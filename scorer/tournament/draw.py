"""The draw: who meets whom, at which table, who has a bye, and what had to give.

It is seeded: the same tournament with the same seed draws the same. What weighs most gives last:
nobody has a second bye before all had one, nobody meets the same pair again, clubs stay apart;
among what is left the lot decides.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from scorer.engine import Illegal
from scorer.tournament.events import Auslosung, Drawn
from scorer.tournament.matching import assign, pair_up
from scorer.tournament.standings import pair_of, standings
from scorer.tournament.tournament import Round, Tournament

_LOT: Final = 1000
_CLUB: Final = 10**6
_REMATCH: Final = 10**9
_BYE: Final = 10**12

Two = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """A round before its tables are numbered."""

    twos: list[Two]
    """The lots that meet."""
    byes: list[int]
    stage: str
    notes: tuple[str, ...] = ()
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0


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
    drawn = [
        Drawn(table, _pairs(tournament, two), two, notes=_notes(tournament, two, plan.stage, at))
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
        left = {pair_of(tournament, lot) for lot in _alive(tournament)}
        return "knockout" if len(left) > 1 or not drawn else None
    if len(drawn) < settings.rounds:
        if settings.format == "redraw":
            return "rounds"
        if not drawn or _next_leg(tournament) is not None:
            return "groups" if settings.format == "groups" else "rounds"
    return None if settings.finals is None else "final"


def _planned(tournament: Tournament, chance: random.Random) -> Plan:
    match upcoming(tournament):
        case None:
            raise Illegal("all-played")
        case "final" if tournament.rounds and tournament.rounds[-1].stage == "final":
            return _next_final(tournament, tournament.rounds[-1])
        case "final":
            return _first_final(tournament)
        case "knockout":
            return _knockout(tournament, chance)
        case _ if tournament.settings.format == "redraw":
            return _redraw(tournament, chance)
    plan = _next_leg(tournament)
    if plan is None:
        raise Illegal("all-played")
    return plan


# Opponents drawn anew each round


def _redraw(tournament: Tournament, chance: random.Random) -> Plan:
    pairs = [one.number for one in tournament.active]
    if len(pairs) < 2:
        raise Illegal("too-few-pairs")
    planned = _all_around(tournament, pairs)
    if planned is not None:
        return replace(planned, twos=[_turned(two, chance) for two in planned.twos])
    chance.shuffle(pairs)
    met, byes = meetings(tournament), had_byes(tournament)
    fewest = min(byes[pair] for pair in pairs)
    clubs = {one.number: one.pair.club.casefold() for one in tournament.active}
    odd = len(pairs) % 2

    def cost(a: int, b: int) -> int:
        if b == len(pairs):
            return _BYE * (byes[pairs[a]] - fewest) + chance.randrange(_LOT)
        one, other = pairs[a], pairs[b]
        same = bool(clubs[one]) and clubs[one] == clubs[other]
        again = met[frozenset((one, other))]
        return _REMATCH * again**2 + _CLUB * same + chance.randrange(_LOT)

    found = pair_up(len(pairs) + odd, cost)
    twos = [(pairs[a], pairs[b]) for a, b in found if b < len(pairs)]
    free = [pairs[a] for a, b in found if b == len(pairs)]
    notes = ("second-bye",) if any(byes[pair] for pair in free) else ()
    return Plan([_turned(two, chance) for two in twos], free, "rounds", notes)


_TRIES: Final = 64


def _all_around(tournament: Tournament, pairs: list[int]) -> Plan | None:
    """The next turn of a circle in which nobody meets twice, where one is needed and still holds.

    Up to half as many rounds as pairs can always be drawn freely without a rematch: what is left
    to meet is then dense enough (Dirac). Beyond, a free draw may leave pairs that cannot be put
    together any more, so the whole is seated before the first round. Who comes late takes the
    seat of whoever has left, or the empty one.
    """
    settings, last = tournament.settings, tournament.rounds[-1] if tournament.rounds else None
    if last is None:
        if settings.rounds <= (len(pairs) + 1) // 2:
            return None
        seats, leg = _seated_apart(tournament, pairs), 1
    else:
        if not last.circles:
            return None
        seats, leg = list(last.circles[0]), last.leg + 1
        free = [at for at, pair in enumerate(seats) if pair not in pairs]
        late = [pair for pair in pairs if pair not in seats]
        if len(late) > len(free):
            return None
        for at, pair in zip(free, late, strict=False):
            seats[at] = pair
    if leg >= len(seats):
        return None
    twos, byes = _turn(tournament, [seats], leg)
    had = had_byes(tournament)
    fair = len(byes) == len(pairs) % 2 and all(had[p] == min(had[o] for o in pairs) for p in byes)
    return Plan(twos, byes, "rounds", circles=(tuple(seats),), leg=leg) if fair else None


def _seated_apart(tournament: Tournament, pairs: list[int]) -> list[int]:
    """The seats of a circle: of many orders the one that keeps clubs apart the longest."""
    chance = random.Random(f"{tournament.settings.seed}/seats")
    clubs = {pair: tournament.entrants[pair].pair.club.casefold() for pair in pairs}

    def together(seats: list[int]) -> list[int]:
        legs = (_circle(seats, leg) for leg in range(1, len(seats)))
        return [
            sum(bool(a and b and clubs[a] and clubs[a] == clubs[b]) for a, b in leg) for leg in legs
        ]

    empty = [0] * (len(pairs) % 2)
    orders = [[*chance.sample(pairs, len(pairs)), *empty] for _ in range(_TRIES)]
    return min(orders, key=together) if any(clubs.values()) else orders[0]


def _turned(two: Two, chance: random.Random) -> Two:
    """Either order: who is named first deals first."""
    return two if chance.random() < 0.5 else (two[1], two[0])


def meetings(tournament: Tournament) -> Counter[frozenset[int]]:
    """How often two pairs have met."""
    return Counter(
        frozenset(match.drawn.pairs) for one in tournament.rounds for match in one.matches.values()
    )


def had_byes(tournament: Tournament) -> Counter[int]:
    """How many byes each pair has had."""
    return Counter(pair_of(tournament, lot) for one in tournament.rounds for lot in one.byes)


# Everybody meets, in one group or several


def _next_leg(tournament: Tournament) -> Plan | None:
    """The next turn of the circles in which anybody meets, or None after the last.

    The circles are seated at the first draw and stay so, whoever leaves.
    """
    last = tournament.rounds[-1] if tournament.rounds else None
    circles = last.circles if last else tuple(map(tuple, _grouped(tournament)))
    grouped = tournament.settings.format == "groups"
    for leg in range(last.leg + 1 if last else 1, max(map(len, circles))):
        twos, byes = _turn(tournament, circles, leg)
        if twos:
            return Plan(twos, byes, "groups" if grouped else "rounds", circles=circles, leg=leg)
    return None


def _grouped(tournament: Tournament) -> list[list[int]]:
    """The circles: as equal as can be, and pairs of one club in different ones."""
    settings = tournament.settings
    order = [one.number for one in tournament.active]
    if len(order) < 2:
        raise Illegal("too-few-pairs")
    random.Random(f"{settings.seed}/order").shuffle(order)
    count = min(settings.groups.count, len(order) // 2) if settings.format == "groups" else 1
    club = {pair: tournament.entrants[pair].pair.club.casefold() for pair in order}
    clubs = Counter(club.values())

    def together(pair: int) -> tuple[int, str]:
        return (-clubs[club[pair]], club[pair]) if club[pair] else (1, "")

    dealt = sorted(order, key=together)
    groups = [dealt[at::count] for at in range(count)]
    return [[*group, *[0] * (len(group) % 2)] for group in groups]


def group_of(tournament: Tournament) -> dict[int, int]:
    """The group of each pair, from 1; empty where there are none (yet)."""
    first = tournament.rounds[0] if tournament.rounds else None
    if first is None or first.stage != "groups":
        return {}
    return {pair: at for at, circle in enumerate(first.circles, 1) for pair in circle if pair}


def _circle(seats: Sequence[int], leg: int) -> list[Two]:
    """Who sits opposite whom in a turn of the circle: one stays, the others move on by a place.

    >>> [_circle([1, 2, 3, 4], leg) for leg in (1, 2, 3)]
    [[(1, 4), (2, 3)], [(1, 3), (4, 2)], [(1, 2), (3, 4)]]
    """
    turning = seats[1:]
    shift = leg - 1
    turned = [seats[0], *turning[len(turning) - shift :], *turning[: len(turning) - shift]]
    half = len(turned) // 2
    return list(zip(turned[:half], turned[: half - 1 : -1], strict=True))


def _turn(
    tournament: Tournament, circles: Sequence[Sequence[int]], leg: int
) -> tuple[list[Two], list[int]]:
    """A turn of all circles: the matches, and who sits opposite nobody."""
    active = {one.number for one in tournament.active}
    twos = [two for seats in circles if leg < len(seats) for two in _circle(seats, leg)]
    there = [[pair for pair in two if pair in active] for two in twos]
    return (
        [(two[0], two[1]) for two in there if len(two) == 2],
        [two[0] for two in there if len(two) == 1],
    )


# Knock-out


def _knockout(tournament: Tournament, chance: random.Random) -> Plan:
    """The lots still in, drawn anew; in the first round the byes fill up to a power of two."""
    alive = _alive(tournament)
    owner = {lot: pair_of(tournament, lot) for lot in alive}
    if len(set(owner.values())) < 2:
        raise Illegal("too-few-pairs")
    chance.shuffle(alive)
    free = _free_lots(alive, owner)
    rest = [lot for lot in alive if lot not in free]
    met = meetings(tournament)

    def cost(a: int, b: int) -> int:
        one, other = owner[rest[a]], owner[rest[b]]
        club = tournament.entrants[one].pair.club.casefold()
        same = bool(club) and club == tournament.entrants[other].pair.club.casefold()
        again = met[frozenset((one, other))]
        return _BYE * (one == other) + _REMATCH * again + _CLUB * same + chance.randrange(_LOT)

    twos = [(rest[a], rest[b]) for a, b in pair_up(len(rest), cost)]
    # A pair does not play itself: one of the two lots goes on.
    own = [two for two in twos if owner[two[0]] == owner[two[1]]]
    notes = ("own-lots",) if own else ()
    twos = [two for two in twos if two not in own]
    return Plan(twos, [*free, *(lot for lot, _ in own)], "knockout", notes)


def _free_lots(alive: Sequence[int], owner: Mapping[int, int]) -> list[int]:
    """The lots with a bye: nobody twice before all once, unless a pair had to play itself then."""
    rest, free, had = list(alive), list[int](), Counter[int]()
    whole = 1
    while whole < len(alive):
        whole *= 2
    for _ in range(whole - len(alive)):
        [(most, held)] = Counter(owner[lot] for lot in rest).most_common(1)
        crowded = held > len(rest) // 2
        lot = min(rest, key=lambda lot: (crowded and owner[lot] != most, had[owner[lot]]))
        rest.remove(lot)
        free.append(lot)
        had[owner[lot]] += 1
    return free


def _alive(tournament: Tournament) -> list[int]:
    """The lots that have not lost, of pairs that have not withdrawn."""
    if not tournament.rounds:
        count = sum(one.pair.entries for one in tournament.entrants.values())
        lots = list(range(1, count + 1))
    else:
        newest = tournament.rounds[-1]
        lots = [*_winners(newest), *newest.byes]
    return [lot for lot in lots if not tournament.entrants[pair_of(tournament, lot)].withdrawn]


def _winners(one: Round) -> list[int]:
    """The lots that won in a round, in the order of its tables."""
    return [m.drawn.lots[m.winner] for m in one.matches.values() if m.winner >= 0]


# Finals


def _first_final(tournament: Tournament) -> Plan:
    """The best of the standings, the first against the last of them, in the bracket's order."""
    finals = tournament.settings.finals
    seeds = _qualified(tournament, finals.best if finals else 4)
    if len(seeds) < 2:
        raise Illegal("too-few-pairs")
    places = [0]
    while len(places) < len(seeds):
        size = 2 * len(places)
        places = [place for one in places for place in (one, size - 1 - one)]
    against = _against(group_of(tournament), seeds)
    bracket = [(seeds[place], against[place]) for place in places if place < len(seeds) // 2]
    return Plan(bracket, [], "final")


def _against(groups: Mapping[int, int], seeds: list[int]) -> list[int]:
    """The opponent of each of the better half: the first meets the last, but nobody its group."""
    half = len(seeds) // 2
    others = seeds[half:]
    rows = [
        [
            _CLUB * (bool(groups) and groups[seeds[at]] == groups[other]) + abs(half - 1 - at - to)
            for to, other in enumerate(others)
        ]
        for at in range(half)
    ]
    return [others[to] for to in assign(rows)]


def _qualified(tournament: Tournament, best: int) -> list[int]:
    """The pairs that go on, best first: a power of two of them."""
    lines = [s.pair for s in standings(tournament) if not tournament.entrants[s.pair].withdrawn]
    groups = group_of(tournament)
    if groups:
        rank: Counter[int] = Counter()
        place = {}
        for pair in lines:
            rank[groups[pair]] += 1
            place[pair] = rank[groups[pair]]
        most = tournament.settings.groups.best
        lines = sorted((pair for pair in lines if place[pair] <= most), key=place.__getitem__)
    count = 1
    while count * 2 <= min(best, len(lines)):
        count *= 2
    return lines[:count]


def _next_final(tournament: Tournament, last: Round) -> Plan:
    """The winners of neighbouring tables meet; after the semi-finals also their losers."""
    tables = [match for _, match in sorted(last.matches.items())]
    if any(match.winner < 0 for match in tables):
        raise Illegal("results-missing", count=1, tables="")
    won = [match.drawn.pairs[match.winner] for match in tables]
    twos = [two for at, two in enumerate(pairwise(won)) if at % 2 == 0]
    finals = tournament.settings.finals
    if len(won) == 2 and (finals is None or finals.third):
        lost = [match.drawn.pairs[1 - match.winner] for match in tables]
        twos.append((lost[0], lost[1]))
    return Plan(twos, [], "final")


# Tables and notes


def _tables(tournament: Tournament, twos: Sequence[Two], chance: random.Random) -> list[int]:
    """A table for each match, so that pairs sit at each as evenly as can be."""
    sat: Counter[tuple[int, int]] = Counter()
    for one in tournament.rounds:
        for match in one.matches.values():
            sat.update((pair, match.drawn.table) for pair in match.drawn.pairs)
    rows = [
        [
            sum(sat[pair, table] ** 2 for pair in _pairs(tournament, two)) * _LOT
            + chance.randrange(_LOT)
            for table in range(1, len(twos) + 1)
        ]
        for two in twos
    ]
    return [at + 1 for at in assign(rows)]


def _pairs(tournament: Tournament, two: Two) -> Two:
    return pair_of(tournament, two[0]), pair_of(tournament, two[1])


def _notes(tournament: Tournament, two: Two, stage: str, at: int) -> tuple[str, ...]:
    """What had to give at a table."""
    a, b = _pairs(tournament, two)
    found = []
    if stage in ("rounds", "knockout"):
        clubs = [tournament.entrants[pair].pair.club.casefold() for pair in (a, b)]
        if meetings(tournament)[frozenset((a, b))]:
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
