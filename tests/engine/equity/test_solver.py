"""The equity tables agree with the engine: its transitions, and games played with it."""

from dataclasses import replace
from functools import cache
from itertools import product
from math import sqrt
from random import Random

import pytest
from pytest import approx

from scorer.engine import (
    REGIONS,
    Bieten,
    Bleiben,
    Gehen,
    Gewinnt,
    Streichen,
    apply,
    legal,
    rules_of,
    start,
    with_switches,
)
from scorer.engine.equity import curves
from scorer.engine.equity.model import flat, live
from scorer.engine.equity.raise_values import raise_values
from scorer.engine.equity.round_tree import DecisionNode
from scorer.engine.equity.score_graph import Score, ScoreGraph
from scorer.engine.equity.solver import equity_table, score_graph
from scorer.engine.telling.equity_sheet import equity_sheet, strikes_from
from tests.sampling import mostly_slow

EVEN = live(0.5)
HOUSES = [
    ("oberoesterreich", {}),
    ("oberoesterreich", {"target": 11, "fold_value": "fixed:2", "near_lock": "both"}),
    ("oberoesterreich", {"strike_limit": 1, "strike_requires_not_krank": True}),
    ("bayern", {}),
    ("bayern", {"decline_when_both": True, "cap_at_target": True, "near_lock": "self"}),
    ("suedtirol", {}),
    ("suedtirol", {"raise_after_four": True, "max_stake": 5, "target": 13}),
    ("trentino", {}),
    ("frankreich", {}),
    ("frankreich", {"near": 2, "fold_counts_refused": True}),
    ("frankreich", {"alternate": True, "overtrick": 0}),
]


def worth(rules, points, model=EVEN):
    found = equity_table(rules, model)
    return found.worth[found.graph.score(points)]


WINS = {(0, 0): 50, (1, 0): 56, (4, 2): 66.6, (6, 3): 73.1, (7, 6): 57.7, (8, 7): 50}
TAKES = {(0, 0): (21.1, 18.4), (4, 4): (13.6, 13.6), (6, 6): (42.3, 42.3), (0, 5): (0, 0)}


@pytest.mark.parametrize(("points", "expected"), WINS.items())
def test_upper_austrian_win_chances_match_known_values(points, expected):
    assert 100 * worth(rules_of("oberoesterreich"), points) == approx(expected, abs=0.05)


@pytest.mark.parametrize(("points", "dead_and_live"), TAKES.items())
def test_take_points_match_known_values(points, dead_and_live):
    found = equity_table(rules_of("oberoesterreich"), EVEN)
    take = raise_values(found, found.graph.score(points), 1, 3).stay_from
    assert (100 * take.dead, 100 * take.live) == approx(dead_and_live, abs=0.05)


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("model", [EVEN, flat(0.5)], ids=["live", "flat"])
def test_win_chance_is_symmetric_between_sides(region, model):
    found = equity_table(rules_of(region), model)
    for (first, second), retour, strikes in found.worth:
        mirrored = Score((second, first), retour[::-1], strikes[::-1])
        total = found.worth[Score((first, second), retour, strikes)] + found.worth[mirrored]
        assert total == approx(1)
        if first == second:
            assert found.worth[mirrored] == approx(0.5)


@pytest.mark.parametrize("region", REGIONS)
def test_better_side_is_favoured_at_equal_scores(region):
    for points in range(rules_of(region).target):
        assert worth(rules_of(region), (points, points), live(0.55)) > 0.5


def _losses_by_a_point(rules, model):
    """The loss in worth by the last point, for each score whose last point is a loss."""
    found = {}
    for first, second in product(range(1, rules.target), range(rules.target)):
        lost = worth(rules, (first - 1, second), model) - worth(rules, (first, second), model)
        if lost > 1e-9:
            found[first, second] = lost
    return found


@pytest.mark.parametrize("region", REGIONS)
def test_extra_point_never_lowers_win_chance(region):
    assert not _losses_by_a_point(rules_of(region), EVEN)


@pytest.mark.parametrize("region", REGIONS)
def test_extra_point_hurts_only_in_south_tyrol(region):
    """In South Tyrol a round is worth 4 at 17:13, but 2 at 16:13 (E-28, E-29).

    So at 17:13 the opponents win 4 with cards that would win 2, or get 2 without playing.
    """
    worse = _losses_by_a_point(rules_of(region), flat(0.5))
    assert bool(worse) == (region == "suedtirol")
    if worse:
        assert worse[17, 13] == max(worse.values()) == approx(0.125)
        assert not _losses_by_a_point(
            with_switches(rules_of(region), {"four_lead": None}), flat(0.5)
        )


@pytest.mark.parametrize(("low", "high"), [(9, 11), (11, 15)])
def test_win_chance_depends_on_points_still_needed(low, high):
    short, long = (
        with_switches(rules_of("oberoesterreich"), {"target": target}) for target in (low, high)
    )
    more = high - low
    for first, second in product(range(low), repeat=2):
        expected = worth(long, (first + more, second + more))
        assert worth(short, (first, second)) == approx(expected, abs=1e-15)


@pytest.mark.parametrize(("region", "switches"), mostly_slow(HOUSES, 5))
def test_solver_and_engine_agree_on_rounds(region, switches):
    """Play a round with the engine at every score, and follow it in the solver's tree."""
    rules, chance = with_switches(rules_of(region), switches), Random(1)
    found = ScoreGraph(rules, "bummerl")
    for node in found.nodes.values():
        state, tree = found.opening(node.score), node.tree
        state = _opening_under_all_rules(state, rules)
        gain = None
        while gain is None:
            event = chance.choice(_playable(state))
            after = apply(state, event)
            tree, gain = _next_tree(tree, state, event)
            state = after
        landed = node.after_gain[gain]
        if state.winner is None:
            limited = rules.strike_limit is not None
            strikes = state.strikes if limited else (0, 0)
            assert landed == Score(state.points, state.retour_chances, strikes)
        else:
            assert landed == state.games[-1].bummerl[1] - state.games[-1].bummerl[0]


def _opening_under_all_rules(state, rules):
    """The opening under all rules, because the score graph leaves some of them out."""
    opened = start(rules, points=state.points)
    assert (opened.stake, opened.deciding_sides) == (state.stake, state.deciding_sides)
    return replace(opened, retour_chances=state.retour_chances, strikes=state.strikes)


def _playable(state):
    kinds = Bieten | Bleiben | Gehen | Gewinnt
    found = [event for event in legal(state) if isinstance(event, kinds)]
    # Raises beyond the target change nothing, so they are left out.
    ends = [event for event in found if not isinstance(event, Bieten)]
    return ends if state.stake >= state.rules.target else found


def _next_tree(tree, state, event):
    """The tree after an event, and the gain if the event ends the round (else None)."""
    if isinstance(tree, DecisionNode):
        assert event.side == tree.side
        return (tree.after_play, None) if isinstance(event, Bleiben) else (tree, tree.decline_gain)
    play, bid = tree if isinstance(tree, tuple) else (tree, None)
    if isinstance(event, Bieten):
        play = bid.after_stay if bid else play
        return (play, play.bids[event.side]), None
    if isinstance(event, Bleiben):
        return bid.after_stay, None
    if isinstance(event, Gehen):
        return tree, bid.fold_gain
    gains = [gain for _, gain in play.win_gains[event.side]]
    return tree, gains[(event.tricks or 3) - 3]


@pytest.mark.parametrize("region", REGIONS)
def test_solver_matches_recursion_over_apply(region):
    """The expected values come from a recursion over `apply`, without the solver."""
    rules, p = rules_of(region), 0.45

    @cache
    def chance(points):
        return expected_win(start(rules, points=points))

    def after(state):
        return float(state.winner == 0) if state.winner is not None else chance(state.points)

    def expected_win(state):
        if state.decision is None:
            wins = [event for event in legal(state) if isinstance(event, Gewinnt)]
            shares = {None: 1, 3: 10 / 16, 4: 5 / 16, 5: 1 / 16}
            share = {win: shares[win.tricks] * (p, 1 - p)[win.side] for win in wins}
            return sum(share[win] * after(apply(state, win)) for win in wins)
        side = state.decision.side
        plays, gives = expected_win(apply(state, Bleiben(side))), after(apply(state, Gehen(side)))
        return max(plays, gives) if side == 0 else min(plays, gives)

    for points in product(range(rules.target), repeat=2):
        assert worth(rules, points, flat(p)) == approx(chance(points))


SCORES = [*zip(REGIONS, [(4, 2), (12, 9), (15, 12), (11, 12), (2, 5)], strict=True)]


@pytest.mark.parametrize(("region", "points"), mostly_slow(SCORES))
def test_simulated_games_match_solver_win_chance(region, points):
    """Play games with the engine's `apply`. Both sides raise and answer by the curves.

    The chance of a hand is drawn at random and then moves at random until the round is decided.
    """
    games, chance = 400, Random(11)
    found = equity_table(rules_of(region), EVEN)
    first = start(rules_of(region), points=points)
    won = sum(_side_0_wins_game(found, first, chance) for _ in range(games))
    expected = found.worth[found.graph.score(points)]
    assert abs(won / games - expected) < 4 * sqrt(expected * (1 - expected) / games)


def _side_0_wins_game(found, state, chance):
    while state.winner is None:
        state = _play_round(found, state, chance)
    return state.winner == 0


def _play_round(found, state, chance):
    """The state after one round. The chance moves between the curve's corners until a side acts."""
    round_ = found.round_worth(found.graph.score(state.points))
    hands = found.model.hands
    (q,) = chance.choices([q for q, _ in hands], [share for _, share in hands])
    play = round_.play
    for decision in round_.decisions:
        side = state.decision.side
        plays = curves.value_at(round_.best_curve(play), q)
        gives = round_.value_after(decision.decline_gain)
        if (gives > plays) == (side == 0) and gives != plays:
            return apply(state, Gehen(side))
        state = apply(state, Bleiben(side))
    while True:
        raiser = _raises(round_, play, q)
        if raiser is not None:
            bid, state = play.bids[raiser], apply(state, Bieten(raiser))
            stays = curves.value_at(round_.best_curve(bid.after_stay), q)
            gone = round_.value_after(bid.fold_gain)
            if (stays < gone) == (raiser == 1) and stays != gone:
                return apply(state, Gehen(1 - raiser))
            state, play = apply(state, Bleiben(1 - raiser)), bid.after_stay
            continue
        if q in (0, 1):
            tricks = [event for event in legal(state) if isinstance(event, Gewinnt)]
            mine = [event for event in tricks if event.side == (q == 0)]
            shares = [share for share, _ in play.win_gains[int(q == 0)]]
            return apply(state, chance.choices(mine, shares)[0])
        corners = [x for x, _ in round_.best_curve(play)]
        low, high = max(x for x in corners if x < q), min(x for x in corners if x > q)
        q = high if chance.random() < (q - low) / (high - low) else low


def _raises(round_, play, q):
    worth = curves.value_at(round_.best_curve(play), q)
    for side in (0, 1):
        raising = round_.raise_curve(play, side)
        if raising is not None and abs(curves.value_at(raising, q) - worth) < 1e-9:
            return side
    return None


def test_striking_pays_off_only_for_stronger_side():
    """A side that gives up all its points (O-52) may win the four Bummerl of a Retourschneider."""
    rules = rules_of("oberoesterreich")

    def pays(p):
        found = equity_table(rules, live(p), "bummerl")
        return {
            node.score.points
            for node in found.graph.nodes.values()
            if node.strikes[0] is not None
            and not node.score.retour_chances[0]
            and found.worth[node.strikes[0]] > found.without_strike[node.score] + 1e-9
        }

    assert pays(0.5) == set()
    assert pays(0.6) == {(1, 7), (1, 8), (2, 7), (2, 8)}
    assert len(pays(0.8)) == 8 * 2


def test_striking_pays_off_above_a_skill_threshold():
    rules = rules_of("oberoesterreich")
    found = strikes_from(rules, EVEN)
    assert 50 < found <= 60
    for percent in (45, 50, found - 1, found, 65, 80):
        assert bool(equity_sheet(rules, live(percent / 100)).strikes) == (percent >= found)
    assert strikes_from(rules_of("bayern"), EVEN) is None


def test_solver_strikes_match_the_engine():
    found = score_graph(rules_of("oberoesterreich"), "bummerl")
    for node in found.nodes.values():
        opening = found.opening(node.score)
        for side in (0, 1):
            struck = node.strikes[side]
            assert (struck is not None) == (Streichen(side) in legal(opening))
            if struck is not None:
                after = apply(opening, Streichen(side))
                assert (struck.points, struck.retour_chances) == (
                    after.points,
                    after.retour_chances,
                )


def test_bummerl_worth_includes_retourschneider():
    found = equity_table(rules_of("oberoesterreich"), flat(0.5), "bummerl")
    # One round decides about one Bummerl. A side that comes from 0:8 can win a Retourschneider.
    assert found.worth[found.graph.score((8, 8))] == approx(0)
    assert found.worth[found.graph.score((8, 8), ((1,), ()))] == approx((4 - 1) / 2)


def test_small_round_edge_grows_over_a_game():
    assert worth(rules_of("suedtirol"), (0, 0), live(0.55)) == approx(0.63, abs=0.005)
    assert worth(rules_of("oberoesterreich"), (0, 0), live(0.55)) == approx(0.60, abs=0.005)


@pytest.mark.parametrize(
    ("region", "apart"), [("oberoesterreich", 0.173), ("bayern", 0.077), ("suedtirol", 0.173)]
)
def test_model_choice_outweighs_spread_of_hands(region, apart):
    rules = rules_of(region)
    scores = list(product(range(rules.target), repeat=2))
    without = max(abs(worth(rules, s) - worth(rules, s, flat(0.5))) for s in scores)
    assert without == approx(apart, abs=0.0005)
    for spread in (0.1, 0.28):
        assert max(abs(worth(rules, s) - worth(rules, s, live(0.5, spread))) for s in scores) < 0.04


@pytest.mark.parametrize("region", REGIONS)
def test_right_to_reraise_lowers_the_take_point(region):
    """A side that stays may raise next, so the live take point is at most the dead one.

    In France the raiser may raise again at once (F-33), so there this does not hold.
    """
    found = equity_table(rules_of(region), EVEN)
    takes = [
        raise_values(found, node.score, 1, node.tree.stake + found.graph.rules.step).stay_from
        for node in found.graph.nodes.values()
        if not isinstance(node.tree, DecisionNode) and node.tree.bids[1] is not None
    ]
    assert takes
    assert all(t.live <= t.dead + 1e-9 for t in takes) == rules_of(region).alternate
