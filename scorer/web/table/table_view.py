"""A table as templates show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from flask_babel import get_locale
from markupsafe import Markup, escape

from scorer.book.tables import Table
from scorer.engine import (
    Bleiben,
    Event,
    Game,
    Gehen,
    Illegal,
    NeuesSpiel,
    Reason,
    State,
    legal,
    rulebook,
)
from scorer.engine.rules.cards import rank_name, suit_name
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.telling.filled_sentences import offence_name, reason_text, refusal_text, say
from scorer.engine.telling.side_names import isolated
from scorer.engine.telling.slate import (
    Rung,
    SlateLine,
    ladder,
    running_steps,
    slate_lines,
    value_reasons,
)
from scorer.engine.translatable import Counted
from scorer.web.frame.language import dialect_words, labelled, score_text, words
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.rules.house_rules import naming_house_rules
from scorer.web.table.disputes import Dispute, Disputes, SettledDispute
from scorer.web.table.entry_authors import EntryAuthors
from scorer.web.table.names_for_reader import NamesForReader
from scorer.web.table.open_question import OpenQuestion, open_question
from scorer.web.table.seating_texts import Seating
from scorer.web.table.side_sentences import SENTENCES
from scorer.web.table.slate_rows import SlateRow, slate_row

SENTENCE_HTML: Final = Markup('<span class="who">{who}</span> <span class="did">{what}</span>')

_TIME_PLACE: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for the HTML of a time in a sentence."""
_LONG_NAME: Final = 20
"""A name with more letters makes a notice too high for a low screen."""


def _winner_first(game: Game) -> list[int]:
    """The sides of a finished game, the winner first."""
    return sorted(range(len(game.points)), key=lambda side: side != game.winner)


class SideColumn(NamedTuple):
    side: int
    name: str
    players: tuple[str, ...]
    points: int
    near: bool
    bummerl: int
    marks: tuple[int, ...]
    """The Bummerl in order: 1 a dot, 2 a pair of scissors, 4 two pairs."""
    sits_out: bool
    won: bool
    points_left: int
    last_change: EventPlace | None
    """The place of the last change of its sum."""
    beside_name: tuple[str, ...]
    """The players, unless `name` names them all."""


@dataclass(frozen=True, slots=True)
class GameEnd:
    winner: int
    sentence: str
    """Such as "We have won!"."""
    points: tuple[int, ...]
    """Those of the winner first."""
    names: tuple[str, ...]
    """The sides in the order of `points`."""
    kind: str
    """The worst kind of loss as an exclamation, such as "Schneider!"; "" for a plain one."""
    bummerl: tuple[tuple[str, int], ...]
    losses: tuple[tuple[str, int], ...]
    """How each side lost, as a sentence, with its Bummerl."""


class TableView:
    """A table's current state, in the reader's language.

    :param says_we: whether the reader is the writer, for whom default names such as "We" are right
    :param reveals_blind: whether announcements of blind Watten are shown, as their round is over
    :param side_names: other names for the sides
    """

    def __init__(
        self,
        table: Table,
        says_we: bool = False,
        *,
        reveals_blind: bool = False,
        side_names: NamesForReader | None = None,
    ) -> None:
        self.table = table
        self.says_we = says_we
        self.evening = table.evening
        self.state: State = table.evening.state
        self.side_names = side_names or NamesForReader(self.state, says_we)
        self.rules = self.state.rules
        self.hides_announcements = self.rules.blind and not reveals_blind
        self.seq = table.seq
        self.words = dialect_words(words(self.rules.id))
        """The region's terms, in the page's dialect."""

    @cached_property
    def seating(self) -> Seating:
        return Seating(self.state, self.name)

    @cached_property
    def disputes(self) -> Disputes:
        return Disputes(self.authors)

    @cached_property
    def authors(self) -> EntryAuthors:
        return EntryAuthors(self.table)

    @cached_property
    def _legal(self) -> tuple[Event, ...]:
        return legal(self.state)

    def legal(self, do: str, side: int | None = None) -> list[Any]:
        """Legal events of this name, optionally of one side."""
        return [
            event
            for event in self._legal
            if event.do == do and side in (None, getattr(event, "side", None))
        ]

    # The slate

    def name(self, side: int) -> str:
        return self.names[side]

    @property
    def names(self) -> tuple[str, ...]:
        return self.side_names.names

    def say(self, sentence: str | Counted, side: int, **values: int | str) -> str:
        """A sentence about a side, in the page's dialect."""
        all_values = {"side": side, **values}
        return say(
            sentence,
            all_values,
            self.side_names.sides,
            self.words,
            gettext,
            ngettext,
            numbers=self.side_names.numbers,
        )

    def dispute_text(self, dispute: Dispute, reader: int | None = None) -> str:
        """The sentence that a round is in dispute. It names the side that disputes, if its name
        is short.

        :param reader: the side that reads it, if known
        """
        if reader == dispute.side and dispute.place is not None and not self.says_we:
            return gettext("You dispute %(round)s", round=dispute.round_name)
        if dispute.place is None:
            return self.say(SENTENCES["disputed-gone"], dispute.side)
        if len(self.names[dispute.side]) > _LONG_NAME:
            return gettext("%(round)s is in dispute", round=dispute.round_name)
        return self.say(SENTENCES["disputed"], dispute.side, round=dispute.round_name)

    def settled_text(self, settled: SettledDispute) -> Markup:
        """The sentence that a side has settled a dispute, with the time."""
        text = self.say(
            SENTENCES["settled"], settled.settled_by, round=settled.round_name, time=_TIME_PLACE
        )
        return escape(text).replace(_TIME_PLACE, settled.settled_at)

    @cached_property
    def columns(self) -> list[SideColumn]:
        state, near = self.state, self.state.near
        return [
            SideColumn(
                side=side,
                name=self.name(side),
                players=state.sides[side].players,
                points=state.points[side],
                near=near[side] and not self.over,
                bummerl=state.bummerl[side],
                marks=self._bummerl_marks(side),
                sits_out=state.sits_out == side,
                won=state.winner == side,
                points_left=max(0, self.rules.target - state.points[side]),
                last_change=self._last_change(side),
                beside_name=self._beside_name(side),
            )
            for side in range(len(state.points))
        ]

    def _beside_name(self, side: int) -> tuple[str, ...]:
        players, name = self.state.sides[side].players, self.name(side)
        return () if set(" ".join(players).split()) <= set(name.split()) else players

    def _last_change(self, side: int) -> EventPlace | None:
        places = (line.step.place for line in reversed(self.lines()) if line.deltas[side])
        return next(places, None)

    def _bummerl_marks(self, side: int) -> tuple[int, ...]:
        start = self.evening.head.bummerl[side]
        return (1,) * start + tuple(g.bummerl[side] for g in self.state.games if g.bummerl[side])

    def lines(self, game: int | None = None) -> list[SlateLine]:
        if game in (None, self.state.game):
            return self._running_lines
        return slate_lines(self.evening, game)

    @cached_property
    def _running_lines(self) -> list[SlateLine]:
        return slate_lines(self.evening)

    def dealer_of(self, line: SlateLine) -> str | None:
        return Seating(line.step.before, self.name).dealer

    def rows(self, game: int | None = None) -> list[SlateRow]:
        """The rows of a game, by default of the current one."""
        return [self.row(line) for line in self.lines(game)]

    def paper_points(self, game: int | None = None) -> tuple[int, ...]:
        """The points that a game, by default the current one, took over from paper; () if none."""
        points = self.evening.head.points
        return points if any(points) and (game or self.state.game) == 1 else ()

    def row(self, line: SlateLine) -> SlateRow:
        return slate_row(line, self.authors, self.disputes, self.say)

    def bummerl_of(self, game: int) -> list[tuple[int, int]]:
        """Bummerl of a finished game as (side, number)."""
        if game > len(self.state.games):
            return []
        return [(s, count) for s, count in enumerate(self.state.games[game - 1].bummerl) if count]

    @property
    def games_newest_first(self) -> range:
        """Numbers of the games, newest first."""
        return range(self.state.game, 0, -1)

    @cached_property
    def rungs(self) -> tuple[Rung, ...]:
        return ladder(running_steps(self.evening))

    def rung_text(self, rung: Rung) -> Markup:
        sentence = SENTENCES[rung.do]
        return self.sentence_html(
            rung.side, self.say(sentence, rung.side, to=rung.value, value=rung.value)
        )

    def sentence_html(self, side: int, sentence: str) -> Markup:
        """A sentence that begins with a side's name; CSS shortens only the name."""
        name = isolated(self.name(side))
        if not sentence.startswith(f"{name} "):
            return escape(sentence)
        return SENTENCE_HTML.format(who=self.name(side), what=sentence.removeprefix(f"{name} "))

    @property
    def announced(self) -> str:
        """Trump and Schlag of the current round; "" if blind."""
        return "" if self.rules.blind else self.card_words(self.state.trumpf, self.state.schlag)

    def card_words(self, trumpf: str | None, schlag: str | None) -> str:
        names = [trumpf and self.suit(trumpf), schlag and self.rank(schlag)]
        return " ".join(name for name in names if name)

    @property
    def _card_style(self) -> tuple[str, str, str]:
        """(language, pattern, region)"""
        return str(get_locale()), rulebook(self.rules.id)["patterns"][0], self.rules.id

    def suit(self, suit: str) -> str:
        return suit_name(suit, *self._card_style)

    def rank(self, rank: str) -> str:
        return rank_name(rank, *self._card_style)

    # The open question, and the end of a game

    @property
    def over(self) -> bool:
        return self.state.winner is not None

    @property
    def button_classes(self) -> str:
        """CSS classes of the buttons.

        `parity-0` and `parity-1` alternate, so that each event visibly changes the buttons.
        `buttons-replaced`: the event put other buttons in their places.
        """
        last = self.evening.recorded[-1]["do"] if self.seq else ""
        is_replaced = self.over or last in (Bleiben.do, Gehen.do, NeuesSpiel.do)
        parity = f"parity-{self.seq % 2}"
        return f"{parity} buttons-replaced" if is_replaced else parity

    @property
    def score(self) -> str:
        return score_text(self.state.points)

    def game_result(self, game: int) -> str:
        """The winner and points of a finished game, such as "Hansl & Ferdl win 11 : 3"; only the
        points if the name is long."""
        result = self.state.games[game - 1]
        score = score_text([result.points[side] for side in _winner_first(result)])
        if len(self.name(result.winner)) > _LONG_NAME:
            return score
        return self.say(SENTENCES["won-score"], result.winner, score=score)

    @cached_property
    def game_end(self) -> GameEnd | None:
        winner = self.state.winner
        if winner is None:
            return None
        game = self.state.games[-1]
        kind_texts = {
            "schneider": gettext("Schneider!"),
            "retourschneider": gettext("Retourschneider!"),
        }
        bummerl = ((self.name(side), count) for side, count in enumerate(game.bummerl) if count)
        order = _winner_first(game)
        return GameEnd(
            winner,
            sentence=self.say(SENTENCES["won"], winner),
            points=tuple(game.points[side] for side in order),
            names=tuple(map(self.name, order)),
            kind=kind_texts.get(game.kind, ""),
            bummerl=tuple(bummerl),
            losses=tuple(self._loss_sentences(game)),
        )

    def _loss_sentences(self, game: Game) -> Iterator[tuple[str, int]]:
        sentences = {
            reason.values["side"]: self._reason_text(reason)
            for reason in self.state.because
            if "bummerl" in reason.values
        }
        for side, count in enumerate(game.bummerl):
            if count:
                yield (
                    sentences.get(side) or labelled(self.name(side), self.bummerl_text(count)),
                    count,
                )

    @cached_property
    def open_question(self) -> OpenQuestion | None:
        return open_question(self.state, self.names, self.words, self.say)

    @staticmethod
    def bummerl_text(marks: int) -> str:
        return ngettext("%(num)s Bummerl", "%(num)s Bummerl", marks)

    def bummerl_by_name(self, sides: Iterable[int]) -> list[str]:
        """The Bummerl of each of these sides that has any, with its name."""
        marks, names = self.state.bummerl, self.side_names.for_lists
        return [
            labelled(names[side], self.bummerl_text(marks[side]).replace(" ", "\u00a0"))
            for side in sides
            if marks[side]
        ]

    # Reasons

    @property
    def value_sentences(self) -> list[tuple[str, tuple[str, ...]]]:
        return self.sentences(value_reasons(self.evening))

    def sentences(self, reasons: Sequence[Reason]) -> list[tuple[str, tuple[str, ...]]]:
        """(sentence, rule ids) per reason. A house rule is named in the first of its sentences."""
        named = set[str]()
        sentences = []
        for reason in reasons:
            other_rules = tuple(rule for rule in reason.house_rules if rule.switch not in named)
            named.update(rule.switch for rule in other_rules)
            sentences.append(
                (self._reason_text(replace(reason, house_rules=other_rules)), reason.rule_ids)
            )
        return sentences

    def _reason_text(self, reason: Reason) -> str:
        sides, numbers = self.side_names.sides, self.side_names.numbers
        text = reason_text(reason, sides, self.words, gettext, ngettext, numbers)
        return naming_house_rules(text, self.rules, reason)

    def offence(self, offence: str) -> str:
        return offence_name(offence, self.words, gettext)

    def refusal_text(self, refusal: Illegal) -> str:
        sides, numbers = self.side_names.sides, self.side_names.numbers
        text = refusal_text(refusal, sides, self.words, gettext, ngettext, numbers=numbers)
        return naming_house_rules(text, self.rules, refusal)
