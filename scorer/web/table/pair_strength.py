"""Share of rounds won by the pairs of a table, from the ledgers of this device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scorer.engine.telling.player_statistics import interval
from scorer.web.frame.access import KeyHolder, ledgers
from scorer.web.frame.remembered_keys import LEDGERS_COOKIE, kept_holders
from scorer.web.rules.equity import SKILLS
from scorer.web.table.ledger_page import present_part, statistics_of
from scorer.web.table.table_view import TableView

EVEN: Final = 50


@dataclass(frozen=True, slots=True)
class PairStrength:
    percent: int
    """Resulting percentage of side 0, limited to `SKILLS`."""
    name: str
    share: float
    bounds: tuple[float, float]
    """95 percent confidence interval of the share."""
    rounds: int
    ledger: str


def pair_strengths(stream: str, view: TableView) -> list[PairStrength]:
    """From the device's ledgers that count this evening; [] for three sides."""
    if len(view.state.points) != 2:
        return []
    return [
        strength
        for holder in kept_holders(LEDGERS_COOKIE)
        for strength in _strengths_in(holder, stream, view)
    ]


def _strengths_in(holder: KeyHolder, stream: str, view: TableView) -> Iterator[PairStrength]:
    ledger = ledgers().current(holder.stream)
    if stream not in ledger.evenings:
        return
    accounts = statistics_of(present_part(ledger))
    for side in (0, 1):
        account = accounts.account_of(view.state.sides[side])
        if account is None or not account.rounds:
            continue
        share = account.rounds_won / account.rounds
        percent_won = round(100 * (share if side == 0 else 1 - share))
        bounds = interval(account.rounds_won, account.rounds)
        limited_percent = min(max(percent_won, SKILLS[0]), SKILLS[-1])
        yield PairStrength(
            limited_percent, view.name(side), share, bounds, account.rounds, ledger.name
        )
