"""Measurements as ratios against a bare baseline of the same run. `python -m bench`."""
