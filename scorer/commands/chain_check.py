"""Checks the hash chain of an exported record."""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from scorer.commands.json_file import fail_unreadable

BROKEN_CHAIN: Final = "event {event} does not fit the chain"


def newest_hash(name: str, data: Any) -> str:
    """The newest hash of a record whose chain is intact; ends the command otherwise."""
    from scorer.store import hash_chain

    if not isinstance(data, dict) or not isinstance(data.get("events"), list):
        fail_unreadable(f"{name}: not an exported record")
    head = {field: value for field, value in data.items() if field != "events"}
    events = data["events"]
    if not all(isinstance(event, dict) and "hash" in event for event in events):
        fail_unreadable(f"{name}: its events carry no chain")
    first_wrong = hash_chain.first_broken_entry(head, events)
    if first_wrong is not None:
        click.echo(BROKEN_CHAIN.format(event=first_wrong), err=True)
        sys.exit(1)
    return str(events[-1]["hash"]) if events else hash_chain.head_hash(head)
