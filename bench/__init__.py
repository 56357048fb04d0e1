"""Benchmarks as ratios to a baseline measured in the same run. `python -m bench`."""
