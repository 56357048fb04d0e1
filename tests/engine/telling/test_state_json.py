"""The state as JSON."""

from scorer.engine import load, start
from scorer.engine.telling.state_json import result


def test_handed_out_state_is_a_copy():
    state = start(load("bayern"))
    before, given = result(state), result(state)
    given["legal"][0]["side"] = "nobody"
    given["legal"].clear()
    assert result(state) == before
