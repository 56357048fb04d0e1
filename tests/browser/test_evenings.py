"""A whole evening by taps under each rule set, against the state the record leads to."""

import json

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, replay, result
from tests.browser.taps import new_table

# What is tapped: (the kind of button, the side, what it says). One game to its end and the
# start of the next, with all that the region has of its own.
TAPS = {
    "oberoesterreich": [
        ("raise", 0), ("answer", 1, "bleiben"), ("win", 0),              # 3:0
        ("raise", 1), ("raise", 0), ("answer", 1, "gehen"),              # 6:0
        ("undo",), ("redo",),
        ("win", 1),                                                      # 6:2
        ("win", 0),                                                      # 8:2, krank
        ("strike", 1),                                                   # 8:0
        ("raise", 1), ("answer", 0, "bleiben"), ("win", 1),              # 8:3
        ("penalty", 0, "Vergeben"),                                      # 8:5
        ("quick", 1, "+3"),                                              # 8:8
        ("win", 1),                                                      # 8:10, Retourschneider
        ("next",), ("win", 0),
    ],
    "bayern": [
        *[("win", 0)] * 6,                                               # 12:0
        ("raise", 1), ("answer", 0, "gehen"),                            # 12:2
        ("win", 0),                     # 14:2, gespannt
        ("answer", 0, "hergeben"),                                       # 14:4
        ("played", 1),                                                   # 14:7
        ("played", 0),                                                   # 17:7
        ("next",), ("win", 1),
    ],
    "suedtirol": [
        ("raise", 0), ("raise", 1), ("answer", 0, "gehen"),              # 0:2
        *[("win", 0)] * 8,                                               # 16:2, die 4 gehen
        ("answer", 0, "gehen"),                                          # 16:4
        ("answer", 0, "halten"), ("win", 1),                            # 16:8
        ("answer", 0, "halten"), ("win", 0),                            # 20:8
        ("next",), ("win", 1),
    ],
    "trentino": [
        ("raise", 0), ("answer", 1, "annehmen"), ("win", 1),             # 0:3
        *[("win", 1)] * 5,                                               # 0:13, counts 4
        ("win", 0),                                                      # 4:13
        ("win", 0), ("win", 0),                                          # 12:13, counts 3
        ("penalty", 0, "Regelwidriger Rilancio"),                        # 12:16
        ("next",), ("win", 1),
    ],
    "frankreich": [
        ("raise", 0), ("answer", 1, "shauen"),
        ("raise", 0), ("answer", 1, "aufgeben"),                         # 5:0
        ("tricks", 1, "4 Stiche"),                                       # 5:3
        ("raise", 0), ("answer", 1, "shauen"), ("tricks", 0, "5 Stiche"),  # 12:3
        ("next",), ("tricks", 1, "3 Stiche"),
    ],
}  # fmt: skip
SIDES = ("Wir", "Die")


def seq(page):
    return int(page.locator("#table").get_attribute("data-seq"))


def button(page, tap):
    kind = tap[0]
    if kind in ("undo", "redo"):
        return page.locator(".tools").get_by_role("button").nth(0 if kind == "undo" else 1)
    if kind == "next":
        return page.locator(".tap.main")
    side = tap[1]
    if kind in ("raise", "win", "played"):
        kind = kind.replace("played", "win")
        return page.locator(f".tap.{kind}.side-{side}")
    if kind == "answer":
        return page.locator(f".tap.answer.side-{side}", has_text=tap[2])
    if kind == "tricks":
        return page.locator(f".lane.side-{side} .tricks").get_by_role("button", name=tap[2])
    if kind == "quick":
        return page.locator(f".lane.side-{side} .quick").get_by_text(tap[2], exact=True)
    if kind == "strike":
        return page.locator(f".lane.side-{side}").get_by_role("button", name="streichen")
    page.locator("#more").press("Enter")
    return page.get_by_role("group", name=tap[2]).locator(f".side-{side}")


def play(page, region):
    """Play the evening; checks after each tap what was written: one event, or that a side played
    and who took the round."""
    for tap in TAPS[region]:
        before = seq(page)
        button(page, tap).press("Enter")
        wrote = 2 if tap[0] == "played" else 1
        expect(page.locator("#table")).to_have_attribute("data-seq", str(before + wrote))


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("script", [True, False], ids=["htmx", "no-javascript"])
def test_a_whole_evening_by_taps(phone, server, region, script):
    page = phone(java_script_enabled=script)
    key = new_table(page, region)
    play(page, region)
    status, record = server.json("GET", f"/api/tables/{key}/record")
    assert status == 200
    evening, refusal = replay(json.loads(json.dumps(record)))
    assert refusal is None
    shown = result(evening.state)
    assert server.json("GET", f"/api/tables/{key}")[1]["state"] == shown
    expect(page.locator(".sum")).to_have_text([str(points) for points in shown["points"]])
    for side, count in enumerate(shown["bummerl"]):
        label = f"{count} Bummerl"
        expect(page.locator(".marks").nth(side)).to_have_attribute("aria-label", label)
    assert shown["game"] == 2
    assert shown["games"][0]["kind"] == FIRST_GAMES[region][1]
    assert shown["games"][0]["points"] == FIRST_GAMES[region][0]


FIRST_GAMES = {
    "oberoesterreich": ([8, 10], "retourschneider"),
    "bayern": ([17, 7], "einfach"),
    "suedtirol": ([20, 8], "einfach"),
    "trentino": ([12, 16], "einfach"),
    "frankreich": ([12, 3], "einfach"),
}


def test_names_of_sides_are_those_of_the_form(phone):
    page = phone()
    new_table(page, "bayern")
    expect(page.locator(".name")).to_have_text(list(SIDES))
