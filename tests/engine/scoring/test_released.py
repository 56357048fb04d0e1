"""Records of earlier releases replay to what those releases made of them."""

import pytest

from scorer.engine import replay
from tests.released.told import RELEASES, evening_told, read, same


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_records_replay_to_the_same(release):
    found = read(release / "records.json.gz")
    assert len(found) > 300
    for item in found:
        evening, refusal = replay(item["record"])
        assert refusal is None
        assert same(evening_told(evening), item["told"]), item["record"]
