"""Any changed byte of an exported evening is detected."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from scorer.cli import main
from scorer.demo import write
from tests.commands import bummerl
from tests.sampling import examples


@pytest.fixture(scope="module")
def exported_evening(tmp_path_factory):
    """The bytes that `export` prints for an evening."""
    db = tmp_path_factory.mktemp("demo") / "x.db"
    _, keys = next(iter(write(db)))
    return bummerl("export", "--db", db, keys["viewer"]).stdout


@pytest.fixture(scope="module")
def verify(tmp_path_factory):
    """A function from the bytes of a file to the exit code of `verify`."""
    file = tmp_path_factory.mktemp("altered") / "evening.json"

    def verify(data):
        file.write_bytes(data)
        return CliRunner().invoke(main, ["verify", str(file)]).exit_code

    return verify


@examples(300)
@given(st.data())
def test_altered_byte_is_detected(exported_evening, verify, data):
    at = data.draw(st.integers(0, len(exported_evening) - 1))
    byte = data.draw(st.integers(0, 255))
    altered = exported_evening[:at] + bytes([byte]) + exported_evening[at + 1 :]
    try:
        same = json.loads(altered) == json.loads(exported_evening)
    except ValueError:
        same = False
    assert verify(altered) in ((0,) if same else (1, 2))


@examples(100)
@given(st.data())
def test_removed_events_are_detected(exported_evening, verify, data):
    record = json.loads(exported_evening)
    last = len(record["events"]) - 2
    first = data.draw(st.integers(0, last))
    del record["events"][first : data.draw(st.integers(first, last)) + 1]
    assert verify(json.dumps(record).encode()) == 1


def test_unchanged_evening_is_verified(exported_evening, verify):
    assert verify(exported_evening) == 0
