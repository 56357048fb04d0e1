"""What comes next in a tournament: which round, for whom it waits, and who can still join."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from babel.lists import format_list
from flask_babel import get_locale

from scorer.tournament import Match, Round, Tournament
from scorer.tournament.draw import round_seed, seed_digest, upcoming
from scorer.tournament.event_types.draws import table_more
from scorer.tournament.finals import Cut, cuts, undecided
from scorer.tournament.table_assignment import extra_table
from scorer.web.frame.errors import CodedText
from scorer.web.frame.translation import gettext, ngettext


class NextRound:
    """What lies ahead of a tournament, in words for its pages."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    def newest(self) -> Round | None:
        """The round that is played."""
        return self.tournament.rounds[-1] if self.tournament.rounds else None

    @cached_property
    def stage(self) -> str | None:
        """The stage that would be drawn next; None where all is drawn."""
        return upcoming(self.tournament)

    @property
    def onward(self) -> CodedText | None:
        """Whom the winners of the round that is played meet next, where who loses is out."""
        newest, finals = self.newest, self.tournament.settings.finals
        if newest is None or not newest.knockout or self.stage is None:
            return None
        if len(newest.matches) + len(newest.byes) + len(newest.waiting) == 2:
            if newest.final and (finals is None or finals.third):
                text = gettext("The winners play the final, the losers for the third place.")
                return CodedText(text, "final-and-third")
            return CodedText(gettext("The winners play the final."), "final")
        if newest.final:
            text = gettext("Next the winners of the first two tables meet, of the next two too.")
            return CodedText(text, "bracket")
        return CodedText(
            gettext("The next round is drawn anew from all who are still in."), "drawn"
        )

    @property
    def blocked(self) -> str:
        """What the next final waits for: nothing can be drawn without its winners."""
        newest = self.newest
        if newest is None or not newest.final or self.stage is None:
            return ""
        tables = undecided(newest)
        if not tables:
            return ""
        return ngettext(
            "The next round waits for the winner of table %(tables)s.",
            "The next round waits for the winners of tables %(tables)s.",
            len(tables),
            tables=listing(tables),
        )

    @property
    def drawing_on(self) -> str:
        """What a draw now means for the tables that are open."""
        played = self.newest
        assert played is not None
        tables, count = listing(played.missing[:20]), len(played.missing)
        if played.stage == "knockout":
            return ngettext(
                "At table %(tables)s both stay in: whoever wins is drawn the round after.",
                "At tables %(tables)s all stay in: whoever wins is drawn the round after.",
                count,
                tables=tables,
            )
        if self.stage == "final":
            return ngettext(
                "The finals would be drawn without table %(tables)s.",
                "The finals would be drawn without tables %(tables)s.",
                count,
                tables=tables,
            )
        return ngettext(
            "Table %(tables)s can be entered later; its pairs are drawn all the same.",
            "Tables %(tables)s can be entered later; their pairs are drawn all the same.",
            count,
            tables=tables,
        )

    @cached_property
    def late(self) -> list[int]:
        """The pairs that came after the draw of the round that is played."""
        newest = self.newest
        if newest is None or newest.stage != "rounds" or newest.circles or not newest.missing:
            return []
        drawn = {*self.tournament.free(newest), *newest.playing}
        return [e.number for e in self.tournament.active if e.number not in drawn]

    @cached_property
    def joining(self) -> tuple[int, int] | None:
        """Who came late and whoever has a bye, or two who came late: they can still play."""
        tournament, newest = self.tournament, self.newest
        if not self.late or newest is None:
            return None
        byes = [pair for pair in tournament.free(newest) if tournament.entrants[pair].plays]
        first, second = [*byes, *self.late, 0][:2]
        two = (first, second)
        return two if table_more(tournament, newest, two) else None

    @property
    def joining_at(self) -> str:
        """The table that they get."""
        assert self.newest is not None
        return str(extra_table(self.tournament, self.newest).seat)

    @cached_property
    def level_for_finals(self) -> list[str]:
        """Who is level for a place in the finals that would be drawn next, as the results stand."""
        if self.stage != "final" or self.tournament.finals_drawn:
            return []
        return [self._level(cut) for cut in cuts(self.tournament)]

    def _level(self, cut: Cut) -> str:
        """The names of pairs that are level, of very many the first."""
        pairs = (*cut.come, *cut.gone)
        names = [self.tournament.entrants[pair].pair.name for pair in pairs[:12]]
        return "; ".join([*names, *["…"] * (len(pairs) > 12)])

    @property
    def digest(self) -> str:
        """The digest of what the next round is drawn from."""
        return seed_digest(round_seed(self.tournament))


def listing(matches: Sequence[Match]) -> str:
    """The tables of these matches, such as: 1, 2 and 5."""
    return format_list([str(match.drawn.table) for match in matches], locale=get_locale())
