"""A whole database as JSON data: `dump` and `restore` are exact inverses.

Keys are digests and boxes stay sealed, so an archive opens no more than the database does.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from scorer.store.hash_chain import canonical
from scorer.store.sql_inserts import (
    ERASED,
    INSERT_BOX,
    INSERT_KEY,
    INSERT_STREAM,
    batches,
    placeholders,
    put_event,
)

VERSION: Final = 1

_STREAM: Final = ("id", "kind", "head", "created", "events", "keys")
_EVENT: Final = ("key", "body", "event")
_KEY: Final = ("digest", "role", "created", "revoked")
_BOX: Final = ("holder", "role", "nonce", "box")
_SEALED: Final = re.compile("(?:[0-9a-f]{2}){0,32}")


class InvalidArchive(ValueError):
    """The data is no archive; the text has the place and the reason."""


def dump(
    run: Callable[..., list[Any]],
    streams: Collection[str] | None = None,
    holders: Collection[str] = (),
    events: bool = True,
) -> dict[str, Any]:
    """The archive of a database, or of some streams with the boxes of their keys.

    :param run: runs queries of one snapshot
    :param streams: ids to include, None for all
    :param holders: digests of further keys whose boxes are included
    :param events: False for streams without their events
    """
    rows = _rows(run, "select id, kind, head, created from streams", "id", streams)
    rows = [row for row in rows if row[1] != ERASED]
    query = f"select stream, n, {', '.join(_EVENT)} from events"
    recorded = _by_stream(_rows(run, query, "stream", streams) if events else ())
    keys = _by_stream(_rows(run, f"select stream, {', '.join(_KEY)} from keys", "stream", streams))
    dumped = [
        {
            "id": name,
            "kind": kind,
            "head": json.loads(head),
            "created": created,
            "events": [entry(*row) for _, *row in sorted(recorded[name])],
            "keys": sorted(
                (dict(zip(_KEY, row, strict=True)) for row in keys[name]),
                key=lambda key: (key["created"], key["digest"]),
            ),
        }
        for name, kind, head, created in rows
    ]
    dumped.sort(key=lambda stream: (stream["created"], stream["id"]))
    opened = {key["digest"] for stream in dumped for key in stream["keys"]} | set(holders)
    sealed = _rows(
        run, f"select {', '.join(_BOX)} from boxes", "holder", None if streams is None else opened
    )
    boxes = [dict(zip(_BOX, row, strict=True)) for row in sorted(sealed)]
    return {"bummerl": VERSION, "streams": dumped, "boxes": boxes}


def _rows(
    run: Callable[..., list[Any]], sql: str, column: str, values: Collection[str] | None
) -> list[Any]:
    if values is None:
        return run(sql)
    return [
        row
        for part in batches(values)
        for row in run(f"{sql} where {column} in ({placeholders(part)})", *part)
    ]


def _by_stream(rows: Iterable[tuple[Any, ...]]) -> Mapping[str, list[tuple[Any, ...]]]:
    grouped: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for row in rows:
        grouped[row[0]].append(row[1:])
    return grouped


def entry(key: str, body: str, event: str) -> dict[str, Any]:
    return {"key": key, "body": json.loads(body), "event": json.loads(event)}


def archive_of(copy: Mapping[str, Any], stream: str) -> dict[str, Any]:
    whole: dict[str, Any] = next(held for held in copy["streams"] if held["id"] == stream)
    return whole


def check(data: Any) -> None:
    """Checks that `data` has the form that `dump` writes.

    >>> check({"bummerl": 1, "streams": [{}], "boxes": []})
    Traceback (most recent call last):
    scorer.store.archive.InvalidArchive: streams[0]: must have id, kind, head, created, events, keys

    :raises InvalidArchive: with the place and the reason
    """
    if not isinstance(data, Mapping) or data.get("bummerl") != VERSION:
        raise InvalidArchive(f"bummerl: must be {VERSION}, the version of this format")
    _fields("archive", data, ("bummerl", "streams", "boxes"))
    for index, stream in enumerate(_list("streams", data["streams"])):
        where = f"streams[{index}]"
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
            here = f"{where}.keys[{number}]"
            _fields(here, key, _KEY)
            _texts(here, key, ("digest", "role", "created"))
            if key["revoked"] is not None:
                _texts(here, key, ("revoked",))
        _written(where, stream)
    for index, box in enumerate(_list("boxes", data["boxes"])):
        _fields(f"boxes[{index}]", box, _BOX)
        _texts(f"boxes[{index}]", box, _BOX)
        if _SEALED.fullmatch(box["box"]) is None:
            raise InvalidArchive(f"boxes[{index}].box: must be at most 32 bytes in hex")
        _written(f"boxes[{index}]", box)


def restore(run: Callable[..., list[Any]], data: Mapping[str, Any]) -> None:
    """Writes a checked archive into a database that has none of its streams.

    :param run: runs statements of one transaction
    """
    for stream in data["streams"]:
        name = stream["id"]
        run(INSERT_STREAM, name, stream["kind"], canonical(stream["head"]), stream["created"])
        for n, entry in enumerate(stream["events"], 1):
            put_event(run, name, n, **entry)
        for key in stream["keys"]:
            run(INSERT_KEY, key["digest"], name, *(key[field] for field in _KEY[1:]))
    for box in data["boxes"]:
        run(INSERT_BOX, *(box[name] for name in _BOX))


def _written(where: str, value: Any) -> None:
    """Refuses lone surrogates: JSON can escape them, but no database stores them."""
    try:
        canonical(value).encode()
    except UnicodeEncodeError:
        raise InvalidArchive(f"{where}: holds half a character (a lone surrogate)") from None


def _fields(where: str, value: Any, names: Sequence[str]) -> None:
    if not isinstance(value, Mapping) or set(value) != set(names):
        raise InvalidArchive(f"{where}: must have {', '.join(names)}")


def _texts(where: str, value: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        # PostgreSQL's text type cannot store NUL.
        if not isinstance(value.get(name), str) or "\0" in value[name]:
            raise InvalidArchive(f"{where}.{name}: must be text")


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidArchive(f"{where}: must be a list")
    return value


def _object(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidArchive(f"{where}: must be an object")
    return value
