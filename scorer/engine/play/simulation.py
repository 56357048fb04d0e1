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
from scorer.engine.scoring.seat_roles import SeatRoles, playing_order, roles

HAND_SIZE: Final = 5


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


def deal(rules: RuleSet, seats: int, random: Random) -> tuple[tuple[str, ...], ...]:
    """Five cards per seat from a shuffled pack.

    >>> from scorer.engine import rules_of
    >>> [len(hand) for hand in deal(rules_of("bayern"), 4, Random(1))]
    [5, 5, 5, 5]
    """
    cards = list(pack(rules.deck))
    random.shuffle(cards)
    return tuple(tuple(cards[seat * HAND_SIZE : (seat + 1) * HAND_SIZE]) for seat in range(seats))


def announce(
    rules: RuleSet, schlag_hand: Sequence[str], trumpf_hand: Sequence[str]
) -> tuple[str, str]:
    """A plausible announcement: the rank and the suit of which each announcer holds most.

    :param schlag_hand: the hand of the player naming the Schlag
    :param trumpf_hand: the hand of the player naming the trump

    >>> from scorer.engine import rules_of
    >>> announce(rules_of("bayern"), ["E8", "S8", "HK", "L9", "LA"], ["H7", "H9", "SK", "EA", "LU"])
    ('8', 'H')
    """
    ranks = [rank(card) for card in schlag_hand if card != WELI or rules.weli_schlag != "alone"]
    suits = [suit(card) for card in trumpf_hand if card != WELI or rules.weli != "trump"]
    best = max(ranks, key=lambda candidate: (ranks.count(candidate), -SCHLAEGE.index(candidate)))
    return best, max(SUITS, key=suits.count)


def play(
    rules: RuleSet,
    random: Random,
    dealer: int = 0,
    seats: int = 4,
    hands: tuple[tuple[str, ...], ...] | None = None,
) -> CardRound:
    """Play a round to its last trick (O-39, F-38), choosing among the legal cards.

    :param hands: given hands instead of a deal

    >>> from scorer.engine import rules_of
    >>> played = play(rules_of("bayern"), Random(1))
    >>> played.taken, len(played.tricks) <= 5
    (3, True)
    """
    seat_roles = roles(rules, seats, dealer)
    hands = hands or deal(rules, seats, random)
    schlag, trumpf = announce(
        rules, hands[seat_roles.schlag_announcer], hands[seat_roles.trumpf_announcer]
    )
    contract = Contract(rules, schlag, trumpf)
    hands_left, leader = [list(hand) for hand in hands], seat_roles.schlag_announcer
    tricks: list[Trick] = []
    tricks_won = [0, 0]
    while any(hands_left) and max(tricks_won) < rules.tricks_to_end:
        trick = _trick(
            contract,
            hands_left,
            playing_order(rules, seats, leader),
            not tricks,
            seat_roles,
            random,
        )
        tricks.append(trick)
        leader = trick.winner
        tricks_won[leader % 2] += 1
    winner = tricks_won.index(max(tricks_won))
    return CardRound(hands, schlag, trumpf, tuple(tricks), winner, tricks_won[winner])


def _trick(
    contract: Contract,
    hands_left: list[list[str]],
    seats: tuple[int, ...],
    is_first: bool,
    seat_roles: SeatRoles,
    random: Random,
) -> Trick:
    """Play one trick; the cards are removed from the hands."""
    table: list[str] = []
    for seat in seats:
        card = _choose(
            contract,
            contract.legal(
                hands_left[seat],
                table,
                first_trick=is_first,
                partner_led=len(table) == 2,
                announced=seat in (seat_roles.schlag_announcer, seat_roles.trumpf_announcer),
            ),
            table,
            is_first,
            random,
        )
        hands_left[seat].remove(card)
        table.append(card)
    return Trick(seats, tuple(table), seats[contract.winner(table, is_first)])


def _choose(
    contract: Contract, cards: Sequence[str], table: Sequence[str], is_first: bool, random: Random
) -> str:
    """A card, mostly one that wins the trick from the other side."""
    winning_cards = [
        card for card in cards if contract.winner([*table, card], is_first) == len(table)
    ]
    partner_wins = len(table) > 1 and contract.winner(table, is_first) == len(table) - 2
    if winning_cards and not partner_wins and random.random() < 0.8:
        return random.choice(winning_cards)
    return random.choice(list(cards))
