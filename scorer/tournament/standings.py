"""Standings: ordered by the settings' metrics, then deciding games, then a fixed lot.

The order is total and reproducible.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Literal

from scorer.tournament.match import Round
from scorer.tournament.pair_totals import PairTotals, pair_totals
from scorer.tournament.ranking_metrics import METRIC
from scorer.tournament.round_robin import group_of
from scorer.tournament.settings import Since
from scorer.tournament.state import Tournament

Tie = Literal["decider", "lot", ""]


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    """The place, or 0 for pairs without one (withdrawn or absent)."""
    pair: int
    totals: PairTotals
    tie: Tie = ""
    """Why it has its place among level pairs: `decider`, `lot`, or "". While groups compete, only
    deciding games against pairs of its own group count."""
    tie_group: int = 0
    """Number shared by pairs that are level."""
    decider_balance: int = 0
    """Deciding games won minus lost among these pairs."""


def standings(tournament: Tournament) -> list[Standing]:
    """The standings, best first; pairs without a place are at the end."""
    totals = pair_totals(tournament)
    knockout_depths = _depths(tournament)
    inactive = _inactive_pairs(tournament)
    metrics = [METRIC[name] for name in tournament.settings.ranking]
    unplaced = pairs_without_place(tournament)
    groups = competing_groups(tournament)
    metric_values = {
        pair: tuple(metric(of_pair) for metric in metrics) for pair, of_pair in totals.items()
    }
    group_places = _final_group_places(tournament, metric_values, unplaced)

    def sort_key(pair: int) -> tuple[int | Fraction, ...]:
        # In a knock-out, pairs that withdrew rank behind others that came as far.
        progress = (
            (knockout_depths[pair], pair not in inactive) if pair in knockout_depths else (-1, True)
        )
        return (pair not in unplaced, *progress, *metric_values[pair], -group_places.get(pair, 0))

    def key_before_finals(pair: int) -> tuple[bool, tuple[int | Fraction, ...]]:
        return pair in unplaced, metric_values[pair]

    ordered = sorted(totals, key=sort_key, reverse=True)
    tied_before_finals: dict[tuple[bool, tuple[int | Fraction, ...]], list[int]] = {}
    if _counts_deciders_against_finalists(tournament):
        for pair in ordered:
            tied_before_finals.setdefault(key_before_finals(pair), []).append(pair)
    lines: list[Standing] = []
    for number, (_, group) in enumerate(groupby(ordered, sort_key)):
        tied = list(group)
        opponents_that_count = tied_before_finals.get(key_before_finals(tied[0]), tied)
        for pair, tie, balance in _in_tie_order(tournament, tied, opponents_that_count, groups):
            rank = 0 if pair in unplaced else len(lines) + 1
            lines.append(Standing(rank, pair, totals[pair], tie if rank else "", number, balance))
    return lines


def _counts_deciders_against_finalists(tournament: Tournament) -> bool:
    """Whether pairs that are level after the finals keep the order of their deciding games, also of
    those against pairs that reached the finals.
    """
    rule_applies = tournament.settings.version >= Since.DECIDERS_AGAINST_FINALISTS
    return rule_applies and tournament.finals_drawn


def pairs_without_place(tournament: Tournament) -> set[int]:
    """Pairs without a place: those that withdrew or are absent."""
    rule_applies = tournament.settings.version >= Since.NO_PLACE_FOR_WITHDRAWN
    return _inactive_pairs(tournament) if rule_applies else set()


def _inactive_pairs(tournament: Tournament) -> set[int]:
    return {entrant.number for entrant in tournament.listed if not entrant.plays}


def _depths(tournament: Tournament) -> dict[int, int]:
    """For each pair of a knock-out, the depth of its best lot: two for each round that it reached,
    and one more for winning the game for the third place.
    """
    lots: dict[int, int] = {}
    knockouts = [round_ for round_ in tournament.rounds if round_.is_knockout]
    for index, round_ in enumerate(knockouts):
        _add_depths(lots, round_, 2 * index)
    deepest: dict[int, int] = {}
    holders = tournament.holders
    for lot, depth in lots.items():
        pair = holders[lot]
        deepest[pair] = max(deepest.get(pair, 0), depth)
    return deepest


def _add_depths(lots: dict[int, int], round_: Round, depth_of_round: int) -> None:
    """Add to `lots` how far the lots of a knock-out round came.

    The depth of a lot is the last round that it reached; a win reaches the next one. A lot from a
    late table skips rounds, so its wins are not counted.

    :param depth_of_round: the value of reaching this round
    """
    for match in round_.matches.values():
        for side, lot in enumerate(match.drawn_table.lots):
            won = side == match.winner
            lots[lot] = lots.get(lot, 0) + won if match.is_third_place else depth_of_round + 2 * won
    lots.update(dict.fromkeys(round_.byes, depth_of_round + 2))
    for lot in round_.waiting:
        lots.setdefault(lot, 0)


def competing_groups(tournament: Tournament) -> dict[int, int]:
    """The group of each pair while the groups play for places in the finals; else empty."""
    if tournament.settings.finals is None or tournament.finals_drawn:
        return {}
    return group_of(tournament)


def _final_group_places(
    tournament: Tournament,
    metric_values: Mapping[int, tuple[int | Fraction, ...]],
    unplaced: Collection[int],
) -> dict[int, int]:
    """The place of each pair in its group, level pairs on one place; empty before the finals.

    :param metric_values: each pair's values of the metrics
    """
    if not uses_group_places(tournament):
        return {}
    placed = {pair: n for pair, n in group_of(tournament).items() if pair not in unplaced}
    of_group: dict[int, list[tuple[int | Fraction, ...]]] = {}
    for pair, group in placed.items():
        of_group.setdefault(group, []).append(metric_values[pair])
    ordered = {group: sorted(values, reverse=True) for group, values in of_group.items()}
    return {pair: ordered[group].index(metric_values[pair]) + 1 for pair, group in placed.items()}


def uses_group_places(tournament: Tournament) -> bool:
    """Whether the place in the group ranks pairs of different groups that are level."""
    settings = tournament.settings
    rule_applies = settings.version >= Since.GROUP_PLACES
    return settings.format == "groups" and tournament.finals_drawn and rule_applies


def _in_tie_order(
    tournament: Tournament,
    tied: list[int],
    opponents_that_count: list[int],
    groups: Mapping[int, int],
) -> list[tuple[int, Tie, int]]:
    """Level pairs in order, each with `decider`, `lot` or "" and its balance of deciding games.

    The pairs are in the order of their balance, then of their lots. Only pairs of one group tie.

    :param opponents_that_count: the pairs against which a deciding game counts
    """
    if len(tied) == 1:
        return [(tied[0], "", 0)]
    balance = decider_balance(tournament, opponents_that_count, groups)
    ordered = sorted(
        tied, key=lambda pair: (-balance[pair], tie_break(tournament.settings.seed, pair))
    )
    in_group = Counter(groups.get(pair) for pair in tied)
    pairs_still_level = Counter((groups.get(pair), balance[pair]) for pair in tied)

    def tie(pair: int) -> Tie:
        if in_group[groups.get(pair)] == 1:
            return ""
        return "lot" if pairs_still_level[groups.get(pair), balance[pair]] > 1 else "decider"

    return [(pair, tie(pair), balance[pair]) for pair in ordered]


def decider_balance(
    tournament: Tournament, level: list[int], groups: Mapping[int, int], across: bool = False
) -> dict[int, int]:
    """Deciding games won minus lost by each of these pairs against others of them.

    :param groups: the group of each pair; empty without groups
    :param across: whether to count games between groups, instead of those within one
    """
    balance = dict.fromkeys(level, 0)
    for game in tournament.deciders:
        is_across = groups.get(game.winner) != groups.get(game.loser)
        if game.winner in balance and game.loser in balance and is_across == across:
            balance[game.winner] += 1
            balance[game.loser] -= 1
    return balance


def tie_break(seed: str, pair: int) -> str:
    """The lot of a pair as a hex digest, constant for a seed."""
    return hashlib.sha256(f"{seed}/lot/{pair}".encode()).hexdigest()
