"""Rounds with several waves on few tables, and rounds drawn while matches are open."""

from collections import Counter
from random import Random

from hypothesis import example, given
from hypothesis import strategies as st

from scorer.engine import Illegal
from scorer.tournament import standings
from tests.sampling import examples
from tests.tournament.builders import draw_round, enter_result, pairings, start_tournament


@examples(60)
@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=14),
    st.integers(1, 6),
    st.integers(1, 90),
    st.sets(st.integers(1, 100), max_size=20),
)
def test_matches_are_split_into_waves_on_few_tables(entries, tables, first, closed):
    pairs = [{"name": f"P{n}", "entries": lots} for n, lots in enumerate(entries)]
    hall = {"first": first, "count": tables, "closed": sorted(closed)}
    tournament = start_tournament(0, format="knockout", pairs=pairs, rounds=99, hall=hall)
    draw_round(tournament)
    matches = tournament.rounds[0].matches
    waves = Counter(match.drawn_table.wave for match in matches.values())
    assert sorted(waves) == list(range(1, len(waves) + 1))
    assert max(waves.values()) <= tables
    for wave in waves:
        now = [match for match in matches.values() if match.drawn_table.wave == wave]
        used = [match.hall_table for match in now]
        assert len(set(used)) == len(used)
        assert not closed & set(used)
        assert min(used) >= first
        playing = [pair for match in now for pair in match.drawn_table.pairs]
        assert len(set(playing)) == len(playing)


@examples(40)
@given(st.integers(2, 20), st.integers(1, 5), st.integers(0, 99))
def test_waves_do_not_change_the_pairings(count, tables, seed):
    """Waves change the place and time of a match, but not its pairs."""
    few = start_tournament(count, rounds=2, hall={"count": tables}, seed=str(seed))
    many = start_tournament(count, rounds=2, seed=str(seed))
    for drawn in (few, many):
        draw_round(drawn)
        assert sorted(drawn.rounds[0].matches) == list(range(1, count // 2 + 1))
    assert sorted(pairings(few)[0]) == sorted(pairings(many)[0])


@examples(60)
@example([1, 1, 2, 3, 3], 0)
@given(st.lists(st.integers(1, 3), min_size=3, max_size=12), st.integers(0, 999))
def test_winner_of_late_match_rejoins_the_knockout(entries, seed):
    """Rounds are drawn while tables are open. The results of these tables count later."""
    rng = Random(seed)
    pairs = [{"name": f"P{n}", "entries": lots} for n, lots in enumerate(entries)]
    tournament = start_tournament(0, format="knockout", pairs=pairs, rounds=99, seed=str(seed))
    alive = set(range(1, sum(entries) + 1))
    for _ in range(60):
        missing = tournament.unfinished
        try:
            draw_round(tournament, anyway=bool(missing))
        except Illegal as refusal:
            if not missing:
                assert refusal.code in ("all-played", "too-few-pairs")
                break
        else:
            alive = _lots_in_play(tournament, alive)
        for played, match in tournament.unfinished:
            if played is not tournament.rounds[-1] or rng.random() < 0.6:
                winner, number = rng.randrange(2), played.number
                points = (3, 15) if winner else (15, 3)
                enter_result(tournament, match.drawn_table.table, points, round=number)
                alive.remove(match.drawn_table.lots[1 - winner])
    assert not tournament.unfinished
    assert {tournament.pair_of(lot) for lot in alive} == {standings(tournament)[0].pair}


def _lots_in_play(tournament, alive):
    """The lots that play, wait or have a bye after a draw.

    Of two lots of one pair that would meet, one is out.
    """
    newest = tournament.rounds[-1]
    lots = [lot for match in newest.matches.values() for lot in match.drawn_table.lots]
    lots += [*newest.byes, *newest.waiting]
    assert len(set(lots)) == len(lots)
    assert set(lots) == alive or (set(lots) < alive and "own-lots" in newest.notes)
    return set(lots)


def test_open_match_keeps_both_lots_waiting():
    tournament = start_tournament(8, format="knockout", rounds=99)
    draw_round(tournament)
    for table in (1, 2, 3):
        enter_result(tournament, table, (15, 3))
    late = tournament.rounds[0].matches[4].drawn_table.lots

    def in_play():
        newest = tournament.rounds[-1]
        return {*newest.byes, *(n for m in newest.matches.values() for n in m.drawn_table.lots)}

    draw_round(tournament, anyway=True)
    assert tournament.rounds[1].waiting == late
    assert in_play().isdisjoint(late)
    for match in list(tournament.rounds[1].matches):
        enter_result(tournament, match, (15, 3))
    enter_result(tournament, 4, (3, 15), round=1)
    draw_round(tournament)
    assert in_play() & {*late} == {late[1]}
