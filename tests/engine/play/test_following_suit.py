"""Which cards must be answered and by which: rulings U10 and U12, in every variant."""

from itertools import product

import pytest

from scorer.engine import REGIONS, Contract, judge, rules_of, with_switches
from scorer.engine.rules.cards import SCHLAEGE, SUITS, WELI, suit

OOE = "oberoesterreich"
RULES = [
    with_switches(rules_of(name), {}, variant)
    for name in REGIONS
    for variant in rules_of(name).variants
]
NAMES = [f"{rules.id}-{rules.variant}" for rules in RULES]
KRITISCH = rules_of(OOE).critical_variants
WANDER = rules_of(OOE).guter_variants
HIGH = ("kritischer", "guter", "rechter")


def contract(variant, schlag, trumpf, region=OOE, **switches):
    return Contract(with_switches(rules_of(region), switches, variant), schlag, trumpf)


def plain_hand(found):
    """A small trump and a card that satisfies no duty, under any contract."""
    cards = [card for card in found.pack if card != WELI]
    trump = next(c for c in reversed(cards) if found.kind(c) == "trumpf")
    return trump, next(c for c in cards if found.kind(c) == "unfarbe")


def frees(found, lead):
    """Whether a trump and a plain card are both free once `lead` was led to the first trick."""
    hand = plain_hand(found)
    return found.legal(hand, [lead], first_trick=True) == hand


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_led_rechter_demands_trump(rules):
    for schlag, trumpf in product(SCHLAEGE if rules.deck == 33 else SCHLAEGE[:-1], SUITS):
        found = Contract(rules, schlag, trumpf)
        hand = plain_hand(found) if not found.only_weli_is_strong else ("H7", "LA")
        legal = found.legal(hand, [found.rechter], first_trick=True)
        # In France a trump that cannot beat it is free. A Weli as Schlag in Trentino has no trumps.
        if rules.follow_overtrump or found.only_weli_is_strong:
            assert legal == hand
        else:
            assert legal == hand[:1], (schlag, trumpf)


@pytest.mark.parametrize("variant", KRITISCH)
@pytest.mark.parametrize(("schlag", "trumpf"), [("K", "H"), ("7", "E"), ("6", "S"), ("6", "L")])
def test_rechter_as_kritischer_demands_trump(variant, schlag, trumpf):
    found = contract(variant, schlag, trumpf)
    assert found.kind(found.rechter) == "kritischer"
    assert not frees(found, found.rechter)


@pytest.mark.parametrize("rules", [r for r in RULES if r.deck == 33], ids=lambda r: r.variant)
def test_weli_as_schlag_demands_trump(rules):
    answer = judge(
        {"ask": "legal", "rules": rules.id, "variant": rules.variant, "schlag": "6", "trumpf": "H"}
        | {"table": ["S6"], "hand": ["H9", "LA"]}
    )
    assert answer["legal"] == (["H9", "LA"] if rules.weli_schlag == "alone" else ["H9"])


@pytest.mark.parametrize("variant", KRITISCH)
@pytest.mark.parametrize(("lead", "trumpf"), [("HK", "H"), ("E7", "E"), ("S6", "S")])
def test_led_kritischer_demands_trump_only_by_switch(variant, lead, trumpf):
    assert frees(contract(variant, "9", trumpf), lead)
    assert not frees(contract(variant, "9", trumpf, critical_demands=True), lead)
    other = next(farbe for farbe in SUITS if farbe != trumpf)
    assert frees(contract(variant, "9", other, critical_demands=True), lead)


@pytest.mark.parametrize("variant", WANDER)
def test_led_wander_kritt_demands_trump_only_by_switch(variant):
    assert frees(contract(variant, "8", "H"), "H9")
    assert not frees(contract(variant, "8", "H", critical_demands=True), "H9")


EXEMPTIONS = [
    # exemption, schlag, trump, lead, hand, legal
    ([], "8", "H", "HA", "H8 SA", "H8"),  # the Rechter, alone
    ([], "8", "H", "HA", "H8 H7 SA", "H8 H7"),  # beside a trump, never forbidden
    (["rechter"], "8", "H", "HA", "H8 SA", "H8 SA"),
    (["kritischer", "guter"], "8", "H", "HA", "H8 SA", "H8"),
    ([], "8", "S", "SA", "S8 H7", "S8"),
]
CRITICAL_EXEMPTIONS = [
    (["rechter"], "8", "H", "HA", "HK SA", "HK"),
    (["rechter"], "8", "H", "HA", "HK H7 SA", "HK H7"),
    ([], "8", "E", "EA", "E7 LA", "E7"),
    ([], "8", "S", "SA", "S6 LA", "S6"),
    # A Kritischer of another suit is no trump, so it may but need not be played.
    (["rechter"], "8", "H", "HA", "S6 LA", "S6 LA"),
    ([], "8", "H", "HA", "E7 H7 LA", "E7 H7"),
    # A card of two kinds is exempt if one of them is exempt.
    (["rechter"], "K", "H", "H9", "HK SA", "HK SA"),
    ([], "K", "H", "H9", "HK SA", "HK"),
    ([], "6", "H", "HA", "S6 LA", "S6"),  # the Weli as Rechter is a trump
]


@pytest.mark.parametrize(("exempt", "schlag", "trumpf", "lead", "hand", "legal"), EXEMPTIONS)
@pytest.mark.parametrize("variant", rules_of(OOE).variants)
def test_high_trump_must_be_played_unless_exempt(
    variant, exempt, schlag, trumpf, lead, hand, legal
):
    found = contract(variant, schlag, trumpf, follow_exempt=exempt)
    assert found.legal(hand.split(), [lead]) == tuple(legal.split())


@pytest.mark.parametrize(
    ("exempt", "schlag", "trumpf", "lead", "hand", "legal"), CRITICAL_EXEMPTIONS
)
@pytest.mark.parametrize("variant", KRITISCH)
def test_kritischer_must_be_played_unless_exempt(
    variant, exempt, schlag, trumpf, lead, hand, legal
):
    found = contract(variant, schlag, trumpf, follow_exempt=exempt)
    assert found.legal(hand.split(), [lead]) == tuple(legal.split())


@pytest.mark.parametrize("variant", WANDER)
@pytest.mark.parametrize(("exempt", "legal"), [([], "H9"), (["rechter"], "H9"), (None, "H9 SA")])
def test_wander_kritt_must_be_played_unless_exempt(variant, exempt, legal):
    switches = {} if exempt is None else {"follow_exempt": exempt}
    found = contract(variant, "8", "H", **switches)
    assert found.legal(["H9", "SA"], ["HA"]) == tuple(legal.split())


@pytest.mark.parametrize("rules", [rules for rules in RULES if not rules.follow_overtrump])
@pytest.mark.parametrize("exempt", [[], ["rechter"], ["kritischer"], ["guter"], list(HIGH)])
def test_exemption_never_forbids_a_card(rules, exempt):
    # Where one must overtrump, that duty forbids a lower Kritischer.
    turned = with_switches(rules, {"follow_exempt": exempt})
    for schlag, trumpf in product(("8", "K", "7"), SUITS):
        found = Contract(turned, schlag, trumpf)
        lead = found.rechter
        trump, other = plain_hand(found)
        for card in found.pack:
            if card not in (lead, trump, other) and found.kind(card) in HIGH:
                assert card in found.legal([card, trump, other], [lead], first_trick=True)
                alone = found.legal([card, other], [lead], first_trick=True)
                bound = suit(card) == trumpf and found.kind(card) not in exempt
                assert not bound or alone == (card,)


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_o63_is_cited_only_for_blind_second_trick(rules):
    question = {"ask": "legal", "rules": rules.id, "variant": rules.variant}
    question |= {"schlag": "8", "trumpf": "H", "hand": ["H9", "LA"], "table": ["HA"]}
    is_blind = rules.id == OOE and rules.variant in rules.blind_variants
    cases = (({"second_trick": True}, is_blind), ({"first_trick": True}, False), ({}, False))
    for circumstances, expected in cases:
        cited = {reason["rule"] for reason in judge(question | circumstances)["because"]}
        assert ("O-63" in cited) is expected
    assert "O-63" not in str(judge(question | {"announced": False}))


OVERTAKE = [
    # table, hand, circumstances, legal without and with the switch
    ("H7", "H9 H10 SA", "", "H9 H10", "H9 H10"),
    ("H9", "H7 H10 SA", "", "H7 H10", "H10"),
    ("H9", "H7 SA", "", "H7", "H7"),  # cannot
    ("EA", "LA H7 E9", "", "LA H7 E9", "H7"),  # a plain lead too
    ("EA", "LA E9", "", "LA E9", "LA E9"),
    ("E10 EA", "EK H7", "partner", "EK H7", "H7"),
    ("H9", "HO H7", "", "HO H7", "HO H7"),  # I-28: the Rechten need never be played
    ("H9", "HO EO H7", "", "HO EO H7", "HO EO"),
]


@pytest.mark.parametrize(("table", "hand", "how", "without", "legal"), OVERTAKE)
@pytest.mark.parametrize("variant", rules_of("trentino").variants)
def test_trentino_overtaking_duty_follows_switch(variant, table, hand, how, without, legal):
    for turned, expected in ((False, without), (True, legal)):
        found = contract(variant, "O", "H", "trentino", overtake=turned)
        allowed = found.legal(hand.split(), table.split(), partner_led="partner" in how)
        assert allowed == tuple(expected.split())
    blind = contract("blind", "O", "H", "trentino", overtake=True)
    assert blind.legal(hand.split(), table.split(), announced=False) == tuple(hand.split())


def test_overtaking_duty_cites_the_house_rule():
    question = {"ask": "legal", "rules": "trentino", "schlag": "O", "trumpf": "H"}
    question |= {"table": ["H9"], "hand": ["H7", "H10"], "set": {"overtake": True}}
    [reason] = judge(question)["because"]
    assert reason["rule"] == ""
    assert "overtake = true" in reason["text"]


@pytest.mark.parametrize("opening", [True, False])
def test_french_duty_beyond_first_trick_follows_switch(opening):
    hand, lead = ["HA", "SA"], ["HU"]
    found = contract(None, "U", "H", "frankreich", follow_first_only=opening)
    switches = {"follow_first_only": opening, "follow_overtrump": "or-trump"}
    strict = contract(None, "U", "H", "frankreich", **switches)
    assert found.legal(["HK", "SA"], lead, first_trick=True) == ("HK",)
    assert strict.legal(hand, lead, first_trick=True) == ("HA",)
    assert found.legal(["HK", "SA"], lead) == (("HK", "SA") if opening else ("HK",))
    assert strict.legal(hand, lead) == (tuple(hand) if opening else ("HA",))
