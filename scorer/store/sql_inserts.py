"""The insert statements, the same for every database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice
from typing import Any, Final, TypeVar

from scorer.store.hash_chain import canonical_json

T = TypeVar("T")

ERASED: Final = "erased"
INSERT_STREAM: Final = "insert into streams (id, kind, head, created) values (?, ?, ?, ?)"
INSERT_EVENT: Final = (
    "insert into events (stream, n, key, body, event, hash) values (?, ?, ?, ?, ?, ?) returning seq"
)
INSERT_KEY: Final = (
    "insert into keys (digest, stream, role, created, revoked) values (?, ?, ?, ?, ?)"
)
INSERT_BOX: Final = "insert into boxes (holder, role, nonce, box) values (?, ?, ?, ?)"
REPLACE_BOX: Final = (
    f"{INSERT_BOX} "
    "on conflict (holder, role) do update set nonce = excluded.nonce, box = excluded.box"
)
REPLACE_KEY: Final = (
    f"{INSERT_KEY} on conflict (digest) do update set stream = excluded.stream, "
    "role = excluded.role, created = excluded.created, revoked = excluded.revoked"
)


def placeholders(values: Collection[object]) -> str:
    """Placeholders for so many values.

    >>> placeholders("abc")
    '?, ?, ?'
    """
    return ", ".join("?" * len(values))


def batches(values: Collection[T], max_size: int = 10_000) -> Iterator[list[T]]:
    """`values` in lists small enough for one statement.

    >>> [*batches("abc", 2)]
    [['a', 'b'], ['c']]
    """
    rest = iter(values)
    while part := list(islice(rest, max_size)):
        yield part


def put_event(
    run: Callable[..., list[Any]],
    stream: str,
    n: int,
    key: str,
    body: Mapping[str, Any],
    event: Mapping[str, Any],
) -> int:
    """Write a stream's `n`th event; return its position in the database.

    :param body: the body recorded under `key`
    :param event: the stored event with its hash
    """
    [(position,)] = run(
        INSERT_EVENT, stream, n, key, canonical_json(body), canonical_json(event), event["hash"]
    )
    return int(position)
