"""Equity: the chances of winning the game from a score, a raise or a decision."""
