"""Copies every row of one database into another, `_AT_ONCE` rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

_AT_ONCE: Final = 500
_TABLES: Final = {
    "streams": ("id", "kind", "head", "created"),
    "events": ("seq", "stream", "n", "key", "body", "event", "hash"),
    "keys": ("digest", "stream", "role", "created", "revoked"),
    "boxes": ("holder", "role", "nonce", "box"),
    "opened": ("stream", "since", "seen", "days", "day"),
}
_FIRST: Final = {
    "streams": ("",),
    "events": (-1,),
    "keys": ("",),
    "boxes": ("", ""),
    "opened": ("",),
}
"""Values that sort before every row of a table. Its first columns are the sort key."""


def copy(read: Callable[..., list[Any]], write: Callable[..., Any]) -> None:
    """Copies all rows of all tables.

    :param read: runs a query in one snapshot of the source
    :param write: runs a statement in one transaction of the copy
    """
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
    columns, last = _TABLES[table], _FIRST[table]
    order = ", ".join(columns[: len(last)])
    sql = (
        f"select {', '.join(columns)} from {table} "
        f"where ({order}) > ({', '.join('?' * len(last))}) order by {order} limit {_AT_ONCE}"
    )
    while rows := read(sql, *last):
        yield rows
        last = rows[-1][: len(last)]
