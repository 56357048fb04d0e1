"""What a tournament is played by: format, scoring and ranking, all of it data.

>>> settings = read_settings({"name": "Preiswatten", "rules": "bayern", "rounds": 3,
...     "games_per_round": 3, "pairs": [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]})
>>> settings.ranking, settings.rules.target, settings.pairs[1].name
(('won', 'difference', 'points'), 15, 'Cilli & Dora')
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from scorer.engine import BadRules, RuleSet, Unreadable, house, load
from scorer.engine.rules.fields import LONGEST_NAME, flag, name, text, whole
from scorer.engine.rules.marked import N_
from scorer.engine.rules.ruleset import resolved, turned

VERSION: Final = 1
FORMATS: Final = ("redraw", "round-robin", "groups", "knockout")
METRICS: Final = ("won", "difference", "points", "score", "conceded", "ratio", "matches")
"""What standings can be ordered by; `conceded` is better the lower it is."""
MOST_PAIRS: Final = 512
MOST_ENTRIES: Final = 16
_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Pair:
    """Who signed up: two players under one name."""

    name: str
    players: tuple[str, ...] = ()
    club: str = ""
    entries: int = 1
    """How many lots of a knock-out it holds."""

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"name": self.name, "players": list(self.players)}
        if self.club:
            data["club"] = self.club
        if self.entries > 1:
            data["entries"] = self.entries
        return data


@dataclass(frozen=True, slots=True)
class Scoring:
    """What a game brings, beside its points.

    `score` sums `win` (and `loss`), with bonuses; `own` counts the points a side made.
    """

    win: int = 0
    win_own: bool = False
    win_target: bool = False
    loss_own: bool = False
    schneider: int = 0
    """Bonus for beating a side without points."""
    retour: int = 0
    """Bonus for beating a gespannt side after standing at 0."""
    schneider_won: int = 0
    """Games that a Schneider counts beyond the one."""
    retour_won: int = 0
    bye_wins: bool = False
    """A bye counts as all games of its round won."""
    bye_points: int = 0
    """Points for each game of a bye."""
    bye_score: int = 0


def or_none(read: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    """A reader that also takes nothing."""
    return lambda where, value: None if value is None else read(where, value)


def one_of_bests(where: str, value: Any) -> int:
    """A reader of how many go on to a knock-out."""
    if value not in (2, 4, 8, 16, 32):
        raise Unreadable(where, N_("must be 2, 4, 8, 16 or 32"))
    return int(value)


@dataclass(frozen=True, slots=True)
class Groups:
    """Round robin in groups, then a knock-out of the best."""

    count: int = field(default=4, metadata={"check": whole(1, 64)})
    best: int = field(default=2, metadata={"check": whole(1, 16)})


@dataclass(frozen=True, slots=True)
class Finals:
    """A knock-out of the best after the rounds."""

    best: int = field(default=4, metadata={"check": one_of_bests})
    games: int = field(default=1, metadata={"check": whole(1, 20)})
    target: int | None = field(default=None, metadata={"check": or_none(whole(3, 99))})
    """Points of a final's game, or None for those of the rounds."""
    third: bool = True
    """The losers of the semi-finals play for the third place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that is agreed before the first draw."""

    name: str
    rules: RuleSet
    rounds: int
    games: int
    """Games two pairs play in a round."""
    ranking: tuple[str, ...]
    pairs: tuple[Pair, ...]
    seed: str
    place: str = ""
    date: str = ""
    format: str = "redraw"
    scoring: Scoring = field(default_factory=Scoring)
    groups: Groups = field(default_factory=Groups)
    finals: Finals | None = None
    decider: int = 5
    """Points of the game that breaks a tie."""

    def to_json(self) -> dict[str, Any]:
        """The settings as data, with the whole resolved rule set; `read_settings` reads it."""
        data: dict[str, Any] = {
            "tournament": VERSION,
            "name": self.name,
            "rules": self.rules.id,
            "set": turned(self.rules),
            "resolved": self.rules.to_json(),
            "rounds": self.rounds,
            "games_per_round": self.games,
            "ranking": list(self.ranking),
            "pairs": [pair.to_json() for pair in self.pairs],
            "seed": self.seed,
            "format": self.format,
            "scoring": asdict(self.scoring),
            "groups": asdict(self.groups),
            "finals": None if self.finals is None else asdict(self.finals),
            "decider": self.decider,
        }
        return {**data, **{k: v for k in ("place", "date") if (v := getattr(self, k))}}


def read_settings(data: Any, seed: str = "") -> Settings:
    """The settings that `data` (decoded JSON) describes.

    :param seed: the seed where `data` has none
    :raises Unreadable: the field and the reason
    """
    if not isinstance(data, Mapping):
        raise Unreadable("tournament", "must be an object")
    if unknown := sorted(set(data) - _KNOWN):
        raise Unreadable(unknown[0], "a tournament has no such field")
    # No finals are a choice, no value of anything else is none.
    given = {key: value for key, value in data.items() if value is not None or key == "finals"}
    chosen = {**_preset(data.get("preset")), **given}
    called = _named("name", chosen.get("name"))
    rules = _rules(chosen)
    format_ = chosen.get("format", "redraw")
    if format_ not in FORMATS:
        raise Unreadable("format", f"must be one of {', '.join(FORMATS)}")
    return Settings(
        name=called,
        place=name("place", chosen.get("place", "")),
        date=name("date", chosen.get("date", "")),
        rules=rules,
        rounds=whole(1, 99)("rounds", chosen.get("rounds", 3)),
        games=whole(1, 20)("games_per_round", chosen.get("games_per_round", 3)),
        ranking=_ranking(chosen.get("ranking", ["won", "difference", "points"])),
        pairs=_pairs(chosen.get("pairs", [])),
        seed=_seed(chosen.get("seed", seed)),
        format=format_,
        scoring=_part(Scoring, "scoring", chosen.get("scoring", {})),
        groups=_part(Groups, "groups", chosen.get("groups", {})),
        finals=_finals(rules, chosen.get("finals")),
        decider=whole(3, 99)("decider", chosen.get("decider", 5)),
    )


@cache
def presets() -> Mapping[str, Mapping[str, Any]]:
    """The ready-made formats by their ids, in the order of their file."""
    with (_FOLDER / "presets.toml").open("rb") as file:
        return tomllib.load(file)


_KNOWN: Final = {
    *("tournament", "preset", "name", "place", "date", "rules", "set", "rounds"),
    *("games_per_round", "ranking", "pairs", "seed", "format", "scoring", "groups", "finals"),
    *("decider", "resolved"),
}
_OF_THE_PRESET: Final = {"title", "from"}


def _preset(chosen: Any) -> dict[str, Any]:
    if chosen is None:
        return {}
    if not isinstance(chosen, str) or chosen not in presets():
        raise Unreadable("preset", f"must be one of {', '.join(presets())}")
    return {key: v for key, v in presets()[chosen].items() if key not in _OF_THE_PRESET}


def _named(where: str, value: Any) -> str:
    found = name(where, value).strip() if isinstance(value, str) else ""
    if not found:
        raise Unreadable(where, N_("is missing"))
    return found


def _rules(data: Mapping[str, Any]) -> RuleSet:
    switches = data.get("set", {})
    if not isinstance(data.get("rules"), str):
        raise Unreadable("rules", "must name a rule set")
    if not isinstance(switches, Mapping):
        raise Unreadable("set", "must be an object of switches")
    try:
        if data.get("resolved") is not None:
            return resolved(data["resolved"])
        return house(load(data["rules"]), switches)
    except BadRules as error:
        where = f"set.{error.name}" if error.where == "set" else error.where
        raise Unreadable(where, error.reason) from None


def _ranking(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise Unreadable("ranking", f"must be a list of {', '.join(METRICS)}")
    for at, metric in enumerate(value):
        if metric not in METRICS:
            raise Unreadable(f"ranking[{at}]", f"must be one of {', '.join(METRICS)}")
        if metric in value[:at]:
            raise Unreadable(f"ranking[{at}]", N_("must not name the same twice"))
    return tuple(value)


def _pairs(value: Any) -> tuple[Pair, ...]:
    if not isinstance(value, list) or len(value) > MOST_PAIRS:
        raise Unreadable("pairs", f"must be a list of at most {MOST_PAIRS} pairs")
    found: list[Pair] = []
    for at, item in enumerate(value):
        pair = read_pair(f"pairs[{at}]", item)
        if pair.name in (other.name for other in found):
            raise Unreadable(f"pairs[{at}].name", N_("another pair is called so already"))
        found.append(pair)
    if sum(pair.entries for pair in found) > MOST_PAIRS:
        raise Unreadable("pairs", f"must have at most {MOST_PAIRS} entries")
    return tuple(found)


def called_by(players: Sequence[str]) -> str:
    """What a pair is called that gives itself no name.

    >>> called_by(["Anna", "Bert"])
    'Anna & Bert'
    """
    return " & ".join(players)[:LONGEST_NAME]


def read_pair(where: str, value: Any) -> Pair:
    """A pair as JSON describes it; without a name it is called by its players.

    :raises Unreadable: the field and the reason
    """
    if not isinstance(value, Mapping) or set(value) - {"name", "players", "club", "entries"}:
        raise Unreadable(where, "must have name, players, club and entries, and nothing else")
    players = value.get("players") or []
    if not isinstance(players, list) or len(players) > 2:
        raise Unreadable(f"{where}.players", "must be a list of at most two names")
    names = tuple(_named(f"{where}.players[{n}]", player) for n, player in enumerate(players))
    called = value.get("name") or called_by(names)
    return Pair(
        _named(f"{where}.name", called),
        names,
        name(f"{where}.club", value.get("club") or "").strip(),
        whole(1, MOST_ENTRIES)(f"{where}.entries", value.get("entries", 1)),
    )


def _seed(value: Any) -> str:
    if type(value) is int:
        value = str(value)
    return text(60)("seed", value)


def _part(kind: type[Any], where: str, value: Any) -> Any:
    """A settings' own part from its object, each field by its type."""
    if not isinstance(value, Mapping):
        raise Unreadable(where, "must be an object")
    fields = {item.name: item for item in dataclasses.fields(kind)}
    if unknown := sorted(set(value) - set(fields)):
        raise Unreadable(f"{where}.{unknown[0]}", "is not known")
    found = {}
    for key, item in value.items():
        plain = flag if fields[key].type == "bool" else whole(0, 999)
        found[key] = fields[key].metadata.get("check", plain)(f"{where}.{key}", item)
    return kind(**found)


def _finals(rules: RuleSet, value: Any) -> Finals | None:
    if value is None:
        return None
    found: Finals = _part(Finals, "finals", value)
    finals_rules(rules, found)
    return found


def finals_rules(rules: RuleSet, finals: Finals | None) -> RuleSet:
    """What the finals are played by: the same, perhaps to another target.

    :raises Unreadable: these rules cannot be played to that target
    """
    if finals is None or finals.target is None:
        return rules
    try:
        return house(rules, {"target": finals.target})
    except BadRules as error:
        raise Unreadable("finals.target", error.reason) from None
