"""What lies on a phone's shelf: its tables, ledgers and tournaments that still open."""

from __future__ import annotations

from typing import Any

from flask import request

from scorer.engine import REGIONS
from scorer.engine.telling.explain import side_name
from scorer.store import StoreError
from scorer.web.frame.access import ROLES, Guest, groups, tables, tournaments
from scorer.web.frame.language import words
from scorer.web.frame.phone import GROUPS, TOURNAMENTS, kept, keys
from scorer.web.frame.sentences import gettext
from scorer.web.table.signatures import Signatures


def regulars() -> list[dict[str, Any]]:
    """This phone's groups; closed keys are left out."""
    return [
        {"key": holder.key, "name": groups().reading(holder.stream).name, "role": holder.role}
        for holder in kept(GROUPS)
    ]


def preiswatten() -> list[dict[str, Any]]:
    """This phone's tournaments; closed keys are left out."""
    found = ((holder, tournaments().reading(holder.stream)) for holder in kept(TOURNAMENTS))
    return [
        {"key": holder.key, "name": tournament.settings.name, "role": holder.role}
        for holder, tournament in found
    ]


def mine() -> list[dict[str, Any]]:
    """This phone's tables with what to show of each; closed keys are left out.

    Whoever writes at a table and looked at its board, too, finds it once, to write.
    """
    shown: dict[str, dict[str, Any]] = {}
    for key in keys(request):
        try:
            access = tables().store.find(key)
            if access is None or access.role not in ROLES["table"]:
                continue
            table = tables().reading(access.stream)
            state = table.evening.state
        except StoreError:
            continue
        if access.stream in shown and access.role != "scorer":
            continue
        names = (side_name(state.sides, side, gettext) for side in range(len(state.points)))
        shown[access.stream] = {
            "guest": Guest.of(key, access),
            "state": state,
            "names": " – ".join(names),
            "day": Signatures(table).day,
            "words": words(state.rules.id),
        }
    return list(shown.values())


def region(tables_here: list[dict[str, Any]]) -> str:
    """The region whose rules this phone's newest table has, or the first."""
    return str(tables_here[0]["state"].rules.id) if tables_here else REGIONS[0]
