"""Who cuts, deals, announces and leads; better cards, and the card found at the cut.

Seats are numbered clockwise from 0, as in `State.seats`.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.rules.ruleset import RuleSet


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


def keepers(rules: RuleSet) -> tuple[str, ...]:
    """Who may keep a Kritischer found at the cut, in turn, as names of `Roles` (B-06 to B-08, V8).

    >>> from scorer.engine import load
    >>> keepers(load("bayern")), keepers(load("suedtirol"))
    (('cuts', 'deals', 'cuts'), ())
    """
    if not rules.cut_keep or rules.variant not in rules.critical_variants:
        return ()
    return tuple("deals" if at % 2 else "cuts" for at in range(len(rules.critical_cards)))


def all_redeal(rules: RuleSet, accepted: int) -> bool:
    """Whether this accepted request for better cards gives all four new ones (E-20, W14).

    :param accepted: how many were accepted in this deal, this one among them

    >>> from scorer.engine import load
    >>> [all_redeal(load("suedtirol"), n) for n in (1, 2, 3, 4)]
    [False, False, True, False]
    """
    at = rules.schoenere_all_at
    return at is not None and accepted % at == 0
