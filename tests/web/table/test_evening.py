"""A whole evening by the pad's forms, as a browser without scripts sends them."""

import pytest

from scorer.engine import REGIONS, replay, result
from tests.builders import WON
from tests.pages import Page
from tests.sampling import mostly_slow
from tests.web.table.evenings import FIRST_GAMES, TAPS


class Pad:
    """The writer's page, as a browser without scripts uses it."""

    def __init__(self, server, path):
        self.server, self.path = server, path

    def page(self, more=""):
        return self.server.page(self.path + more)

    def tap(self, button, *, asks=False):
        """Send the form of a button, which must redirect to the writer's page.

        :param asks: whether a question comes first, which is answered with yes
        """
        form = button.find_parent("form")
        hidden = [(field["name"], field["value"]) for field in form.all("input", type="hidden")]
        sent = [*hidden, (button["name"], button["value"])]
        if asks:
            status, _, text = self.server.request("POST", form["action"], sent)
            assert status == 409
            return self.tap(Page(text).one(css="notice").one("button"))
        assert self.server.submit(form["action"], sent) == self.path


def one(where, *classes, named="", label=""):
    """The only button with these classes, this name and this text."""
    found = [
        button
        for button in where.all("button", named=named)
        if {*classes} <= {*button.attrs.get("class", "").split()} and label in button.text
    ]
    assert len(found) == 1, (classes, named, label)
    return found[0]


def part(where, *classes):
    """The only element with these classes."""
    [found] = [
        element
        for element in where.all(css=classes[0])
        if {*classes} <= {*element["class"].split()}
    ]
    return found


def button(pad, kind, side=None, label=""):
    """The button for a tap of an evening in `TAPS`."""
    if kind == "penalty":
        [offence] = [one for one in pad.page("/more").all(css="offence") if label in one.text]
        return one(offence, f"side-{side}")
    page = pad.page()
    if kind in ("undo", "redo"):
        return page.one("button", css=kind)
    if kind == "next":
        return one(page, "tap", "main")
    if kind == "answer":
        return one(page, "tap", "answer", f"side-{side}", label=label)
    if kind in ("raise", "win", "played"):
        return one(page, "tap", kind.replace("played", "win"), f"side-{side}")
    if kind == "strike":
        return one(page, "tap", "own-strike", f"side-{side}")
    lane = part(page.one(id="pad"), "side-column", f"side-{side}")
    if kind == "tricks":
        return one(part(lane, "tricks"), named=label)
    if kind == "raised":
        return one(part(lane, "raised-wins"), label=label)
    raise ValueError(kind)


@pytest.mark.parametrize("region", mostly_slow(REGIONS, 2))
def test_whole_evening_works_without_scripts(server, region):
    where = server.submit("/new", [("rules", region), ("side0", "Wir"), ("side1", "Die")])
    pad, key = Pad(server, where), where.rsplit("/", 1)[1]
    for tap in TAPS[region]:
        before = server.seq(key)
        pad.tap(button(pad, *tap), asks=tap[0] == "strike")
        wrote = 2 if tap[0] == "played" else 1
        assert int(pad.page().one(id="table")["data-seq"]) == before + wrote, tap
    evening, refusal = replay(server.record(key))
    assert refusal is None
    shown = result(evening.state)
    assert server.state(key) == shown
    page = pad.page()
    assert [one.text for one in page.all(css="sum")] == [str(points) for points in shown["points"]]
    marks = [one["aria-label"] for one in page.all(css="marks")]
    assert marks == [f"{count} Bummerl" for count in shown["bummerl"]]
    assert [one.text for one in page.all(css="name")] == ["Wir", "Die"]
    assert shown["game"] == 2
    first = shown["games"][0]
    assert (first["points"], first["kind"]) == FIRST_GAMES[region]


@pytest.mark.parametrize("sitting_out", [0, 1, 2])
def test_side_that_sat_out_has_an_empty_cell(server, sitting_out):
    sides = [{"name": name} for name in ("Anna", "Bert", "Cilli")]
    winner = (sitting_out + 1) % 3
    played = [{"do": "setzt_aus", "side": sitting_out}, {**WON, "side": winner}]
    keys = server.table("bayern", sides=sides, played=played)
    row = server.page(f"/b/{keys['viewer']}").select_one(".reason-link:has(.running-total)")
    shown = [cell.find(string=True, recursive=False) or "" for cell in row.select(".running-total")]
    expected = ["–"] * 3
    expected[sitting_out], expected[winner] = "", "2"
    assert shown == expected
