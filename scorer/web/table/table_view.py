"""What the templates show of a table: its slate, and why it says what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

from flask_babel import get_locale
from markupsafe import Markup, escape

from scorer.book.tables import Table
from scorer.engine import (
    Event,
    Illegal,
    Korrektur,
    Reason,
    Side,
    State,
    Vorschlag,
    Zusage,
    legal,
    load,
    parse,
    rulebook,
)
from scorer.engine.rules.cards import rank_name, suit_name
from scorer.engine.rules.loading import changed_switches
from scorer.engine.scoring.effective_events import Spot
from scorer.engine.telling.explain import offence_name, reason_text, refusal_text
from scorer.engine.telling.rounds import round_at
from scorer.engine.telling.side_names import side_name
from scorer.engine.telling.slate import LadderStep, SlateLine, ladder, running, slate_lines, worth
from scorer.web.frame.language import all_said, in_all_languages, labelled, said, words
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.rules.switch_names import SWITCH_NAMES, shown_value, with_house_rules
from scorer.web.table.new_table_form import OURS
from scorer.web.table.seat_claim import signer
from scorer.web.table.seating import Seats
from scorer.web.table.signatures import Signatures
from scorer.web.table.slate_rows import Row, row

DID: Final = Markup('<span class="who">{who}</span> <span class="did">{what}</span>')


@cache
def _ours() -> frozenset[str]:
    """`OURS` in all languages."""
    return frozenset(name.casefold() for name in in_all_languages(OURS))


def _is_ours(side: Side) -> bool:
    """Whether a side has only the name that a writer's form fills in."""
    return side.name.casefold() in _ours()


class Column(NamedTuple):
    """One side's column of the slate: a tuple as its rows are."""

    side: int
    name: str
    players: tuple[str, ...]
    points: int
    near: bool
    bummerl: int
    marks: tuple[int, ...]
    """The Bummerl as they came: 1 a dot, 2 a pair of scissors, 4 two pairs."""
    sits_out: bool
    won: bool
    left: int
    """How many points are missing to the target."""
    wrote: Spot | None
    """Where its sum was written; None where nothing was written yet."""
    unnamed: bool
    """Whether it is called by its players, as nobody gave it a name of its own."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The end of a game."""

    winner: int
    name: str
    points: tuple[int, ...]
    """The sums, the winner's first, as they are told beside its name."""
    kind: str
    """What is to be celebrated beside the game itself, in words."""
    bummerl: tuple[tuple[str, int], ...]
    """Who got how many Bummerl."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The side everybody waits for, and what it is asked."""

    side: int
    text: str


class View:
    """One table as it stands, in the reader's language.

    :param ours: whether its reader is the one who writes, to whom "we" means what was typed
    :param over: whether all that is told belongs to rounds that are over, so that what was
        announced blind may be read
    """

    def __init__(self, table: Table, ours: bool = False, *, over: bool = False) -> None:
        self.table = table
        self.ours = ours
        self.evening = table.evening
        self.state: State = table.evening.state
        self.rules = self.state.rules
        self.conceals = self.rules.blind and not over
        self.seq = table.seq
        self.plain_words = words(self.rules.id)
        """The region's own words in the reader's language, for rules and refusals."""
        self.words = all_said(self.plain_words)
        """The same as this page speaks: a dialect may have its own."""

    @cached_property
    def seats(self) -> Seats:
        """Who sits where, deals and cuts."""
        return Seats(self.state, self.name)

    @cached_property
    def signatures(self) -> Signatures:
        """Who signed what, and when."""
        return Signatures(self.table)

    @cached_property
    def _legal(self) -> tuple[Event, ...]:
        return legal(self.state)

    def legal(self, do: str, side: int | None = None) -> list[Any]:
        """The legal events of this name, of one side where one is given."""
        return [
            event
            for event in self._legal
            if event.do == do and side in (None, getattr(event, "side", None))
        ]

    # The slate

    def name(self, side: int) -> str:
        """What a side is called."""
        return self.names[side]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the sides are called: never "we" of the others, never two of one name."""
        return self._apart([self._named(side) for side in self.state.sides])

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """What the sides are called where several evenings stand: by their players, too, where
        all evenings would be called the same."""
        sides = self.state.sides
        return self._apart(["" if s.players and _is_ours(s) else self._named(s) for s in sides])

    def _apart(self, named: Sequence[str]) -> tuple[str, ...]:
        """Names for all sides, those nobody named by their players or numbers, no two the same."""
        pairs = zip(named, self.state.sides, strict=True)
        sides = [Side(name, side.players) for name, side in pairs]
        names = [side_name(sides, side, gettext) for side in range(len(self.state.points))]
        return tuple(
            f"{name} {at + 1}" if names.count(name) > 1 else name for at, name in enumerate(names)
        )

    def _named(self, side: Side) -> str:
        """What a side was called when it was typed, if that is the same to this reader."""
        return said(side.name) if self.ours or not _is_ours(side) else ""

    @cached_property
    def told(self) -> tuple[Side, ...]:
        """The sides called as this reader knows them."""
        sides = zip(self.state.sides, self.names, strict=True)
        return tuple(Side(name, side.players) for side, name in sides)

    @cached_property
    def columns(self) -> list[Column]:
        state, near = self.state, self.state.near
        return [
            Column(
                side,
                self.name(side),
                state.sides[side].players,
                state.points[side],
                near[side] and not self.over,
                state.bummerl[side],
                self._marks(side),
                state.sits_out == side,
                state.winner == side,
                max(0, self.rules.target - state.points[side]),
                self._wrote(side),
                not self._named(state.sides[side]),
            )
            for side in range(len(state.points))
        ]

    def _wrote(self, side: int) -> Spot | None:
        found = (line.step.spot for line in reversed(self.lines()) if line.deltas[side])
        return next(found, None)

    def _marks(self, side: int) -> tuple[int, ...]:
        start = self.evening.head.bummerl[side]
        return (1,) * start + tuple(g.bummerl[side] for g in self.state.games if g.bummerl[side])

    def lines(self, game: int | None = None) -> list[SlateLine]:
        """The lines of a game, of the running one by default."""
        if game in (None, self.state.game):
            return self._running
        return slate_lines(self.evening, game)

    @cached_property
    def _running(self) -> list[SlateLine]:
        return slate_lines(self.evening)

    def dealt(self, line: SlateLine) -> str | None:
        """Who dealt the round of a line, as far as it is known."""
        return Seats(line.step.before, self.name).dealer

    def rows(self, game: int | None = None) -> list[Row]:
        """The lines of a game as the slate's columns show them."""
        return [row(line, self.signatures, self.words) for line in self.lines(game)]

    @cached_property
    def news(self) -> str:
        """What everybody should hear of the last thing recorded: that it changed what stood."""
        recorded = self.evening.recorded
        if not recorded or recorded[-1]["do"] not in (Korrektur.do, Zusage.do):
            return ""
        if self.evening.redoes is not None and self.evening.redo().of == len(recorded) - 1:
            return gettext("The last entry was taken back.")
        of = recorded[-1]["of"]
        while isinstance(before := parse(recorded[of]), Korrektur | Vorschlag):
            of = before.correction.of if isinstance(before, Vorschlag) else before.of
        about = round_at(self.evening, Spot(of))
        if about is None:
            return gettext("A round was taken back.")
        game, number = about.game, about.number
        return gettext("Game %(game)s, round %(round)s was corrected.", game=game, round=number)

    def got(self, game: int) -> list[tuple[int, int]]:
        """The Bummerl a finished game brought, as (side, how many)."""
        if game > len(self.state.games):
            return []
        return [(s, count) for s, count in enumerate(self.state.games[game - 1].bummerl) if count]

    @property
    def games(self) -> range:
        """The numbers of the evening's games, newest first."""
        return range(self.state.game, 0, -1)

    @cached_property
    def rungs(self) -> tuple[LadderStep, ...]:
        """The raises of the running round so far."""
        return ladder(running(self.evening))

    def rung_text(self, rung: LadderStep) -> Markup:
        """One step of the ladder in words."""
        verb = {
            "bieten": self.words["raised"],
            "bleiben": self.words["stayed"],
            "gehen": self.words["folded"],
            "bleiben-decision": self.words["held"],
            "gehen-decision": self.words["given"],
        }[rung.do]
        number = {"bieten": f" {rung.value}", "bleiben-decision": f" ({rung.value})"}
        return self.did(rung.side, f"{verb}{number.get(rung.do, '')}")

    def did(self, side: int, what: str) -> Markup:
        """What a side did; only its name may be cut short, and then what sets it apart with it."""
        who = labelled(f"<bdi>{escape(self.name(side))}</bdi>", "").rstrip()
        return DID.format(who=Markup(who), what=what)

    @property
    def announced(self) -> str:
        """Trump and Schlag of the running round as far as all may know them."""
        return "" if self.rules.blind else self.card_words(self.state.trumpf, self.state.schlag)

    def card_words(self, trumpf: str | None, schlag: str | None) -> str:
        """A trump suit and a Schlag, as far as they are given, as this table's cards call them."""
        names = [trumpf and self.suit(trumpf), schlag and self.rank(schlag)]
        return " ".join(name for name in names if name)

    @property
    def _cards(self) -> tuple[str, str, str]:
        """The language, pattern and region by which cards are called here."""
        return str(get_locale()), rulebook(self.rules.id)["patterns"][0], self.rules.id

    def suit(self, suit: str) -> str:
        return suit_name(suit, *self._cards)

    def rank(self, rank: str) -> str:
        return rank_name(rank, *self._cards)

    @property
    def turned(self) -> list[dict[str, Any]]:
        """The house rules of this table, beside what its region has."""
        own = load(self.rules.id)
        return [
            {
                "name": name,
                "data": value,
                "label": SWITCH_NAMES.get(name, name),
                "value": shown_value(name, value, own.id),
                "own": shown_value(name, getattr(own, name), own.id),
                "rules": self.rules.cite(name),
            }
            for name, value in changed_switches(self.rules).items()
        ]

    # What everybody waits for, and what has just come to its end

    @property
    def over(self) -> bool:
        return self.state.winner is not None

    @cached_property
    def moment(self) -> Moment | None:
        """The game that has just ended, if one has."""
        winner = self.state.winner
        if winner is None:
            return None
        game = self.state.games[-1]
        kinds = {"schneider": gettext("Schneider!"), "retourschneider": gettext("Retourschneider!")}
        marks = ((self.name(side), count) for side, count in enumerate(game.bummerl) if count)
        points = (game.points[winner], *game.points[:winner], *game.points[winner + 1 :])
        return Moment(winner, self.name(winner), points, kinds.get(game.kind, ""), tuple(marks))

    @cached_property
    def asked(self) -> Asked | None:
        """Who has to answer an open raise, or to say whether it plays."""
        opened, decision = self.state.open_raise, self.state.decision
        if opened is not None:
            side = self.state.others(opened.side)[0]
            text = self._either("stay", "go")
            said, name = f"{self.words['raised']} {opened.to}", self.name(side)
            return Asked(
                side, gettext("%(bid)s: %(name)s, %(answers)s?", bid=said, name=name, answers=text)
            )
        if decision is not None:
            text = self._either("hold", "give")
            name = self.name(decision.side)
            return Asked(decision.side, gettext("%(name)s: %(answers)s?", name=name, answers=text))
        return None

    def _either(self, first: str, second: str) -> str:
        return gettext(
            "%(first)s or %(second)s", first=self.words[first], second=self.words[second]
        )

    @property
    def spoken(self) -> str:
        """What is said aloud of the newest news: every side's points and state, and what is asked.

        No full stop follows a figure: a voice would make it "the fourth".
        """
        sums = []
        for column in self.columns:
            state = gettext("won") if column.won else self.words["near"] if column.near else ""
            sums += [f"{column.name} {column.points}", state]
        said_of = [", ".join(filter(None, sums)), self._entered, self.news.rstrip(".")]
        if self.moment:
            said_of.append(self.moment.kind.rstrip("!"))
            said_of += [labelled(name, self.counted(marks)) for name, marks in self.moment.bummerl]
        if self.asked:
            said_of.append(self.asked.text)
        return "; ".join(filter(None, said_of))

    @property
    def _entered(self) -> str:
        """Which side entered the newest event itself; nothing where the writer did, whose phones
        no record tells apart by who holds them."""
        entry = self.evening.recorded[-1] if self.seq else {}
        role, phone = signer(entry)
        if role != "opponent" or phone in {"", *self.signatures.writers}:
            return ""
        if parse(entry).aside:
            return ""
        return gettext("entered by %(name)s", name=self.name(entry["side"]))

    @staticmethod
    def counted(marks: int) -> str:
        """A number of Bummerl in words."""
        return ngettext("%(num)s Bummerl", "%(num)s Bummerl", marks)

    # Why

    @property
    def worth(self) -> list[tuple[str, tuple[str, ...]]]:
        return self.sentences(worth(self.evening))

    def sentences(self, reasons: Sequence[Reason]) -> list[tuple[str, tuple[str, ...]]]:
        """Each reason as a sentence with the rules it rests on."""
        return [(self._reason(reason), reason.rules) for reason in reasons]

    def _reason(self, reason: Reason) -> str:
        text = reason_text(reason, self.told, self.plain_words, gettext, ngettext)
        return with_house_rules(text, self.rules, reason)

    def offence(self, offence: str) -> str:
        """What an offence is called at this table."""
        return offence_name(offence, self.words, gettext)

    def refusal(self, refusal: Illegal) -> str:
        text = refusal_text(refusal, self.told, self.plain_words, gettext, ngettext)
        return with_house_rules(text, self.rules, refusal)
