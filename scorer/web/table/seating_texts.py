"""Seats, and who deals, cuts, names the Schlag and leads."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from scorer.engine import State
from scorer.engine.scoring.seat_roles import keepers, redeals_all_hands, roles
from scorer.engine.telling.side_names import isolated
from scorer.engine.translatable import N_
from scorer.web.frame.translation import gettext

_REDEAL_TEXTS: Final = {
    "all": N_("all four get new cards"),
    "announcers": N_("the announcers get new cards"),
}


class Seating:
    """The current seats, in the reader's language.

    :param name: gives a side's name
    """

    def __init__(self, state: State, name: Callable[[int], str]) -> None:
        self.state, self._seats = state, state.seats
        self._name = name

    @cached_property
    def dealer(self) -> str | None:
        state = self.state
        if state.dealer is None:
            return None
        return self._name_at(state.dealer)

    def _name_at(self, seat: int) -> str:
        """Name at a seat: a player, an unnamed partner, or a side without players."""
        side, name = self._seats[seat]
        if self._is_unnamed_partner(seat):
            return gettext("%(name)s's partner", name=name)
        return self.name_of(name) if name else self._name(side)

    def _is_unnamed_partner(self, seat: int) -> bool:
        """Whether the seat has no name, but the partner's has."""
        players = self.state.sides[self._seats[seat][0]].players
        return 0 < len(players) <= seat // len(self.state.sides)

    def name_of(self, seat: str) -> str:
        """The reader's name for a seat in the record: a player, or a side without players."""
        sides = enumerate(self.state.sides)
        matches = (index for index, side in sides if side.name == seat and not side.players)
        side = next(matches, None)
        return seat if side is None else self._name(side)

    @cached_property
    def duties(self) -> dict[str, str]:
        """Names by field of `SeatRoles`; {} if unknown. The cutter is "" if nobody cuts there."""
        state = self.state
        seats = [seat for seat, (side, _) in enumerate(self._seats) if side != state.sits_out]
        names = [self._name_at(seat) for seat in seats]
        players = all(side.players for side in state.sides)
        if state.dealer not in seats or not players:
            return {}
        seat_roles = roles(state.rules, len(seats), seats.index(state.dealer), state.roles_swapped)
        cutter = names[seat_roles.cutter] if state.rules.rule_ids("cutter") else ""
        return {
            "dealer": names[seat_roles.dealer],
            "cutter": cutter,
            "schlag_announcer": names[seat_roles.schlag_announcer],
        }

    @cached_property
    def procedure(self) -> str:
        """The duties as a sentence; "" if unknown."""
        duties = self.duties
        if not duties:
            return ""
        names = {duty: isolated(name) for duty, name in duties.items()}
        names["schlag"] = names.pop("schlag_announcer")
        if not duties["cutter"]:
            line = gettext("%(dealer)s deals, %(schlag)s names the Schlag and leads", **names)
        elif duties["cutter"] == duties["schlag_announcer"]:
            line = gettext("%(dealer)s deals, %(cutter)s cuts, names the Schlag and leads", **names)
        else:
            line = gettext(
                "%(dealer)s deals, %(cutter)s cuts, %(schlag)s names the Schlag and leads", **names
            )
        return (
            f"{line} · {gettext(_REDEAL_TEXTS[self.redeal_scope])}"
            if self.state.schoenere
            else line
        )

    @cached_property
    def keeper_note(self) -> str:
        """Before the deal: who may keep a Kritischer found at the cut; else ""."""
        duties, keeper_duties = self.duties, keepers(self.state.rules)
        if not (duties and keeper_duties and self.state.round_is_new):
            return ""
        names = dict.fromkeys(isolated(duties[duty]) for duty in keeper_duties)
        return gettext("May keep a Kritischer: %(names)s", names=", ".join(names))

    @property
    def is_addition(self) -> bool:
        """Whether there are three sides, though the region's document has none (R1)."""
        return len(self.state.points) == 3 and self.state.rules.three_sides == "addition"

    @property
    def redeal_scope(self) -> str:
        """The players with new cards since the last request: "all" or "announcers"."""
        return "all" if redeals_all_hands(self.state.rules, self.state.schoenere) else "announcers"

    @property
    def players(self) -> list[tuple[str, ...]]:
        """Two names per side, "" for missing ones."""
        return [tuple([*side.players, "", ""][:2]) for side in self.state.sides]

    @property
    def dealer_choices(self) -> list[tuple[str, str]]:
        """Seats that may deal: (name, name to record). The latter is "" for an unnamed partner, as
        records know seats by name."""
        seats = enumerate(self._seats)
        return [
            (self._name_at(seat), "" if self._is_unnamed_partner(seat) else name)
            for seat, (_, name) in seats
            if name
        ]
