"""Settings agreed otherwise while a tournament runs: whatever does not rewrite its past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from scorer.engine import Illegal, Unreadable, house
from scorer.engine.translatable import N_
from scorer.tournament.events import Einstellung
from scorer.tournament.reading import played_to, read_settings
from scorer.tournament.settings import Settings

if TYPE_CHECKING:
    from scorer.tournament.tournament import Tournament

_ALWAYS: Final = {
    *("name", "place", "date", "club", "logo", "places", "hall", "decider", "games_per_round"),
    *("rounds", "ranking", "scoring", "finals", "groups"),
}
_BEFORE_A_DRAW: Final = {"rules", "set", "format", "seed"}
"""What rounds were drawn or played by, and so stays once there is one."""
_BEFORE_FINALS: Final = ("rounds", "ranking", "scoring", "finals", "groups")
"""What decides who comes into the finals."""
_PAST: Final = ("rules", "format", "seed", *_BEFORE_FINALS)
"""What of the settings has made the rounds what they are."""


def einstellung(tournament: Tournament, event: Einstellung) -> None:
    tournament.settings = agreed(tournament, event.set)


def agreed(tournament: Tournament, change: Mapping[str, Any]) -> Settings:
    """The settings with `change` (as `Settings.to_json` names them) in it.

    :raises Unreadable: the field and what is wrong with it
    :raises Illegal: it would rewrite what has been drawn
    """
    if unknown := sorted(set(change) - _ALWAYS - _BEFORE_A_DRAW):
        raise Unreadable(unknown[0], N_("is no setting that can be changed"))
    # No finals are a choice, no value of anything else is none.
    if missing := [name for name, value in change.items() if value is None and name != "finals"]:
        raise Unreadable(missing[0], N_("is missing"))
    old = tournament.settings
    data = {**old.to_json(), "pairs": []}
    if change.get("rules", old.rules.id) != old.rules.id:
        del data["resolved"]
        data["set"] = {}
    elif isinstance(change.get("set"), Mapping):
        data["resolved"] = house(old.rules, change["set"]).to_json()
    for name, value in change.items():
        part = name in ("scoring", "groups", "hall", "set") and isinstance(value, Mapping)
        data[name] = {**data.get(name, {}), **value} if part else value
    new = replace(read_settings(data), pairs=old.pairs)
    if "decider" in change:
        played_to("decider", new.rules, new.decider)
    _past_stays(tournament, old, new)
    return new


def _past_stays(tournament: Tournament, old: Settings, new: Settings) -> None:
    changed = {name for name in _PAST if getattr(old, name) != getattr(new, name)}
    drawn = sum(not played.final for played in tournament.rounds)
    if tournament.rounds and changed & {"rules", "format", "seed"}:
        raise Illegal("drawn-by-it", field=min(changed & {"rules", "format", "seed"}))
    if drawn and old.groups.count != new.groups.count:
        raise Illegal("drawn-by-it", field="groups")
    if tournament.finals_drawn and changed & set(_BEFORE_FINALS):
        raise Illegal("finals-by-it", field=min(changed & set(_BEFORE_FINALS)))
    if new.rounds < drawn:
        raise Illegal("rounds-drawn", drawn=drawn)
