"""The list of pairs: typed, imported, checked and marked."""

import re

import pytest

from scorer.web.tournament.labels import REASONS
from tests.pages import translated
from tests.web.tournament.forms import enter_pairs, post, refusal_page, upload


def test_pairs_can_be_entered_drawn_by_lot_and_edited(server, director):
    path = f"/p/{director}/pairs"
    form = [("token", "1"), ("player", "Anna"), ("player", "Bert"), ("club", "Ranshofen")]
    assert post(server, path, form)[0] == 303
    assert post(server, path, form)[0] == 303
    assert post(server, path, [("token", "2"), *form[1:]])[0] == 422
    for token, name in (("3", "Cilli"), ("4", "Dora"), ("5", "Emil")):
        assert post(server, path, [("token", token), ("player", name), ("player", "")])[0] == 303
    text = server.page(path)
    assert text.data("pairs") == ["1"]
    assert text.one(data_singles=True).text == "Cilli, Dora, Emil"
    assert post(server, f"{path}/lot", [("token", "6")])[0] == 303
    assert server.page(path).data("pairs") == ["2"]
    for token, do in (("7", "abmeldung"), ("8", "rueckkehr")):
        assert post(server, f"{path}/1", [("token", token), ("do", do)])[0] == 303
        text = server.page(path)
        assert text.has("li", id="pair-1", css="gone") == (do == "abmeldung")
        assert (translated(REASONS["withdrawn"]) in text) == (do == "abmeldung")
    renamed = [
        ("token", "n"),
        ("do", "aenderung"),
        ("name", "Anna & Bert"),
        ("player", "Anna"),
        ("player", "Berta"),
    ]
    assert post(server, f"{path}/1", renamed)[0] == 303
    assert "Anna & Berta" in server.page(path)
    mark = [("token", "9"), ("do", "vermerk"), ("mark", "paid")]
    assert post(server, f"{path}/1", mark)[0] == 303
    text = server.page(path)
    assert text.one(id="pair-1").one("button", aria_pressed="true")["value"] == "unpaid"
    assert text.data("paid") == ["1"]
    change = [("token", "10"), ("do", "aenderung"), ("name", "Die Zwei"), ("player", "Anna")]
    assert post(server, f"{path}/1", change)[0] == 303
    assert 'value="Die Zwei"' in server.page(path)


def test_one_tap_marks_a_pair_paid_and_present(server, played):
    path = f"/p/{played}/pairs"
    came = [("token", "c"), ("do", "vermerk"), ("mark", "came")]
    assert post(server, f"{path}/1", came)[0] == 303
    pair = server.page(path).one(id="pair-1")
    assert [button["value"] for button in pair.all("button", name="mark")] == ["unpaid", "away"]


def test_till_sums_the_paid_fees(server, played):
    fee = [("token", "f"), ("fee", "7,50")]
    assert post(server, f"/p/{played}/settings", fee)[0] == 303
    for number in (1, 3):
        mark = [("token", f"m{number}"), ("do", "vermerk"), ("mark", "paid")]
        post(server, f"/p/{played}/pairs/{number}", mark)
    till = "15,00 €"
    assert till in server.page(f"/p/{played}/pairs").one(id="counts").text
    assert till in server.page(f"/p/{played}/print/list").one(data_till=True).text
    assert server.page(f"/p/{played}/settings").one("input", name="fee")["value"] == "7,50"


@pytest.mark.parametrize("typed", ["viel", "7,505", "-1", "10000"])
def test_bad_fee_is_refused(server, played, typed):
    text = refusal_page(server, f"/p/{played}/settings", [("token", "f"), ("fee", typed)])
    assert text.one(data_field="fee")
    # The field keeps the typed value.
    assert text.one("input", name="fee")["value"] == typed


def test_resent_mark_changes_nothing(server, played):
    path = f"/p/{played}/pairs"
    for token, mark in (("1", "paid"), ("2", "here"), ("1", "paid")):
        form = [("token", token), ("do", "vermerk"), ("mark", mark)]
        assert post(server, f"{path}/1", form)[0] == 303
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
    text = refusal_page(server, f"/p/{director}/pairs/list", [("token", "t"), ("list", lines)])
    notice = text.one(role="alert", data_code="unreadable")
    assert notice["data-field"] == field
    assert all(word in notice.text for word in details.split())
    assert text.data("pairs") == ["0"]


def test_too_long_list_enters_no_pair(server, director):
    lines = "\n".join(f"A{n};B{n}" for n in range(600))
    text = refusal_page(server, f"/p/{director}/pairs/list", [("token", "t"), ("list", lines)])
    notice = text.one(data_code="unreadable", data_field="list")
    assert "512" in notice.text
    assert text.data("pairs") == ["0"]


def test_list_is_previewed_before_it_is_recorded(server, director):
    lines = "Nr;Spieler 1;Spieler 2;Telefon\n7;Anna;Bert;123\n8;Bert;Cilli;456"
    status, _, text = post(server, f"/p/{director}/pairs/list", [("token", "t"), ("list", lines)])
    assert status == 200
    assert "Telefon" in text.one(data_ignored=True).text
    assert "Anna & Bert – Bert & Cilli" in text.one(data_twice=True).text
    assert server.page(f"/p/{director}/pairs").data("pairs") == ["0"]


def test_import_skips_and_names_known_pairs(server, played):
    path = f"/p/{played}/pairs/list"
    lines = "Preiswatten\nSpieler 1;Spieler 2\nAnna;Bert\nIda;Jakob"
    _, _, text = post(server, path, [("token", "k"), ("list", lines)])
    assert "Anna & Bert" in text.one(data_known="1").text
    lists = [form for form in text.all("form") if form.has("textarea", name="list")]
    take, back = sorted(lists, key=lambda form: form.has("button", name="back"))
    # "No, back" keeps the typed list. "Yes" enters the new pair.
    typed = post(server, path, back.fields)[2]
    assert typed.one("textarea", name="list").text.split() == lines.split()
    assert post(server, path, take.fields)[0] == 303
    assert server.page(f"/p/{played}/pairs").data("pairs") == ["5"]
    text = refusal_page(server, path, [("token", "l"), ("list", lines)])
    assert text.one(data_code="unreadable")["data-field"] == "list"


def test_imported_single_players_wait_for_partners(server, director):
    path, lines = f"/p/{director}/pairs/list", "Spieler;Verein\nAnna;Ötz\nBert;"
    assert post(server, path, [("token", "s"), ("list", lines)])[2].has(data_alone="2")
    assert post(server, path, [("token", "s"), ("list", lines), ("take", "1")])[0] == 303
    assert server.page(f"/p/{director}/pairs").one(data_singles=True).text == "Anna, Bert"


def test_page_confirms_the_new_pair_with_its_number(server, played):
    for name, number in (("", "5"), ("Die Zwei", "6")):
        form = [
            ("token", number),
            ("player", f"Ida {number}"),
            ("player", f"Jakob {number}"),
            ("name", name),
        ]
        _, where, _ = post(server, f"/p/{played}/pairs", form)
        text = server.page(where.partition("#")[0])
        assert number in text.one(data_newest=True).text
        # The cursor is in the field for the next pair.
        assert text.one("input", autofocus=True)["name"] == "player"


def test_too_long_club_stays_in_the_form(server, director):
    club = "Freiwillige Feuerwehr St. Georgen bei Obernberg am Inn-Hinterschwarzach"
    form = [("token", "1"), ("player", "Anna"), ("player", "Bert"), ("club", club)]
    text = refusal_page(server, f"/p/{director}/pairs", form)
    assert (text.code, "60" in text.one(data_code=True).text) == ("unreadable", True)
    assert f'maxlength="200" value="{club}"' in text


def test_points_are_deducted_only_with_a_reason(server, played):
    where = f"/p/{played}/pairs/2"
    form = [("token", "1"), ("do", "punkte"), ("points", "−10"), ("reason", "verspätet")]
    assert refusal_page(server, where, [*form[:3], ("reason", " ")]).code == "extra-without-reason"
    assert refusal_page(server, where, [form[0], form[1], ("points", "zehn")]).code == "unreadable"
    assert post(server, where, form)[0] == 303
    pair = server.tournament(played)["pairs"][1]
    assert (pair["extra"], pair["extra_reason"]) == (-10, "verspätet")
    for page in ("pairs", "print/standings", "standings"):
        assert "verspätet" in server.page(f"/p/{played}/{page}").text
    # The form shows the points, and an empty field removes them.
    row = server.page(f"/p/{played}/pairs").one(id="pair-2")
    assert row.one("input", pattern=True)["value"] == "-10"
    assert post(server, where, [("token", "2"), ("do", "punkte"), ("points", "")])[0] == 303
    assert "extra" not in server.tournament(played)["pairs"][1]


def test_list_shows_only_pairs_that_are_missing(server, played):
    path = f"/p/{played}/pairs"
    for number, mark in ((1, "came"), (2, "here")):
        fields = [("token", mark), ("do", "vermerk"), ("mark", mark)]
        assert post(server, f"{path}/{number}", fields)[0] == 303
    for chosen, missing in (("away", {"1", "2"}), ("unpaid", {"1"}), ("", set())):
        text = server.page(f"{path}?show={chosen}")
        shown = {row["id"].removeprefix("pair-") for row in text.one(css="pairs").all("li")}
        assert {"1", "2", "3"} - shown == missing
        chip = text.one("a", css="chip", aria_current="true")
        assert str(len(shown)) in chip.text or not chosen


def test_pair_search_is_kept_after_a_mark(server, played):
    text = server.page(f"/p/{played}/pairs?find=3")
    assert re.findall(r'id="pair-(\d+)"', text) == ["3"]
    mark = [("token", "m"), ("do", "vermerk"), ("mark", "here"), ("find", "emil")]
    where = post(server, f"/p/{played}/pairs/3", mark)[1].partition("#")[0]
    assert re.findall(r'id="pair-(\d+)"', server.page(where)) == ["3"]
    assert server.page(f"/p/{played}/pairs?find=Zenzi").has("li", data_nobody=True)


def test_pair_list_links_to_the_first_draw(server, director):
    draw_link = f'href="/p/{director}#next"'
    assert draw_link not in server.page(f"/p/{director}/pairs")
    enter = {"role": "link", "css": "primary", "href": f"/p/{director}/pairs"}
    assert server.page(f"/p/{director}").has(**enter)
    enter_pairs(server, director, "A;B\nC;D")
    assert draw_link in server.page(f"/p/{director}/pairs")
    assert not server.page(f"/p/{director}").has(**enter)
    assert post(server, f"/p/{director}/draw", [("token", "d")])[0] == 303
    assert draw_link not in server.page(f"/p/{director}/pairs")


def test_two_pairs_can_be_kept_apart(server, played):
    where = f"/p/{played}/pairs/1"
    form = [("token", "1"), ("do", "trennung"), ("other", "3")]
    assert refusal_page(server, where, [*form[:2], ("other", "1")]).code == "same-pair"
    assert refusal_page(server, where, [*form[:2], ("other", "x")]).code == "unreadable"
    assert post(server, where, form)[0] == 303
    # The rows of both pairs show it, and either row can undo it.
    page = server.page(f"/p/{played}/pairs")
    apart = {n: page.one(id=f"pair-{n}").one("form", data_apart=True) for n in (1, 3)}
    assert [form["data-apart"] for form in apart.values()] == ["3", "1"]
    fields = [*apart[3].fields, ("do", "trennung")]
    assert post(server, apart[3]["action"], fields)[0] == 303
    assert not server.page(f"/p/{played}/pairs").has("form", data_apart=True)
