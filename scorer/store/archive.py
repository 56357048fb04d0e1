"""A whole database as data, and back: `dump` and `restore` are exact inverses.

Keys stay digests and boxes stay sealed, so an archive opens no more than the database did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from scorer.store.chain import canonical
from scorer.store.sqlite.driver import Database
from scorer.store.sqlite.migrations import INSERT_EVENT, INSERT_STREAM

VERSION: Final = 1

_STREAM: Final = ("id", "kind", "head", "created", "events", "keys")
_EVENT: Final = ("key", "body", "event")
_KEY: Final = ("digest", "role", "created", "revoked")
_BOX: Final = ("holder", "role", "nonce", "box")


class NoArchive(ValueError):
    """Data that is no archive: where, and what is wrong."""


def dump(
    rows: Callable[..., list[Any]],
    streams: Collection[str] | None = None,
    holders: Collection[str] = (),
) -> dict[str, Any]:
    """Everything a database holds, or some of its streams with what their keys open.

    :param rows: answers a query
    :param streams: the ids of the only streams wanted, or None for all
    :param holders: digests of further secrets whose boxes are wanted
    """
    only, ids = _among("id", streams)
    kept = _streams(rows, only, ids)
    opened = {key["digest"] for stream in kept for key in stream["keys"]} | set(holders)
    only, ids = _among("holder", None if streams is None else sorted(opened))
    sql = f"select holder, role, nonce, box from boxes{only} order by holder, role"
    boxes = [dict(zip(_BOX, row, strict=True)) for row in rows(sql, *ids)]
    return {"bummerl": VERSION, "streams": kept, "boxes": boxes}


def _among(column: str, values: Collection[str] | None) -> tuple[str, tuple[str, ...]]:
    """The condition that a column is one of some values, or no condition for None."""
    if values is None:
        return "", ()
    # One text of JSON, as a statement takes only so many parameters.
    return f" where {column} in (select value from json_each(?))", (json.dumps(list(values)),)


def _streams(
    rows: Callable[..., list[Any]], only: str, ids: tuple[str, ...]
) -> list[dict[str, Any]]:
    return [
        {
            "id": name,
            "kind": kind,
            "head": json.loads(head),
            "created": created,
            "events": [
                {"key": key, "body": json.loads(body), "event": json.loads(event)}
                for key, body, event in rows(
                    "select key, body, event from events where stream = ? order by n", name
                )
            ],
            "keys": [
                dict(zip(_KEY, row, strict=True))
                for row in rows(
                    "select digest, role, created, revoked from keys where stream = ? "
                    "order by created, digest",
                    name,
                )
            ],
        }
        for name, kind, head, created in rows(
            f"select id, kind, head, created from streams{only} order by created, id", *ids
        )
    ]


def check(data: Any) -> None:
    """Whether `data` is an archive as `dump` makes it.

    >>> check({"bummerl": 1, "streams": [{}], "boxes": []})
    Traceback (most recent call last):
    scorer.store.archive.NoArchive: streams[0]: must have id, kind, head, created, events, keys

    :raises NoArchive: the place and the reason
    """
    if not isinstance(data, Mapping) or data.get("bummerl") != VERSION:
        raise NoArchive(f"bummerl: must be {VERSION}, the version of this format")
    _fields("archive", data, ("bummerl", "streams", "boxes"))
    for at, stream in enumerate(_list("streams", data["streams"])):
        where = f"streams[{at}]"
        _fields(where, stream, _STREAM)
        _texts(where, stream, ("id", "kind", "created"))
        _object(f"{where}.head", stream["head"])
        for number, event in enumerate(_list(f"{where}.events", stream["events"])):
            here = f"{where}.events[{number}]"
            _fields(here, event, _EVENT)
            _texts(here, event, ("key",))
            _object(f"{here}.body", event["body"])
            _texts(f"{here}.event", _object(f"{here}.event", event["event"]), ("hash",))
        for number, key in enumerate(_list(f"{where}.keys", stream["keys"])):
            _fields(f"{where}.keys[{number}]", key, _KEY)
            _texts(f"{where}.keys[{number}]", key, ("digest", "role", "created"))
    for at, box in enumerate(_list("boxes", data["boxes"])):
        _fields(f"boxes[{at}]", box, _BOX)
        _texts(f"boxes[{at}]", box, _BOX)


def restore(db: Database, data: Mapping[str, Any]) -> None:
    """Write a checked archive into a database that has none of its streams.

    :raises sqlite3.IntegrityError: it has one already
    """
    for stream in data["streams"]:
        db.execute(
            INSERT_STREAM,
            (stream["id"], stream["kind"], canonical(stream["head"]), stream["created"]),
        )
        for n, entry in enumerate(stream["events"], 1):
            event = entry["event"]
            db.execute(
                INSERT_EVENT,
                (
                    *(stream["id"], n, entry["key"]),
                    *(canonical(entry["body"]), canonical(event), event["hash"]),
                ),
            )
        for key in stream["keys"]:
            db.execute(
                "insert into keys (stream, digest, role, created, revoked) values (?, ?, ?, ?, ?)",
                (stream["id"], *(key[name] for name in _KEY)),
            )
    for box in data["boxes"]:
        db.execute(
            "insert into boxes (holder, role, nonce, box) values (?, ?, ?, ?)",
            tuple(box[name] for name in _BOX),
        )


def _fields(where: str, value: Any, names: Sequence[str]) -> None:
    if not isinstance(value, Mapping) or set(value) != set(names):
        raise NoArchive(f"{where}: must have {', '.join(names)}")


def _texts(where: str, value: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        if not isinstance(value.get(name), str):
            raise NoArchive(f"{where}.{name}: must be text")


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise NoArchive(f"{where}: must be a list")
    return value


def _object(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NoArchive(f"{where}: must be an object")
    return value
