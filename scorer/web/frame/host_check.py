"""Checks that the name in a request's Host header belongs to this server."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from typing import Final

LOCAL_SUFFIXES: Final = (".local", ".localhost", ".lan", ".home", ".internal", ".home.arpa")
"""Suffixes that cannot be registered, so no other site can have such a name."""
_NAME_PATTERN: Final = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?"
_HOST_PATTERN: Final = re.compile(rf"({_NAME_PATTERN}|\[[0-9A-Fa-f:.]+\])(:\d{{1,5}})?")


def host_error(host: str, hosts: frozenset[str] | None) -> str | None:
    """Error code for the Host header, or None.

    :param hosts: accepted host names besides addresses and local names; None for any
    """
    if not host:
        return None
    match = _HOST_PATTERN.fullmatch(host)
    if match is None or any(len(part) not in range(1, 64) for part in match[1].split(".")):
        return "odd-host"
    if hosts is None or _is_accepted(match[1].lower().strip("[]"), hosts):
        return None
    return "unknown-host"


def _is_accepted(name: str, hosts: Collection[str]) -> bool:
    """Whether the host name belongs to this server.

    Protects against DNS rebinding: another site's domain may resolve to this machine's address, but
    a bare address or a name without a domain cannot be another site's.

    >>> names = ("192.168.1.4", "gasthaus", "watten.example")
    >>> [_is_accepted(name, {"watten.example"}) for name in names]
    [True, True, True]
    >>> _is_accepted("evil.example", {"watten.example"})
    False
    """
    if name in hosts or "." not in name or name.endswith(LOCAL_SUFFIXES):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
