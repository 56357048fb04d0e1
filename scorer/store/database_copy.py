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
"""A value below every row, for the sort columns of each table, which are its first columns."""


def copy(read: Callable[..., list[Any]], write: Callable[..., Any]) -> None:
    """Writes all rows that `read` finds in one snapshot by `write` in one transaction."""
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
