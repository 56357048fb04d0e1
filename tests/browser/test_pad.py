"""Where the writer's buttons stand."""

from playwright.sync_api import expect

from scorer.engine import REGIONS

SIDES = ["Maria & Resi", "Sepp & Hans"]
NAMED = [{"name": "", "players": name.split(" & ")} for name in SIDES]


def test_what_a_side_may_tap_behind_more_stands_in_its_column(phone, server):
    page = phone()
    for region in REGIONS:
        keys = server.table(region, sides=NAMED)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            page.goto(f"/t/{keys['scorer']}")
            page.locator("#more").click()
            expect(page.locator("#panel > *")).to_have_count(1)
            ours, theirs = (
                page.locator(f"#panel .tap.side-{side}").evaluate_all(
                    "buttons => buttons.map(b => Math.round(b.getBoundingClientRect().left))"
                )
                for side in (0, 1)
            )
            assert len(ours) == len(theirs) > 0
            assert len(set(ours)) == len(set(theirs)) == 1
            assert ours[0] < width / 2 - 1 < theirs[0]
