"""The keys of tournaments, and the rings that seal the keys of a tournament's tables.

A ring is one more key, with which the keys of many tables are encrypted. The director's key
decrypts the desk ring, which decrypts the writers' keys of all tables. The director's and the
viewer's key decrypt the hall ring, which decrypts the viewers' keys of all tables. If the
director's or the viewer's key is renewed, only the ring is encrypted again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scorer.book.helper_links import MAX_HELPERS, HelperRole, parse_helper_role
from scorer.engine import Illegal
from scorer.store import Seal, seals
from scorer.store.keys import digest, mint
from scorer.store.roles import DIRECTOR, HALL_VIEWER, SIGNUP
from scorer.store.sql_store import Store

ROLES: Final = (DIRECTOR, HALL_VIEWER, SIGNUP)
"""The director runs the tournament, a viewer (`hall`) reads it, and `signup` lets pairs sign up."""
ROLES_SEEING_STANDINGS: Final = (DIRECTOR, HALL_VIEWER)
"""Roles that may see the standings."""
DESK_RING: Final = "desk-ring"
HALL_RING: Final = "hall-ring"
"""The value has been stored since the first release; the role is called `hall`."""
RINGS: Final = (DESK_RING, HALL_RING)


class Keyrings:
    """The keyrings of one store's tournaments.

    :param machine_secret: secret under which this machine seals directors' keys
    """

    def __init__(self, store: Store, machine_secret: str = "") -> None:
        self._store, self._machine_secret = store, machine_secret

    # Links

    def keys_by_role(self, director_key: str) -> dict[str, str]:
        """The keys that the director's key can decrypt, by role, and the director's key itself."""
        keys = {role: self._store.unseal(director_key, role) for role in (HALL_VIEWER, SIGNUP)}
        return {DIRECTOR: director_key, **{role: key for role, key in keys.items() if key}}

    def renew(self, stream: str, director_key: str, role: str) -> dict[str, str]:
        """Replace the key of a role; return the keys of all roles and helpers."""
        helpers = self.helper_keys(stream, director_key)
        keys = {**self.keys_by_role(director_key), **helpers, role: mint()}
        rings = self.ensure_ring_secrets(stream, director_key)
        self._store.grant(
            stream, {role: keys[role]}, revoke=(role,), seals=keyring_seals(keys, rings)
        )
        self.seal_for_machine(stream, keys[DIRECTOR])
        return keys

    def renew_all(self, stream: str) -> str:
        """New keys after the director's is lost; return the new director's key. Keys of tables
        already drawn are not recovered, and the links of helpers are revoked."""
        keys, rings = mint_keys_and_rings()
        revoked = (DIRECTOR, *(link.role for link in self.helpers(stream)))
        self._store.grant(stream, keys, revoke=revoked, seals=keyring_seals(keys, rings))
        self.seal_for_machine(stream, keys[DIRECTOR])
        return keys[DIRECTOR]

    def seal_for_machine(self, stream: str, director_key: str) -> None:
        """Seal the director's key for this machine."""
        if self._machine_secret:
            self._store.grant(stream, {}, seals=[Seal(self._machine_secret, stream, director_key)])

    def director_key(self, stream: str) -> str | None:
        """The director's key sealed for this machine, or None if there is none or it is revoked."""
        key = self._store.unseal(self._machine_secret, stream) if self._machine_secret else None
        return key if key is not None and self._store.find(key) is not None else None

    # Helpers

    def helpers(self, stream: str) -> list[HelperRole]:
        """The valid links of helpers, in the order in which they were made."""
        valid = (role for role, is_valid in self._store.roles(stream).items() if is_valid)
        return sorted(filter(None, map(parse_helper_role, valid)), key=lambda link: link.number)

    def helper_keys(self, stream: str, director_key: str) -> dict[str, str]:
        """The keys of the valid links of helpers that the director can decrypt, by role."""
        keys = self._store.unseal_all([director_key])[director_key]
        roles = (link.role for link in self.helpers(stream))
        return {role: keys[role] for role in roles if role in keys}

    def add_helper(
        self, stream: str, director_key: str, work: str, tables: range | None, key: str
    ) -> HelperRole:
        """Grant `key` to a new helper; its number was never used in this tournament.

        :param tables: the tables whose results the helper may enter; None for all
        :raises Illegal: `helpers-full`
        :raises StreamKeyTaken: `key` is in use
        """
        all_links = list(filter(None, map(parse_helper_role, self._store.roles(stream))))
        if len(self.helpers(stream)) >= MAX_HELPERS:
            raise Illegal("helpers-full", most=MAX_HELPERS)
        number = 1 + max((link.number for link in all_links), default=0)
        link = HelperRole(work, number, tables)
        keys = {**self.keys_by_role(director_key), link.role: key}
        self._store.grant(stream, {link.role: key}, seals=_helper_seals(keys))
        return link

    def revoke_helper(self, stream: str, link: HelperRole) -> None:
        self._store.grant(stream, {}, revoke=(link.role,))

    # Tables

    def ensure_ring_secrets(self, stream: str, director_key: str) -> dict[str, str]:
        """The ring secrets by name; creates those that an imported tournament lacks."""
        unsealed = {ring: self._store.unseal(director_key, ring) for ring in RINGS}
        rings = {ring: secret or mint() for ring, secret in unsealed.items()}
        if rings != unsealed:
            ring_seals = [Seal(director_key, ring, secret) for ring, secret in rings.items()]
            self._store.grant(stream, {}, seals=ring_seals)
        return rings

    def key_from_ring(self, key: str, ring: str, stream: str) -> str | None:
        """The key of a stream in a ring, or None.

        :param key: the director's or the viewer's key
        """
        secret = self._store.unseal(key, ring)
        return self._store.unseal(secret, stream) if secret else None

    def keys_from_ring(self, key: str, ring: str) -> dict[str, str]:
        """All keys in a ring, by stream."""
        secret = self._store.unseal(key, ring)
        return self._store.unseal_all([secret])[secret] if secret else {}

    def ring_digests(self, director_key: str) -> list[str]:
        """The digests of the ring secrets, under which the store keeps the tables' keys."""
        secrets = (self._store.unseal(director_key, ring) for ring in RINGS)
        return [digest(secret) for secret in secrets if secret]

    def writer_key(self, director_key: str, table: str) -> str | None:
        return self.key_from_ring(director_key, DESK_RING, table)

    def board_keys(self, viewer_key: str) -> dict[str, str]:
        return self.keys_from_ring(viewer_key, HALL_RING)

    def seal_keys(self, stream: str, director_key: str, keys: Mapping[str, str]) -> None:
        desk = self.ensure_ring_secrets(stream, director_key)[DESK_RING]
        table_seals = [Seal(desk, table, key) for table, key in keys.items()]
        self._store.grant(stream, {}, seals=table_seals)


def mint_keys_and_rings() -> tuple[dict[str, str], dict[str, str]]:
    return {role: mint() for role in ROLES}, {ring: mint() for ring in RINGS}


def keyring_seals(keys: Mapping[str, str], rings: Mapping[str, str]) -> list[Seal]:
    """Seal the rings and the other roles' keys for the director, and the viewer's key for
    `signup` and the helpers."""
    rings_of_roles = [(DIRECTOR, DESK_RING), (DIRECTOR, HALL_RING), (HALL_VIEWER, HALL_RING)]
    sealed_roles = [(DIRECTOR, HALL_VIEWER), (DIRECTOR, SIGNUP), (SIGNUP, HALL_VIEWER)]
    return [
        *(Seal(keys[role], ring, rings[ring]) for role, ring in rings_of_roles if role in keys),
        *seals(keys, sealed_roles),
        *_helper_seals(keys),
    ]


def _helper_seals(keys: Mapping[str, str]) -> list[Seal]:
    roles = [role for role in keys if parse_helper_role(role)]
    sealed_roles = [pair for role in roles for pair in ((DIRECTOR, role), (role, HALL_VIEWER))]
    return seals(keys, sealed_roles)
