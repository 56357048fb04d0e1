"""`python -m scorer` is the command `bummerl`."""

import sys

try:
    from scorer.cli import main

    main(prog_name="python -m scorer")
except KeyboardInterrupt:  # while it was still reading its own code
    sys.exit(130)
