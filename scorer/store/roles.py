"""The roles in which a key opens a stream, as stored and recorded, and the kinds of streams.

Helpers of a tournament have roles of their own (`scorer/book/helper_links.py`).
"""

from __future__ import annotations

from typing import Final

WRITER: Final = "scorer"
"""Writes the events of a table. The stored word is that of the first release."""
OPPONENT: Final = "opponent"
"""The other side's phone at a table: confirms, disputes, and may bid."""
VIEWER: Final = "viewer"
"""Reads a table."""
CODE: Final = "code"
"""A short code, typed by hand, that leads to the viewer's key of a table."""
MEMBER: Final = "member"
"""Writes a ledger."""
READER: Final = "reader"
"""Reads a ledger."""
DIRECTOR: Final = "director"
"""Runs a tournament."""
HALL_VIEWER: Final = "hall"
"""Reads a tournament."""
SIGNUP: Final = "signup"
"""Signs pairs up for a tournament."""

TABLE_KIND: Final = "table"
LEDGER_KIND: Final = "group"
"""Called so since the first release; the groups of a tournament are something else."""
TOURNAMENT_KIND: Final = "tournament"
