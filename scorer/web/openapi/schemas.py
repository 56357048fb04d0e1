"""The schemas of the API. What is read is described by its readers; what is answered is closed,
so an answer with a field more or less than here fails the tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from scorer.engine import REGIONS
from scorer.engine.aggregate import codec_of
from scorer.engine.input.field_readers import flag
from scorer.engine.rules.ruleset import SWITCHES
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.events import EVENTS, schema
from scorer.engine.scoring.record import HEAD, VERSION
from scorer.engine.scoring.state import read_sides
from scorer.engine.telling.equity_questions import MODELS, QUESTION
from scorer.tournament.event_types.results import Ergebnis
from scorer.tournament.settings import SETTINGS
from scorer.tournament.settings_reader import presets
from scorer.web.rules.equity import MAX_QUESTIONS

Schema = dict[str, Any]
NUMBER: Final = {"type": "integer"}
CHANCE: Final = {"type": "number"}
TEXT: Final = {"type": "string"}
FLAG: Final = flag.schema
KEY: Final = {"type": "string", "pattern": "^[a-z2-7]{26}$"}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def each(item: Mapping[str, Any]) -> Schema:
    return {"type": "array", "items": item}


def maybe(schema: Mapping[str, Any]) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def closed(fields: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> Schema:
    """An object with all of `fields`, perhaps the optional, and no other."""
    return {
        "type": "object",
        "properties": {**(optional or {}), **fields},
        "required": list(fields),
        "additionalProperties": False,
    }


@cache
def schemas() -> dict[str, Schema]:
    """Every schema by its name."""
    return {**_events(), **_tables(), **_states(), **_questions(), **_tournaments()}


def _events() -> dict[str, Schema]:
    kinds = {do: schema(kind) for do, kind in EVENTS.items()}
    # What is said beside the play is neither corrected nor put in by a correction.
    played = [d for d, kind in EVENTS.items() if not kind.is_statement and kind is not Korrektur]
    return {
        **{_titled(do): shown for do, shown in kinds.items()},
        "Event": {"oneOf": [ref(_titled(do)) for do in kinds]},
        "Played": {"oneOf": [ref(_titled(do)) for do in played]},
    }


def _titled(do: str) -> str:
    return "".join(part.capitalize() for part in do.split("_"))


_SWITCHES: Final = {"type": "object", "propertyNames": {"enum": list(SWITCHES)}}
_HEAD: Final = {
    "variant": maybe(TEXT),
    "set": maybe(_SWITCHES),
    "sides": maybe(read_sides.schema),
    "start": maybe(closed({}, {"points": maybe(each(NUMBER)), "bummerl": maybe(each(NUMBER))})),
    **HEAD.schema()["properties"],
    "resolved": maybe({"type": "object"}),
    # What another server's record brings along; every server puts its own in its place.
    "salt": {},
}
_RULES: Final = {"watten": {"const": VERSION}, "rules": {"enum": list(REGIONS)}}


def _tables() -> dict[str, Schema]:
    recorded = {"type": "object", "required": ["do", "hash"]}
    keys = {role: KEY for role in ("scorer", "opponent", "viewer")}
    links = {f"{role}_url": TEXT for role in keys}
    moved = {"state": ref("State"), "seq": NUMBER}
    return {
        "NewTable": closed(_RULES, {**_HEAD, "events": maybe({"type": "array", "maxItems": 0})}),
        "Opened": closed({**keys, **links, "state": ref("State")}),
        "Shown": closed({**moved, "role": {"enum": list(keys)}}),
        "Recorded": closed(moved),
        "Record": closed({**_RULES, "events": each(recorded)}, _HEAD),
        "Stale": closed({"error": ref("Trouble"), **moved}),
        "Stream": {"type": "string", "description": "`event: state`, `id: seq`, `data:` a State"},
        "Trouble": closed({"code": TEXT, "message": TEXT}),
        "Error": closed({"error": ref("Trouble")}),
        "Refused": closed({"error": ref("Refusal")}),
        "Refusal": closed(
            {"code": TEXT, "message": TEXT},
            {"rule": maybe(TEXT), "event": NUMBER, "house": each({"type": "object"})},
        ),
        "Document": {"type": "object", "required": ["openapi", "info", "paths", "components"]},
    }


def _states() -> dict[str, Schema]:
    both = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 3}
    game = {"winner": NUMBER, "points": both, "bummerl": both, "kind": TEXT}
    reason = {"code": TEXT, "rules": each(TEXT), "values": {"type": "object"}}
    house = {"house": each(closed({"switch": TEXT, "value": {}, "replaces": each(TEXT)}))}
    return {
        "State": closed(
            {
                "ok": FLAG,
                "points": both,
                "near": {"type": "array", "items": FLAG, "minItems": 2, "maxItems": 3},
                "winner": maybe(NUMBER),
                "bummerl": both,
                "stake": NUMBER,
                "open_raise": maybe(closed({"side": NUMBER, "to": NUMBER})),
                "decision": maybe(closed({"side": NUMBER, "stay": NUMBER, "go": NUMBER})),
                "legal": each(ref("Event")),
                "round": NUMBER,
                "game": NUMBER,
                "games": each(closed(game)),
                "dealer": {"type": ["string", "integer", "null"]},
                "sits_out": {"type": ["string", "integer", "null"]},
                "because": each(closed(reason, house)),
                "error": maybe(ref("Refusal")),
            }
        )
    }


def _questions() -> dict[str, Schema]:
    pair = {"type": "array", "items": CHANCE, "minItems": 2, "maxItems": 2}
    beside = {"rules": {"enum": list(REGIONS)}, "variant": maybe(TEXT), "set": maybe(_SWITCHES)}
    fields = QUESTION.schema()
    question = {
        **fields,
        "properties": {**fields["properties"], **beside},
        "required": ["rules", *fields["required"]],
    }
    answer = {
        "win": pair,
        "bummerl": maybe(pair),
        "take_point": maybe(closed({"dead": CHANCE, "live": CHANCE})),
        "stay": maybe(pair),
        "go": maybe(pair),
        "model": {"enum": list(MODELS)},
        "because": each(closed({"rule": TEXT, "text": TEXT})),
    }
    several = {"type": "array", "items": ref("Question"), "maxItems": MAX_QUESTIONS}
    return {
        "Question": question,
        "Questions": {"oneOf": [ref("Question"), several]},
        "Priced": closed(answer),
        "Worth": {"oneOf": [ref("Priced"), each(ref("Priced"))]},
    }


def _new_tournament() -> Schema:
    """The settings as they are sent."""
    shown = SETTINGS.schema()
    beside = {
        "rules": {"enum": list(REGIONS)},
        "preset": maybe({"enum": list(presets())}),
        "set": maybe({"type": "object"}),
        "resolved": maybe({"type": "object"}),
        "salt": {},
    }
    return {**shown, "properties": {**shown["properties"], **beside}, "required": ["name", "rules"]}


def _tournaments() -> dict[str, Schema]:
    keys = {role: KEY for role in ("director", "viewer", "signup")}
    shown: Schema = {field: {} for field in SETTINGS.names - {"resolved", "logo", "salt"}}
    return {
        "NewTournament": _new_tournament(),
        "OpenedTournament": closed({**keys, **{f"{role}_url": TEXT for role in keys}}),
        "Tournament": closed(
            {
                "name": TEXT,
                "rules": TEXT,
                "pairs": each({"type": "object", "required": ["pair", "name"]}),
                "draws": each({"type": "object", "required": ["round", "stage", "tables"]}),
                "standings": each(ref("Line")),
            },
            {**shown, "seed_digest": TEXT},
        ),
        **_rounds(),
    }


def _rounds() -> dict[str, Schema]:
    return {
        "DrawAnyway": {"type": "object", "properties": {"anyway": FLAG}},
        "Draw": closed(
            {
                **{"round": NUMBER, "stage": TEXT, "tables": each(ref("Seat"))},
                **{"bye": maybe(NUMBER), "byes": each(NUMBER), "notes": each(TEXT)},
                **{"seed": TEXT, "round_seed": TEXT},
            }
        ),
        "Seat": closed(
            {
                **{"table": NUMBER, "pairs": each(NUMBER), "seat": NUMBER, "wave": NUMBER},
                **{"scorer": maybe(KEY), "opponent": maybe(KEY), "code": maybe(TEXT)},
                "notes": each(TEXT),
            },
            {"teams": each(each(NUMBER))},
        ),
        "Result": codec_of(Ergebnis).schema(omitted={"who"}),
        "Entered": closed(
            {**{"round": NUMBER, "table": NUMBER}, "status": {"enum": ["entered", "amber", "done"]}}
        ),
        "Standings": closed({"round": NUMBER, "standings": each(ref("Line"))}),
        "Line": closed(
            {
                **{"rank": maybe(NUMBER), "pair": NUMBER, "name": TEXT, "ratio": CHANCE},
                **{field: NUMBER for field in ("won", "lost", "difference", "points")},
                **{field: NUMBER for field in ("conceded", "score", "matches", "byes")},
                **{"conceding": CHANCE, "tie": TEXT},
            }
        ),
    }
