"""Dealer, who sits out, and the first dealer of a game: rulings U20, R1, R1b and Y4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import REGIONS, Illegal, apply, legal, read_head, rules_of
from scorer.engine.scoring.event_types.before_bidding import NeuesSpiel, SetztAus, Sitzordnung
from scorer.engine.scoring.seat_roles import keepers
from tests.engine.notation import evening_from

OOE, FR = "oberoesterreich", "frankreich"
PLAYERS = [["Anna", "Bert"], ["Cilli", "Dora"]]


def table(rules, text="", *, dealer=None, sides=None, old=False, **switches):
    """An evening of named players. With `old` its head is one of the first release."""
    sides = sides or [{"name": "", "players": players} for players in PLAYERS]
    head = {"watten": 1, "rules": rules, "set": switches, "sides": sides}
    if dealer:
        head["dealer"] = dealer
    if old:
        head = read_head(head).to_json()
        for name in ("sits_out_by", "next_game_dealer", "gespannt"):
            del head["resolved"]["values"][name]
    return evening_from(text, **head)


def three(rules, text="", dealer="A", **switches):
    return table(rules, text, dealer=dealer, sides=[{"name": name} for name in "ABC"], **switches)


def dealer_name(state):
    return None if state.dealer is None else state.seats[state.dealer][1]


def idle_side(state):
    return state.sides[state.sits_out].name


OVER = "A:9"


@pytest.mark.parametrize("region", REGIONS)
def test_next_games_dealer_follows_regional_rule(region):
    evening = table(region, "A:8 N", dealer="Anna", target=6)
    following = "Cilli" if rules_of(region).direction == "cw" else "Dora"
    assert dealer_name(evening.state) == (None if region == OOE else following)


@pytest.mark.parametrize("region", REGIONS)
def test_house_rule_changes_next_games_dealer(region):
    turned = "turn" if rules_of(region).next_game_dealer == "cut" else "cut"
    evening = table(region, "A:8 N", dealer="Anna", target=6, next_game_dealer=turned)
    assert (dealer_name(evening.state) is None) == (turned == "cut")
    named = table(region, "A:8", dealer="Anna", target=6)
    named.push({"do": "neues_spiel", "dealer": "Bert"})
    assert dealer_name(named.state) == "Bert"


def test_named_dealer_is_followed_by_the_next_seat():
    evening = table(OOE, f"{OVER} N", dealer="Anna")
    evening.push({"do": "sitzordnung", "dealer": "Dora"})
    assert dealer_name(evening.state) == "Dora"
    evening.push({"do": "gewinnt", "side": 0})
    assert dealer_name(evening.state) == "Anna"


def test_first_release_records_keep_their_dealing():
    assert dealer_name(table(OOE, f"{OVER} N", dealer="Anna", old=True).state) == "Cilli"
    states = [step.after for step in three(OOE, "A B", old=True).steps]
    assert [dealer_name(state) + idle_side(state) for state in states] == ["BA", "CB"]
    assert idle_side(three(OOE, dealer="B", old=True).state) == "C"
    assert "gespannt" not in {event.do for event in legal(table(FR, old=True).state)}


ORDERS = {OOE: "AC BA CB AC", "trentino": "AB CA BC AB", "bayern": "AC BA CB AC"}


@pytest.mark.parametrize(("region", "order"), ORDERS.items())
def test_last_dealer_sits_out_among_three(region, order):
    state, seen = three(region).state, []
    for _ in range(4):
        seen.append(dealer_name(state) + idle_side(state))
        state = apply(state, next(event for event in legal(state) if event.do == "gewinnt"))
    assert seen == order.split()


def test_sitting_out_rotates_by_seat_without_dealer():
    evening = three(OOE, "A B C", dealer=None)
    assert [idle_side(step.after) for step in evening.steps] == ["A", "B", "C"]
    assert evening.state.dealer is None


def test_sitting_out_lasts_one_round():
    evening = three(OOE, "B~")
    assert (dealer_name(evening.state), idle_side(evening.state)) == ("A", "B")
    evening.push({"do": "gewinnt", "side": 2})
    assert (dealer_name(evening.state), idle_side(evening.state)) == ("B", "A")


@pytest.mark.parametrize(("region", "following"), [(OOE, "B"), ("trentino", "C")])
def test_dealer_sitting_out_passes_the_deal_on(region, following):
    state = three(region, "A~").state
    assert (dealer_name(state), idle_side(state)) == (following, "A")


def test_sitting_out_by_turn_follows_switch():
    state = three(OOE, "A B", sits_out_by="turn").state
    assert (dealer_name(state), idle_side(state)) == ("C", "B")


def test_dealer_named_between_rounds_takes_effect():
    evening = three(OOE, "", dealer=None)
    evening.push({"do": "sitzordnung", "dealer": "C"})
    assert (dealer_name(evening.state), idle_side(evening.state)) == ("C", "B")
    with pytest.raises(Illegal, match="sits-out"):
        evening.push({"do": "bieten", "side": 1})


def test_dealer_named_mid_round_must_be_playing():
    evening = three(OOE, "A+")
    with pytest.raises(Illegal) as refusal:
        evening.push({"do": "sitzordnung", "dealer": "C"})
    assert (refusal.value.code, refusal.value.rule) == ("sits-out", "R1b")
    evening.push({"do": "sitzordnung", "dealer": "B"})
    assert (dealer_name(evening.state), idle_side(evening.state)) == ("B", "C")


def test_next_game_of_three_starts_with_named_dealer():
    evening = three(OOE, OVER)
    evening.push({"do": "neues_spiel", "dealer": "C"})
    assert (dealer_name(evening.state), idle_side(evening.state)) == ("C", "B")


@given(st.data())
def test_dealer_of_three_never_sits_out(data):
    region = data.draw(st.sampled_from(REGIONS))
    state = three(region, dealer=data.draw(st.sampled_from((None, "A", "B", "C")))).state
    for _ in range(data.draw(st.integers(0, 15))):
        named = [Sitzordnung(dealer=data.draw(st.sampled_from("ABC"))), NeuesSpiel("B")]
        options = [*legal(state), *(SetztAus(side) for side in range(3)), *named]
        event = data.draw(st.sampled_from(options))
        try:
            state = apply(state, event)
        except Illegal:
            continue
        if state.dealer is not None and state.winner is None:
            assert state.seats[state.dealer][0] in state.playing_sides


GESPANNT = [
    # notation before, points after the mark of side B
    ("", (2, 0)),
    ("A+", (2, 0)),  # the refused raise does not count
    ("A+ B= A+", (5, 0)),
    ("A+ B=", (5, 0)),
]


@pytest.mark.parametrize(("text", "points"), GESPANNT)
def test_gespannt_mark_gives_fold_value(text, points):
    evening = table(FR, text, dealer="Anna")
    state = evening.push({"do": "gespannt", "side": 1})
    assert (state.points, state.round, dealer_name(state), state.stake) == (points, 2, "Cilli", 2)
    assert state.because[0].rule_ids == ("F-36", "Y4")
    evening.push(evening.undo_correction().to_json())
    assert (evening.state.points, evening.state.round) == ((0, 0), 1)


def test_gespannt_mark_can_win_the_game():
    assert table(FR, "A:5 A:5", target=11).push({"do": "gespannt", "side": 1}).winner == 0
    refused = table(FR, "A+", fold_counts_refused=True)
    assert refused.push({"do": "gespannt", "side": 1}).points == (5, 0)


@pytest.mark.parametrize(
    ("region", "text", "switches", "code", "rule"),
    [
        (FR, "B+", {}, "own-raise-open", "F-33"),
        (FR, "", {"gespannt": False}, "no-gespannt", None),
        *((region, "", {}, "no-gespannt", None) for region in REGIONS if region != FR),
    ],
)
def test_impossible_gespannt_mark_is_refused(region, text, switches, code, rule):
    with pytest.raises(Illegal) as refusal:
        table(region, text, **switches).push({"do": "gespannt", "side": 1})
    assert refusal.value.code == code
    assert refusal.value.rule == rule or rule is None


def test_regions_deal_cards_in_expected_packets():
    either = ("3+2", "2+3")
    assert [rules_of(region).packets for region in REGIONS] == [
        either,
        (),
        (),
        either,
        ("3+2",),
    ]


def test_kritischer_keepers_differ_by_region():
    chain = ("cutter", "dealer", "cutter")
    assert [keepers(rules_of(region)) for region in REGIONS] == [(), chain, (), (), chain]
