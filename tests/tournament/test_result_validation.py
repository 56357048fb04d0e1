"""Which results are possible, and who may enter them."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.engine import REGIONS, Illegal, Unreadable, apply, house, legal, load, start
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.penalties import Strafe
from scorer.engine.scoring.event_types.round_end import Gewinnt, Streichen
from scorer.tournament import standings
from scorer.tournament.result_validation import check_games, doubtful_game, possible_points
from tests.engine.strategies import rule_sets
from tests.tournament.builders import draw_round, enter_result, start_tournament

SCORED = (Bieten, Bleiben, Gehen, Gewinnt, Strafe, Streichen)
"""The events that change points."""


@pytest.mark.parametrize("region", REGIONS)
def test_losing_score_of_one_is_unreachable(region):
    rules = load(region)
    scores = possible_points(rules, rules.target)
    assert 0 in scores
    assert 1 not in scores
    assert scores >= {2, rules.target - 1}


@settings(max_examples=150)
@given(rule_sets(), st.data())
def test_possible_results_can_be_entered(rules, data):
    state, agreed = start(rules), False
    for _ in range(60):
        events = [e for e in legal(state) if isinstance(e, SCORED)]
        if data.draw(st.booleans()):
            events = [e for e in events if isinstance(e, Gewinnt)] or events
        event = data.draw(st.sampled_from(events))
        if isinstance(event, Strafe) and event.offence == "sonstige":
            event, agreed = replace(event, points=data.draw(st.integers(1, 9))), True
        state = apply(state, event)
        if state.winner is not None:
            break
    # A penalty for a revoke may end a game below the target.
    if max(state.points) < rules.target:
        return
    games = ((state.points[0], state.points[1]),)
    check_games(rules, rules.target, 1, games, anyway=agreed)


@pytest.mark.parametrize(
    ("games", "code"),
    [
        ([(15, 8)], "games-missing"),
        ([(15, 8), (12, 14)], "winner-below-target"),
        ([(15, 8), (15, 15)], "two-winners"),
        ([(15, 8), (15, 1)], "loser-impossible"),
        ([(15, 8), (0, 0)], "winner-below-target"),
    ],
)
def test_impossible_result_is_refused(games, code):
    with pytest.raises(Illegal, match=code):
        check_games(load("bayern"), 15, 2, tuple(games))


def test_score_far_above_target_is_doubtful():
    games = ((155, 3), (15, 8))
    assert doubtful_game(load("bayern"), 15, games).values == {"game": 1, "points": 155}
    check_games(load("bayern"), 15, 2, games)


def test_score_needing_a_penalty_is_doubtful():
    games = ((15, 8), (15, 1))
    assert doubtful_game(load("bayern"), 15, games).values == {"game": 2, "points": 1}
    check_games(load("bayern"), 15, 2, games, anyway=True)


def test_points_above_target_depend_on_cap():
    check_games(load("bayern"), 15, 1, ((17, 3),))
    with pytest.raises(Illegal, match="winner-above-target"):
        check_games(house(load("bayern"), {"cap_at_target": True}), 15, 1, ((17, 3),))


@pytest.fixture
def drawn_tournament():
    tournament = start_tournament(4, games_per_round=2)
    draw_round(tournament)
    return tournament


def result_event(who, *games, table=1, **more):
    event = {"do": "ergebnis", "round": 1, "table": table, "who": who, **more}
    return {**event, "games": [list(points) for points in games]}


RESULT = [(15, 8), (3, 15)]
OTHER_RESULT = [(15, 8), (15, 3)]


def expect_refusal(tournament, event, code):
    before = tournament.now
    with pytest.raises(Illegal, match=code):
        tournament.push(event)
    assert tournament.now is before


def test_result_counts_only_after_confirmation(drawn_tournament):
    drawn_tournament.push(result_event("a", *RESULT))
    assert drawn_tournament.match(1, 1).status == "entered"
    assert drawn_tournament.match(1, 1).result is None
    yes = {"do": "bestaetigung", "round": 1, "table": 1, "games": [list(two) for two in RESULT]}
    wrong = {**yes, "games": [list(two) for two in OTHER_RESULT]}
    expect_refusal(drawn_tournament, {**wrong, "who": "b"}, "another-result")
    expect_refusal(drawn_tournament, {**yes, "who": "a"}, "own-result")
    drawn_tournament.push({**yes, "who": "b"})
    assert drawn_tournament.match(1, 1).status == "done"
    expect_refusal(drawn_tournament, result_event("a", *OTHER_RESULT), "settled")
    expect_refusal(drawn_tournament, {**yes, "who": "b"}, "settled")


def test_conflicting_results_turn_amber_until_equal(drawn_tournament):
    drawn_tournament.push(result_event("a", *RESULT))
    drawn_tournament.push(result_event("b", *OTHER_RESULT))
    assert drawn_tournament.match(1, 1).status == "amber"
    yes = {"do": "bestaetigung", "round": 1, "table": 1, "who": "b", "games": [[15, 8]]}
    expect_refusal(drawn_tournament, yes, "nothing-to-confirm")
    drawn_tournament.push(result_event("b", *RESULT))
    assert drawn_tournament.match(1, 1).status == "done"


def test_director_can_correct_and_lock_results(drawn_tournament):
    drawn_tournament.push(result_event("a", *RESULT))
    drawn_tournament.push(result_event("director", *OTHER_RESULT))
    assert drawn_tournament.match(1, 1).result.games == tuple(OTHER_RESULT)
    drawn_tournament.push(result_event("director", *RESULT, reason="misread"))
    assert drawn_tournament.match(1, 1).history == (1, 2, 3)
    drawn_tournament.push({"do": "sperre", "round": 1, "table": 1})
    expect_refusal(drawn_tournament, result_event("director", *OTHER_RESULT), "locked")
    drawn_tournament.push({"do": "sperre", "round": 1, "table": 1, "open": True})
    drawn_tournament.push(result_event("director", *OTHER_RESULT))


def test_locked_table_refuses_results(drawn_tournament):
    drawn_tournament.push({"do": "sperre", "round": 1, "table": 1})
    expect_refusal(drawn_tournament, result_event("a", *RESULT), "locked")


def test_draw_with_results_cannot_be_taken_back(drawn_tournament):
    expect_refusal(drawn_tournament, {"do": "ruecknahme", "round": 2}, "not-the-newest")
    drawn_tournament.push(result_event("a", *RESULT))
    expect_refusal(drawn_tournament, {"do": "ruecknahme", "round": 1}, "results-in")
    fresh = start_tournament(4)
    draw_round(fresh)
    fresh.push({"do": "ruecknahme", "round": 1})
    assert fresh.rounds == ()
    draw_round(fresh)


def test_only_the_director_enters_a_walkover(drawn_tournament):
    walkover = {"do": "ergebnis", "round": 1, "table": 1, "games": [], "walkover": "a"}
    expect_refusal(drawn_tournament, {**walkover, "who": "b"}, "walkover-by-director")
    drawn_tournament.push({**walkover, "who": "director"})
    assert drawn_tournament.match(1, 1).winner == 0


def test_level_knockout_result_is_refused():
    tournament = start_tournament(2, format="knockout", games_per_round=2)
    draw_round(tournament)
    with pytest.raises(Illegal, match="level-in-knockout"):
        enter_result(tournament, 1, (15, 8), (8, 15))
    enter_result(tournament, 1, (15, 8), (9, 15))


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (result_event("director", *RESULT, table=3), "no-such-table"),
        ({**result_event("director", *RESULT), "round": 2}, "no-such-round"),
        (result_event("director", *RESULT, retour=[3]), "no-such-game"),
        ({"do": "abmeldung", "pair": 9}, "no-such-pair"),
        ({"do": "rueckkehr", "pair": 1}, "not-withdrawn"),
        ({"do": "anmeldung", "entry": {"name": "Pair 1"}}, "name-taken"),
        ({"do": "aenderung", "pair": 2, "entry": {"name": "Pair 1"}}, "name-taken"),
        ({"do": "stechen", "winner": 1, "loser": 1}, "no-such-pair"),
        ({"do": "zulosung", "entries": [{"players": ["X", "Y"]}]}, "nobody-single"),
    ],
)
def test_impossible_event_changes_nothing(drawn_tournament, event, code):
    expect_refusal(drawn_tournament, event, code)


@pytest.mark.parametrize(
    "event",
    [
        None,
        {"do": "fliegen"},
        {"do": "ergebnis", "round": 1, "table": 1, "who": "nobody", "games": []},
        {"do": "ergebnis", "round": 1, "table": 1, "who": "a", "games": [[1, 2, 3]]},
        {"do": "ergebnis", "round": 1, "table": 1, "who": "a", "games": [[1500, 2]]},
        {"do": "ergebnis", "round": "1", "table": 1, "who": "a", "games": []},
        {"do": "abmeldung"},
        {"do": "abmeldung", "pair": 1, "why": "x"},
    ],
)
def test_malformed_event_is_unreadable(drawn_tournament, event):
    with pytest.raises(Unreadable):
        drawn_tournament.push(event)


def test_singles_are_paired_by_lot():
    tournament = start_tournament(2)
    for name in ("Anna", "Bert", "Cilli"):
        tournament.push({"do": "einzeln", "name": name})
    with pytest.raises(Illegal, match="name-taken"):
        tournament.push({"do": "einzeln", "name": "Anna"})
    tournament.push({"do": "zulosung", "entries": [{"players": ["Cilli", "Anna"]}]})
    assert tournament.entrants[3].pair.name == "Cilli & Anna"
    assert [single.name for single in tournament.singles] == ["Bert"]


def test_number_of_lots_is_fixed_after_the_draw():
    pairs = [{"name": "A", "entries": 3}, {"name": "B"}]
    tournament = start_tournament(0, format="knockout", pairs=pairs)
    change = {"do": "aenderung", "pair": 1, "entry": {"name": "A", "entries": 2}}
    tournament.push(change)
    draw_round(tournament)
    with pytest.raises(Illegal, match="lots-fixed"):
        tournament.push({**change, "entry": {"name": "A", "entries": 1}})


def test_winner_is_fixed_once_next_round_is_drawn():
    tournament = start_tournament(4, format="knockout")
    draw_round(tournament)
    enter_result(tournament, 1, (15, 8))
    enter_result(tournament, 2, (15, 8))
    enter_result(tournament, 1, (8, 15))
    draw_round(tournament)
    result = {"do": "ergebnis", "round": 1, "table": 1, "who": "director"}
    turned = {**result, "games": [[15, 8]]}
    with pytest.raises(Illegal, match="built-upon"):
        tournament.push(turned)
    tournament.push({**result, "games": [[9, 15]]})
    enter_result(tournament, 1, (15, 0))
    # The correction may take that round back. It can be undone until a new round is drawn.
    with pytest.raises(Illegal, match="no-such-round"):
        tournament.push({**turned, "back": 3})
    before, undo = tournament.rounds, {"do": "widerruf", "round": 1, "table": 1}
    for _ in range(2):
        tournament.push({**turned, "back": 2})
        assert [played.number for played in tournament.rounds] == [1]
        tournament.push(undo)
        assert [played.number for played in tournament.rounds] == [1, 2]
        assert tournament.rounds[1] == before[1]
        assert tournament.match(1, 1).result == before[0].matches[1].result
        assert tournament.undone_rounds == ()
    tournament.push({**turned, "back": 2})
    draw_round(tournament)
    with pytest.raises(Illegal, match="correction-stays"):
        tournament.push(undo)


def test_refused_partner_draw_enters_nobody():
    tournament = start_tournament(2)
    for name in ("A", "B & C", "A & B", "C"):
        tournament.push({"do": "einzeln", "name": name})
    entries = [{"players": ["A", "B & C"]}, {"players": ["A & B", "C"]}]
    with pytest.raises(Illegal, match="name-taken"):
        tournament.push({"do": "zulosung", "entries": entries})
    assert len(tournament.entrants) == 2


def test_pair_with_a_bye_cannot_be_deleted():
    tournament = start_tournament(3)
    draw_round(tournament)
    (bye,) = tournament.rounds[0].byes
    with pytest.raises(Illegal, match="has-played"):
        tournament.push({"do": "streichung", "pairs": [bye]})
    assert len(standings(tournament)) == 3


def test_full_list_refuses_new_pairs():
    tournament = start_tournament(511, format="knockout")
    with pytest.raises(Illegal, match="full"):
        tournament.push({"do": "anmeldung", "entry": {"name": "Two", "entries": 2}})
    tournament.push({"do": "anmeldung", "entry": {"name": "One"}})


def test_drawn_round_robin_refuses_latecomers():
    tournament = start_tournament(4, format="round-robin")
    draw_round(tournament)
    late_entries = [
        {"do": "anmeldung", "entry": {"name": "Late"}},
        {"do": "einzeln", "name": "Anna"},
        {"do": "zulosung", "entries": [{"players": ["Anna", "Bert"]}]},
    ]
    for event in late_entries:
        with pytest.raises(Illegal, match="too-late-to-enter"):
            tournament.push(event)
