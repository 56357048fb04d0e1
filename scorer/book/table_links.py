"""The links of tables: their keys and codes, minted, shown, renewed and revoked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from scorer.engine.scoring.record import entry_time
from scorer.store import Seal, StreamKeyTaken, seals
from scorer.store.keys import mint
from scorer.store.roles import CODE, OPPONENT, VIEWER, WRITER
from scorer.store.sql_store import Store

ROLES: Final = (WRITER, OPPONENT, VIEWER)
_ROLES_FOR_WRITER: Final = (OPPONENT, VIEWER, CODE)
"""Roles whose keys are sealed for a table's writer."""
CODE_LIFETIME: Final = timedelta(days=2)
"""A code works this long after the last entry: enough for a game past midnight, or a draw made a
day early."""
MAX_CODE_DRAWS: Final = 20
"""How often another code is drawn if the drawn one is taken."""

Granted = TypeVar("Granted")


class CodeEnded(LookupError):
    """The code belonged to a table, but has ended or was renewed."""


class TableLinks:
    """The keys of the tables of one store.

    :param draw_code: draws a code for typing; None for tables without codes
    """

    def __init__(self, store: Store, draw_code: Callable[[], str] | None) -> None:
        self._store, self._draw_code = store, draw_code

    def mint_keys(self, writer_key: str = "") -> dict[str, str]:
        """New keys of a table by role, `code` included.

        :param writer_key: the writer's key, '' for a new one
        """
        keys = {role: mint() for role in ROLES} | self._new_code()
        return keys | {WRITER: writer_key} if writer_key else keys

    def keys_for_writer(self, writer_key: str) -> dict[str, str]:
        """The table's keys by role, as far as they are sealed for its writer."""
        return self.keys_for_writers([writer_key])[writer_key]

    def keys_for_writers(self, writer_keys: Collection[str]) -> dict[str, dict[str, str]]:
        """The keys of several tables, by the writers' keys."""
        return {
            writer: {
                WRITER: writer,
                **{role: keys[role] for role in _ROLES_FOR_WRITER if role in keys},
            }
            for writer, keys in self._store.unseal_all(writer_keys).items()
        }

    def viewer_key(self, key: str, role: str) -> str | None:
        """The viewer's key, if the holder of `key` may read it; else None."""
        return key if role == VIEWER else self._store.unseal(key, VIEWER)

    def ensure_viewer(self, stream: str, writer_key: str) -> str:
        """The viewer's key; a new one if none is sealed for the writer."""
        viewer = self.keys_for_writer(writer_key).get(VIEWER)
        return viewer or self.renew(stream, writer_key, VIEWER, revoke=False)[VIEWER]

    def with_code(self, stream: str, writer_key: str) -> dict[str, str]:
        """The table's keys by role; adds a code if the table has none (opened on a phone), or if
        its code has ended."""
        keys = self.keys_for_writer(writer_key)

        def grant() -> dict[str, str]:
            code = self._new_code()
            self._store.grant(stream, code, revoke=[CODE], seals=table_seals({**keys, **code}))
            return code

        if not self._draw_code or VIEWER not in keys:
            return keys
        if CODE in keys and not self._has_ended(keys[CODE]):
            return keys
        return keys | retry_taken(grant)

    def viewer_of_code(self, code: str) -> str | None:
        """The viewer's key that a code opens, or None.

        :raises CodeEnded: it expired after the last entry, or was renewed
        """
        access = self._store.find(code)
        if access is None or access.role != CODE:
            if self._store.stream_of_revoked_key(code):
                raise CodeEnded
            return None
        if self._has_ended(code):
            raise CodeEnded
        return self._store.unseal(code, VIEWER)

    def renew(
        self, stream: str, writer_key: str, role: str, *, revoke: bool = True
    ) -> dict[str, str]:
        """The table's keys by role, with new ones for `role`. With the viewer's key the code is
        renewed, too.

        :param revoke: whether the old ones are revoked
        """
        keys = self.keys_for_writer(writer_key)

        def grant() -> dict[str, str]:
            code = self._new_code() if role == VIEWER else {}
            renewed = {role: mint(), **code}
            revoked, sealed = tuple(renewed) if revoke else (), table_seals({**keys, **renewed})
            self._store.grant(stream, renewed, revoke=revoked, seals=sealed)
            return renewed

        return keys | retry_taken(grant)

    def _new_code(self) -> dict[str, str]:
        return {CODE: self._draw_code()} if self._draw_code else {}

    def _has_ended(self, code: str) -> bool:
        times = filter(None, (entry_time({"at": time}) for time in self._store.use_times(code)))
        return all(time + CODE_LIFETIME < datetime.now(UTC) for time in times)


def retry_taken(attempt: Callable[[], Granted]) -> Granted:
    """Repeat granting a new code while the drawn one is taken.

    :raises StreamKeyTaken: no free code after `MAX_CODE_DRAWS`
    """
    for _ in range(MAX_CODE_DRAWS):
        try:
            return attempt()
        except StreamKeyTaken:
            continue
    return attempt()


def table_seals(keys: Mapping[str, str]) -> list[Seal]:
    """Seals with which the writer reads all keys, and the code and the other side the viewer's."""
    role_pairs = [(WRITER, role) for role in _ROLES_FOR_WRITER]
    role_pairs += [(role, VIEWER) for role in (CODE, OPPONENT)]
    return seals(keys, role_pairs)
