"""JSON with lone surrogates or null characters gets an answer, never a server error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Unreadable
from scorer.engine.input.strict_json import loads
from tests.web.test_route_permissions import BODIES, keys_by_role

BAD = ("\ud800", "\udfff", "\0", "a\udc80b", "\udca1\ud83c")
SAMPLES = [
    {"watten": 1, "rules": "bayern", "resolved": {"sources": {"target": ["x"]}}},
    {"do": "gewinnt", "side": 0, "note": "x", "player": "x"},
    {"do": "sitzordnung", "sides": [{"name": "x", "players": ["x"]}]},
    {"name": "x", "rules": "bayern", "rounds": 3, "pairs": [{"name": "x", "club": "x"}]},
    {"rules": "bayern", "points": [0, 0], "set": {"x": 1}, "open_raise": {"side": 0}},
    {"bummerl": 1, "streams": [{"id": "x", "head": {}}], "boxes": ["x"]},
    {"round": 1, "table": 1, "games": [[15, 8]], "reason": "x"},
]


def with_bad_sign(value, sign):
    """Copies of the value, each with the sign in place of one leaf or after one field name."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {**{n: v for n, v in value.items() if n != name}, name + sign: inner}
            yield from ({**value, name: other} for other in with_bad_sign(inner, sign))
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from (
                [*value[:at], other, *value[at + 1 :]] for other in with_bad_sign(inner, sign)
            )
    else:
        yield sign


@pytest.fixture(scope="module")
def json_paths(local):
    """The paths that accept JSON, and the path of a table's form, which has JSON in a field."""
    keys = keys_by_role(local)
    paths = ["/api/tables", "/api/tournaments", "/api/equity", "/pocket/streams"]
    paths += [f"/api/tables/{keys['scorer']}/events", f"/pocket/streams/{keys['scorer']}/events"]
    paths += [f"/api/tournaments/{keys['director']}/{what}" for what in ("draw", "results")]
    paths += [f"/pocket/streams/{keys[who]}/{what}" for who, what in HOME]
    return paths, f"/t/{keys['scorer']}/events"


HOME = [("director", "events"), ("member", "events"), ("member", "boxes"), ("director", "boxes")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "sign", [BAD[0], *(pytest.param(s, marks=pytest.mark.slow) for s in BAD[1:])]
)
def test_bad_characters_cause_no_server_error(local, json_paths, sign):
    paths, form = json_paths
    samples = [*SAMPLES, *(body for body in BODIES.values() if isinstance(body, dict))]
    for at, body in enumerate(other for sample in samples for other in with_bad_sign(sample, sign)):
        text, names = json.dumps(body), {"Idempotency_Key": f"{ord(sign[0])}-{at}"}
        for path in paths:
            names["If_Match"] = '"1"'
            status = local.request("POST", path, text, **names)[0]
            assert status < 500, (path, text)
        sent = [("event", text), ("seq", "1"), ("token", names["Idempotency_Key"])]
        assert local.request("POST", form, sent)[0] < 500, text


TEXT = st.text(st.characters(codec=None), max_size=5)


@given(
    st.recursive(
        TEXT, lambda inner: st.dictionaries(TEXT, inner, max_size=3) | st.lists(inner, max_size=3)
    )
)
def test_loaded_json_can_be_written_as_utf8(value):
    try:
        read = loads(json.dumps(value))
    except Unreadable:
        with pytest.raises(UnicodeEncodeError):
            json.dumps(value, ensure_ascii=False).encode()
    else:
        json.dumps(read, ensure_ascii=False).encode()
