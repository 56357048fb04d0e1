"""Scoring: events, states and the transitions between them."""
