"""From the key in an address to the table it opens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from flask import abort, current_app, g

from scorer.book import keyrings as rings_module
from scorer.book import ledgers as ledgers_module
from scorer.book import tables as tables_module
from scorer.book.channels import Channels
from scorer.book.ledger_totals import LedgerTotals
from scorer.book.ledgers import Ledgers
from scorer.book.notifications import Hub
from scorer.book.retention import Retention
from scorer.book.single_flight import SingleFlight
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.store.keys import is_key
from scorer.store.sql_store import Store
from scorer.web.frame.rate_limits import wrong_key


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody with a key."""

    key: str
    stream: str
    role: str
    sees: frozenset[str]
    """The roles whose keys this one lets see."""


P = TypeVar("P")


def _part(_: type[P], name: str) -> P:
    part: P = current_app.extensions[name]
    return part


tables: Final = partial(_part, Tables, "tables")
hub: Final = partial(_part, Hub, "hub")
channels: Final = partial(_part, Channels, "channels")
ledger_totals: Final = partial(_part, LedgerTotals, "totals")
render_cache: Final = partial(_part, SingleFlight[str], "render_cache")
ledgers: Final = partial(_part, Ledgers, "ledgers")
tournaments: Final = partial(_part, Tournaments, "tournaments")
retention: Final = partial(_part, Retention, "retention")
"""What the application keeps, each called for itself."""


def store() -> Store:
    """The application's score book."""
    return tables().store


ROLES: Final = {
    "table": tables_module.ROLES,
    "group": ledgers_module.ROLES,
    "tournament": rings_module.ROLES,
}
"""The roles of each kind of stream; no two kinds share one."""


def known(key: str, kind: str = "") -> Guest | None:
    """Whoever holds `key`, which this phone or program has kept; None where it opens nothing of the
    kind (any more). A short code is no key.

    :param kind: of the stream; "" for any
    """
    access = store().find(key) if is_key(key) else None
    if access is None or (kind and access.role not in ROLES[kind]):
        return None
    return Guest(key, access.stream, access.role, access.sees)


def opened(key: str, kind: str = "") -> Guest | None:
    """Whoever holds a `key` that was sent; a wrong one counts as a guess.

    :param kind: of the stream; "" for any
    :raises TooManyRequests: 429, too many wrong ones from this address
    """
    holder = known(key, kind)
    if holder is None:
        wrong_key()
    return holder


def guest(key: str, kind: str = "table") -> Guest:
    """Whoever holds `key`, a key of such a stream.

    Where evenings are erased that nobody opens, the first look of a day at a table is noted, also
    by a request that only reads.

    :raises NotFound: 404, the key opens nothing of the kind (any more)
    """
    holder = opened(key, kind) or abort(404, "unknown-key")
    if kind == "table":
        retention().look(holder.stream)
    g.guest = holder
    return holder


def present() -> Guest:
    """Who asks, as `guest` has found out for this request."""
    holder: Guest = g.guest
    return holder


FORBIDDEN: Final[Mapping[tuple[str, ...], str]] = {
    ("scorer",): "not-the-writer",
    ("director",): "not-the-director",
    ("member",): "not-a-member",
}
"""Why another key is refused, by the roles that may; else `not-yours`."""


def authorise(key: str, *roles: str) -> Guest:
    """Whoever holds `key`, if it has one of these roles of one kind of stream.

    :raises NotFound: 404, the key opens nothing of the kind (any more)
    :raises Forbidden: 403, another role's key
    """
    kind = next(kind for kind, known in ROLES.items() if roles[0] in known)
    holder = guest(key, kind)
    if holder.role not in roles:
        abort(403, FORBIDDEN.get(roles, "not-yours"))
    return holder


def director(key: str) -> Guest:
    """Whoever holds `key`, if it runs a tournament.

    :raises Forbidden: 403, another key of the tournament
    """
    return authorise(key, "director")


def writer(key: str) -> Guest:
    """Whoever holds `key`, if it may write.

    :raises Forbidden: 403, another role's key
    """
    return authorise(key, "scorer")
