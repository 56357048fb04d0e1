"""The order of the cards under every contract: laws, counts and examples."""

from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import REGIONS, Contract, Unreadable, house, load
from scorer.engine.rules.cards import KINDS, SCHLAEGE, SUITS, pack

RULES = [
    house(load(region), {}, variant) for region in REGIONS for variant in load(region).variants
]
NAMES = [f"{rules.id}-{rules.variant}" for rules in RULES]


def contracts(rules):
    """The contracts of every Schlag and trump that can be announced."""
    schlaege = SCHLAEGE if rules.deck == 33 else SCHLAEGE[:-1]
    return [Contract(rules, schlag, trumpf) for schlag, trumpf in product(schlaege, SUITS)]


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_only_linke_and_worthless_cards_share_a_rank(rules):
    for contract in contracts(rules):
        for order in {id(o): o for o in contract._order_of_first_trick.values()}.values():
            # Numbers always have a strict weak order. The test is which cards share a number.
            by_value = {}
            for card, value in order.items():
                by_value.setdefault(value, []).append(card)
            for value, cards in by_value.items():
                kinds = {contract.kind(card) for card in cards}
                assert value == 0 or len(cards) == 1 or kinds == {"linker"}


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_stronger_kind_of_card_always_wins(rules):
    for contract in contracts(rules):
        for first, second in product(contract.pack, repeat=2):
            ranks = [KINDS.index(contract.kind(card)) for card in (first, second)]
            if ranks[1] < ranks[0]:
                assert contract.winner([first, second]) == 1
            elif ranks[0] < ranks[1]:
                assert contract.winner([first, second]) == 0


# Over all contracts: how many cards are of each kind, and how often the second of two different
# cards takes the trick. A rule that changes any ranking changes these.
COUNTS = {
    ("oberoesterreich", "normal"): (0, 0, 36, 96, 264, 792, 13104),
    ("oberoesterreich", "zusammenschauen"): (0, 0, 36, 96, 264, 792, 13104),
    ("oberoesterreich", "deuten"): (0, 0, 36, 96, 264, 792, 13104),
    ("oberoesterreich", "kritisch"): (108, 0, 30, 90, 240, 720, 14122),
    ("oberoesterreich", "latinisch"): (0, 0, 36, 96, 264, 792, 13104),
    ("oberoesterreich", "kritisch-latinisch"): (108, 0, 30, 90, 240, 720, 14122),
    ("oberoesterreich", "kritisch-wander"): (108, 30, 30, 90, 210, 720, 14122),
    ("oberoesterreich", "kritisch-latinisch-wander"): (108, 30, 30, 90, 210, 720, 14122),
    ("oberoesterreich", "blind"): (0, 0, 36, 96, 264, 792, 13104),
    ("oberoesterreich", "schermberg"): (0, 0, 36, 96, 264, 792, 13104),
    ("bayern", "normal"): (96, 0, 29, 87, 203, 609, 11932),
    ("suedtirol", "blind"): (0, 32, 36, 96, 232, 792, 13104),
    ("trentino", "offen"): (0, 32, 36, 96, 224, 800, 12672),
    ("trentino", "blind"): (0, 32, 36, 96, 224, 800, 12672),
    ("frankreich", "normal"): (96, 0, 29, 87, 203, 609, 11932),
}


def count_kinds_and_wins(rules):
    kinds, wins = dict.fromkeys(KINDS, 0), 0
    for contract in contracts(rules):
        for card in contract.pack:
            kinds[contract.kind(card)] += 1
        wins += sum(
            contract.winner([first, second])
            for first, second in product(contract.pack, repeat=2)
            if first != second
        )
    return (*kinds.values(), wins)


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_card_kinds_and_wins_match_known_counts(rules):
    assert count_kinds_and_wins(rules) == COUNTS[rules.id, rules.variant]


# The number of legal cards over all contracts, leads, and hands that `count_legal_cards` makes.
DUTIES = {
    ("oberoesterreich", "normal"): 289208,
    ("oberoesterreich", "zusammenschauen"): 289208,
    ("oberoesterreich", "deuten"): 289208,
    ("oberoesterreich", "kritisch"): 292300,
    ("oberoesterreich", "latinisch"): 289208,
    ("oberoesterreich", "kritisch-latinisch"): 292300,
    ("oberoesterreich", "kritisch-wander"): 294992,
    ("oberoesterreich", "kritisch-latinisch-wander"): 294992,
    ("oberoesterreich", "blind"): 289208,
    ("oberoesterreich", "schermberg"): 289208,
    ("bayern", "normal"): 253043,
    ("suedtirol", "blind"): 287200,
    ("trentino", "offen"): 287052,
    ("trentino", "blind"): 287052,
    ("frankreich", "normal"): 253288,
}


def count_legal_cards(rules):
    """The number of legal cards in hands of a card and the one seven places later in the pack."""
    found = 0
    for contract in contracts(rules):
        for lead in contract.pack:
            rest = [card for card in contract.pack if card != lead]
            for at, card in enumerate(rest):
                hand = [card, rest[(at + 7) % len(rest)]]
                for first, partner in product((True, False), repeat=2):
                    cards = contract.legal(hand, [lead], first_trick=first, partner_led=partner)
                    found += len(cards)
    return found


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_legal_card_totals_match_known_counts(rules):
    assert count_legal_cards(rules) == DUTIES[rules.id, rules.variant]


@st.composite
def positions(draw):
    """A contract, a hand, a table and the circumstances."""
    rules = draw(st.sampled_from(RULES))
    schlag = draw(st.sampled_from(SCHLAEGE if rules.deck == 33 else SCHLAEGE[:-1]))
    contract = Contract(rules, schlag, draw(st.sampled_from(SUITS)))
    cards = draw(st.permutations(pack(rules.deck)))
    hand, table = cards[: draw(st.integers(1, 5))], cards[5 : 5 + draw(st.integers(0, 3))]
    flags = ("first_trick", "partner_led", "announced")
    return contract, hand, table, {name: draw(st.booleans()) for name in flags}


@given(positions())
def test_every_position_has_a_legal_card(position):
    contract, hand, table, flags = position
    allowed = contract.legal(hand, table, **flags)
    assert allowed
    assert list(allowed) == [card for card in hand if card in allowed]
    verdict = contract.judge_legal(hand, table, **flags)
    assert verdict.cards == allowed
    assert verdict.because


@given(positions())
def test_a_forbidden_card_changes_nothing_for_the_others(position):
    contract, hand, table, flags = position
    allowed = contract.legal(hand, table, **flags)
    for forbidden in {*hand} - {*allowed}:
        others = [card for card in hand if card != forbidden]
        assert contract.legal(others, table, **flags) == allowed


@given(positions())
def test_new_card_takes_trick_or_changes_nothing(position):
    contract, hand, table, flags = position
    cards = [*table, *hand][:4]
    for upto in range(1, len(cards)):
        before = contract.winner(cards[:upto], flags["first_trick"])
        after = contract.winner(cards[: upto + 1], flags["first_trick"])
        assert after in (before, upto)


@given(positions())
def test_unlimited_raise_on_last_card_is_allowed(position):
    contract, hand, table, _ = position
    allowed, because = contract.judge_raise(hand[0], table)
    assert because[0].rules
    if not table or not contract.rules.last_card:
        assert allowed


WINNERS = [
    # rules, variant, schlag, trump, first trick, cards, winner
    ("oberoesterreich", "normal", "6", "H", False, "S6 HA HK H7", 0),  # U12: the Rechter
    ("oberoesterreich", "normal", "6", "H", False, "SA S7 H7 EA", 2),  # U12: no Linke
    ("oberoesterreich", "normal", "9", "H", False, "S7 S6 L9 E9", 2),  # U11
    ("oberoesterreich", "normal", "9", "H", False, "S6 EA HK LA", 2),  # O-26d
    ("oberoesterreich", "kritisch", "K", "H", False, "S6 HK EK LK", 1),  # O-59, still Bascht
    ("oberoesterreich", "kritisch-wander", "O", "H", False, "HO HK EO S6", 1),  # U13
    ("oberoesterreich", "kritisch-wander", "8", "H", False, "H9 E7 H8 HA", 1),  # U13
    ("oberoesterreich", "kritisch-wander", "6", "H", False, "H7 HA E7 S6", 3),  # U13: no wander
    ("bayern", None, "K", "H", True, "HK E7 HA H9", 1),  # V4
    ("bayern", None, "7", "S", True, "S7 HK SA S9", 1),  # V4
    ("bayern", None, "K", "H", True, "HK EK HA H9", 0),  # V4: still over the Schläge
    ("bayern", None, "U", "H", False, "H7 L7 EU SU", 2),  # V6
    ("bayern", None, "7", "L", False, "H7 L7 E7 S7", 3),  # V3
    ("suedtirol", None, "A", "L", False, "LA L7 SA LK", 1),  # W6
    ("suedtirol", None, "6", "H", False, "HA S6 HK H7", 1),  # W6: the Rechter, no Guter
    ("suedtirol", None, "8", "E", False, "E8 E9 EA H8", 1),  # E-14a
    ("trentino", None, "A", "S", False, "SA S7 EA SK", 1),  # X10
    ("trentino", None, "9", "H", False, "S6 H7 EA LA", 1),  # X5
    ("trentino", None, "6", "H", False, "LA HA H7 LK", 0),  # X4
    ("frankreich", None, "K", "H", True, "HK S7 E7 LK", 0),  # Y13
    ("frankreich", None, "7", "H", False, "L7 H7 S7 E7", 2),  # F-08
    ("frankreich", None, "O", "L", False, "SO EO HO LA", 0),  # F-26
]


@pytest.mark.parametrize(("region", "variant", "schlag", "trumpf", "first", "cards", "at"), WINNERS)
def test_expected_card_takes_the_trick(region, variant, schlag, trumpf, first, cards, at):
    contract = Contract(house(load(region), {}, variant), schlag, trumpf)
    assert contract.winner(cards.split(), first) == at
    verdict = contract.judge_winner(cards.split(), first)
    assert verdict.cards == (cards.split()[at],)
    assert all(reason.rules for reason in verdict.because)


DUTY = [
    # rules, variant, schlag, trump, table, hand, circumstances, legal
    ("oberoesterreich", "normal", "8", "H", "H8", "H7 E8 SA", "", "H7"),  # O-32, U9
    ("oberoesterreich", "normal", "8", "S", "SA", "S6 EA", "", "S6"),  # O-30
    ("oberoesterreich", "normal", "6", "H", "S6", "H7 SA", "", "H7"),  # U12
    ("oberoesterreich", "normal", "6", "H", "SA", "H7 E9", "", "H7 E9"),  # O-35
    ("oberoesterreich", "kritisch", "8", "H", "HK", "H7 SA", "", "H7 SA"),  # U10: asks nothing
    ("oberoesterreich", "kritisch", "8", "H", "HA", "S6 LA", "", "S6 LA"),  # U10: never must
    ("oberoesterreich", "kritisch", "8", "H", "HA", "S6 H7 LA", "", "S6 H7"),  # U10: always may
    ("oberoesterreich", "kritisch-wander", "8", "H", "HA", "H9 LA", "", "H9 LA"),  # U10
    ("oberoesterreich", "kritisch-wander", "8", "H", "H9", "H7 LA", "", "H7 LA"),  # U10
    ("oberoesterreich", "latinisch", "8", "H", "HA", "H7 LA", "", "H7"),  # U14: the announcers
    ("oberoesterreich", "blind", "8", "H", "HA", "H7 LA", "unknowing", "H7 LA"),  # R3
    ("bayern", None, "U", "H", "HU", "EU SA", "first", "EU SA"),  # V5: a Schlag does not do
    ("bayern", None, "U", "H", "HU", "E7 SA", "first partner", "E7 SA"),  # V5
    ("bayern", None, "U", "H", "HU E7", "H8 SA", "first", "H8"),  # V5: the duty stays
    ("bayern", None, "K", "H", "HK", "H8 S7 SA", "first", "H8 S7"),  # B-21
    ("bayern", None, "U", "H", "HA", "H8 SA", "first", "H8 SA"),  # B-19: only the Haube
    ("suedtirol", None, "8", "H", "H9", "H7 E8", "", "H7"),  # W7: the Guter demands
    ("suedtirol", None, "8", "H", "HA", "H8 SA", "", "H8"),  # W7: the Rechter must
    ("suedtirol", None, "8", "H", "HA", "H7 SA", "unknowing", "H7 SA"),  # E-25
    ("trentino", "offen", "O", "H", "HK", "EO SA", "", "EO"),  # X6: a Blinden must
    ("trentino", "offen", "6", "H", "HA", "H7 SA", "", "H7 SA"),  # X4: no duty
    ("trentino", "blind", "O", "H", "H7", "H9 SA", "unknowing", "H9 SA"),  # I-35
    ("trentino", "offen", "O", "H", "H7", "HK HO", "", "HK HO"),  # I-28
    ("frankreich", None, "U", "L", "LU", "HK SA", "", "HK"),  # F-24
    ("frankreich", None, "U", "L", "LU S9", "E7 S7 LA", "", "E7 S7"),  # F-24
    ("frankreich", None, "U", "L", "LU L8", "L9 L7 SU", "", "L9 SU"),  # Y1: the one last played
    ("frankreich", None, "U", "L", "SU", "L9 HA", "", "L9 HA"),  # F-22
]


@pytest.mark.parametrize(
    ("region", "variant", "schlag", "trumpf", "table", "hand", "how", "legal"), DUTY
)
def test_follow_duties_allow_expected_cards(
    region, variant, schlag, trumpf, table, hand, how, legal
):
    contract = Contract(house(load(region), {}, variant), schlag, trumpf)
    allowed = contract.legal(
        hand.split(),
        table.split(),
        first_trick="first" in how,
        partner_led="partner" in how,
        announced="unknowing" not in how,
    )
    assert allowed == tuple(legal.split())


@pytest.mark.parametrize(
    ("region", "switches", "schlag", "table", "hand", "first", "legal"),
    [
        # U9: a table may let a Linker do.
        ("oberoesterreich", {"follow_answer": ["trumpf", "linker"]}, "8", "HA", "E8 SA", 0, "E8"),
        ("bayern", {"follow_lifted": True}, "U", "HU E7", "H8 SA", 1, "H8 SA"),  # V5
        ("frankreich", {"follow_overtrump": "or-trump"}, "U", "HU", "H8 SA", 0, "H8"),  # Y1
    ],
)
def test_house_rules_change_follow_duties(region, switches, schlag, table, hand, first, legal):
    contract = Contract(house(load(region), switches), schlag, "H")
    allowed = contract.legal(hand.split(), table.split(), first_trick=bool(first))
    assert allowed == tuple(legal.split())


RAISES = [
    ("oberoesterreich", "8", "E10", "E9", True),  # O-47: the suit led
    ("oberoesterreich", "8", "E10", "H7", True),  # a trump
    ("oberoesterreich", "8", "E10", "L8", True),  # a Schlag
    ("oberoesterreich", "8", "E10", "LA", False),
    ("oberoesterreich", "8", "H10", "LA", False),
    ("oberoesterreich", "8", "", "LA", True),  # U16: the leader is free
    ("trentino", "O", "E10", "E7", True),  # I-42: the suit led
    ("trentino", "O", "E10", "S6", True),  # the Weli is a trump
    ("trentino", "O", "E10", "LO", True),  # takes the trick
    ("trentino", "O", "EO", "LO", False),  # a Blinden that does not
    ("trentino", "6", "E10", "H7", False),  # X4: no trumps
    ("suedtirol", "8", "E10", "LA", True),
    ("bayern", "8", "E10", "LA", True),
    ("frankreich", "8", "E10", "LA", True),
]


@pytest.mark.parametrize(("region", "schlag", "table", "card", "allowed"), RAISES)
def test_last_card_raise_follows_regional_rules(region, schlag, table, card, allowed):
    contract = Contract(load(region), schlag, "H")
    assert contract.judge_raise(card, table.split())[0] is allowed


def test_upper_austrian_example_gives_known_winners():
    contract = Contract(load("oberoesterreich"), "8", "H")
    assert contract.winner(["SK", "H9", "HU", "HO"], first_trick=True) == 3
    assert contract.winner(["LK", "LA", "S7", "E7"]) == 1


def test_bavarian_example_gives_known_ranking():
    # Hans names the Unter, Sepp hearts.
    contract = Contract(load("bayern"), "U", "H")
    ranking = ["HK", "S7", "E7", "HU", "EU", "HA", "HO", "H10", "H7"]
    for stronger, weaker in pairwise(ranking):
        assert contract.winner([weaker, stronger]) == 1
    assert contract.winner(["S9", "SO"]) == 1
    assert contract.winner(["S9", "EA"]) == 0


@pytest.mark.parametrize(
    ("region", "schlag", "trumpf", "where"),
    [
        ("bayern", "6", "H", "schlag"),
        ("bayern", "5", "H", "schlag"),
        ("trentino", "8", "X", "trumpf"),
    ],
)
def test_impossible_announcement_is_refused(region, schlag, trumpf, where):
    with pytest.raises(Unreadable) as caught:
        Contract(load(region), schlag, trumpf)
    assert caught.value.where == where
