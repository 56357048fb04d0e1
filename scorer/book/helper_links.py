"""Links for helpers of a tournament, and the events that a helper may record.

A helper's role names the work, the link's number and perhaps the tables: `door-1`, `entry-2`,
`entry-3:1-20`. No two links share a role: a director can revoke one link, and the record says which
link made an entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scorer.engine import Illegal

RESULTS: Final = "entry"
"""Work of a helper who enters results."""
DOOR: Final = "door"
"""Work of a helper at the door: sign-ups, entry fees, who is here."""
HELPERS: Final = (RESULTS, DOOR)
MAX_HELPERS: Final = 50
"""Most links of helpers that are valid at one time."""
_ALLOWED_EVENTS: Final[Mapping[str, frozenset[str]]] = {
    RESULTS: frozenset(("ergebnis", "leerung")),
    DOOR: frozenset(("anmeldung", "einzeln", "aufnahme", "ablehnung", "vermerk", "aenderung")),
}
"""Kinds of events that a helper may record, by work."""
_NUMBER: Final = r"([1-9]\d{0,5})"
ROLE: Final = re.compile(rf"({RESULTS}|{DOOR})-{_NUMBER}(?::{_NUMBER}-{_NUMBER})?")


@dataclass(frozen=True, slots=True)
class HelperRole:
    work: str
    number: int
    tables: range | None = None
    """The tables whose results the helper may enter; None for all."""

    @property
    def role(self) -> str:
        """The role of the link's key.

        >>> HelperRole(RESULTS, 3, range(1, 21)).role
        'entry-3:1-20'
        """
        part = f":{self.tables.start}-{self.tables.stop - 1}" if self.tables else ""
        return f"{self.work}-{self.number}{part}"

    def may_enter(self, table: int) -> bool:
        return self.work == RESULTS and (self.tables is None or table in self.tables)


def parse_helper_role(role: str) -> HelperRole | None:
    """The helper's link of a role, or None for other roles.

    >>> parse_helper_role("entry-3:1-20").tables, parse_helper_role("director")
    (range(1, 21), None)
    """
    match = ROLE.fullmatch(role)
    if match is None:
        return None
    work, number, first, last = match.groups()
    tables = range(int(first), int(last) + 1) if first else None
    return HelperRole(work, int(number), tables)


def work_or_role(role: str) -> str:
    """The work of a helper's role, or the role itself if it is no helper's.

    >>> work_or_role("entry-3:1-20"), work_or_role("director")
    ('entry', 'director')
    """
    helper = parse_helper_role(role)
    return helper.work if helper else role


def check_allowed(role: str, body: Mapping[str, Any]) -> None:
    """Check that a helper may record an event. Any other role passes.

    :raises Illegal: `only-the-director` or `other-tables`
    """
    helper = parse_helper_role(role)
    if helper is None:
        return
    if body.get("do") not in _ALLOWED_EVENTS[helper.work] or body.get("back"):
        raise Illegal("only-the-director")
    table = body.get("table", 0)
    if helper.tables and table not in helper.tables:
        first, last = helper.tables.start, helper.tables.stop - 1
        raise Illegal("other-tables", table=table, first=first, last=last)
