"""Simulated rounds are legal rounds."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import REGIONS, Contract, rules_of, with_switches
from scorer.engine.play.simulation import play
from scorer.engine.rules.cards import pack
from scorer.engine.scoring.seat_roles import playing_order, roles

RULES = [
    with_switches(rules_of(name), {}, variant)
    for name in REGIONS
    for variant in rules_of(name).variants
]
seeds = st.integers(0, 2**32)


@given(st.sampled_from(RULES), seeds, st.integers(0, 3))
def test_simulated_round_follows_the_rules(rules, seed, dealer):
    played = play(rules, Random(seed), dealer)
    dealt = [card for hand in played.hands for card in hand]
    assert len(set(dealt)) == 20
    assert set(dealt) <= set(pack(rules.deck))
    contract = Contract(rules, played.schlag, played.trumpf)
    who = roles(rules, 4, dealer)
    left, leads, taken = [set(hand) for hand in played.hands], who.schlag_announcer, [0, 0]
    for number, trick in enumerate(played.tricks):
        assert max(taken) < rules.tricks_to_end
        assert trick.seats == playing_order(rules, 4, leads)
        for at, (seat, card) in enumerate(zip(trick.seats, trick.cards, strict=True)):
            hand = sorted(left[seat])
            assert card in contract.legal(
                hand,
                trick.cards[:at],
                first_trick=number == 0,
                partner_led=at == 2,
                announced=seat in (who.schlag_announcer, who.trumpf_announcer),
            )
            left[seat].remove(card)
        leads = trick.seats[contract.winner(trick.cards, number == 0)]
        assert leads == trick.winner
        taken[leads % 2] += 1
    assert taken[played.winner] == max(taken) == played.taken
    assert max(taken) >= 3
    assert len(played.tricks) == 5 or max(taken) == rules.tricks_to_end


@given(st.sampled_from(RULES), seeds)
def test_same_seed_simulates_the_same_round(rules, seed):
    assert play(rules, Random(seed)) == play(rules, Random(seed))


@given(st.sampled_from(RULES), seeds)
def test_simulation_supports_two_players(rules, seed):
    played = play(rules, Random(seed), seats=2)
    assert len(played.hands) == 2
    assert played.taken >= 3


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.id}-{rules.variant}")
def test_both_sides_win_simulated_rounds(rules):
    assert {play(rules, Random(seed)).winner for seed in range(40)} == {0, 1}
