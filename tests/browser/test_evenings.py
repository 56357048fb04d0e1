"""A whole evening by taps under each rule set ends in the state that its record replays to."""

import json

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, replay, result
from tests.browser.taps import new_table
from tests.slow import slow
from tests.web.table.evenings import FIRST_GAMES, TAPS

pytestmark = pytest.mark.shared_phone


def seq(page):
    return int(page.locator("#table").get_attribute("data-seq"))


def button(page, tap):
    kind = tap[0]
    if kind in ("undo", "redo"):
        return page.locator(".back" if kind == "undo" else ".again")
    if kind == "next":
        return page.locator(".tap.main")
    side = tap[1]
    if kind in ("raise", "win", "played"):
        kind = kind.replace("played", "win")
        return page.locator(f".tap.{kind}.side-{side}")
    if kind == "answer":
        return page.locator(f".answers .side-{side}", has_text=tap[2])
    if kind == "tricks":
        return page.locator(f".side-column.side-{side} .tricks").get_by_role("button", name=tap[2])
    if kind == "quick":
        return page.locator(f".side-column.side-{side} .quick").get_by_text(tap[2], exact=True)
    if kind == "strike":
        return page.locator(f".side-column.side-{side}").get_by_role("button", name="streichen")
    page.locator("#more").press("Enter")
    return page.get_by_role("group", name=tap[2]).locator(f".side-{side}")


def play(page, region):
    """Plays an evening, and checks that each tap records one event.

    "played" records two: that a side plays, and that it wins.
    """
    for tap in TAPS[region]:
        before = seq(page)
        button(page, tap).press("Enter")
        wrote = 2 if tap[0] == "played" else 1
        expect(page.locator("#table")).to_have_attribute("data-seq", str(before + wrote))


@pytest.mark.parametrize("region", ["frankreich", *slow(*REGIONS[:-1])])
def test_tapped_evening_matches_its_replayed_record(phone, server, region):
    page = phone()
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
