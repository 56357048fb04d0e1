"""The points that the others get when a side folds."""

from __future__ import annotations

from typing import Final

from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.stakes import OPENING_SWITCHES
from scorer.engine.scoring.state import Raise, State

FOLDING_SWITCHES: Final = OPENING_SWITCHES | {"fold_value", "fold_counts_refused", "step"}


def fold_code(rules: RuleSet) -> str:
    """The code of the reason for the points, a key of `GROUNDS` in `engine/rules/grounds.py`."""
    if rules.fixed_fold_points is not None:
        return "fold-fixed"
    return "fold-refused" if rules.fold_counts_refused else "fold-agreed"


def points_for_fold(state: State, open_raise: Raise | None) -> int:
    """The points the others get when a side folds (O-45, E-23, I-40, Y2; without a raise Y4)."""
    rules = state.rules
    if rules.fixed_fold_points is not None:
        return rules.fixed_fold_points
    return open_raise.to if open_raise and rules.fold_counts_refused else state.stake
