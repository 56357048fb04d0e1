"""New events, announced to other processes: the trigger that notifies, and who listens to it."""

from __future__ import annotations

from typing import Any, Final

import psycopg

CHANNEL: Final = "bummerl"
TRIGGER: Final = (
    f"""create function tell_news() returns trigger language plpgsql as $$
        begin perform pg_notify('{CHANNEL}', ''); return null; end
    $$""",
    "create trigger news after insert on events for each statement execute function tell_news()",
)


class Listener:
    """Counts the notifications that arrive on one connection, which may be replaced."""

    def __init__(self) -> None:
        self._listening: psycopg.Connection[Any] | None = None
        self._count = 0

    def changes(self, connection: psycopg.Connection[Any]) -> int:
        """A number that grows whenever events may have been added."""
        if connection is not self._listening:
            connection.execute(f"listen {CHANNEL}")
            # Notifications before `listen` are lost: counts as a change.
            self._listening, self._count = connection, self._count + 1
        self._count += sum(1 for _ in connection.notifies(timeout=0))
        return self._count
