"""The rules as the program applies them, to read and print."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import get_locale
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import REGIONS, rules_of
from scorer.engine.rules.cards import RANKS, SUITS, rank_name, suit_name
from scorer.engine.rules.loading import RULEBOOK, rulebook
from scorer.engine.telling.beer_mat import beer_mat_rule_ids
from scorer.engine.translatable import N_
from scorer.web.frame.language import LANGUAGES, words
from scorer.web.frame.rule_texts import page_texts, region_of, rule_text
from scorer.web.frame.translation import gettext
from scorer.web.rules.house_rules import blind_watten
from scorer.web.rules.region_values import agreeable_values, comparison

SECTIONS: Final = {
    "players": N_("Players and cards"),
    "deal": N_("Dealing"),
    "announcing": N_("Schlag and trump"),
    "exchange": N_("Exchanging roles or cards"),
    "ranking": N_("Which card is higher"),
    "tricks": N_("Playing the tricks"),
    "follow": N_("Who must follow"),
    "blind": N_("Open or blind"),
    "raising": N_("Raising, staying and folding"),
    "game": N_("The game and its points"),
    "end": N_("Shortly before the end"),
    "forms": N_("Other forms"),
}
"""The headings of the sections in `scorer/rulebook/*.toml`."""

_RULE_ID: Final = re.compile(r"\b[A-Z]-?\d+[a-z]?\b", re.ASCII)

blueprint = Blueprint("pages", __name__, url_prefix="/rules")


@cache
def _page(name: str) -> dict[str, Any]:
    with (RULEBOOK / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def _signals() -> list[tuple[str, str]]:
    """Signals as (meaning, sign), in the words of the region that has them."""
    page, language = _page("signals"), str(get_locale())
    region = region_of(page["from"][0]) or REGIONS[0]
    names = {suit: suit_name(suit, language, region=region) for suit in SUITS}
    names |= {rank: rank_name(rank, language, region=region) for rank in RANKS}
    signs = [(names[sign], words[language]) for sign, words in page["signs"].items()]
    return [*signs, *((o["means"][language], o["sign"][language]) for o in page["other"].values())]


def _glossary() -> Iterator[dict[str, Any]]:
    """The words of the game: name and meaning in the reader's language, names elsewhere."""
    reader = str(get_locale())
    for word in _page("glossary").values():
        names = [
            (code, language, word[code]) for code, language in LANGUAGES.items() if code != reader
        ]
        if "dialect" in word:
            after_german = int(reader != "de")
            names.insert(after_german, ("de-AT", gettext("also"), word["dialect"]))
        yield {"name": word[reader], "means": word["means"][reader], "elsewhere": names}


@blueprint.get("")
def index() -> str:
    """The regions, and a comparison of those in the query; of all if it names fewer than two."""
    chosen = [region for region in REGIONS if region in request.args.getlist("region")]
    is_choice = 1 < len(chosen) < len(REGIONS)
    compared = chosen if is_choice else REGIONS
    return render_template(
        "rules/pages/index.html",
        regions=[(region, words(region), blind_watten(region)) for region in REGIONS],
        is_choice=is_choice,
        compared=[(region, words(region)["name"]) for region in compared],
        groups=comparison(compared, only_different=is_choice),
        signals=_signals(),
        signals_from=_page("signals")["from"],
        glossary=_glossary(),
    )


def _linked_text(rule: str) -> Markup:
    """The text of a rule, in which the id of another rule is a link."""
    return Markup(_RULE_ID.sub(_link_if_known, str(escape(rule_text(rule)))))


def _link_if_known(match: re.Match[str]) -> str:
    rule = match[0]
    if not region_of(rule):
        return rule
    return f'<a href="{url_for("pages.rule", rule=rule)}">{rule}</a>'


def _sections(region: str, rules: list[str]) -> list[tuple[str, list[str]]]:
    """The headings of a region's rules, each with the ids of its rules."""
    section_starts = rulebook(region)["sections"]
    sections: list[tuple[str, list[str]]] = []
    for rule in rules:
        if rule in section_starts:
            sections.append((gettext(SECTIONS[section_starts[rule]]), []))
        sections[-1][1].append(rule)
    return sections


@blueprint.get("/<region>")
def region(region: str) -> str:
    if region not in REGIONS:
        abort(404)
    texts = list(page_texts(region))
    return render_template(
        "rules/pages/region.html",
        region=region,
        words=words(region),
        blind=blind_watten(region),
        mat=beer_mat_rule_ids(rules_of(region)),
        sections=_sections(region, [rule for rule in texts if "-" in rule]),
        readings=[rule for rule in texts if "-" not in rule],
        linked_text=_linked_text,
        agreeable=agreeable_values(region),
    )


@blueprint.get("/id/<rule>")
def rule(rule: str) -> AnyResponse:
    """Redirect to the rule on its region's page."""
    region = region_of(rule)
    if region is None:
        abort(404)
    return redirect(url_for("pages.region", region=region, _anchor=rule), 302)
