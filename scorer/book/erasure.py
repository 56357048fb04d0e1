"""A person's name taken out of what is stored, while the tally stays and the chain holds.

The name's place is taken by a pseudonym that means nothing. docs/trust.md says what is proven then.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.engine import Evening, Illegal, Unreadable, read_head, result
from scorer.store.name_redaction import name_pattern, with_name_replaced, words
from scorer.store.sql_store import Store
from scorer.tournament import new_tournament, read_settings, standings


class NotErased(ValueError):
    """With another name in its place a stream would not be what it was."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A stream in which a name stands."""

    stream: str
    kind: str
    created: str
    said: tuple[str, ...]
    """What the name stands in, each text once."""


def find(store: Store, name: str) -> Iterator[Occurrence]:
    """Where a name stands, oldest first."""
    pattern = name_pattern(name)
    for stream in store.dump()["streams"]:
        entries = [stream["head"], *(entry["event"] for entry in stream["events"])]
        said = [text for text in words(entries) if pattern.search(text)]
        if said:
            found = tuple(dict.fromkeys(said))
            yield Occurrence(stream["id"], stream["kind"], stream["created"], found)


def pseudonym() -> str:
    """A name for whoever wants none: the same in every stream from which one is erased at once.

    N. N. (nomen nescio) is how German, Italian and French lists have always written it.
    """
    return f"N. N. {secrets.token_hex(2)}"


def erase(store: Store, stream: str, name: str, instead: str) -> int:
    """Put `instead` in the place of a name; returns in how many entries it stood.

    :raises NotErased: the evening would then not be the same; nothing has changed
    """
    kind, head = store.stream(stream).kind, store.stream(stream).head
    before = [stored.event for stored in store.events(stream)]
    tally = _tally(kind, head, before)

    def check(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> None:
        try:
            # Something may have been recorded since; it is judged with the rest next time.
            after = _tally(kind, head, events[: len(before)])
        except (Illegal, Unreadable) as error:
            raise NotErased(str(error)) from None
        if after != tally:
            raise NotErased("the tally would change")

    done = store.redact(stream, lambda entry: with_name_replaced(entry, name, instead), check)
    return 0 if done is None else len(done.stored.event["sealed"])


def _tally(kind: str, head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> object:
    """What a stream comes to, without anybody's name.

    :raises Illegal: the rules refuse it
    :raises Unreadable: it is none
    """
    if kind == "table":
        evening = Evening(read_head(head))
        states = [evening.push(event) for event in events]
        nameless = ("dealer", "sits_out", "because", "legal")
        return [
            {field: value for field, value in result(state).items() if field not in nameless}
            for state in states[-1:]
        ], [(state.points, state.bummerl, state.dealer, state.sits_out) for state in states]
    if kind == "tournament":
        tournament = new_tournament(read_settings(head)).after(events)
        return [(line.rank, line.pair, line.tally, line.tie) for line in standings(tournament)]
    return len(events)
