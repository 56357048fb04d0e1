"""The events of a tournament. Like a table's, they say what happened and no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from scorer.tournament.results import Games
from scorer.tournament.settings import Pair

WHO: Final = ("director", "a", "b")
"""Who enters or confirms a result: the director, or the first or second pair of the table."""

COLLECTS: Final = ("pair", "player")
MOST_BESIDE: Final = 29
"""Tournaments that count together with another."""

CONSOLED: Final = ("last", "last-but-one", "winless")


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that can happen; `do` is its name in the stream."""

    do: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Anmeldung(Event):
    """A pair signs up, before the first draw or late."""

    do = "anmeldung"
    entry: Pair
    waiting: bool = False
    """It waits until the director accepts it."""


@dataclass(frozen=True, slots=True)
class Einzeln(Event):
    """A player without a partner signs up, to be given one by lot."""

    do = "einzeln"
    name: str
    club: str = ""
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class Aufnahme(Event):
    """The director accepts who signed up: the places of those events in the stream, from 1."""

    do = "aufnahme"
    signed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ablehnung(Event):
    """The director takes off the list who waits, for him or for a partner."""

    do = "ablehnung"
    signed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Streichung(Event):
    """Pairs that never played are taken off the list; their names are free again."""

    do = "streichung"
    pairs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Anwesenheit(Event):
    """The director says who is not there; all others are."""

    do = "anwesenheit"
    absent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Einstellung(Event):
    """Settings agreed otherwise: their fields as `Settings.to_json` names them."""

    do = "einstellung"
    set: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Durchsage(Event):
    """What the hall's screen announces; empty takes it off."""

    do = "durchsage"
    text: str


@dataclass(frozen=True, slots=True)
class Uhr(Event):
    """When the round ends, in seconds since 1970 (UTC); 0 takes the clock off."""

    do = "uhr"
    until: int


@dataclass(frozen=True, slots=True)
class Zulosung(Event):
    """The players without a partner are paired by lot: the pairs that come of it."""

    do = "zulosung"
    entries: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Aenderung(Event):
    """A pair is called otherwise, or belongs to another club."""

    do = "aenderung"
    pair: int
    entry: Pair


@dataclass(frozen=True, slots=True)
class Abmeldung(Event):
    """A pair withdraws: it is drawn no more."""

    do = "abmeldung"
    pair: int


@dataclass(frozen=True, slots=True)
class Rueckkehr(Event):
    """A pair that had withdrawn plays on."""

    do = "rueckkehr"
    pair: int


@dataclass(frozen=True, slots=True)
class Vermerk(Event):
    """Whether a pair has paid, and whether it is here, as it now is."""

    do = "vermerk"
    pair: int
    paid: bool = False
    here: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """One table of a draw."""

    table: int
    pairs: tuple[int, int]
    lots: tuple[int, int]
    """The lots that play: in a knock-out a pair may hold several, else its own number."""
    stream: str = ""
    """The table's own evening, where it is scored live."""
    notes: tuple[str, ...] = ()
    """What had to give here: `rematch`, `same-club`."""
    teams: tuple[tuple[int, ...], ...] = ()
    """Where partners are drawn too: who plays on either side; `pairs` then names the first."""
    seat: int = 0
    """The table in the hall where it is another than `table`, which numbers the match."""
    wave: int = 1
    """Which wave of matches it belongs to where tables are few."""


@dataclass(frozen=True, slots=True)
class Auslosung(Event):
    """A round is drawn; what came out is part of the event, so it is never drawn again."""

    do = "auslosung"
    round: int
    stage: str
    tables: tuple[Drawn, ...]
    byes: tuple[int, ...] = ()
    """The lots that have a bye."""
    notes: tuple[str, ...] = ()
    """What had to give among the byes: `second-bye`."""
    anyway: bool = False
    """Drawn by decision although results were missing."""
    circles: tuple[tuple[int, ...], ...] = ()
    """Where everybody meets everybody: the seats of each circle, 0 an empty one."""
    leg: int = 0
    """Which turn of the circles this round is."""
    seed: str = ""
    """What the lot was drawn from."""


@dataclass(frozen=True, slots=True)
class Ruecknahme(Event):
    """The newest draw is taken back."""

    do = "ruecknahme"
    round: int


@dataclass(frozen=True, slots=True)
class Tausch(Event):
    """Two lots of a round change places, or two matches their tables, before they play.

    Two lots at no table, one with a bye and one entered since, or two such, get a table more.
    """

    do = "tausch"
    round: int
    lots: tuple[int, int] | None = None
    tables: tuple[int, int] | None = None
    opened: tuple[str, ...] = ()
    """Where lots change: the new evenings of their tables, in the order of these."""


@dataclass(frozen=True, slots=True)
class Ergebnis(Event):
    """The games of a table, as the director or one of its pairs says."""

    do = "ergebnis"
    round: int
    table: int
    who: str
    games: Games
    retour: tuple[int, ...] = ()
    """The games, from 1, won against a gespannt side after standing at 0."""
    walkover: str = ""
    """`a` or `b`: the pair whose opponents did not play; `none` where neither was there. Then
    there are no games."""
    reason: str = ""
    anyway: bool = False
    """Said again when asked: others would then have come into the finals, or no rule but an agreed
    penalty leads to such points."""
    back: int = 0
    """The first of the rounds drawn from it that are taken back with it, results and all."""


@dataclass(frozen=True, slots=True)
class Leerung(Event):
    """The director takes all results of a table out: it is open again."""

    do = "leerung"
    round: int
    table: int
    reason: str = ""
    anyway: bool = False
    back: int = 0
    """As in `Ergebnis`."""


@dataclass(frozen=True, slots=True)
class Widerruf(Event):
    """The newest correction that took rounds back is taken back: all stands as before it."""

    do = "widerruf"
    round: int
    table: int


@dataclass(frozen=True, slots=True)
class Bestaetigung(Event):
    """The other pair says that the result entered, `games` as it saw them, is right."""

    do = "bestaetigung"
    round: int
    table: int
    who: str
    games: Games
    retour: tuple[int, ...] | None = None
    """The Retourschneider as it saw them, or None where it was shown none."""


@dataclass(frozen=True, slots=True)
class Sperre(Event):
    """The director locks a table's result, or lets it be changed again (`open`)."""

    do = "sperre"
    round: int
    table: int
    open: bool = False


@dataclass(frozen=True, slots=True)
class Stechen(Event):
    """A deciding game between two pairs that are level: `winner` goes before `loser`."""

    do = "stechen"
    winner: int
    loser: int
    undone: bool = False
    """What was noted of these two is taken back."""


@dataclass(frozen=True, slots=True)
class Stechtisch(Event):
    """A table of its own for a deciding game; it reports its winner by itself."""

    do = "stechtisch"
    pairs: tuple[int, int]
    stream: str


@dataclass(frozen=True, slots=True)
class Preise(Event):
    """The prizes, one line a place, and the consolation prize; free text."""

    do = "preise"
    lines: tuple[str, ...]
    consolation: str = ""
    to: str = "last"
    """Who gets the consolation prize: the `last`, the `last-but-one` or the last `winless`."""


@dataclass(frozen=True, slots=True)
class Loeschung(Event):
    """A person's name was erased; `sealed` tells in which entries, and what they hold since."""

    do = "loeschung"
    sealed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Serie(Event):
    """The other tournaments that count together with this one, and how."""

    do = "serie"
    of: tuple[str, ...]
    """Their streams, in the order in which they were played."""
    rule: str = "places"
    """One of `series.toml`."""
    collects: str = "pair"
    """Who collects: each `pair`, or each `player`."""


EVENTS: Final[Mapping[str, type[Event]]] = {
    kind.do: kind
    for kind in (
        Anmeldung,
        Einzeln,
        Aufnahme,
        Ablehnung,
        Streichung,
        Anwesenheit,
        Einstellung,
        Durchsage,
        Uhr,
        Zulosung,
        Aenderung,
        Abmeldung,
        Rueckkehr,
        Vermerk,
        Auslosung,
        Ruecknahme,
        Tausch,
        Ergebnis,
        Leerung,
        Widerruf,
        Bestaetigung,
        Sperre,
        Stechen,
        Stechtisch,
        Preise,
        Loeschung,
        Serie,
    )
}
