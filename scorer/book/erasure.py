"""Replaces a person's name in stored streams by a pseudonym; scores and the hash chain stay valid.

docs/trust.md says what the chain proves afterwards.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.engine import Evening, Illegal, Unreadable, read_head, result
from scorer.store.name_redaction import free_texts, name_pattern, with_name_replaced
from scorer.store.roles import TABLE_KIND, TOURNAMENT_KIND
from scorer.store.sql_store import Store
from scorer.tournament import new_tournament, read_settings, standings

_SQLITE_SIGNATURE: Final = b"SQLite format 3\0"
"""The first bytes of a database."""


class NotErased(ValueError):
    """The replacement would change the stream's results."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    stream: str
    kind: str
    created: str
    texts: tuple[str, ...]
    """The distinct texts that contain it."""


def find_name(store: Store, name: str) -> Iterator[Occurrence]:
    """The streams that contain a name, oldest first."""
    pattern = name_pattern(name)
    for stream in store.dump()["streams"]:
        entries = [stream["head"], *(entry["event"] for entry in stream["events"])]
        matches = [text for entry in entries for text in free_texts(entry) if pattern.search(text)]
        if matches:
            distinct = tuple(dict.fromkeys(matches))
            yield Occurrence(stream["id"], stream["kind"], stream["created"], distinct)


def files_with_name(db: Path, name: str) -> list[Path]:
    """The database's files, and the copies, backups and exports beside it or in a folder there,
    that contain a name."""
    candidates = sorted({*db.parent.glob("*"), *db.parent.glob("*/*")})
    return [file for file in candidates if _may_hold_names(db, file) and contains_name(file, name)]


def _may_hold_names(db: Path, file: Path) -> bool:
    if not file.is_file():
        return False
    if file.name.startswith(db.name) or file.suffix in (".json", ".csv"):
        return True
    with file.open("rb") as content:
        return content.read(len(_SQLITE_SIGNATURE)) == _SQLITE_SIGNATURE


def contains_name(file: Path, name: str) -> bool:
    """Whether a file contains a name, read as text."""
    pattern, before = name_pattern(name), b""
    with file.open("rb") as content:
        while part := content.read(1 << 22):
            if pattern.search((before + part).decode(errors="replace")):
                return True
            # Four bytes at most for a character, and one character on each side.
            before = part[-4 * (len(name) + 2) :]
    return False


def pseudonym() -> str:
    """A random replacement name, used in every stream of one erasure.

    N. N. (nomen nescio) is customary in German, Italian and French lists.
    """
    return f"N. N. {secrets.token_hex(2)}"


def erase(store: Store, stream: str, name: str, replacement: str) -> int:
    """Replace a name by `replacement`; return the number of changed entries.

    :raises NotErased: the results would change; nothing is written
    """
    kind, head = store.stream(stream).kind, store.stream(stream).head
    before = [stored.event for stored in store.events(stream)]
    tally = _tally(kind, head, before)

    def check(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> None:
        try:
            # Only the events that `before` has: more may have been recorded since.
            after = _tally(kind, head, events[: len(before)])
        except (Illegal, Unreadable) as error:
            raise NotErased(str(error)) from None
        if after != tally:
            raise NotErased("the tally would change")

    erasure = store.redact(
        stream, lambda entry: with_name_replaced(entry, name, replacement), check
    )
    return 0 if erasure is None else len(erasure.stored.event["sealed"])


def _tally(kind: str, head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> object:
    """The results of a stream, without names.

    :raises Illegal: the rules refuse an event
    :raises Unreadable: no such stream
    """
    if kind == TABLE_KIND:
        evening = Evening(read_head(head))
        states = [evening.push(event) for event in events]
        nameless = ("dealer", "sits_out", "because", "legal")
        return [
            {field: value for field, value in result(state).items() if field not in nameless}
            for state in states[-1:]
        ], [(state.points, state.bummerl, state.dealer, state.sits_out) for state in states]
    if kind == TOURNAMENT_KIND:
        tournament = new_tournament(read_settings(head)).after(events)
        return [(line.rank, line.pair, line.totals, line.tie) for line in standings(tournament)]
    return len(events)
