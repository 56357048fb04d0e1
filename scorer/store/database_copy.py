"""Copies every row of one database into another, `_ROWS_PER_STATEMENT` rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

_ROWS_PER_STATEMENT: Final = 500
_COLUMNS: Final = {
    "streams": ("id", "kind", "head", "created"),
    "events": ("seq", "stream", "n", "key", "body", "event", "hash"),
    "keys": ("digest", "stream", "role", "created", "revoked"),
    "boxes": ("holder", "role", "nonce", "box"),
    "opened": ("stream", "since", "seen", "days", "day"),
}
_BEFORE_FIRST_ROW: Final = {
    "streams": ("",),
    "events": (-1,),
    "keys": ("",),
    "boxes": ("", ""),
    "opened": ("",),
}
"""Values that sort before every row of a table. Its first columns are the sort key."""


def copy(read: Callable[..., list[Any]], write: Callable[..., Any]) -> None:
    """Copy all rows of all tables.

    :param read: runs a query in one snapshot of the source
    :param write: runs a statement in one transaction of the copy
    """
    for table in _COLUMNS:
        for rows in _row_batches(read, table):
            columns = _COLUMNS[table]
            row = f"({', '.join('?' * len(columns))})"
            values = ", ".join([row] * len(rows))
            write(
                f"insert into {table} ({', '.join(columns)}) values {values}",
                *(value for row in rows for value in row),
            )


def _row_batches(read: Callable[..., list[Any]], table: str) -> Iterator[list[Any]]:
    columns, last_key = _COLUMNS[table], _BEFORE_FIRST_ROW[table]
    order = ", ".join(columns[: len(last_key)])
    sql = (
        f"select {', '.join(columns)} from {table} "
        f"where ({order}) > ({', '.join('?' * len(last_key))}) order by {order} "
        f"limit {_ROWS_PER_STATEMENT}"
    )
    while rows := read(sql, *last_key):
        yield rows
        last_key = rows[-1][: len(last_key)]
