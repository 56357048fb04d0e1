"""Cached states of tables, ledgers and tournaments, and the operations on them, between store and
web."""
