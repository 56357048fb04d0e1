"""`python -m scorer` is the command `bummerl`."""

from scorer.cli import main

main(prog_name="python -m scorer")
