"""The form of a new table: its choices, defaults, and the resulting head."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from scorer.engine import REGIONS, Head, State, Unreadable, read_head, rulebook, rules_of
from scorer.engine.input.lookalikes import normalized
from scorer.engine.rules.ruleset import SWITCHES, RuleSet
from scorer.engine.scoring.state import Side
from scorer.engine.telling.player_statistics import people
from scorer.engine.translatable import N_
from scorer.web.frame.language import in_all_languages, labelled
from scorer.web.frame.translation import gettext
from scorer.web.rules.house_rules import SWITCH_GROUPS, SWITCH_NAMES, changed_rules, shown_value

OURS: Final = (N_("We"), N_("They"), N_("You"))
"""Default names of the sides, for the writer's view only: other readers would mistake them."""
_SEAT: Final = re.compile(r"(\d):(\d)", re.ASCII)
PROMINENT: Final = ("target", "max_stake", "fold_value", "schneider", "alternate")
"""House rules that are often changed; the form folds the others."""


@cache
def default_side_names() -> frozenset[str]:
    """The default names of the sides in all languages, normalized. They name no person."""
    return frozenset(map(normalized, in_all_languages(OURS)))


def targets(region: str) -> list[int]:
    entry = rulebook(region)["rules"]["target"]
    return sorted({entry["value"], *entry.get("or", ())})


@dataclass(frozen=True, slots=True)
class SeatFields:
    """The number of players in the form, and the names of its seats and sides."""

    count: str
    """The number of players, as the form sends it."""
    teams: tuple[str, ...]
    """A name for each of three sides, "" where the players' names are used."""
    players: tuple[tuple[str, ...], ...]
    """Two names for each of three sides, "" for a free seat."""


def seat_fields(form: Mapping[str, str], last_state: State | None) -> SeatFields:
    """Submitted names, else those of this device's last table."""
    sides = last_state.sides if last_state is not None else ()
    teams, players = [], []
    for side in range(3):
        team, players_of_side = _team_and_players(sides[side]) if side < len(sides) else ("", ())
        submitted_names = form.getlist(f"player{side}") if isinstance(form, MultiDict) else []
        teams.append(form.get(f"side{side}", team))
        players.append(tuple([*(submitted_names or players_of_side), "", ""][:2]))
    return SeatFields(form.get("count", _last_player_count(players)), tuple(teams), tuple(players))


def _team_and_players(side: Side) -> tuple[str, tuple[str, ...]]:
    """A team's name and its players; a side without players is one player."""
    team = side.name if side.players and normalized(side.name) not in default_side_names() else ""
    return team, people(side, default_side_names())


def _last_player_count(players: Sequence[tuple[str, ...]]) -> str:
    """The number of players at the last table; four if it had no names."""
    if any(players[2]):
        return "3"
    all_single = all(first and not second for first, second in players[:2])
    return "2" if all_single else "4"


def prominent_switches(region: str) -> list[dict[str, Any]]:
    """The switches in `PROMINENT` that a table may change."""
    return [_switch(region, name) for name in PROMINENT if _is_changeable(region, name)]


def other_switches(region: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """The other switches that a table may change, under the heading of each group."""
    groups = []
    for heading, names in SWITCH_GROUPS:
        changeable = [
            _switch(region, name)
            for name in names
            if name not in PROMINENT and _is_changeable(region, name)
        ]
        if changeable:
            groups.append((str(heading), changeable))
    return groups


def _is_changeable(region: str, name: str) -> bool:
    return "or" in rulebook(region)["rules"][name]


def _switch(region: str, name: str) -> dict[str, Any]:
    """A switch with its choices as the form sends and shows them, the region's own first."""
    entry = rulebook(region)["rules"][name]
    choices = [
        (_form_value(value), shown_value(name, value, region))
        for value in (entry["value"], *entry["or"])
    ]
    return {
        "name": name,
        "label": SWITCH_NAMES[name],
        "rules": rules_of(region).cite(name),
        "choices": choices,
    }


def last_house_rules(rules: RuleSet) -> dict[str, tuple[str, str]]:
    """The fields for the changed rules of the last table: by name, the value and its text."""
    entries = rulebook(rules.id)["rules"]
    return {
        f"{rule['name']}-{rules.id}": (
            _form_value(rule["data"]),
            labelled(rule["label"], rule["value"]),
        )
        for rule in changed_rules(rules)
        if rule["data"] in entries[rule["name"]].get("or", ())
    }


def head(form: Any) -> Head:
    """The head from the form.

    :raises Unreadable: names the invalid field
    """
    sides = _sides(form)
    normalized_names = [side["name"].casefold() for side in sides if side["name"]]
    if len(set(normalized_names)) < len(normalized_names):
        raise Unreadable("sides.name", N_("two sides cannot have one name"))
    return read_head(_head_json(form, sides))


def _sides(form: Any) -> list[dict[str, Any]]:
    count = 3 if form.get("count") == "3" else 2
    return [_side_json(form, side, places_per_side(form)) for side in range(count)]


def places_per_side(form: Any) -> int:
    """Places of a side: two and three players have no partners."""
    return 1 if form.get("count") in ("2", "3") else 2


def _side_json(form: Any, side: int, places: int) -> dict[str, Any]:
    """A side of one player has no partner and no team name; those fields are hidden and ignored. A
    side without any name gets its default name."""
    players = [name for name in map(str.strip, form.getlist(f"player{side}")[:places]) if name]
    name = form.get(f"side{side}", "").strip()
    if players:
        return {"name": name if places > 1 else "", "players": players}
    return {"name": name or gettext(OURS[side]), "players": []}


def _head_json(form: Any, sides: list[dict[str, Any]]) -> dict[str, Any]:
    count = len(sides)
    head: dict[str, Any] = {
        "watten": 1,
        "rules": form.get("rules", ""),
        "sides": sides,
        "start": {
            "points": [_form_number(form.get(f"points{side}")) for side in range(count)],
            "bummerl": [_form_number(form.get(f"bummerl{side}")) for side in range(count)],
        },
        "set": _changed_switches(form),
    }
    for switch in ("cut", "answers"):
        if form.get(switch):
            head[switch] = True
    for choice in ("variant", "look_back"):
        if form.get(choice):
            head[choice] = form[choice]
    if note := " ".join(form.get("note", "").split()):
        head["note"] = note
    if dealer := _dealer(form.get("dealer", "").strip(), sides, places_per_side(form)):
        head["dealer"] = dealer
    return head


def _dealer(dealer: str, sides: list[dict[str, Any]], places: int) -> str:
    """The dealer's name. The form may have a seat instead, such as "1:0" for the first place of the
    second side, as names may be blank; "" for a seat that it hides.

    :param places: of a side
    """
    if not (seat := _SEAT.fullmatch(dealer)):
        return dealer
    side, place = map(int, seat.groups())
    if side >= len(sides) or place >= places:
        return ""
    players = sides[side]["players"]
    return str(players[place % len(players)] if players else sides[side]["name"])


def _form_number(text: str | None) -> Any:
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 4 else text or 0


def _changed_switches(form: Any) -> dict[str, Any]:
    """Switches that differ from the region's values."""
    region = form.get("rules")
    if region not in REGIONS:
        return {}
    entries = rulebook(region)["rules"]
    changed = {}
    for name in SWITCHES:
        submitted = form.get(f"set.{name}", form.get(f"{name}-{region}"))
        for value in (entries[name]["value"], *entries[name].get("or", ())):
            if submitted == _form_value(value) and value != entries[name]["value"]:
                changed[name] = value
    return changed


def _form_value(value: Any) -> str:
    return ",".join(value) if isinstance(value, list) else str(value).lower()
