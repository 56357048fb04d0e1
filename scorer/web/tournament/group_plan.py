"""Sentences about groups: their sizes, the places that qualify, contradictory settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from babel.lists import format_list
from flask_babel import get_locale

from scorer.tournament import Tournament
from scorer.tournament.finals import (
    drawn_group_sizes,
    finalist_count,
    most_finalists_of_groups,
    qualifying_places,
)
from scorer.tournament.round_robin import group_sizes
from scorer.tournament.settings import Settings
from scorer.web.frame.errors import CodedText
from scorer.web.frame.translation import gettext, ngettext


class GroupPlan:
    """:param sizes: the number of pairs in each group, the largest first"""

    def __init__(self, settings: Settings, sizes: Sequence[int]) -> None:
        self.settings, self.sizes = settings, sizes
        self.places, self.extra_pairs = qualifying_places(settings, sizes)

    @property
    def sentence(self) -> str:
        """The groups and the places that qualify, such as: 3 groups: 4, 4, 4 pairs. The first …"""
        groups = ngettext(
            "%(num)s group: %(sizes)s pairs",
            "%(num)s groups: %(sizes)s pairs",
            len(self.sizes),
            sizes=", ".join(map(str, self.sizes)),
        )
        return ". ".join(filter(None, (groups, self.advancing)))

    @property
    def advancing(self) -> str:
        """The places of each group that qualify for the finals, or ""."""
        if not self.places and not self.extra_pairs:
            return ""
        if not self.places:
            return ngettext(
                "The best first of all groups goes on",
                "The best %(num)s firsts of all groups go on",
                self.extra_pairs,
            )
        first = ngettext(
            "The first of each group goes on", "The first %(num)s of each group go on", self.places
        )
        if not self.extra_pairs:
            return first
        also = ngettext(
            "also the best in place %(place)s",
            "also the best %(num)s in place %(place)s",
            self.extra_pairs,
            place=self.places + 1,
        )
        return f"{first}, {also}"

    @property
    def doubts(self) -> list[CodedText]:
        """The settings that these groups cannot fulfil, one sentence each."""
        return [
            text
            for text in (
                self._too_many_groups,
                self._all_qualify,
                self._finals_of_other_size,
                self._unequal_rivals,
            )
            if text
        ]

    @property
    def _too_many_groups(self) -> CodedText | None:
        wanted_count = self.settings.groups.count
        if wanted_count <= len(self.sizes):
            return None
        text = ngettext(
            "%(asked)s groups need at least %(least)s pairs, and %(num)s is on the list.",
            "%(asked)s groups need at least %(least)s pairs, and %(num)s are on the list.",
            sum(self.sizes),
            asked=wanted_count,
            least=2 * wanted_count,
        )
        return CodedText(text, "too-many-groups")

    @property
    def _all_qualify(self) -> CodedText | None:
        smallest = min(self.sizes)
        if self.places < smallest:
            return None
        text = gettext(
            "In a group of %(n)s pairs all go on to the finals: choose fewer groups.", n=smallest
        )
        return CodedText(text, "all-go-on")

    @property
    def _finals_of_other_size(self) -> CodedText | None:
        """The finals have more or fewer places than the groups have qualifying places."""
        if self.settings.finals is None:
            return None
        count = finalist_count(self.settings, self.sizes)
        finalists = most_finalists_of_groups(self.settings, self.sizes)
        if finalists > count:
            text = gettext(
                "%(named)s pairs of the groups are set to go on, but only %(count)s to the finals, "
                "so the others stay out. Choose more pairs for the finals, or fewer of each group.",
                named=finalists,
                count=count,
            )
            return CodedText(text, "finals-too-small")
        if self.settings.finals.best > count:
            text = gettext(
                "The finals are set to the best %(best)s, but only %(count)s pairs go on.",
                best=self.settings.finals.best,
                count=count,
            )
            return CodedText(text, "finals-too-large")
        return None

    @property
    def _unequal_rivals(self) -> CodedText | None:
        """Pairs of groups of different size compete for the last places in the finals."""
        if not self.extra_pairs or len({*self.sizes}) == 1:
            return None
        text = gettext(
            "Pairs in place %(place)s are compared by their totals, but in a larger group they "
            "play more games. Choose groups of one size, or let none in place %(place)s go on.",
            place=self.places + 1,
        )
        return CodedText(text, "unequal-groups")

    @property
    def draw_anyway(self) -> str:
        """The button that draws these groups in spite of a doubt."""
        return ngettext(
            "Draw %(num)s group of %(sizes)s pairs all the same",
            "Draw %(num)s groups of %(sizes)s pairs all the same",
            len(self.sizes),
            sizes=_either(dict.fromkeys(self.sizes)),
        )


def _either(sizes: Collection[int]) -> str:
    """Such as: 4 or 3."""
    return format_list([str(size) for size in sizes], "or", locale=get_locale())


def coming_groups(tournament: Tournament, pairs: int | None = None) -> GroupPlan:
    """The groups that the first draw makes.

    :param pairs: how many are drawn, by default all on the list
    """
    count = len(tournament.active_entrants) if pairs is None else pairs
    return GroupPlan(tournament.settings, group_sizes(tournament.settings, count))


def planned_groups(tournament: Tournament) -> GroupPlan | None:
    """The groups of a tournament, drawn or to come; None without groups."""
    settings = tournament.settings
    if settings.format != "groups":
        return None
    if tournament.rounds:
        return GroupPlan(settings, sorted(drawn_group_sizes(tournament), reverse=True))
    if len(tournament.active_entrants) < 2:
        return full_groups(settings)
    return coming_groups(tournament)


def full_groups(settings: Settings) -> GroupPlan:
    """The groups of the settings if enough pairs come."""
    return GroupPlan(settings, [settings.groups.best + 1] * settings.groups.count)
