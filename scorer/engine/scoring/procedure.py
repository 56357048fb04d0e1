"""Who cuts, deals, announces and leads; better cards, and the card found at the cut.

Seats are numbered clockwise from 0, as in `State.seats`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorer.engine.rules.cards import RANKS, rank
from scorer.engine.rules.ruleset import RuleSet

_HEIGHTS: Final = {name: at for at, name in enumerate(reversed((*RANKS, "6")))}


@dataclass(frozen=True, slots=True)
class Roles:
    """The seats of one deal."""

    deals: int
    cuts: int
    schlag: int
    """Names the Schlag, and leads (O-16, O-37)."""
    trumpf: int
    """Names the trump (O-17)."""


def _turn(rules: RuleSet) -> int:
    return 1 if rules.direction == "cw" else -1


def roles(rules: RuleSet, seats: int, dealer: int, swapped: bool = False) -> Roles:
    """Who does what when `dealer` deals to so many `seats`.

    The Schlag is named by the next player in turn, the cut is the one before the dealer's
    (O-09, E-05, F-14). After a Schlagtausch the two announcers have changed roles, and the
    dealer, who then names the Schlag, leads (O-24, E-17, I-26).

    >>> from scorer.engine import load
    >>> roles(load("oberoesterreich"), 4, dealer=0)
    Roles(deals=0, cuts=3, schlag=1, trumpf=0)
    >>> roles(load("trentino"), 4, dealer=0, swapped=True)
    Roles(deals=0, cuts=1, schlag=0, trumpf=3)
    """
    turn = _turn(rules)
    forehand = (dealer + turn) % seats
    schlag, trumpf = (dealer, forehand) if swapped else (forehand, dealer)
    return Roles(dealer, (dealer - turn) % seats, schlag, trumpf)


def order(rules: RuleSet, seats: int, leads: int) -> tuple[int, ...]:
    """The seats in the order in which they play when `leads` leads (O-38, I-08).

    >>> from scorer.engine import load
    >>> order(load("trentino"), 4, 1)
    (1, 0, 3, 2)
    """
    return tuple((leads + n * _turn(rules)) % seats for n in range(seats))


def next_dealer(rules: RuleSet, seats: int, dealer: int) -> int:
    """Who deals the next round (O-14, E-15).

    >>> from scorer.engine import load
    >>> next_dealer(load("trentino"), 4, 0)
    3
    """
    return (dealer + _turn(rules)) % seats


def sits_out(rules: RuleSet, sides: int, dealer: int) -> int:
    """Which of three sides sits out while `dealer` deals: the one that dealt last (R1b).

    >>> from scorer.engine import load
    >>> [sits_out(load("oberoesterreich"), 3, side) for side in range(3)]
    [2, 0, 1]
    >>> [sits_out(load("trentino"), 3, side) for side in range(3)]
    [1, 2, 0]
    """
    return (dealer - _turn(rules)) % sides


def first_dealer(rules: RuleSet, cut: Sequence[str]) -> int | None:
    """Whose cut card deals first, or None where the cards are equal: cut again (O-08, U20).

    :param cut: a card a cutter

    >>> from scorer.engine import load
    >>> first_dealer(load("oberoesterreich"), ["H9", "EK"])
    1
    >>> first_dealer(load("trentino"), ["H9", "EK"])
    0
    """
    heights = [_HEIGHTS[rank(card)] for card in cut]
    best = max(heights) if rules.first_dealer == "high" else min(heights)
    return heights.index(best) if heights.count(best) == 1 else None


def keepers(rules: RuleSet) -> tuple[str, ...]:
    """Who may keep a Kritischer found at the cut, in turn, as names of `Roles` (B-06 to B-08, V8).

    >>> from scorer.engine import load
    >>> keepers(load("bayern")), keepers(load("suedtirol"))
    (('cuts', 'deals', 'cuts'), ())
    """
    if not rules.cut_keep or rules.variant not in rules.critical_variants:
        return ()
    return tuple("deals" if at % 2 else "cuts" for at in range(len(rules.critical_cards)))


def kept_at_cut(rules: RuleSet, stock: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The Kritische that cutter and dealer may keep, in turn, until one finds none (V8, Y6).

    :param stock: the cards as they are cut, one after another

    >>> from scorer.engine import load
    >>> kept_at_cut(load("bayern"), ["S7", "HK", "EA"])
    {'cuts': ('S7',), 'deals': ('HK',)}
    """
    found: dict[str, tuple[str, ...]] = {"cuts": (), "deals": ()}
    for who, card in zip(keepers(rules), stock, strict=False):
        if card not in rules.critical_cards:
            break
        found[who] += (card,)
    return found


def packets(rules: RuleSet, held: int = 0) -> tuple[tuple[int, ...], ...]:
    """The ways in which a hand may be dealt out (O-12, I-09, F-15), none where nothing is said.

    :param held: how many cards its player kept at the cut; after one, the rest comes in twos (F-19)

    >>> from scorer.engine import load
    >>> packets(load("oberoesterreich"))
    ((3, 2), (2, 3))
    >>> packets(load("frankreich")), packets(load("frankreich"), held=1)
    (((3, 2),), ((2, 2),))
    """
    ways = [tuple(map(int, way.split("+"))) for way in rules.packets]
    fewer = [tuple(size for size in (way[0] - held, *way[1:]) if size) for way in ways]
    return tuple(way for way in fewer if max(way) <= 3 - bool(held))


def all_redeal(rules: RuleSet, accepted: int) -> bool:
    """Whether this accepted request for better cards gives all four new ones (E-20, W14).

    :param accepted: how many were accepted in this deal, this one among them

    >>> from scorer.engine import load
    >>> [all_redeal(load("suedtirol"), n) for n in (1, 2, 3, 4)]
    [False, False, True, False]
    """
    at = rules.schoenere_all_at
    return at is not None and accepted % at == 0
