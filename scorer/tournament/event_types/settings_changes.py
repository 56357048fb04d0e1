"""Changes of settings while a tournament runs, limited to those that leave past rounds valid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from scorer.engine import Illegal, Unreadable, with_switches
from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import Reader
from scorer.engine.translatable import N_
from scorer.tournament.event_types.event import GLANCE, Event
from scorer.tournament.settings import SETTINGS, ChangeableUntil, Settings
from scorer.tournament.settings_reader import read_settings, with_target
from scorer.tournament.state import Tournament

_CHANGEABLE: Final = {
    *(field.name for field in SETTINGS.fields if ChangeableUntil.START not in field.marks),
    "rules",
    "set",
}


def _read_changes(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Unreadable(where, N_("must be an object of settings"))
    return value


_SCHEMA: Final = {"type": "object", "properties": SETTINGS.schema()["properties"]}
Change = Annotated[Mapping[str, Any], Reader(_read_changes, _SCHEMA)]


@dataclass(frozen=True, slots=True)
class Einstellung(Event):
    """Changes settings; the fields are named as in `Settings.to_json`."""

    do = "einstellung"
    set: Change

    def replay_cost(self, state: Tournament) -> int:
        return 30 + state.tables_drawn // GLANCE

    def check(self, state: Tournament) -> None:
        agreed(state, self.set)

    def effect(self, state: Tournament) -> Tournament:
        return with_settings(state, agreed(state, self.set))


def with_settings(tournament: Tournament, settings: Settings) -> Tournament:
    """The tournament with other settings; their value of unfinished games applies to all rounds."""
    unfinished = settings.scoring.unfinished
    if unfinished == tournament.settings.scoring.unfinished:
        return replace(tournament, settings=settings)
    rounds = tuple(
        replace(
            round_,
            matches={
                table: replace(match, unfinished=unfinished)
                for table, match in round_.matches.items()
            },
        )
        for round_ in tournament.rounds
    )
    return replace(tournament, settings=settings, rounds=rounds)


def agreed(tournament: Tournament, change: Mapping[str, Any]) -> Settings:
    """The settings with `change` applied; its keys are those of `Settings.to_json`.

    :raises Unreadable: the field and what is wrong with it
    :raises Illegal: the setting is fixed by rounds that are drawn
    """
    if unknown := sorted(change.keys() - _CHANGEABLE):
        raise Unreadable(unknown[0], N_("is no setting that can be changed"))
    # `"finals": null` means no finals; None is invalid for every other field.
    if missing := [name for name, value in change.items() if value is None and name != "finals"]:
        raise Unreadable(missing[0], N_("is missing"))
    old = tournament.settings
    data = replace(old, pairs=()).to_json()
    if change.get("rules", old.rules.id) != old.rules.id:
        del data["resolved"]
        data["set"] = {}
    elif isinstance(change.get("set"), Mapping):
        data["resolved"] = with_switches(old.rules, change["set"]).to_json()
    for name, value in change.items():
        is_part = name in ("scoring", "groups", "hall", "set") and isinstance(value, Mapping)
        data[name] = {**data.get(name, {}), **value} if is_part else value
    new = replace(read_settings(data), pairs=old.pairs)
    if "decider" in change:
        with_target("decider", new.rules, new.decider)
    _check_past_unchanged(tournament, old, new)
    return new


def _check_past_unchanged(tournament: Tournament, old: Settings, new: Settings) -> None:
    drawn_count = sum(not round_.is_final for round_ in tournament.rounds)
    fixed = {"rules"} if old.rules != new.rules else set()
    if tournament.rounds and (
        fixed := fixed | _changed_settings(ChangeableUntil.FIRST_DRAW, old, new)
    ):
        raise Illegal(ChangeableUntil.FIRST_DRAW.value, field=min(fixed))
    if drawn_count and old.groups.count != new.groups.count:
        raise Illegal(ChangeableUntil.FIRST_DRAW.value, field="groups")
    if tournament.finals_drawn and (
        fixed := _changed_settings(ChangeableUntil.FINALS_DRAW, old, new)
    ):
        raise Illegal(ChangeableUntil.FINALS_DRAW.value, field=min(fixed))
    if new.rounds < drawn_count:
        raise Illegal("rounds-drawn", drawn=drawn_count)


def _changed_settings(until: ChangeableUntil, old: Settings, new: Settings) -> set[str]:
    marked = (field.attribute for field in SETTINGS.fields if until in field.marks)
    return {name for name in marked if getattr(old, name) != getattr(new, name)}
