"""After the cut, changes need the other side's consent."""

import pytest

from scorer.engine import Bieten, Illegal, Korrektur, Side, Sitzordnung, parse, replay
from tests.builders import LOST, RAISED, WON
from tests.engine.notation import evening_from, events

PROPOSAL = {"do": "vorschlag", "side": 0, "of": 0, "with": LOST}
THREE_SIDES = [{"name": name} for name in "ABC"]


def cut_evening(*events, cut=True, **head):
    """An evening that was cut, unless `cut` is false, with these events."""
    return evening_from(events, cut=cut, **head)


def refusal_code(evening, event):
    """The code of the refusal of an event, which must leave the evening as it was."""

    def content():
        return evening.state, [*evening.steps], len(evening.recorded), evening.proposals.open

    before = content()
    with pytest.raises(Illegal) as refusal:
        evening.push(event)
    assert content() == before
    return refusal.value.code


def correction_of(of, new=LOST, **more):
    return {"do": "korrektur", "of": of, "with": new, **more}


def test_only_last_round_is_corrected_without_consent():
    assert cut_evening(WON, correction_of(0)).state.points == (0, 2)
    assert cut_evening(WON, WON, correction_of(1)).state.points == (2, 2)
    assert refusal_code(cut_evening(WON, WON), correction_of(0)) == "after-the-cut"
    assert refusal_code(cut_evening(WON, RAISED), correction_of(0)) == "after-the-cut"


def test_any_round_is_correctable_without_the_cut():
    assert cut_evening(WON, WON, correction_of(0), cut=False).state.points == (2, 2)


def test_undo_does_not_reopen_earlier_rounds():
    evening = cut_evening(WON, RAISED)
    evening.push(evening.undo_correction().to_json())
    assert evening.last_closed_index == 0
    assert refusal_code(evening, correction_of(0)) == "after-the-cut"
    assert evening.undo_index is None
    assert evening.redo_index is not None


DISPUTED, SETTLED = ({"do": do, "side": 1, "of": 0} for do in ("strittig", "geklaert"))


def test_correction_on_which_both_sides_agreed_is_not_undone_alone():
    settled = cut_evening(WON, DISPUTED, correction_of(0), SETTLED)
    accepted = cut_evening(WON, {**PROPOSAL, "of": 0}, {"do": "zusage", "side": 1, "of": 1})
    for evening in (settled, accepted):
        assert evening.undo_index is None
        assert evening.needs_consent(evening.undo_correction())
        assert evening.needs_consent(parse(correction_of(0)))
        # What is played next can be undone.
        evening.push(WON)
        assert evening.undo_index == len(evening.recorded) - 1
    struck = cut_evening(WON, DISPUTED, correction_of(0, []), SETTLED)
    assert struck.redo_index is None and struck.needs_consent(struck.redo_correction())
    assert not cut_evening(WON, DISPUTED, SETTLED, cut=False).needs_consent(Korrektur(0))


def test_round_that_is_disputed_again_can_be_corrected():
    for disputed in ([DISPUTED], [DISPUTED, SETTLED, DISPUTED]):
        assert not cut_evening(WON, *disputed).needs_consent(parse(correction_of(0)))


def test_seating_and_next_game_do_not_close_a_round():
    game_over = [{"do": "gewinnt", "side": 0, "stake": 9}]
    seats = {"do": "sitzordnung", "sides": [{"name": "A"}, {"name": "B"}]}
    assert cut_evening(*game_over, seats, {"do": "neues_spiel"}).undo_index is not None
    assert cut_evening(WON, seats).push(correction_of(0)).points == (0, 2)


def test_accepted_proposal_changes_the_score():
    evening = cut_evening(WON, WON, PROPOSAL)
    assert evening.state.points == (4, 0)
    assert [proposal.index for proposal in evening.proposals.open] == [2]
    assert evening.push({"do": "zusage", "side": 1, "of": 2}).points == (2, 2)
    assert evening.proposals.open == ()
    assert refusal_code(evening, {"do": "korrektur", "of": 3, "with": None}) == "after-the-cut"
    assert evening.redo_index is None


def test_refused_proposal_cannot_be_repeated():
    evening = cut_evening(WON, WON, PROPOSAL, {"do": "absage", "side": 1, "of": 2})
    assert evening.state.points == (4, 0)
    assert refusal_code(evening, {"do": "zusage", "side": 1, "of": 2}) == "no-such-proposal"
    assert refusal_code(evening, PROPOSAL) == "already-refused"
    evening.push({**PROPOSAL, "with": None})
    assert len(evening.proposals.open) == 1


def test_side_cannot_accept_its_own_proposal():
    evening = cut_evening(WON, WON, PROPOSAL)
    assert refusal_code(evening, {"do": "zusage", "side": 0, "of": 2}) == "own-proposal"
    assert refusal_code(evening, PROPOSAL) == "already-proposed"
    evening.push({"do": "absage", "side": 0, "of": 2})
    assert evening.proposals.get(2).answer == "withdrawn"
    evening.push(PROPOSAL)
    assert len(evening.proposals.open) == 1


@pytest.mark.parametrize(("asks", "answers"), [(0, 1), (0, 2), (1, 0), (2, 0)])
def test_only_the_opposing_phone_accepts_a_proposal(asks, answers):
    """The writer's phone speaks for side 0, and one phone for sides 1 and 2 together."""
    proposal = {"do": "vorschlag", "side": asks, "of": 0, "with": None}
    for own in (0,) if asks == 0 else (1, 2):
        evening = cut_evening(LOST, proposal, sides=THREE_SIDES)
        assert refusal_code(evening, {"do": "zusage", "side": own, "of": 1}) == "own-proposal"
        evening.push({"do": "absage", "side": own, "of": 1})
        assert evening.proposals.get(1).answer == "withdrawn"
    evening = cut_evening(LOST, proposal, sides=THREE_SIDES)
    evening.push({"do": "zusage", "side": answers, "of": 1})
    assert evening.proposals.get(1).answer == "yes"


def test_impossible_proposal_stays_open_when_accepted():
    """If a proposal has become impossible, a yes is refused and the proposal stays open."""
    evening = cut_evening(WON, WON, {**PROPOSAL, "with": {**WON, "stake": 9}})
    assert refusal_code(evening, {"do": "zusage", "side": 1, "of": 2}) == "game-over"
    assert len(evening.proposals.open) == 1


@pytest.mark.parametrize("of", [1, 2, 7])
def test_answer_without_a_proposal_is_refused(of):
    evening = cut_evening(WON, {"do": "einig", "side": 0}, WON)
    assert refusal_code(evening, {"do": "zusage", "side": 1, "of": of}) == "no-such-proposal"


def test_corrections_leave_statements_in_place():
    evening = cut_evening(WON, {"do": "strittig", "side": 1, "of": 0}, cut=False)
    assert refusal_code(evening, {"do": "korrektur", "of": 1, "with": None}) == "said-beside"
    raised = [RAISED, {"do": "strittig", "side": 1, "of": 0}]
    evening = cut_evening(WON, *raised, {"do": "gehen", "side": 1}, cut=False)
    evening.push(correction_of(1, LOST, through=3))
    assert evening.state.disputed == (0,)
    assert evening.state.points == (2, 2)


def test_record_with_proposals_replays_to_same_state():
    evening = cut_evening(WON, WON, PROPOSAL, {"do": "zusage", "side": 1, "of": 2})
    replayed, refusal = replay({**evening.head.to_json(), "events": evening.recorded})
    assert refusal is None
    assert replayed.state == evening.state


SWAPPED = Sitzordnung(sides=(Side("Die"), Side("Wir")))


def test_renaming_sides_after_the_cut_needs_consent():
    assert not evening_from("A", cut=True).needs_consent(SWAPPED)
    evening = evening_from("A A+", cut=True)
    assert evening.needs_consent(SWAPPED)
    assert not evening.needs_consent(Sitzordnung(dealer="Wir"))
    # A correction of the open round may not rename them without consent, either.
    assert evening.needs_consent(Korrektur(1, (Bieten(0), SWAPPED)))


def test_undoing_agreed_names_needs_consent():
    evening = evening_from("A A+", cut=True)
    evening.push({**evening.insertion_of(SWAPPED).to_json(), "do": "vorschlag", "side": 0})
    state = evening.push({"do": "zusage", "side": 1, "of": 2})
    assert (state.sides[0].name, state.points) == ("Die", (2, 0))
    assert evening.needs_consent(evening.undo_correction())
    assert evening.undo_index is None


def test_inserted_round_closes_the_one_before():
    evening = evening_from("A", cut=True)
    assert evening.last_closed_index == -1
    evening.push({"do": "korrektur", "of": 0, "with": events("A A+")})
    assert evening.last_closed_index == 0
    assert evening.needs_consent(Korrektur(0))
    assert evening.undo_index is None
