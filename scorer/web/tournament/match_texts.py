"""The texts of a match: its sides, state, results and remarks."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cached_property
from itertools import zip_longest
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from scorer.engine.telling.side_grammar import SideInSentence, grammatical_number
from scorer.tournament import Match, Round, Tournament
from scorer.tournament.desk_input import pairs_at
from scorer.tournament.english_sentences import NOTES
from scorer.tournament.match import Result
from scorer.tournament.name_matching import word_fit
from scorer.web.frame.language import labelled, score_text
from scorer.web.frame.translation import gettext
from scorer.web.tournament.labels import SHORT_STATUS_NAMES, STATUS_NAMES
from scorer.web.tournament.result_signatures import CONFIRMATION_REMARKS, confirmation_kind

TWO_PLAYERS: Final = ("", "")
"""A pair has two players, so its name may be a plural."""


class GameLine(NamedTuple):
    """A game of one pair's result."""

    points: str
    other: str
    """The same game as the other pair entered it, if that differs; else ""."""


class MatchTexts:
    """:param groups: the group of each pair; empty without groups
    :param hidden_tables: tables of the newest round with a result that is not shown yet
    """

    def __init__(
        self, tournament: Tournament, groups: Mapping[int, int], hidden_tables: Set[int]
    ) -> None:
        self.tournament = tournament
        self._groups, self._hidden_tables = groups, hidden_tables

    def side(self, match: Match, side: int) -> str:
        return self.tournament.side_name(match, side)

    def pairing(self, match: Match) -> str:
        """Both sides, such as: Anna & Bert – Cilli & Dora."""
        return f"{self.side(match, 0)} – {self.side(match, 1)}"

    def numbers(self, match: Match, side: int) -> str:
        """The start numbers of a side; in a knock-out with its lot if different, or one of many."""
        numbers = "+".join(map(str, match.sides[side]))
        lot = match.drawn_table.lots[side]
        is_knockout = self.tournament.settings.format == "knockout"
        if is_knockout and (str(lot) != numbers or self._has_several_lots(match.sides[side][0])):
            return gettext("%(pair)s, lot %(lot)s", pair=numbers, lot=lot)
        return numbers

    def _has_several_lots(self, pair: int) -> bool:
        is_knockout = self.tournament.settings.format == "knockout"
        return is_knockout and self.tournament.entrants[pair].pair.entries > 1

    def side_with_lot(self, match: Match, side: int) -> str:
        """A side's name, followed by its lot if it has several."""
        lot = match.drawn_table.lots[side]
        return self._with_lot(self.side(match, side), match.sides[side][0], lot)

    def name_with_lot(self, pair: int, lot: int) -> str:
        """A pair's name, followed by the lot if it has several."""
        return self._with_lot(self.tournament.entrants[pair].pair.name, pair, lot)

    def _with_lot(self, name: str, pair: int, lot: int) -> str:
        if not self._has_several_lots(pair):
            return name
        return gettext("%(name)s, lot %(lot)s", name=name, lot=lot)

    def table_label(self, match: Match) -> str:
        """The hall's table number, with the wave if not the first."""
        if match.drawn_table.wave > 1:
            return gettext(
                "%(table)s, wave %(n)s", table=match.hall_table, n=match.drawn_table.wave
            )
        return str(match.hall_table)

    def notes(self, match: Match) -> dict[str, str]:
        """The sentence of each note of the draw on a match. Notes on single players are left out,
        because they compare only two of the four.
        """
        if match.drawn_table.teams:
            return {}
        return {note: gettext(NOTES[note]) for note in match.drawn_table.notes if note in NOTES}

    def say(self, sentence: str, name: str, **values: int | str) -> str:
        """A translated sentence about a pair, whose verb goes with its name."""
        side = SideInSentence(name, grammatical_number(name, TWO_PLAYERS))
        return sentence.format(side=side, **values)

    def table_name(self, match: Match) -> str:
        return gettext("Table %(n)s", n=self.table_label(match))

    def group(self, match: Match) -> str:
        """The name of the group in which a match is played, or ""."""
        number = self._groups.get(match.drawn_table.pairs[0])
        if number is None or self._groups.get(match.drawn_table.pairs[1]) != number:
            return ""
        return gettext("Group %(n)s", n=number)

    def third(self, match: Match) -> str:
        """The remark on a match for the third place, or ""."""
        return gettext("For the third place") if match.is_third_place else ""

    def remarks(self, match: Match, shared: Mapping[str, str]) -> Markup:
        """Small print below a match on the desk, without the notes that it shares with others."""
        parts = [self.status(match), self._compared_entries(match), self.note_of_doubt(match)]
        parts += [gettext("locked")] if match.locked else []
        if self.table_label(match) != str(match.drawn_table.table):
            parts.append(gettext("Table %(n)s", n=self.table_label(match)))
        parts += [text for note, text in self.notes(match).items() if note not in shared]
        parts += [] if match.result else self.departures(match)
        return Markup(" · ").join(part for part in parts if part)

    def departures(self, match: Match) -> list[str]:
        """For each pair of a match that has withdrawn, its name and that it has."""
        entrants = [self.tournament.entrants[pair] for pair in match.drawn_table.pairs]
        return [
            labelled(entrant.pair.name, gettext("withdrawn"))
            for entrant in entrants
            if entrant.withdrawn
        ]

    def has_left(self, match: Match, side: int) -> bool:
        """Whether a pair of a side has withdrawn."""
        return any(self.tournament.entrants[pair].withdrawn for pair in match.sides[side])

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

    def verdict(self, match: Match, result: Result, reader: int | None = None) -> str:
        """A sentence that says who wins the match.

        :param reader: the side of whoever reads it; None for the director
        """
        if result.walkover:
            return self.games(match, result)
        won, lost = result.games[0] if len(result.games) == 1 else match.games_won(result)
        games = score_text((max(won, lost), min(won, lost)))
        if won == lost:
            return gettext("Nobody wins: %(games)s.", games=games)
        winner = int(lost > won)
        if winner == reader:
            return gettext("You win %(games)s.", games=games)
        return self.say(
            gettext("{side} {side:wins|win} {games}."), self.side(match, winner), games=games
        )

    def confirmation_kind(self, match: Match) -> str:
        return confirmation_kind(self.tournament, match)

    def note_of_doubt(self, match: Match) -> str:
        """A remark if the confirmation of a result is less reliable, or ""."""
        words = CONFIRMATION_REMARKS[self.confirmation_kind(match)]
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
        if table in self._hidden_tables and match is self.tournament.rounds[-1].matches.get(table):
            return gettext("entered")
        if match.status == "entered":
            return gettext("being confirmed")
        return gettext(SHORT_STATUS_NAMES[match.status])

    def score(self, match: Match, reader: int = 0) -> str:
        """The games of the valid result, such as "15:8, 12:15", or "". Those that do not count are
        in parentheses.

        :param reader: the side whose points come first
        """
        games = "" if match.result is None else self.games(match, match.result, reader)
        return self.as_counted(match, games)

    def own_score(self, match: Match, side: int) -> str:
        """Like `score` for one of the sides; a walkover says whether that side won it."""
        if match.result is None or match.result.walkover_winner < 0:
            return self.score(match, side)
        is_won = match.result.walkover_winner == side
        text = gettext("won without play") if is_won else gettext("lost without play")
        return self.as_counted(match, text)

    def as_counted(self, match: Match, score: str) -> str:
        """The score, in parentheses if it does not count."""
        return f"({score})" if score and self.tournament.is_annulled(match) else score

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
        games = "" if match.result is None else self.short_games(match, match.result)
        return self.as_counted(match, games)

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
        won, lost = match.games_won(result)
        by_points = round_.is_knockout or "matches" in self.tournament.settings.ranking
        return bool(result.walkover) or won != lost or by_points

    def winning_side(self, round_: Round, match: Match) -> int:
        """The side that has won more games (0 or 1), or -1."""
        return next((side for side in (0, 1) if self.has_won(round_, match, side)), -1)

    def outcome(self, match: Match) -> str:
        """The games won and for whom, such as "2:1 for Anna & Bert"; "1:1" if level."""
        result = match.result
        if result is None or result.walkover:
            return ""
        won, lost = match.games_won(result)
        if won == lost:
            return f"{won}:{lost}"
        games = f"{max(won, lost)}:{min(won, lost)}"
        return gettext("%(games)s for %(name)s", games=games, name=self.side(match, won < lost))

    def pairs_at(self, match: Match) -> str:
        return pairs_at(match)

    def more_names(self, match: Match) -> str:
        """The players' names that those of their pairs do not contain, to search in."""
        entries = (self.tournament.entrants[pair].pair for side in match.sides for pair in side)
        players = ((entry.name, " ".join(entry.players)) for entry in entries)
        return " – ".join(names for name, names in players if names and not word_fit(name, names))

    def sums(self, match: Match) -> str:
        """Games won and points of both sides, such as 2:1 (42:26), or ""."""
        result = match.result
        if result is None or result.walkover:
            return ""
        points = [sum(game[side] for game in result.games) for side in (0, 1)]
        won, lost = match.games_won(result)
        return f"{won}:{lost} ({points[0]}:{points[1]})"


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
