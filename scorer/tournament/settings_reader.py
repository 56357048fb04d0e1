"""Reading a tournament's settings from JSON, with errors that name the field.

>>> settings = read_settings({"name": "Preiswatten", "rules": "bayern", "rounds": 3,
...     "games_per_round": 3, "pairs": [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]})
>>> settings.ranking, settings.rules.target, settings.pairs[1].name
(('won', 'difference', 'points'), 15, 'Cilli & Dora')
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from scorer.engine import BadRules, RuleSet, Unreadable, with_switches
from scorer.engine.rules.loading import read_rules
from scorer.engine.translatable import N_
from scorer.tournament.settings import SETTINGS, Finals, Series, Settings

_FOLDER: Final = Path(__file__).parent


def read_settings(data: Any, seed: str = "") -> Settings:
    """The settings that `data` (decoded JSON) describes.

    :param seed: the seed if `data` has none
    :raises Unreadable: the field and the reason
    """
    if not isinstance(data, Mapping):
        raise Unreadable("tournament", N_("must be an object"))
    SETTINGS.check_names(data)
    # `"finals": null` means no finals; for every other field null means not given.
    given = {key: value for key, value in data.items() if value is not None or key == "finals"}
    merged = {"seed": seed, **_preset(data.get("preset")), **given}
    settings = SETTINGS.read(merged, rules=read_rules(merged, cap_at_target=True))
    finals_rules(settings.rules, settings.finals)
    # Recorded settings carry the rules in full (`resolved`); they must stay readable, so the
    # target of the decider is only checked for new ones.
    if "decider" in merged and "resolved" not in merged:
        with_target("decider", settings.rules, settings.decider)
    return settings


@cache
def presets() -> Mapping[str, Mapping[str, Any]]:
    with (_FOLDER / "presets.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def series_rules() -> Mapping[str, Series]:
    with (_FOLDER / "series.toml").open("rb") as file:
        data = tomllib.load(file)
    # An unknown name in the file is an error.
    return {
        name: Series(**{**rule, "points_by_place": tuple(rule.get("points_by_place", ()))})
        for name, rule in data.items()
    }


_NOT_SETTINGS: Final = {"title", "from"}


def _preset(preset: Any) -> dict[str, Any]:
    if preset is None:
        return {}
    if not isinstance(preset, str) or preset not in presets():
        raise Unreadable("preset", N_("must be one of {known}"), known=", ".join(presets()))
    return {key: v for key, v in presets()[preset].items() if key not in _NOT_SETTINGS}


def finals_rules(rules: RuleSet, finals: Finals | None) -> RuleSet:
    """The rules of the finals: the same, or with another target.

    :raises Unreadable: the rules do not allow that target
    """
    if finals is None or finals.target is None:
        return rules
    return with_target("finals.target", rules, finals.target)


def with_target(where: str, rules: RuleSet, target: int) -> RuleSet:
    """The same rules with another target.

    :raises Unreadable: the rules do not allow that target
    """
    try:
        return with_switches(rules, {"target": target})
    except BadRules:
        raise Unreadable(where, N_("these rules cannot be played to so few points")) from None
