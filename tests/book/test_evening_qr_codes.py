"""An evening as the texts of a few QR codes decodes to the same record; any other text is
refused."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.book.evening_qr_codes import CODE_CAPACITY, DICTIONARIES, InvalidCodes, read, texts
from scorer.engine import REGIONS, Evening, legal, read_head
from scorer.store.hash_chain import entry_hash, head_hash


def record_with_chain(region, seed=1, length=40):
    """A record of random events with its hash chain."""
    rng = random.Random(seed)
    head = read_head({"watten": 1, "rules": region}).to_json()
    evening, events, previous = Evening(read_head(head)), [], head_hash(head)
    for n in range(length):
        event_body = rng.choice(legal(evening.state)).to_json()
        event = {**event_body, "at": f"2026-01-01T19:{n % 60:02}:00.000Z", "by": "scorer abcdefgh"}
        previous = event["hash"] = entry_hash(previous, event)
        evening.push(event)
        events.append(event)
    return {**head, "events": events}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("length", [0, 1, 90])
def test_codes_decode_in_any_order(region, length):
    record = record_with_chain(region, length=length)
    codes = texts(record)
    # A long evening needs few codes, and an old camera can read each of them.
    assert len(codes) <= 4
    assert max(map(len, codes)) < CODE_CAPACITY + 40
    carried = read(random.Random(2).sample(codes, len(codes)))
    assert carried.record == record
    assert carried.is_intact


def test_released_dictionaries_are_unchanged():
    # Codes of a version must stay readable, so a new dictionary needs a new version.
    known = {mark: hashlib.sha256(text).hexdigest() for mark, text in DICTIONARIES.items()}
    assert known == {
        "W1": "512c32a21e5fc986b9ee4c2e8c1daf88c01ef1d6ef2bedc43c305db010ea6c90",
        "W2": "e241ee081f1dc47d37a61e24164944ee45b3ddae02aeb230f7893d9536f204c5",
    }


@pytest.mark.parametrize("mark", DICTIONARIES)
def test_codes_of_every_version_are_read(mark, monkeypatch):
    monkeypatch.setattr("scorer.book.evening_qr_codes.MARK", mark)
    codes = texts(record_with_chain("trentino"))
    assert codes[0].startswith(f"{mark}.1.")
    monkeypatch.undo()
    assert read(codes).record == record_with_chain("trentino")


@pytest.mark.parametrize("region", REGIONS)
def test_short_evening_fits_in_one_code(region):
    assert len(texts(record_with_chain(region, length=3))) == 1


def test_changed_record_is_detected():
    record = record_with_chain("bayern")
    record["events"][3]["at"] = "2026-01-01T23:00:00.000Z"
    assert not read(texts(record)).is_intact


def test_mixed_codes_are_refused():
    first, second = texts(record_with_chain("bayern", 1)), texts(record_with_chain("bayern", 2))
    for codes in ([], first[1:], [first[0], second[1]], ["https://example.com"], [first[0] + "A"]):
        with pytest.raises(InvalidCodes):
            read(codes)
    # The message distinguishes a damaged code from a foreign one.
    with pytest.raises(InvalidCodes, match="damaged"):
        read([first[0][:-1] + "%"])


def test_a_damaged_code_is_refused():
    [*others, last] = texts(record_with_chain("bayern"))
    with pytest.raises(InvalidCodes):
        read([*others, last[:-1] + ("A" if last[-1] != "A" else "B")])


@given(letters=st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", min_size=1, max_size=60))
def test_random_letters_are_refused(letters):
    checksum = hashlib.sha256(letters.encode()).hexdigest()[:8].upper()
    with pytest.raises(InvalidCodes):
        read([f"W2.1.1.{checksum}.{letters}"])
