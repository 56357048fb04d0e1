"""The rank of each line of the standings now. While results are missing, level pairs share one."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tournament.name_matching import alphabetical
from scorer.tournament.stages import next_stage
from scorer.tournament.standings import Standing
from scorer.tournament.state import Tournament


def may_part_level_pairs(tournament: Tournament) -> bool:
    """Whether a result before the finals may still part pairs that are level."""
    is_before_finals = next_stage(tournament) not in ("final", None)
    return is_before_finals or any(not round_.is_final for round_, _ in tournament.unfinished)


def ranked(
    tournament: Tournament, lines: Sequence[Standing], shares_ranks: bool
) -> list[tuple[int, Standing]]:
    """The lines with their ranks.

    Until the first game, ranks are 0 and the lines are in order of names.

    :param shares_ranks: whether level pairs share their rank, and pairs without a game are at the
        end with rank 0: `may_part_level_pairs`
    """
    if not tournament.begun:
        entrants = tournament.entrants
        by_name = sorted(lines, key=lambda line: alphabetical(entrants[line.pair].pair.name))
        return [(0, line) for line in by_name]
    with_rank: list[tuple[int, Standing]] = []
    without_rank: list[tuple[int, Standing]] = []
    first_ranks: dict[tuple[int, int], int] = {}
    for line in lines:
        if not _has_rank(tournament, line, shares_ranks):
            without_rank.append((0, line))
            continue
        rank = len(with_rank) + 1
        if shares_ranks:
            rank = first_ranks.setdefault((line.tie_group, line.decider_balance), rank)
        with_rank.append((rank, line))
    return with_rank + without_rank


def _has_rank(tournament: Tournament, line: Standing, shares_ranks: bool) -> bool:
    totals = line.totals
    has_games = totals.played_games or totals.won or totals.lost or not shares_ranks
    # In a knock-out, a pair without a game is still in.
    return bool(line.rank and (has_games or tournament.settings.format == "knockout"))
