"""The state as JSON."""

from scorer.engine import rules_of, start
from scorer.engine.telling.state_json import result


def test_result_json_is_an_independent_copy():
    state = start(rules_of("bayern"))
    before, given = result(state), result(state)
    given["legal"][0]["side"] = "nobody"
    given["legal"].clear()
    assert result(state) == before
