"""The order of the cards under every contract: laws, counts and examples."""

from itertools import pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import REGIONS, Contract, Unreadable, rules_of, with_switches
from scorer.engine.rules.cards import KINDS, SCHLAEGE, SUITS, pack
from tests.sampling import mostly_slow

RULES = [
    with_switches(rules_of(name), {}, variant)
    for name in REGIONS
    for variant in rules_of(name).variants
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
            for value in {*order.values()} - {0}:
                kinds = [contract.kind(card) for card in order if order[card] == value]
                assert len(kinds) == 1 or {*kinds} == {"linker"}


@pytest.mark.parametrize("rules", mostly_slow(RULES, 5), ids=NAMES)
def test_stronger_kind_of_card_always_wins(rules):
    for contract in contracts(rules):
        for first, second in product(contract.pack, repeat=2):
            ranks = [KINDS.index(contract.kind(card)) for card in (first, second)]
            if ranks[0] != ranks[1]:
                assert contract.winner([first, second]) == (ranks[1] < ranks[0])


# Over all contracts: how many cards are of each kind, how often the second of two different cards
# takes the trick, and how many cards are legal in the hands that `count_legal_cards` makes. A rule
# that changes any ranking or duty changes these.
PLAIN = (0, 0, 36, 96, 264, 792, 13104), 289208
KRITISCH = (108, 0, 30, 90, 240, 720, 14122), 292300
WANDER = (108, 30, 30, 90, 210, 720, 14122), 294992
UPPER_AUSTRIAN = {"kritisch": KRITISCH, "kritisch-latinisch": KRITISCH}
UPPER_AUSTRIAN |= {"kritisch-wander": WANDER, "kritisch-latinisch-wander": WANDER}
REGIONAL = {
    "bayern": ((96, 0, 29, 87, 203, 609, 11932), 253043),
    "suedtirol": ((0, 32, 36, 96, 232, 792, 13104), 287200),
    "trentino": ((0, 32, 36, 96, 224, 800, 12672), 287052),
    "frankreich": ((96, 0, 29, 87, 203, 609, 11932), 253288),
}


def count_kinds_and_wins(rules):
    kinds, wins = dict.fromkeys(KINDS, 0), 0
    for contract in contracts(rules):
        for card in contract.pack:
            kinds[contract.kind(card)] += 1
        wins += sum(contract.winner([*two]) for two in permutations(contract.pack, 2))
    return (*kinds.values(), wins)


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


@pytest.mark.parametrize("rules", mostly_slow(RULES, 5), ids=NAMES)
def test_wins_and_legal_cards_match_known_counts(rules):
    counts = REGIONAL.get(rules.id) or UPPER_AUSTRIAN.get(rules.variant, PLAIN)
    assert (count_kinds_and_wins(rules), count_legal_cards(rules)) == counts


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
    # A forbidden card changes nothing for the others.
    for forbidden in {*hand} - {*allowed}:
        others = [card for card in hand if card != forbidden]
        assert contract.legal(others, table, **flags) == allowed


@given(positions())
def test_new_card_takes_trick_or_changes_nothing(position):
    contract, hand, table, flags = position
    cards = [*table, *hand][:4]
    for upto in range(1, len(cards)):
        before = contract.winner(cards[:upto], flags["first_trick"])
        assert contract.winner(cards[: upto + 1], flags["first_trick"]) in (before, upto)


@given(positions())
def test_unlimited_raise_on_last_card_is_allowed(position):
    contract, hand, table, _ = position
    allowed, because = contract.judge_raise(hand[0], table)
    assert because[0].rule_ids
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
    contract = Contract(with_switches(rules_of(region), {}, variant), schlag, trumpf)
    assert contract.winner(cards.split(), first) == at
    verdict = contract.judge_winner(cards.split(), first)
    assert verdict.cards == (cards.split()[at],)
    assert all(reason.rule_ids for reason in verdict.because)


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
    contract = Contract(with_switches(rules_of(region), {}, variant), schlag, trumpf)
    flags = {"first_trick": "first" in how, "partner_led": "partner" in how}
    flags["announced"] = "unknowing" not in how
    assert contract.legal(hand.split(), table.split(), **flags) == tuple(legal.split())


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
    contract = Contract(with_switches(rules_of(region), switches), schlag, "H")
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
    assert Contract(rules_of(region), schlag, "H").judge_raise(card, table.split())[0] is allowed


def test_upper_austrian_example_gives_known_winners():
    contract = Contract(rules_of("oberoesterreich"), "8", "H")
    assert contract.winner(["SK", "H9", "HU", "HO"], first_trick=True) == 3
    assert contract.winner(["LK", "LA", "S7", "E7"]) == 1


def test_bavarian_example_gives_known_ranking():
    # Hans names the Unter, Sepp hearts.
    contract = Contract(rules_of("bayern"), "U", "H")
    for stronger, weaker in pairwise(["HK", "S7", "E7", "HU", "EU", "HA", "HO", "H10", "H7"]):
        assert contract.winner([weaker, stronger]) == 1
    assert contract.winner(["S9", "SO"]) == 1
    assert contract.winner(["S9", "EA"]) == 0


@pytest.mark.parametrize(
    ("region", "announced", "where"),
    [("bayern", "6H", "schlag"), ("bayern", "5H", "schlag"), ("trentino", "8X", "trumpf")],
)
def test_impossible_announcement_is_refused(region, announced, where):
    with pytest.raises(Unreadable) as caught:
        Contract(rules_of(region), *announced)
    assert caught.value.where == where
