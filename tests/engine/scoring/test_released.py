"""Records of earlier releases replay to the state they had then."""

import pytest

from scorer.engine import replay
from tests.released.expected import RELEASES, evening_told, read, same

AMENDED = {("oberoesterreich", variant) for variant in ("latinisch", "blind", "schermberg")}
"""The variants in which a look at the cut was punished in 0.1.0, but not later (U25)."""


def by_todays_rules(record):
    """Whether a record has no rules of its own and replays under rules that were amended."""
    return "resolved" not in record and (record["rules"], record["variant"]) in AMENDED


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_old_records_replay_to_the_same_state(release):
    found = read(release / "records.json.gz")
    own = [item for item in found if not by_todays_rules(item["record"])]
    assert len(own) > 300
    for item in own:
        evening, refusal = replay(item["record"])
        assert refusal is None
        assert same(evening_told(evening), item["told"]), item["record"]
