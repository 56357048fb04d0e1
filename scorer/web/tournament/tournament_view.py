"""The view shared by all tournament pages, submitting of events, and refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from flask import Response
from markupsafe import Markup, escape

from scorer.book.folds import MAX_STEPS_PER_READ
from scorer.book.helper_links import check_allowed, helper_link
from scorer.book.tables import Table
from scorer.engine import Illegal, Unreadable
from scorer.engine.telling.explain import refusal_text
from scorer.engine.telling.messages import REFUSALS
from scorer.engine.telling.side_grammar import SideInSentence, number_of
from scorer.store.roles import DIRECTOR, HALL_VIEWER
from scorer.tournament import Match, Round, Tournament
from scorer.tournament.bracket import (
    MAX_BRACKET_TABLES,
    BracketColumn,
    bracket,
    most_tables,
    pairs_in,
)
from scorer.tournament.deciders import LevelPairs
from scorer.tournament.entrants import Entrant
from scorer.tournament.event_types.draws import open_lots
from scorer.tournament.event_types.entries import require_points_allowed
from scorer.tournament.knockout import remaining_lots
from scorer.tournament.late_entries import require_entry_open
from scorer.tournament.match import Result
from scorer.tournament.messages import NOTES, SENTENCES
from scorer.tournament.name_matching import has_words
from scorer.tournament.pair_import import possible_duplicates
from scorer.tournament.pairs import whole_name
from scorer.tournament.prize_winners import category_names
from scorer.tournament.round_robin import round_count
from scorer.tournament.settings import CIRCLES
from scorer.tournament.slip_line import pairs_at
from scorer.web.frame import device_identity, resent_forms
from scorer.web.frame.access import KeyHolder, tables, tournaments
from scorer.web.frame.entry_times import shown_time
from scorer.web.frame.errors import CodedText, asks_json, unreadable_text
from scorer.web.frame.language import labelled, words
from scorer.web.frame.money import euros
from scorer.web.frame.refusals import Refusal, refused, writes
from scorer.web.frame.translation import gettext, ngettext, pgettext
from scorer.web.tournament.group_plan import GroupPlan, coming_groups, planned_groups
from scorer.web.tournament.labels import (
    REASONS,
    SHORT_STATUS_NAMES,
    STAGE_NAMES,
    STATUS_NAMES,
    UNFINISHED_NAMES,
    helper_text,
)
from scorer.web.tournament.next_round import NextRound, table_numbers
from scorer.web.tournament.prize_giving import PrizeGiving
from scorer.web.tournament.result_signatures import CONFIRMATION_REMARKS, confirmed
from scorer.web.tournament.standings_view import StandingsView, extra_points
from scorer.web.tournament.visibility import awaits_ceremony, seen_by

TWO_PLAYERS: Final = ("", "")
"""A pair has two players, so its name may be a plural."""


class GameLine(NamedTuple):
    """A game of one pair's result."""

    points: str
    other: str
    """The same game as the other pair entered it, if that differs; else ""."""


class TournamentView:
    """A tournament for its templates: names, states and scores in words."""

    def __init__(self, tournament: Tournament, key: str, role: str) -> None:
        self.awaits_ceremony = awaits_ceremony(tournament, role)
        """Whether the results of the last round are shown only at the prize-giving."""
        self.held_back = self.awaits_ceremony and not tournament.released.missing
        """Whether the last round is played but not shown yet."""
        newest = tournament.released.rounds[-1:] if self.awaits_ceremony else ()
        self._hidden_results = {
            match.drawn_table.table
            for round_ in newest
            for match in round_.matches.values()
            if match.result
        }
        """The tables of the last round with a result that is shown only at the prize-giving."""
        released = tournament.released
        self.tournament = tournament = seen_by(tournament, role)
        self.settings = tournament.settings
        self.key, self.role = key, role
        self.helper = helper_link(role)
        self.seq = len(tournament.recorded)
        self.words = words(self.settings.rules.id)
        self.places = StandingsView(tournament)
        self.prize_giving = PrizeGiving(
            StandingsView(released) if self.awaits_ceremony else self.places
        )
        self.next_round = NextRound(tournament)
        self.newest = self.next_round.newest
        self.partners = self.settings.format == "partners"
        """Whether single players enter and partners are drawn."""
        self._evenings: dict[str, Table | None] = {}
        """Tables scored live by stream; None for those not read."""
        self._events_left = MAX_STEPS_PER_READ
        """Events that may still be folded for live scores."""

    @property
    def gives_prizes(self) -> bool:
        """Whether a visitor sees the places that the prize-giving has called out."""
        return self.held_back and bool(self.prize_giving.called)

    @property
    def helper_text(self) -> str:
        """The number and the work of the helper who sees the page."""
        return helper_text(self.helper) if self.helper else ""

    @cached_property
    def visitors_key(self) -> str:
        """The viewer's key that is sealed for a helper, or ""."""
        return (tournaments().store.unseal(self.key, HALL_VIEWER) or "") if self.helper else ""

    @cached_property
    def boards(self) -> Mapping[str, str]:
        """Keys of the tables' boards by stream, for the hall."""
        return tournaments().keyrings.viewer_keys(self.key) if self.role == HALL_VIEWER else {}

    def name(self, pair: int) -> str:
        return self.tournament.entrants[pair].pair.name

    def whole_name(self, pair: int) -> str:
        """The players' full names, for printouts and announcements."""
        return whole_name(self.tournament.entrants[pair].pair)

    def small_print(self, entrant: Entrant) -> list[str]:
        """Small print next to a pair: club, category, lots, withdrawn or absent."""
        lots = entrant.pair.entries
        absence = "withdrawn" if entrant.withdrawn else "absent" if entrant.absent else ""
        parts = [
            entrant.pair.club,
            entrant.pair.category,
            ngettext("%(num)s lot", "%(num)s lots", lots) if lots > 1 else "",
            gettext(REASONS[absence]) if absence else "",
            extra_points(entrant) if entrant.extra else "",
        ]
        return [part for part in parts if part]

    def kept_apart(self, entrant: Entrant) -> list[Entrant]:
        """The pairs that the draw keeps from meeting this one."""
        others = {n for two in self.tournament.kept_apart if entrant.number in two for n in two}
        return [self.tournament.entrants[n] for n in sorted(others - {entrant.number})]

    @cached_property
    def categories(self) -> list[str]:
        """The categories that pairs can play for."""
        return category_names(self.tournament)

    def club(self, pair: int) -> str:
        return self.tournament.entrants[pair].pair.club

    def side(self, match: Match, side: int) -> str:
        return self.tournament.side_name(match, side)

    def pairing(self, match: Match) -> str:
        """Both sides, such as: Anna & Bert – Cilli & Dora."""
        return f"{self.side(match, 0)} – {self.side(match, 1)}"

    def numbers(self, match: Match, side: int) -> str:
        """The start numbers of a side; in a knock-out with its lot if different."""
        numbers = "+".join(map(str, match.sides[side]))
        lot = match.drawn_table.lots[side]
        if self.settings.format == "knockout" and str(lot) != numbers:
            return gettext("%(pair)s, lot %(lot)s", pair=numbers, lot=lot)
        return numbers

    @property
    def subtitle(self) -> str:
        parts = (self.settings.place, self.settings.date, self.words["name"])
        return " · ".join(part for part in parts if part)

    def title(self, round_: Round) -> str:
        """The name of a round, with the number of rounds if it is fixed."""
        if round_.stage not in ("rounds", "groups"):
            return self.round_name(round_)
        count = self.settings.rounds
        if self.settings.format not in ("redraw", "partners"):
            count = min(count, round_count(round_.circles))
        return gettext("Round %(n)s of %(all)s", n=round_.number, all=count)

    def coming_title(self, match_count: int) -> str:
        """The name of a final round that is not drawn yet."""
        return gettext(STAGE_NAMES[2 * match_count]) if 2 * match_count in STAGE_NAMES else "…"

    def coming_side(self, feeder: Match | None) -> str:
        """A side of a final that is not drawn yet: the winner of `feeder`, or its table."""
        if feeder is None:
            return "…"
        if feeder.is_decided:
            return self.side(feeder, feeder.winner)
        return gettext("Winner of table %(table)s", table=self.table_label(feeder))

    def round_name(self, round_: Round) -> str:
        pair_count = pairs_in(round_)
        if pair_count in STAGE_NAMES:
            return gettext(STAGE_NAMES[pair_count])
        # A round within a game is another word in other languages.
        return pgettext("tournament", "Round %(n)s", n=round_.number)

    def round_names(self, rounds: Sequence[Round]) -> str:
        return ", ".join(map(self.round_name, rounds))

    @property
    def too_late(self) -> CodedText | None:
        """Why entries are no longer possible, or None."""
        try:
            require_entry_open(self.tournament)
        except Illegal as refusal:
            return coded_text(refusal)
        return None

    @property
    def adds_points(self) -> bool:
        """Whether the director may add points to a pair now."""
        try:
            require_points_allowed(self.tournament)
        except Illegal:
            return False
        return not self.helper

    @property
    def closed(self) -> CodedText | None:
        """Why sign-up is closed, or None."""
        if self.over or self.held_back:
            text = gettext("The tournament is over: nobody signs up any more.")
            return CodedText(text, "tournament-over")
        return self.too_late

    @property
    def playing(self) -> int:
        """Number of pairs in the finals, left in the knock-out, or active and not late."""
        newest = self.newest
        if newest is not None and newest.final:
            return len(newest.playing)
        if newest is not None and newest.stage == "knockout":
            lots = {*remaining_lots(self.tournament), *open_lots(self.tournament)}
            holders = self.tournament.holders
            return len({holders[lot] for lot in lots})
        return len(self.tournament.active) - len(self.next_round.late)

    @property
    def over(self) -> bool:
        """Whether all rounds are drawn and all results are valid."""
        has_rounds = bool(self.tournament.rounds)
        return has_rounds and not self.tournament.missing and self.next_round.stage is None

    @property
    def winners(self) -> list[str]:
        """Names of the pairs in first place; empty while only the lot or more games decide."""
        first = [line for line in self.places.lines if line.rank == 1]
        undecided = {pair for level in self.places.levels for pair in level.pairs}
        return [
            self.name(line.pair)
            for line in first
            if line.tie != "lot" and line.pair not in undecided
        ]

    @property
    def possibly_twice(self) -> list[tuple[str, str]]:
        """Names of pairs that play and may be the same or share a player."""
        entries = [(entrant.number, entrant.pair) for entrant in self.tournament.active]
        return [(self.name(one), self.name(other)) for one, other in possible_duplicates(entries)]

    @property
    def shows_prize_winners(self) -> bool:
        """Whether the list of prizes names pairs: after the first game, and to visitors not before
        the prize-giving."""
        is_visitor = self.role != DIRECTOR and not self.helper
        waits = is_visitor and self.settings.ceremony
        return not waits and any(line.totals.played for line in self.places.lines)

    def names(self, level: LevelPairs) -> str:
        """Names of level pairs, such as: Anna & Bert; Cilli & Dora."""
        return "; ".join(map(self.name, level.pairs))

    def by_lot(self, level: LevelPairs) -> str:
        return gettext("Winners by lot: %(name)s", name=self.name(level.pairs[0]))

    @property
    def finals_ahead(self) -> bool:
        """Whether finals that are set have not begun, or are not over."""
        return self.settings.finals is not None and self.next_round.stage is not None

    @property
    def standings_status(self) -> str:
        """A text on the standings: complete, or the tables and finals that are missing."""
        if self.awaits_ceremony:
            return gettext("without the last round")
        if not self.tournament.missing:
            follow = gettext("provisional, finals follow")
            return follow if self.finals_ahead else gettext("complete")
        if self.finals_ahead:
            return gettext("%(missing)s; finals follow", missing=self._missing)
        return self._missing

    @property
    def _missing(self) -> str:
        if len(self.tournament.missing) > 3:
            return gettext("provisional: %(n)s tables are missing", n=len(self.tournament.missing))
        open_tables = [
            ngettext(
                "%(round)s table %(tables)s",
                "%(round)s tables %(tables)s",
                len(round_.missing),
                round=self.round_name(round_),
                tables=table_numbers(round_.missing),
            )
            for round_ in self.tournament.rounds
            if round_.missing
        ]
        return gettext("provisional, still open: %(tables)s", tables="; ".join(open_tables))

    @cached_property
    def bracket(self) -> list[BracketColumn]:
        """The rounds of the knock-out or of the finals; empty before they are drawn."""
        return bracket(self.tournament)

    @property
    def is_bracket_tall(self) -> bool:
        """Whether a round has too many tables to be shown beside the next one."""
        return most_tables(self.bracket) > MAX_BRACKET_TABLES

    @property
    def unpaid(self) -> int:
        """Number of pairs that have not paid; 0 if no payments are recorded."""
        active = self.tournament.active
        paid = sum(entrant.paid for entrant in active)
        return len(active) - paid if paid else 0

    @property
    def fees_collected(self) -> str:
        """The sum of the fees that are paid, as text; "" without an entry fee."""
        lots = sum(entrant.pair.entries for entrant in self.tournament.listed if entrant.paid)
        fee = self.settings.fee
        return labelled(gettext("In the till"), euros(fee * lots)) if fee else ""

    @property
    def not_here(self) -> list[str]:
        """The pairs not marked as here while the director still marks who is."""
        active = self.tournament.active
        if self.tournament.attendance_recorded or not any(entrant.here for entrant in active):
            return []
        return [entrant.pair.name for entrant in active if not entrant.here]

    def table_label(self, match: Match) -> str:
        """The hall's table number, with the wave if not the first."""
        if match.drawn_table.wave > 1:
            return gettext(
                "%(table)s, wave %(n)s", table=match.hall_table, n=match.drawn_table.wave
            )
        return str(match.hall_table)

    @property
    def clock_until(self) -> Markup:
        """When the clock ends; empty if none runs."""
        clock_end = self.tournament.running_clock
        return shown_time(datetime.fromtimestamp(clock_end).astimezone()) if clock_end else Markup()

    def swappable(self, round_: Round) -> list[tuple[int, str]]:
        """Lots that can be swapped, each with its pair and table."""
        lots_at_tables = [
            (lot, gettext("%(name)s, table %(n)s", name=self.name(pair), n=match.drawn_table.table))
            for match in round_.matches.values()
            for lot, pair in zip(match.drawn_table.lots, match.drawn_table.pairs, strict=True)
        ]
        byes = zip(round_.byes, self.byes(round_), strict=True)
        return sorted(
            [*lots_at_tables, *((lot, f"{name}, {gettext('bye')}") for lot, name in byes)]
        )

    def byes(self, round_: Round) -> list[str]:
        return [self.name(pair) for pair in self.tournament.bye_pairs(round_)]

    def bye_word(self, round_: Round) -> str:
        """What a pair without an opponent has: a bye, unless all sit out in turn."""
        return gettext("free this round") if self._all_sit_out(round_) else gettext("bye")

    def _all_sit_out(self, round_: Round) -> bool:
        return self.settings.format in CIRCLES and not round_.knockout

    def byes_text(self, round_: Round) -> str:
        """The pairs without an opponent, in a sentence."""
        names = ", ".join(self.byes(round_))
        if self._all_sit_out(round_):
            return gettext("Free this round: %(names)s", names=names)
        return gettext("Bye: %(names)s", names=names)

    def notes(self, match: Match) -> dict[str, str]:
        """The sentence of each note of the draw on a match."""
        return {note: gettext(NOTES[note]) for note in match.drawn_table.notes if note in NOTES}

    @property
    def groups_to_draw(self) -> list[tuple[str, GroupPlan]]:
        """The groups that the first draw can make, each with for whom; empty without groups, or
        after it."""
        if self.settings.format != "groups" or self.tournament.rounds or self.helper:
            return []
        everyone = coming_groups(self.tournament)
        here = len(self.tournament.active) - len(self.not_here)
        if not self.not_here or here < 2:
            return [("", everyone)]
        only_here = coming_groups(self.tournament, here)
        return [(gettext("Only those here"), only_here), (gettext("Everyone"), everyone)]

    @property
    def group_plan(self) -> GroupPlan | None:
        return planned_groups(self.tournament)

    def say(self, sentence: str, name: str, **values: int | str) -> str:
        """A translated sentence about a pair, whose verb goes with its name."""
        side = SideInSentence(name, number_of(name, TWO_PLAYERS))
        return sentence.format(side=side, **values)

    def group(self, match: Match) -> str:
        """The name of the group in which a match is played, or ""."""
        groups = self.places.groups
        number = groups.get(match.drawn_table.pairs[0])
        if number is None or groups.get(match.drawn_table.pairs[1]) != number:
            return ""
        return gettext("Group %(n)s", n=number)

    def third(self, match: Match) -> str:
        """The remark on a match for the third place, or ""."""
        return gettext("For the third place") if match.third else ""

    def round_notes(self, round_: Round) -> list[str]:
        return [gettext(NOTES[note]) for note in round_.notes if note in NOTES]

    def shared_notes(self, round_: Round) -> dict[str, str]:
        """A sentence with the table numbers for each note that several matches have."""
        matches_by_note: dict[str, list[Match]] = {}
        for match in self.matches(round_):
            for note in self.notes(match):
                matches_by_note.setdefault(note, []).append(match)
        return {
            note: gettext(
                "Table %(tables)s: %(note)s",
                tables=table_numbers(matches),
                note=gettext(NOTES[note]),
            )
            for note, matches in matches_by_note.items()
            if len(matches) > 1
        }

    def remarks(self, match: Match, shared: Mapping[str, str]) -> Markup:
        """Small print below a match on the desk, without the notes that it shares with others."""
        parts = [self.status(match), self._compared_entries(match), self.note_of_doubt(match)]
        parts += [gettext("locked")] if match.locked else []
        if self.table_label(match) != str(match.drawn_table.table):
            parts.append(gettext("Table %(n)s", n=self.table_label(match)))
        parts += [text for note, text in self.notes(match).items() if note not in shared]
        parts += [] if match.result else self._departures(match)
        return Markup(" · ").join(part for part in parts if part)

    def _departures(self, match: Match) -> list[str]:
        """For each pair of a match that has withdrawn, its name and that it has."""
        entrants = [self.tournament.entrants[pair] for pair in match.drawn_table.pairs]
        return [
            labelled(self.name(entrant.number), gettext("withdrawn"))
            for entrant in entrants
            if entrant.withdrawn
        ]

    def unconfirmed(self, match: Match) -> str:
        """Results entered but not valid yet: of one pair, or of both if they differ; else ""."""
        entered = {} if match.result else match.entered_results
        results = (entered.get("a"), entered.get("b"))
        return " ≠ ".join(self.games(match, games) for games in results if games)

    def _compared_entries(self, match: Match) -> Markup:
        """Like `unconfirmed`; games that the pairs entered differently are marked."""
        entered = {} if match.result else match.entered_results
        results = [entered[who] for who in "ab" if entered.get(who)]
        if len(results) < 2 or any(result.walkover for result in results):
            return escape(self.unconfirmed(match))
        lines_by_pair = [
            self.game_lines(match, one, other) for one, other in (results, results[::-1])
        ]
        texts = (
            Markup(", ").join(
                Markup("<b>{}</b>" if line.other else "{}").format(line.points) for line in lines
            )
            for lines in lines_by_pair
        )
        return Markup(" ≠ ").join(texts)

    def game_lines(
        self, match: Match, result: Result, other: Result | None, reader: int = 0
    ) -> list[GameLine]:
        """The games of a result, each beside that of another result if it differs.

        :param reader: the side whose points come first
        """
        games = _game_texts(match, result, reader)
        other_games = _game_texts(match, other, reader) if other else games
        return [
            GameLine(game, other_game if other_game != game else "")
            for game, other_game in zip_longest(games, other_games, fillvalue="–")
        ]

    def verdict(self, match: Match, result: Result, reader: int) -> str:
        """A sentence for one of the pairs: the winner of the match.

        :param reader: the side of whoever reads it
        """
        if result.walkover:
            return self.games(match, result)
        won, lost = result.games[0] if len(result.games) == 1 else match.won(result)
        games = f"{max(won, lost)}\u00a0:\u00a0{min(won, lost)}"
        if won == lost:
            return gettext("Nobody wins: %(games)s.", games=games)
        winner = int(lost > won)
        if winner == reader:
            return gettext("You win %(games)s.", games=games)
        return self.say(
            gettext("{side} {side:wins|win} {games}."), self.side(match, winner), games=games
        )

    @property
    def unfinished(self) -> str:
        """A sentence on the value of games that the clock ended; "" if there can be none."""
        mode = self.settings.scoring.unfinished
        return gettext(UNFINISHED_NAMES[mode]) if mode else ""

    def confirmed(self, match: Match) -> str:
        return confirmed(self.tournament, match)

    def note_of_doubt(self, match: Match) -> str:
        """A remark if the confirmation of a result is less reliable, or ""."""
        words = CONFIRMATION_REMARKS[self.confirmed(match)]
        return gettext(words) if words else ""

    def status(self, match: Match) -> str:
        return gettext(STATUS_NAMES[match.status])

    @cached_property
    def short_statuses(self) -> dict[str, str]:
        """The state of a match in one or two words, by status."""
        return {status: gettext(name) for status, name in SHORT_STATUS_NAMES.items()}

    def short_status(self, match: Match) -> str:
        """The state of a match in one or two words, also of a result that is not shown yet."""
        table = match.drawn_table.table
        newest = self.newest.matches.get(table) if self.newest else None
        if match is newest and table in self._hidden_results:
            return gettext("entered")
        return gettext(SHORT_STATUS_NAMES[match.status])

    def score(self, match: Match, reader: int = 0) -> str:
        """The games of the valid result, such as "15:8, 12:15", or "".

        :param reader: the side whose points come first
        """
        return "" if match.result is None else self.games(match, match.result, reader)

    def games(self, match: Match, result: Result, reader: int = 0) -> str:
        """The games of a result, each Retourschneider marked, or the walkover.

        :param reader: the side whose points come first
        """
        if result.walkover == "none":
            return gettext("nobody came")
        if result.walkover:
            name = self.side(match, result.walkover_winner)
            return gettext("without play: %(name)s", name=name)
        return ", ".join(_game_texts(match, result, reader))

    def short_score(self, match: Match) -> str:
        """Like `score`, without the winner's name, which is bold where its pair is shown."""
        return "" if match.result is None else self.short_games(match, match.result)

    def short_games(self, match: Match, result: Result) -> str:
        is_won = result.walkover_winner >= 0
        return gettext("without play") if is_won else self.games(match, result)

    def walkover_winner(self, match: Match) -> int:
        """The side that wins without play, or -1."""
        return -1 if match.result is None else match.result.walkover_winner

    def has_won(self, round_: Round, match: Match, side: int) -> bool:
        """Whether a side won more games. Points count only where they decide a match."""
        if match.winner != side:
            return False
        result = match.result
        assert result is not None
        won, lost = match.won(result)
        by_points = round_.knockout or "matches" in self.settings.ranking
        return bool(result.walkover) or won != lost or by_points

    def outcome(self, match: Match) -> str:
        """The games won and for whom, such as "2:1 for Anna & Bert"; "1:1" if level."""
        result = match.result
        if result is None or result.walkover:
            return ""
        won, lost = match.won(result)
        if won == lost:
            return f"{won}:{lost}"
        games = f"{max(won, lost)}:{min(won, lost)}"
        return gettext("%(games)s for %(name)s", games=games, name=self.side(match, won < lost))

    def pairs_at(self, match: Match) -> str:
        return pairs_at(match)

    def all_names(self, pair: int) -> str:
        """The name of a pair and those of its players, to search in."""
        entry = self.tournament.entrants[pair].pair
        return " ".join((entry.name, *entry.players))

    def more_names(self, match: Match) -> str:
        """The players' names that those of their pairs do not contain, to search in."""
        entries = (self.tournament.entrants[pair].pair for side in match.sides for pair in side)
        players = ((entry.name, " ".join(entry.players)) for entry in entries)
        return " – ".join(names for name, names in players if names and not has_words(name, names))

    def sums(self, match: Match) -> str:
        """Games won and points of both sides, such as 2:1 (42:26), or ""."""
        result = match.result
        if result is None or result.walkover:
            return ""
        points = [sum(game[side] for game in result.games) for side in (0, 1)]
        won, lost = match.won(result)
        return f"{won}:{lost} ({points[0]}:{points[1]})"

    def live(self, match: Match) -> str:
        """The live score of a table, or ""."""
        if not match.drawn_table.stream:
            return ""
        table = self._evening(match)
        if table is None:
            return "…"
        evening = table.evening
        # Taking over a link is recorded too, but is no play.
        if next(evening.played, None) is None:
            return ""
        state = evening.state
        return gettext(
            "game %(n)s, %(points)s", n=state.game, points=" : ".join(map(str, state.points))
        )

    def _evening(self, match: Match) -> Table | None:
        """The table scored live; None if the tables before it used up `MAX_STEPS_PER_READ`.

        All tables of its round are read together.
        """
        stream = match.drawn_table.stream
        if stream not in self._evenings:
            found = self.tournament.find_match(stream)
            matches = self.tournament.round(found[0]).matches.values() if found else [match]
            streams = [other.drawn_table.stream for other in matches if other.drawn_table.stream]
            tables_read = tables().current_within(streams, self._events_left)
            self._events_left -= sum(table.fold_steps for table in tables_read.values())
            self._evenings |= dict.fromkeys(streams) | tables_read
        return self._evenings[stream]

    def has_records(self, match: Match) -> bool:
        """Whether anything is recorded about a match, at the desk or live."""
        return bool(match.entered_results or self.live(match))

    def records_in(self, rounds: Sequence[Round]) -> int:
        """A number that grows with each record in these rounds. If it changes, the page asks again
        before it takes them back."""
        matches = [match for round_ in rounds for match in round_.matches.values()]
        return sum(len(match.history) or self.has_records(match) for match in matches)

    def recorded_matches(self, round_: Round) -> list[Match]:
        """Matches of a round that have any records."""
        return [match for _, match in sorted(round_.matches.items()) if self.has_records(match)]

    def matches(self, round_: Round) -> list[Match]:
        """The matches of a round in the order of their tables; for a helper those at the helper's
        tables."""
        helper, by_table = self.helper, sorted(round_.matches.items())
        return [match for table, match in by_table if helper is None or helper.may_enter(table)]

    def counts(self, round_: Round) -> dict[str, int]:
        counts = dict.fromkeys(STATUS_NAMES, 0)
        for match in self.matches(round_):
            counts[match.status] += 1
        return counts


def view_of(holder: KeyHolder) -> TournamentView:
    return TournamentView(tournaments().current(holder.stream), holder.key, holder.role)


def _game_texts(match: Match, result: Result, reader: int) -> list[str]:
    """The points of each game, those of `reader`'s side first. A Retourschneider has an R, an
    unfinished game a star.
    """
    marks = dict.fromkeys(result.retour, " R")
    for number, points in enumerate(result.games, 1):
        if match.is_unfinished(points):
            marks[number] = "*"
    return [
        f"{points[reader]}:{points[1 - reader]}{marks.get(number, '')}"
        for number, points in enumerate(result.games, 1)
    ]


def coded_text(error: Unreadable | Illegal) -> CodedText:
    """A refusal in the reader's language."""
    if isinstance(error, Illegal):
        sentences = SENTENCES if error.code in SENTENCES else REFUSALS
        text = refusal_text(error, translate=gettext, plural=ngettext, sentences=sentences)
        return CodedText(text, error.code)
    return unreadable_text(error)


def submit(
    holder: KeyHolder,
    stream: str,
    body: dict[str, Any],
    part: str = "",
    precondition: Callable[[Tournament], None] = lambda tournament: None,
) -> None:
    """Submit the event of a form.

    :param part: suffix of the idempotency key if a form records several events
    :param precondition: raises if a new event is not to follow the tournament's last
    :raises Unreadable: the body is not an event
    :raises Illegal: the event is not allowed now
    :raises KeyReused: the form has recorded another event
    """
    check_allowed(holder.role, body)
    idempotency_key = resent_forms.form_idempotency_key(stream) + part
    by = device_identity.signature(holder.role, stream)
    tournaments().record(
        stream, body, idempotency_key=idempotency_key, by=by, precondition=precondition
    )


STATUSES: Final[Mapping[str, int]] = {
    # Another state would allow it.
    "results-missing": 409,
    "all-played": 409,
    "drawn-already": 409,
    "locked": 409,
    "settled": 409,
    "finals-open": 409,
    "finals-drawn": 409,
    "qualifies-otherwise": 409,
    # A helper's link does not allow it.
    "only-the-director": 403,
    "other-tables": 403,
    "no-such-round": 404,
    "no-such-table": 404,
}
"""HTTP statuses of refusals in JSON; the others have 422."""


def illegal(error: Illegal) -> Response:
    """Response to `Illegal`, as a page or as JSON."""
    if not writes():
        raise error
    status = STATUSES.get(error.code, 422) if asks_json() else 422
    return refused(Refusal(coded_text(error), status))
