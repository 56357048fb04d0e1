"""A table that two phones write: their rows, and the names of the sides on each phone."""

import re

import pytest

from tests.builders import LOST, NAMED, WON
from tests.web.table.taps import FIRST_PHONE, SECOND_PHONE, tap


@pytest.fixture
def key(server):
    return server.table(sides=NAMED)["scorer"]


def side_names(server, path, phone, **cookies):
    """The names of the sides that a page shows on this phone."""
    jar = "; ".join(f"{name}={value}" for name, value in {"phone": phone, **cookies}.items())
    return [name.text for name in server.page(path, Cookie=jar).all(css="name")]


def test_rounds_name_the_phone_if_several_record(server, key):
    def phones():
        rounds = server.page(f"/b/{key}/history").all(css="round-details")
        return [re.findall(r"Handy (\d)", round_.text) for round_ in rounds]

    tap(server, key, FIRST_PHONE, WON)
    assert phones() == [[]]
    tap(server, key, SECOND_PHONE, LOST)
    tap(server, key, FIRST_PHONE, WON)
    assert phones() == [["1"], ["2"], ["1"]]


def test_second_writer_sees_neutral_side_names(server, key):
    table = f"/t/{key}"
    ours, numbered = ["Wir", "Die"], ["Partei 1", "Partei 2"]
    assert side_names(server, f"{table}?second", SECOND_PHONE) == numbered
    assert side_names(server, table, SECOND_PHONE, tables=key, second=key) == numbered
    assert side_names(server, f"/b/{key}", SECOND_PHONE, tables=key, second=key) == numbered
    # After a phone has recorded, only that phone sees "Wir" at the plain address.
    assert side_names(server, table, SECOND_PHONE) == ours
    tap(server, key, FIRST_PHONE, WON)
    assert side_names(server, table, SECOND_PHONE) == numbered
    assert side_names(server, table, FIRST_PHONE, tables=key) == ours
    assert side_names(server, f"{table}?second", FIRST_PHONE, tables=key) == ours
    assert side_names(server, table, FIRST_PHONE) == ours


def test_share_page_marks_the_second_writers_link(server, key):
    page = server.page(f"/t/{key}/share")
    assert any(f"/t/{key}?second" in link["href"] for link in page.all("a", href=True))
