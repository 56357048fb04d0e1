"""Totals of each pair over the rounds: games, points and bonuses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from scorer.tournament.match import Match, Round
from scorer.tournament.settings import Scoring, Since
from scorer.tournament.state import Tournament


@dataclass(slots=True)
class PairTotals:
    won: int = 0
    lost: int = 0
    points: int = 0
    conceded: int = 0
    score: int = 0
    matches_won: int = 0
    """Including byes and walkovers."""
    byes: int = 0
    retour: int = 0
    schneider: int = 0
    unplayed_points: int = 0
    """Points in `points` from the director, and since version 2 from byes and walkovers."""
    unplayed_games: int = 0
    """Games of byes and walkovers: not in `ratio`, estimated in `conceded_extrapolated`."""

    bye_points_conceded: int = 0
    """Points in `conceded` that come from byes."""
    played_games: int = 0
    """Games that have points, each counted once."""

    @property
    def difference(self) -> int:
        return self.points - self.conceded

    @property
    def ratio(self) -> Fraction:
        """Points made per point conceded, in played games."""
        made = self.points - self.unplayed_points
        conceded = self.conceded - self.bye_points_conceded
        return Fraction(made, conceded) if conceded else Fraction(made, 1)

    @property
    def conceded_extrapolated(self) -> Fraction:
        """Points conceded, extrapolated from the played games to the others.

        >>> PairTotals(played_games=3, conceded=30, unplayed_games=3).conceded_extrapolated
        Fraction(60, 1)
        """
        if not self.played_games:
            return Fraction(0)
        return Fraction(
            self.conceded * (self.played_games + self.unplayed_games), self.played_games
        )


def pair_totals(tournament: Tournament, averages: bool = True) -> dict[int, PairTotals]:
    """The totals of every listed pair over the rounds, without the finals.

    :param averages: with the byes that count as the average of the pair's played rounds
    """
    by_pair = {entrant.number: PairTotals() for entrant in tournament.listed}
    settings = tournament.settings
    byes_count = settings.format != "knockout" or settings.version < Since.EMPTY_KNOCKOUT_BYES
    walkovers: list[tuple[Round, Match]] = []
    for round_ in tournament.rounds:
        if round_.is_final:
            continue
        for match in tournament.counted_matches(round_):
            if _enters_averages(match, settings.version):
                count_match(by_pair, match, round_, settings.scoring, settings.version)
            else:
                walkovers.append((round_, match))
        for pair in tournament.counted_byes(round_):
            totals = by_pair[pair]
            totals.byes += 1
            if byes_count and not settings.scoring.bye_average:
                wins = settings.scoring.bye_wins
                _count_unplayed(totals, settings.scoring, round_.games, wins, settings.version)
    if byes_count and settings.scoring.bye_average and averages:
        for pair, rounds in _played_rounds(tournament).items():
            _add_average_bye(by_pair[pair], rounds)
    for round_, match in walkovers:
        count_match(by_pair, match, round_, settings.scoring, settings.version)
    for entrant in tournament.listed:
        _add_extra_points(by_pair[entrant.number], entrant.extra)
    return by_pair


def count_match(
    by_pair: Mapping[int, PairTotals], match: Match, round_: Round, scoring: Scoring, version: int
) -> None:
    result = match.result
    assert result is not None
    for side, pairs in enumerate(match.sides):
        for number in pairs:
            totals = by_pair[number]
            if result.walkover:
                if side == match.winner:
                    _count_unplayed(totals, scoring, round_.games, True, version)
                continue
            totals.matches_won += side == match.winner
            for game, points in enumerate(result.games, 1):
                own, other = points[side], points[1 - side]
                _count_game(totals, own, other, game in result.retour, scoring, round_.target)


def _count_game(
    totals: PairTotals, own: int, other: int, retour: bool, scoring: Scoring, target: int
) -> None:
    totals.points += own
    totals.conceded += other
    totals.played_games += own + other > 0
    finished = max(own, other) >= target
    if not finished and (scoring.unfinished != "win" or own == other):
        totals.score += own if scoring.win_own or scoring.loss_own else 0
        return
    if own < other:
        totals.lost += 1
        totals.score += own if scoring.loss_own else 0
        return
    schneider = finished and other == 0
    totals.retour += retour
    totals.schneider += schneider
    totals.won += 1 + retour * scoring.retour_won + schneider * scoring.schneider_won
    totals.score += scoring.win + retour * scoring.retour + schneider * scoring.schneider
    totals.score += target if scoring.win_target else own if scoring.win_own else 0


def _enters_averages(match: Match, version: int) -> bool:
    """Whether the average of a bye counts this match."""
    assert match.result is not None
    return not match.result.walkover or version < Since.WALKOVERS_LIKE_BYES


def _played_rounds(tournament: Tournament) -> Counter[int]:
    """The number of rounds before the finals of which each pair's average is made."""
    return Counter(
        pair
        for round_ in tournament.rounds
        if not round_.is_final
        for match in tournament.counted_matches(round_)
        if _enters_averages(match, tournament.settings.version)
        for side in match.sides
        for pair in side
    )


def _add_average_bye(totals: PairTotals, rounds: int) -> None:
    """Count each bye as the pair's average over its `rounds` played rounds, rounded half up."""

    def average_share(total: int) -> int:
        return totals.byes * ((2 * total + rounds) // (2 * rounds))

    totals.unplayed_points += average_share(totals.points)
    totals.bye_points_conceded += average_share(totals.conceded)
    for name in ("won", "lost", "points", "conceded", "score", "matches_won"):
        total = getattr(totals, name)
        setattr(totals, name, total + average_share(total))


def _add_extra_points(totals: PairTotals, points: int) -> None:
    """Add the director's points; `ratio` leaves them out as it does those of byes."""
    totals.points += points
    totals.unplayed_points += points
    totals.score += points


def _count_unplayed(
    totals: PairTotals, scoring: Scoring, games: int, wins: bool, version: int
) -> None:
    totals.matches_won += 1
    totals.won += games * wins
    totals.points += games * scoring.bye_points
    totals.score += games * scoring.bye_score
    if version >= Since.NEUTRAL_BYES:
        totals.unplayed_points += games * scoring.bye_points
        totals.unplayed_games += games
