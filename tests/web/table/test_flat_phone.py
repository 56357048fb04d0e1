"""On a flat phone each half speaks as the side that reads it."""

import pytest

from tests.builders import WON

WE_AND_THEY = [{"name": "Wir"}, {"name": "Die"}]
WE_AND_GUESTS = [{"name": "Wir"}, {"name": "Gäste"}]


def halves(server, sides, *events):
    """The far and the near half of a table's flat page."""
    key = server.table("oberoesterreich", sides=sides, played=events)["scorer"]
    return server.page(f"/t/{key}", Cookie="flat=1", language="de").select(".half")


@pytest.mark.parametrize(
    ("sides", "far_names"),
    [(WE_AND_THEY, ["Die", "Wir"]), (WE_AND_GUESTS, ["Partei 1", "Gäste"])],
)
def test_each_half_calls_its_own_side_we(server, sides, far_names):
    far, near = halves(server, sides, WON)
    assert [name.text for name in far.select(".name")] == far_names[::-1]
    assert [name.text for name in near.select(".name")] == [side["name"] for side in sides]
    assert far["aria-label"] == far_names[1]


def test_only_the_winners_half_says_we_have_won(server):
    far, near = (half.h2.text for half in halves(server, WE_AND_THEY, *[WON] * 5))
    assert far.startswith("Die ") and near.startswith("Wir ")


@pytest.mark.parametrize("sitting_out", [0, 1, 2])
def test_three_sides_have_a_half_each(server, sitting_out):
    sides = [{"name": "Wir"}, {"name": "Die"}, {"name": "Ihr"}]
    sits_out = {"do": "setzt_aus", "side": sitting_out}
    *far, near = halves(server, sides, sits_out)
    # Of three, each side is one person, so the default names would not fit its verbs.
    assert near["aria-label"] == "Partei 1"
    assert [half["aria-label"] for half in far] == ["Partei 3", "Partei 2"]
    have_buttons = [bool(half.select(".win")) for half in (near, *far[::-1])]
    assert have_buttons == [side != sitting_out for side in range(3)]
