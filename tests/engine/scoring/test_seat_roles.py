"""Whose turn it is: every seat, both directions, two to four players."""

import pytest

from scorer.engine import REGIONS, Evening, legal, read_head, replay, rules_of
from scorer.engine.scoring.seat_roles import next_dealer, playing_order, redeals_all_hands, roles


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("region", ["oberoesterreich", "suedtirol", "trentino", "frankreich"])
def test_roles_follow_the_deal_round_the_table(region, seats):
    rules = rules_of(region)
    for dealer in range(seats):
        who = roles(rules, seats, dealer)
        swapped = roles(rules, seats, dealer, swapped=True)
        assert (swapped.schlag_announcer, swapped.trumpf_announcer) == (
            who.trumpf_announcer,
            who.schlag_announcer,
        )
        assert (swapped.dealer, swapped.cutter) == (who.dealer, who.cutter)
        assert who.schlag_announcer == next_dealer(rules, seats, dealer) != dealer
        assert next_dealer(rules, seats, who.cutter) == dealer
        played = playing_order(rules, seats, who.schlag_announcer)
        assert sorted(played) == list(range(seats))
        assert played[-1] == dealer


def test_trentino_deals_in_the_other_direction():
    assert roles(rules_of("trentino"), 4, 0).schlag_announcer == 3
    assert roles(rules_of("suedtirol"), 4, 0).schlag_announcer == 1


def test_every_third_request_redeals_in_south_tyrol():
    assert [redeals_all_hands(rules_of("suedtirol"), n) for n in range(1, 7)] == [
        0,
        0,
        1,
        0,
        0,
        1,
    ]
    assert not any(redeals_all_hands(rules_of("oberoesterreich"), n) for n in range(1, 7))


@pytest.mark.parametrize("region", REGIONS)
def test_agreed_new_cards_clear_the_announcement(region):
    evening = Evening(read_head({"watten": 1, "rules": region, "set": {"schoenere": True}}))
    evening.push({"do": "ansage", "schlag": "8", "trumpf": "H"})
    refused = evening.push({"do": "schoenere", "side": 0, "agreed": False})
    assert (refused.schlag, refused.trumpf) == ("8", "H")
    agreed = evening.push({"do": "schoenere", "side": 0, "agreed": True})
    assert (agreed.schlag, agreed.trumpf) == (None, None)
    assert evening.push({"do": "ansage", "schlag": "9"}).schlag == "9"


DECISION_POINTS = {"suedtirol": [16, 2], "bayern": [13, 2]}
"""Points at which side 0 decides whether to play."""
LATE = {
    ("suedtirol", "schoenere"): ("E-19", "W9"),
    ("suedtirol", "schlagtausch"): ("E-17", "W9"),
    ("bayern", "schoenere"): ("V9",),
    ("bayern", "schlagtausch"): ("V9",),
}
"""The rules that a refusal cites, without those that the house rule replaces."""


@pytest.mark.parametrize(("region", "do"), LATE)
def test_request_after_the_decision_is_refused(region, do):
    """The decision comes after the announcement (E-29, W9; B-28, V9)."""
    head = {"watten": 1, "rules": region, "start": {"points": DECISION_POINTS[region]}}
    asks = {"do": do, "side": 1, "agreed": True}
    plays = {"do": "bleiben", "side": 0}
    won = {"do": "gewinnt", "side": 1}
    head |= {"set": {do: True}}
    _, refusal = replay({**head, "events": [asks, plays, asks]})
    assert (refusal.event, refusal.code, refusal.rule_ids) == (2, "too-late", LATE[region, do])
    decided, _ = replay({**head, "events": [plays]})
    assert do not in {event.do for event in legal(decided.state)}
    assert replay({**head, "events": [plays, won, asks]})[1] is None


@pytest.mark.parametrize("do", ["schoenere", "schlagtausch"])
def test_old_records_may_have_late_requests(do):
    head = read_head({"watten": 1, "rules": "suedtirol", "start": {"points": [16, 2]}}).to_json()
    del head["resolved"]["values"][f"{do}_until"]
    request = {"do": do, "side": 1, "agreed": True}
    evening, refusal = replay({**head, "events": [{"do": "bleiben", "side": 0}, request]})
    assert refusal is None
    asked = (evening.state.schoenere, evening.state.roles_swapped)
    assert asked == (do == "schoenere", do == "schlagtausch")
