"""Runs all benchmarks, or the named ones: `python -m bench engine store`."""

import sys
from importlib import import_module

PARTS = (
    "engine",
    "equity",
    "judge",
    "store",
    "postgres",
    "pages",
    "taps",
    "served",
    "live",
    "ledger",
    "tournament",
)

for part in sys.argv[1:] or PARTS:
    for found in import_module(f"bench.{part}").measure():
        print(found, flush=True)
