"""What a tournament is played by: format, scoring and ranking, all of it data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import count, islice
from typing import Any, Final

from scorer.engine import RuleSet, Unreadable
from scorer.engine.input.fields import Reader, listed, or_none, whole
from scorer.engine.rules.loading import turned
from scorer.engine.translatable import N_

VERSION: Final = 2
"""2: over the target nothing is written, who leaves has no place, a bye is neutral; what began
under 1 is still counted as it was then."""
FORMATS: Final = ("redraw", "round-robin", "groups", "knockout", "partners")
"""How opponents come together; in `partners` each round also draws who plays with whom."""
METRICS: Final = ("won", "difference", "points", "score", "conceded", "ratio", "matches")
"""What standings can be ordered by; `conceded` is better the lower it is."""
MOST_PAIRS: Final = 512
MOST_ENTRIES: Final = 16


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

    def may_retour(self) -> bool:
        """Whether a Retourschneider is worth anything more than a game."""
        return bool(self.retour or self.retour_won)


def _numbers(where: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)) or len(value) > 512:
        raise Unreadable(where, N_("must be a list of table numbers"))
    return tuple(sorted({whole(1, 9999)(f"{where}[{at}]", item) for at, item in enumerate(value)}))


_BESTS: Final = (2, 4, 8, 16, 32)


def _bests(where: str, value: Any) -> int:
    if value not in _BESTS:
        raise Unreadable(where, N_("must be 2, 4, 8, 16 or 32"))
    return int(value)


one_of_bests: Final = Reader(_bests, {"enum": list(_BESTS)})
"""A reader of how many go on to a knock-out."""
_tables: Final = Reader(_numbers, listed(whole(1, 9999), 512).schema)


@dataclass(frozen=True, slots=True)
class Groups:
    """Round robin in groups, then a knock-out of the best."""

    count: int = field(default=4, metadata={"check": whole(1, 64)})
    best: int = field(default=2, metadata={"check": whole(1, 16)})
    more: int = field(default=0, metadata={"check": whole(0, 16)})
    """How many of the next best of all groups go on beside them (the best thirds)."""


@dataclass(frozen=True, slots=True)
class Finals:
    """A knock-out of the best after the rounds."""

    best: int = field(default=4, metadata={"check": one_of_bests})
    games: int = field(default=1, metadata={"check": whole(1, 20)})
    target: int | None = field(default=None, metadata={"check": or_none(whole(3, 99))})
    """Points of a final's game, or None for those of the rounds."""
    third: bool = True
    """The losers of the semi-finals play for the third place."""


@dataclass(frozen=True, slots=True)
class Hall:
    """The tables of the hall: numbers from `first` on without the `closed`, `count` at most."""

    first: int = field(default=1, metadata={"check": whole(1, 999)})
    closed: tuple[int, ...] = field(default=(), metadata={"check": _tables})
    count: int = field(default=0, metadata={"check": whole(0, 512)})
    """How many tables there are; 0 for as many as it takes. The rest play in a second wave."""

    def numbers(self, many: int) -> list[int]:
        """The numbers of the first `many` tables.

        >>> Hall(first=5, closed=(6,)).numbers(3)
        [5, 7, 8]
        """
        free = (n for n in count(self.first) if n not in self.closed)
        return list(islice(free, min(many, self.count or many)))


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
    games_by_round: tuple[int, ...] = ()
    """Where the rounds differ: the games of each; later ones are as the last."""
    hall: Hall = field(default_factory=Hall)
    places: int = MOST_PAIRS
    """How many pairs (in a knock-out: lots) there is room for."""
    club: str = ""
    """Who gives it, as the sheets name it."""
    logo: str = ""
    """The club's picture as a data address, or nothing."""
    version: int = VERSION

    def to_json(self) -> dict[str, Any]:
        """The settings as data, with the whole resolved rule set; `read_settings` reads it."""
        data: dict[str, Any] = {
            "tournament": self.version,
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
            **{name: v for name in ("place", "date", "club", "logo") if (v := getattr(self, name))},
        }
        if self.games_by_round:
            data["games_per_round"] = list(self.games_by_round)
        if self.hall != Hall():
            data["hall"] = asdict(self.hall)
        if self.places != MOST_PAIRS:
            data["places"] = self.places
        return data

    def games_in(self, number: int) -> int:
        """How many games two pairs play in round `number`, before the finals."""
        if not self.games_by_round:
            return self.games
        return self.games_by_round[min(number, len(self.games_by_round)) - 1]


@dataclass(frozen=True, slots=True)
class Series:
    """How evenings count together."""

    best: int = 0
    """How many evenings of each count, the best ones; 0 for all."""
    places: tuple[int, ...] = ()
    """What each place brings, the last for all behind it."""
    metric: str = ""
    """What is summed instead."""
