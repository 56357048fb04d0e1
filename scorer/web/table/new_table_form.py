"""The form of a new table: its choices, defaults, and the resulting head."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from scorer.engine import REGIONS, Head, State, Unreadable, load, read_head, rulebook
from scorer.engine.input.lookalikes import normalized
from scorer.engine.rules.ruleset import SWITCHES
from scorer.engine.scoring.state import Side
from scorer.engine.translatable import N_
from scorer.web.frame.language import in_all_languages
from scorer.web.frame.translation import gettext
from scorer.web.rules.switch_names import SWITCH_NAMES, shown_value

OURS: Final = (N_("We"), N_("They"), N_("You"))
"""Default names of the sides, for the writer's view only: other readers would mistake them."""
FIRST: Final = ("target", "max_stake", "fold_value", "schneider", "alternate")
"""House rules that are often changed; the form folds the others."""


@cache
def nobody() -> frozenset[str]:
    """The default names of the sides in all languages, normalized: they name no person."""
    return frozenset(map(normalized, in_all_languages(OURS)))


def targets(region: str) -> list[int]:
    entry = rulebook(region)["rules"]["target"]
    return sorted({entry["value"], *entry.get("or", ())})


@dataclass(frozen=True, slots=True)
class PlayerNames:
    sides: tuple[str, ...]
    players: tuple[tuple[str, ...], ...]


def names(filled: Mapping[str, str], last: State | None) -> PlayerNames:
    """Submitted names, else those of this device's last table, else the defaults."""
    last_sides = last.sides if last is not None and len(last.sides) == 2 else ()
    ours = [gettext(name) for name in OURS]
    sides, players = [], []
    for side in range(3):
        old = last_sides[side] if side < len(last_sides) else Side()
        sides.append(filled.get(f"side{side}", old.name or ours[side]))
        typed = filled.getlist(f"player{side}") if isinstance(filled, MultiDict) else []
        players.append(tuple([*(typed or old.players), "", ""][:2]))
    return PlayerNames(tuple(sides), tuple(players))


def switches(region: str, *, first: bool) -> list[dict[str, Any]]:
    """Switches a table may change: those in `FIRST`, or the others."""
    entries = rulebook(region)["rules"]
    turnable = [name for name in SWITCHES if "or" in entries[name]]
    prominent = [name for name in FIRST if name in turnable]
    wanted = prominent if first else [name for name in turnable if name not in prominent]
    return [
        {
            "name": name,
            "label": SWITCH_NAMES[name],
            "rules": load(region).cite(name),
            "choices": [
                (_written(value), shown_value(name, value, region))
                for value in (entries[name]["value"], *entries[name]["or"])
            ],
        }
        for name in wanted
    ]


def head(form: Any) -> Head:
    """The head from the form.

    :raises Unreadable: names the invalid field
    """
    sides = _sides(form)
    called = [side["name"].casefold() for side in sides if side["name"]]
    if len(set(called)) < len(called):
        raise Unreadable("sides.name", N_("two sides cannot have one name"))
    return read_head(_head(form, sides))


def _sides(form: Any) -> list[dict[str, Any]]:
    count = 3 if form.get("count") == "3" else 2
    seats = 1 if form.get("count") in ("2", "3") else 2
    return [
        {
            "name": form.get(f"side{side}", "").strip(),
            "players": [
                player for player in map(str.strip, form.getlist(f"player{side}")[:seats]) if player
            ],
        }
        for side in range(count)
    ]


def _head(form: Any, sides: list[dict[str, Any]]) -> dict[str, Any]:
    count = len(sides)
    head: dict[str, Any] = {
        "watten": 1,
        "rules": form.get("rules", ""),
        "sides": sides,
        "start": {
            "points": [_number(form.get(f"points{side}")) for side in range(count)],
            "bummerl": [_number(form.get(f"bummerl{side}")) for side in range(count)],
        },
        "set": _switches(form),
    }
    for switch in ("cut", "answers"):
        if form.get(switch):
            head[switch] = True
    for choice in ("variant", "look_back"):
        if form.get(choice):
            head[choice] = form[choice]
    if note := " ".join(form.get("note", "").split()):
        head["note"] = note
    if form.get("dealer", "").strip():
        head["dealer"] = _dealer(form["dealer"].strip(), sides)
    return head


def _dealer(dealer: str, sides: list[dict[str, Any]]) -> str:
    """The dealer's name; the form may have "side:place" instead, as names may be blank."""
    side, _, place = dealer.partition(":")
    if not (side.isdecimal() and len(side) == 1 and int(side) < len(sides)):
        return dealer
    chosen = sides[int(side)]
    players = chosen["players"]
    if players:
        seat = int(place) if place.isdecimal() and len(place) == 1 else 0
        return str(players[seat % len(players)])
    return str(chosen["name"])


def _number(text: str | None) -> Any:
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 4 else text or 0


def _switches(form: Any) -> dict[str, Any]:
    """Switches that differ from the region's values."""
    region = form.get("rules")
    if region not in REGIONS:
        return {}
    entries = rulebook(region)["rules"]
    turned = {}
    for name in SWITCHES:
        written = form.get(f"set.{name}", form.get(f"{name}-{region}"))
        for value in (entries[name]["value"], *entries[name].get("or", ())):
            if written == _written(value) and value != entries[name]["value"]:
                turned[name] = value
    return turned


def _written(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value).lower()
