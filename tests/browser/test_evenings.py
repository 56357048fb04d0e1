"""A whole evening by taps under each rule set ends in the state that its record replays to."""

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, replay, result
from tests.browser.taps import new_table
from tests.sampling import slow
from tests.web.table.evenings import FIRST_GAMES, TAPS

pytestmark = pytest.mark.shared_phone


def button(page, kind, side=0, text=""):
    column = page.locator(f".side-column.side-{side}")
    match kind:
        case "undo" | "redo" | "next":
            return page.locator({"undo": ".undo", "redo": ".redo", "next": ".tap.main"}[kind])
        case "raise":
            return page.locator(f".tap.raise.side-{side}")
        case "win" | "played":
            return page.locator(f".tap.win.side-{side}")
        case "answer":
            return page.locator(f".answers .side-{side}", has_text=text)
        case "tricks":
            return column.locator(".tricks").get_by_role("button", name=text)
        case "raised":
            return column.locator(".raised-wins").get_by_text(text, exact=True)
        case "strike":
            return column.get_by_role("button", name="streichen")
    page.locator("#more").press("Enter")
    return page.get_by_role("group", name=text).locator(f".side-{side}")


@pytest.mark.parametrize("region", ["frankreich", *slow(*REGIONS[:-1])])
def test_tapped_evening_matches_its_replayed_record(phone, server, region):
    page, seq = phone(), 0
    key = new_table(page, region)
    for tap in TAPS[region]:
        button(page, *tap).press("Enter")
        if tap[0] == "strike":
            page.locator(".notice button").press("Enter")
        # That a side plays and that it wins are two events.
        seq += 2 if tap[0] == "played" else 1
        expect(page.locator("#table")).to_have_attribute("data-seq", str(seq))
    evening, refusal = replay(server.record(key))
    assert refusal is None
    shown = result(evening.state)
    assert server.state(key) == shown
    expect(page.locator(".sum")).to_have_text([str(points) for points in shown["points"]])
    for side, count in enumerate(shown["bummerl"]):
        marks = page.locator(".marks").nth(side)
        expect(marks).to_have_attribute("aria-label", f"{count} Bummerl")
    assert shown["game"] == 2
    first = shown["games"][0]
    assert (first["points"], first["kind"]) == FIRST_GAMES[region]
