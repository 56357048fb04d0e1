"""A compact notation of evenings, for tests.

A  side 0 takes the round        A+ raises      A= stays or plays      A- goes or gives
A4 takes it with 4 tricks        A:5 wins at stake 5; the raises were not recorded
Ax has its points struck         A!vergeben  commits an offence    A!sonstige:3
A~ sits out                      N  the next game
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scorer.engine import Evening, read_head


def events(text: str) -> list[dict[str, Any]]:
    """The events of a line of notation."""
    return [event(word) for word in text.split()]


def event(word: str) -> dict[str, Any]:
    if word == "N":
        return {"do": "neues_spiel"}
    side, rest = "ABC".index(word[0]), word[1:]
    if rest in _PLAIN:
        return {"do": _PLAIN[rest], "side": side}
    if rest.startswith("!"):
        offence, _, points = rest[1:].partition(":")
        found = {"do": "strafe", "side": side, "offence": offence}
        return {**found, "points": int(points)} if points else found
    if rest.startswith(":"):
        return {"do": "gewinnt", "side": side, "stake": int(rest[1:])}
    return {"do": "gewinnt", "side": side, "tricks": int(rest)}


_PLAIN = {"": "gewinnt", "+": "bieten", "=": "bleiben", "-": "gehen", "x": "streichen"}
_PLAIN["~"] = "setzt_aus"


def played_evening(
    rules: str, text: str = "", points: tuple[int, ...] = (0, 0), **switches: Any
) -> Evening:
    """The evening that a line of notation describes. Illegal events raise the engine's errors."""
    variant = switches.pop("variant", None)
    head = {"rules": rules, "set": switches, "start": {"points": list(points)}}
    if variant:
        head["variant"] = variant
    return evening_from(text, **head)


def evening_from(notation: str | Iterable[dict[str, Any]], **head: Any) -> Evening:
    """The evening of events or a line of notation. Without `rules` it is Upper Austrian.

    :param head: more fields of the record's head
    """
    evening = Evening(read_head({"watten": 1, "rules": "oberoesterreich", **head}))
    for item in events(notation) if isinstance(notation, str) else notation:
        evening.push(item)
    return evening
