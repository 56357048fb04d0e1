"""What a correction would change beside its own table, asked before it is written."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine import Illegal
from scorer.engine.aggregate import apply
from scorer.tournament.event_types.results import Ergebnis, Leerung
from scorer.tournament.finals import qualified
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class FinalistChange:
    """Who would have come into the finals by a correction, and who would not."""

    come: tuple[int, ...]
    gone: tuple[int, ...]


def finalist_change(tournament: Tournament, event: Ergebnis | Leerung) -> FinalistChange | None:
    """How finals that are drawn would have been drawn otherwise, or None where they would not.

    :raises Illegal: the event cannot be
    """
    finals = tournament.settings.finals
    if finals is None or not tournament.finals_drawn:
        return None
    if tournament.round(event.round).final:
        return None
    after = apply(tournament, event)
    best = finals.best
    old = qualified(tournament.before_finals(), best)
    new = qualified(after.before_finals(), best)
    if set(old) == set(new):
        return None
    come = tuple(pair for pair in new if pair not in old)
    return FinalistChange(come, tuple(pair for pair in old if pair not in new))


def built_upon(tournament: Tournament, event: Ergebnis | Leerung) -> bool:
    """Whether rounds of a knock-out were drawn from a winner whom the event would change.

    :raises Illegal: the event cannot be for another reason
    """
    try:
        event.check(tournament)
    except Illegal as refusal:
        if refusal.code != "built-upon":
            raise
        return True
    return False
