"""Settings of a tournament: format, scoring, ranking, finals and hall."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, IntEnum
from itertools import count, islice
from typing import Annotated, Any, Final

from scorer.engine import RuleSet, Unreadable
from scorer.engine.input.codec import GIVEN, Codec, Json
from scorer.engine.input.field_readers import Reader, code, integer, listed, one_of
from scorer.engine.input.field_readers import name as read_name
from scorer.engine.rules.loading import changed_switches
from scorer.engine.translatable import N_
from scorer.tournament.pairs import MAX_PAIRS, Pair, given_name, read_pairs


class Since(IntEnum):
    """For each counting rule, the first version of the settings that has it. A tournament keeps
    the version it began with."""

    CHECKED_ENTRIES = 2
    """A retour needs a loser without points, the pairs enter no results once the finals are drawn,
    and a pair returns only if there is room."""
    NO_PLACE_FOR_WITHDRAWN = 2
    """Pairs that are not there have no place either."""
    NEUTRAL_BYES = 2
    """The ratio leaves out byes and walkovers."""
    GROUP_PLACES = 3
    """The place in the group ranks level pairs after the finals."""
    DECIDERS_AGAINST_FINALISTS = 4
    """After the finals are drawn, deciding games against pairs in them still order the others."""
    SWAPS_IN_LATER_ROUNDS = 5
    """Pairs that are swapped in the first round of a round robin change places in its later rounds,
    too."""
    EMPTY_KNOCKOUT_BYES = 6
    """A bye in a knock-out counts nothing."""
    GROUPS_IN_BOTH_HALVES = 7
    """In the finals, pairs of one group are in different halves of the bracket."""
    WALKOVERS_LIKE_BYES = 8
    """A pair that won by walkover gets a bye after the others. The average of a bye does not count
    walkovers."""


VERSION: Final = int(max(Since))
"""The version of new tournaments."""
FORMATS: Final = ("redraw", "round-robin", "groups", "knockout", "partners")
"""Ways of drawing opponents; `partners` draws partners too."""
CIRCLES: Final = ("round-robin", "groups")
"""Formats in which all pairs of a circle meet, so that they sit out equally often."""
PUBLISHED: Final = ("", "names", "short")
"""Whether a finished tournament is on the server's page of all tournaments: no, with the players'
names, or with surnames shortened to a letter."""
METRICS: Final = ("won", "difference", "points", "score", "conceded", "ratio", "matches")
"""Metrics that standings can be ordered by; for `conceded` less is better."""

MAX_TABLES: Final = 512
"""Most table numbers in a list."""
UNFINISHED: Final = ("", "win", "points")
"""The value of a game that the clock ended below the target. "": it cannot be entered. `win`: the
pair that leads wins it. `points`: nobody wins it, but its points count."""

Bonus = Annotated[int, integer(0, 999)]


@dataclass(frozen=True, slots=True)
class Scoring:
    """The value of a game besides its points.

    The metric `score` sums `win` and the bonuses. With `win_own` the winner also gets its own
    points, with `win_target` the target; with `loss_own` the loser gets its own points.
    """

    win: Bonus = 0
    win_own: bool = False
    win_target: bool = False
    loss_own: bool = False
    schneider: Bonus = 0
    """Bonus for beating a side without points."""
    retour: Bonus = 0
    """Bonus for beating a gespannt side after standing at 0."""
    schneider_won: Bonus = 0
    """Extra games won for a Schneider."""
    retour_won: Bonus = 0
    bye_wins: bool = False
    bye_average: bool = False
    """A bye counts as the average of the pair's played rounds, rounded to whole games and points;
    then the other values of a bye do not count."""
    bye_points: Bonus = 0
    """Points for each game of a bye."""
    bye_score: Bonus = 0
    unfinished: Annotated[str, one_of(*UNFINISHED)] = ""

    def may_retour(self) -> bool:
        """Whether a Retourschneider counts more than any other game."""
        return bool(self.retour or self.retour_won)


def _numbers(where: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) > MAX_TABLES:
        raise Unreadable(where, N_("must be a list of table numbers"))
    return tuple(
        sorted({integer(1, 9999)(f"{where}[{index}]", item) for index, item in enumerate(value)})
    )


MAX_ROUNDS: Final = 99
"""Most rounds. The setting `rounds` with this value means as many rounds as the pairs need."""
FINALIST_COUNTS: Final = (2, 4, 8, 16, 32)


def _finalist_count(where: str, value: Any) -> int:
    if value not in FINALIST_COUNTS:
        raise Unreadable(where, N_("must be 2, 4, 8, 16 or 32"))
    return int(value)


finalist_count: Final = Reader(_finalist_count, {"enum": list(FINALIST_COUNTS)})
_tables: Final = Reader(_numbers, listed(integer(1, 9999), MAX_TABLES).schema)


@dataclass(frozen=True, slots=True)
class Groups:
    count: Annotated[int, integer(1, 64)] = 4
    best: Annotated[int, integer(1, 16)] = 2
    """How many of each group qualify for the finals."""
    more: Annotated[int, integer(0, 16)] = 0
    """How many of the next best over all groups qualify as well."""


@dataclass(frozen=True, slots=True)
class Finals:
    best: Annotated[int, finalist_count] = 4
    """How many pairs play in the finals."""
    games: Annotated[int, integer(1, 20)] = 1
    target: Annotated[int, integer(3, 99)] | None = None
    """Target of a final's game, or None for that of the rounds."""
    third: bool = True


@dataclass(frozen=True, slots=True)
class TableNumbers:
    """The table numbers of the hall: from `first`, without `closed`."""

    first: Annotated[int, integer(1, 999)] = 1
    closed: Annotated[tuple[int, ...], _tables] = ()
    count: Annotated[int, integer(0, MAX_TABLES)] = 0
    """Number of tables, 0 for no limit; further matches are played in a second wave."""

    def numbers(self, table_count: int) -> list[int]:
        """Numbers of the first `table_count` tables, at most `count`.

        >>> TableNumbers(first=5, closed=(6,)).numbers(3)
        [5, 7, 8]
        """
        free = (n for n in count(self.first) if n not in self.closed)
        return list(islice(free, min(table_count, self.count or table_count)))


def _part(kind: type[Any]) -> Reader[Any]:
    """Reader of a part of the settings; it is always written with all its fields."""
    return Codec(kind, unknown=N_("is not known"), write_defaults=True).reader


def _games(where: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        return (_game(where, value),)
    games = listed(_game, 99, 1, N_("must be a number, or one for each round"))(where, value)
    return games if len(set(games)) > 1 else games[:1]


_game: Final = integer(1, 20)
_by_round: Final = {"type": "array", "items": _game.schema, "minItems": 1, "maxItems": 99}
_games_per_round: Final = Reader(_games, {"anyOf": [_game.schema, _by_round]})


def _logo(where: str, value: Any) -> str:
    if isinstance(value, str) and len(value) > MAX_LOGO_LENGTH:
        raise Unreadable(where, N_("is too large (at most 40 KB)"))
    if not isinstance(value, str) or (value and not _PICTURE.fullmatch(value)):
        raise Unreadable(where, N_("must be a PNG, JPEG or WebP picture"))
    return value


MAX_LOGO_LENGTH: Final = 56_000
_PICTURE: Final = re.compile(r"data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+=*")


def _ranking(where: str, value: Any) -> tuple[str, ...]:
    metrics = ", ".join(METRICS)
    if not isinstance(value, list) or not value:
        raise Unreadable(where, N_("must be a list of {known}"), known=metrics)
    for index, metric in enumerate(value):
        if metric not in METRICS:
            raise Unreadable(f"{where}[{index}]", N_("must be one of {known}"), known=metrics)
        if metric in value[:index]:
            raise Unreadable(f"{where}[{index}]", N_("must not name the same twice"))
    return tuple(value)


_metrics: Final = {"type": "array", "items": {"enum": list(METRICS)}, "minItems": 1}


def _seed(where: str, value: Any) -> str:
    return code(60)(where, str(value) if type(value) is int else value)


class ChangeableUntil(Enum):
    """Until when a setting may change; one without this mark may always change.

    The values are the codes of the refusals.
    """

    START = ""
    FIRST_DRAW = "drawn-by-it"
    FINALS_DRAW = "finals-by-it"


CLUBS: Final = "club's"
"""Marks settings that a club's next tournament takes over in any format."""
CENTS: Final = "cents"
"""Marks amounts of money, which forms take in euros."""
_ALWAYS: Final = Json(always=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    name: Annotated[str, given_name]
    version: Annotated[
        int, integer(1, VERSION), Json("tournament", always=True), ChangeableUntil.START
    ] = VERSION
    rules: Annotated[RuleSet, GIVEN]
    games_per_round: Annotated[
        tuple[int, ...],
        _games_per_round,
        Json(always=True, write=lambda games: list(games) if len(games) > 1 else games[0]),
    ] = (3,)
    """Games of a match, for all rounds or per round; the last number holds for all later rounds."""
    format: Annotated[str, one_of(*FORMATS), _ALWAYS, ChangeableUntil.FIRST_DRAW] = "redraw"
    place: Annotated[str, read_name] = ""
    date: Annotated[str, read_name] = ""
    rounds: Annotated[int, integer(1, MAX_ROUNDS), _ALWAYS, ChangeableUntil.FINALS_DRAW] = 3
    ranking: Annotated[
        tuple[str, ...], Reader(_ranking, _metrics), _ALWAYS, ChangeableUntil.FINALS_DRAW
    ] = (
        "won",
        "difference",
        "points",
    )
    pairs: Annotated[tuple[Pair, ...], read_pairs, _ALWAYS, ChangeableUntil.START] = ()
    seed: Annotated[
        str, Reader(_seed, {"type": ["string", "integer"]}), _ALWAYS, ChangeableUntil.FIRST_DRAW
    ] = ""
    scoring: Annotated[Scoring, _part(Scoring), _ALWAYS, ChangeableUntil.FINALS_DRAW] = Scoring()
    groups: Annotated[Groups, _part(Groups), _ALWAYS, ChangeableUntil.FINALS_DRAW] = Groups()
    finals: Annotated[Finals | None, _part(Finals), _ALWAYS, ChangeableUntil.FINALS_DRAW] = None
    decider: Annotated[int, integer(3, 99), _ALWAYS] = 5
    """Target of a deciding game."""
    hall: Annotated[TableNumbers, _part(TableNumbers), CLUBS] = TableNumbers()
    places: Annotated[int, integer(2, MAX_PAIRS), CLUBS] = MAX_PAIRS
    """Most pairs (in a knock-out: lots) that can enter."""
    fee: Annotated[int, integer(0, 999_999), CENTS, CLUBS] = 0
    """Entry fee of a pair in cents; in a knock-out, the price of a lot."""
    club: Annotated[str, read_name, CLUBS] = ""
    logo: Annotated[str, Reader(_logo, {"type": "string"}), CLUBS] = ""
    """The club's picture as a data URL, or ""."""
    published: Annotated[str, one_of(*PUBLISHED)] = ""
    ceremony: bool = False
    """Whether visitors and pairs do not see the final standings yet, but at the prize-giving."""
    called: Annotated[int, integer(0, 2 * MAX_PAIRS)] = 0
    """The best place that the prize-giving has called out so far; 0 before the first. Calls of
    categories have numbers above `MAX_PAIRS`."""

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON, including the resolved rule set; `read_settings` reads it."""
        return {
            "rules": self.rules.id,
            "set": changed_switches(self.rules),
            "resolved": self.rules.to_json(),
            **SETTINGS.write(self),
        }

    @property
    def has_fixed_rounds(self) -> bool:
        """Whether the number of rounds is set; otherwise it follows from the number of pairs."""
        return self.rounds < MAX_ROUNDS

    @property
    def plays_for_third(self) -> bool:
        """Whether the losers of the semi-finals play for the third place."""
        return self.finals is None or self.finals.third

    def games_in(self, number: int) -> int:
        """Games of a match in round `number`, before the finals."""
        return self.games_per_round[min(number, len(self.games_per_round)) - 1]


SETTINGS: Final = Codec(
    Settings,
    unknown=N_("a tournament has no such field"),
    null_is_missing=True,
    extra_names=("preset", "rules", "set", "resolved", "salt"),
)


@dataclass(frozen=True, slots=True)
class Series:
    best: int = 0
    """How many of the best evenings count; 0 for all."""
    points_by_place: tuple[int, ...] = ()
    """Points per place, the last value for all further places."""
    metric: str = ""
    """The metric that is summed if `points_by_place` is empty."""
