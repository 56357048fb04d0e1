"""Access: from the key in a URL to its stream and role, and to the application's services.

Each view names the roles that may call it; `tests/web/test_route_permissions.py` lists all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from flask import abort, current_app, g

from scorer.book import keyrings, table_links
from scorer.book.helper_links import DOOR, HELPERS, RESULTS, work_or_role
from scorer.book.ledger_cache import LedgerTotals
from scorer.book.ledgers import ROLES as LEDGER_ROLES
from scorer.book.ledgers import Ledgers
from scorer.book.live_channels import Channels
from scorer.book.notifications import Hub
from scorer.book.retention import Retention
from scorer.book.single_flight import SingleFlight
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.store.keys import is_key
from scorer.store.roles import DIRECTOR, LEDGER_KIND, MEMBER, TABLE_KIND, TOURNAMENT_KIND, WRITER
from scorer.store.sql_store import Store
from scorer.web.frame.rate_limits import count_wrong_keys


@dataclass(frozen=True, slots=True)
class KeyHolder:
    key: str
    stream: str
    role: str
    visible_roles: frozenset[str]
    """Roles whose keys this role may see."""


P = TypeVar("P")


def _service(_: type[P], name: str) -> P:
    service: P = current_app.extensions[name]
    return service


# Services of the current application; call each to get it.
tables: Final = partial(_service, Tables, "tables")
hub: Final = partial(_service, Hub, "hub")
channels: Final = partial(_service, Channels, "channels")
ledger_totals: Final = partial(_service, LedgerTotals, "totals")
render_cache: Final = partial(_service, SingleFlight[str], "render_cache")
device_names: Final = partial(_service, SingleFlight[str], "device_names")
ledgers: Final = partial(_service, Ledgers, "ledgers")
tournaments: Final = partial(_service, Tournaments, "tournaments")
retention: Final = partial(_service, Retention, "retention")


def store() -> Store:
    return tables().store


ROLES: Final = {
    TABLE_KIND: table_links.ROLES,
    LEDGER_KIND: LEDGER_ROLES,
    TOURNAMENT_KIND: (*keyrings.ROLES, *HELPERS),
}
"""Roles by kind of stream; the kinds share no role. Those of helpers are named by their work."""


def holder_of(key: str, kind: str = "") -> KeyHolder | None:
    """The holder of `key`, or None for an unknown key, a short code or another kind of stream.

    :param kind: kind of stream; "" for any
    """
    access = store().find(key) if is_key(key) else None
    if access is None or (kind and work_or_role(access.role) not in ROLES[kind]):
        return None
    return KeyHolder(key, access.stream, access.role, access.visible_roles)


def holder_of_sent_key(key: str, kind: str = "") -> KeyHolder | None:
    """Like `holder_of`, for a key that was sent: an unknown one counts as a guess.

    :raises TooManyRequests: 429, too many unknown keys from this address
    """
    holder = holder_of(key, kind)
    if holder is None:
        count_wrong_keys(revoked=is_key(key) and store().stream_of_revoked_key(key) is not None)
    return holder


def require_holder(key: str, kind: str = TABLE_KIND) -> KeyHolder:
    """The holder of `key`, also stored for `current_holder`. Records that a table was visited.

    :raises NotFound: 404, unknown key or another kind of stream
    :raises TooManyRequests: 429, too many unknown keys
    """
    holder = holder_of_sent_key(key, kind) or abort(404, "unknown-key")
    if kind == TABLE_KIND:
        retention().note_visit(holder.stream)
    g.holder = holder
    return holder


def current_holder() -> KeyHolder:
    """The holder that `require_holder` found for this request."""
    holder: KeyHolder = g.holder
    return holder


FORBIDDEN: Final[Mapping[tuple[str, ...], str]] = {
    (WRITER,): "not-the-writer",
    (DIRECTOR,): "not-the-director",
    (DIRECTOR, RESULTS): "not-the-director",
    (DIRECTOR, DOOR): "not-the-director",
    (MEMBER,): "not-a-member",
}
"""Error code for a key of another role, by the allowed roles; default `not-yours`."""


def authorise(key: str, *roles: str) -> KeyHolder:
    """The holder of `key`, if it has one of these roles of one kind of stream.

    :param roles: see `ROLES`
    :raises NotFound: 404, unknown key or another kind of stream
    :raises TooManyRequests: 429, too many unknown keys
    :raises Forbidden: 403, another role
    """
    kind = next(kind for kind, kind_roles in ROLES.items() if roles[0] in kind_roles)
    holder = require_holder(key, kind)
    if work_or_role(holder.role) not in roles:
        abort(403, FORBIDDEN.get(roles, "not-yours"))
    return holder


def require_director(key: str) -> KeyHolder:
    return authorise(key, DIRECTOR)


def require_results_desk(key: str) -> KeyHolder:
    """The holder of a key of the director, or of a helper who enters results."""
    return authorise(key, DIRECTOR, RESULTS)


def require_door_desk(key: str) -> KeyHolder:
    """The holder of a key of the director, or of a helper at the door."""
    return authorise(key, DIRECTOR, DOOR)


def require_writer(key: str) -> KeyHolder:
    return authorise(key, WRITER)
