"""The next round of a tournament: its stage, what blocks it, and late pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from babel.lists import format_list
from flask_babel import get_locale

from scorer.tournament import Match, Round, Tournament, standings
from scorer.tournament.deciders import ties_for_finals
from scorer.tournament.event_types.draws import gets_extra_table
from scorer.tournament.finals import contested_place, qualifying_pairs, undecided_matches
from scorer.tournament.round_robin import group_of
from scorer.tournament.seeds import round_seed, seed_digest
from scorer.tournament.stages import next_stage
from scorer.tournament.table_assignment import extra_table
from scorer.web.frame.errors import CodedText
from scorer.web.frame.translation import gettext, ngettext


class NextRound:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    def newest(self) -> Round | None:
        """The current round, or None before the first draw."""
        return self.tournament.rounds[-1] if self.tournament.rounds else None

    @cached_property
    def stage(self) -> str | None:
        """Stage of the next round, or None after the last."""
        return next_stage(self.tournament)

    @property
    def marked_as_here(self) -> int:
        """The number of pairs or players that are marked as here."""
        return sum(entrant.here for entrant in self.tournament.active_entrants)

    @property
    def has_few_present(self) -> bool:
        """Whether fewer than half are marked as here: probably nobody marked the others."""
        return 2 * self.marked_as_here < len(self.tournament.active_entrants)

    @property
    def how_winners_go_on(self) -> CodedText | None:
        """How the winners of a knock-out round go on, or None."""
        newest = self.newest
        if newest is None or not newest.is_knockout or self.stage is None:
            return None
        if len(newest.matches) + len(newest.byes) + len(newest.waiting) == 2:
            if newest.is_final and self.tournament.settings.plays_for_third:
                text = gettext("The winners play the final, the losers for the third place.")
                return CodedText(text, "final-and-third")
            return CodedText(gettext("The winners play the final."), "final")
        if newest.is_final:
            text = gettext(
                "Next, the winners of tables 1 and 2 meet, those of tables 3 and 4, and so on."
            )
            return CodedText(text, "bracket")
        return CodedText(
            gettext("The next round is drawn anew from all who are still in."), "drawn"
        )

    @property
    def why_blocked(self) -> str:
        """Which winners the next final waits for, as a sentence, or ""."""
        newest = self.newest
        if newest is None or not newest.is_final or self.stage is None:
            return ""
        tables = undecided_matches(newest)
        if not tables:
            return ""
        return ngettext(
            "The next round waits for the winner of table %(tables)s.",
            "The next round waits for the winners of tables %(tables)s.",
            len(tables),
            tables=table_numbers(tables),
        )

    @property
    def draw_now_warning(self) -> str:
        """A warning that names the unfinished tables and how they count in the next round."""
        round_ = self.newest
        assert round_ is not None
        count = len(round_.unfinished)
        tables = table_numbers(round_.unfinished)
        if round_.stage == "knockout":
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
    def late_in_this_round(self) -> list[int]:
        """Pairs that entered after the current round was drawn."""
        newest = self.newest
        if newest is None or newest.stage != "rounds" or newest.circles or not newest.unfinished:
            return []
        drawn_pairs = {*self.tournament.bye_pairs(newest), *newest.playing}
        return [
            entrant.number
            for entrant in self.tournament.active_entrants
            if entrant.number not in drawn_pairs
        ]

    @cached_property
    def new_in_next_round(self) -> list[str]:
        """Names of pairs that the next round draws for the first time, once the newest is over."""
        newest = self.newest
        if (
            newest is None
            or newest.stage != "rounds"
            or newest.unfinished
            or self.stage != "rounds"
        ):
            return []
        rounds = self.tournament.rounds
        drawn_pairs = {
            pair
            for round_ in rounds
            for pair in (*self.tournament.bye_pairs(round_), *round_.playing)
        }
        new = (
            entrant
            for entrant in self.tournament.active_entrants
            if entrant.number not in drawn_pairs
        )
        return [entrant.pair.name for entrant in new]

    @cached_property
    def extra_table_pairs(self) -> tuple[int, int] | None:
        """Two pairs, late or with a bye, that can play at an extra table, or None."""
        tournament, newest = self.tournament, self.newest
        if not self.late_in_this_round or newest is None:
            return None
        byes = [pair for pair in tournament.bye_pairs(newest) if tournament.entrants[pair].plays]
        # Pair 0 does not exist: with one pair, there is no game.
        first, second = [*byes, *self.late_in_this_round, 0][:2]
        pairs = (first, second)
        return pairs if gets_extra_table(tournament, newest, pairs) else None

    @property
    def extra_table_label(self) -> str:
        assert self.newest is not None
        return str(extra_table(self.tournament, self.newest).hall_table)

    @cached_property
    def names_at_qualifying_line(self) -> list[str]:
        """Names of level pairs that must play a deciding game before the finals can be drawn; those
        of each group apart, unless they compete across the groups.
        """
        if self.stage != "final" or self.tournament.finals_drawn:
            return []
        ties = ties_for_finals(self.tournament, standings(self.tournament))
        groups = {} if contested_place(self.tournament) else group_of(self.tournament)
        return [
            _level_names(names, number)
            for tie in ties
            for number, names in self._names_by_group(tie.pairs, groups)
        ]

    @cached_property
    def finalist_names(self) -> list[tuple[str, list[str]]]:
        """The names of the pairs that would qualify if the finals were drawn now, by group."""
        finals = self.tournament.settings.finals
        if self.stage != "final" or self.tournament.finals_drawn or finals is None:
            return []
        qualifying = qualifying_pairs(self.tournament, finals.best)
        return [
            (gettext("Group %(n)s", n=number) if number else "", names)
            for number, names in self._names_by_group(qualifying, group_of(self.tournament))
        ]

    def _names_by_group(
        self, pairs: Iterable[int], groups: Mapping[int, int]
    ) -> list[tuple[int, list[str]]]:
        """The number of each group with the names of its pairs; 0 for pairs without one."""
        names: dict[int, list[str]] = {}
        for pair in pairs:
            name = self.tournament.entrants[pair].pair.name
            names.setdefault(groups.get(pair, 0), []).append(name)
        return sorted(names.items())

    @property
    def next_seed_digest(self) -> str:
        """Commitment to the next round's seed."""
        return seed_digest(round_seed(self.tournament))


MAX_NAMED_PAIRS: Final = 6


def _level_names(names: Sequence[str], group: int) -> str:
    """The names of level pairs as text, of many the first ones and a count, with their group if
    any.
    """
    left_out = len(names) - MAX_NAMED_PAIRS
    more = [ngettext("%(num)s more", "%(num)s more", left_out)] if left_out > 0 else []
    text = "; ".join([*names[:MAX_NAMED_PAIRS], *more])
    return gettext("%(names)s (group %(n)s)", names=text, n=group) if group else text


MAX_NAMED_TABLES: Final = 20


def table_numbers(matches: Sequence[Match]) -> str:
    """The table numbers as text, such as: 1, 2 and 5; of many the first ones and "…"."""
    numbers = [str(match.drawn_table.table) for match in matches[:MAX_NAMED_TABLES]]
    more = ["…"] * (len(matches) > MAX_NAMED_TABLES)
    return format_list([*numbers, *more], locale=get_locale())
