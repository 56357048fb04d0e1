"""The state as it is handed out."""

from scorer.engine import load, start
from scorer.engine.telling.state_json import result


def test_who_changes_what_is_handed_out_changes_it_for_nobody_else():
    state = start(load("bayern"))
    before, given = result(state), result(state)
    given["legal"][0]["side"] = "nobody"
    given["legal"].clear()
    assert result(state) == before
