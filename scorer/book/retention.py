"""Finds the evenings that nobody opens any more; `commands/expire.py` erases them.

Their pages show a notice first. Off by default: `scorer/config.py` reads the number of months
(`RETENTION`). Evenings of a ledger or a tournament are kept.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from scorer.book.ledgers import Ledgers, seal_role
from scorer.store import StoreError
from scorer.store.roles import TABLE_KIND
from scorer.store.sql_store import Store

NOTICE: Final = timedelta(days=30)
"""An evening is deleted at the earliest this long after the last visit that showed the notice. The
deletion must also have been announced on 30 days, so a clock that is wrong for a day deletes
nothing."""


def today() -> date:
    return datetime.now(UTC).date()


def add_months(day: date, months: int) -> date:
    """The same day so many months later, or the last day of that month.

    >>> str(add_months(date(2026, 8, 31), 6))
    '2027-02-28'
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@dataclass(frozen=True, slots=True)
class LastVisits:
    last_before_notice: date
    """The last visit before the notice was due."""
    last_visit: date
    announced_days: int = 0
    """On how many days the deletion was announced."""

    def notice_day(self, months: int) -> date:
        return add_months(self.last_before_notice, months)

    def deletion_day(self, months: int) -> date:
        return max(self.notice_day(months), self.last_visit) + NOTICE


class Retention:
    """Records visits of one store's evenings, and lists those due for deletion.

    :param months: months without a visit before the notice; 0: never
    """

    def __init__(self, store: Store, months: int, today: Callable[[], date] = today) -> None:
        self._store, self._months, self._today = store, months, today
        self._ledgers = Ledgers(store)
        self._todays_results: tuple[date | None, dict[str, date | None]] = None, {}
        """A day, and that day's results of `note_visit` by stream."""

    def note_visit(self, stream: str) -> date | None:
        """Note a visit of an evening; return its day of deletion, or None while no notice is
        due."""
        if not self._months:
            return None
        today = self._today()
        results = self._results_of(today)
        if stream not in results:
            deletion_day = None
            # A read-only database must not break the page.
            with suppress(StoreError):
                deletion_day = self._note_and_get_deletion_day(stream, today)
            results[stream] = deletion_day
        return results[stream]

    def extend(self, stream: str) -> None:
        """Restart the period today."""
        if not self._months:
            return
        today = self._today()
        self._note(stream, LastVisits(today, today))
        self._results_of(today)[stream] = None

    def announce_and_list_due(self) -> Iterator[str]:
        """The evenings to be deleted today; announces the deletion of others. The period of an
        unknown one starts today."""
        today = self._today()
        for stream in self._store.streams(TABLE_KIND):
            visits = self._read_visits(stream)
            if visits is None:
                self._note(stream, LastVisits(today, today))
            elif visits.notice_day(self._months) <= today and self._is_unreferenced(stream):
                self._store.note_announced(stream, today.isoformat())
                visits = self._read_visits(stream) or visits
                # Today is counted too.
                announced_long_enough = visits.announced_days > NOTICE.days
                if announced_long_enough and visits.deletion_day(self._months) <= today:
                    yield stream

    def _results_of(self, today: date) -> dict[str, date | None]:
        if self._todays_results[0] != today:
            self._todays_results = today, {}
        return self._todays_results[1]

    def _note_and_get_deletion_day(self, stream: str, today: date) -> date | None:
        """Note a visit; return the day of deletion, or None while no notice is due."""
        before = self._read_visits(stream) or LastVisits(today, today)
        is_running = today < before.notice_day(self._months)
        visits = LastVisits(today if is_running else before.last_before_notice, today)
        self._note(stream, visits)
        return (
            None
            if is_running or not self._is_unreferenced(stream)
            else visits.deletion_day(self._months)
        )

    def _read_visits(self, stream: str) -> LastVisits | None:
        row = self._store.visit_days(stream)
        if row is None:
            return None
        before_notice, last, announced_days = row
        return LastVisits(
            date.fromisoformat(before_notice), date.fromisoformat(last), announced_days
        )

    def _note(self, stream: str, visits: LastVisits) -> None:
        self._store.note_visit(
            stream, visits.last_before_notice.isoformat(), visits.last_visit.isoformat()
        )

    def _is_unreferenced(self, stream: str) -> bool:
        """Whether no tournament has a key of it and no ledger counts it."""
        ledgers = self._store.streams_holding(seal_role(stream))
        # A ledger also keeps keys of dropped evenings.
        counted = any(stream in self._ledgers.current(ledger).evenings for ledger in ledgers)
        # A tournament seals the keys of its tables under their streams.
        return not counted and not self._store.has_seals_of_role(stream)
