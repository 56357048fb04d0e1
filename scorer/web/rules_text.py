"""The plain words of a rule id."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from flask_babel import get_locale

from scorer.engine.rules import REGIONS, RULEBOOK


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """For each rule id its words by language, over all regions."""
    found: dict[str, Mapping[str, str]] = {}
    for region in REGIONS:
        path = RULEBOOK / "texts" / f"{region}.toml"
        with path.open("rb") as file:
            found |= tomllib.load(file)
    return found


def rule_text(rule: str) -> str:
    """The rule in the reader's language, or nothing where the id is unknown."""
    text = texts().get(rule, {})
    return text.get(str(get_locale()), text.get("en", ""))
