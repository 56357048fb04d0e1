"""The form of names and seats, as an event."""

from __future__ import annotations

from typing import Any

from flask import request

from scorer.engine import Evening, parse
from scorer.engine.telling.side_grammar import grammatical_number
from scorer.web.table import new_table_form


def seat_change(evening: Evening) -> dict[str, Any]:
    """The form's names and seats as an event; as a proposal once play has begun.

    :raises Unreadable: invalid names
    """
    form = request.form
    places = new_table_form.places_per_side(form)
    sides = [
        _side(name.strip(), form.getlist(f"player{index}")[:places], has_name=places > 1)
        for index, name in enumerate(form.getlist("name"))
    ]
    body = {"do": "sitzordnung", "sides": sides}
    event = parse(body)
    if not evening.needs_consent(event):
        return body
    return {**evening.insertion_of(event).to_json(), "do": "vorschlag", "side": 0}


def _side(name: str, fields: list[str], has_name: bool) -> dict[str, Any]:
    """A side of the form. The players replace the names "We" and "They".

    :param has_name: whether the form shows the side's name; a side of one player has none
    """
    players = [player for player in map(str.strip, fields) if player]
    replaces_name = bool(players) and (not has_name or grammatical_number(name) in ("we", "they"))
    return {"name": "" if replaces_name else name, "players": players}
