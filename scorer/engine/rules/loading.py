"""Loading rule sets from a region's file, a table's switches, or a record.

Each region has a file `scorer/rulebook/*.toml`. A table may change switches; its record keeps the
complete rule set, so later releases do not change old evenings.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

from scorer.engine.input.codec import json_value
from scorer.engine.input.field_readers import Unreadable, short_repr
from scorer.engine.rules.ruleset import CHECKS, SWITCHES, RuleSet
from scorer.engine.rules.switch_values import Value
from scorer.engine.translatable import N_

RULEBOOK: Final = Path(__file__).parents[2] / "rulebook"
REGIONS: Final = ("oberoesterreich", "bayern", "suedtirol", "trentino", "frankreich")

OLDER_VALUES: Final = {
    "sits_out_by": "turn",
    "next_game_dealer": "turn",
    "gespannt": False,
    "schoenere_until": "raise",
    "schlagtausch_until": "raise",
}
"""Values of fields that an older record lacks. Fields not listed here get the region's value."""


_shared_rule_sets: Final[WeakValueDictionary[RuleSet, RuleSet]] = WeakValueDictionary()
"""The rule sets in use; equal ones share one object."""


class BadRules(Unreadable):
    """An invalid rule set: the field and the reason."""


def _checked_values(where: str, values: Mapping[str, Value]) -> dict[str, Value]:
    values_read: dict[str, Value] = {}
    for name, value in values.items():
        place = f"{where}.{name}"
        if name not in CHECKS:
            raise BadRules(place, N_("no rule has this name"))
        try:
            values_read[name] = CHECKS[name](place, value)
        except Unreadable as error:
            raise BadRules(place, error.reason, **error.values) from None
    return values_read


def _checked_rule_set(where: str, rules: RuleSet) -> RuleSet:
    """Check values that depend on each other; return the shared object for equal rule sets.

    Sharing makes the comparison of positions fast, since each contains its rule set.

    :raises BadRules: values that contradict each other
    """
    if rules.near is not None and rules.near >= rules.target:
        raise BadRules(f"{where}.near", N_("must be smaller than the target"))
    if rules.max_stake is not None and rules.max_stake < rules.base:
        raise BadRules(f"{where}.max_stake", N_("must not be smaller than base"))
    for name in ("peek_penalty", "critical", "guter", "blind"):
        field_name = f"{name}_variants"
        if unknown := set(getattr(rules, field_name)) - set(rules.variants):
            place = f"{where}.{field_name}"
            raise BadRules(place, N_("no such variant: {name}"), name=short_repr(min(unknown)))
    return _shared_rule_sets.setdefault(rules, rules)


@cache
def rulebook(region: str) -> Mapping[str, Any]:
    """The parsed rulebook file of a region: values with sources, alternatives and words.

    :raises BadRules: unknown region
    """
    if region not in REGIONS:
        raise BadRules("rules", N_("no rule set is called {region}"), region=repr(region))
    with (RULEBOOK / f"{region}.toml").open("rb") as file:
        return tomllib.load(file)


def rule_set_from_toml(where: str, data: Mapping[str, Any]) -> RuleSet:
    """The rule set of a parsed rulebook file.

    :raises BadRules: a field is missing, unknown, without source or out of range
    """
    for name, entry in data.get("rules", {}).items():
        if not isinstance(entry, Mapping) or not {"value", "from"} <= set(entry):
            raise BadRules(f"{where}.{name}", "needs a value and the rules it comes from")
        if "or" in entry:
            for alternative in entry["or"]:
                _checked_values(where, {name: alternative})
    entries = data.get("rules", {})
    if missing := [name for name in SWITCHES if name not in entries]:
        raise BadRules(f"{where}.{missing[0]}", N_("is missing"))
    values = _checked_values(where, {name: entry["value"] for name, entry in entries.items()})
    rules = RuleSet(
        id=data["id"],
        variant=data["variants"][0],
        variants=tuple(data["variants"]),
        sources={
            **{name: tuple(ids) for name, ids in data.get("cites", {}).items()},
            **{name: tuple(entry["from"]) for name, entry in entries.items()},
        },
        **values,
    )
    return _checked_rule_set(where, rules)


@cache
def rules_of(region: str) -> RuleSet:
    """The rule set of a region as in its document.

    >>> rules_of("frankreich").step
    3
    >>> rules_of("tirol")
    Traceback (most recent call last):
    scorer.engine.rules.loading.BadRules: rules: no rule set is called 'tirol'

    :raises BadRules: no such region, or a wrong rulebook file
    """
    return rule_set_from_toml(f"{region}.toml", rulebook(region))


def with_switches(
    rules: RuleSet, switches: Mapping[str, Value], variant: str | None = None
) -> RuleSet:
    """`rules` with the table's own values, and with another card variant if `variant` names one.

    >>> with_switches(rules_of("oberoesterreich"), {"fold_value": "fixed:2"}).fold_value
    'fixed:2'
    >>> with_switches(rules_of("oberoesterreich"), {"targit": 11})
    Traceback (most recent call last):
    scorer.engine.rules.loading.BadRules: set.targit: no rule has this name

    :raises BadRules: an unknown switch or variant, or a value it cannot take
    """
    if variant is not None and variant not in rules.variants:
        raise BadRules(
            "variant",
            N_("{rules} has these variants: {known}"),
            rules=rules.id,
            known=", ".join(rules.variants) or "-",
        )
    values = _checked_values("set", switches)
    rules_with_values = dataclasses.replace(rules, variant=variant or rules.variant, **values)
    return _checked_rule_set(
        "set",
        dataclasses.replace(
            rules_with_values, house_switches=_house_switches(rules_with_values, SWITCHES)
        ),
    )


def _house_switches(rules: RuleSet, names: Iterable[str]) -> frozenset[str]:
    regional = rules_of(rules.id)
    return frozenset(name for name in names if getattr(rules, name) != getattr(regional, name))


@lru_cache(maxsize=1024)
def with_regional_value(rules: RuleSet, switch: str) -> RuleSet:
    """`rules` with one switch set back to the region's value.

    >>> changed = with_switches(rules_of("bayern"), {"target": 11, "base": 3})
    >>> with_regional_value(changed, "base").target
    11
    """
    value = getattr(rules_of(rules.id), switch)
    return dataclasses.replace(
        rules, **{switch: value}, house_switches=rules.house_switches - {switch}
    )


def read_rules(data: Mapping[str, Any], **default_switches: Value) -> RuleSet:
    """The rule set of a record's head or a question: `resolved` if present, else from the fields
    `rules`, `variant` and `set`.

    >>> read_rules({"rules": "bayern", "set": {"target": 11}}).target
    11

    :param default_switches: values of switches that `set` does not mention
    :raises Unreadable: `data` describes no rule set
    """
    switches = {} if data.get("set") is None else data["set"]
    if not isinstance(switches, Mapping):
        raise Unreadable("set", N_("must be an object of switches"))
    if not isinstance(data.get("rules"), str):
        raise Unreadable("rules", N_("must name a rule set"))
    if data.get("resolved") is not None:
        return read_resolved(data["resolved"])
    return with_switches(
        rules_of(data["rules"]), {**default_switches, **switches}, data.get("variant")
    )


def read_resolved(data: Mapping[str, Any]) -> RuleSet:
    """The rule set written by `RuleSet.to_json`, independent of the current rulebook.

    :raises BadRules: invalid data
    """
    where = "resolved"
    if not _is_complete(data):
        raise BadRules(where, N_("is not a whole rule set"))
    values, variants = dict(data["values"]), tuple(data["variants"])
    rules_id, variant = data["id"], data["variant"]
    # Records of earlier releases lack fields that were added since.
    current = rules_of(rules_id)
    for name in SWITCHES:
        values.setdefault(name, OLDER_VALUES.get(name, json_value(getattr(current, name))))
    rules = RuleSet(
        id=rules_id,
        variant=variant,
        variants=variants,
        # Corrected rule ids apply to old records too.
        sources=current.sources,
        **_checked_values(where, values),
    )
    # Fields missing from the record are not house rules.
    house_switches = _house_switches(rules, set(data["values"]).intersection(SWITCHES))
    return _checked_rule_set(where, dataclasses.replace(rules, house_switches=house_switches))


def _is_complete(data: Any) -> bool:
    """Whether `data` has all parts of a rule set, with the right types."""
    if not isinstance(data, Mapping):
        return False
    sources, variants = data.get("sources"), data.get("variants")
    return (
        isinstance(data.get("values"), Mapping)
        and isinstance(sources, Mapping)
        and all(_is_text_list(ids) for ids in sources.values())
        and _is_text_list(variants)
        and isinstance(data.get("id"), str)
        and data.get("variant") in (variants or ())
    )


def _is_text_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def changed_switches(rules: RuleSet) -> dict[str, Value]:
    """The switches that differ from the region's values, as JSON values by name.

    >>> changed_switches(with_switches(rules_of("bayern"), {"target": 11, "step": 1}))
    {'target': 11}
    """
    regional = rules_of(rules.id)
    return {
        name: json_value(getattr(rules, name))
        for name in SWITCHES
        if getattr(rules, name) != getattr(regional, name)
    }
