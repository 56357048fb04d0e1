"""Random legal evenings, the same for the same seed."""

from __future__ import annotations

from random import Random
from typing import Any

from scorer.engine import (
    BadRules,
    Evening,
    Illegal,
    legal,
    read_head,
    rulebook,
    rules_of,
    with_switches,
)

NAMES = ("Anna", "Bert", "Cilli", "Dora", "Ägid", "Resi")
OFTEN = {"gewinnt": 8, "bieten": 4, "bleiben": 4, "gehen": 2, "streichen": 6, "neues_spiel": 4}
"""Weights of kinds of events. All others have weight 1."""


def head(region: str, variant: str, rng: Random, plain: bool = False) -> dict[str, Any]:
    """A record's head; unless `plain`, with random rules, points and two or three sides."""
    data: dict[str, Any] = {"watten": 1, "rules": region, "variant": variant}
    if plain:
        return data
    count = rng.choice((2, 2, 2, 3))
    seats = 1 if count == 3 else rng.choice((1, 2))
    named = rng.sample(NAMES, count * seats)
    data["sides"] = [
        {"name": f"{'ABC'[at]}", "players": named[at * seats : (at + 1) * seats]}
        for at in range(count)
    ]
    data["set"] = _switches(region, variant, rng)
    if rng.random() < 0.3:
        near = with_switches(rules_of(region), data["set"]).target - 1
        data["start"] = {"points": [rng.randrange(near) for _ in range(count)]}
    if rng.random() < 0.7:
        data["dealer"] = rng.choice(named)
    if rng.random() < 0.5:
        data["cut"] = True
    # An export contains the whole rule set, too.
    return read_head(data).to_json()


def _switches(region: str, variant: str, rng: Random) -> dict[str, Any]:
    entries = {name: e["or"] for name, e in rulebook(region)["rules"].items() if "or" in e}
    for _ in range(20):
        picked = rng.sample(sorted(entries), rng.randrange(5))
        switches = {name: rng.choice(entries[name]) for name in picked}
        try:
            with_switches(rules_of(region), switches, variant)
        except BadRules:
            continue
        return switches
    return {}


def play(evening: Evening, rng: Random, events: int, only: tuple[str, ...] = ()) -> None:
    """Record random events until there are `events`, with `only` just legal ones of these kinds."""
    while len(evening.recorded) < events:
        try:
            evening.push(_next(evening, rng, only))
        except Illegal:
            continue


def _next(evening: Evening, rng: Random, only: tuple[str, ...]) -> dict[str, Any]:
    draw, many = rng.random(), len(evening.recorded)
    if only or draw < 0.75 or not many:
        return _played(evening, rng, only)
    side, of = rng.randrange(2), rng.randrange(many)
    other = rng.choice((None, {"do": "gewinnt", "side": side}))
    if draw < 0.80 and evening.undo_index is not None:
        return evening.undo_correction().to_json()
    if draw < 0.83 and evening.redo_index is not None:
        return evening.redo_correction().to_json()
    if draw < 0.88:
        through = {"through": min(of + 1, many - 1)} if rng.random() < 0.3 else {}
        return {"do": "korrektur", "of": of, "with": other, **through}
    if draw < 0.92:
        return {"do": "vorschlag", "side": side, "of": of, "with": other}
    waiting = evening.proposals.open
    if draw < 0.96 and waiting:
        word = rng.choice(("zusage", "zusage", "absage"))
        return {"do": word, "side": 1 - waiting[0].side, "of": waiting[0].index}
    return _said(evening, rng, side, of)


def _played(evening: Evening, rng: Random, only: tuple[str, ...]) -> dict[str, Any]:
    events = [event for event in legal(evening.state) if not only or event.do in only]
    kinds = sorted({event.do for event in events})
    kind = rng.choices(kinds, [OFTEN.get(kind, 1) for kind in kinds])[0]
    return rng.choice([event for event in events if event.do == kind]).to_json()


def _said(evening: Evening, rng: Random, side: int, of: int) -> dict[str, Any]:
    games = evening.state.games
    stand = ":".join(map(str, games[-1].points)) if games else "0:0"
    if evening.state.disputed and rng.random() < 0.5:
        return {"do": "geklaert", "side": side, "of": evening.state.disputed[0]}
    return rng.choice(
        (
            {"do": "einig", "side": side},
            {"do": "strittig", "side": side, "of": of},
            {"do": "bestaetigt", "side": side, "game": len(games) or 1, "stand": stand},
            {"do": "preis", "amount": 50, "unit": "euro", "per": "bummerl"},
        )
    )
