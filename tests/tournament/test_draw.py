"""The draw: every pair plays, rematches are avoided, byes are distributed."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Illegal
from scorer.tournament import draw, standings
from scorer.tournament.round_robin import group_of
from scorer.tournament.seeds import round_seed
from scorer.tournament.stages import next_stage
from tests.sampling import examples
from tests.tournament.builders import (
    draw_round,
    enter_result,
    pairings,
    play_out,
    play_round,
    start_tournament,
)


def can_be_paired(pairs, met):
    """Whether all `pairs` can play opponents that they have not met, by brute force."""
    if not pairs:
        return True
    first, *rest = pairs
    return any(
        can_be_paired([pair for pair in rest if pair != other], met)
        for other in rest
        if frozenset((first, other)) not in met
    )


@examples(60)
@given(st.integers(2, 10), st.integers(1, 9), st.integers(0, 3), st.integers(0, 99))
def test_every_pair_plays_or_has_a_bye(count, rounds, clubs, seed):
    tournament = start_tournament(count, clubs, rounds=rounds, seed=str(seed))
    met, byes = set(), Counter()
    for number in range(rounds):
        draw_round(tournament)
        newest = tournament.rounds[-1]
        playing = [pair for match in newest.matches.values() for pair in match.drawn_table.pairs]
        assert sorted([*playing, *newest.byes]) == list(range(1, count + 1))
        assert len(newest.byes) == count % 2
        rematches = [m for m in newest.matches.values() if frozenset(m.drawn_table.pairs) in met]
        assert all("rematch" in m.drawn_table.notes for m in rematches)
        if rematches:
            everybody = range(1, count + 1)
            fewest = min(byes[pair] for pair in everybody)
            # Any pair with the fewest byes could have got this one.
            free = [pair for pair in everybody if byes[pair] == fewest] if count % 2 else [None]
            for bye in free:
                assert not can_be_paired([pair for pair in everybody if pair != bye], met)
            assert number >= count - 1
        met |= {frozenset(m.drawn_table.pairs) for m in newest.matches.values()}
        byes.update(newest.byes)
        assert max(byes.values(), default=0) - min(byes[p] for p in range(1, count + 1)) <= 1
        for table in newest.matches:
            enter_result(tournament, table, (15, 3))


@examples(40)
@given(st.integers(2, 40), st.integers(0, 5), st.integers(0, 99), st.data())
def test_draw_includes_arrivals_and_skips_withdrawals(count, clubs, seed, data):
    tournament = start_tournament(count, clubs, rounds=6, seed=str(seed))
    rng = Random(seed)
    for _ in range(4):
        if data.draw(st.booleans()):
            name = f"Late {len(tournament.entrants)}"
            tournament.push({"do": "anmeldung", "entry": {"name": name}})
        if data.draw(st.booleans()) and len(tournament.active_entrants) > 2:
            gone = rng.choice(tournament.active_entrants).number
            tournament.push({"do": "abmeldung", "pair": gone})
        play_round(tournament, rng)
        newest = tournament.rounds[-1]
        playing = [pair for match in newest.matches.values() for pair in match.drawn_table.pairs]
        assert sorted([*playing, *newest.byes]) == [e.number for e in tournament.active_entrants]


def test_seed_decides_the_draw():
    def draw_three_rounds(seed):
        tournament = start_tournament(20, seed=seed)
        for _ in range(3):
            play_round(tournament, Random(1))
        return pairings(tournament)

    assert draw_three_rounds("a") == draw_three_rounds("a")
    assert draw_three_rounds("a") != draw_three_rounds("b")


def test_pairs_of_one_club_are_kept_apart():
    tournament = start_tournament(20, clubs=4, rounds=3)
    for _ in range(3):
        play_round(tournament, Random(2))
    clubs = {n: e.pair.club for n, e in tournament.entrants.items()}
    assert all(clubs[a] != clubs[b] for round_ in pairings(tournament) for a, b in round_)
    crowded = start_tournament(6, clubs=1)
    draw_round(crowded)
    assert all("same-club" in m.drawn_table.notes for m in crowded.rounds[0].matches.values())


def test_pair_plays_at_most_twice_at_one_table():
    tournament = start_tournament(16, rounds=5)
    for _ in range(5):
        play_round(tournament, Random(3))
    sat = Counter(
        (pair, m.drawn_table.table)
        for round_ in tournament.rounds
        for m in round_.matches.values()
        for pair in m.drawn_table.pairs
    )
    assert max(sat.values()) <= 2


@pytest.mark.parametrize("count", [2, 3, 6, 9])
def test_round_robin_pairs_everyone_once(count):
    tournament = start_tournament(count, format="round-robin", rounds=99)
    play_out(tournament, Random(4))
    met = Counter(frozenset(two) for round_ in pairings(tournament) for two in round_)
    assert met == Counter(frozenset(two) for two in combinations(range(1, count + 1), 2))


def test_groups_stay_the_same_after_changes():
    tournament = start_tournament(8, format="groups", rounds=99, groups={"count": 2, "best": 1})
    play_round(tournament, Random(5))
    inside = group_of(tournament)
    for pair in (1, 2):
        entry = {"name": f"X{pair}", "club": "Ort"}
        tournament.push({"do": "aenderung", "pair": pair, "entry": entry})
    tournament.push({"do": "abmeldung", "pair": 3})
    play_out(tournament, Random(5))
    assert group_of(tournament) == inside
    assert all(inside[a] == inside[b] for round_ in pairings(tournament) for a, b in round_)
    # Without finals, the tournament ends after the groups.
    assert {round_.stage for round_ in tournament.rounds} == {"groups"}


def test_pair_withdrawn_before_draw_is_not_paired():
    tournament = start_tournament(5, format="round-robin", rounds=99)
    tournament.push({"do": "abmeldung", "pair": 2})
    play_out(tournament, Random(6))
    assert [round_.byes for round_ in tournament.rounds] == [()] * 3


def test_round_without_matches_is_skipped():
    tournament = start_tournament(3, format="round-robin", rounds=99)
    play_round(tournament, Random(6))
    gone = next(iter(tournament.rounds[0].matches.values())).drawn_table.pairs[0]
    tournament.push({"do": "abmeldung", "pair": gone})
    play_out(tournament, Random(6))
    assert all(round_.matches for round_ in tournament.rounds)


@pytest.mark.parametrize(("count", "rounds"), [(6, 5), (8, 7), (10, 9), (5, 5)])
@pytest.mark.parametrize("seed", range(10))
def test_late_entry_or_withdrawal_causes_no_rematch(count, rounds, seed):
    tournament = start_tournament(count, rounds=rounds, seed=str(seed))
    play_round(tournament, Random(seed))
    late = {"do": "anmeldung", "entry": {"name": "Late"}}
    tournament.push(late if count % 2 else {"do": "abmeldung", "pair": 1})
    for _ in range(rounds - 1):
        play_round(tournament, Random(seed))
    assert not any(
        m.drawn_table.notes for round_ in tournament.rounds for m in round_.matches.values()
    )


def test_withdrawn_knockout_winner_is_not_first():
    tournament = start_tournament(4, format="knockout", rounds=99)
    play_round(tournament, Random(7))
    best = standings(tournament)[0].pair
    tournament.push({"do": "abmeldung", "pair": best})
    with pytest.raises(Illegal, match="all-played"):
        draw(tournament)
    assert standings(tournament)[0].pair != best


def test_opponent_of_withdrawn_pair_gets_a_bye():
    tournament = start_tournament(4, format="round-robin", rounds=99)
    play_round(tournament, Random(6))
    tournament.push({"do": "abmeldung", "pair": 1})
    draw_round(tournament)
    assert (len(tournament.rounds[-1].matches), len(tournament.rounds[-1].byes)) == (1, 1)


@examples(40)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=12), st.integers(0, 99))
def test_knockout_with_lots_ends_with_one_winner(entries, seed):
    pairs = [{"name": f"P{n}", "entries": lots} for n, lots in enumerate(entries)]
    tournament = start_tournament(0, format="knockout", pairs=pairs, rounds=99, seed=str(seed))
    alive = sum(entries)
    with pytest.raises(Illegal, match="all-played"):
        while True:
            play_round(tournament, Random(seed))
            newest = tournament.rounds[-1]
            assert all(len(set(m.drawn_table.pairs)) == 2 for m in newest.matches.values())
            own = alive - 2 * len(newest.matches) - len(newest.byes)
            assert own == 0 or (own <= len(newest.byes) and "own-lots" in newest.notes)
            alive = len(newest.matches) + len(newest.byes)
            assert alive & (alive - 1) == 0
    left = {m.drawn_table.pairs[m.winner] for m in newest.matches.values()}
    left |= {tournament.pair_of(lot) for lot in newest.byes}
    assert {standings(tournament)[0].pair} == left


def test_lots_of_one_pair_do_not_meet_in_first_round():
    pairs = [{"name": "A", "entries": 4}, *[{"name": n} for n in "BCDE"]]
    tournament = start_tournament(0, format="knockout", pairs=pairs, rounds=99)
    draw_round(tournament)
    assert all(len(set(two)) == 2 for two in pairings(tournament)[0])


def test_recorded_draw_ignores_the_seed():
    tournament = start_tournament(6)
    drawn = draw(tournament).to_json()
    other = start_tournament(6, seed="other")
    other.push(drawn)
    assert pairings(other)[0] == [tuple(table["pairs"]) for table in drawn["tables"]]


FORMATS = ["redraw", "round-robin", "groups", "knockout", "partners"]


@pytest.mark.parametrize("format_", FORMATS)
def test_redrawing_after_undo_gives_the_same_draw(format_):
    """No director gets another draw by taking a draw back."""
    tournament = start_tournament(8, format=format_)
    draw_round(tournament)
    first = tournament.rounds[0]
    for _ in range(2):
        tournament.push({"do": "ruecknahme", "round": 1})
        assert draw(tournament).seed == round_seed(tournament) == first.seed
        draw_round(tournament)
        assert (tournament.rounds, tournament.undone_rounds) == ((first,), ())


@pytest.mark.parametrize(
    ("old", "changed"),
    [
        ({"format": "groups", "groups": {"count": 4}}, {"groups": {"count": 3}}),
        ({"format": "round-robin"}, {"format": "redraw", "rounds": 2}),
        ({"rounds": 2}, {"rounds": 9}),
        ({"rounds": 9}, {"rounds": 2}),
    ],
)
def test_draw_follows_settings_changed_after_undo(old, changed):
    tournament = start_tournament(12, **old)
    draw_round(tournament)
    tournament.push({"do": "ruecknahme", "round": 1})
    tournament.push({"do": "einstellung", "set": changed})
    draw_round(tournament)
    settings = old | changed
    circles = [len(circle) for circle in tournament.rounds[0].circles]
    if "groups" in settings:
        assert circles == [4] * 3
    else:
        assert bool(circles) == (settings["rounds"] > 6)


@pytest.mark.parametrize("two", ["lots", "tables"])
def test_swapped_draw_gets_a_new_seed_when_redrawn(two):
    """A swapped draw does not follow from its seed."""
    tournament = start_tournament(8)
    draw_round(tournament)
    [first, second, *_] = [match.drawn_table for match in tournament.rounds[0].matches.values()]
    swap = {"lots": [first.lots[0], second.lots[0]], "tables": [first.table, second.table]}
    tournament.push({"do": "tausch", "round": 1, two: swap[two]})
    tournament.push({"do": "ruecknahme", "round": 1})
    assert draw(tournament).seed not in ("", tournament.undone_rounds[0].seed)


@pytest.mark.parametrize("form", [{"format": "groups", "groups": {"count": 3}}, {"rounds": 99}])
@pytest.mark.parametrize("count", [10, 11])
def test_pairs_swapped_in_a_round_robin_meet_all_of_their_new_circle(form, count):
    tournament = start_tournament(count, **{"format": "round-robin", **form})
    draw_round(tournament)
    newest, groups = tournament.rounds[0], group_of(tournament.now)
    [first, second, *_] = [match.drawn_table.lots[1] for match in newest.matches.values()]
    tournament.push({"do": "tausch", "round": 1, "lots": [first, second]})
    swapped = {first: second, second: first}
    seats = group_of(tournament.now)
    assert seats == {swapped.get(pair, pair): group for pair, group in groups.items()}
    while next_stage(tournament.now) is not None:
        draw_round(tournament, anyway=True)
    circles = [[pair for pair in circle if pair] for circle in tournament.rounds[0].circles]
    met = Counter(
        tuple(sorted(match.drawn_table.pairs))
        for drawn in tournament.rounds
        for match in drawn.matches.values()
    )
    assert met == Counter(two for circle in circles for two in combinations(sorted(circle), 2))


def test_changed_attendance_gives_a_new_draw():
    tournament = start_tournament(8)
    draw_round(tournament)
    first = tournament.rounds[0]
    tournament.push({"do": "ruecknahme", "round": 1})
    tournament.push({"do": "anwesenheit", "absent": [8]})
    assert round_seed(tournament) not in ("", first.seed)
    draw_round(tournament)
    assert tournament.rounds[0].playing == {*range(1, 8)} - {*tournament.rounds[0].byes}
    # `asks` makes all pairs present again, so the first draw returns.
    tournament.push({"do": "ruecknahme", "round": 1, "asks": True})
    assert not tournament.attendance_recorded
    draw_round(tournament)
    assert tournament.rounds == (first,)


def test_round_removed_by_correction_gets_a_new_seed():
    """If a correction removes a round with results, that round is drawn anew."""
    tournament = start_tournament(8, format="knockout")
    play_round(tournament, Random(1))
    draw_round(tournament)
    enter_result(tournament, 1, (15, 8))
    points = (8, 15) if tournament.rounds[0].matches[1].winner == 0 else (15, 8)
    enter_result(tournament, 1, points, round=1, back=2, reason="wrong way round")
    assert tournament.undone_rounds and not tournament.rounds[1:]
    assert draw(tournament).seed != tournament.undone_rounds[-1].seed


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("format_", ["redraw", "round-robin", "groups", "knockout"])
def test_draw_with_too_few_pairs_is_refused(count, format_):
    with pytest.raises(Illegal, match="too-few-pairs"):
        draw(start_tournament(count, format=format_))


@pytest.mark.parametrize("format_", FORMATS)
def test_offline_draw_with_unknown_pairs_is_refused(format_):
    """A draw made offline is recorded as it is, so an odd one must not break later pages."""
    tournament, table = start_tournament(4, format=format_), {"table": 1, "pairs": [1, 2]}
    drawn = {"do": "auslosung", "round": 1, "stage": "rounds", "tables": [table]}
    for odd in ({"byes": [9]}, {"tables": [{**table, "lots": [7, 8]}]}):
        with pytest.raises(Illegal, match="no-such-pair"):
            tournament.push({**drawn, **odd})
    tournament.push(drawn)
    enter_result(tournament, 1, (15, 8))
    assert len(standings(tournament)) == 4
    assert next_stage(tournament) == ("rounds" if format_ in ("redraw", "partners") else None)


def test_draw_with_missing_results_is_refused():
    tournament = start_tournament(4)
    draw_round(tournament)
    enter_result(tournament, 1, (15, 8))
    with pytest.raises(Illegal, match="results-missing") as refusal:
        draw(tournament)
    assert refusal.value.values == {"count": 1, "tables": "2"}
    draw_round(tournament, anyway=True)
    assert len(tournament.rounds) == 2
    enter_result(tournament, 2, (15, 2), round=1)
    assert tournament.match(1, 2).status == "done"


def add_latecomer(tournament, name="Late"):
    """Enter a new pair; return its number."""
    tournament.push({"do": "anmeldung", "entry": {"name": name}})
    return len(tournament.entrants)


def test_latecomer_is_paired_with_the_bye():
    tournament = start_tournament(5, seed="late")
    draw_round(tournament)
    bye, before = tournament.rounds[0].byes[0], dict(tournament.rounds[0].matches)
    # Another table already has a result, which stays.
    enter_result(tournament, 1, (15, 8))
    lots = [bye, add_latecomer(tournament)]
    tournament.push({"do": "tausch", "round": 1, "lots": lots, "opened": ["new"]})
    drawn = tournament.rounds[0]
    assert set(drawn.matches) == {*before, 3}
    assert (drawn.matches[3].drawn_table.pairs, drawn.matches[3].drawn_table.stream) == (
        (bye, 6),
        "new",
    )
    assert (drawn.byes, tournament.replaced_streams) == ((), ())
    assert drawn.matches[1].status == "done"


def test_two_latecomers_can_be_paired():
    tournament = start_tournament(4)
    draw_round(tournament)
    two = [add_latecomer(tournament, name) for name in ("First", "Second")]
    swap = {"do": "tausch", "round": 1, "lots": two}
    with pytest.raises(Illegal):
        tournament.push({**swap, "lots": [two[0], two[0]]})
    tournament.push({"do": "abmeldung", "pair": two[1]})
    with pytest.raises(Illegal):
        tournament.push(swap)
    tournament.push({"do": "rueckkehr", "pair": two[1]})
    tournament.push(swap)
    assert tournament.rounds[0].matches[3].drawn_table.pairs == tuple(two)
    everybody = start_tournament(5, format="round-robin", rounds=9)
    draw_round(everybody)
    with pytest.raises(Illegal):
        everybody.push({**swap, "lots": [everybody.rounds[0].byes[0], 6]})


@pytest.mark.parametrize(
    ("hall", "seat", "wave"),
    [({}, 0, 1), ({"first": 5}, 0, 1), ({"count": 3}, 0, 1), ({"count": 2, "closed": [1]}, 2, 2)],
)
def test_added_match_gets_the_next_free_table(hall, seat, wave):
    tournament = start_tournament(5, hall=hall)
    draw_round(tournament)
    last = max(tournament.rounds[0].matches)
    lots = [tournament.rounds[0].byes[0], add_latecomer(tournament)]
    tournament.push({"do": "tausch", "round": 1, "lots": lots})
    assert max(tournament.rounds[0].matches) == last + 1
    drawn = tournament.rounds[0].matches[last + 1].drawn_table
    assert (drawn.own_hall_table, drawn.wave) == (seat, wave)


def separate_pairs(tournament, *pairs):
    for pair, other in pairs:
        tournament.push({"do": "trennung", "pair": pair, "other": other})


@examples(60)
@given(
    st.integers(4, 16),
    st.sampled_from(("redraw", "knockout")),
    st.sets(st.tuples(st.integers(1, 16), st.integers(1, 16)), max_size=4),
    st.integers(0, 99),
)
def test_separated_pairs_meet_only_if_unavoidable(count, form, wanted, seed):
    tournament = start_tournament(count, format=form, rounds=2, seed=str(seed))
    two = {frozenset(pairs) for pairs in wanted if len({*pairs}) == 2 and max(pairs) <= count}
    separate_pairs(tournament, *map(sorted, two))
    draw_round(tournament)
    newest = tournament.rounds[-1]
    met = [match for match in newest.matches.values() if frozenset(match.drawn_table.pairs) in two]
    assert all("apart" in match.drawn_table.notes for match in met)
    if met:
        playing = [pair for match in newest.matches.values() for pair in match.drawn_table.pairs]
        assert not can_be_paired(playing, two)


def test_redraw_respects_newly_separated_pairs():
    tournament = start_tournament(8, rounds=3)
    draw_round(tournament)
    pair, other = tournament.rounds[-1].matches[1].drawn_table.pairs
    tournament.push({"do": "ruecknahme", "round": 1})
    separate_pairs(tournament, (pair, other))
    draw_round(tournament)
    assert (pair, other) not in {tuple(sorted(two)) for two in pairings(tournament)[0]}
    # The director can allow them to meet again.
    tournament.push({"do": "trennung", "pair": other, "other": pair, "apart": False})
    assert not tournament.now.kept_apart


def test_separated_pairs_do_not_meet_in_four_rounds():
    tournament = start_tournament(6, rounds=4)
    separate_pairs(tournament, (1, 2))
    for _ in range(4):
        play_round(tournament, Random(1))
    assert not any({*pair} == {1, 2} for round_ in pairings(tournament) for pair in round_)


@pytest.mark.parametrize(("other", "code"), [(1, "same-pair"), (9, "no-such-pair")])
def test_separating_from_invalid_pair_is_refused(other, code):
    with pytest.raises(Illegal, match=code):
        separate_pairs(start_tournament(4), (1, other))
