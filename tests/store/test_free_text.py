"""The list of fields with free text is complete."""

from scorer.book.ledger_state import EVENT_CLASSES as LEDGER
from scorer.engine.input.field_readers import FREE_TEXT
from scorer.engine.scoring.event_types.event import EVENT_CLASSES as TABLE
from scorer.store.name_redaction import _HEADS
from scorer.tournament.events import EVENTS
from scorer.tournament.state import EVENT_CLASSES as TOURNAMENT

CODES = {
    # The chain, the author and the time.
    *("at", "by", "continues", "hash", "received", "salt", "sealed", "stand"),
    # Ids.
    *("stream", "opened", "table", "of", "link"),
    # Words of the program and of the rules.
    *("rule", "stage"),
    # The seed of a draw, and a picture.
    *("seed", "logo"),
}


def strings(schema, name=""):
    """Yield the name of each string field, and whether it is free text."""
    if schema.get("type") in ("string", ["string", "integer"]):
        yield name, FREE_TEXT in schema
    for part in schema.get("anyOf", ()):
        yield from strings(part, name)
    if "items" in schema:
        yield from strings(schema["items"], name)
    for field, part in schema.get("properties", {}).items():
        yield from strings(part, field)


def test_only_known_codes_are_not_free_text():
    assert EVENTS
    kinds = [(kinds, kind) for kinds in (TABLE, TOURNAMENT, LEDGER) for kind in kinds.by_name]
    events = [kinds.schema(kinds.by_name[kind]) for kinds, kind in kinds]
    heads = [head() for head in _HEADS.values()]
    found = {field for schema in (*events, *heads) for field in strings(schema)}
    assert {name for name, free in found if not free} == CODES
    assert not {name for name, free in found if free} & CODES
