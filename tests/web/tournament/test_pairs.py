"""The list of pairs: typed, imported, checked and marked."""

import re

import pytest

from scorer.web.tournament.labels import REASONS
from tests.pages import translated
from tests.web.tournament.forms import enter_pairs, fields, post, refusal_page, send, upload
from tests.web.tournament.hall import Hall


def test_pairs_can_be_entered_drawn_by_lot_and_edited(server, director):
    path = f"/p/{director}/pairs"
    pair = {"player": ["Anna", "Bert"], "club": "Ranshofen"}
    for _ in range(2):
        send(server, path, token="1", **pair)
    assert refusal_page(server, path, **pair).code == "name-taken"
    for name in ("Cilli", "Dora", "Emil"):
        send(server, path, player=[name, ""])
    text = server.page(path)
    assert text.data("pairs") == ["1"]
    assert text.one(data_singles=True).text == "Cilli, Dora, Emil"
    send(server, f"{path}/lot")
    assert server.page(path).data("pairs") == ["2"]
    for do in ("abmeldung", "rueckkehr"):
        send(server, f"{path}/1", do=do)
        text = server.page(path)
        assert text.has("li", id="pair-1", css="gone") == (do == "abmeldung")
        assert (translated(REASONS["withdrawn"]) in text) == (do == "abmeldung")
    shown = send(server, f"{path}/1", do="abmeldung")
    undo = server.page(shown).one("form", data_withdrawn=True)
    assert "1, Anna & Bert" in undo.text
    send(server, undo["action"], do="rueckkehr")
    assert not server.page(shown).has(data_withdrawn=True)
    send(server, f"{path}/1", do="aenderung", name="Anna & Bert", player=["Anna", "Berta"])
    assert "Anna & Berta" in server.page(path)
    send(server, f"{path}/1", do="vermerk", mark="paid")
    text = server.page(path)
    assert text.one(id="pair-1").one("button", aria_pressed="true")["value"] == "unpaid"
    assert text.data("paid") == ["1"]
    send(server, f"{path}/1", do="aenderung", name="Die Zwei", player="Anna")
    assert 'value="Die Zwei"' in server.page(path)


def test_one_tap_marks_a_pair_paid_and_present(server, drawn):
    path = f"/p/{drawn}/pairs"
    send(server, f"{path}/1", do="vermerk", mark="came")
    pair = server.page(path).one(id="pair-1")
    assert [button["value"] for button in pair.all("button", name="mark")] == ["unpaid", "away"]


def test_till_sums_the_paid_fees(server, drawn):
    send(server, f"/p/{drawn}/settings", fee="7,50")
    for number in (1, 3):
        send(server, f"/p/{drawn}/pairs/{number}", do="vermerk", mark="paid")
    till = "15,00 €"
    assert till in server.page(f"/p/{drawn}/pairs").one(id="counts").text
    assert till in server.page(f"/p/{drawn}/print/list").one(data_till=True).text
    assert server.page(f"/p/{drawn}/settings").one("input", name="fee")["value"] == "7,50"
    send(server, f"/p/{drawn}/pairs/1", do="abmeldung")
    counts = server.page(f"/p/{drawn}/pairs").one(id="counts").text
    assert "1 bezahlt" in counts
    assert f"{till}, davon 7,50 € von Abgemeldeten" in counts


@pytest.mark.parametrize("typed", ["viel", "7,505", "-1", "10000"])
def test_bad_fee_is_refused(server, drawn, typed):
    text = refusal_page(server, f"/p/{drawn}/settings", fee=typed)
    assert text.one(data_field="fee")
    # The field keeps the typed value.
    assert text.one("input", name="fee")["value"] == typed


def test_resent_mark_changes_nothing(server, drawn):
    path = f"/p/{drawn}/pairs"
    for token, mark in (("1", "paid"), ("2", "here"), ("1", "paid")):
        send(server, f"{path}/1", token=token, do="vermerk", mark=mark)
    assert server.page(path).count('aria-pressed="true"') == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_pairs_are_imported_from_csv(server, director, encoding):
    data = "Spieler 1;Spieler 2;Verein\r\nJürgen;Bäda;Ötz\r\n\r\nAnna;Bert;\r\n".encode(encoding)
    for _ in range(2):
        assert upload(server, f"/p/{director}/pairs/list", data)[0] == 303
    text = server.page(f"/p/{director}/pairs")
    assert text.data("pairs") == ["2"]
    assert "Jürgen & Bäda" in text
    rows = server.page(f"/p/{director}/pairs.csv")
    assert '"Jürgen & Bäda";"Jürgen";"Bäda";"Ötz";"1"' in rows


@pytest.mark.parametrize(
    ("lines", "field", "details"), [("A;B;C;D;E;F;G", "line 1", "1 7"), ("", "list", "")]
)
def test_invalid_list_names_the_line(server, director, lines, field, details):
    text = refusal_page(server, f"/p/{director}/pairs/list", list=lines)
    notice = text.one(role="alert", data_code="unreadable")
    assert notice["data-field"] == field
    assert all(word in notice.text for word in details.split())
    assert text.data("pairs") == ["0"]


def test_too_long_list_enters_no_pair(server, director):
    lines = "\n".join(f"A{n};B{n}" for n in range(600))
    text = refusal_page(server, f"/p/{director}/pairs/list", list=lines)
    assert "512" in text.one(data_code="unreadable", data_field="list").text
    assert text.data("pairs") == ["0"]


def test_list_is_previewed_before_it_is_recorded(server, director):
    lines = "Nr;Spieler 1;Spieler 2;Telefon\n7;Anna;Bert;123\n8;Bert;Cilli;456"
    status, _, text = post(server, f"/p/{director}/pairs/list", fields(list=lines))
    assert status == 200
    assert "Telefon" in text.one(data_ignored=True).text
    assert "Anna & Bert – Bert & Cilli" in text.one(data_twice=True).text
    assert server.page(f"/p/{director}/pairs").data("pairs") == ["0"]


def test_preview_asks_about_lines_that_were_probably_misread(server, director):
    for lines, names in (
        (
            "Huber, Sepp; Maier, Resi; FF Au\nAuer, Max, Bauer, Ina\nCarl Dorn, Eva Fink",
            "Huber Carl",
        ),
        ("Huber, Sepp; Maier, Resi; FF Au\n1;Carl Dorn;Eva Fink", "Carl"),
        ("Anna;Bert\nMax;Max\nCilli;Dora", "Max"),
    ):
        text = post(server, f"/p/{director}/pairs/list", fields(list=lines))[2]
        asked = text.one(data_doubtful=len(names.split())).text
        assert all(name in asked for name in names.split())
    lines = "Anna;Bert;SV Au\nCilli;Dora;FF Au"
    assert not post(server, f"/p/{director}/pairs/list", fields(list=lines))[2].has(
        data_doubtful=True
    )


@pytest.mark.parametrize(
    "players", [["Xaver Doppelt", "Xaver Doppelt"], ["Huber Max", "max huber"]]
)
def test_one_person_is_no_pair(server, director, players):
    text = refusal_page(server, f"/p/{director}/pairs", player=players)
    assert players[0] in text.one(data_code="same-player").text
    assert [box["value"] for box in text.all("input", name="player")][:2] == players
    send(server, f"/p/{director}/pairs", player=["Xaver Huber sen.", "Xaver Huber jun."])
    assert server.page(f"/p/{director}/pairs").data("pairs") == ["1"]


def test_import_skips_and_names_known_pairs(server, drawn):
    path = f"/p/{drawn}/pairs/list"
    lines = "Preiswatten\nSpieler 1;Spieler 2\nAnna;Bert\nIda;Jakob"
    text = post(server, path, fields(list=lines))[2]
    assert "Anna & Bert" in text.one(data_known="1").text
    lists = [form for form in text.all("form") if form.has("textarea", name="list")]
    take, back = sorted(lists, key=lambda form: form.has("button", name="back"))
    # "No, back" keeps the typed list. "Yes" enters the new pair.
    typed = post(server, path, back.fields)[2]
    assert typed.one("textarea", name="list").text.split() == lines.split()
    send(server, path, take.fields)
    assert server.page(f"/p/{drawn}/pairs").data("pairs") == ["5"]
    text = refusal_page(server, path, list=lines)
    assert text.one(data_code="unreadable")["data-field"] == "list"


def test_preview_names_pairs_with_one_name(server, director):
    path = f"/p/{director}/pairs/list"
    text = post(server, path, fields(list="Sepp Huber\nAnna Maier & Bert Moser"))[2]
    assert "Sepp Huber" in text.one(data_one_name=True).text
    text = post(server, path, fields(list="Die Wirte\nDie Gäste"))[2]
    assert text.has(data_one_name="all")
    text = post(server, path, fields(list="Anna & Bert, SV Au\nCilli - Dora"))[2]
    assert not text.has(data_one_name=True)


def test_list_enters_single_names_as_players_without_a_partner(server, director):
    path, lines = f"/p/{director}/pairs/list", "Sepp Huber\nAnna & Bert\nVroni Lang"
    offer = post(server, path, fields(list=lines))[2].one("button", name="singles")
    send(server, path, [*offer.find_parent("form").fields, ("singles", "1")])
    page = server.page(f"/p/{director}/pairs")
    assert page.one(data_singles=True).text == "Sepp Huber, Vroni Lang"
    assert page.data("pairs") == ["1"]


def test_pair_with_one_name_gets_its_second_player(server, director):
    path = f"/p/{director}/pairs"
    send(server, f"{path}/list", list="Sepp Huber\nAnna Maier & Bert Moser", take="1")
    send(server, f"{path}/1", do="aenderung", name="Sepp Huber", player=["", "Rosa Kern"])
    assert "Sepp Huber & Rosa Kern" in server.page(path).text


def test_imported_single_players_wait_for_partners(server, director):
    path, lines = f"/p/{director}/pairs/list", "Spieler;Verein\nAnna;Ötz\nBert;"
    assert post(server, path, fields(list=lines))[2].has(data_alone="2")
    send(server, path, list=lines, take=1)
    assert server.page(f"/p/{director}/pairs").one(data_singles=True).text == "Anna, Bert"


def test_page_confirms_the_new_pair_with_its_number(server, drawn):
    for name, number in (("", "5"), ("Die Zwei", "6")):
        players = [f"Ida {number}", f"Jakob {number}"]
        text = server.page(send(server, f"/p/{drawn}/pairs", player=players, name=name))
        assert number in text.one(data_newest=True).text
        # The cursor is in the field for the next pair.
        assert text.one("input", autofocus=True)["name"] == "player"


def test_too_long_club_stays_in_the_form(server, director):
    club = "Freiwillige Feuerwehr St. Georgen bei Obernberg am Inn-Hinterschwarzach"
    text = refusal_page(server, f"/p/{director}/pairs", player=["Anna", "Bert"], club=club)
    assert (text.code, "60" in text.one(data_code=True).text) == ("unreadable", True)
    assert f'maxlength="200" value="{club}"' in text


def test_points_are_deducted_only_with_a_reason(server, drawn):
    where = f"/p/{drawn}/pairs/2"
    for points, reason, code in (("−10", " ", "extra-without-reason"), ("zehn", "", "unreadable")):
        assert refusal_page(server, where, do="punkte", points=points, reason=reason).code == code
    send(server, where, do="punkte", points="−10", reason="verspätet")
    pair = server.tournament(drawn)["pairs"][1]
    assert (pair["extra"], pair["extra_reason"]) == (-10, "verspätet")
    for page in ("pairs", "print/standings", "standings"):
        assert "verspätet" in server.page(f"/p/{drawn}/{page}").text
    # The form shows the points, and an empty field removes them.
    row = server.page(f"/p/{drawn}/pairs").one(id="pair-2")
    assert row.one("input", pattern=True)["value"] == "-10"
    send(server, where, do="punkte", points="")
    assert "extra" not in server.tournament(drawn)["pairs"][1]


def test_list_shows_only_pairs_that_are_missing(server, drawn):
    path = f"/p/{drawn}/pairs"
    for number, mark in ((1, "came"), (2, "here")):
        send(server, f"{path}/{number}", do="vermerk", mark=mark)
    for chosen, missing in (("away", {"1", "2"}), ("unpaid", {"1"}), ("", set())):
        text = server.page(f"{path}?show={chosen}")
        shown = {row["id"].removeprefix("pair-") for row in text.one(css="pairs").all("li")}
        assert {"1", "2", "3"} - shown == missing
        chip = text.one("a", css="chip", aria_current="true")
        assert str(len(shown)) in chip.text or not chosen


def test_pair_search_is_kept_after_a_mark(server, drawn):
    text = server.page(f"/p/{drawn}/pairs?find=3")
    assert re.findall(r'id="pair-(\d+)"', text) == ["3"]
    where = send(server, f"/p/{drawn}/pairs/3", do="vermerk", mark="here", find="emil")
    assert re.findall(r'id="pair-(\d+)"', server.page(where)) == ["3"]
    assert server.page(f"/p/{drawn}/pairs?find=Zenzi").has("li", data_nobody=True)


def test_pair_list_links_to_the_first_draw(server, director):
    draw_link = f'href="/p/{director}#next"'
    assert draw_link not in server.page(f"/p/{director}/pairs")
    enter = {"role": "link", "css": "primary", "href": f"/p/{director}/pairs"}
    assert server.page(f"/p/{director}").has(**enter)
    enter_pairs(server, director, "A;B\nC;D")
    assert draw_link in server.page(f"/p/{director}/pairs")
    assert not server.page(f"/p/{director}").has(**enter)
    send(server, f"/p/{director}/draw")
    assert draw_link not in server.page(f"/p/{director}/pairs")


def test_two_pairs_can_be_kept_apart(server, drawn):
    where = f"/p/{drawn}/pairs/1"
    for other, code in (("1", "same-pair"), ("x", "unreadable")):
        assert refusal_page(server, where, do="trennung", other=other).code == code
    assert server.page(send(server, where, do="trennung", other=3)).has(role="status")
    # The rows of both pairs show it, and either row can undo it.
    page = server.page(f"/p/{drawn}/pairs")
    first, third = (page.one(id=f"pair-{n}").one("form", data_apart=True) for n in (1, 3))
    assert (first["data-apart"], third["data-apart"]) == ("3", "1")
    names = [page.one(id=f"pair-{n}").all(css="pair-name")[0].text for n in (1, 3)]
    apart = [translated("not against %(n)s") % {"n": n} for n in (3, 1)]
    assert [name.endswith(other) for name, other in zip(names, apart, strict=True)] == [True] * 2
    send(server, third["action"], [*third.fields, ("do", "trennung")])
    assert not server.page(f"/p/{drawn}/pairs").has("form", data_apart=True)


def test_filters_count_pairs_that_were_not_drawn(server, director):
    path = f"/p/{director}"
    for names in (["Anna", "Bert"], ["Cilli", "Dora"], ["Emil", "Fanny"]):
        send(server, f"{path}/pairs", player=names)
    for number in (1, 2):
        send(server, f"{path}/pairs/{number}", do="vermerk", mark="came")
    send(server, f"{path}/draw", round=1, who="here")
    for shown in ("away", "unpaid"):
        page = server.page(f"{path}/pairs?show={shown}")
        assert [row["id"] for row in page.one("ul", css="pairs").all("li")] == ["pair-3"]
    # A mark keeps the filter, so its count and the rows agree.
    row = page.one(id="pair-3").one("form", css="marks-form")
    where = send(server, row["action"], [*row.fields, ("mark", "paid")])
    assert "show=unpaid" in where and server.page(where.partition("#")[0]).has(data_nobody=True)
    send(server, f"{path}/pairs/3", do="abmeldung")
    assert not server.page(f"{path}/pairs?show=away").has(id="pair-3")


def test_pair_with_a_result_counts_as_here(server):
    hall = Hall(server, 4)
    [first, second] = hall.draw()
    hall.enter(1, first["table"], (15, 3))
    away = server.page(f"/p/{hall.key}/pairs?show=away").one("ul", css="pairs")
    assert [row["id"] for row in away.all("li")] == [f"pair-{n}" for n in sorted(second["pairs"])]


def test_walkover_form_says_what_it_counts(server):
    hall = Hall(server, 4, finals={"best": 4}, rounds=1)
    [first, second] = hall.draw()
    worth = server.page(f"/p/{hall.key}/match/1/{first['table']}").one(data_worth=True).text
    hall.send(f"/match/1/{first['table']}", do="walkover", walkover="a")
    standings = server.page(f"/p/{hall.key}/standings")
    assert standings.one(data_walkover_counts=True).text == worth
    hall.enter(1, second["table"], (15, 3))
    hall.draw()
    assert not server.page(f"/p/{hall.key}/match/2/1").has(data_worth=True)


def test_desk_shows_the_winner_of_each_table_in_bold(server):
    hall = Hall(server, 4)
    first, second = hall.draw()
    hall.enter(1, first["table"], (3, 15))
    desk, winner = server.page(f"/p/{hall.key}"), hall.names()[first["pairs"][1]]
    assert desk.one(id=f"table-{first['table']}").one("b", css="side").text == winner
    assert not desk.one(id=f"table-{second['table']}").has("b", css="side")


def test_withdrawal_leads_to_the_pairs_open_table(server):
    hall = Hall(server, 4)
    [table, _] = hall.draw()
    gone = table["pairs"][1]
    shown = hall.send(f"/pairs/{gone}", do="abmeldung")
    notice = server.page(shown).one("form", data_withdrawn=True)
    server.page(notice.one("a", data_open_table=True)["href"])
    hall.finish()
    assert not server.page(shown).has(data_open_table=True)
