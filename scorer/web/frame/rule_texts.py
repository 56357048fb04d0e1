"""The plain words of a rule id."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

from flask_babel import get_locale

from scorer.engine.rules.loading import REGIONS, RULEBOOK, rulebook


@cache
def own_texts(region: str) -> Mapping[str, Mapping[str, str]]:
    """For each rule of a region's document and readings its words by language."""
    with (RULEBOOK / "texts" / f"{region}.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def page_texts(region: str) -> Mapping[str, Mapping[str, str]]:
    """The same with what its values and reasons cite beside its own: what holds everywhere."""
    book, own = rulebook(region), own_texts(region)
    cited = {rule for entry in book["rules"].values() for rule in entry["from"]}
    cited |= {rule for rules in book["cites"].values() for rule in rules}
    shared = {rule: words for rule, words in texts().items() if rule in cited - own.keys()}
    return {**own, **shared}


@cache
def texts() -> Mapping[str, Mapping[str, str]]:
    """The same over all regions."""
    return {rule: words for region in REGIONS for rule, words in own_texts(region).items()}


def rule_text(rule: str, language: str = "") -> str:
    """A rule's words, empty where the id is unknown.

    :param language: the code of one; the reader's own where it is not given
    """
    text = texts().get(rule, {})
    return text.get(language or str(get_locale()), text.get("en", ""))


def region_of(rule: str) -> str | None:
    """The region in whose page a rule stands, or None where the id is unknown."""
    return next((region for region in REGIONS if rule in own_texts(region)), None)
