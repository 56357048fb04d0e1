"""Effects of a correction on other rounds, computed before it is recorded."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine import Illegal
from scorer.engine.aggregate import apply
from scorer.tournament.event_types.results import Ergebnis, Leerung
from scorer.tournament.finals import qualifying_pairs
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class FinalistChange:
    """Pairs that a correction would add to the finals and remove from them."""

    qualified: tuple[int, ...]
    eliminated: tuple[int, ...]


def finalist_change(tournament: Tournament, event: Ergebnis | Leerung) -> FinalistChange | None:
    """The change in the finalists, or None if no finals are drawn or the finalists stay the same.

    :raises Illegal: the event is not allowed
    """
    finals = tournament.settings.finals
    if finals is None or not tournament.finals_drawn:
        return None
    if tournament.round(event.round).is_final:
        return None
    after = apply(tournament, event)
    best = finals.best
    old = qualifying_pairs(tournament.before_finals(), best)
    new = qualifying_pairs(after.before_finals(), best)
    if set(old) == set(new):
        return None
    return FinalistChange(
        qualified=tuple(pair for pair in new if pair not in old),
        eliminated=tuple(pair for pair in old if pair not in new),
    )


def changes_drawn_winner(tournament: Tournament, event: Ergebnis | Leerung) -> bool:
    """Whether knock-out rounds were drawn from a winner that the event would change.

    :raises Illegal: the event is not allowed for another reason
    """
    try:
        event.check(tournament)
    except Illegal as refusal:
        if refusal.code != "built-upon":
            raise
        return True
    return False
