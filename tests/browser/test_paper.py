"""Printed sheets and the hall's screen."""

import itertools
import re
from random import Random

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS
from tests.browser.paper import (
    open_as_pdf,
    overlapping_texts,
    read_qr_codes,
    sheet_text,
    texts,
    texts_off_paper,
)
from tests.browser.probes import probe
from tests.browser.visual_checks import each_screen
from tests.sampling import slow

pytestmark = pytest.mark.shared_phone

LONG = "Maximiliana-Theodora Obermayrhofer-Hinterschwepfinger & Xaver Öl"[:60]
NAMES = {
    "short": "Anna & Bert {:02}".format,
    "long": lambda n: f"{LONG[:57]}{n:03}",
    "wide": lambda n: f"{'W' * (57 if n % 2 else 9)}{n:03}",
}


def new_tournament(server, count=0, name=NAMES["short"], **settings):
    """Create a tournament with this number of pairs and return its keys."""
    pairs = [
        {"name": name(n), "players": [f"Anna Öller{n:03}", f"Bert Zauner{n:03}"]}
        for n in range(1, count + 1)
    ]
    name = "Großes Preiswatten der Freiwilligen Feuerwehr Haidenkofen"
    return server.new_tournament(**{"name": name, "pairs": pairs, **settings})


def draw_round(server, keys, **body):
    return server.draw(keys["director"], **body)


def play_rounds(server, keys, rounds, games=3, finals=0):
    """Draw and play rounds with random results."""
    rng = Random(1)
    for number in range(1, rounds + finals + 1):
        for table in draw_round(server, keys):
            count = games if number <= rounds else 1
            points = [[15, rng.choice([0, 2, 8, 13])] for _ in range(count)]
            points = [game if rng.random() < 0.5 else game[::-1] for game in points]
            said = {"round": number, "table": table["table"], "games": points}
            path = f"/api/tournaments/{keys['director']}/results"
            assert server.json("POST", path, said)[0] == 201


def expect_legible(*sheets):
    """Assert that no text of these sheets overlaps another or runs off the paper."""
    for sheet in sheets:
        assert (overlapping_texts(sheet), texts_off_paper(sheet)) == ([], [])


@pytest.mark.parametrize("region", REGIONS)
def test_rules_of_a_table_print_as_four_beer_mats(phone, server, region):
    key = server.table(region)["viewer"]
    [sheet] = open_as_pdf(phone(), f"/b/{key}/rules")
    links = read_qr_codes(sheet)
    assert len(links) == 4 and all(link.endswith(f"/b/{key}/rules") for link in links)
    expect_legible(sheet)


@pytest.mark.slow
@pytest.mark.parametrize("kind", NAMES)
def test_every_slip_holds_names_and_codes(phone, server, kind):
    # The fewest games of a round that are possible, some, and the most.
    rounds = [1, 4, 10]
    settings = {"scoring": {"retour": 1}, "hall": {"first": 101, "count": 4}}
    settings |= {"rounds": len(rounds), "games_per_round": rounds}
    keys = new_tournament(server, 16, NAMES[kind], **settings)
    page = phone()
    for number, games in enumerate(rounds, 1):
        made = draw_round(server, keys, anyway=True)
        document = open_as_pdf(page, f"/p/{keys['director']}/print/slips/{number}")
        links = [link for sheet in document for link in read_qr_codes(sheet)]
        wanted = {table[role] for table in made for role in ("scorer", "opponent")}
        assert sorted(link.rsplit("/", 1)[1] for link in links) == sorted(wanted)
        expect_legible(*document)
        lines = "\n".join(sheet_text(sheet) for sheet in document)
        assert lines.count("scannen") == lines.count("Ergebnis eintragen") == 16
        for table in made:
            # The address of the page for the code is before it.
            assert re.search(rf"Zuschauen: \S+/s/ ?{table['code']}", lines)
        assert lines.count("bis 15") == 8
        slips = page.locator(".slip")
        expect(slips).to_have_count(8)
        # Several games have a sum.
        expect(slips.first.locator(".box")).to_have_count(2 * (games + (games > 1)))
        assert probe(page, "slipFaults") == []


@pytest.mark.slow
def test_umlauts_in_names_are_not_clipped(phone, server):
    # A name on one line, one in small print, and one on as many lines as fit.
    names = ("Öl & Ägj", "Öllinger Änne & Übleis Ödögj", "Öllinger-Ämter Ürsula Ö. & Jägg Übleisjg")
    keys = new_tournament(server, 26, lambda n: f"{names[n % 3]} {n}")
    draw_round(server, keys)
    page = phone(f"/p/{keys['director']}/print/slips", viewport={"width": 1920, "height": 1080})
    assert max(probe(page, "ink", ".slip-name")) <= 0
    for _ in ("many", "few"):
        page.goto(f"/p/{keys['viewer']}/hall?still=1")
        assert max(probe(page, "ink", "th .name")) <= 0
        keys = new_tournament(server, 4, lambda n: names[n % 3] + str(n))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*slow("short"), "wide"])
@pytest.mark.parametrize("count", [4, 6])
def test_two_or_three_slips_fill_their_sheet(phone, server, count, kind):
    keys = new_tournament(server, count, NAMES[kind], scoring={"retour": 1})
    draw_round(server, keys)
    page = phone()
    [sheet] = open_as_pdf(page, f"/p/{keys['director']}/print/slips")
    expect(page.locator(".slips .slip")).to_have_count(count // 2)
    assert probe(page, "filled") > 0.99
    assert len(read_qr_codes(sheet)) == count
    expect_legible(sheet)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "each"), [(6, 3), *slow((4, 2), (8, 4), (12, 6), (20, 8))])
def test_few_slips_fill_their_sheet(phone, server, count, each):
    # The longest names that a slip treats as short.
    keys = new_tournament(server, count, "Steiner Max & Berger {:03}".format, scoring={"retour": 1})
    draw_round(server, keys)
    page = phone(f"/p/{keys['director']}/print/slips", viewport={"width": 1280, "height": 800})
    sheets = page.locator(".slips")
    expect(sheets).to_have_count(-(-count // 2 // each))
    chips = page.get_by_role("group", name="Zettel je Blatt").get_by_role("link")
    expect(chips).to_have_text(["2", "3", "4", "6", "8"])
    expect(page.locator(".per [aria-current]")).to_have_text(str(each))
    size = page.locator(".slip-name").first.evaluate("name => getComputedStyle(name).fontSize")
    assert float(size.removesuffix("px")) >= (15 if each < 6 else 12)
    assert probe(page, "cutBelow", ".slip-name") == []
    chips.first.click()
    expect(sheets).to_have_count(-(-count // 4))
    for sheet in open_as_pdf(page, page.url):
        assert len(read_qr_codes(sheet)) <= 4
        expect_legible(sheet)


@pytest.mark.slow
def test_slips_break_no_word_and_fill_their_height(phone, server):
    """Whatever the players' names, the boxes reach down to the signatures."""
    given = ("Toni", "Vroni", "Max", "Stefan")
    surnames = ("Baumgartner", "Brandstätter", "Wimmer", "Schwarzenbacher")
    names = [f"{one} {two}" for one in given for two in surnames]
    pairs = [f"{one} & {two}" for one, two in zip(names, names[5:] + names[:5], strict=True)]
    for players, settings in ((pairs, {"scoring": {"retour": 1}}), (names, {"format": "partners"})):
        listed = [{"name": name} for name in players]
        keys = server.new_tournament(name="Preiswatten", pairs=listed, **settings)
        draw_round(server, keys)
        page = phone(f"/p/{keys['director']}/print/slips", viewport={"width": 1280, "height": 900})
        assert [word for word in probe(page, "broken") if word in " ".join(surnames)] == []
        assert probe(page, "cutBelow", ".slip-name") == []
        last, foot = (page.locator(at).first.bounding_box() for at in (".sum", ".slip footer"))
        assert foot["y"] - last["y"] - last["height"] < 8


PRINTED = "standings prizes results/1 by-name/1 by-table/1 list bracket cross ways certificates"
SHEETS = ("season", *(f"print/{what}" for what in PRINTED.split()))


def test_no_sheet_of_a_small_tournament_is_empty(phone, server):
    keys = new_tournament(server, 6, NAMES["short"], rounds=1)
    play_rounds(server, keys, 1)
    page = phone()
    for what in SHEETS:
        for sheet in open_as_pdf(page, f"/p/{keys['director']}/{what}"):
            words = re.sub(r"\d+ / \d+|Großes Preiswatten", "", sheet_text(sheet)).strip()
            assert len(words) > 20, what


@pytest.mark.slow
def test_printed_texts_do_not_overlap(phone, server):
    settings = {"rounds": 1, "finals": {"best": 16}, "club": "FF Haidenkofen"}
    keys = new_tournament(server, 65, NAMES["long"], **settings)
    play_rounds(server, keys, 1, finals=2)
    evenings = [new_tournament(server, 3, NAMES["long"])["viewer"] for _ in range(29)]
    counted = [("token", "s"), ("with", "\n".join(evenings)), ("rule", "points")]
    assert server.request("POST", f"/p/{keys['director']}/season", counted)[0] == 303
    page = phone()
    for what in SHEETS:
        document = open_as_pdf(page, f"/p/{keys['director']}/{what}")
        for number, sheet in enumerate(document, 1):
            expect_legible(sheet)
            # Sheets of the desk have no margin, as it would show the address, so no page number.
            if what not in ("print/list", "print/certificates"):
                assert f"{number} / {len(document)}" in sheet_text(sheet)
                # Each sheet says what it belongs to.
                assert what == "season" or "Großes Preiswatten" in sheet_text(sheet)
        if what in ("print/results/1", "print/by-table/1"):
            assert "Freilos" in sheet_text(document[0])
        if what == "print/bracket":
            # Two parts of four tables, and the rounds in which their winners meet.
            assert len(document) == 3
        if what == "season":
            assert all(total in sheet_text(document[0]) for total in ("Summe", "29 30"))


@pytest.mark.slow
def test_48_pairs_fit_one_sheet(phone, server):
    """Of more, at least three are on the last sheet."""
    page = phone()
    for count in (40, 46, 48, 51):
        keys = new_tournament(server, count, "Huber Maxi & Steinberger {:03}".format, club="FF Au")
        draw_round(server, keys)
        for path in (f"{keys['director']}/print/list", f"{keys['viewer']}/print/standings"):
            document = open_as_pdf(page, f"/p/{path}")
            rows = [sheet_text(sheet).count("Huber Maxi") for sheet in document]
            assert rows == [count] if count <= 48 else rows[-1] >= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "sizes"), [("by-table", (16, 13, 10)), *slow(("by-name", (12, 10, 10)))]
)
def test_few_rows_have_large_letters(phone, server, sheet, sizes):
    """They are read from afar on a wall, so they fill the sheet, but no more than one."""
    page = phone(viewport={"width": 1280, "height": 900})
    for count, size in zip((20, 40, 60), sizes, strict=True):
        keys = new_tournament(server, count, "Huber Maxi & Steinberger {:02}".format)
        draw_round(server, keys)
        document = open_as_pdf(page, f"/p/{keys['viewer']}/print/{sheet}")
        page.emulate_media(media="print")
        letters = page.locator("tbody th").first.evaluate(FONT_SIZE)
        assert abs(letters * 0.75 - size) < 0.1
        assert len(document) == 1 or count == 60
        expect_legible(*document)


@pytest.mark.slow
def test_surnames_of_opponents_stay_whole(phone, server):
    """A word on two lines has two boxes."""
    broken_words = """cells => cells.flatMap(cell => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      const broken = [];
      while (texts.nextNode())
       for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
        const range = new Range();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
      return broken;
    })"""
    surnames = ("Eder", "Schwarzenbacher", "Niederhuber", "Lindlbauer", "Maier", "Huber", "Wimmer")
    given = ("Anna", "Elisabeth", "Ferdinand", "Georg", "Hildegard", "Johannes", "Katharina")
    given += ("Bernhard", "Christine", "Dominik", "Franz", "Josef", "Maria", "Peter", "Theresia")
    people = [f"{surname} {name}" for name in given for surname in surnames]
    page = phone()
    page.emulate_media(media="print")
    for count in (12, 22, 40, 52):
        players = Random(count).sample(people, 2 * count)
        pairs = [{"players": players[n : n + 2]} for n in range(0, 2 * count, 2)]
        keys = new_tournament(server, pairs=pairs)
        draw_round(server, keys)
        sheets = open_as_pdf(page, f"/p/{keys['viewer']}/print/by-name")
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 690, "height": 975})
        assert page.locator("tbody .against").count() == 4 * (count // 2)
        assert page.locator("tbody .against").evaluate_all(broken_words) == []
        expect_legible(*sheets)


@pytest.mark.slow
def test_256_players_by_surname_fill_three_sheets(phone, server):
    """Each sheet has two columns of unbroken names, each with its table."""
    given = ("Maximilian", "Hansl", "Magdalena", "Sepp")
    ends = ("bacher", "berger", "hofer", "kofler", "maier", "steiner", "thaler", "wieser")
    starts = ("Ober", "Unter", "Nieder", "Hinter", "Schwien", "Stein", "Moos", "Kalten")
    turned = sorted(f"{start}{end} {who}" for start in starts for end in ends for who in given)
    players = [" ".join(reversed(name.split())) for name in turned]
    Random(1).shuffle(players)
    pairs = [{"players": list(two)} for two in zip(players[::2], players[1::2], strict=True)]
    keys = new_tournament(server, pairs=pairs)
    tables = {
        " ".join(reversed(name.split())): str(table["table"])
        for table in draw_round(server, keys)
        for number in table["pairs"]
        for name in pairs[number - 1]["players"]
    }
    sheets = open_as_pdf(phone(), f"/p/{keys['viewer']}/print/by-name")
    assert len(sheets) == 3
    found = []
    for sheet in sheets:
        middle = sheet.get_size()[0] / 2
        for right in (False, True):
            column = [text for text in texts(sheet) if (text.left > middle) == right]
            names = [text for text in column if text.words in tables]
            for name in sorted(names, key=lambda text: -text.top):
                level = [text for text in column if abs(text.bottom - name.bottom) < 5]
                after = [text for text in level if text.left > name.right]
                assert min(after, key=lambda text: text.left).words == tables[name.words]
                found.append(name.words)
    assert found == turned


@pytest.mark.slow
def test_running_slips_are_in_order(phone, server):
    """From left to right and from top to bottom, as they are laid on the tables."""
    keys = new_tournament(server, 10, rounds=3)
    draw_round(server, keys)
    found = []
    for sheet in open_as_pdf(phone(), f"/p/{keys['viewer']}/print/ways"):
        names = [text for text in texts(sheet) if re.match(r"\d+ Anna", text.words)]
        names.sort(key=lambda text: (-round(text.top), text.left))
        found += [int(text.words.split()[0]) for text in names]
    assert found == list(range(1, 11))


def test_bracket_centres_match_between_its_two_feeders(phone, server):
    keys = new_tournament(server, 8, rounds=1, finals={"best": 8, "third": True})
    play_rounds(server, keys, 1, finals=3)
    page = phone(f"/p/{keys['viewer']}/print/bracket", viewport={"width": 1280, "height": 900})
    sections = page.locator(".bracket").first.locator("section")
    boxes = [[match.bounding_box() for match in one.locator("li").all()] for one in sections.all()]
    middles = [[box["y"] + box["height"] / 2 for box in column] for column in boxes]
    assert [len(column) for column in middles] == [4, 2, 1]
    for column, following in itertools.pairwise(middles):
        for two, one in zip(zip(column[::2], column[1::2], strict=True), following, strict=True):
            assert abs(sum(two) / 2 - one) < 1
    expect(page.locator(".bracket .joined li")).to_have_count(6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "parts"), [("short", 2), ("long", 4), ("wide", 4)])
def test_part_of_a_large_bracket_is_on_one_sheet(phone, server, name, parts):
    keys = new_tournament(server, 32, NAMES[name], format="knockout", rounds=5)
    play_rounds(server, keys, 5)
    stages = ["Achtelfinale"] * parts + ["Finale"]
    for key in keys["viewer"], keys["director"]:
        sheets = open_as_pdf(phone(), f"/p/{key}/print/bracket")
        for sheet, shown in zip(sheets, stages, strict=True):
            expect_legible(sheet)
            assert shown in sheet_text(sheet)


@pytest.mark.slow
@pytest.mark.parametrize(("best", "rounds"), [(4, 2), (8, 3)])
def test_finals_fill_one_sheet_across(phone, server, best, rounds):
    keys = new_tournament(server, 9, NAMES["long"], rounds=1, finals={"best": best, "third": True})
    play_rounds(server, keys, 1, finals=rounds)
    for path in (f"{keys['viewer']}/print/bracket", f"{keys['director']}/print/bracket"):
        (sheet,) = open_as_pdf(phone(), f"/p/{path}")
        width, height = sheet.get_size()
        assert width > height
        found = texts(sheet)
        assert min(text.bottom for text in found if ":" in text.words) < height / 3
        expect_legible(sheet)


@pytest.mark.slow
def test_columns_of_groups_are_below_each_other(phone, server):
    groups = {"format": "groups", "groups": {"count": 2, "best": 2}}
    keys = new_tournament(server, 8, rounds=3, **groups)
    play_rounds(server, keys, 2)
    page = phone()
    for path in ("standings", "print/standings"):
        page.goto(f"/p/{keys['viewer']}/{path}")
        for screen in each_screen(page, [(390, 844), (1280, 800)]):
            tables = page.locator(".ranking").all()
            lefts = [
                [round(head.bounding_box()["x"]) for head in table.locator("thead th").all()]
                for table in tables
            ]
            assert len(tables) == 2, screen
            assert lefts[0] == lefts[1], (path, screen)


@pytest.mark.slow
def test_groups_have_room_above_their_headings(phone, server):
    """A group is whole on one sheet."""
    settings = {"format": "groups", "groups": {"count": 4}}
    keys = new_tournament(server, 16, rounds=3, **settings)
    play_rounds(server, keys, 3)
    page = phone(viewport={"width": 1280, "height": 900})
    page.emulate_media(media="print")
    for sheet, block in (("standings", ".across"), ("cross", ".cross-table")):
        page.goto(f"/p/{keys['viewer']}/print/{sheet}")
        tables = [table.bounding_box() for table in page.locator(block).all()]
        heads = [head.bounding_box() for head in page.locator("main h2").all()]
        assert len(tables) == len(heads) == 4
        for above, head, below in zip(tables, heads[1:], tables[1:], strict=False):
            assert head["y"] - above["y"] - above["height"] > 15
            assert 2 < below["y"] - head["y"] - head["height"] < 10


def test_certificates_of_the_desk_are_one_sheet_each(phone, server):
    """Before the prize-giving the director prints them, on sheets without a margin."""
    pairs = [{"name": f"Paar {n}"} for n in range(1, 5)]
    made = server.new_tournament(
        name="T", pairs=pairs, rounds=1, games_per_round=1, ceremony=True, published="names"
    )
    key = made["director"]
    for table in server.draw(key):
        result = {"round": 1, "table": table["table"], "games": [[15, 8]]}
        assert server.json("POST", f"/api/tournaments/{key}/results", result)[0] == 201
    sheets = open_as_pdf(phone(), f"/p/{key}/print/certificates")
    assert len(sheets) == 3
    assert all(any("Platz" in text.words for text in texts(sheet)) for sheet in sheets)


@pytest.mark.slow
def test_certificates_break_no_place(phone, server):
    keys = new_tournament(server, 4, rounds=1, place="Gasthof Post, Peuerbach", date="2026-11-28")
    play_rounds(server, keys, 1)
    sheet = open_as_pdf(phone(), f"/p/{keys['viewer']}/print/certificates")[0]
    assert "Gasthof Post, Peuerbach," in [text.words for text in texts(sheet)]


@pytest.mark.slow
def test_running_slips_in_a_row_are_equally_high(phone, server):
    keys = new_tournament(server, 4, lambda n: NAMES["long" if n % 2 else "short"](n), rounds=2)
    draw_round(server, keys)
    page = phone(f"/p/{keys['viewer']}/print/ways", viewport={"width": 718, "height": 900})
    page.emulate_media(media="print")
    boxes = [slip.bounding_box() for slip in page.locator(".running-slip").all()]
    for left, right in zip(boxes[::2], boxes[1::2], strict=True):
        assert (left["y"], left["height"]) == (right["y"], right["height"])
        assert right["x"] + right["width"] <= 717


def test_running_slips_break_no_name(phone, server):
    """Neither of a round nor of a player."""
    name = "Hias Schwarzenberger & Resi Mitterlehner {}".format
    keys = new_tournament(server, 8, name, rounds=1, finals={"best": 8})
    play_rounds(server, keys, 1)
    draw_round(server, keys)
    page = phone(f"/p/{keys['viewer']}/print/ways")
    for media, width in (("screen", 390), ("print", 718)):
        page.emulate_media(media=media)
        page.set_viewport_size({"width": width, "height": 900})
        assert page.get_by_role("rowheader", name="Viertelfinale").count() == 8
        assert [word for word in probe(page, "broken") if re.search("finale|berger", word)] == []


@pytest.mark.slow
def test_published_page_breaks_no_name_on_a_phone(phone, server, tmp_path):
    names = ("Mayrhofer", "Baumgartner", "Niederkofler")
    keys = new_tournament(server, 12, lambda n: f"Vroni {names[n % 3]} & Max {names[-n % 3]}{n}")
    play_rounds(server, keys, 1)
    file = tmp_path / "results.html"
    file.write_text(server.request("GET", f"/p/{keys['viewer']}/results.html")[2])
    page = phone(viewport={"width": 390, "height": 844})
    page.goto(file.as_uri())
    assert probe(page, "overflow") == 0
    assert [word for word in probe(page, "broken") if word.startswith(names)] == []


@pytest.mark.slow
def test_standings_explain_places_from_the_final(phone, server):
    keys = new_tournament(server, 8, rounds=1, finals={"best": 4})
    play_rounds(server, keys, 1, finals=2)
    (sheet,) = open_as_pdf(phone(), f"/p/{keys['director']}/print/standings")
    text = sheet_text(sheet)
    for came_to in ("Sieger", "zweiter Platz", "dritter Platz", "vierter Platz"):
        assert text.count(came_to) == 1
    assert "vollständig" in text


def expect_unbroken_words(page, path):
    """Assert that a page breaks no word that fits a line, and does not overflow."""
    page.goto(path)
    assert probe(page, "brokenNames") == [], path
    assert probe(page, "overflow") == 0, path


@pytest.mark.slow
def test_no_word_is_broken_into_letters(phone, server):
    names = (
        *("Lechner Xaver & Brunner Vroni", "Schuster Max & Konstantin Schwarzenbach"),
        *("W" * 60, "Freiwillige Feuerwehr Ranshofen-Osternberg"),
    )
    settings = {"games_per_round": 3, "scoring": {"retour": 1}}
    keys = new_tournament(server, 4, lambda n: names[n - 1], **settings)
    tables = draw_round(server, keys)
    page = phone(viewport={"width": 320, "height": 568})
    for table in tables:
        expect_unbroken_words(page, f"/e/{table['scorer']}")
        said = {"round": 1, "table": table["table"], "games": [[15, 8], [3, 15], [15, 13]]}
        assert server.json("POST", f"/api/tournaments/{keys['director']}/results", said)[0] == 201
    sheets = ("standings", "results", "by-name", "by-table", "cross", "ways", "certificates")
    screens = ("standings", "hall?still=1", "hall?still=1&page=1", "find?name=e")
    desk = ("?table=1", "?table=2", "/pairs", "/settings", "/match/1/1", "/match/1/2")
    for path in (*(f"/print/{sheet}" for sheet in sheets), *(f"/{screen}" for screen in screens)):
        expect_unbroken_words(page, f"/p/{keys['viewer']}{path}")
    for path in desk:
        expect_unbroken_words(page, f"/p/{keys['director']}{path}")


CUT = """all => all.filter(n => n.scrollHeight > 1.1 * n.clientHeight).map(n => n.textContent)"""
FONT_SIZE = "name => parseFloat(getComputedStyle(name).fontSize)"
FONT_SIZES = "all => all.map((name) => parseFloat(getComputedStyle(name).fontSize))"
SIZES = [(1024, 768), (1920, 1080), (3840, 2160)]


@pytest.mark.slow
def test_hall_screen_cuts_off_no_names(phone, server):
    def name(n):
        return NAMES["wide" if n % 3 else "long"](n)

    many = new_tournament(server, 26, name, rounds=3)
    few = new_tournament(server, 9, lambda n: name(n)[-34:] if n % 2 else name(n), rounds=3)
    for hall in (many, few):
        play_rounds(server, hall, 2)
        draw_round(server, hall)
    page = phone()
    # Each hall has pages of seats, of opponents and of standings. Few pairs are shown larger.
    for keys in (many, few):
        page.goto(f"/p/{keys['viewer']}/hall?still=1")
        count = int(page.locator("[data-pages]").get_attribute("data-pages"))
        for at in range(count):
            page.goto(f"/p/{keys['viewer']}/hall?still=1&page={at}")
            for width, height in each_screen(page, SIZES):
                assert page.locator("th .name").evaluate_all(CUT) == [], (keys == many, at, width)
                for column in page.locator(".hall-table").all():
                    expect(column.locator("tr").last).to_be_in_viewport(ratio=1)
                assert probe(page, "overflow") == 0
                # Capitals have 0.7 of the font size. A screen of 55 inches is 685 mm high.
                if width / height > 1.5:
                    sizes = page.locator("th .name").evaluate_all(FONT_SIZES)
                    assert min(sizes) / height * 0.7 * 685 > 20


@pytest.mark.parametrize("region", ["suedtirol", *slow("bayern", "oberoesterreich")])
def test_table_for_the_wall_fills_one_sheet(phone, region):
    [sheet] = open_as_pdf(phone(), f"/rules/{region}/gehen?in=fr")
    height = sheet.get_size()[1]
    # The number of the page is in the margin.
    lowest = min(text.bottom for text in texts(sheet) if not re.match(r"\d+ / ", text.words))
    assert lowest < 0.2 * height
