"""Several waves on few tables; open knock-out matches when the next round is drawn."""

from collections import Counter
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scorer.engine import Illegal
from scorer.tournament import standings
from scorer.tournament.finals import qualified
from scorer.tournament.match import KNOCKOUT
from tests.tournament.builders import draw_round, play_round, result, tournament


@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=14),
    st.integers(1, 6),
    st.integers(1, 90),
    st.sets(st.integers(1, 100), max_size=20),
)
def test_matches_are_split_into_waves_on_few_tables(entries, tables, first, closed):
    pairs = [{"name": f"P{n}", "entries": lots} for n, lots in enumerate(entries)]
    hall = {"first": first, "count": tables, "closed": sorted(closed)}
    found = tournament(0, format="knockout", pairs=pairs, rounds=99, hall=hall)
    draw_round(found)
    matches = found.rounds[0].matches
    waves = Counter(match.drawn.wave for match in matches.values())
    assert sorted(waves) == list(range(1, len(waves) + 1))
    assert max(waves.values()) <= tables
    for wave in waves:
        now = [match for match in matches.values() if match.drawn.wave == wave]
        seats = [match.seat for match in now]
        assert len(set(seats)) == len(seats)
        assert not closed & set(seats)
        assert min(seats) >= first
        playing = [pair for match in now for pair in match.drawn.pairs]
        assert len(set(playing)) == len(playing)


@settings(max_examples=40)
@given(st.integers(2, 20), st.integers(1, 5), st.integers(0, 99))
def test_waves_do_not_change_the_pairings(count, tables, seed):
    """Waves change the place and time of a match, but not its pairs."""
    few = tournament(count, rounds=2, hall={"count": tables}, seed=str(seed))
    many = tournament(count, rounds=2, seed=str(seed))
    for evening in (few, many):
        play_round(evening, Random(seed))
        assert sorted(evening.rounds[0].matches) == list(range(1, count // 2 + 1))
    assert {m.drawn.pairs for m in few.rounds[0].matches.values()} == {
        m.drawn.pairs for m in many.rounds[0].matches.values()
    }


@settings(max_examples=60)
@example([1, 1, 2, 3, 3], 0)
@given(st.lists(st.integers(1, 3), min_size=3, max_size=12), st.integers(0, 999))
def test_winner_of_late_match_rejoins_the_knockout(entries, seed):
    """Rounds are drawn while tables are open. The results of these tables count later."""
    chance = Random(seed)
    pairs = [{"name": f"P{n}", "entries": lots} for n, lots in enumerate(entries)]
    found = tournament(0, format="knockout", pairs=pairs, rounds=99, seed=str(seed))
    alive = set(range(1, sum(entries) + 1))
    for _ in range(60):
        missing = found.missing
        try:
            draw_round(found, anyway=bool(missing))
        except Illegal as refusal:
            if not missing:
                assert refusal.code in ("all-played", "too-few-pairs")
                break
        else:
            alive = _lots_in_play(found, alive)
        for played, match in found.missing:
            if played is not found.rounds[-1] or chance.random() < 0.6:
                alive.remove(_enter_random_result(found, played.number, match, chance))
    assert not found.missing
    assert {found.pair_of(lot) for lot in alive} == {standings(found)[0].pair}


def _lots_in_play(found, alive):
    """The lots that play, wait or have a bye after a draw.

    Of two lots of one pair that would meet, one is out.
    """
    newest = found.rounds[-1]
    lots = [lot for match in newest.matches.values() for lot in match.drawn.lots]
    lots += [*newest.byes, *newest.waiting]
    assert len(set(lots)) == len(lots)
    assert set(lots) == alive or (set(lots) < alive and "own-lots" in newest.notes)
    return set(lots)


def _enter_random_result(found, number, match, chance):
    """Enter a random result; returns the lot that lost."""
    winner = chance.randrange(2)
    games = [[15, 3] if winner == 0 else [3, 15]]
    event = {"do": "ergebnis", "round": number, "table": match.drawn.table, "who": "director"}
    found.push({**event, "games": games})
    return match.drawn.lots[1 - winner]


def test_open_match_keeps_both_lots_waiting():
    found = tournament(8, format="knockout", rounds=99)
    draw_round(found)
    for table in (1, 2, 3):
        result(found, table, (15, 3))
    late = found.rounds[0].matches[4].drawn.lots
    draw_round(found, anyway=True)
    assert found.rounds[1].waiting == late
    drawn = {lot for match in found.rounds[1].matches.values() for lot in match.drawn.lots}
    assert not set(late) & {*drawn, *found.rounds[1].byes}
    for match in list(found.rounds[1].matches):
        result(found, match, (15, 3))
    said = {"do": "ergebnis", "round": 1, "table": 4, "who": "director", "games": [[3, 15]]}
    found.push(said)
    draw_round(found)
    drawn = {lot for match in found.rounds[2].matches.values() for lot in match.drawn.lots}
    assert late[1] in {*drawn, *found.rounds[2].byes}
    assert late[0] not in {*drawn, *found.rounds[2].byes}


@pytest.mark.parametrize("more", [0, 1, 2])
def test_best_third_placed_pairs_qualify(more):
    groups = {"count": 3, "best": 2, "more": more}
    found = tournament(12, format="groups", rounds=99, groups=groups, finals={"best": 8})
    chance = Random(4)
    for _ in range(3):
        play_round(found, chance)
    group = {
        pair: at for at, circle in enumerate(found.rounds[0].circles) for pair in circle if pair
    }
    order = [line.pair for line in standings(found)]
    ranked = {at: [pair for pair in order if group[pair] == at] for at in range(3)}
    through = qualified(found, 8)
    # A knock-out takes a power of two.
    whole = {0: 4, 1: 4, 2: 8}[more]
    assert len(through) == whole
    if whole == 8:
        firsts = {pair for pairs in ranked.values() for pair in pairs[:2]}
        thirds = sorted((pairs[2] for pairs in ranked.values()), key=order.index)
        assert set(through) == firsts | set(thirds[:more])
        draw_round(found)
        assert found.rounds[-1].stage in KNOCKOUT
        for match in found.rounds[-1].matches.values():
            assert len({group[pair] for pair in match.drawn.pairs}) == 2
