"""The seats that cut, deal, announce and lead, and those that may keep a card found at the cut.

Seats are numbered clockwise from 0, as in `State.seats`. `round_lifecycle.py` passes the deal on;
after a penalty, `event_types/penalties.py` decides whether it does.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class SeatRoles:
    dealer: int
    cutter: int
    schlag_announcer: int
    """The seat that names the Schlag and leads (O-16, O-37)."""
    trumpf_announcer: int


def _step_to_next_seat(rules: RuleSet) -> int:
    return 1 if rules.direction == "cw" else -1


def roles(rules: RuleSet, seats: int, dealer: int, swapped: bool = False) -> SeatRoles:
    """The roles of each seat when `dealer` deals.

    The next seat in turn names the Schlag, the previous one cuts (O-09, E-05, F-14). After a
    Schlagtausch the two announcers swap roles, and the dealer names the Schlag and leads (O-24,
    E-17, I-26).

    >>> from scorer.engine import rules_of
    >>> roles(rules_of("oberoesterreich"), 4, dealer=0)
    SeatRoles(dealer=0, cutter=3, schlag_announcer=1, trumpf_announcer=0)
    >>> roles(rules_of("trentino"), 4, dealer=0, swapped=True)
    SeatRoles(dealer=0, cutter=1, schlag_announcer=0, trumpf_announcer=3)
    """
    step = _step_to_next_seat(rules)
    forehand = (dealer + step) % seats
    schlag, trumpf = (dealer, forehand) if swapped else (forehand, dealer)
    return SeatRoles(dealer, (dealer - step) % seats, schlag, trumpf)


def playing_order(rules: RuleSet, seats: int, leader: int) -> tuple[int, ...]:
    """The seats in playing order when the seat `leader` leads (O-38, I-08).

    >>> from scorer.engine import rules_of
    >>> playing_order(rules_of("trentino"), 4, 1)
    (1, 0, 3, 2)
    """
    return tuple((leader + place * _step_to_next_seat(rules)) % seats for place in range(seats))


def next_dealer(rules: RuleSet, seats: int, dealer: int) -> int:
    """The seat that deals the next round (O-14, E-15).

    >>> from scorer.engine import rules_of
    >>> next_dealer(rules_of("trentino"), 4, 0)
    3
    """
    return (dealer + _step_to_next_seat(rules)) % seats


def side_sitting_out(rules: RuleSet, sides: int, dealing_side: int) -> int:
    """Of three sides, the one that dealt last sits out (R1b).

    >>> from scorer.engine import rules_of
    >>> [side_sitting_out(rules_of("oberoesterreich"), 3, side) for side in range(3)]
    [2, 0, 1]
    >>> [side_sitting_out(rules_of("trentino"), 3, side) for side in range(3)]
    [1, 2, 0]
    """
    return (dealing_side - _step_to_next_seat(rules)) % sides


def keepers(rules: RuleSet) -> tuple[str, ...]:
    """The roles that may keep a Kritischer found at the cut (B-06 to B-08, V8).

    The first role keeps the first critical card, the second the next, and so on.

    >>> from scorer.engine import rules_of
    >>> keepers(rules_of("bayern")), keepers(rules_of("suedtirol"))
    (('cutter', 'dealer', 'cutter'), ())
    """
    if not rules.cut_keep or rules.variant not in rules.critical_variants:
        return ()
    return tuple("dealer" if index % 2 else "cutter" for index in range(len(rules.critical_cards)))


def redeals_all_hands(rules: RuleSet, accepted: int) -> bool:
    """Whether this accepted request for better cards redeals all four hands (E-20, W14).

    :param accepted: requests accepted in this deal, including this one

    >>> from scorer.engine import rules_of
    >>> [redeals_all_hands(rules_of("suedtirol"), n) for n in (1, 2, 3, 4)]
    [False, False, True, False]
    """
    redeal_count = rules.schoenere_all_at
    return redeal_count is not None and accepted % redeal_count == 0
