"""Texts of rules by id."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from flask_babel import get_locale

from scorer.engine.rules.loading import REGIONS, RULEBOOK, rulebook


@cache
def own_texts(region: str) -> Mapping[str, Mapping[str, str]]:
    """Texts of a region's own rules: by rule id, then language."""
    with (RULEBOOK / "texts" / f"{region}.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def page_texts(region: str) -> Mapping[str, Mapping[str, str]]:
    """`own_texts`, plus the shared rules that the region's values and reasons cite."""
    book, region_texts = rulebook(region), own_texts(region)
    cited = {rule for entry in book["rules"].values() for rule in entry["from"]}
    cited |= {rule for rules in book["cites"].values() for rule in rules}
    shared = {rule: words for rule, words in texts().items() if rule in cited - region_texts.keys()}
    return {**region_texts, **shared}


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """`own_texts` of all regions."""
    return {rule: words for region in REGIONS for rule, words in own_texts(region).items()}


def rule_text(rule: str, language: str = "") -> str:
    """Text of a rule; "" for an unknown id.

    :param language: its code; default is the reader's
    """
    text = texts().get(rule, {})
    return text.get(language or str(get_locale()), text.get("en", ""))


def region_of(rule: str) -> str | None:
    """Region whose page has the rule; None for an unknown id."""
    return next((region for region in REGIONS if rule in own_texts(region)), None)
