"""The draw: who meets whom, at which table, who has a bye, and what had to give.

It is seeded: the same tournament with the same seed draws the same. What weighs most gives last:
nobody has a second bye before all had one, nobody meets the same pair again, clubs stay apart;
among what is left the lot decides.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
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


def draw(tournament: Tournament, anyway: bool = False) -> Auslosung:
    """The next round.

    :param anyway: draw although results are missing
    :raises Illegal: it cannot be drawn: results are missing, too few pairs, or all is played
    """
    tournament.may_draw(anyway)
    number = len(tournament.rounds) + 1
    chance = random.Random(f"{tournament.settings.seed}/{number}")
    twos, byes, stage, notes = _drawn(tournament, chance)
    # The order of a final's tables is its bracket.
    final = stage == "final"
    tables = range(1, len(twos) + 1) if final else _tables(tournament, twos, chance)
    drawn = [
        Drawn(table, _pairs(tournament, two), two, notes=_notes(tournament, two, stage, at))
        for at, (two, table) in enumerate(zip(twos, tables, strict=True))
    ]
    drawn.sort(key=lambda one: one.table)
    return Auslosung(number, stage, tuple(drawn), tuple(sorted(byes)), notes, anyway)


Plan = tuple[list[Two], list[int], str, tuple[str, ...]]
"""The matches, the byes, the stage, and what had to give among the byes."""


def _drawn(tournament: Tournament, chance: random.Random) -> Plan:
    settings, drawn = tournament.settings, tournament.rounds
    if drawn and drawn[-1].stage == "final":
        return _next_final(tournament, drawn[-1])
    if settings.format == "knockout":
        return _knockout(tournament, chance)
    planned = _planned(tournament, chance)
    if planned is not None:
        return planned
    if settings.finals is None and settings.format != "groups":
        raise Illegal("all-played", rounds=len(drawn))
    return _first_final(tournament)


def _planned(tournament: Tournament, chance: random.Random) -> Plan | None:
    """The next of the rounds, or None when all are played."""
    settings, number = tournament.settings, len(tournament.rounds) + 1
    if settings.format == "redraw":
        if number > settings.rounds:
            return None
        return _redraw(tournament, chance)
    order = _order(tournament)
    groups = _grouped(tournament, order) if settings.format == "groups" else [order]
    twos, byes = list[Two](), list[int]()
    for group in groups:
        if number <= _rounds_of(len(group)):
            found, free = _circle(group, number)
            twos += found
            byes += free
    if not twos or number > settings.rounds:
        return None
    return _without_withdrawn(tournament, twos, byes)


# Opponents drawn anew each round


def _redraw(tournament: Tournament, chance: random.Random) -> Plan:
    pairs = [one.number for one in tournament.active]
    if len(pairs) < 2:
        raise Illegal("too-few-pairs", count=len(pairs))
    planned = _all_around(tournament, pairs)
    if planned is not None:
        found, free = planned
        return [_turned(two, chance) for two in found], free, "rounds", ()
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
    return [_turned(two, chance) for two in twos], free, "rounds", notes


_PLANS: Final = 64


def _all_around(tournament: Tournament, pairs: list[int]) -> tuple[list[Two], list[int]] | None:
    """The next round of a plan in which nobody meets twice, where one is needed and still holds.

    Up to half as many rounds as pairs can always be drawn freely without a rematch: what is left
    to meet is then dense enough (Dirac). Beyond, a free draw may leave pairs that cannot be put
    together any more, so the whole is planned before the first round.
    """
    number, size = len(tournament.rounds) + 1, len(pairs) + len(pairs) % 2
    if tournament.settings.rounds <= size // 2 or number >= size:
        return None
    plan = _plan(tournament, pairs)
    for one, (twos, _) in zip(tournament.rounds, plan, strict=False):
        drawn = {frozenset(match.drawn.pairs) for match in one.matches.values()}
        if drawn != {frozenset(two) for two in twos}:
            return None
    return plan[number - 1]


def _plan(tournament: Tournament, pairs: list[int]) -> list[tuple[list[Two], list[int]]]:
    """Everybody meets everybody: of many circles the one that keeps clubs apart the longest."""
    chance = random.Random(f"{tournament.settings.seed}/plan")
    clubs = {pair: tournament.entrants[pair].pair.club.casefold() for pair in pairs}

    def same(found: tuple[list[Two], list[int]]) -> int:
        return sum(bool(clubs[a]) and clubs[a] == clubs[b] for a, b in found[0])

    best: list[tuple[list[Two], list[int]]] = []
    for _ in range(_PLANS if any(clubs.values()) else 1):
        order = chance.sample(pairs, len(pairs))
        circle = [_circle(order, number) for number in range(1, _rounds_of(len(order)) + 1)]
        chance.shuffle(circle)
        circle.sort(key=same)
        if not best or list(map(same, circle)) < list(map(same, best)):
            best = circle
    return best


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


def _order(tournament: Tournament) -> list[int]:
    """The order in which the circle turns; nobody enters once a round is drawn."""
    order = list(tournament.entrants)
    if len(order) < 2:
        raise Illegal("too-few-pairs", count=len(order))
    random.Random(f"{tournament.settings.seed}/order").shuffle(order)
    return order


def _grouped(tournament: Tournament, order: Sequence[int]) -> list[list[int]]:
    """The groups: as equal as can be, and pairs of one club in different ones."""
    count = min(tournament.settings.groups.count, max(1, len(order) // 2))
    clubs = Counter(tournament.entrants[pair].pair.club.casefold() for pair in order)

    def together(pair: int) -> tuple[int, str]:
        club = tournament.entrants[pair].pair.club.casefold()
        return (-clubs[club], club) if club else (1, "")

    dealt = sorted(order, key=together)
    return [dealt[at::count] for at in range(count)]


def group_of(tournament: Tournament) -> dict[int, int]:
    """The group of each pair, from 1; empty where there are none."""
    if tournament.settings.format != "groups" or len(tournament.entrants) < 2:
        return {}
    groups = _grouped(tournament, _order(tournament))
    return {pair: at for at, group in enumerate(groups, 1) for pair in group}


def _rounds_of(size: int) -> int:
    return size - 1 + size % 2


def _circle(group: Sequence[int], number: int) -> tuple[list[Two], list[int]]:
    """Round `number` of the circle: one stands still, the others move on by one place.

    >>> [_circle([1, 2, 3, 4], number)[0] for number in (1, 2, 3)]
    [[(1, 4), (2, 3)], [(1, 3), (4, 2)], [(1, 2), (3, 4)]]
    """
    seats: list[int] = [*group, *([0] if len(group) % 2 else [])]
    turning = seats[1:]
    shift = (number - 1) % len(turning)
    turned = [seats[0], *turning[len(turning) - shift :], *turning[: len(turning) - shift]]
    half = len(turned) // 2
    twos = list(zip(turned[:half], turned[: half - 1 : -1], strict=True))
    byes = [a or b for a, b in twos if not (a and b)]
    return [two for two in twos if all(two)], byes


def _without_withdrawn(tournament: Tournament, twos: list[Two], byes: list[int]) -> Plan:
    gone = {one.number for one in tournament.entrants.values() if one.withdrawn}
    kept = [two for two in twos if not gone & set(two)]
    free = [pair for two in twos if gone & set(two) for pair in two if pair not in gone]
    stage = "groups" if tournament.settings.format == "groups" else "rounds"
    return kept, [*(pair for pair in byes if pair not in gone), *free], stage, ()


# Knock-out


def _knockout(tournament: Tournament, chance: random.Random) -> Plan:
    """The lots still in, drawn anew; in the first round the byes fill up to a power of two."""
    alive = _alive(tournament)
    if len(alive) < 2:
        raise Illegal("all-played" if tournament.rounds else "too-few-pairs", count=len(alive))
    chance.shuffle(alive)
    byes = had_byes(tournament)
    whole = 1
    while whole < len(alive):
        whole *= 2
    free = sorted(alive, key=lambda lot: byes[pair_of(tournament, lot)])[: whole - len(alive)]
    rest = [lot for lot in alive if lot not in free]
    owner = {lot: pair_of(tournament, lot) for lot in rest}
    met = meetings(tournament)

    def cost(a: int, b: int) -> int:
        one, other = owner[rest[a]], owner[rest[b]]
        club = tournament.entrants[one].pair.club.casefold()
        same = bool(club) and club == tournament.entrants[other].pair.club.casefold()
        again = met[frozenset((one, other))]
        return _BYE * (one == other) + _REMATCH * again + _CLUB * same + chance.randrange(_LOT)

    return [(rest[a], rest[b]) for a, b in pair_up(len(rest), cost)], free, "knockout", ()


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
        raise Illegal("too-few-pairs", count=len(seeds))
    places = [0]
    while len(places) < len(seeds):
        size = 2 * len(places)
        places = [place for one in places for place in (one, size - 1 - one)]
    against = _against(group_of(tournament), seeds)
    bracket = [(seeds[place], against[place]) for place in places if place < len(seeds) // 2]
    return bracket, [], "final", ()


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
    while count * 2 <= min(best if not groups else len(lines), len(lines)):
        count *= 2
    return lines[:count]


def _next_final(tournament: Tournament, last: Round) -> Plan:
    """The winners of neighbouring tables meet; after the semi-finals also their losers."""
    tables = [match for _, match in sorted(last.matches.items())]
    if len(tables) == 1 or any("third" in match.drawn.notes for match in tables):
        raise Illegal("all-played", rounds=len(tournament.rounds))
    if any(match.winner < 0 for match in tables):
        raise Illegal("results-missing", count=1, tables="")
    won = [match.drawn.pairs[match.winner] for match in tables]
    twos = [two for at, two in enumerate(pairwise(won)) if at % 2 == 0]
    finals = tournament.settings.finals
    if len(won) == 2 and (finals is None or finals.third):
        lost = [match.drawn.pairs[1 - match.winner] for match in tables]
        twos.append((lost[0], lost[1]))
    return twos, [], "final", ()


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
