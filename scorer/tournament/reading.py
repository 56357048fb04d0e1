"""Reading a tournament's settings, each with an error that says what is wrong.

>>> settings = read_settings({"name": "Preiswatten", "rules": "bayern", "rounds": 3,
...     "games_per_round": 3, "pairs": [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]})
>>> settings.ranking, settings.rules.target, settings.pairs[1].name
(('won', 'difference', 'points'), 15, 'Cilli & Dora')
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from scorer.engine import BadRules, RuleSet, Unreadable, house
from scorer.engine.input.fields import (
    LONGEST_NAME,
    Reader,
    flag,
    listed,
    name,
    or_none,
    text,
    whole,
)
from scorer.engine.rules.loading import named
from scorer.engine.translatable import N_
from scorer.tournament.settings import (
    FORMATS,
    METRICS,
    MOST_ENTRIES,
    MOST_PAIRS,
    VERSION,
    Finals,
    Groups,
    Hall,
    Pair,
    Scoring,
    Series,
    Settings,
)

_FOLDER: Final = Path(__file__).parent


def read_settings(data: Any, seed: str = "") -> Settings:
    """The settings that `data` (decoded JSON) describes.

    :param seed: the seed where `data` has none
    :raises Unreadable: the field and the reason
    """
    if not isinstance(data, Mapping):
        raise Unreadable("tournament", N_("must be an object"))
    if unknown := sorted(set(data) - KNOWN):
        raise Unreadable(unknown[0], N_("a tournament has no such field"))
    # No finals are a choice, no value of anything else is none.
    given = {key: value for key, value in data.items() if value is not None or key == "finals"}
    chosen = {**_preset(data.get("preset")), **given}
    called = _named("name", chosen.get("name"))
    # Only a head that names its rules in full was written by this program before.
    version = whole(1, VERSION)("tournament", chosen.get("tournament", VERSION))
    rules = named(chosen, cap_at_target=True)
    games = _games(chosen.get("games_per_round", 3))
    format_ = chosen.get("format", "redraw")
    if format_ not in FORMATS:
        raise Unreadable("format", N_("must be one of {known}"), known=", ".join(FORMATS))
    return Settings(
        name=called,
        place=name("place", chosen.get("place", "")),
        date=name("date", chosen.get("date", "")),
        rules=rules,
        rounds=whole(1, 99)("rounds", chosen.get("rounds", 3)),
        games=games[0],
        ranking=_ranking(chosen.get("ranking", ["won", "difference", "points"])),
        pairs=_pairs(chosen.get("pairs", [])),
        seed=_seed(chosen.get("seed", seed)),
        format=format_,
        scoring=_part(Scoring, "scoring", chosen.get("scoring", {})),
        groups=_part(Groups, "groups", chosen.get("groups", {})),
        finals=_finals(rules, chosen.get("finals")),
        decider=_decider(rules, chosen),
        games_by_round=games if len(set(games)) > 1 else (),
        hall=_part(Hall, "hall", chosen.get("hall", {})),
        places=whole(2, MOST_PAIRS)("places", chosen.get("places", MOST_PAIRS)),
        club=name("club", chosen.get("club", "")),
        logo=_logo(chosen.get("logo", "")),
        version=version,
    )


@cache
def presets() -> Mapping[str, Mapping[str, Any]]:
    """The ready-made formats by their ids, in the order of their file."""
    with (_FOLDER / "presets.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def series_rules() -> Mapping[str, Series]:
    """The ready-made ways in which tournaments count together, by their ids."""
    with (_FOLDER / "series.toml").open("rb") as file:
        data = tomllib.load(file)
    return {
        name: Series(rule.get("best", 0), tuple(rule.get("places", ())), rule.get("metric", ""))
        for name, rule in data.items()
    }


KNOWN: Final = {
    *("tournament", "preset", "name", "place", "date", "rules", "set", "rounds"),
    *("games_per_round", "ranking", "pairs", "seed", "format", "scoring", "groups", "finals"),
    *("decider", "resolved", "hall", "places", "club", "logo", "salt"),
}
"""The fields that settings may have."""
_OF_THE_PRESET: Final = {"title", "from"}


def _preset(chosen: Any) -> dict[str, Any]:
    if chosen is None:
        return {}
    if not isinstance(chosen, str) or chosen not in presets():
        raise Unreadable("preset", N_("must be one of {known}"), known=", ".join(presets()))
    return {key: v for key, v in presets()[chosen].items() if key not in _OF_THE_PRESET}


def _named(where: str, value: Any) -> str:
    typed = name(where, value).strip() if isinstance(value, str) else ""
    if not typed:
        raise Unreadable(where, N_("is missing"))
    return typed


def _games(value: Any) -> tuple[int, ...]:
    """The games of a round: a number for all, or a list with one for each."""
    if not isinstance(value, list):
        return (whole(1, 20)("games_per_round", value),)
    if not 0 < len(value) <= 99:
        raise Unreadable("games_per_round", N_("must be a number, or one for each round"))
    return tuple(whole(1, 20)(f"games_per_round[{at}]", item) for at, item in enumerate(value))


def _logo(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_LOGO:
        raise Unreadable("logo", N_("must be a picture of at most 40 KiB"))
    if value and not _PICTURE.fullmatch(value):
        raise Unreadable("logo", N_("must be a PNG, JPEG or WebP picture"))
    return value


LONGEST_LOGO: Final = 56_000
_PICTURE: Final = re.compile(r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*")


def _ranking(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise Unreadable("ranking", N_("must be a list of {known}"), known=", ".join(METRICS))
    for at, metric in enumerate(value):
        if metric not in METRICS:
            raise Unreadable(
                f"ranking[{at}]", N_("must be one of {known}"), known=", ".join(METRICS)
            )
        if metric in value[:at]:
            raise Unreadable(f"ranking[{at}]", N_("must not name the same twice"))
    return tuple(value)


def _pairs(value: Any) -> tuple[Pair, ...]:
    if not isinstance(value, list) or len(value) > MOST_PAIRS:
        raise Unreadable("pairs", N_("must be a list of at most {most} pairs"), most=MOST_PAIRS)
    pairs: list[Pair] = []
    for at, item in enumerate(value):
        pair = entered_pair(f"pairs[{at}]", item)
        if pair.name in (other.name for other in pairs):
            raise Unreadable(f"pairs[{at}].name", N_("another pair is called so already"))
        pairs.append(pair)
    if sum(pair.entries for pair in pairs) > MOST_PAIRS:
        raise Unreadable("pairs", N_("must have at most {most} entries"), most=MOST_PAIRS)
    return tuple(pairs)


def called_by(players: Sequence[str]) -> str:
    """What a pair is called that gives itself no name; of what stands first in a name nothing is
    left out while there is room, of the rest its first letters.

    >>> called_by(["Anna", "Bert"])
    'Anna & Bert'
    >>> called_by(["Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger Leo"])
    'Hinterberger-Oberneder M. M. & Schwarzenegger L.'
    """
    words = [player.split() for player in players]
    short = [" ".join([first, *(f"{word[0]}." for word in rest)]) for first, *rest in words]
    for parts in (players, short, [first for first, *_ in words]):
        if len(called := " & ".join(parts)) <= LONGEST_NAME:
            return called
    most = (LONGEST_NAME - 3) // 2
    return " & ".join(one if len(one) <= most else f"{one[: most - 1]}…" for one, *_ in words)


def called_before(players: Sequence[str]) -> str:
    """What a recorded pair without a name is called: as it was when it was recorded."""
    return " & ".join(players)[:LONGEST_NAME].strip()


def whole_name(pair: Pair) -> str:
    """What a pair is called where there is room: its players by their whole names, unless it gave
    itself another.

    >>> players = ("Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger Leo")
    >>> whole_name(Pair(called_by(players), players))
    'Hinterberger-Oberneder Maximiliane Magdalena & Schwarzenegger Leo'
    >>> whole_name(Pair("Die Wilden", players))
    'Die Wilden'
    """
    made = pair.players and pair.name in (called_by(pair.players), called_before(pair.players))
    return " & ".join(pair.players) if made else pair.name


def _pair(where: str, value: Any) -> Pair:
    if not isinstance(value, Mapping) or set(value) - {"name", "players", "club", "entries"}:
        raise Unreadable(where, N_("must have name, players, club and entries, and nothing else"))
    players = value.get("players") or []
    if not isinstance(players, list) or len(players) > 2:
        raise Unreadable(f"{where}.players", N_("must be a list of at most two names"))
    names = tuple(_named(f"{where}.players[{n}]", player) for n, player in enumerate(players))
    called = value.get("name") or called_before(names)
    return Pair(
        _named(f"{where}.name", called),
        names,
        name(f"{where}.club", value.get("club") or "").strip(),
        _entries(f"{where}.entries", value.get("entries", 1)),
    )


_entries: Final = whole(1, MOST_ENTRIES)
read_pair: Final = Reader(
    _pair,
    {
        "type": "object",
        "properties": {
            "name": or_none(name).schema,
            "players": or_none(listed(name, 2)).schema,
            "club": or_none(name).schema,
            "entries": _entries.schema,
        },
        "additionalProperties": False,
    },
)
"""A reader of pairs; without a name a pair is called by its players."""


def entered_pair(where: str, value: Any) -> Pair:
    """A pair as it is entered now: without a name called by its players, however long theirs are.

    :raises Unreadable: the field and the reason
    """
    pair = read_pair(where, value)
    return pair if value.get("name") else dataclasses.replace(pair, name=called_by(pair.players))


def _seed(value: Any) -> str:
    if type(value) is int:
        value = str(value)
    return text(60)("seed", value)


def _part(kind: type[Any], where: str, value: Any) -> Any:
    """A settings' own part from its object, each field by its type."""
    if not isinstance(value, Mapping):
        raise Unreadable(where, N_("must be an object"))
    fields = {item.name: item for item in dataclasses.fields(kind)}
    if unknown := sorted(set(value) - set(fields)):
        raise Unreadable(f"{where}.{unknown[0]}", N_("is not known"))
    values = {}
    for key, item in value.items():
        plain = flag if fields[key].type == "bool" else whole(0, 999)
        values[key] = fields[key].metadata.get("check", plain)(f"{where}.{key}", item)
    return kind(**values)


def _finals(rules: RuleSet, value: Any) -> Finals | None:
    if value is None:
        return None
    finals: Finals = _part(Finals, "finals", value)
    finals_rules(rules, finals)
    return finals


def finals_rules(rules: RuleSet, finals: Finals | None) -> RuleSet:
    """What the finals are played by: the same, perhaps to another target.

    :raises Unreadable: these rules cannot be played to that target
    """
    if finals is None or finals.target is None:
        return rules
    return played_to("finals.target", rules, finals.target)


def _decider(rules: RuleSet, data: Mapping[str, Any]) -> int:
    points = whole(3, 99)("decider", data.get("decider", 5))
    # What was written before is read whatever it says.
    if "decider" in data and "resolved" not in data:
        played_to("decider", rules, points)
    return points


def played_to(where: str, rules: RuleSet, target: int) -> RuleSet:
    """The same rules to another target.

    :raises Unreadable: they cannot be played to it
    """
    try:
        return house(rules, {"target": target})
    except BadRules:
        raise Unreadable(where, N_("these rules cannot be played to so few points")) from None
