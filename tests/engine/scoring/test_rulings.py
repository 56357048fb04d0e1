"""Every ruling that affects the score, and every switch, makes a difference.

The short notation of an evening, such as `A+ B= B`, is explained in `tests/engine/notation.py`.
"""

import pytest

from scorer.engine import Illegal
from scorer.engine.rules.grounds import refusing_rule
from tests.engine.notation import evening_from, played_evening

REVOKE, PEEK = ["nicht-bekannt"], "A!abgehoben-geschaut"
AS_SCHNEIDER, NOT_KRANK = {"revoke_counts_schneider": True}, {"strike_requires_not_krank": True}
OOE, BY, ST, TN, FR = "oberoesterreich", "bayern", "suedtirol", "trentino", "frankreich"


def scores(case, rules, text, start, points, end=None, **switches):
    """A case: the points after a notation and, if the game ends, its winner and all Bummerl."""
    return pytest.param(rules, text, start, switches, points, end, id=case)


def refused(case, rules, text, event, start, code, rule, **switches):
    """A case: an event that is refused after a notation, with the code and the first rule."""
    return pytest.param(rules, text, event, start, switches, code, rule, id=case)


SCORES = [
    scores("U1 past the target", OOE, "B+ A= A", (8, 4), (11, 4), (0, (0, 1))),
    scores("U1 capped", OOE, "B+ A= A", (8, 4), (9, 4), (0, (0, 1)), cap_at_target=True),
    scores("U2 both krank play for 2", OOE, "B", (7, 8), (7, 10), (1, (1, 0))),
    scores("U3 misdeal ends the round", OOE, "A!vergeben", (0, 0), (0, 2)),
    scores("U3 wild raise costs 2", OOE, "A+ B= B+ A= A!wild-geboten", (0, 0), (0, 2)),
    scores("U3 peek, the round goes on", OOE, f"{PEEK} A+ B= A", (0, 0), (3, 2)),
    scores("U4 a penalty wins the game", OOE, "B!vergeben", (7, 3), (9, 3), (0, (0, 1))),
    scores("U4 a penalty makes krank", OOE, "B!vergeben", (5, 3), (7, 3)),
    scores("U5 a krank side strikes", OOE, "A+ B-", (0, 7), (2, 7)),
    scores("U6 the retour needs no strike", OOE, "B:3 B:3 B:3", (7, 0), (7, 9), (1, (4, 0))),
    scores("U6 struck later", OOE, "B B B A!sonstige:2 B", (7, 0), (7, 10), (1, (4, 0))),
    scores("U7 a strike takes nobody else's points", OOE, "Bx", (8, 5), (8, 0)),
    scores("U8 one Bummerl even at zero", OOE, "A!nicht-bekannt", (0, 6), (0, 6), (1, (1, 0))),
    scores("U8 Schneider", OOE, "A!nicht-bekannt", (0, 6), (0, 6), (1, (2, 0)), **AS_SCHNEIDER),
    scores("U8 two Bummerl", OOE, "A!nicht-bekannt", (3, 6), (3, 6), (1, (2, 0)), revoke_bummerl=2),
    scores("U8 the Casino's way: two points", OOE, "A!nicht-bekannt", (3, 5), (3, 7), revoke=2),
    scores("U8 the stake", OOE, "A+ B= A!nicht-bekannt", (3, 3), (3, 6), revoke="stake"),
    scores("U15 three, four, five, fold", OOE, "A+ B+ A+ B-", (0, 0), (4, 0)),
    scores("U15 first raise folded", OOE, "A+ B-", (0, 0), (2, 0)),
    scores("U18 Schneider", OOE, "A", (7, 0), (9, 0), (0, (0, 2))),
    scores("U18 Schneider after a strike", OOE, "Bx A", (7, 5), (9, 0), (0, (0, 2))),
    scores("U18 a loser on 1 is simple", OOE, "A", (7, 1), (9, 1), (0, (0, 1))),
    scores("U18 only the Retourschneider", OOE, "Bx B B B B B", (7, 5), (7, 10), (1, (4, 0))),
    scores("U18 no Schneider here", OOE, "A", (7, 0), (9, 0), (0, (0, 1)), schneider=0),
    scores("U18 another multiplier", OOE, "B:3 B:3 B:3", (7, 0), (7, 9), (1, (3, 0)), retour=3),
    scores("U18 no Retourschneider", OOE, "B:3 B:3 B:3", (7, 0), (7, 9), (1, (1, 0)), retour=0),
    scores("U19 stays and loses", OOE, "B+ A= B", (7, 3), (7, 6)),
    scores("U19 goes", OOE, "B+ A-", (7, 3), (7, 5)),
    scores("U24 krank at 9 of 11", OOE, "B+ A= A", (9, 4), (12, 4), (0, (0, 1)), target=11),
    scores("R1 each loser by its own points", OOE, "C~ A", (7, 3, 0), (9, 3, 0), (0, (0, 1, 2))),
    scores("R1 the last", OOE, "C~ A", (7, 3, 2), (9, 3, 2), (0, (0, 0, 1)), marks_three="last"),
    scores("R1 a strike against any krank account", OOE, "Cx", (7, 3, 5), (7, 3, 0)),
    scores("V1 last agreed", BY, "A+ B= B+ A-", (0, 0), (0, 3)),
    scores("V1 always two", BY, "A+ B= B+ A-", (0, 0), (0, 2), fold_value="fixed:2"),
    scores("V2 both gespannt play for 3", BY, "B", (14, 13), (14, 16), (1, (1, 0))),
    scores("V2 both may", BY, "A= B-", (13, 13), (15, 13), (0, (0, 1)), decline_when_both=True),
    scores("V9 three for the others too", BY, "A= B", (13, 6), (13, 9)),
    scores("V9 gives two", BY, "A-", (13, 6), (13, 8)),
    scores("V11 gespannt at 9 of 11", BY, "A-", (9, 2), (9, 4), target=11),
    scores("V12 no Schneider", BY, "A= A", (13, 0), (16, 0), (0, (0, 1))),
    scores("V12 a Schneider by switch", BY, "A= A", (13, 0), (16, 0), (0, (0, 2)), schneider=2),
    scores("V near value off", BY, "A= A", (13, 2), (15, 2), (0, (0, 1)), near_value=None),
    scores("W1 raises by one", ST, "A+ B= A", (0, 0), (3, 0)),
    scores("W2 always two", ST, "A+ B+ A+ B-", (0, 0), (2, 0)),
    scores("W2 the agreed value", ST, "A+ B+ A+ B-", (0, 0), (4, 0), fold_value="agreed"),
    scores("W3 going on the four costs two", ST, "A-", (16, 12), (16, 14)),
    scores("W3 another price", ST, "A-", (16, 12), (16, 16), decline_value=4),
    scores("W4 held and lost", ST, "A= B", (17, 5), (17, 9)),
    scores("W4 raised after the four", ST, "A= B+ A= B", (16, 5), (16, 10), raise_after_four=True),
    scores("W8 a counter-raise agrees", ST, "A+ B+ A= B", (0, 0), (0, 4)),
    scores("W10 recomputed every round", ST, "A- A", (16, 11), (18, 13), (0, (0, 1))),
    scores("X1 two to the last raiser", TN, "A+ B+ A-", (0, 0), (0, 2)),
    scores("X1 the agreed value", TN, "A+ B+ A-", (0, 0), (0, 3), fold_value="agreed"),
    scores("X2 what was agreed", TN, "A+ B= A!wild-geboten", (0, 0), (0, 3)),
    scores("X2 an open raise is not agreed", TN, "A+ A!wild-geboten", (0, 0), (0, 2)),
    scores("X8 four below ten", TN, "B", (13, 9), (13, 13)),
    scores("X8 three from ten", TN, "B", (13, 10), (13, 13)),
    scores("X8 both near: three", TN, "B", (14, 13), (14, 16), (1, (1, 0))),
    scores("X8 derived for eleven", TN, "B", (9, 5), (9, 9), target=11),
    scores("X8 derived for eleven, at the limit", TN, "B", (9, 6), (9, 9), target=11),
    scores("X8 derived for five: nobody is below", TN, "B", (3, 0), (3, 3), target=5),
    scores("X8 an absolute limit", TN, "B", (9, 6), (9, 10), target=11, four_if_opponent_below=10),
    scores("X3 given away by switch", TN, "A-", (13, 4), (13, 6), decline="near"),
    scores("Y2 the raises already seen", FR, "A+ B= A+ B-", (0, 0), (5, 0)),
    scores("Y2 the refused one too", FR, "A+ B-", (0, 0), (5, 0), fold_counts_refused=True),
    scores("Y3 twice in a row", FR, "A+ B= A+ B= A", (0, 0), (8, 0), target=15),
    scores("Y7 three by three", FR, "A+ B+ A= B", (0, 0), (0, 8)),
    scores("Y8 five tricks", FR, "A5", (0, 0), (4, 0)),
    scores("Y9 overtricks beside raises", FR, "A+ B= B5", (0, 0), (0, 7)),
    scores("quick: a stake nobody noted", OOE, "A:4", (0, 0), (4, 0)),
    scores("quick: with three at most against krank", OOE, "A:3", (7, 0), (10, 0), (0, (0, 2))),
    scores("other offence", BY, "B!sonstige:1", (0, 0), (1, 0)),
    scores("misdeal penalty by switch", BY, "A!vergeben", (0, 0), (0, 2), misdeal=2),
    scores("raising twice by switch", OOE, "A+ B= A+ B= A", (0, 0), (4, 0), alternate=False),
    # The round goes on after the penalty, with its stake.
    scores("goes on", OOE, "A+ B= A!wild-geboten B", (0, 0), (0, 5), penalty_ends_round=REVOKE),
]

REFUSED = [
    refused("U2", OOE, "", "A+", (7, 7), "locked-near", "O-50"),
    refused("U2 both", OOE, "", "B+", (7, 3), "locked-both", "O-50", near_lock="both"),
    refused("U7 at zero", OOE, "", "Bx", (7, 0), "strike-at-zero", "U7"),
    refused("U7 during a round", OOE, "B+", "Bx", (7, 5), "strike-late", "U7"),
    refused("U7 limit", OOE, "Bx B", "Bx", (7, 5), "strike-limit", "U7", strike_limit=1),
    refused("U5 switched", OOE, "", "Bx", (7, 8), "strike-near-self", "U5", **NOT_KRANK),
    refused("U7 off", OOE, "", "Bx", (7, 5), "no-strike", "O-52", strike=False),
    refused("U17 a ceiling", OOE, "A+ B+", "A+", (0, 0), "max-stake", "U17", max_stake=4),
    refused("U19 the krank side raises", OOE, "B+", "A+", (8, 4), "locked-near", "O-50"),
    refused("U25", OOE, "", PEEK, (0, 0), "no-such-offence", "O-10", variant="kritisch"),
    refused("O-51 only a krank side", OOE, "", "A!krank-geboten", (5, 5), "not-locked", "O-51"),
    refused("O-43", OOE, "A+ B=", "A+", (0, 0), "twice-in-a-row", "O-43"),
    refused("O-44 an answer first", OOE, "A+", "A", (0, 0), "raise-open", "O-44"),
    refused("no answer to one's own raise", OOE, "A+", "A=", (0, 0), "wrong-side", "O-44"),
    refused("quick: four against krank", OOE, "", "A:4", (7, 0), "stake-unreachable", "O-43"),
    refused("quick: below the base", OOE, "", "A:1", (0, 0), "stake-unreachable", "O-42"),
    refused("V2 no giving away", BY, "", "A-", (14, 13), "nothing-to-answer", "V2"),
    refused("V9 the decision first", BY, "", "B", (13, 6), "decision-open", "B-28"),
    refused("V9 the others have no choice", BY, "", "B-", (13, 6), "wrong-side", "B-28"),
    refused("V10 nobody raises", BY, "A=", "B+", (13, 6), "locked-both", "B-30"),
    refused("V10 no penalty", BY, "A=", "A!krank-geboten", (13, 6), "no-such-offence", "V10"),
    refused("no misdeal penalty", BY, "", "A!vergeben", (0, 0), "no-such-offence", ""),
    refused("W4", ST, "A=", "B+", (16, 12), "locked-four", "W4"),
    refused("W5", ST, "", "A+", (16, 14), "locked-near", "E-27"),
    refused("W8", ST, "A+ B=", "A+", (0, 0), "twice-in-a-row", "W8"),
    refused("X3", TN, "", "A-", (13, 4), "nothing-to-answer", "I-46"),
    refused("I-46", TN, "", "A+", (11, 13), "locked-both", "I-46"),
    refused("quick in a locked hand", TN, "", "A:4", (13, 10), "stake-unreachable", "I-46"),
    refused("Y4 cannot see", FR, "A+", "B=", (0, 9), "cannot-see", "Y4", near=2),
    refused("Y4 cannot raise", FR, "", "B+", (0, 9), "locked-near", "Y4", near=2),
    refused("quick: no step of three", FR, "", "A:4", (0, 0), "stake-unreachable", "F-30"),
    refused("three: who sits out", OOE, "B~", "B", (0, 0, 0), "sits-out", "O-04"),
    refused("three: only three", OOE, "", "A~", (0, 0), "nobody-sits-out", "O-04"),
    refused("over is over", OOE, "A", "A", (7, 3), "game-over", "O-49"),
    refused("not over yet", OOE, "A", "N", (0, 0), "game-running", "O-49"),
]


@pytest.mark.parametrize(("rules", "text", "start", "switches", "points", "end"), SCORES)
def test_evening_scores_as_ruled(rules, text, start, switches, points, end):
    state = played_evening(rules, text, start, **switches).state
    assert state.points == points
    if end is None:
        assert state.winner is None
        assert sum(state.bummerl) == 0
    else:
        assert (state.winner, state.bummerl) == end
        assert state.games[-1].points == points


@pytest.mark.parametrize(("rules", "text", "event", "start", "switches", "code", "rule"), REFUSED)
def test_illegal_event_is_refused_with_its_rule(rules, text, event, start, switches, code, rule):
    before = played_evening(rules, text, start, **switches).state
    with pytest.raises(Illegal) as refusal:
        played_evening(rules, f"{text} {event}", start, **switches)
    # The rule in the response. If a house rule refuses, this is the rule that it replaces.
    assert (refusal.value.code, refusing_rule(refusal.value)) == (code, rule)
    assert refusal.value.event == len(text.split())
    assert before == played_evening(rules, text, start, **switches).state


def test_misdeal_passes_the_deal_but_peek_does_not():
    def dealer(text):
        evening = evening_from(text, sides=[{"name": "A"}, {"name": "B"}], dealer="A")
        return evening.state.dealer, evening.state.round

    assert dealer("B!abgehoben-geschaut") == (0, 1)
    assert dealer("B!vergeben") == (1, 2)


def test_next_game_resets_points_and_keeps_bummerl():
    state = played_evening(OOE, "Bx B:3 B:3 B:3 N", (7, 5)).state
    assert (state.points, state.game, state.round) == ((0, 0), 2, 1)
    assert (state.strikes, state.retour_chances) == ((0, 0), ((), ()))
    assert state.bummerl == (4, 0)
    assert [game.kind for game in state.games] == ["retourschneider"]
