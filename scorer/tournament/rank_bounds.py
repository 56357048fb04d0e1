"""Ranks that each pair can still reach."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scorer.tournament.bracket import remaining_pair_count
from scorer.tournament.match import Round
from scorer.tournament.pair_totals import pair_totals
from scorer.tournament.ranking_metrics import METRIC
from scorer.tournament.standings import pairs_without_place
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class RankBounds:
    best: int
    worst: int


def rank_bounds(tournament: Tournament) -> dict[int, RankBounds]:
    """The ranks that each pair with a place can still reach, by the first metric of the ranking.

    Empty if it is not known how much a round can add to that metric.
    """
    first = tournament.settings.ranking[0]
    max_gain = _max_gain(tournament, first)
    if max_gain is None:
        return {}
    metric = METRIC[first]
    to_come = _matches_to_come(tournament)
    unplaced = pairs_without_place(tournament)
    totals = pair_totals(tournament, averages=not to_come.total())
    lowest_value = {
        pair: metric(of_pair) for pair, of_pair in totals.items() if pair not in unplaced
    }
    highest_value = {pair: lowest_value[pair] + max_gain * to_come[pair] for pair in lowest_value}
    bounds: dict[int, RankBounds] = {}
    for pair in lowest_value:
        others = [other for other in lowest_value if other != pair]
        surely_better = sum(lowest_value[other] > highest_value[pair] for other in others)
        maybe_better = sum(highest_value[other] >= lowest_value[pair] for other in others)
        bounds[pair] = RankBounds(1 + surely_better, 1 + maybe_better)
    return bounds


def bounds_in_knockout(tournament: Tournament) -> dict[int, RankBounds]:
    """The ranks that a pair still in can reach, in a knock-out or the finals; else empty."""
    newest = tournament.rounds[-1] if tournament.rounds else None
    if newest is None or not remaining_pair_count(newest):
        return {}
    matches = [match for match in newest.matches.values() if not match.is_third_place]
    undecided = [match for match in matches if not match.is_decided]
    with_bye = {*tournament.bye_pairs(newest)}
    entered = {pair for match in matches for pair in match.drawn_table.pairs} | with_bye
    # In a knock-out, a pair may have several lots.
    winners = {match.drawn_table.pairs[match.winner] for match in matches if match.is_decided}
    advancing = winners | with_bye
    open_pairs = [pair for match in undecided for pair in match.drawn_table.pairs]
    return (
        dict.fromkeys(_pairs_for_third_place(tournament, newest), RankBounds(3, 4))
        | dict.fromkeys(open_pairs, RankBounds(1, len(entered)))
        | dict.fromkeys(advancing, RankBounds(1, len(advancing) + len(undecided)))
    )


def _pairs_for_third_place(tournament: Tournament, newest: Round) -> set[int]:
    """The pairs that still play for third place, or will."""
    matches = newest.matches.values()
    if any(match.is_third_place for match in matches):
        return {
            n for m in matches if m.is_third_place and not m.is_decided for n in m.drawn_table.pairs
        }
    if not (newest.is_final and len(matches) == 2 and tournament.settings.plays_for_third):
        return set()
    return {m.drawn_table.pairs[1 - m.winner] for m in matches if m.is_decided}


def _max_gain(tournament: Tournament, metric: str) -> int | None:
    """The most that one match or bye adds to a metric, or None if unknown."""
    settings, scoring = tournament.settings, tournament.settings.scoring
    games = max(settings.games_per_round)
    target = tournament.settings.rules.target
    if metric == "matches":
        return 1
    if metric == "won":
        return games * (1 + max(scoring.retour_won, scoring.schneider_won))
    if metric == "score" and not scoring.win_own:
        win = scoring.win + target * scoring.win_target + max(scoring.retour, scoring.schneider)
        return games * max(win, target * scoring.loss_own, scoring.bye_score)
    return None


def _matches_to_come(tournament: Tournament) -> Counter[int]:
    rounds_left = max(0, tournament.settings.rounds - len(tournament.rounds))
    matches = Counter({entrant.number: rounds_left for entrant in tournament.active_entrants})
    for _, match in tournament.unfinished:
        matches.update(number for side in match.sides for number in side)
    if matches.total() and tournament.settings.scoring.bye_average:
        # Each result to come changes an average.
        for round_ in tournament.rounds:
            matches.update(tournament.counted_byes(round_))
    return matches
