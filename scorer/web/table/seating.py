"""Who sits where, deals, cuts, names the Schlag and leads."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from scorer.engine import State
from scorer.engine.scoring.dealing import all_redeal, keepers, roles
from scorer.engine.translatable import N_
from scorer.web.frame.translation import gettext

_REDEALT: Final = {
    "all": N_("all four get new cards"),
    "announcers": N_("the announcers get new cards"),
}


class Seats:
    """The seats of a table as they stand, in the reader's language.

    :param name: what a side is called
    """

    def __init__(self, state: State, name: Callable[[int], str]) -> None:
        self.state, self._seats = state, state.seats
        self._name = name

    @cached_property
    def dealer(self) -> str | None:
        state = self.state
        if state.dealer is None:
            return None
        return self._sits(state.dealer)

    def _sits(self, seat: int) -> str:
        """Who sits at a seat: a player, the partner nobody named, or a side without players."""
        side, name = self._seats[seat]
        if self._empty(seat):
            return gettext("%(name)s's partner", name=name)
        return self.called(name) if name else self._name(side)

    def _empty(self, seat: int) -> bool:
        """Whether nobody named who sits there, though the partner has a name."""
        players = self.state.sides[self._seats[seat][0]].players
        return 0 < len(players) <= seat // len(self.state.sides)

    def called(self, seat: str) -> str:
        """What sits at a seat: a player, or a side without players as this reader knows it."""
        sides = enumerate(self.state.sides)
        found = (at for at, side in sides if side.name == seat and not side.players)
        side = next(found, None)
        return seat if side is None else self._name(side)

    @cached_property
    def duties(self) -> dict[str, str]:
        """Who "deals", "cuts" and names the "schlag", by name; {} where a seat has none."""
        state = self.state
        seats = [at for at, (side, _) in enumerate(self._seats) if side != state.sits_out]
        names = [self._sits(seat) for seat in seats]
        players = all(side.players for side in state.sides)
        if state.dealer not in seats or not players:
            return {}
        who = roles(state.rules, len(seats), seats.index(state.dealer), state.swapped)
        return {"deals": names[who.deals], "cuts": names[who.cuts], "schlag": names[who.schlag]}

    @cached_property
    def procedure(self) -> str:
        """Who deals, cuts, names the Schlag and leads, where every seat has a name."""
        who = self.duties
        if not who:
            return ""
        line = gettext(
            "%(dealer)s deals, %(cutter)s cuts, %(schlag)s names the Schlag and leads",
            dealer=who["deals"],
            cutter=who["cuts"],
            schlag=who["schlag"],
        )
        return f"{line} · {gettext(_REDEALT[self.redealt])}" if self.state.schoenere else line

    @cached_property
    def keeping(self) -> str:
        """Before a deal: who may keep a Kritischer found at the cut, whoever cuts first."""
        who, turns = self.duties, keepers(self.state.rules)
        if not (who and turns and self.state.fresh):
            return ""
        names = dict.fromkeys(who[turn] for turn in turns)
        return gettext("may keep a Kritischer: %(names)s", names=", ".join(names))

    @property
    def added(self) -> bool:
        """Whether three sit here though the region's document knows no three sides (R1)."""
        return len(self.state.points) == 3 and self.state.rules.three_sides == "addition"

    @property
    def redealt(self) -> str:
        """Who got new cards at the last request for better ones: "all" or "announcers"."""
        return "all" if all_redeal(self.state.rules, self.state.schoenere) else "announcers"

    @property
    def players(self) -> list[tuple[str, ...]]:
        """The players of each side at their places, as far as they are named."""
        return [tuple([*side.players, "", ""][:2]) for side in self.state.sides]

    @property
    def chosen(self) -> list[tuple[str, str]]:
        """The seats that may deal: who sits there, and the name to record.

        None where nobody named the partner: the record knows a seat by its name.
        """
        seats = enumerate(self._seats)
        return [
            (self._sits(at), "" if self._empty(at) else name) for at, (_, name) in seats if name
        ]
