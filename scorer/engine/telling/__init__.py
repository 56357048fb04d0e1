"""Readings of an evening: reasons as text, slate, corrections, statistics, settlement."""
