"""The draw: every pair plays, rematches are avoided, byes are distributed."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.engine import Illegal
from scorer.tournament import draw, standings
from scorer.tournament.draw import next_stage, round_seed
from scorer.tournament.finals import cuts
from scorer.tournament.round_robin import group_of
from tests.tournament.builders import draw_round, play_out, play_round, result, tournament


def pairings(found):
    """The pairs of each match, by round."""
    return [[m.drawn.pairs for m in one.matches.values()] for one in found.rounds]


def can_be_paired(pairs, met):
    """Whether all `pairs` can play opponents that they have not met, by brute force."""
    if not pairs:
        return True
    one, *rest = pairs
    return any(
        can_be_paired([pair for pair in rest if pair != other], met)
        for other in rest
        if frozenset((one, other)) not in met
    )


@settings(max_examples=60)
@given(st.integers(2, 10), st.integers(1, 9), st.integers(0, 3), st.integers(0, 99))
def test_every_pair_plays_or_has_a_bye(count, rounds, clubs, seed):
    found = tournament(count, clubs, rounds=rounds, seed=str(seed))
    met, byes = set(), Counter()
    for number in range(rounds):
        draw_round(found)
        one = found.rounds[-1]
        playing = [pair for match in one.matches.values() for pair in match.drawn.pairs]
        assert sorted([*playing, *one.byes]) == list(range(1, count + 1))
        assert len(one.byes) == count % 2
        again = [m for m in one.matches.values() if frozenset(m.drawn.pairs) in met]
        assert all("rematch" in m.drawn.notes for m in again)
        if again:
            rest = [[p for p in range(1, count + 1) if p != bye] for bye in range(1, count + 1)]
            fair = [
                r
                for r, bye in zip(rest, range(1, count + 1), strict=True)
                if byes[bye] == min(byes[p] for p in range(1, count + 1))
            ]
            options = fair if count % 2 else [list(range(1, count + 1))]
            assert not any(can_be_paired(pairs, met) for pairs in options)
            assert number >= count - 1
        met |= {frozenset(m.drawn.pairs) for m in one.matches.values()}
        byes.update(one.byes)
        assert max(byes.values(), default=0) - min(byes[p] for p in range(1, count + 1)) <= 1
        for table in one.matches:
            result(found, table, (15, 3))


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(0, 5), st.integers(0, 99), st.data())
def test_draw_includes_arrivals_and_skips_withdrawals(count, clubs, seed, data):
    found = tournament(count, clubs, rounds=6, seed=str(seed))
    chance = Random(seed)
    for _ in range(4):
        if data.draw(st.booleans()):
            name = f"Late {len(found.entrants)}"
            found.push({"do": "anmeldung", "entry": {"name": name}})
        if data.draw(st.booleans()) and len(found.active) > 2:
            gone = chance.choice(found.active).number
            found.push({"do": "abmeldung", "pair": gone})
        play_round(found, chance)
        one = found.rounds[-1]
        playing = [pair for match in one.matches.values() for pair in match.drawn.pairs]
        assert sorted([*playing, *one.byes]) == [e.number for e in found.active]


def test_seed_decides_the_draw():
    def draw_three_rounds(seed):
        found = tournament(20, seed=seed)
        for _ in range(3):
            play_round(found, Random(1))
        return pairings(found)

    assert draw_three_rounds("a") == draw_three_rounds("a")
    assert draw_three_rounds("a") != draw_three_rounds("b")


def test_pairs_of_one_club_are_kept_apart():
    found = tournament(20, clubs=4, rounds=3)
    for _ in range(3):
        play_round(found, Random(2))
    clubs = {n: e.pair.club for n, e in found.entrants.items()}
    assert all(clubs[a] != clubs[b] for one in pairings(found) for a, b in one)
    crowded = tournament(6, clubs=1)
    draw_round(crowded)
    assert all("same-club" in m.drawn.notes for m in crowded.rounds[0].matches.values())


def test_pair_plays_at_most_twice_at_one_table():
    found = tournament(16, rounds=5)
    for _ in range(5):
        play_round(found, Random(3))
    sat = Counter(
        (pair, m.drawn.table)
        for one in found.rounds
        for m in one.matches.values()
        for pair in m.drawn.pairs
    )
    assert max(sat.values()) <= 2


@pytest.mark.parametrize("count", [2, 3, 6, 9])
def test_round_robin_pairs_everyone_once(count):
    found = tournament(count, format="round-robin", rounds=99)
    play_out(found, Random(4))
    met = Counter(frozenset(two) for one in pairings(found) for two in one)
    assert met == Counter(frozenset(two) for two in combinations(range(1, count + 1), 2))


@pytest.mark.parametrize(("count", "groups"), [(8, 2), (9, 2), (16, 4), (13, 4)])
def test_groups_play_internally_then_best_qualify(count, groups):
    found = tournament(
        count,
        clubs=5,
        format="groups",
        rounds=99,
        groups={"count": groups, "best": 2},
        finals={"best": 8},
    )
    draw_round(found)
    inside = group_of(found)
    for table in found.rounds[0].matches:
        result(found, table, (15, 3))
    while not found.rounds or found.rounds[-1].stage != "final":
        play_round(found, Random(5))
    met = Counter(
        frozenset(two)
        for one, drawn in zip(found.rounds, pairings(found), strict=True)
        if one.stage == "groups"
        for two in drawn
    )
    assert met == Counter(
        frozenset(two)
        for two in combinations(range(1, count + 1), 2)
        if inside[two[0]] == inside[two[1]]
    )
    first = found.rounds[-1]
    assert len(first.matches) == groups
    assert all(inside[a] != inside[b] for a, b in pairings(found)[-1])


def test_groups_without_finals_end_after_groups():
    found = tournament(6, format="groups", rounds=99, groups={"count": 2, "best": 1})
    play_out(found, Random(5))
    assert {one.stage for one in found.rounds} == {"groups"}


def test_groups_stay_the_same_after_changes():
    found = tournament(8, format="groups", rounds=99, groups={"count": 2})
    play_round(found, Random(5))
    inside = group_of(found)
    for pair in (1, 2):
        event = {"do": "aenderung", "pair": pair, "entry": {"name": f"X{pair}", "club": "Ort"}}
        found.push(event)
    found.push({"do": "abmeldung", "pair": 3})
    play_out(found, Random(5))
    assert group_of(found) == inside
    assert all(inside[a] == inside[b] for one in pairings(found) for a, b in one)


def test_pair_withdrawn_before_draw_is_not_paired():
    found = tournament(5, format="round-robin", rounds=99)
    found.push({"do": "abmeldung", "pair": 2})
    for _ in range(3):
        play_round(found, Random(6))
        assert not found.rounds[-1].byes
    with pytest.raises(Illegal, match="all-played"):
        draw(found)


def test_round_without_matches_is_skipped():
    found = tournament(3, format="round-robin", rounds=99)
    play_round(found, Random(6))
    gone = next(iter(found.rounds[0].matches.values())).drawn.pairs[0]
    found.push({"do": "abmeldung", "pair": gone})
    while True:
        try:
            play_round(found, Random(6))
        except Illegal as refusal:
            assert refusal.code == "all-played"
            break
        assert found.rounds[-1].matches


@pytest.mark.parametrize(("count", "rounds"), [(6, 5), (8, 7), (10, 9), (5, 5)])
@pytest.mark.parametrize("seed", range(10))
def test_late_entry_or_withdrawal_causes_no_rematch(count, rounds, seed):
    found = tournament(count, rounds=rounds, seed=str(seed))
    play_round(found, Random(seed))
    if count % 2:
        found.push({"do": "anmeldung", "entry": {"name": "Late"}})
    else:
        found.push({"do": "abmeldung", "pair": 1})
    for _ in range(rounds - 1):
        play_round(found, Random(seed))
    assert not any(m.drawn.notes for one in found.rounds for m in one.matches.values())


def test_withdrawn_knockout_winner_is_not_first():
    found = tournament(4, format="knockout", rounds=99)
    play_round(found, Random(7))
    best = standings(found)[0].pair
    found.push({"do": "abmeldung", "pair": best})
    with pytest.raises(Illegal, match="all-played"):
        draw(found)
    assert standings(found)[0].pair != best


def test_opponent_of_withdrawn_pair_gets_a_bye():
    found = tournament(4, format="round-robin", rounds=99)
    play_round(found, Random(6))
    found.push({"do": "abmeldung", "pair": 1})
    draw_round(found)
    assert len(found.rounds[-1].matches) == 1
    assert len(found.rounds[-1].byes) == 1


@settings(max_examples=40)
@given(st.lists(st.integers(1, 4), min_size=2, max_size=12), st.integers(0, 99))
def test_knockout_with_lots_ends_with_one_winner(entries, seed):
    pairs = [{"name": f"P{n}", "entries": lots} for n, lots in enumerate(entries)]
    found = tournament(0, format="knockout", pairs=pairs, rounds=99, seed=str(seed))
    alive = sum(entries)
    with pytest.raises(Illegal, match="all-played"):
        while True:
            play_round(found, Random(seed))
            one = found.rounds[-1]
            assert all(len(set(m.drawn.pairs)) == 2 for m in one.matches.values())
            own = alive - 2 * len(one.matches) - len(one.byes)
            assert own == 0 or (own <= len(one.byes) and "own-lots" in one.notes)
            alive = len(one.matches) + len(one.byes)
            assert alive & (alive - 1) == 0
    last = found.rounds[-1]
    left = {m.drawn.pairs[m.winner] for m in last.matches.values()}
    left |= {found.pair_of(lot) for lot in last.byes}
    assert {standings(found)[0].pair} == left


def test_lots_of_one_pair_do_not_meet_in_first_round():
    pairs = [{"name": "A", "entries": 4}, *[{"name": n} for n in "BCDE"]]
    found = tournament(0, format="knockout", pairs=pairs, rounds=99)
    draw_round(found)
    assert all(len(set(two)) == 2 for two in pairings(found)[0])


def test_finals_include_bracket_and_third_place_match():
    found = tournament(12, rounds=2, finals={"best": 4})
    for _ in range(2):
        play_round(found, Random(7))
    order = [line.pair for line in standings(found)]
    draw_round(found)
    assert pairings(found)[-1] == [(order[0], order[3]), (order[1], order[2])]
    result(found, 1, (15, 0))
    result(found, 2, (3, 15))
    draw_round(found)
    assert pairings(found)[-1] == [(order[0], order[2]), (order[3], order[1])]
    assert found.rounds[-1].matches[2].drawn.notes == ("third",)
    result(found, 1, (8, 15))
    result(found, 2, (15, 8))
    with pytest.raises(Illegal, match="all-played"):
        draw(found)
    assert [line.pair for line in standings(found)[:4]] == [order[2], order[0], order[3], order[1]]


def rivals(found):
    return [{*cut.come, *cut.gone} for cut in cuts(found)]


def test_finals_cut_lists_pairs_decided_by_lot():
    found = tournament(8, rounds=1, finals={"best": 2})
    draw_round(found)
    for table in found.rounds[0].matches:
        result(found, table, (15, 8))
    best = [line.pair for line in standings(found)][:4]
    [cut] = cuts(found)
    assert (cut.come, cut.gone) == (tuple(best[:2]), tuple(best[2:]))
    # The winner of a deciding game qualifies and the loser does not. The others draw lots.
    found.push({"do": "stechen", "winner": best[3], "loser": best[0]})
    assert rivals(found) == [{best[1], best[2]}]
    [cut] = cuts(found)
    draw_round(found)
    assert cuts(found) == [cut]
    # A pair that leaves the finals still counts as qualified.
    found.push({"do": "abmeldung", "pair": best[1]})
    assert cuts(found) == [cut]


def test_group_cut_by_lot_lists_only_that_group():
    groups = {"count": 2, "best": 1}
    found = tournament(6, format="groups", rounds=99, groups=groups, finals={"best": 2})
    while next_stage(found) == "groups":
        draw_round(found)
        inside = group_of(found)
        for table, match in found.rounds[-1].matches.items():
            one, other = match.drawn.pairs
            group = sorted(pair for pair in inside if inside[pair] == inside[one])
            # In the first group the order is clear. In the second each pair wins once.
            first = group.index(one) < group.index(other)
            turned = inside[one] == 2 and {one, other} == {group[0], group[2]}
            result(found, table, (15, 8) if first != turned else (8, 15))
    second = {pair for pair in inside if inside[pair] == 2}
    level = [line.pair for line in standings(found) if line.tie == "lot"]
    assert len(level) == 4
    assert rivals(found) == [second]


def test_recorded_draw_ignores_the_seed():
    found = tournament(6)
    drawn = draw(found).to_json()
    other = tournament(6, seed="other")
    other.push(drawn)
    assert pairings(other)[0] == [tuple(table["pairs"]) for table in drawn["tables"]]


@pytest.mark.parametrize("format_", ["redraw", "round-robin", "groups", "knockout", "partners"])
def test_redrawing_after_undo_gives_the_same_draw(format_):
    """The director cannot repeat a draw until it suits him."""
    found = tournament(8, format=format_)
    draw_round(found)
    first = found.rounds[0]
    for _ in range(2):
        found.push({"do": "ruecknahme", "round": 1})
        assert draw(found).seed == round_seed(found) == first.seed
        draw_round(found)
        assert (found.rounds, found.undone_rounds) == ((first,), ())


@pytest.mark.parametrize("two", ["lots", "tables"])
def test_swapped_draw_gets_a_new_seed_when_redrawn(two):
    """A swapped draw does not follow from its seed."""
    found = tournament(8)
    draw_round(found)
    [first, second] = [match.drawn for match in found.rounds[0].matches.values()][:2]
    swap = {"lots": [first.lots[0], second.lots[0]], "tables": [first.table, second.table]}
    found.push({"do": "tausch", "round": 1, two: swap[two]})
    found.push({"do": "ruecknahme", "round": 1})
    assert draw(found).seed not in ("", found.undone_rounds[0].seed)


def test_changed_attendance_gives_a_new_draw():
    found = tournament(8)
    draw_round(found)
    first = found.rounds[0]
    found.push({"do": "ruecknahme", "round": 1})
    found.push({"do": "anwesenheit", "absent": [8]})
    assert round_seed(found) not in ("", first.seed)
    draw_round(found)
    assert found.rounds[0].playing == {*range(1, 8)} - {*found.rounds[0].byes}
    # With `asks`, nobody is absent any more, so the first draw of all pairs returns.
    found.push({"do": "ruecknahme", "round": 1, "asks": True})
    assert not found.attendance_recorded
    draw_round(found)
    assert found.rounds == (first,)


def test_round_removed_by_correction_gets_a_new_seed():
    """If a correction removes a round with results, that round is drawn anew."""
    found = tournament(8, format="knockout")
    play_round(found, Random(1))
    draw_round(found)
    result(found, 1, (15, 8))
    table = found.rounds[0].matches[1]
    games = [[8, 15]] if table.winner == 0 else [[15, 8]]
    again = {"do": "ergebnis", "round": 1, "table": 1, "who": "director", "games": games}
    found.push({**again, "back": 2, "reason": "wrong way round"})
    assert found.undone_rounds and not found.rounds[1:]
    assert draw(found).seed != found.undone_rounds[-1].seed


@pytest.mark.parametrize(("count", "code"), [(0, "too-few-pairs"), (1, "too-few-pairs")])
@pytest.mark.parametrize("format_", ["redraw", "round-robin", "groups", "knockout"])
def test_draw_with_too_few_pairs_is_refused(count, code, format_):
    with pytest.raises(Illegal, match=code):
        draw(tournament(count, format=format_))


DRAWN = {
    "do": "auslosung",
    "round": 1,
    "stage": "rounds",
    "tables": [{"table": 1, "pairs": [1, 2]}],
}


@pytest.mark.parametrize("format_", ["redraw", "round-robin", "groups", "knockout", "partners"])
def test_offline_draw_with_unknown_pairs_is_refused(format_):
    """A draw made offline is recorded as it is, so an odd one must not break later pages."""
    found = tournament(4, format=format_)
    foreign = {"table": 1, "pairs": [1, 2], "lots": [7, 8]}
    for drawn in ({**DRAWN, "byes": [9]}, {**DRAWN, "tables": [foreign]}):
        with pytest.raises(Illegal, match="no-such-pair"):
            found.push(drawn)
    found.push(DRAWN)
    result(found, 1, (15, 8))
    assert len(standings(found)) == 4
    assert next_stage(found) == ("rounds" if format_ in ("redraw", "partners") else None)


def test_draw_with_missing_results_is_refused():
    found = tournament(4)
    draw_round(found)
    result(found, 1, (15, 8))
    with pytest.raises(Illegal, match="results-missing") as refusal:
        draw(found)
    assert refusal.value.values == {"count": 1, "tables": "2"}
    draw_round(found, anyway=True)
    assert len(found.rounds) == 2
    found.push({"do": "ergebnis", "round": 1, "table": 2, "who": "director", "games": [[15, 2]]})
    assert found.match(1, 2).status == "done"


def add_latecomer(found, name="Late"):
    """Enter a new pair; returns its number."""
    found.push({"do": "anmeldung", "entry": {"name": name}})
    return len(found.entrants)


def test_latecomer_is_paired_with_the_bye():
    found = tournament(5, seed="late")
    draw_round(found)
    bye, before = found.rounds[0].byes[0], dict(found.rounds[0].matches)
    # Another table already has a result, which stays.
    result(found, 1, (15, 8))
    found.push({"do": "tausch", "round": 1, "lots": [bye, add_latecomer(found)], "opened": ["new"]})
    drawn = found.rounds[0]
    assert set(drawn.matches) == {*before, 3}
    assert (drawn.matches[3].drawn.pairs, drawn.matches[3].drawn.stream) == ((bye, 6), "new")
    assert drawn.byes == ()
    assert found.replaced_streams == ()
    assert drawn.matches[1].status == "done"


def test_two_latecomers_can_be_paired():
    found = tournament(4)
    draw_round(found)
    two = [add_latecomer(found, name) for name in ("First", "Second")]
    with pytest.raises(Illegal):
        found.push({"do": "tausch", "round": 1, "lots": [two[0], two[0]]})
    found.push({"do": "abmeldung", "pair": two[1]})
    with pytest.raises(Illegal):
        found.push({"do": "tausch", "round": 1, "lots": two})
    found.push({"do": "rueckkehr", "pair": two[1]})
    found.push({"do": "tausch", "round": 1, "lots": two})
    assert found.rounds[0].matches[3].drawn.pairs == tuple(two)
    everybody = tournament(5, format="round-robin", rounds=9)
    draw_round(everybody)
    with pytest.raises(Illegal):
        everybody.push({"do": "tausch", "round": 1, "lots": [everybody.rounds[0].byes[0], 6]})


@pytest.mark.parametrize(
    ("hall", "seat", "wave"),
    [({}, 0, 1), ({"first": 5}, 0, 1), ({"count": 3}, 0, 1), ({"count": 2, "closed": [1]}, 2, 2)],
)
def test_added_match_gets_the_next_free_table(hall, seat, wave):
    found = tournament(5, hall=hall)
    draw_round(found)
    numbers = set(found.rounds[0].matches)
    lots = [found.rounds[0].byes[0], add_latecomer(found)]
    found.push({"do": "tausch", "round": 1, "lots": lots})
    [new] = set(found.rounds[0].matches) - numbers
    drawn = found.rounds[0].matches[new].drawn
    assert (new, drawn.seat, drawn.wave) == (max(numbers) + 1, seat, wave)


def separate_pairs(found, *pairs):
    for pair, other in pairs:
        found.push({"do": "trennung", "pair": pair, "other": other})


@settings(max_examples=60, deadline=None)
@given(
    st.integers(4, 16),
    st.sampled_from(("redraw", "knockout")),
    st.sets(st.tuples(st.integers(1, 16), st.integers(1, 16)), max_size=4),
    st.integers(0, 99),
)
def test_separated_pairs_meet_only_if_unavoidable(count, form, wanted, seed):
    found = tournament(count, format=form, rounds=2, seed=str(seed))
    two = {frozenset(pairs) for pairs in wanted if len({*pairs}) == 2 and max(pairs) <= count}
    separate_pairs(found, *map(sorted, two))
    draw_round(found)
    one = found.rounds[-1]
    met = [match for match in one.matches.values() if frozenset(match.drawn.pairs) in two]
    assert all("apart" in match.drawn.notes for match in met)
    if met:
        playing = [pair for match in one.matches.values() for pair in match.drawn.pairs]
        assert not can_be_paired(playing, two)


def test_redraw_respects_newly_separated_pairs():
    found = tournament(8, rounds=3)
    draw_round(found)
    pair, other = found.rounds[-1].matches[1].drawn.pairs
    found.push({"do": "ruecknahme", "round": 1})
    separate_pairs(found, (pair, other))
    draw_round(found)
    assert (pair, other) not in {tuple(sorted(two)) for two in pairings(found)[0]}
    # The director can allow them to meet again.
    found.push({"do": "trennung", "pair": other, "other": pair, "apart": False})
    assert not found.now.kept_apart


def test_separated_pairs_do_not_meet_in_four_rounds():
    found = tournament(6, rounds=4)
    separate_pairs(found, (1, 2))
    for _ in range(4):
        play_round(found, Random(1))
    assert frozenset((1, 2)) not in {frozenset(two) for one in pairings(found) for two in one}


@pytest.mark.parametrize(("other", "code"), [(1, "same-pair"), (9, "no-such-pair")])
def test_separating_from_invalid_pair_is_refused(other, code):
    with pytest.raises(Illegal, match=code):
        separate_pairs(tournament(4), (1, other))
