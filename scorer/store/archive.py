"""A whole database as JSON data: `dump` and `restore` are exact inverses.

Keys are digests and boxes stay sealed, so an archive opens no more than the database does.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from scorer.store.hash_chain import canonical_json
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

_STREAM_FIELDS: Final = ("id", "kind", "head", "created", "events", "keys")
_EVENT_FIELDS: Final = ("key", "body", "event")
_KEY_FIELDS: Final = ("digest", "role", "created", "revoked")
_BOX_FIELDS: Final = ("holder", "role", "nonce", "box")
_BOX_PATTERN: Final = re.compile("(?:[0-9a-f]{2}){0,32}")


class InvalidArchive(ValueError):
    """The data is no archive; the text has the place and the reason."""


def dump(
    run: Callable[..., list[Any]],
    streams: Collection[str] | None = None,
    box_digests: Collection[str] = (),
    events: bool = True,
) -> dict[str, Any]:
    """The archive of a database, or of some streams with the boxes of their keys.

    :param run: runs queries of one snapshot
    :param streams: ids to include, None for all
    :param box_digests: of further keys whose boxes are included
    :param events: False for streams without their events
    """
    rows = _rows(run, "select id, kind, head, created from streams", "id", streams)
    rows = [row for row in rows if row[1] != ERASED]
    query = f"select stream, n, {', '.join(_EVENT_FIELDS)} from events"
    rows_of_events = _by_stream(_rows(run, query, "stream", streams) if events else ())
    rows_of_keys = _by_stream(
        _rows(run, f"select stream, {', '.join(_KEY_FIELDS)} from keys", "stream", streams)
    )
    archived_streams = [
        {
            "id": name,
            "kind": kind,
            "head": json.loads(head),
            "created": created,
            "events": [entry(*row) for _, *row in sorted(rows_of_events[name])],
            "keys": sorted(
                (dict(zip(_KEY_FIELDS, row, strict=True)) for row in rows_of_keys[name]),
                key=lambda key: (key["created"], key["digest"]),
            ),
        }
        for name, kind, head, created in rows
    ]
    archived_streams.sort(key=lambda stream: (stream["created"], stream["id"]))
    key_digests = {key["digest"] for stream in archived_streams for key in stream["keys"]} | set(
        box_digests
    )
    box_rows = _rows(
        run,
        f"select {', '.join(_BOX_FIELDS)} from boxes",
        "holder",
        None if streams is None else key_digests,
    )
    boxes = [dict(zip(_BOX_FIELDS, row, strict=True)) for row in sorted(box_rows)]
    return {"bummerl": VERSION, "streams": archived_streams, "boxes": boxes}


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
    found: dict[str, Any] = next(
        archived for archived in copy["streams"] if archived["id"] == stream
    )
    return found


def check(data: Any) -> None:
    """Check that `data` has the form that `dump` writes.

    >>> check({"bummerl": 1, "streams": [{}], "boxes": []})
    Traceback (most recent call last):
    scorer.store.archive.InvalidArchive: streams[0]: must have id, kind, head, created, events, keys

    :raises InvalidArchive: with the place and the reason
    """
    if not isinstance(data, Mapping) or data.get("bummerl") != VERSION:
        raise InvalidArchive(f"bummerl: must be {VERSION}, the version of this format")
    _check_fields("archive", data, ("bummerl", "streams", "boxes"))
    for index, stream in enumerate(_checked_list("streams", data["streams"])):
        where = f"streams[{index}]"
        _check_fields(where, stream, _STREAM_FIELDS)
        _check_texts(where, stream, ("id", "kind", "created"))
        _checked_object(f"{where}.head", stream["head"])
        for number, event in enumerate(_checked_list(f"{where}.events", stream["events"])):
            here = f"{where}.events[{number}]"
            _check_fields(here, event, _EVENT_FIELDS)
            _check_texts(here, event, ("key",))
            _checked_object(f"{here}.body", event["body"])
            _check_texts(
                f"{here}.event", _checked_object(f"{here}.event", event["event"]), ("hash",)
            )
        for number, key in enumerate(_checked_list(f"{where}.keys", stream["keys"])):
            here = f"{where}.keys[{number}]"
            _check_fields(here, key, _KEY_FIELDS)
            _check_texts(here, key, ("digest", "role", "created"))
            if key["revoked"] is not None:
                _check_texts(here, key, ("revoked",))
        _check_storable(where, stream)
    for index, box in enumerate(_checked_list("boxes", data["boxes"])):
        _check_fields(f"boxes[{index}]", box, _BOX_FIELDS)
        _check_texts(f"boxes[{index}]", box, _BOX_FIELDS)
        if _BOX_PATTERN.fullmatch(box["box"]) is None:
            raise InvalidArchive(f"boxes[{index}].box: must be at most 32 bytes in hex")
        _check_storable(f"boxes[{index}]", box)


def restore(run: Callable[..., list[Any]], data: Mapping[str, Any]) -> None:
    """Write a checked archive into a database that has none of its streams.

    :param run: runs statements of one transaction
    """
    for stream in data["streams"]:
        name = stream["id"]
        run(INSERT_STREAM, name, stream["kind"], canonical_json(stream["head"]), stream["created"])
        for n, entry in enumerate(stream["events"], 1):
            put_event(run, name, n, **entry)
        for key in stream["keys"]:
            run(INSERT_KEY, key["digest"], name, *(key[field] for field in _KEY_FIELDS[1:]))
    for box in data["boxes"]:
        run(INSERT_BOX, *(box[name] for name in _BOX_FIELDS))


def _check_storable(where: str, value: Any) -> None:
    """Refuse lone surrogates: JSON can escape them, but no database stores them."""
    try:
        canonical_json(value).encode()
    except UnicodeEncodeError:
        raise InvalidArchive(f"{where}: holds half a character (a lone surrogate)") from None


def _check_fields(where: str, value: Any, names: Sequence[str]) -> None:
    if not isinstance(value, Mapping) or set(value) != set(names):
        raise InvalidArchive(f"{where}: must have {', '.join(names)}")


def _check_texts(where: str, value: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        # PostgreSQL's text type cannot store NUL.
        if not isinstance(value.get(name), str) or "\0" in value[name]:
            raise InvalidArchive(f"{where}.{name}: must be text")


def _checked_list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise InvalidArchive(f"{where}: must be a list")
    return value


def _checked_object(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidArchive(f"{where}: must be an object")
    return value
