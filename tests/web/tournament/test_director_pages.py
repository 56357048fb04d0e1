"""The director's other pages: lists, wall, prizes, sheets, and series."""

import csv
import io
import re
import time
from datetime import UTC, datetime

import pytest

from scorer.tournament.pair_import import read_list
from scorer.web.tournament.labels import CONSOLED_NAMES, REASONS, STAGE_NAMES
from scorer.web.tournament.series_page import RULE_NAMES
from tests.pages import translated
from tests.web.tournament.forms import fields, post
from tests.web.tournament.hall import PAIRS, Hall

PICTURE = bytes.fromhex("89504e470d0a1a0a") + b"a club's picture"


@pytest.fixture
def hall(server):
    return Hall(server)


def send_settings(hall, logo=b"", **settings):
    """Send the settings as a browser does, with a logo file; return status and page."""
    field = "--edge\r\nContent-Disposition: form-data; name="
    sent = "".join(f'{field}"{name}"\r\n\r\n{value}\r\n' for name, value in fields(**settings))
    head = f'{sent}{field}"logo"; filename="l.png"\r\n\r\n'
    body = head.encode() + logo + b"\r\n--edge--\r\n"
    kind = {"Content_Type": "multipart/form-data; boundary=edge"}
    status, _, page = post(hall.server, f"/p/{hall.key}/settings", body, **kind)
    return status, page


def test_pairs_can_be_deleted_only_before_playing(hall):
    hall.send("/pairs/strike", pairs=[2, 4])
    assert list(hall.names()) == [1, 3]
    # Their names are free again.
    hall.send("/pairs", player=["Cilli", "Dora"])
    hall.draw()
    assert hall.refusal_page("/pairs/strike", pairs=1).code == "has-played"


TYPED = "Zauner Albert;Öller Sepp\nHuber Xaver;Ähm Max\nOz Karl;Moser Gustl\nObermair Ida;Abel Resi"
COLUMNS = "Nachname;Vorname;Nachname 2;Vorname 2\n" + TYPED.replace(" ", ";")
TURNED = re.sub(r"(\w+) (\w+)", r"\2 \1", TYPED)
MIXED = re.sub(r"(\w+) (\w+)\n", r"\2 \1\n", TYPED)


@pytest.mark.parametrize(
    "given", [TYPED, COLUMNS, TURNED, MIXED], ids=["typed", "columns", "turned", "mixed"]
)
def test_name_lists_are_sorted_by_surname(hall, given):
    hall.send("/pairs/strike", pairs=[1, 2, 3, 4])
    hall.send("/pairs/list", list=given, take=1)
    surnames = ["Abel", "Ähm", "Huber", "Moser", "Obermair", "Öller", "Oz", "Zauner"]
    wall = hall.page("/hall").all("span", css="name")
    assert [name.text.split()[0] for name in wall] == surnames
    hall.draw()
    sheet = re.findall(r'<th scope="row" dir="auto">([^<]*) <', hall.page("/print/by-name"))
    assert [name.split()[0] for name in sheet] == surnames
    # The search finds a player whichever name is typed first.
    assert len(hall.page("/find?name=xaver+huber").one(id="found").all(role="heading")) == 1


def test_hall_screen_shows_announcement_and_clock(hall):
    hall.draw()
    announced = "Essen <gibt> es bis neun"
    hall.send("/announce", text=announced)
    begun = time.monotonic()
    hall.send("/clock", token="c", minutes=45)
    wall = hall.page("/hall")
    assert wall.one(css="announced").text == announced
    left, shown = map(int, re.search(r'role="timer" data-left="(\d+)">(\d+)<', wall).groups())
    # The clock has run no longer than this test. It counts whole seconds.
    assert 0 <= 45 * 60 - left <= time.monotonic() - begun + 2
    assert shown == -(-left // 60)
    # The desk shows what the hall's screen shows, and can remove it.
    desk = hall.page()
    assert announced in desk.one(data_announced=True).text
    shown_end = desk.one(data_clock=True).one("time")
    assert re.match(r"\d\d:\d\d ", shown_end.text)
    ends = datetime.fromisoformat(shown_end["datetime"])
    assert 0 < (ends - datetime.now(UTC)).total_seconds() <= 45 * 60
    # The same form with another value is not a repetition.
    assert hall.post("/clock", "c", minutes="30")[0] == 409
    hall.send("/clock", token="c", minutes=45)
    hall.send("/announce", text="")
    hall.send("/clock", minutes=0)
    wall, desk = hall.page("/hall"), hall.page()
    assert "announced" not in wall and 'role="timer"' not in wall
    assert not desk.has(data_announced=True) and not desk.has(data_clock=True)


def test_announcement_ends_with_the_next_draw(hall):
    hall.play()
    hall.send("/announce", text="Essen gibt es bis neun")
    assert hall.page("/hall").has(css="announced")
    hall.draw()
    assert not hall.page("/hall").has(css="announced")
    assert not hall.page().has(data_announced=True)


def test_announcement_stays_until_a_draft_is_released(server):
    hall = Hall(server, 4)
    hall.play()
    text = "Essen ist fertig"
    hall.send("/announce", text=text)
    visitor = f"/p/{hall.keys['viewer']}/hall"
    hall.send("/draw", draft=1, round=2)
    assert text in server.page(visitor) and hall.page().has(data_announced=True)
    hall.send("/release", round=2)
    assert text not in server.page(visitor) and not hall.page().has(data_announced=True)


def test_announcement_does_not_return_with_the_last_round_hidden(server):
    """Before the prize-giving, visitors do not see the last round."""
    hall = Hall(server, 4, ceremony=True)
    hall.play()
    food, coffee = "Essen ist fertig", "Kaffee ist fertig"
    hall.send("/announce", text=food)
    assert food in hall.page("/hall")
    hall.play()
    visitor = f"/p/{hall.keys['viewer']}/hall"
    assert food not in server.page(visitor)
    hall.send("/announce", text=coffee)
    assert coffee in server.page(visitor)


def test_hall_screen_shows_the_ranking_columns(server):
    hall = Hall(server, ranking=["won", "difference", "points", "score"])
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    heads = re.findall(r'<th scope="col">([^<]+)</th>', hall.page("/hall?page=1"))
    assert heads == ["Siege", "Diff.", "Punkte", "Wertung"]


def test_hall_screen_omits_pairs_that_never_played(server):
    hall = Hall(server, 6, rounds=1)
    number = hall.draw()[0]["pairs"][0]
    played = hall.names()[number]
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.send("/pairs", player="Nixkommer", name="Nixkommer")
    for gone in (7, number):
        hall.send(f"/pairs/{gone}", do="abmeldung")
    walls = hall.page("/hall?page=0") + hall.page("/hall?page=1")
    assert "Nixkommer" not in walls
    # A pair that has played stays in the list, without a place.
    assert re.search(rf'–</td>\s*<th scope="row" dir="auto"><span[^>]*>{re.escape(played)}', walls)


def test_name_sheet_tells_namesakes_apart(server):
    twos = [("Huber Anna", "Gruber Sepp"), ("Anna HUBER", "Pichler Georg"), ("Auer Lisi", "Koller")]
    hall = Hall(server, pairs=[{"players": list(two)} for two in twos])
    hall.draw()
    sheet = hall.page("/print/by-name")
    for partner in ("mit Gruber Sepp", "mit Pichler Georg"):
        assert sheet.count(f"<small>{partner}</small>") == 1
    assert sheet.count("<small>mit ") == 2


@pytest.mark.parametrize(("ranking", "winners"), [(["won"], 0), (["won", "matches"], 1)])
def test_level_match_has_a_winner_only_if_matches_count(server, ranking, winners):
    hall = Hall(server, rounds=1, games_per_round=2, ranking=ranking)
    hall.draw()
    assert hall.enter(1, 1, (15, 8), (3, 15))[0] == 201
    assert len(hall.page("/print/results").all("th", css="won")) == winners


@pytest.mark.parametrize(("rounds", "linked"), [(2, True), (1, False)])
def test_desk_links_to_the_next_draw_if_one_remains(server, rounds, linked):
    hall = Hall(server, rounds=rounds)
    hall.draw()
    assert hall.page().has("a", href="#next") == linked


def test_hall_screen_and_desk_name_the_winner(server):
    hall = Hall(server, rounds=1)
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    assert not any(hall.page(path).has(data_winners=True) for path in ("", "/hall"))
    assert hall.enter(1, 2, (15, 3))[0] == 201
    first = hall.names()[hall.order()[0]]
    assert all(first in hall.page(path).one(data_winners=True).text for path in ("", "/hall"))


def test_open_finals_block_the_next_draw(server):
    hall = Hall(server, 8, rounds=1, finals={"best": 4})
    hall.send("/pairs", player="Zenzi")
    hall.play()
    hall.draw()
    assert hall.enter(2, 1, (15, 8))[0] == 201
    desk = hall.page()
    assert '/draw"' not in desk
    assert desk.data("playing") == ["4"]
    assert re.findall(r"\d", desk.one(data_blocked=True).text) == ["2"]
    text = hall.refusal_page("/draw", anyway=1)
    assert text.code == "finals-open"
    assert re.findall(r"\d", text.one(data_code=True).text) == ["2"]
    assert hall.enter(2, 2, (15, 8))[0] == 201
    assert hall.page().one("form", action=f"/p/{hall.key}/draw").has("button", css="primary")
    hall.play()
    # The end is shown as a plain status, which names nobody who plays or waits.
    over = hall.page().one(id="next", data_over=True)
    assert over.has(role="status") and not over.has(data_singles=True)
    assert hall.page().data("playing") == []


def test_standings_mark_columns_outside_the_ranking(server):
    hall = Hall(server, ranking=["won", "points"])
    # Before the first draw there is nothing to count.
    assert len(hall.page("/standings").one("tbody").all("tr")[0].all("td")) == 1
    hall.draw()
    text = hall.page("/standings")
    assert re.findall(r'<th scope="col" class="unranked">([^<]*)</th>', text) == ["Diff."]
    assert text.count('<td class="unranked">') == 4


def test_standings_can_rank_by_points_conceded(server):
    hall = Hall(server, 5, ranking=["won", "conceded"], scoring={"bye_wins": True}, seed="s")
    for number, losers in enumerate(((4, 3), (2, 12)), 1):
        hall.draw()
        for table, points in enumerate(losers, 1):
            hall.enter(number, table, (15, points))
    lines = hall.tournament()["standings"]
    assert any(line["conceding"] != line["conceded"] for line in lines)
    assert lines == sorted(lines, key=lambda line: (-line["won"], line["conceding"]))
    shown = [f"{line['conceding']:g}".replace(".", ",") for line in lines]
    page = hall.page("/standings")
    rows = re.findall(r'<td class="rank">.*?</tr>', page, re.DOTALL)
    assert [re.findall("<td>(.*?)</td>", row)[1] for row in rows] == shown
    assert "data-note" in page
    table = list(csv.reader(io.StringIO(hall.page("/standings.csv")), delimiter=";"))
    assert [row[5] for row in table[1:]] == shown


def test_slip_page_shows_place_and_next_table(hall):
    scorer = hall.draw()[0]["scorer"]

    def look():
        return hall.server.page(f"/e/{scorer}")

    assert look().data("place") == []
    for table, lost in ((1, 2), (2, 8)):
        assert hall.enter(1, table, (15, lost))[0] == 201
    place = look().one(data_place=True)
    assert re.search(r"\b[1-4]\. Platz", place.text)
    assert not look().has(data_coming=True)
    hall.draw()
    first, second = look().all(role="heading")
    assert first["data-table"] in ("1", "2") and first["data-table"] in first.text
    assert (second.name, re.findall(r"\d", second.text)) == ("h2", ["1", "1", "2"])
    coming = look().one(data_coming=1)
    assert re.findall(r"\d", coming.all("p")[0].text) == ["2", "2"]
    # The director entered the result, so this phone has no seat claim.
    assert coming.has(data_scan_slip=True) and not coming.has(role="link")
    for table, lost in ((1, 3), (2, 7)):
        assert hall.enter(2, table, (15, lost))[0] == 201
    over = look()
    assert over.has("h1", data_over=True)
    assert not over.has(data_coming=True)
    place = over.one("b", data_place=True)
    assert re.search(r"\b[1-4]\. Platz", place.text)
    assert hall.names()[hall.order()[0]] in over.one(data_winners=True).text


def test_slip_page_announces_a_bye(server):
    hall = Hall(server, 3)
    drawn = hall.draw()[0]
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.draw()
    free = hall.tournament()["draws"][1]["byes"]
    seat = ("scorer", "opponent")[drawn["pairs"].index(free[0])]
    text = hall.server.page(f"/e/{drawn[seat]}")
    assert text.one(data_coming=0).one(data_bye=True).text


@pytest.mark.parametrize(("to", "place"), [("last", 4), ("last-but-one", 3), ("winless", 4)])
def test_consolation_prize_follows_its_rule(hall, to, place):
    hall.play()
    hall.send("/prizes", lines="300 €", consolation="Wurst", to=to)
    named = translated("Consolation prize for %(whom)s") % {"whom": translated(CONSOLED_NAMES[to])}
    assert named in hall.page("/print/prizes")
    assert re.search(rf'rank">{place}</td>[^€]*Wurst', hall.page("/print/prizes"))


@pytest.mark.parametrize(
    ("settings", "meetings"),
    [
        ({}, [["1"], ["4"], ["2"], ["3"]]),
        (
            {"format": "groups", "groups": {"count": 2, "best": 2}},
            [["1", "1"], ["2", "2"], ["2", "1"], ["1", "2"]],
        ),
        (
            {"format": "groups", "groups": {"count": 3, "best": 1, "more": 1}},
            [["1"], ["2"], ["1"], ["1"]],
        ),
    ],
)
def test_bracket_sheet_shows_the_places_that_meet_before_the_finals_are_drawn(
    server, settings, meetings
):
    hall = Hall(server, 8, finals={"best": 4}, rounds=3, **settings)
    for _ in range(2):
        semifinals, final = hall.page("/print/bracket").all(css="bracket")[0].all("section")
        assert semifinals.h2.text == translated(STAGE_NAMES[4])
        assert final.h2.text == translated(STAGE_NAMES[2])
        sides = [p for li in semifinals.all("li") for p in li.all("p")]
        assert [re.findall(r"\d+", side.text) for side in sides] == meetings
        hall.play()
    # The pages of the standings show no bracket yet.
    assert not hall.page("/standings").has(css="bracket")


@pytest.mark.parametrize("settings", [{}, {"format": "groups"}])
def test_bracket_sheet_without_pairs_shows_no_finals(server, settings):
    hall = Hall(server, 0, pairs=[], finals={"best": 4}, **settings)
    assert not hall.page("/print/bracket").has(data_coming=True)


def test_knockout_sheet_names_byes(server):
    hall = Hall(server, 5, format="knockout")
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.draw()
    free = [hall.names()[pair] for pair in hall.tournament()["draws"][0]["byes"]]
    first, second, final = hall.page("/print/bracket").one(css="bracket").all("section")
    assert len(free) == 3
    assert ", ".join(free) in first.one(data_byes=True).text
    # The next round has no bye.
    assert not second.has(data_byes=True)
    assert final.has(data_coming=True)


def test_printouts_show_club_and_logo(hall):
    for _ in range(2):
        hall.play()
    assert send_settings(hall, PICTURE, club="FF Haidenkofen")[0] == 303
    for path in ("/print/standings", "/print/certificates", "/results.html"):
        text = hall.page(path)
        assert "FF Haidenkofen" in text and 'src="data:image/png;base64,' in text
    status, text = send_settings(hall, b"GIF89a")
    assert (status, "PNG" in text) == (422, True)
    assert send_settings(hall, no_logo=1)[0] == 303
    assert "data:image" not in hall.page("/print/standings")


def test_too_large_logo_is_refused_and_the_form_kept(hall):
    photo = PICTURE + b"x" * 3_000_000
    status, page = send_settings(hall, photo, club="FF Haidenkofen", finals=4)
    assert status == 422
    assert page.one("input", name="club")["value"] == "FF Haidenkofen"
    assert page.one("select", name="finals").one("option", selected=True).text == "4"
    # The only message about it follows the field.
    assert page.one(role="alert", data_code="unreadable")["data-field"] == "logo"
    assert page.one("input", name="logo").find_next(class_="notice")["data-field"] == "logo"
    assert "40" in page.one(data_field="logo").text


def test_menu_order_is_the_same_on_every_page(hall):
    pages = ("", "/pairs", "/links", "/paper", "/deciders", "/prizes", "/season", "/settings")
    orders = set()
    for step in (lambda: None, hall.draw, hall.finish, hall.play):
        step()
        menus = [hall.page(path).one("nav", css="tabs") for path in pages]
        orders |= {tuple(link["href"] for link in menu.all("a")) for menu in menus}
        assert [len(menu.all(aria_current="page")) for menu in menus] == [1] * len(pages)
    assert hall.page().has(data_over=True)
    assert len(orders) == 1


def test_certificates_wait_for_the_last_round(server):
    hall = Hall(server, 4, rounds=2)
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    early = hall.page("/print/certificates")
    assert early.has(data_early=True) and not early.has(css="certificate")
    assert hall.enter(1, 2, (15, 8))[0] == 201
    # Another round may part the pairs that are level.
    early = hall.page("/print/certificates")
    assert early.has(data_early=True) and not early.has(css="certificate")
    hall.play()
    assert hall.page("/print/certificates").has(css="certificate")


def test_number_of_certificates_can_be_chosen(server):
    hall = Hall(server, rounds=1)
    hall.play()
    assert len(hall.page("/print/certificates").all(css="certificate")) == 3
    page = hall.page("/print/certificates?best=2")
    assert len(page.all(css="certificate")) == 2
    assert page.one("input", name="best")["value"] == "2"


def test_results_html_is_self_contained(hall):
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    assert 'role="status"' in hall.server.page(hall.send("/prizes", lines="300 €\nEin Ferkel"))
    for key in (hall.key, hall.keys["viewer"]):
        path = f"/p/{key}/results.html"
        status, headers, text = hall.server.request("GET", path, Accept_Language="de")
        assert status == 200
        assert headers["content-disposition"].startswith("attachment")
        gone = ("<script", "<link", "http", hall.key, "/p/", "/e/")
        assert [part for part in gone if part in text] == []
        there = ("15:8", "300 €", "<bdi>Anna\u00a0&amp;</bdi> <bdi>Bert</bdi>", "vorläufig")
        assert [part for part in there if part not in text] == []


@pytest.mark.parametrize(
    ("language", "tables"),
    [
        ("de", "es fehlen: Runde 1 Tisch 2; Runde 2 Tisch 1 und 2"),
        ("en", "still open: Round 1 table 2; Round 2 tables 1 and 2"),
        ("it", "mancano ancora: Turno 1 tavolo 2; Turno 2 tavoli 1 e 2"),
        ("fr", "encore à jouer : Manche 1 table 2; Manche 2 tables 1 et 2"),
    ],
)
def test_provisional_standings_name_open_tables(hall, language, tables):
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.draw(anyway=True)
    for path in ("standings", "print/standings"):
        text = hall.server.page(f"/p/{hall.key}/{path}", language=language)
        assert tables in " ".join(text.split())


def test_finals_can_start_after_fewer_rounds(server):
    hall = Hall(server, rounds=3, finals={"best": 2})
    hall.draw()
    # Right after a draw, one tap does not draw the next round.
    folded = [one for one in hall.page().all("details") if one.has(data_drawing_on=True)]
    assert [one.has("button", name="anyway") for one in folded] == [True]
    assert hall.page().count('/draw"') == 1
    hall.finish()
    assert hall.page().has(role="button", css="primary", data_stage="rounds")
    hall.send("/settings", rounds=1)
    assert hall.page().has(role="button", css="primary", data_stage="final")
    hall.draw()
    assert hall.tournament()["draws"][-1]["stage"] == "final"
    assert hall.refusal_page("/settings", rounds=3).code == "finals-by-it"


def test_printed_standings_give_reasons(hall):
    (_, gone), (first, second) = (table["pairs"] for table in hall.draw())
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.send("/decider", winner=first, loser=second)
    hall.send(f"/pairs/{gone}", do="abmeldung")
    text = hall.page("/print/standings")
    for why in ("decider", "withdrawn", "open"):
        assert translated(REASONS[why]) in text
    assert translated(REASONS["withdrawn"]) in hall.page("/print/list")


@pytest.mark.parametrize(
    ("language", "heading"), [("de", "Paar"), ("en", "Pair"), ("it", "Coppia"), ("fr", "Paire")]
)
def test_exported_pairs_csv_can_be_imported(hall, language, heading):
    path = f"/p/{hall.key}/pairs.csv"
    _, _, text = hall.server.request("GET", path, Accept_Language=language)
    assert heading in text.splitlines()[0]
    found = read_list(text)
    assert found.columns == ("name", "first", "second", "club", "entries", "category")
    assert [pair.name for pair in found.pairs] == list(PAIRS)


# Repeated tournaments, and series


PRIZES = {"lines": "300 EUR\n200 EUR", "consolation": "Wurst", "to": "last-but-one"}


@pytest.fixture
def last(server):
    """A finished tournament with unusual settings."""
    more = {"rounds": 2, "games_per_round": [2, 1], "scoring": {"win": 7}, "ranking": ["score"]}
    hall = Hall(server, **more, finals={"best": 2, "target": 11}, places=40, seed="x", date="2026")
    tables = {"first": 5, "closed": 7, "count": 0}
    assert send_settings(hall, PICTURE, club="FF Lengau", fee=10, **tables)[0] == 303
    hall.send("/prizes", **PRIZES)
    for number, games in enumerate((2, 1, 1), 1):
        target = 11 if number == 3 else 15
        for table in hall.draw():
            assert hall.enter(number, table["table"], *[(target, 8)] * games)[0] == 201
    return hall


def repeat_tournament(hall, **form):
    """Send the form for a repetition with these values; return the new tournament as JSON."""
    named = {"name": "Nächstes", "rules": "bayern", "preset": "again", **PRIZES, **form}
    key = hall.send("/again", token="again", **named).split("/")[2]
    assert 'value="Wurst"' in hall.server.request("GET", f"/p/{key}/prizes")[2]
    assert '"logo" src="data:image/png' in hall.server.request("GET", f"/p/{key}/print/list")[2]
    return hall.server.tournament(key)


def test_repeated_tournament_says_how_many_groups_it_has(server):
    hall = Hall(server, 9, format="groups", groups={"count": 3, "best": 1}, rounds=99)
    groups = translated("Number of groups")
    assert f"{groups} 3" in hall.page("/again").one("input", value="again").parent.text


def test_repeated_tournament_copies_settings_and_prizes(last):
    assert f'href="/p/{last.key}/again"' in last.page()
    form = last.page("/again")
    shown = (("name", "Preiswatten"), ("rounds", "2"), ("games_per_round", "2+1"), ("fee", "10,00"))
    for name, value in shown:
        assert re.search(rf'name="{name}"[^>]*value="{re.escape(value)}"', form)
    assert re.search(r'<option value="bayern" selected>', form)
    assert re.search(r'value="again"\s+checked', form)
    tile = form.one("input", value="again").parent.text
    assert re.search(r"2 \w+ × 2\+1, .+ 2 · ", tile)
    assert 'value="300 EUR"' in form and 'value="200 EUR"' in form
    assert 'value="last-but-one" selected' in form
    assert "Anna & Bert;;;;1" in form
    new = repeat_tournament(last, rounds=2, games_per_round="2+1", target=15)
    old = last.tournament()
    handed = ("rules", "set", "rounds", "games_per_round", "ranking", "format", "scoring")
    handed += ("groups", "finals", "decider", "hall", "places", "fee", "club")
    assert {name: new[name] for name in handed} == {name: old[name] for name in handed}
    assert (new["name"], new.get("date"), new["pairs"]) == ("Nächstes", None, [])


def test_repeat_form_accepts_changes_and_pairs(last):
    pairs = 'Paar;Spieler 1;Spieler 2;Verein;Lose\nAnna & Bert;Anna;Bert;"Wels; Ort";1\nNeue'
    form = {"rounds": 3, "finals": 0, "rules": "suedtirol", "pairs": 1, "target": 11}
    new = repeat_tournament(last, **form, list=pairs)
    assert (new["rounds"], new["finals"], new["rules"]) == (3, None, "suedtirol")
    assert [pair["name"] for pair in new["pairs"]] == ["Anna & Bert", "Neue"]
    assert new["pairs"][0]["club"] == "Wels; Ort"
    new = repeat_tournament(last, preset="won-points", list=pairs)
    assert (new["ranking"], new["pairs"]) == (["won", "points"], [])


def test_refused_repeat_form_keeps_its_values(last):
    broken = {"pairs": 1, "list": "a;b;c;d;e;f;g", "name": "Mein Abend", "rules": "bayern"}
    text = last.refusal_page("/again", preset="again", **broken, **PRIZES)
    assert "a;b;c;d;e;f;g" in text and 'value="Mein Abend"' in text
    assert re.search(r'value="again"\s+checked', text)


def test_season_adds_up_several_tournaments(server):
    first, second, third = (Hall(server, name=f"Abend {n}", rounds=1) for n in (1, 2, 3))
    for evening in (first, second, third):
        evening.play()
    form = {"rule": "places-best-three", "collects": "pair"}
    second.send("/season", **form, **{"with": f"http://x/p/{first.keys['viewer']}\n"})
    # The second tournament's link adds the first tournament, too.
    third.send("/season", **form, **{"with": f"/p/{second.key}"})
    text = server.page(f"/p/{third.keys['viewer']}/season")
    assert translated(RULE_NAMES["places-best-three"]) in text
    assert not any(secret in text for secret in ("<textarea", first.key, second.key))
    rows = re.findall(r'<td class="rank">(\d)</td>(.*?)</tr>', text, re.DOTALL)
    points = [[int(p) for p in re.findall(r"<td>(\d+)</td>", row)] for _, row in rows]
    sums = [int(re.search(r"<b>(\d+)</b>", row)[1]) for _, row in rows]
    assert len(rows) == 4
    assert all(len(row) == 3 for row in points)
    assert sums == [sum(row) for row in points] == sorted(sums, reverse=True)
    streams = re.findall(r'name="without" value="(\w+)"', third.page("/season"))
    assert len(streams) == 2
    third.send("/season", without=streams[0])
    assert third.page("/season").count('name="without"') == 1


def test_season_asks_about_names_that_differ_by_a_letter(server):
    first, second = (
        Hall(server, pairs=[{"name": name}, {"name": "Cilli & Dora"}], rounds=1)
        for name in ("Alois & Rosa", "Alois & Rosi")
    )
    for hall in (first, second):
        hall.play()
    second.send("/season", **{"with": f"/p/{first.keys['viewer']}"})
    [asked] = second.page("/season").all("p", data_twice=True)
    assert "Alois & Rosa – Alois & Rosi" in asked.text
    # Only the director can mend it.
    assert not server.page(f"/p/{second.keys['viewer']}/season").has(data_twice=True)


def test_season_refuses_an_unknown_link(hall):
    text = hall.refusal_page("/season", **{"with": "http://x/p/" + "a" * 26})
    assert (text.code, "a" * 26 in text) == ("no-tournament", True)


def test_season_takes_over_no_list_with_a_wrong_line(server, hall):
    """Each line has to lead to a tournament, and the list stays as it was typed."""
    other = Hall(server, 2)
    lines = f"{other.keys['viewer']}\nhttp://quatsch"
    page = hall.refusal_page("/season", **{"with": lines, "rule": "points", "collects": "pair"})
    assert (page.code, "http://quatsch" in page.one(data_code="no-tournament").text) == (
        "no-tournament",
        True,
    )
    assert page.one("textarea", name="with").get_text().split() == lines.split()


def test_season_counts_single_players(server):
    players = [{"name": name} for name in ("Anna", "Bert", "Cilli", "Dora")]
    hall = Hall(server, pairs=players, format="partners", rounds=1)
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.send("/season", rule="points", collects="player")
    assert re.findall(r"<b>(\d+)</b>", hall.page("/season")) == ["15", "15", "8", "8"]


def test_season_with_an_evening_of_single_players_counts_players(server):
    pairs = Hall(server, pairs=[{"players": ["Anna", "Bert"]}, {"players": ["Emil", "Dora"]}])
    players = [{"name": name} for name in ("Anna", "Bert", "Cilli", "Dora")]
    singles = Hall(server, pairs=players, format="partners", rounds=1)
    for hall in (pairs, singles):
        hall.play()
    for hall, other in ((pairs, singles), (singles, pairs)):
        hall.send("/season", **{"with": f"/p/{other.keys['viewer']}", "rule": "points"})
        page = hall.page("/season")
        names = {row.text for row in page.one(css="ranking").all("th", scope="row")}
        assert names == {"Anna", "Bert", "Cilli", "Dora", "Emil"}
        assert page.has(data_singles=True) and not page.has("select", name="collects")


def test_season_says_that_an_evening_lacks_its_last_round(server):
    first = Hall(server, 4, rounds=1, ceremony=True)
    second = Hall(server, 4, rounds=1)
    for hall in (first, second):
        hall.play()
    second.send("/season", **{"with": f"/p/{first.keys['viewer']}"})
    for page in (second.page("/season"), server.page(f"/p/{second.keys['viewer']}/season")):
        assert len(page.all("small", data_provisional=True)) == 1
        assert page.has("p", data_provisional=True)
    first.send("/settings", ceremony="0", do="release")
    assert not second.page("/season").has(data_provisional=True)


def test_knockout_names_the_lots_of_a_pair_with_several(server):
    pairs = [{"name": "Anna & Bert", "entries": 3}, {"name": "Cilli & Dora", "entries": 2}]
    hall = Hall(server, format="knockout", pairs=[*pairs, {"name": "Emil & Fanny"}])
    lots = translated("%(name)s, lot %(lot)s")
    assert "6 Lose" in hall.page().one(id="next").text
    tables = hall.draw()
    bracket = hall.page("/print/bracket").one(css="bracket").text
    byes = hall.page().one(data_byes=True).text
    for lot, name in enumerate(["Anna & Bert"] * 3 + ["Cilli & Dora"] * 2, 1):
        assert lots % {"name": name, "lot": lot} in bracket + byes
    assert "Emil & Fanny, Los" not in bracket + byes
    # The start number of the first lot equals the lot, which is named all the same.
    slips = hall.page("/print/slips")
    assert translated("%(pair)s, lot %(lot)s") % {"pair": 1, "lot": 1} in slips + byes
    assert tables


def test_slip_of_a_later_wave_names_wave_and_table(server):
    hall = Hall(server, 6, hall={"count": 1})
    hall.draw()
    slips = hall.page("/print/slips").all("section", css="slip")
    waves = [translated("Wave %(n)s") % {"n": n} for n in (2, 3)]
    assert [wave in slip.text for wave, slip in zip(waves, slips[1:], strict=True)] == [True] * 2
    assert all(slip.one(css="table-number").text.endswith("1") for slip in slips)
