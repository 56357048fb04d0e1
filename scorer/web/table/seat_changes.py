"""The form of names and seats, as an event."""

from __future__ import annotations

from typing import Any

from flask import request

from scorer.engine import Evening, parse
from scorer.engine.telling.side_grammar import number_of


def seat_change(evening: Evening) -> dict[str, Any]:
    """The form's names and seats as an event; as a proposal once play has begun.

    :raises Unreadable: invalid names
    """
    form = request.form
    names = form.getlist("name")
    sides = [
        _side(name.strip(), form.getlist(f"player{index}")) for index, name in enumerate(names)
    ]
    body = {"do": "sitzordnung", "sides": sides}
    event = parse(body)
    if not evening.needs_consent(event):
        return body
    return {**evening.insertion_of(event).to_json(), "do": "vorschlag", "side": 0}


def _side(name: str, fields: list[str]) -> dict[str, Any]:
    """A side of the form. The players replace the names "We" and "They"."""
    players = [player for player in map(str.strip, fields) if player]
    replaces_default_name = bool(players) and number_of(name) in ("we", "they")
    return {"name": "" if replaces_default_name else name, "players": players}
