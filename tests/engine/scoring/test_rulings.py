"""Every ruling that affects the score, and every switch, makes a difference."""

import pytest

from scorer.engine import Illegal
from scorer.engine.rules.grounds import refusing_rule
from tests.engine.notation import evening, evening_from

OOE, BY, ST, TN, FR = "oberoesterreich", "bayern", "suedtirol", "trentino", "frankreich"
ENDED = "ended"

# id, rules, notation, start, switches, then points and (winner, bummerl) where the game ends
SCORES = [
    ("U1 past the target", OOE, "B+ A= A", (8, 4), {}, (11, 4), (0, (0, 1))),
    ("U1 capped", OOE, "B+ A= A", (8, 4), {"cap_at_target": True}, (9, 4), (0, (0, 1))),
    ("U2 both krank play for 2", OOE, "B", (7, 8), {}, (7, 10), (1, (1, 0))),
    ("U3 misdeal ends the round", OOE, "A!vergeben", (0, 0), {}, (0, 2), None),
    (
        "U3 wild raise costs 2 whatever the stake",
        OOE,
        "A+ B= B+ A= A!wild-geboten",
        (0, 0),
        {},
        (0, 2),
        None,
    ),
    ("U3 peek, the round goes on", OOE, "A!abgehoben-geschaut A+ B= A", (0, 0), {}, (3, 2), None),
    ("U4 a penalty wins the game", OOE, "B!vergeben", (7, 3), {}, (9, 3), (0, (0, 1))),
    ("U4 a penalty makes krank", OOE, "B!vergeben", (5, 3), {}, (7, 3), None),
    ("U5 a krank side strikes", OOE, "A+ B-", (0, 7), {}, (2, 7), None),
    ("U6 the retour needs no strike", OOE, "B:3 B:3 B:3", (7, 0), {}, (7, 9), (1, (4, 0))),
    (
        "U6 the latch holds when the winner was struck later",
        OOE,
        "B B B A!sonstige:2 B",
        (7, 0),
        {},
        (7, 10),
        (1, (4, 0)),
    ),
    ("U7 a strike takes nobody else's points", OOE, "Bx", (8, 5), {}, (8, 0), None),
    ("U8 one Bummerl even at zero", OOE, "A!nicht-bekannt", (0, 6), {}, (0, 6), (1, (1, 0))),
    (
        "U8 as a Schneider",
        OOE,
        "A!nicht-bekannt",
        (0, 6),
        {"revoke_counts_schneider": True},
        (0, 6),
        (1, (2, 0)),
    ),
    ("U8 two Bummerl", OOE, "A!nicht-bekannt", (3, 6), {"revoke_bummerl": 2}, (3, 6), (1, (2, 0))),
    (
        "U8 the Casino's way: two points",
        OOE,
        "A!nicht-bekannt",
        (3, 5),
        {"revoke": 2},
        (3, 7),
        None,
    ),
    (
        "U8 the value of the round",
        OOE,
        "A+ B= A!nicht-bekannt",
        (3, 3),
        {"revoke": "stake"},
        (3, 6),
        None,
    ),
    ("U15 three, four, five, fold", OOE, "A+ B+ A+ B-", (0, 0), {}, (4, 0), None),
    ("U15 first raise folded", OOE, "A+ B-", (0, 0), {}, (2, 0), None),
    ("U18 Schneider", OOE, "A", (7, 0), {}, (9, 0), (0, (0, 2))),
    ("U18 Schneider after a strike", OOE, "Bx A", (7, 5), {}, (9, 0), (0, (0, 2))),
    ("U18 a loser on 1 is simple", OOE, "A", (7, 1), {}, (9, 1), (0, (0, 1))),
    ("U18 only the Retourschneider counts", OOE, "Bx B B B B B", (7, 5), {}, (7, 10), (1, (4, 0))),
    ("U18 no Schneider here", OOE, "A", (7, 0), {"schneider": 0}, (9, 0), (0, (0, 1))),
    ("U18 another multiplier", OOE, "B:3 B:3 B:3", (7, 0), {"retour": 3}, (7, 9), (1, (3, 0))),
    ("U18 no Retourschneider", OOE, "B:3 B:3 B:3", (7, 0), {"retour": 0}, (7, 9), (1, (1, 0))),
    ("U19 stays and loses", OOE, "B+ A= B", (7, 3), {}, (7, 6), None),
    ("U19 goes", OOE, "B+ A-", (7, 3), {}, (7, 5), None),
    ("U24 krank at 9 of 11", OOE, "B+ A= A", (9, 4), {"target": 11}, (12, 4), (0, (0, 1))),
    ("R1 each loser by its own points", OOE, "C~ A", (7, 3, 0), {}, (9, 3, 0), (0, (0, 1, 2))),
    (
        "R1 only the last",
        OOE,
        "C~ A",
        (7, 3, 2),
        {"marks_three": "last"},
        (9, 3, 2),
        (0, (0, 0, 1)),
    ),
    ("R1 a strike against any krank account", OOE, "Cx", (7, 3, 5), {}, (7, 3, 0), None),
    ("V1 last agreed", BY, "A+ B= B+ A-", (0, 0), {}, (0, 3), None),
    ("V1 always two", BY, "A+ B= B+ A-", (0, 0), {"fold_value": "fixed:2"}, (0, 2), None),
    ("V2 both gespannt play for 3", BY, "B", (14, 13), {}, (14, 16), (1, (1, 0))),
    (
        "V2 both may give away",
        BY,
        "A= B-",
        (13, 13),
        {"decline_when_both": True},
        (15, 13),
        (0, (0, 1)),
    ),
    ("V9 three for the others too", BY, "A= B", (13, 6), {}, (13, 9), None),
    ("V9 gives two", BY, "A-", (13, 6), {}, (13, 8), None),
    ("V11 gespannt at 9 of 11", BY, "A-", (9, 2), {"target": 11}, (9, 4), None),
    ("V12 no Schneider", BY, "A= A", (13, 0), {}, (16, 0), (0, (0, 1))),
    ("V12 a Schneider by switch", BY, "A= A", (13, 0), {"schneider": 2}, (16, 0), (0, (0, 2))),
    ("V near value off", BY, "A= A", (13, 2), {"near_value": None}, (15, 2), (0, (0, 1))),
    ("W1 raises by one", ST, "A+ B= A", (0, 0), {}, (3, 0), None),
    ("W2 always two", ST, "A+ B+ A+ B-", (0, 0), {}, (2, 0), None),
    ("W2 the agreed value", ST, "A+ B+ A+ B-", (0, 0), {"fold_value": "agreed"}, (4, 0), None),
    ("W3 going on the four costs two", ST, "A-", (16, 12), {}, (16, 14), None),
    ("W3 another price", ST, "A-", (16, 12), {"decline_value": 4}, (16, 16), None),
    ("W4 held and lost", ST, "A= B", (17, 5), {}, (17, 9), None),
    (
        "W4 raised after the four",
        ST,
        "A= B+ A= B",
        (16, 5),
        {"raise_after_four": True},
        (16, 10),
        None,
    ),
    ("W8 a counter-raise agrees", ST, "A+ B+ A= B", (0, 0), {}, (0, 4), None),
    ("W10 recomputed every round", ST, "A- A", (16, 11), {}, (18, 13), (0, (0, 1))),
    ("X1 two to the last raiser", TN, "A+ B+ A-", (0, 0), {}, (0, 2), None),
    ("X1 the agreed value", TN, "A+ B+ A-", (0, 0), {"fold_value": "agreed"}, (0, 3), None),
    ("X2 what was agreed", TN, "A+ B= A!wild-geboten", (0, 0), {}, (0, 3), None),
    ("X2 an open raise is not agreed", TN, "A+ A!wild-geboten", (0, 0), {}, (0, 2), None),
    ("X8 four below ten", TN, "B", (13, 9), {}, (13, 13), None),
    ("X8 three from ten", TN, "B", (13, 10), {}, (13, 13), None),
    ("X8 both near: three", TN, "B", (14, 13), {}, (14, 16), (1, (1, 0))),
    ("X8 derived for eleven", TN, "B", (9, 5), {"target": 11}, (9, 9), None),
    ("X8 derived for eleven, at the limit", TN, "B", (9, 6), {"target": 11}, (9, 9), None),
    ("X8 derived for five: nobody is below", TN, "B", (3, 0), {"target": 5}, (3, 3), None),
    (
        "X8 an absolute limit",
        TN,
        "B",
        (9, 6),
        {"target": 11, "four_if_opponent_below": 10},
        (9, 10),
        None,
    ),
    ("X3 given away by switch", TN, "A-", (13, 4), {"decline": "near"}, (13, 6), None),
    ("Y2 the raises already seen", FR, "A+ B= A+ B-", (0, 0), {}, (5, 0), None),
    ("Y2 the refused one too", FR, "A+ B-", (0, 0), {"fold_counts_refused": True}, (5, 0), None),
    ("Y3 twice in a row", FR, "A+ B= A+ B= A", (0, 0), {"target": 15}, (8, 0), None),
    ("Y7 three by three", FR, "A+ B+ A= B", (0, 0), {}, (0, 8), None),
    ("Y8 five tricks", FR, "A5", (0, 0), {}, (4, 0), None),
    ("Y9 overtricks beside raises", FR, "A+ B= B5", (0, 0), {}, (0, 7), None),
    ("quick: a stake nobody noted", OOE, "A:4", (0, 0), {}, (4, 0), None),
    ("quick: with three at most against krank", OOE, "A:3", (7, 0), {}, (10, 0), (0, (0, 2))),
    ("other offence", BY, "B!sonstige:1", (0, 0), {}, (1, 0), None),
]

# id, rules, notation before, the refused event, start, switches, code, first rule
REFUSED = [
    ("U2", OOE, "", "A+", (7, 7), {}, "locked-near", "O-50"),
    ("U7 at zero", OOE, "", "Bx", (7, 0), {}, "strike-at-zero", "U7"),
    ("U7 during a round", OOE, "B+", "Bx", (7, 5), {}, "strike-late", "U7"),
    ("U7 limit", OOE, "Bx B", "Bx", (7, 5), {"strike_limit": 1}, "strike-limit", "U7"),
    (
        "U5 switched",
        OOE,
        "",
        "Bx",
        (7, 8),
        {"strike_requires_not_krank": True},
        "strike-near-self",
        "U5",
    ),
    ("U7 off", OOE, "", "Bx", (7, 5), {"strike": False}, "no-strike", "O-52"),
    ("U17 a ceiling", OOE, "A+ B+", "A+", (0, 0), {"max_stake": 4}, "max-stake", "U17"),
    ("U19 a counter-raise by the krank side", OOE, "B+", "A+", (8, 4), {}, "locked-near", "O-50"),
    (
        "U25 no peek penalty in Kritisch",
        OOE,
        "",
        "A!abgehoben-geschaut",
        (0, 0),
        {"variant": "kritisch"},
        "no-such-offence",
        "O-10",
    ),
    ("O-51 only a krank side", OOE, "", "A!krank-geboten", (5, 5), {}, "not-locked", "O-51"),
    ("O-43", OOE, "A+ B=", "A+", (0, 0), {}, "twice-in-a-row", "O-43"),
    ("O-44 an answer first", OOE, "A+", "A", (0, 0), {}, "raise-open", "O-44"),
    ("no answer to one's own raise", OOE, "A+", "A=", (0, 0), {}, "wrong-side", "O-44"),
    ("quick: four against krank", OOE, "", "A:4", (7, 0), {}, "stake-unreachable", "O-43"),
    ("quick: below the base", OOE, "", "A:1", (0, 0), {}, "stake-unreachable", "O-42"),
    ("V2 no giving away", BY, "", "A-", (14, 13), {}, "nothing-to-answer", "V2"),
    ("V9 the decision first", BY, "", "B", (13, 6), {}, "decision-open", "B-28"),
    ("V9 the others have no choice", BY, "", "B-", (13, 6), {}, "wrong-side", "B-28"),
    ("V10 nobody raises", BY, "A=", "B+", (13, 6), {}, "locked-both", "B-30"),
    ("V10 no penalty", BY, "A=", "A!krank-geboten", (13, 6), {}, "no-such-offence", "V10"),
    ("no misdeal penalty", BY, "", "A!vergeben", (0, 0), {}, "no-such-offence", ""),
    ("W4", ST, "A=", "B+", (16, 12), {}, "locked-four", "W4"),
    ("W5", ST, "", "A+", (16, 14), {}, "locked-near", "E-27"),
    ("W8", ST, "A+ B=", "A+", (0, 0), {}, "twice-in-a-row", "W8"),
    ("X3", TN, "", "A-", (13, 4), {}, "nothing-to-answer", "I-46"),
    ("I-46", TN, "", "A+", (11, 13), {}, "locked-both", "I-46"),
    ("quick in a locked hand", TN, "", "A:4", (13, 10), {}, "stake-unreachable", "I-46"),
    ("Y4 cannot see", FR, "A+", "B=", (0, 9), {"near": 2}, "cannot-see", "Y4"),
    ("Y4 cannot raise", FR, "", "B+", (0, 9), {"near": 2}, "locked-near", "Y4"),
    ("quick: no step of three", FR, "", "A:4", (0, 0), {}, "stake-unreachable", "F-30"),
    ("three: who sits out", OOE, "B~", "B", (0, 0, 0), {}, "sits-out", "O-04"),
    ("three: only three", OOE, "", "A~", (0, 0), {}, "nobody-sits-out", "O-04"),
    ("over is over", OOE, "A", "A", (7, 3), {}, "game-over", "O-49"),
    ("not over yet", OOE, "A", "N", (0, 0), {}, "game-running", "O-49"),
]


@pytest.mark.parametrize(
    ("rules", "text", "start", "switches", "points", "end"),
    [case[1:] for case in SCORES],
    ids=[case[0] for case in SCORES],
)
def test_evening_scores_as_ruled(rules, text, start, switches, points, end):
    state = evening(rules, text, start, **switches).state
    assert state.points == points
    if end is None:
        assert state.winner is None
        assert sum(state.bummerl) == 0
    else:
        assert (state.winner, state.bummerl) == end
        assert state.games[-1].points == points


@pytest.mark.parametrize(
    ("rules", "text", "refused", "start", "switches", "code", "rule"),
    [case[1:] for case in REFUSED],
    ids=[case[0] for case in REFUSED],
)
def test_illegal_event_is_refused_with_its_rule(rules, text, refused, start, switches, code, rule):
    before = evening(rules, text, start, **switches).state
    with pytest.raises(Illegal) as refusal:
        evening(rules, f"{text} {refused}", start, **switches)
    # The rule in the response. If a house rule refuses, this is the rule that it replaces.
    assert (refusal.value.code, refusing_rule(refusal.value)) == (code, rule)
    assert refusal.value.event == len(text.split())
    assert before == evening(rules, text, start, **switches).state


def test_misdeal_passes_the_deal_but_peek_does_not():
    def dealer(text):
        found = evening_from(text, sides=[{"name": "A"}, {"name": "B"}], dealer="A")
        return found.state.dealer, found.state.round

    assert dealer("B!abgehoben-geschaut") == (0, 1)
    assert dealer("B!vergeben") == (1, 2)


def test_switch_lets_round_continue_after_penalty():
    found = evening(OOE, "A+ B= A!wild-geboten", penalty_ends_round=["nicht-bekannt"])
    assert (found.state.points, found.state.round, found.state.stake) == ((0, 2), 1, 3)


def test_switch_allows_raising_twice_in_a_row():
    assert evening(OOE, "A+ B= A+ B= A", alternate=False).state.points == (4, 0)


def test_switch_locks_raises_for_both_sides():
    with pytest.raises(Illegal, match="locked-both"):
        evening(OOE, "B+", (7, 3), near_lock="both")


def test_switch_adds_a_misdeal_penalty():
    assert evening(BY, "A!vergeben", misdeal=2).state.points == (0, 2)


def test_the_seat_that_sits_out_rotates():
    found = evening(OOE, "A B C", (0, 0, 0))
    assert found.state.points == (2, 2, 2)
    assert found.state.sits_out == 2


def test_next_game_resets_points_and_keeps_bummerl():
    state = evening(OOE, "Bx B:3 B:3 B:3 N", (7, 5)).state
    assert (state.points, state.game, state.round) == ((0, 0), 2, 1)
    assert (state.strikes, state.retour) == ((0, 0), ((), ()))
    assert state.bummerl == (4, 0)
    assert [game.kind for game in state.games] == ["retourschneider"]


def test_variant_without_peek_penalty_cites_its_rules():
    with pytest.raises(Illegal) as refusal:
        evening(OOE, "A!abgehoben-geschaut", variant="latinisch")
    assert refusal.value.rules == ("O-10", "U25")
