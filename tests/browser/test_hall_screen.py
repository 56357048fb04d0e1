"""The hall's screen is legible from the far end of the hall."""

import re
from datetime import datetime

import pytest
from playwright.sync_api import expect

from tests.browser.probes import probe
from tests.browser.taps import stop_clock
from tests.browser.visual_checks import each_screen, expect_in_view
from tests.sampling import slow
from tests.web.tournament.hall import Hall

TEAMS = (
    *("Georg Winkler & Peter Lang", "Johann Baumgartner & Christian Wiesinger"),
    *("Maria Hofer & Anna Pichler", "Theresia Wagner & Elfriede Brandstätter"),
)
WALLS = [(1280, 720), (1280, 800), (1024, 768), (1920, 1080)]


def test_hall_clock_uses_the_servers_time(phone, server):
    hall = Hall(server)
    assert hall.post("/clock", "c", minutes="45")[0] == 303
    page = phone(viewport={"width": 1280, "height": 720})
    stop_clock(page, datetime(2001, 1, 1))
    page.goto(f"/p/{hall.key}/hall")
    timer = page.get_by_role("timer")
    left = int(timer.get_attribute("data-left"))
    assert 0 < left <= 45 * 60
    for passed in (0, 5):
        page.clock.fast_forward(passed * 1000)
        minutes, seconds = divmod(left - passed, 60)
        expect(timer).to_have_text(f"{minutes}:{seconds:02}")


@pytest.mark.slow
def test_long_title_does_not_overlap_announcement(phone, server):
    hall = Hall(server, name="Preiswatten des Schützenvereins Hintersteiner-Öd 2026")
    hall.draw()
    assert hall.post("/announce", "a", text="Essen gibt es bis neun")[0] == 303
    page = phone(f"/p/{hall.key}/hall", viewport={"width": 1024, "height": 768})
    title, announcement = (page.locator(name).bounding_box() for name in ("h1", ".announced"))
    assert title["y"] + title["height"] <= announcement["y"]


@pytest.mark.slow
def test_long_note_leaves_the_name_its_room(phone, server):
    """The second page shows the standings, whose note lists the missing tables."""
    name = "Großes Preiswatten der Freiwilligen Feuerwehr Schlieben"
    hall = Hall(server, 8, name=name, rounds=1, finals={"best": 4})
    hall.draw()
    hall.enter(1, 1, (15, 3))
    assert hall.post("/announce", "a", text="Essen gibt es bis neun Uhr. " * 5)[0] == 303
    assert hall.post("/clock", "c", minutes="65")[0] == 303
    page = phone(f"/p/{hall.key}/hall?still=1&page=1")
    expect(page.locator("[data-note]")).not_to_be_empty()
    for screen in each_screen(page, WALLS):
        name, below = (page.locator(part).bounding_box() for part in ("h1", ".announced"))
        assert name["y"] + name["height"] <= below["y"], screen
        texts = "h1, .heading p, .announced"
        assert probe(page, "ending", texts) == [], screen
        assert probe(page, "crowded", "h1, .heading p, .clock") == [], screen


def hall_of_teams(server, **settings):
    pairs = [{"players": team.split(" & ")} for team in TEAMS]
    return Hall(server, pairs=pairs, name="Preiswatten der FF Waizenkirchen 2026", **settings)


@pytest.mark.slow
def test_walkover_leaves_names_their_width_on_phones(phone, server):
    hall = hall_of_teams(server)
    hall.draw()
    hall.send("/match/1/1", do="walkover", walkover="a")
    page = phone(f"/p/{hall.key}/hall?still=1")
    for screen in each_screen(page, [(390, 844), (320, 568)]):
        assert (probe(page, "brokenNames"), probe(page, "overflow")) == ([], 0), screen
        for row in page.locator("tbody tr").all():
            pair, result = row.locator("th").bounding_box(), row.locator("td").last.bounding_box()
            assert result["y"] >= pair["y"] + pair["height"] - 1, screen
    expect(page.locator("tbody tr").first.locator("td").last).to_have_text("kampflos")
    winner = page.locator("tbody tr").first.locator("b")
    expect(winner).to_have_css("font-weight", "700")
    assert winner.inner_text().replace("\xa0", " ").removesuffix(" –") in TEAMS


@pytest.mark.parametrize(("minutes", "shown"), [*slow((45, r"4\d:\d\d")), (66, r"1:0\d:\d\d")])
def test_hall_clock_is_whole_and_larger_than_names(phone, server, minutes, shown):
    hall = hall_of_teams(server)
    hall.draw()
    assert hall.post("/clock", "c", minutes=str(minutes))[0] == 303
    page = phone(f"/p/{hall.key}/hall?still=1")
    clock = page.get_by_role("timer")
    expect(clock).to_have_text(re.compile(f"^{shown}$"))
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    for screen in each_screen(page, [*WALLS, (390, 844), (320, 568)]):
        expect_in_view(page.locator(".clock, h1, [data-pages]"))
        assert probe(page, "overflow") == 0, screen
        assert probe(page, "ending", "h1") == [], screen
        if screen in WALLS:
            assert probe(page, "crowded", "h1, [data-pages], .clock") == [], screen
        assert clock.evaluate(size) > page.locator("th .name").first.evaluate(size), screen


@pytest.mark.slow
def test_bracket_is_as_large_as_other_rows_in_the_hall(phone, server):
    turned = [" & ".join(team.split(" & ")[::-1]) for team in TEAMS]
    pairs = [{"name": team} for team in (*TEAMS, *turned)]
    hall = Hall(server, pairs=pairs, rounds=1, finals={"best": 8})
    for _ in range(4):
        hall.play()
    page = phone()
    page.goto(f"/p/{hall.key}/hall?still=1&page=1")
    for screen in each_screen(page, WALLS):
        unit = min(screen[1] / 100, screen[0] * 0.005625)
        size = "node => parseFloat(getComputedStyle(node).fontSize)"
        assert page.locator(".bracket p").first.evaluate(size) > 4.19 * unit, screen
        expect_in_view(page.locator(".bracket :is(h2, p, small)"))


@pytest.mark.slow
def test_hall_screen_cuts_no_name_at_the_end(phone, server):
    hall = hall_of_teams(server, rounds=1)
    hall.play()
    page = phone()
    for number in (0, 1):
        page.goto(f"/p/{hall.key}/hall?still=1&page={number}")
        for screen in each_screen(page, WALLS):
            assert probe(page, "ending", "h1, th .name, .announced") == [], (number, screen)
            expect_in_view(page.locator("tbody tr"))


def test_hall_note_is_on_one_line_within_its_row(phone, server):
    team = "Schwarzenbacher Toni & Hinterlechner Sepp"
    hall = Hall(
        server, pairs=[{"name": f"{team} {n}"} for n in range(8)], rounds=1, finals={"best": 4}
    )
    for _ in range(3):
        hall.play()
    page = phone(viewport={"width": 1920, "height": 1080})
    page.goto(f"/p/{hall.key}/hall?still=1")
    for note in page.locator("th small").all():
        row, small = (node.bounding_box() for node in (note.locator("xpath=ancestor::tr"), note))
        assert small["height"] < 60
        assert small["y"] + small["height"] < row["y"] + row["height"]
    # The rows fill the screen.
    assert row["y"] + row["height"] > 1020


@pytest.mark.parametrize(("width", "height"), [(820, 1180), *slow((1080, 1920))])
def test_upright_screen_shows_whole_pages(phone, server, width, height):
    hall = hall_of_teams(server, rounds=2, finals={"best": 4})
    hall.play()
    hall.draw()
    page = phone(f"/p/{hall.key}/hall?still=1", viewport={"width": width, "height": height})
    for number in range(int(page.locator("[data-pages]").get_attribute("data-pages"))):
        page.goto(f"/p/{hall.key}/hall?still=1&page={number}")
        expect_in_view(page.locator("tbody tr, .corner .qr"))
        assert probe(page, "ending", "th .name") == [], number
        columns = page.locator(".hall-columns")
        assert columns.evaluate("node => node.scrollHeight - node.clientHeight") <= 1, number


@pytest.mark.slow
def test_one_long_name_takes_no_room_from_the_others(phone, server):
    """Only its own row is higher, and all names are whole."""
    pages = []
    for long_name in ("", "Schwarzenlander-Rammerstorfer Dipl.-Ing. Maximilian"):
        names = [f"{team.split()[0]} {n:02}" for n, team in enumerate(TEAMS * 5)]
        pairs = [{"players": [one, f"{one} jun."]} for one in names[:36]]
        if long_name:
            pairs[5]["players"][0] = long_name
        hall = Hall(server, pairs=pairs, rounds=1)
        hall.draw()
        page = phone(f"/p/{hall.key}/hall?still=1", viewport={"width": 1920, "height": 1080})
        pages.append(int(page.locator("[data-pages]").get_attribute("data-pages")))
        seen = 0
        for number in range(pages[-1]):
            page.goto(f"/p/{hall.key}/hall?still=1&page={number}")
            seen += page.locator(".by-name [class*=height-]").count()
            assert probe(page, "ending", "th .name") == []
            expect_in_view(page.locator("tbody tr"))
        assert seen == bool(long_name)
    assert pages[1] - pages[0] <= 1


@pytest.mark.slow
def test_names_of_a_long_pairing_are_whole(phone, server):
    """Two pairs, and their players, each begin a line if they do not fit on the rest of one."""
    players = [f"{team.split()[0]} Josef {n}" for n, team in enumerate(TEAMS * 5)][:19]
    long_name = "Dr. Hinterleitner-Wolkersdorfer Anna-Katharina Josefine"
    hall = Hall(server, pairs=[{"name": one} for one in (*players, long_name)], format="partners")
    hall.draw()
    page = phone(viewport={"width": 1920, "height": 1080})
    page.goto(f"/p/{hall.key}/hall?still=1")
    for number in range(int(page.locator("[data-pages]").get_attribute("data-pages"))):
        page.goto(f"/p/{hall.key}/hall?still=1&page={number}")
        for name in page.locator("th .name").all():
            assert name.evaluate("node => node.scrollHeight - node.clientHeight") <= 4
        expect_in_view(page.locator("tbody tr"))
