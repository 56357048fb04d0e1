"""Simulated rounds with cards: deal, announce and play, by a given random generator.

For tests and demonstration data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from scorer.engine.play.trick_rules import Contract
from scorer.engine.rules.cards import SCHLAEGE, SUITS, WELI, pack, rank, suit
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.seat_roles import Roles, playing_order, roles

HAND: Final = 5


@dataclass(frozen=True, slots=True)
class Trick:
    """The cards of a trick and the seats that played them, in order."""

    seats: tuple[int, ...]
    cards: tuple[str, ...]
    winner: int
    """The winning seat."""


@dataclass(frozen=True, slots=True)
class CardRound:
    """A played round; seats alternate between the sides."""

    hands: tuple[tuple[str, ...], ...]
    schlag: str
    trumpf: str
    tricks: tuple[Trick, ...]
    winner: int
    """The winning side."""
    taken: int
    """Tricks of the winning side."""


def deal(rules: RuleSet, seats: int, chance: Random) -> tuple[tuple[str, ...], ...]:
    """Five cards per seat from a shuffled pack.

    >>> from scorer.engine import load
    >>> [len(hand) for hand in deal(load("bayern"), 4, Random(1))]
    [5, 5, 5, 5]
    """
    cards = list(pack(rules.deck))
    chance.shuffle(cards)
    return tuple(tuple(cards[seat * HAND : (seat + 1) * HAND]) for seat in range(seats))


def announce(rules: RuleSet, schlag: Sequence[str], trumpf: Sequence[str]) -> tuple[str, str]:
    """A plausible announcement: the rank and the suit of which each announcer holds most.

    :param schlag: the hand of the player naming the Schlag
    :param trumpf: the hand of the player naming the trump

    >>> from scorer.engine import load
    >>> announce(load("bayern"), ["E8", "S8", "HK", "L9", "LA"], ["H7", "H9", "SK", "EA", "LU"])
    ('8', 'H')
    """
    ranks = [rank(card) for card in schlag if card != WELI or rules.weli_schlag != "alone"]
    suits = [suit(card) for card in trumpf if card != WELI or rules.weli != "trump"]
    best = max(ranks, key=lambda name: (ranks.count(name), -SCHLAEGE.index(name)))
    return best, max(SUITS, key=suits.count)


def play(
    rules: RuleSet,
    chance: Random,
    dealer: int = 0,
    seats: int = 4,
    hands: tuple[tuple[str, ...], ...] | None = None,
) -> CardRound:
    """Play a round to its last trick (O-39, F-38), choosing among the legal cards.

    :param hands: given hands instead of a deal

    >>> from scorer.engine import load
    >>> played = play(load("bayern"), Random(1))
    >>> played.taken, len(played.tricks) <= 5
    (3, True)
    """
    who = roles(rules, seats, dealer)
    hands = hands or deal(rules, seats, chance)
    schlag, trumpf = announce(rules, hands[who.schlag], hands[who.trumpf])
    contract = Contract(rules, schlag, trumpf)
    left, leads = [list(hand) for hand in hands], who.schlag
    tricks: list[Trick] = []
    taken = [0, 0]
    while any(left) and max(taken) < rules.tricks_to_end:
        trick = _trick(contract, left, playing_order(rules, seats, leads), not tricks, who, chance)
        tricks.append(trick)
        leads = trick.winner
        taken[leads % 2] += 1
    winner = taken.index(max(taken))
    return CardRound(hands, schlag, trumpf, tuple(tricks), winner, taken[winner])


def _trick(
    contract: Contract,
    left: list[list[str]],
    seats: tuple[int, ...],
    first: bool,
    who: Roles,
    chance: Random,
) -> Trick:
    """Play one trick; the cards are removed from the hands."""
    table: list[str] = []
    for seat in seats:
        card = _choose(
            contract,
            contract.legal(
                left[seat],
                table,
                first_trick=first,
                partner_led=len(table) == 2,
                announced=seat in (who.schlag, who.trumpf),
            ),
            table,
            first,
            chance,
        )
        left[seat].remove(card)
        table.append(card)
    return Trick(seats, tuple(table), seats[contract.winner(table, first)])


def _choose(
    contract: Contract, cards: Sequence[str], table: Sequence[str], first: bool, chance: Random
) -> str:
    """A card, mostly one that wins the trick from the other side."""
    winning = [c for c in cards if contract.winner([*table, c], first) == len(table)]
    partner_has_it = len(table) > 1 and contract.winner(table, first) == len(table) - 2
    if winning and not partner_has_it and chance.random() < 0.8:
        return chance.choice(winning)
    return chance.choice(list(cards))
