"""A table of all scores of a rule set: the chance to win, and when to stay."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from scorer.engine.equity.curves import NOISE
from scorer.engine.equity.model import Model
from scorer.engine.equity.raise_values import Threshold, decision_values, raise_values
from scorer.engine.equity.score_graph import Score, ScoreGraph
from scorer.engine.equity.solver import EquityTable, equity_table, score_graph
from scorer.engine.rules.ruleset import RuleSet

MAX_PERCENT: Final = 100
"""Upper bound, in percent, of the chance to win a round."""


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """One score, from side 0's view."""

    win: float
    take: Threshold | None
    """When to stay on the others' first raise; None if that cannot occur."""
    play: Threshold | None
    """When to play rather than give the round away; None if there is no such decision."""


@dataclass(frozen=True, slots=True)
class EquitySheet:
    """All scores of a rule set under a model."""

    cells: tuple[tuple[ScoreCell, ...], ...]
    """Rows by own points, columns by the others' points."""
    to: int
    """The stake of the others' first raise if no side is near."""
    strikes: tuple[tuple[int, int], ...] | None
    """The scores at which striking one's own points pays (O-52), in Bummerl if they vary; None if
    the rules have no strike.
    """


def equity_sheet(rules: RuleSet, model: Model) -> EquitySheet:
    """The sheet of a rule set, cached.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.rules.loading import rules_of
    >>> found = equity_sheet(rules_of("bayern"), live(0.5))
    >>> found.to, round(found.cells[0][0].win, 3), found.cells[13][9].take
    (3, 0.5, None)

    :raises Unsolved: more scores than are solved
    """
    strike_table = equity_table(rules, model, _payoff(rules)) if rules.strike else None
    return _sheet(equity_table(rules, model), strike_table)


def strikes_from(rules: RuleSet, model: Model) -> int | None:
    """The chance to win a round, in whole percent, from which striking pays at some score.

    It pays above that chance, too. None if the rules have no strike or it never pays.
    """
    return _strikes_from(score_graph(rules, _payoff(rules)), model) if rules.strike else None


@lru_cache(maxsize=32)
def _strikes_from(scores: ScoreGraph, model: Model) -> int | None:
    def pays(percent: int) -> bool:
        return bool(_paying_strikes(EquityTable(scores, replace(model, p=percent / 100))))

    percent = bisect_left(range(MAX_PERCENT), True, lo=1, key=pays)
    return percent if percent < MAX_PERCENT else None


def _payoff(rules: RuleSet) -> str:
    """The payoff for strikes: Bummerl if they vary, else won games."""
    return "bummerl" if rules.schneider or rules.retour else "win"


@lru_cache(maxsize=32)
def _sheet(table: EquityTable, strike_table: EquityTable | None) -> EquitySheet:
    rules, scores = table.graph.rules, range(table.graph.rules.target)
    rows = tuple(
        tuple(
            _cell(table, table.graph.score((own_points, other_points))) for other_points in scores
        )
        for own_points in scores
    )
    return EquitySheet(
        rows,
        rules.base + rules.step,
        None if strike_table is None else _paying_strikes(strike_table),
    )


def _paying_strikes(table: EquityTable) -> tuple[tuple[int, int], ...]:
    """The scores at which side 0 gains by striking, without Retourschneider chances."""
    scores = set()
    for node in table.graph.nodes.values():
        strike_score, score = node.strikes[0], node.score
        without_chances = score == table.graph.score(score.points)
        if (
            without_chances
            and strike_score is not None
            and table.worth[strike_score] > table.without_strike[score] + NOISE
        ):
            scores.add((score.points[0], score.points[1]))
    return tuple(sorted(scores))


def _cell(table: EquityTable, score: Score) -> ScoreCell:
    play = table.round_worth(score).play
    raise_to = play.stake + table.graph.rules.step
    take = None if play.bids[1] is None else raise_values(table, score, 1, raise_to).stay_from
    values = decision_values(table, score).get(0)
    return ScoreCell(table.value_of(score), take, None if values is None else values.play_from)
