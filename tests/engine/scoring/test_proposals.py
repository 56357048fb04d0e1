"""After the cut, changes need the other side's consent."""

import pytest

from scorer.engine import Bieten, Illegal, Korrektur, Side, Sitzordnung, replay
from tests.engine.notation import events, folded

WON = {"do": "gewinnt", "side": 0}
OTHER = {"do": "gewinnt", "side": 1}
ASKED = {"do": "vorschlag", "side": 0, "of": 0, "with": OTHER}


THREE = [{"name": name} for name in "ABC"]


def evening(*events, cut=True, **head):
    return folded(events, cut=cut, **head)


def refused(of, event):
    before = (of.state, list(of.steps), len(of.recorded), of.proposals.open)
    with pytest.raises(Illegal) as refusal:
        of.push(event)
    assert (of.state, of.steps, len(of.recorded), of.proposals.open) == before
    return refusal.value.code


def change(of, new=OTHER, **more):
    return {"do": "korrektur", "of": of, "with": new, **more}


def test_last_round_may_be_changed():
    assert evening(WON, change(0)).state.points == (0, 2)
    assert evening(WON, WON, change(1)).state.points == (2, 2)
    assert refused(evening(WON, WON), change(0)) == "after-the-cut"
    assert refused(evening(WON, {"do": "bieten", "side": 0}), change(0)) == "after-the-cut"


def test_without_the_switch_all_may_be_changed():
    free = evening(WON, WON, change(0), cut=False)
    assert free.state.points == (2, 2)


def test_undo_does_not_open_earlier_rounds():
    book = evening(WON, {"do": "bieten", "side": 0})
    book.push(book.undo().to_json())
    assert refused(book, change(0)) == "after-the-cut"
    assert book.undo_index is None
    assert book.redo_index is not None


def test_seats_and_the_next_game_cut_no_cards():
    over = [{"do": "gewinnt", "side": 0, "stake": 9}]
    seats = {"do": "sitzordnung", "sides": [{"name": "A"}, {"name": "B"}]}
    assert evening(*over, seats, {"do": "neues_spiel"}).undo_index is not None
    book = evening(WON, seats)
    assert book.push(change(0)).points == (0, 2)


def test_a_yes_of_the_other_side_writes_it():
    book = evening(WON, WON, ASKED)
    assert book.state.points == (4, 0)
    assert [one.index for one in book.proposals.open] == [2]
    assert book.push({"do": "zusage", "side": 1, "of": 2}).points == (2, 2)
    assert book.proposals.open == ()
    assert refused(book, {"do": "korrektur", "of": 3, "with": None}) == "after-the-cut"
    assert book.redo_index is None


def test_a_no_stays_a_no():
    book = evening(WON, WON, ASKED, {"do": "absage", "side": 1, "of": 2})
    assert book.state.points == (4, 0)
    assert refused(book, {"do": "zusage", "side": 1, "of": 2}) == "no-such-proposal"
    assert refused(book, ASKED) == "already-refused"
    book.push({**ASKED, "with": None})
    assert len(book.proposals.open) == 1


def test_nobody_answers_itself():
    book = evening(WON, WON, ASKED)
    assert refused(book, {"do": "zusage", "side": 0, "of": 2}) == "own-proposal"
    assert refused(book, ASKED) == "already-proposed"
    book.push({"do": "absage", "side": 0, "of": 2})
    assert book.proposals.at(2).answer == "withdrawn"
    book.push(ASKED)
    assert len(book.proposals.open) == 1


@pytest.mark.parametrize(("asks", "answers"), [(0, 1), (0, 2), (1, 0), (2, 0)])
def test_the_other_party_answers(asks, answers):
    """The writer's phone speaks for side 0, and one phone for sides 1 and 2 together."""
    asked = {"do": "vorschlag", "side": asks, "of": 0, "with": None}
    for own in (0,) if asks == 0 else (1, 2):
        book = evening(OTHER, asked, sides=THREE)
        assert refused(book, {"do": "zusage", "side": own, "of": 1}) == "own-proposal"
        book.push({"do": "absage", "side": own, "of": 1})
        assert book.proposals.at(1).answer == "withdrawn"
    book = evening(OTHER, asked, sides=THREE)
    book.push({"do": "zusage", "side": answers, "of": 1})
    assert book.proposals.at(1).answer == "yes"


def test_late_yes_stays_open():
    """If a proposal has become impossible, a yes is refused and the proposal stays open."""
    asked = {**ASKED, "with": {**WON, "stake": 9}}
    book = evening(WON, WON, asked)
    assert refused(book, {"do": "zusage", "side": 1, "of": 2}) == "game-over"
    assert len(book.proposals.open) == 1


@pytest.mark.parametrize("of", [1, 2, 7])
def test_nothing_asked_nothing_to_answer(of):
    book = evening(WON, {"do": "einig", "side": 0}, WON)
    assert refused(book, {"do": "zusage", "side": 1, "of": of}) == "no-such-proposal"


def test_statements_are_not_corrected_away():
    book = evening(WON, {"do": "strittig", "side": 1, "of": 0}, cut=False)
    assert refused(book, {"do": "korrektur", "of": 1, "with": None}) == "said-beside"
    raised = [{"do": "bieten", "side": 0}, {"do": "strittig", "side": 1, "of": 0}]
    book = evening(WON, *raised, {"do": "gehen", "side": 1}, cut=False)
    book.push(change(1, OTHER, through=3))
    assert book.state.disputed == (0,)
    assert book.state.points == (2, 2)


def test_the_record_tells_the_same_again():
    book = evening(WON, WON, ASKED, {"do": "zusage", "side": 1, "of": 2})
    again, refusal = replay({**book.head.to_json(), "events": book.recorded})
    assert refusal is None
    assert again.state == book.state


SWAPPED = Sitzordnung(sides=(Side("Die"), Side("Wir")))


def test_other_names_after_the_cut_need_a_yes():
    assert not folded("A", cut=True).needs_consent(SWAPPED)
    evening = folded("A A+", cut=True)
    assert evening.needs_consent(SWAPPED)
    assert not evening.needs_consent(Sitzordnung(dealer="Wir"))
    # A correction of the open round does not let them in, either.
    assert evening.needs_consent(Korrektur(1, (Bieten(0), SWAPPED)))


def test_agreed_names_need_a_yes_to_go():
    evening = folded("A A+", cut=True)
    correction = evening.proposing(SWAPPED)
    evening.push({**correction.to_json(), "do": "vorschlag", "side": 0})
    state = evening.push({"do": "zusage", "side": 1, "of": 2})
    assert (state.sides[0].name, state.points) == ("Die", (2, 0))
    assert evening.needs_consent(evening.undo())
    assert evening.undo_index is None


def test_a_correction_moves_what_is_closed():
    evening = folded("A", cut=True)
    assert evening.closed == -1
    evening.push({"do": "korrektur", "of": 0, "with": events("A A+")})
    assert evening.closed == 0
    assert evening.needs_consent(Korrektur(0))
    assert evening.undo_index is None


def test_what_was_closed_stays_closed():
    evening = folded("A A+", cut=True)
    evening.push(evening.undo().to_json())
    assert evening.closed == 0
