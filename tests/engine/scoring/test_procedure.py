"""Who does what: every seat, both directions, two to four players."""

import pytest

from scorer.engine import load
from scorer.engine.scoring.procedure import all_redeal, next_dealer, order, roles


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


def test_the_third_request_gives_all_new_cards_only_where_the_rules_say():
    assert [all_redeal(load("suedtirol"), n) for n in range(1, 7)] == [0, 0, 1, 0, 0, 1]
    assert not any(all_redeal(load("oberoesterreich"), n) for n in range(1, 7))
