"""The whole book of a phone as a file: its archive, and how much of it the server has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.book.validation import first_refusal
from scorer.engine import Unreadable
from scorer.store import archive, hash_chain

VERSION: Final = 1
FIELDS: Final = {"phone", "archive", "server", "cookies"}


class NotABook(ValueError):
    """The file is no saved book."""


class ChangedBook(ValueError):
    """An entry of the file is not as it was recorded."""


def check(data: Any) -> None:
    """Check a saved book, so that nothing enters a phone that the rules refuse.

    :raises NotABook: the form is wrong
    :raises ChangedBook: a hash chain is broken, or the rules refuse an event
    """
    if not isinstance(data, Mapping) or data.keys() != FIELDS or data["phone"] != VERSION:
        raise NotABook
    if not _is_text_mapping(data["cookies"]) or not isinstance(data["server"], list):
        raise NotABook
    try:
        archive.check(data["archive"])
        lengths = {stream["id"]: len(stream["events"]) for stream in data["archive"]["streams"]}
        for server_row in data["server"]:
            _check_server_row(server_row, lengths)
    except archive.InvalidArchive as error:
        raise NotABook from error
    for stream in data["archive"]["streams"]:
        _check_stream(stream)


def _is_text_mapping(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values())


def _check_server_row(server_row: Any, lengths: Mapping[str, int]) -> None:
    """Check the row of one stream: its id, the number of events that the server has, and the
    server's archive if a person has to choose between the two."""
    if not isinstance(server_row, Mapping) or server_row.keys() != {"stream", "events", "other"}:
        raise NotABook
    length = lengths.get(server_row["stream"], -1)
    events = server_row["events"]
    other = server_row["other"]
    if type(events) is not int or not 0 <= events <= length:
        raise NotABook
    if other is not None:
        if not isinstance(other, Mapping):
            raise NotABook
        archive.check({name: other.get(name) for name in ("bummerl", "streams", "boxes")})
        if server_row["stream"] not in {stream["id"] for stream in other["streams"]}:
            raise NotABook
        for stream in other["streams"]:
            _check_stream(stream)


def _check_stream(stream: Mapping[str, Any]) -> None:
    events = [entry["event"] for entry in stream["events"]]
    try:
        if hash_chain.first_broken_entry(stream["head"], events) is not None:
            raise ChangedBook
        if first_refusal(stream["kind"], stream["head"], events) is not None:
            raise ChangedBook
    except Unreadable as error:
        raise ChangedBook from error
