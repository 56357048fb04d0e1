"""The links of tournaments, and the rings that hold the keys of their tables.

A ring is a secret of its own, which the director's or the hall's key opens, and the keys of the
tables are sealed under it: so a renewed link finds them all, whatever is drawn meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scorer.store import Seal, seals
from scorer.store.keys import digest, mint
from scorer.store.sql_store import Store

ROLES: Final = ("director", "hall", "signup")
"""The director runs it, the hall watches, and with the third key pairs sign up."""
WATCHING: Final = ("director", "hall")
"""Whose link shows the standings."""
DESK: Final = "desk-ring"
"""The tables' writing keys, for the director."""
HALL: Final = "hall-ring"
"""The tables' boards, for all who watch."""
RINGS: Final = (DESK, HALL)


class Keyrings:
    """What the keys of one store's tournaments open beside these.

    :param machine: the secret by which this machine finds a lost director's link
    """

    def __init__(self, store: Store, machine: str = "") -> None:
        self._store, self._machine = store, machine

    # Links

    def links(self, director_key: str) -> dict[str, str]:
        """All keys of a tournament as its director may see them."""
        sealed = {role: self._store.unseal(director_key, role) for role in ("hall", "signup")}
        return {"director": director_key, **{role: key for role, key in sealed.items() if key}}

    def renew(self, stream: str, director_key: str, role: str) -> dict[str, str]:
        """New keys for a role: the old ones are closed."""
        keys = {**self.links(director_key), role: mint()}
        rings = self.whole(stream, director_key)
        self._store.grant(stream, {role: keys[role]}, revoke=(role,), seals=sealed(keys, rings))
        self.remember(stream, keys["director"])
        return keys

    def anew(self, stream: str) -> str:
        """New links where the director's is lost for good; those of tables already drawn stay
        on their slips alone. Returns the new director's key."""
        keys, rings = minted()
        self._store.grant(stream, keys, revoke=("director",), seals=sealed(keys, rings))
        self.remember(stream, keys["director"])
        return keys["director"]

    def remember(self, stream: str, director_key: str) -> None:
        """Seal the director's key for this machine."""
        if self._machine:
            self._store.grant(stream, {}, seals=[Seal(self._machine, stream, director_key)])

    def lost(self, stream: str) -> str | None:
        """The director's key as this machine remembers it, if it still opens the tournament."""
        key = self._store.unseal(self._machine, stream) if self._machine else None
        return key if key is not None and self._store.find(key) is not None else None

    # Tables

    def whole(self, stream: str, director_key: str) -> dict[str, str]:
        """The rings, to seal something under them: a tournament that came from elsewhere without
        one gets it now."""
        known = {ring: self._store.unseal(director_key, ring) for ring in RINGS}
        rings = {ring: secret or mint() for ring, secret in known.items()}
        if rings != known:
            own = [Seal(director_key, ring, secret) for ring, secret in rings.items()]
            self._store.grant(stream, {}, seals=own)
        return rings

    def held(self, key: str, ring: str, stream: str) -> str | None:
        """The key of a stream that a ring holds, for whoever has a key that opens the ring."""
        secret = self._store.unseal(key, ring)
        return self._store.unseal(secret, stream) if secret else None

    def held_all(self, key: str, ring: str) -> dict[str, str]:
        """All keys that a ring holds, by their streams."""
        secret = self._store.unseal(key, ring)
        return self._store.unseal_all([secret])[secret] if secret else {}

    def digests(self, director_key: str) -> list[str]:
        """The digests of the rings: what is sealed for them is found by these."""
        secrets = (self._store.unseal(director_key, ring) for ring in RINGS)
        return [digest(secret) for secret in secrets if secret]

    def writing(self, director_key: str, table: str) -> str | None:
        """The writing key of one of the director's tables, by its stream."""
        return self.held(director_key, DESK, table)

    def boards(self, hall_key: str) -> dict[str, str]:
        """The keys of the tables' boards for the hall, by their streams."""
        return self.held_all(hall_key, HALL)

    def hold(self, stream: str, director_key: str, links: Mapping[str, str]) -> None:
        """Keep for the desk the keys of other tournaments, by their streams."""
        desk = self.whole(stream, director_key)[DESK]
        kept = [Seal(desk, other, key) for other, key in links.items()]
        self._store.grant(stream, {}, seals=kept)


def minted() -> tuple[dict[str, str], dict[str, str]]:
    """New keys of a tournament, by role, and its rings."""
    return {role: mint() for role in ROLES}, {ring: mint() for ring in RINGS}


def sealed(keys: Mapping[str, str], rings: Mapping[str, str]) -> list[Seal]:
    """The director sees all links; who signs up is led to the hall. Of a tournament from elsewhere
    there may be links that nobody knows."""
    opened = [("director", DESK), ("director", HALL), ("hall", HALL)]
    shown = [("director", "hall"), ("director", "signup"), ("signup", "hall")]
    return [
        *(Seal(keys[role], ring, rings[ring]) for role, ring in opened if role in keys),
        *seals(keys, shown),
    ]
