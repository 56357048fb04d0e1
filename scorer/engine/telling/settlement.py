"""Settlement of an evening: Bummerl per player, and payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.engine.scoring.evening import Evening
from scorer.engine.scoring.state import Side

MOST_SEARCHED: Final = 12
"""The most people for whom the fewest payments are searched; the search is exponential."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game with the seating at its end."""

    sides: tuple[Side, ...]
    winner: int
    bummerl: tuple[int, ...]

    def people(self, side: int) -> tuple[str, ...]:
        """The players of a side; without players its name, else its number."""
        return self.sides[side].players or (self.sides[side].name or f"#{side + 1}",)


@dataclass(frozen=True, slots=True)
class Payment:
    payer: str
    to: str
    amount: int


def played(evening: Evening) -> list[Played]:
    games = []
    for step in evening.steps:
        for game in step.after.games[len(step.before.games) :]:
            games.append(Played(step.after.sides, game.winner, game.bummerl))
    return games


def owed(games: Sequence[Played]) -> dict[str, int]:
    """Bummerl by player, on whichever side (O-55, O-58).

    >>> two = (Side("Wir", ("Anna", "Bert")), Side("Die", ("Cilli", "Dora")))
    >>> owed([Played(two, 0, (0, 2)), Played(two, 1, (1, 0))])
    {'Anna': 1, 'Bert': 1, 'Cilli': 2, 'Dora': 2}
    """
    bummerl: dict[str, int] = {}
    for game in games:
        for side, count in enumerate(game.bummerl):
            for name in game.people(side):
                bummerl[name] = bummerl.get(name, 0) + count
    return bummerl


def balances(games: Sequence[Played], price: int, per_game: bool = False) -> dict[str, int]:
    """The balance of each player in the price's smallest unit; negative: has to pay.

    Every player of a losing side pays the price for each of its Bummerl, or per game. The winner's
    players share the sum; the first of them get the remainder.

    >>> two = (Side("Wir", ("Anna", "Bert")), Side("Die", ("Cilli", "Dora")))
    >>> balances([Played(two, 0, (0, 2))], 50)
    {'Anna': 100, 'Bert': 100, 'Cilli': -100, 'Dora': -100}
    """
    amounts: dict[str, int] = {}
    for game in games:
        pot = 0
        for side, count in enumerate(game.bummerl):
            for name in game.people(side):
                due = 0 if side == game.winner else price * (1 if per_game else count)
                amounts[name] = amounts.get(name, 0) - due
                pot += due
        winners = game.people(game.winner)
        share, odd = divmod(pot, len(winners))
        for at, name in enumerate(winners):
            amounts[name] += share + (at < odd)
    return amounts


def payments(owing: Mapping[str, int]) -> list[Payment]:
    """The fewest payments that settle all balances.

    People whose balances add up to zero form a group, and a group of n needs n - 1 payments; so the
    groups are as many as possible. More than `MOST_SEARCHED` people settle as one group.

    >>> payments({"Anna": 30, "Bert": -20, "Cilli": -30, "Dora": 20})
    [Payment(payer='Bert', to='Dora', amount=20), Payment(payer='Cilli', to='Anna', amount=30)]
    """
    names = [name for name, amount in owing.items() if amount]
    due: list[Payment] = []
    groups = _groups(names, owing) if len(names) <= MOST_SEARCHED else [names]
    for group in groups:
        due += _within({name: owing[name] for name in group})
    return due


def _groups(names: list[str], owing: Mapping[str, int]) -> list[list[str]]:
    """The most groups of people whose balances add up to zero."""
    count = len(names)
    sums = [0] * (1 << count)
    best = [0] * (1 << count)
    came = [0] * (1 << count)
    for mask in range(1, 1 << count):
        low = mask & -mask
        sums[mask] = sums[mask ^ low] + owing[names[low.bit_length() - 1]]
        for at in range(count):
            rest = mask & ~(1 << at)
            if mask >> at & 1 and best[rest] >= best[mask]:
                best[mask], came[mask] = best[rest], rest
        best[mask] += not sums[mask]
    return list(_walked(names, sums, came))


def _walked(names: list[str], sums: list[int], came: list[int]) -> Iterator[list[str]]:
    mask, group = len(sums) - 1, list[str]()
    while mask:
        if not sums[mask] and group:
            yield group
            group = []
        group.append(names[(mask ^ came[mask]).bit_length() - 1])
        mask = came[mask]
    if group:
        yield group


def _within(owing: dict[str, int]) -> list[Payment]:
    """The payments inside one group: the largest debtor pays the largest creditor."""
    due = []
    while any(owing.values()):
        payer, to = min(owing, key=owing.__getitem__), max(owing, key=owing.__getitem__)
        amount = min(-owing[payer], owing[to])
        due.append(Payment(payer, to, amount))
        owing[payer] += amount
        owing[to] -= amount
    return due
