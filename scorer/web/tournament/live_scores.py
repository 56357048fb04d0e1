"""Live scores and records of a tournament's tables."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.book.stream_cache import MAX_COST_PER_READ
from scorer.book.tables import Table
from scorer.tournament import Match, Round, Tournament
from scorer.web.frame.access import tables
from scorer.web.frame.translation import gettext


class LiveScores:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._evenings: dict[str, Table | None] = {}
        """Tables scored live by stream; None for those not read."""
        self._cost_left = MAX_COST_PER_READ
        """Events that may still be replayed."""

    def text(self, match: Match) -> str:
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
        """The table scored live; None if the tables before it used up `MAX_COST_PER_READ`.

        All tables of its round are read together.
        """
        stream = match.drawn_table.stream
        if stream not in self._evenings:
            round_match = self.tournament.find_match(stream)
            matches = (
                self.tournament.round(round_match[0]).matches.values() if round_match else [match]
            )
            streams = [other.drawn_table.stream for other in matches if other.drawn_table.stream]
            tables_read = tables().current_within(streams, self._cost_left)
            self._cost_left -= sum(table.replay_cost for table in tables_read.values())
            self._evenings |= dict.fromkeys(streams) | tables_read
        return self._evenings[stream]

    def has_records(self, match: Match) -> bool:
        """Whether anything is recorded about a match, at the desk or live."""
        return bool(match.entered_results or self.text(match))

    def records_in(self, rounds: Sequence[Round]) -> int:
        """A number that grows with each record in these rounds. If it changes, the page asks again
        before it takes them back."""
        matches = [match for round_ in rounds for match in round_.matches.values()]
        return sum(len(match.history) or self.has_records(match) for match in matches)

    def recorded_matches(self, round_: Round) -> list[Match]:
        """Matches of a round that have any records."""
        return [match for _, match in sorted(round_.matches.items()) if self.has_records(match)]
