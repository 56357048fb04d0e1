"""Settlement of an evening: Bummerl per player, and payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.engine.scoring.evening import Evening
from scorer.engine.scoring.state import Side

MAX_SEARCHED_PEOPLE: Final = 12
"""The most people for whom the fewest payments are searched; the search is exponential."""


@dataclass(frozen=True, slots=True)
class SettledGame:
    """A finished game with the seating at its end."""

    sides: tuple[Side, ...]
    winner: int
    bummerl: tuple[int, ...]

    def people(self, side: int) -> tuple[str, ...]:
        """The players. If none are named: the side's name, or its number."""
        return self.sides[side].players or (self.sides[side].name or f"#{side + 1}",)


@dataclass(frozen=True, slots=True)
class Payment:
    payer: str
    to: str
    amount: int


def finished_games(evening: Evening) -> list[SettledGame]:
    games = []
    for step in evening.steps:
        for game in step.after.games[len(step.before.games) :]:
            games.append(SettledGame(step.after.sides, game.winner, game.bummerl))
    return games


def games_on_paper(evening: Evening) -> list[SettledGame]:
    """The Bummerl taken over from paper, as one game of each side that has some.

    They belong to those who sit there when the first game ends. The other side won these games.
    With three sides nobody knows who did; then the list is empty.
    """
    start = evening.head.start()
    if len(start.bummerl) != 2 or not any(start.bummerl):
        return []
    sides = next((game.sides for game in finished_games(evening)), evening.state.sides)
    return [
        SettledGame(sides, 1 - side, (count, 0) if side == 0 else (0, count))
        for side, count in enumerate(start.bummerl)
        if count
    ]


def bummerl_by_player(games: Sequence[SettledGame]) -> dict[str, int]:
    """The Bummerl that each player got, on all sides played (O-55, O-58).

    >>> two = (Side("Wir", ("Anna", "Bert")), Side("Die", ("Cilli", "Dora")))
    >>> bummerl_by_player([SettledGame(two, 0, (0, 2)), SettledGame(two, 1, (1, 0))])
    {'Anna': 1, 'Bert': 1, 'Cilli': 2, 'Dora': 2}
    """
    bummerl: dict[str, int] = {}
    for game in games:
        for side, count in enumerate(game.bummerl):
            for name in game.people(side):
                bummerl[name] = bummerl.get(name, 0) + count
    return bummerl


def balances(games: Sequence[SettledGame], price: int, per_game: bool = False) -> dict[str, int]:
    """The balance of each player in the price's smallest unit; negative: has to pay.

    Every player of a losing side pays the price for each of its Bummerl, or per game. The winner's
    players share the sum; the first of them get the remainder.

    >>> two = (Side("Wir", ("Anna", "Bert")), Side("Die", ("Cilli", "Dora")))
    >>> balances([SettledGame(two, 0, (0, 2))], 50)
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
        share, remainder = divmod(pot, len(winners))
        for index, name in enumerate(winners):
            amounts[name] += share + (index < remainder)
    return amounts


def payments(balances: Mapping[str, int]) -> list[Payment]:
    """Payments that settle all balances; for up to `MAX_SEARCHED_PEOPLE` people the fewest.

    People whose balances add up to zero form a group, and a group of n needs n - 1 payments; so the
    groups are as many as possible. More people settle as one group.

    :param balances: add up to zero

    >>> payments({"Anna": 30, "Bert": -20, "Cilli": -30, "Dora": 20})
    [Payment(payer='Bert', to='Dora', amount=20), Payment(payer='Cilli', to='Anna', amount=30)]
    """
    names = [name for name, amount in balances.items() if amount]
    payments_made: list[Payment] = []
    groups = _balanced_groups(names, balances) if len(names) <= MAX_SEARCHED_PEOPLE else [names]
    for group in groups:
        payments_made += _payments_within({name: balances[name] for name in group})
    return payments_made


def _balanced_groups(names: list[str], balances: Mapping[str, int]) -> list[list[str]]:
    """As many groups as possible of people whose balances add up to zero.

    Sets of people are bit masks. `group_counts[mask]` counts the groups within a set, and
    `previous[mask]` is the set before its last person was added.
    """
    count = len(names)
    sums = [0] * (1 << count)
    group_counts = [0] * (1 << count)
    previous = [0] * (1 << count)
    for mask in range(1, 1 << count):
        lowest_bit = mask & -mask
        sums[mask] = sums[mask ^ lowest_bit] + balances[names[lowest_bit.bit_length() - 1]]
        for index in range(count):
            without_one = mask & ~(1 << index)
            if mask >> index & 1 and group_counts[without_one] >= group_counts[mask]:
                group_counts[mask], previous[mask] = group_counts[without_one], without_one
        group_counts[mask] += not sums[mask]
    return list(_groups_from_masks(names, sums, previous))


def _groups_from_masks(
    names: list[str], sums: list[int], previous: list[int]
) -> Iterator[list[str]]:
    mask, group = len(sums) - 1, list[str]()
    while mask:
        if not sums[mask] and group:
            yield group
            group = []
        group.append(names[(mask ^ previous[mask]).bit_length() - 1])
        mask = previous[mask]
    if group:
        yield group


def _payments_within(balances: dict[str, int]) -> list[Payment]:
    """The payments inside one group: the largest debtor pays the largest creditor."""
    payments_made = []
    while any(balances.values()):
        payer, to = min(balances, key=balances.__getitem__), max(balances, key=balances.__getitem__)
        amount = min(-balances[payer], balances[to])
        payments_made.append(Payment(payer, to, amount))
        balances[payer] += amount
        balances[to] -= amount
    return payments_made
