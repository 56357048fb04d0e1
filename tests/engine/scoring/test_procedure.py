"""Who does what: every seat, both directions, two to four players."""

import pytest

from scorer.engine import load
from scorer.engine.scoring.procedure import (
    all_redeal,
    first_dealer,
    kept_at_cut,
    next_dealer,
    order,
    roles,
)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("region", ["oberoesterreich", "suedtirol", "trentino", "frankreich"])
def test_roles_follow_the_deal_round_the_table(region, seats):
    rules = load(region)
    for dealer in range(seats):
        who = roles(rules, seats, dealer)
        swapped = roles(rules, seats, dealer, swapped=True)
        assert (swapped.schlag, swapped.trumpf) == (who.trumpf, who.schlag)
        assert (swapped.deals, swapped.cuts) == (who.deals, who.cuts)
        assert who.schlag == next_dealer(rules, seats, dealer) != dealer
        assert next_dealer(rules, seats, who.cuts) == dealer
        played = order(rules, seats, who.schlag)
        assert sorted(played) == list(range(seats))
        assert played[-1] == dealer


def test_the_trentino_deals_the_other_way():
    assert roles(load("trentino"), 4, 0).schlag == 3
    assert roles(load("suedtirol"), 4, 0).schlag == 1


@pytest.mark.parametrize(
    ("region", "cut", "dealer"),
    [
        ("oberoesterreich", ["HA", "HK"], 0),
        ("oberoesterreich", ["S6", "H7"], 1),
        ("oberoesterreich", ["HA", "SA"], None),
        ("suedtirol", ["H7", "HA", "H8", "HO"], 1),
        ("trentino", ["HA", "S6"], 1),
        ("frankreich", ["HA", "H7", "E8", "L9"], 1),
        ("frankreich", ["HA", "H7", "E7", "L9"], None),
    ],
)
def test_who_deals_first(region, cut, dealer):
    assert first_dealer(load(region), cut) == dealer


@pytest.mark.parametrize(
    ("region", "stock", "cuts", "deals"),
    [
        ("bayern", ["HA", "HK"], (), ()),
        ("bayern", ["HK", "HA", "S7"], ("HK",), ()),
        ("bayern", ["HK", "S7", "E7"], ("HK", "E7"), ("S7",)),
        ("bayern", ["E7", "S7", "HK", "HA"], ("E7", "HK"), ("S7",)),
        ("frankreich", ["S7", "E7", "HA"], ("S7",), ("E7",)),
        ("oberoesterreich", ["HK", "S6"], (), ()),
    ],
)
def test_what_may_be_kept_at_the_cut(region, stock, cuts, deals):
    assert kept_at_cut(load(region), stock) == {"cuts": cuts, "deals": deals}


def test_the_third_request_gives_all_new_cards_only_where_the_rules_say():
    assert [all_redeal(load("suedtirol"), n) for n in range(1, 7)] == [0, 0, 1, 0, 0, 1]
    assert not any(all_redeal(load("oberoesterreich"), n) for n in range(1, 7))
