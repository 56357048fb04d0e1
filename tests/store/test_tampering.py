"""Any changed byte of an exported evening is detected."""

import json

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.cli import main
from scorer.demo import write


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The bytes that `export` prints for an evening."""
    db = tmp_path_factory.mktemp("demo") / "x.db"
    _, keys = next(iter(write(db)))
    printed = CliRunner().invoke(main, ["export", "--db", str(db), keys["viewer"]])
    assert printed.exit_code == 0
    return printed.output.encode()


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    """A function from the bytes of a file to the exit code of `verify`."""
    file = tmp_path_factory.mktemp("altered") / "evening.json"

    def verify(data):
        file.write_bytes(data)
        return CliRunner().invoke(main, ["verify", str(file)]).exit_code

    return verify


@settings(max_examples=300)
@given(st.data())
def test_an_altered_byte_is_found(exported, verified, data):
    at = data.draw(st.integers(0, len(exported) - 1))
    byte = data.draw(st.integers(0, 255))
    altered = exported[:at] + bytes([byte]) + exported[at + 1 :]
    try:
        same = json.loads(altered) == json.loads(exported)
    except ValueError:
        same = False
    assert verified(altered) in ((0,) if same else (1, 2))


@settings(max_examples=100)
@given(st.data())
def test_a_cut_out_stretch_is_found(exported, verified, data):
    record = json.loads(exported)
    last = len(record["events"]) - 2
    first = data.draw(st.integers(0, last))
    del record["events"][first : data.draw(st.integers(first, last)) + 1]
    assert verified(json.dumps(record).encode()) == 1


def test_the_untouched_evening_is_verified(exported, verified):
    assert verified(exported) == 0
