"""Which results are possible, and who may enter them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import (
    REGIONS,
    Illegal,
    Unreadable,
    apply,
    legal,
    rules_of,
    start,
    with_switches,
)
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.penalties import Strafe
from scorer.engine.scoring.event_types.round_end import Gewinnt, Streichen
from scorer.tournament import standings
from scorer.tournament.result_validation import check_games, doubtful_game, possible_points
from tests.engine.strategies import rule_sets
from tests.sampling import examples
from tests.tournament.builders import draw_round, enter_result, start_tournament

SCORED = (Bieten, Bleiben, Gehen, Gewinnt, Strafe, Streichen)
"""The events that change points."""
BAYERN = rules_of("bayern")


@pytest.mark.parametrize("region", REGIONS)
def test_losing_score_of_one_is_unreachable(region):
    rules = rules_of(region)
    scores = possible_points(rules, rules.target)
    assert 1 not in scores
    assert scores >= {0, 2, rules.target - 1}


@examples(150)
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
    if max(state.points) >= rules.target:
        check_games(rules, rules.target, 1, (tuple(state.points),), anyway=agreed)


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
        check_games(BAYERN, 15, 2, tuple(games))


def test_unusual_score_is_doubtful_but_possible():
    far_above, needs_a_penalty = ((155, 3), (15, 8)), ((15, 8), (15, 1))
    assert doubtful_game(BAYERN, 15, far_above).values == {"game": 1, "points": 155}
    check_games(BAYERN, 15, 2, far_above)
    assert doubtful_game(BAYERN, 15, needs_a_penalty).values == {"game": 2, "points": 1}
    check_games(BAYERN, 15, 2, needs_a_penalty, anyway=True)


def test_points_above_target_depend_on_cap():
    check_games(BAYERN, 15, 1, ((17, 3),))
    with pytest.raises(Illegal, match="winner-above-target"):
        check_games(with_switches(BAYERN, {"cap_at_target": True}), 15, 1, ((17, 3),))


def drawn_tournament(count=4, **settings):
    """A tournament with its first round drawn."""
    tournament = start_tournament(count, **settings)
    draw_round(tournament)
    return tournament


@pytest.fixture
def drawn():
    return drawn_tournament(games_per_round=2)


def result_event(who, *games, table=1, **more):
    event = {"do": "ergebnis", "round": 1, "table": table, "who": who}
    return {**event, "games": [list(points) for points in games], **more}


RESULT = [(15, 8), (3, 15)]
OTHER_RESULT = [(15, 8), (15, 3)]


def expect_refusal(tournament, event, code):
    before = tournament.now
    with pytest.raises(Illegal, match=code):
        tournament.push(event)
    assert tournament.now is before


CONFIRMED = {"do": "bestaetigung", "round": 1, "table": 1, "games": [[15, 8], [3, 15]]}


def test_result_counts_only_after_confirmation(drawn):
    drawn.push(result_event("a", *RESULT))
    assert (drawn.match(1, 1).status, drawn.match(1, 1).result) == ("entered", None)
    wrong = {**CONFIRMED, "games": [[15, 8], [15, 3]], "who": "b"}
    expect_refusal(drawn, wrong, "another-result")
    expect_refusal(drawn, {**CONFIRMED, "who": "a"}, "own-result")
    drawn.push({**CONFIRMED, "who": "b"})
    assert drawn.match(1, 1).status == "done"
    expect_refusal(drawn, result_event("a", *OTHER_RESULT), "settled")
    expect_refusal(drawn, {**CONFIRMED, "who": "b"}, "settled")


def test_conflicting_results_turn_amber_until_equal(drawn):
    drawn.push(result_event("a", *RESULT))
    drawn.push(result_event("b", *OTHER_RESULT))
    assert drawn.match(1, 1).status == "amber"
    expect_refusal(drawn, {**CONFIRMED, "who": "b", "games": [[15, 8]]}, "nothing-to-confirm")
    drawn.push(result_event("b", *RESULT))
    assert drawn.match(1, 1).status == "done"


def test_director_can_correct_and_lock_results(drawn):
    drawn.push(result_event("a", *RESULT))
    drawn.push(result_event("director", *OTHER_RESULT))
    assert drawn.match(1, 1).result.games == tuple(OTHER_RESULT)
    drawn.push(result_event("director", *RESULT, reason="misread"))
    assert drawn.match(1, 1).history == (1, 2, 3)
    for table in (1, 2):
        drawn.push({"do": "sperre", "round": 1, "table": table})
    expect_refusal(drawn, result_event("director", *OTHER_RESULT), "locked")
    expect_refusal(drawn, result_event("a", *RESULT, table=2), "locked")
    drawn.push({"do": "sperre", "round": 1, "table": 1, "open": True})
    drawn.push(result_event("director", *OTHER_RESULT))


def test_draw_with_results_cannot_be_taken_back(drawn):
    expect_refusal(drawn, {"do": "ruecknahme", "round": 2}, "not-the-newest")
    drawn.push(result_event("a", *RESULT))
    expect_refusal(drawn, {"do": "ruecknahme", "round": 1}, "results-in")
    fresh = drawn_tournament()
    fresh.push({"do": "ruecknahme", "round": 1})
    assert fresh.rounds == ()
    draw_round(fresh)


def test_only_the_director_enters_a_walkover(drawn):
    expect_refusal(drawn, result_event("b", walkover="a"), "walkover-by-director")
    drawn.push(result_event("director", walkover="a"))
    assert drawn.match(1, 1).winner == 0


def test_level_knockout_result_is_refused():
    tournament = drawn_tournament(2, format="knockout", games_per_round=2)
    expect_refusal(tournament, result_event("director", (15, 8), (8, 15)), "level-in-knockout")
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
def test_impossible_event_changes_nothing(drawn, event, code):
    expect_refusal(drawn, event, code)


@pytest.mark.parametrize(
    "event",
    [
        None,
        {"do": "fliegen"},
        result_event("nobody"),
        result_event("a", (1, 2, 3)),
        result_event("a", (1500, 2)),
        result_event("a", round="1"),
        {"do": "abmeldung"},
        {"do": "abmeldung", "pair": 1, "why": "x"},
    ],
)
def test_malformed_event_is_unreadable(drawn, event):
    with pytest.raises(Unreadable):
        drawn.push(event)


def test_singles_are_paired_by_lot():
    tournament = start_tournament(2)
    for name in ("Anna", "Bert", "Cilli"):
        tournament.push({"do": "einzeln", "name": name})
    expect_refusal(tournament, {"do": "einzeln", "name": "Anna"}, "name-taken")
    tournament.push({"do": "zulosung", "entries": [{"players": ["Cilli", "Anna"]}]})
    assert tournament.entrants[3].pair.name == "Cilli & Anna"
    assert [single.name for single in tournament.singles] == ["Bert"]


def test_number_of_lots_is_fixed_after_the_draw():
    pairs = [{"name": "A", "entries": 3}, {"name": "B"}]
    tournament = start_tournament(0, format="knockout", pairs=pairs)
    change = {"do": "aenderung", "pair": 1}
    tournament.push({**change, "entry": {"name": "A", "entries": 2}})
    draw_round(tournament)
    expect_refusal(tournament, {**change, "entry": {"name": "A", "entries": 1}}, "lots-fixed")


def test_winner_is_fixed_once_next_round_is_drawn():
    tournament = drawn_tournament(format="knockout")
    enter_result(tournament, 1, (15, 8))
    enter_result(tournament, 2, (15, 8))
    enter_result(tournament, 1, (8, 15))
    draw_round(tournament)
    turned = result_event("director", (15, 8))
    expect_refusal(tournament, turned, "built-upon")
    tournament.push(result_event("director", (9, 15)))
    enter_result(tournament, 1, (15, 0))
    # The correction may take that round back. It can be undone until a new round is drawn.
    expect_refusal(tournament, {**turned, "back": 3}, "no-such-round")
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
    expect_refusal(tournament, undo, "correction-stays")


def test_refused_partner_draw_enters_nobody():
    tournament = start_tournament(2)
    for name in ("A", "B & C", "A & B", "C"):
        tournament.push({"do": "einzeln", "name": name})
    entries = [{"players": ["A", "B & C"]}, {"players": ["A & B", "C"]}]
    expect_refusal(tournament, {"do": "zulosung", "entries": entries}, "name-taken")
    assert len(tournament.entrants) == 2


def test_pair_with_a_bye_cannot_be_deleted():
    tournament = drawn_tournament(3)
    removed = {"do": "streichung", "pairs": list(tournament.rounds[0].byes)}
    expect_refusal(tournament, removed, "has-played")
    assert len(standings(tournament)) == 3


def test_full_list_refuses_new_pairs():
    tournament = start_tournament(511, format="knockout")
    two = {"do": "anmeldung", "entry": {"name": "Two", "entries": 2}}
    expect_refusal(tournament, two, "full")
    tournament.push({"do": "anmeldung", "entry": {"name": "One"}})


def test_drawn_round_robin_refuses_latecomers():
    for event in (
        {"do": "anmeldung", "entry": {"name": "Late"}},
        {"do": "einzeln", "name": "Anna"},
        {"do": "zulosung", "entries": [{"players": ["Anna", "Bert"]}]},
    ):
        expect_refusal(drawn_tournament(format="round-robin"), event, "too-late-to-enter")
