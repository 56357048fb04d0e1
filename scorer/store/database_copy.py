"""Every row of one database written into another, in an order that any database keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

_AT_ONCE: Final = 500
"""Rows in one statement."""
_TABLES: Final = {
    "streams": ("id", "kind", "head", "created"),
    "events": ("seq", "stream", "n", "key", "body", "event", "hash"),
    "keys": ("digest", "stream", "role", "created", "revoked"),
    "boxes": ("holder", "role", "nonce", "box"),
    "opened": ("stream", "since", "seen"),
}
"""The columns of each table."""
_FIRST: Final = {
    "streams": ("",),
    "events": (-1,),
    "keys": ("",),
    "boxes": ("", ""),
    "opened": ("",),
}
"""What comes before every row, by the columns the table is ordered by, which are its first."""


def copy(read: Callable[..., list[Any]], write: Callable[..., Any]) -> None:
    """Write all that `read` finds, all of one moment, by `write`, all in one transaction."""
    for table in _TABLES:
        for rows in _pieces(read, table):
            columns = _TABLES[table]
            row = f"({', '.join('?' * len(columns))})"
            values = ", ".join([row] * len(rows))
            write(
                f"insert into {table} ({', '.join(columns)}) values {values}",
                *(value for row in rows for value in row),
            )


def _pieces(read: Callable[..., list[Any]], table: str) -> Iterator[list[Any]]:
    """The rows of a table in its order, some at a time."""
    columns, last = _TABLES[table], _FIRST[table]
    order = ", ".join(columns[: len(last)])
    sql = (
        f"select {', '.join(columns)} from {table} "
        f"where ({order}) > ({', '.join('?' * len(last))}) order by {order} limit {_AT_ONCE}"
    )
    while rows := read(sql, *last):
        yield rows
        last = rows[-1][: len(last)]
