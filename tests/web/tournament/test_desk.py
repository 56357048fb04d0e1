"""The pages of a tournament: desk, pairs, results, hall and prints, without a browser."""

import csv
import io
import re
from html import unescape
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner

from scorer.cli import main
from tests.serving import Phone

WON = [[15, 8], [12, 15], [15, 3]]


def page(server, path, status=200):
    got, _, text = server.request("GET", path, Accept_Language="de")
    assert got == status, text
    return unescape(text)


def post(server, path, form, **headers):
    status, answer, text = server.request("POST", path, form, Accept_Language="de", **headers)
    return status, answer.get("location", ""), unescape(text)


def upload(server, path, data, token="t", take="1", name="p.csv"):
    edge = "----edge"
    parts = (
        f'--{edge}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token}\r\n'
        f'--{edge}\r\nContent-Disposition: form-data; name="take"\r\n\r\n{take}\r\n'
        f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    ).encode()
    body = parts + data + f"\r\n--{edge}--\r\n".encode()
    kind = f"multipart/form-data; boundary={edge}"
    return post(server, path, body, Content_Type=kind)


@pytest.fixture
def director(server):
    """The key of a tournament as the form makes it."""
    form = [("name", "Preiswatten <3>"), ("rules", "bayern"), ("preset", "won-points")]
    status, where, _ = post(server, "/p/new", [*form, ("rounds", "2"), ("seed", "x")])
    assert status == 303
    return where.split("/")[2]


@pytest.fixture
def played(server, director):
    """Four pairs, the first round drawn; the director's key."""
    lines = "Anna;Bert;Ranshofen\nCilli;Dora\nEmil;Fanny\nGustl;Hias;Braunau"
    form = [("token", "t"), ("list", lines), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    assert post(server, f"/p/{director}/draw", [("token", "d")])[0] == 303
    return director


def hall(server, director):
    text = page(server, f"/p/{director}/links")
    return re.findall(r'class="url"><a href="[^"]*/p/(\w+)"', text)[:2]


def seats(server, director, table=1):
    """The writing key of a table and the other pair's."""
    text = page(server, f"/p/{director}/match/1/{table}")
    scorer, opponent = re.findall(r'class="url"><a href="[^"]*/e/(\w+)"', text)
    return scorer, opponent


def boxes(games, token="r", **more):
    return [
        ("token", token),
        *[(s, str(p)) for g in games for s, p in zip("ab", g, strict=True)],
        *more.items(),
    ]


def test_the_form_opens_a_tournament_with_its_presets(server, director):
    found = server.json("GET", f"/api/tournaments/{director}")[1]
    assert (found["name"], found["rounds"], found["games_per_round"]) == ("Preiswatten <3>", 2, 4)
    assert found["ranking"] == ["won", "points"]
    assert "Preiswatten &lt;3&gt;" in server.request("GET", f"/p/{director}")[2]
    # Nothing is offered that would be refused.
    desk = page(server, f"/p/{director}")
    assert f'action="/p/{director}/draw"' not in desk
    assert f'href="/p/{director}/links#director"' in desk


def test_every_figure_of_a_format_can_be_changed(server):
    form = [("name", "T"), ("rules", "oberoesterreich"), ("preset", "won-points"), ("target", "11")]
    form += [("ranking", "score"), ("ranking", ""), ("ranking", "ratio"), ("finals", "8")]
    form += [("scoring.win", "7"), ("scoring.bye_wins", "no"), ("games_per_round", "2")]
    status, where, _ = post(server, "/p/new", form)
    assert status == 303
    found = server.json("GET", f"/api/tournaments/{where.split('/')[2]}")[1]
    assert found["ranking"] == ["score", "ratio"]
    assert found["set"] == {"cap_at_target": True, "target": 11}
    assert (found["scoring"]["win"], found["scoring"]["bye_wins"]) == (7, False)
    assert found["finals"]["best"] == 8


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"name": ""}, "fehlt"),
        ({"rounds": "viele"}, "Runden: "),
        ({"target": "500"}, "muss eine ganze Zahl von 3 bis 99 sein, nicht 500"),
        ({"finals": "3"}, "muss 2, 4, 8, 16 oder 32 sein"),
    ],
)
def test_a_form_that_cannot_be_is_told_and_kept(server, change, told):
    form = {"name": "Beim Wirt", "rules": "bayern", "preset": "won-points", **change}
    status, _, text = post(server, "/p/new", list(form.items()))
    assert status == 422
    assert told in text
    assert f'value="{form["name"]}"' in text


def test_pairs_by_hand_alone_and_changed(server, director):
    path = f"/p/{director}/pairs"
    form = [("token", "1"), ("player", "Anna"), ("player", "Bert"), ("club", "Ranshofen")]
    assert post(server, path, form)[0] == 303
    assert post(server, path, form)[0] == 303
    assert post(server, path, [("token", "2"), *form[1:]])[0] == 422
    for token, name in (("3", "Cilli"), ("4", "Dora"), ("5", "Emil")):
        assert post(server, path, [("token", token), ("player", name), ("player", "")])[0] == 303
    text = page(server, path)
    assert "1 Paar" in text
    assert "Cilli, Dora, Emil" in text
    assert post(server, f"{path}/lot", [("token", "6")])[0] == 303
    text = page(server, path)
    assert "2 Paare" in text
    for token, do in (("7", "abmeldung"), ("8", "rueckkehr")):
        assert post(server, f"{path}/1", [("token", token), ("do", do)])[0] == 303
        assert ("abgemeldet" in page(server, path)) == (do == "abmeldung")
    renamed = [
        ("token", "n"),
        ("do", "aenderung"),
        ("name", "Anna & Bert"),
        ("player", "Anna"),
        ("player", "Berta"),
    ]
    assert post(server, f"{path}/1", renamed)[0] == 303
    assert "Anna & Berta" in page(server, path)
    mark = [("token", "9"), ("do", "vermerk"), ("mark", "paid")]
    assert post(server, f"{path}/1", mark)[0] == 303
    assert 'aria-pressed="true">✓ bezahlt' in page(server, path)
    assert "1 bezahlt" in page(server, path)
    change = [("token", "10"), ("do", "aenderung"), ("name", "Die Zwei"), ("player", "Anna")]
    assert post(server, f"{path}/1", change)[0] == 303
    assert 'value="Die Zwei"' in page(server, path)


def test_a_mark_that_is_sent_again_undoes_none_of_another_helper(server, played):
    path = f"/p/{played}/pairs"
    for token, mark in (("1", "paid"), ("2", "here"), ("1", "paid")):
        form = [("token", token), ("do", "vermerk"), ("mark", mark)]
        assert post(server, f"{path}/1", form)[0] == 303
    assert page(server, path).count('aria-pressed="true">✓') == 2


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_pairs_from_a_file(server, director, encoding):
    data = "Spieler 1;Spieler 2;Verein\r\nJürgen;Bäda;Ötz\r\n\r\nAnna;Bert;\r\n".encode(encoding)
    for _ in range(2):
        assert upload(server, f"/p/{director}/pairs/list", data)[0] == 303
    text = page(server, f"/p/{director}/pairs")
    assert "2 Paare" in text
    assert "Jürgen & Bäda" in text
    rows = server.request("GET", f"/p/{director}/pairs.csv", Accept_Language="de")[2]
    assert '"Jürgen & Bäda";"Jürgen";"Bäda";"Ötz";"1"' in rows


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("Anna;Bert\nAnna;Bert", "Zeile 2: Anna & Bert steht schon auf der Liste"),
        ("A;B;C;D;E;F;G", "Zeile 1: hat 7 Spalten"),
        ("", "fehlt"),
    ],
)
def test_a_list_that_is_wrong_names_the_line_and_enters_nobody(server, director, lines, told):
    status, _, text = post(server, f"/p/{director}/pairs/list", [("token", "t"), ("list", lines)])
    assert status == 422
    assert told in text
    assert "0 Paare" in text


def test_players_sign_up_themselves(server, director):
    _, signup = hall(server, director)
    pair = [("player", "Anna"), ("player", "B")]
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *pair])[0] == 303
    status, _, text = post(server, f"/p/{signup}/signup", [("token", "2"), *pair])
    assert status == 422
    assert "Anna & B steht schon auf der Liste" in text
    assert post(server, f"/p/{signup}/signup", [("token", "3"), ("player", "Cilli")])[0] == 303
    text = page(server, f"/p/{director}/pairs")
    assert "0 Paare" in text
    # How each came, and when; the words of the record are nobody's to read.
    assert re.search(r"vom Handy|Programm", text)
    assert not re.search(r"signup \w", text)
    signed = [("signed", number) for number in re.findall(r'name="signed" value="(\d+)"', text)]
    accept = [("token", "a"), ("do", "aufnahme"), *signed]
    assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    text = page(server, f"/p/{director}/pairs")
    assert "1 Paar" in text
    assert "Cilli" in text
    assert "/pairs/lot" not in text
    status, _, text = post(server, f"/p/{director}/pairs/lot", [("token", "l")])
    assert status == 422
    assert "zwei" in text
    alone = re.findall(r'name="signed" value="(\d+)"', text)
    off = [("token", "o"), ("do", "ablehnung"), *[("signed", number) for number in alone]]
    assert post(server, f"/p/{director}/pairs/signed", off)[0] == 303
    assert "Cilli" not in page(server, f"/p/{director}/pairs")
    for path in ("pairs", "links", "match/1/1", "print/slips", "standings", "hall"):
        assert server.request("GET", f"/p/{signup}/{path}")[0] == 403
    assert post(server, f"/p/{signup}/draw", [("token", "d")])[0] == 403


def test_the_desk_hears_of_a_sign_up_and_leads_to_it(server, played):
    _, signup = hall(server, played)
    watch = server.watch(f"/p/{played}/stream", Accept_Language="de")
    try:
        assert "#signed" not in watch.next()["data"]
        form = [("token", "1"), ("player", "Irmi"), ("player", "Jakl")]
        assert post(server, f"/p/{signup}/signup", form)[0] == 303
        told = watch.next()["data"].partition("<section>")[0]
    finally:
        watch.close()
    assert "1 Anmeldung wartet" in told
    assert f'href="/p/{played}/pairs#signed"' in told


def test_one_who_is_there_already_keeps_nobody_else_waiting(server, director):
    _, signup = hall(server, director)
    entry = [("token", "1"), ("player", "Bauer Fritz"), ("player", "Moser Luis"), ("club", "SV Au")]
    assert post(server, f"/p/{signup}/signup", entry)[0] == 303
    other = [("token", "2"), ("player", "Anna"), ("player", "Bert")]
    assert post(server, f"/p/{signup}/signup", other)[0] == 303
    form = [("token", "l"), ("list", "Bauer Fritz;Moser Luis;\nCilli;Dora;Linz")]
    # The preview says whom it would bring twice.
    preview = post(server, f"/p/{director}/pairs/list", form)[2]
    assert "Auch auf der Warteliste: Bauer Fritz & Moser Luis" in preview
    assert post(server, f"/p/{director}/pairs/list", [*form, ("take", "1")])[0] == 303
    text = page(server, f"/p/{director}/pairs")
    assert "SV Au" in text.split("Warteliste")[1].split("</section>")[0]
    numbers = re.findall(r'name="signed" value="(\d+)"( checked)?', text)
    assert [ticked for _, ticked in numbers] == ["", " checked"]
    accept = [("token", "a"), ("do", "aufnahme"), *[("signed", number) for number, _ in numbers]]
    for _ in range(2):
        assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    text = page(server, f"/p/{director}/pairs")
    assert "Bauer Fritz & Moser Luis steht schon auf der Liste" in text
    assert "Anna & Bert" not in text.split("Warteliste")[1].split("</section>")[0]
    found = server.json("GET", f"/api/tournaments/{director}")[1]["pairs"]
    names = [pair["name"] for pair in found]
    assert names == ["Bauer Fritz & Moser Luis", "Cilli & Dora", "Anna & Bert"]


LONG = ("Hinterberger-Oberneder Maximiliane Magdalena", "Schwarzenegger-Pfefferkornhuber Leopold")


def test_a_long_name_is_made_shorter_and_never_cut_in_a_word(server, director):
    _, signup = hall(server, director)
    players = [("player", name) for name in LONG]
    surnames = "Hinterberger-Oberneder & Schwarzenegger-Pfefferkornhuber"
    status, where, _ = post(server, f"/p/{signup}/signup", [("token", "1"), *players])
    assert status == 303
    assert surnames.replace(" & ", "+%26+") in where
    text = page(server, f"/p/{director}/pairs")
    assert surnames in text
    [number] = re.findall(r'name="signed" value="(\d+)"', text)
    accept = [("token", "a"), ("do", "aufnahme"), ("signed", number)]
    assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    # In a list its name is told before it is taken.
    form = [("token", "l"), ("list", f"{LONG[1]};Oberleitner-Zwischenbrugger Anna Katharina")]
    told = "Schwarzenegger-Pfefferkornh… & Oberleitner-Zwischenbrugger"
    assert told in post(server, f"/p/{director}/pairs/list", form)[2]
    found = server.json("GET", f"/api/tournaments/{director}")[1]["pairs"]
    assert (found[0]["name"], tuple(found[0]["players"])) == (surnames, LONG)


def test_what_is_too_long_is_refused_in_words_and_kept_in_the_form(server, director):
    club = "Freiwillige Feuerwehr St. Georgen bei Obernberg am Inn-Hinterschwarzach"
    form = [("token", "1"), ("player", "Anna"), ("player", "Bert"), ("club", club)]
    status, _, text = post(server, f"/p/{director}/pairs", form)
    assert status == 422
    assert "höchstens 60 Zeichen" in text
    assert f'maxlength="200" value="{club}"' in text


def test_nobody_signs_up_once_the_tournament_is_over(server, played):
    _, signup = hall(server, played)
    form = [("player", "Irmi"), ("player", "Jakl")]
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *form])[0] == 303
    for number in (1, 2):
        for table in (1, 2):
            said = {"round": number, "table": table, "games": [*WON, [15, 0]]}
            assert server.json("POST", f"/api/tournaments/{played}/results", said)[0] == 201
        if number == 1:
            assert post(server, f"/p/{played}/draw", [("token", "d2")])[0] == 303
    for path in ("signup", "signed-up?who=Irmi+%26+Jakl"):
        text = page(server, f"/p/{signup}/{path}")
        assert "niemand mehr anmelden" in text
        assert "<form" not in text.partition("<main")[2].partition("</main>")[0]
        assert "nimmt euch auf die Liste" not in text
    status, _, text = post(server, f"/p/{signup}/signup", [("token", "2"), ("player", "Karl")])
    assert (status, "niemand mehr anmelden" in text) == (422, True)
    # What was sent before the end and comes again is no news.
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *form])[0] == 303
    assert "#signed" not in page(server, f"/p/{played}")


def test_the_hall_looks_and_runs_nothing(server, played):
    key, _ = hall(server, played)
    assert server.request("GET", f"/p/{key}")[1]["location"].endswith("/standings")
    for path in ("standings", "hall", "print/standings", "print/by-name", "standings.csv"):
        assert server.request("GET", f"/p/{key}/{path}")[0] == 200
    for path in ("pairs", "links", "prizes", "match/1/1", "print/slips", "stream"):
        assert server.request("GET", f"/p/{key}/{path}")[0] == 403
    for path in ("draw", "take-back", "renew", "prizes", "decider", "pairs", "pairs/list"):
        assert post(server, f"/p/{key}/{path}", [("token", "x")])[0] == 403
    text = page(server, f"/p/{key}/standings")
    assert played not in text
    assert "/e/" not in text


def test_points_that_only_a_penalty_leads_to_are_asked_about_and_entered(server, played):
    scorer, _ = seats(server, played)
    games = [*WON, [15, 1]]
    for path in (f"/e/{scorer}", f"/p/{played}/match/1/1"):
        status, _, text = post(server, path, boxes(games, token=f"asked{path}"))
        assert (status, 'name="sure"' in text) == (422, True)
        for _ in range(2):
            assert post(server, path, boxes(games, token=path, sure="1"))[0] == 303
    table = server.json("GET", f"/api/tournaments/{played}")[1]["draws"][0]["tables"][0]
    assert (table["status"], table["games"]) == ("done", games)


def test_a_result_is_entered_by_one_pair_and_confirmed_by_the_other(server, played):
    scorer, opponent = seats(server, played)
    games = [*WON, [15, 0]]
    assert post(server, f"/e/{scorer}", boxes(games))[0] == 303
    assert "Das andere Paar bestätigt es" in page(server, f"/e/{scorer}")
    assert "15:8  12:15  15:3  15:0" in page(server, f"/e/{opponent}")
    assert 'is-entered" id="table-1"' in page(server, f"/p/{played}")
    yes = boxes(games, token="y", do="bestaetigung")
    assert post(server, f"/e/{scorer}", yes)[0] == 422
    assert post(server, f"/e/{opponent}", yes)[0] == 303
    assert "Das Ergebnis steht" in page(server, f"/e/{opponent}")
    assert 'is-done" id="table-1"' in page(server, f"/p/{played}")


def test_nobody_confirms_what_was_changed_meanwhile(server, played):
    scorer, opponent = seats(server, played)
    games = [*WON, [15, 0]]
    post(server, f"/e/{scorer}", boxes(games))
    post(server, f"/e/{scorer}", boxes([*WON, [15, 2]], token="new"))
    status, _, text = post(server, f"/e/{opponent}", boxes(games, token="y", do="bestaetigung"))
    assert status == 422
    assert "neu eingetragen" in text
    assert "15:2" in text


def test_the_links_of_a_table_stay_as_its_slip_has_them(server, played):
    scorer, opponent = seats(server, played)
    for role in ("scorer", "opponent", "viewer"):
        assert post(server, f"/t/{scorer}/renew", [("role", role)])[0] == 403
    assert server.request("GET", f"/e/{opponent}")[0] == 200


def test_a_draw_is_not_taken_back_under_writing_hands(server, played):
    scorer, _ = seats(server, played)
    server.write(scorer, {"do": "gewinnt", "side": 0}, "1")
    status, _, text = post(server, f"/p/{played}/take-back", [("token", "b"), ("round", "1")])
    assert status == 422
    assert "Tische werden gerade beschrieben: 1" in text


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("match/9/9", [("a", "15"), ("b", "3")], 404),
        ("match/0/1", [("a", "15"), ("b", "3")], 404),
        ("match/1/99", [("do", "sperre")], 404),
        ("take-back", [("round", "9" * 5000)], 422),
        ("decider", [("winner", "9" * 5000), ("loser", "")], 422),
        ("pairs/9", [("do", "vermerk"), ("mark", "paid")], 422),
        ("pairs/9", [("do", "abmeldung")], 422),
        ("pairs/1", [("do", "fliegen")], 400),
        ("match/1/1", [("a", "²"), ("b", "x")], 422),
    ],
)
def test_forms_not_of_ours_are_refused(server, played, path, form, status):
    assert post(server, f"/p/{played}/{path}", [("token", "t"), *form])[0] == status


@pytest.mark.parametrize("asked", ["pairs?entered=abc", "hall?page=abc", "hall?page=-1"])
def test_addresses_that_somebody_altered_still_open(server, played, asked):
    page(server, f"/p/{played}/{asked}")


def test_a_page_that_is_not_there_is_told(server, played):
    for path in ("match/0/1", "match/9/1", "print/results/9", "print/slips/9", "print/nothing"):
        assert server.request("GET", f"/p/{played}/{path}")[0] == 404


def test_who_signs_up_takes_one_lot(server):
    form = [("name", "T"), ("rules", "bayern"), ("preset", "lots-knockout")]
    director = post(server, "/p/new", form)[1].split("/")[2]
    _, signup = hall(server, director)
    pair = [("player", "A"), ("player", "B"), ("entries", "16")]
    assert post(server, f"/p/{signup}/signup", [("token", "1"), *pair])[0] == 303
    accept = [("token", "2"), ("do", "aufnahme"), ("signed", "1")]
    assert post(server, f"/p/{director}/pairs/signed", accept)[0] == 303
    assert server.json("GET", f"/api/tournaments/{director}")[1]["pairs"][0].get("entries") is None


def test_a_list_too_long_enters_nobody(server, director):
    lines = "\n".join(f"A{n};B{n}" for n in range(600))
    status, _, text = post(server, f"/p/{director}/pairs/list", [("token", "t"), ("list", lines)])
    assert status == 422
    assert "höchstens 512 Paare" in text
    assert "0 Paare" in text


def test_cookies_of_other_keys_do_no_harm(server, played):
    keys = server.table()
    cookie = f"tournaments={keys['scorer']}.{played}; groups={played}; tables={played}"
    status, _, text = server.request("GET", "/", Cookie=cookie)
    assert status == 200
    assert "Preiswatten &lt;3&gt;" in text


def test_the_consolation_is_for_somebody_who_stayed(server, played):
    form = [("token", "p"), ("lines", "300 €"), ("consolation", "Trost"), ("to", "last")]
    post(server, f"/p/{played}/prizes", form)
    last = server.json("GET", f"/api/tournaments/{played}/standings")[1]["standings"][-1]
    leaves = [("token", "w"), ("do", "abmeldung")]
    post(server, f"/p/{played}/pairs/{last['pair']}", leaves)
    text = page(server, f"/p/{played}/print/prizes")
    assert re.search(r'rank">3</td>.*?Trost', text, re.DOTALL)


def test_pairs_that_differ_are_told_and_the_desk_decides_with_a_reason(server, played):
    scorer, opponent = seats(server, played)
    post(server, f"/e/{scorer}", boxes([*WON, [15, 0]]))
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="other"))
    assert "habt Verschiedenes eingetragen" in page(server, f"/e/{scorer}")
    assert 'is-amber" id="table-1"' in page(server, f"/p/{played}")
    desk = f"/p/{played}/match/1/1"
    assert post(server, desk, boxes([*WON, [15, 0]], token="desk"))[0] == 303
    status, _, text = post(server, desk, boxes([*WON, [15, 2]], token="again"))
    assert status == 422
    assert "schreib dazu, warum" in text
    assert post(server, desk, boxes([*WON, [15, 2]], token="why", reason="verlesen"))[0] == 303
    text = page(server, desk)
    assert re.search(r"15 : 0\s+<small>Turnierleitung", text)
    assert re.search(r"15 : 2\s+<small>Turnierleitung\s+· <bdi>verlesen", text)
    assert post(server, desk, [("token", "l"), ("do", "sperre"), ("open", "0")])[0] == 303
    assert post(server, desk, boxes(WON, token="late", reason="x"))[0] == 422


def test_points_that_cannot_be_are_told_and_stay_in_the_boxes(server, played):
    scorer, _ = seats(server, played)
    status, _, text = post(server, f"/e/{scorer}", boxes([*WON, [15, 15]]))
    assert status == 422
    assert "Spiel 4: beide können nicht gewonnen haben" in text
    assert text.count('value="15"') == 5


def test_what_was_scored_live_stands_in_the_boxes(server, played):
    scorer, _ = seats(server, played)
    for number, stake in enumerate((9, 3, 4)):
        won = {"do": "gewinnt", "side": 0, "stake": stake}
        assert server.write(scorer, won, str(number))[0] == 201
    assert re.search(r'name="a"[^>]*value="15"', page(server, f"/e/{scorer}"))
    assert "Spiel 1, 15 : 0" in page(server, f"/p/{played}")
    assert f'href="/e/{scorer}"' in page(server, f"/t/{scorer}")


def test_the_desk_draws_on_takes_back_and_ends(server, played):
    status, _, text = post(server, f"/p/{played}/draw", [("token", "e")])
    assert status == 422
    assert "Noch offen: Tisch 1, 2" in text
    back = [("token", "b"), ("round", "1")]
    assert post(server, f"/p/{played}/take-back", back)[0] == 303
    assert "Noch ist nichts ausgelost" in page(server, f"/p/{played}")
    post(server, f"/p/{played}/draw", [("token", "again")])
    for table in (1, 2):
        post(server, f"/p/{played}/match/1/{table}", boxes([*WON, [15, 0]], token=f"r{table}"))
    assert post(server, f"/p/{played}/draw", [("token", "two")])[0] == 303
    assert post(server, f"/p/{played}/draw", [("token", "forced"), ("anyway", "1")])[0] == 422


def test_the_desk_says_when_all_is_played(server, played):
    for number in (1, 2):
        for table in (1, 2):
            where = f"/p/{played}/match/{number}/{table}"
            post(server, where, boxes([*WON, [15, 0]], token=f"{number}{table}"))
        post(server, f"/p/{played}/draw", [("token", f"d{number}")])
    text = page(server, f"/p/{played}")
    assert "Das Turnier ist zu Ende" in text
    assert "auslosen" not in text


def test_a_pair_gives_way_with_one_tap(server, played):
    scorer, opponent = seats(server, played)
    games = [*WON, [15, 0]]
    post(server, f"/e/{scorer}", boxes(games))
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="other"))
    text = page(server, f"/e/{opponent}")
    form = text.partition('class="proposal"')[2].partition("</form>")[0]
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form)
    assert post(server, f"/e/{opponent}", fields)[0] == 303
    assert "Das Ergebnis steht" in page(server, f"/e/{scorer}")


def test_who_waits_for_a_partner_is_not_forgotten_at_the_draw(server, played):
    form = [("token", "s"), ("player", "Zenzi"), ("player", "")]
    post(server, f"/p/{played}/pairs", form)
    assert "1 Spieler wartet noch auf einen Partner" in page(server, f"/p/{played}")


def test_a_draw_sent_twice_is_drawn_once(server, played):
    for table in (1, 2):
        post(server, f"/p/{played}/match/1/{table}", boxes([*WON, [15, 0]], token=f"r{table}"))
    for _ in range(2):
        post(server, f"/p/{played}/draw", [("token", "same"), ("anyway", "1")])
    assert len(server.json("GET", f"/api/tournaments/{played}")[1]["draws"]) == 2


def test_everybody_finds_a_table(server, played):
    key, _ = hall(server, played)
    text = page(server, f"/p/{key}/find?name=cill")
    assert re.search(r'class="big-number">[12]</p>', text)
    assert "gegen " in text
    assert re.search(r'href="/b/\w+"', text)
    assert "Niemand mit diesem Namen" in page(server, f"/p/{key}/find?name=Zenzi")


def test_the_big_screen_turns_its_pages(server, played):
    key, _ = hall(server, played)
    seen, path = [], f"/p/{key}/hall"
    for _ in range(2):
        text = page(server, path)
        seen.append(text)
        path = re.search(r'http-equiv="refresh" content="\d+;url=([^"]+)"', text)[1]
    assert path.endswith("page=0")
    assert "Anna & Bert" in seen[0]
    assert "Runde 1 von 2 · 1/2" in seen[0]
    assert "Rangliste · 2/2" in seen[1]


def test_prizes_go_to_their_places(server, played):
    form = [("token", "p"), ("lines", "300 €\nEin Ferkel"), ("consolation", "Eine Wurst")]
    assert post(server, f"/p/{played}/prizes", [*form, ("to", "last-but-one")])[0] == 303
    text = page(server, f"/p/{played}/print/prizes")
    cells = re.findall(r'rank">(\d)</td>.*?text" dir="auto">([^<]*)<', text, re.DOTALL)
    assert cells == [("1", "300 €"), ("2", "Ein Ferkel"), ("3", "Eine Wurst")]


def test_level_pairs_are_settled_by_a_decider(server, played):
    text = page(server, f"/p/{played}/deciders")
    level = re.findall(r'<option value="(\d)">', text.partition('name="winner"')[2])[:4]
    form = [("token", "s"), ("winner", level[3]), ("loser", level[0])]
    assert post(server, f"/p/{played}/decider", form)[0] == 303
    lines = server.json("GET", f"/api/tournaments/{played}/standings")[1]["standings"]
    assert lines[0]["pair"] == int(level[3])
    assert lines[0]["tie"] == "decider"


def test_a_deciding_game_has_a_table_of_its_own(server, played):
    path = f"/p/{played}/decider"
    pairs = [("winner", "1"), ("loser", "2"), ("table", "1")]
    status, where, _ = post(server, path, [("token", "t"), *pairs])
    assert status == 303
    key = where.rsplit("/", 1)[1]
    record = server.json("GET", f"/api/tables/{key}/record")[1]
    assert [side["name"] for side in record["sides"]] == ["Anna & Bert", "Cilli & Dora"]
    assert server.write(key, {"do": "gewinnt", "side": 0, "stake": 3}, "1")[0] == 201
    state = server.json("GET", f"/api/tables/{key}")[1]["state"]
    # To 5, gespannt at 3.
    assert (record["resolved"]["values"]["target"], state["near"]) == (5, [True, False])
    assert post(server, path, [("token", "u"), ("winner", "9"), ("loser", "x"), pairs[2]])[0] == 422


def test_figures_as_spreadsheets(server, played):
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
    for name, columns in (("standings", 8), ("results", 18)):
        text = server.request("GET", f"/p/{played}/{name}.csv", Accept_Language="en")[2]
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
        assert {len(row) for row in rows} == {columns}
        assert len(rows) > 2


def test_a_renewed_link_closes_the_old_one_and_the_rest_goes_on(server, played):
    key, _ = hall(server, played)
    scorer, _ = seats(server, played)
    for role in ("hall", "director"):
        status, where, _ = post(server, f"/p/{played}/renew", [("role", role)])
        assert status == 303
    new = where.split("/")[2]
    assert new != played
    links = server.request("GET", f"/p/{new}/links")[2]
    # Each says what it closes before it can be tapped, and the page says that it was.
    assert links.count('<details class="renew">') == links.count('name="role"') == 3
    assert 'role="status"' in page(server, where)
    assert 'role="status"' not in links
    assert server.request("GET", f"/p/{played}")[0] == 404
    assert server.request("GET", f"/p/{key}/standings")[0] == 404
    assert seats(server, new)[0] == scorer
    fresh, _ = hall(server, new)
    assert re.search(r'href="/b/\w+"', page(server, f"/p/{fresh}/find?name=anna"))


def test_the_phone_that_renews_the_directors_link_goes_on_with_the_new_one(server, played):
    phone = Phone(server)
    phone.open(f"/p/{played}")
    where = post(server, f"/p/{played}/renew", [("role", "director")])[1]
    phone.open(where)
    new = where.split("/")[2]
    start = phone.open("/")
    assert f"/p/{new}" in start
    assert played not in start


def test_the_desk_hears_of_results(server, played):
    watch = server.watch(f"/p/{played}/stream", Accept_Language="de")
    key, _ = hall(server, played)
    everybody = server.watch(f"/p/{key}/standings/stream", Accept_Language="de")
    try:
        assert 'is-open" id="table-1"' in watch.next()["data"]
        assert "15:0" not in everybody.next()["data"]
        post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
        assert 'is-done" id="table-1"' in watch.next()["data"]
        assert "15:0" in everybody.next()["data"]
    finally:
        watch.close()
        everybody.close()


def test_a_table_hears_of_no_other_while_its_result_is_missing(server, played):
    scorer, opponent = seats(server, played)
    watch = server.watch(f"/e/{scorer}/stream")
    try:
        open_still = watch.next()["data"]
        assert open_still.startswith("0 ")
        # What another table enters would take what somebody types here out of the boxes.
        other = seats(server, played, 2)[0]
        post(server, f"/e/{other}", boxes([*WON, [15, 0]], token="two"))
        post(server, f"/e/{opponent}", boxes([*WON, [15, 0]], token="one"))
        assert watch.next()["data"].startswith("1 ")
    finally:
        watch.close()


def test_a_table_that_is_done_hears_of_the_others_and_of_the_next_draw(server, played):
    scorer, _ = seats(server, played)
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]], token="one"))
    watch = server.watch(f"/e/{scorer}/stream")
    try:
        heard = [watch.next()["data"]]
        post(server, f"/p/{played}/match/1/2", boxes([*WON, [15, 0]], token="two"))
        heard.append(watch.next()["data"])
        post(server, f"/p/{played}/draw", [("token", "d2")])
        heard.append(watch.next()["data"])
    finally:
        watch.close()
    assert len(set(heard)) == 3


def test_who_holds_a_slip_sees_the_standings_and_finds_back(server, played):
    scorer, opponent = seats(server, played)
    for key in (scorer, opponent):
        assert f'href="/e/{key}/standings"' in page(server, f"/e/{key}")
        text = page(server, f"/e/{key}/standings")
        assert 'class="ranking"' in text
        assert f'href="/e/{key}"' in text
        assert "/p/" not in text
    watch = server.watch(f"/e/{opponent}/standings/stream", Accept_Language="de")
    try:
        assert "15:0" not in watch.next()["data"]
        post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
        assert "15:0" in watch.next()["data"]
    finally:
        watch.close()


def test_what_a_pair_entered_is_told_clearly_and_changed_where_it_is_folded(server, played):
    scorer, opponent = seats(server, played)
    assert "<details" not in page(server, f"/e/{scorer}")
    post(server, f"/e/{scorer}", boxes([*WON, [15, 0]]))
    told = page(server, f"/e/{scorer}").partition('<p class="notice" role="status">')[2]
    assert told.startswith("Ihr habt 15:8  12:15  15:3  15:0 eingetragen.")
    folded = told.partition("<details>")[2].partition("</details>")[0]
    assert "Ergebnis eintragen" in folded
    assert "primary" not in folded
    # Where both differ it has to be entered again, by whoever was wrong.
    post(server, f"/e/{opponent}", boxes([*WON, [15, 2]], token="other"))
    assert "<details" not in page(server, f"/e/{scorer}")


def test_no_key_of_another_kind_opens_a_tournament(server, played):
    keys = server.table()
    for path in (f"/p/{keys['scorer']}", f"/e/{keys['scorer']}", f"/g/{played}", f"/t/{played}"):
        assert server.request("GET", path)[0] == 404


def test_a_result_from_paper_takes_ten_keys(server, played):
    text = page(server, f"/p/{played}")
    assert re.search(r'name="table"[^>]*value="1"', text)
    status, where, _ = post(server, f"/p/{played}/quick", [("token", "q"), ("table", "1")])
    assert status == 303
    assert re.search(r'name="points"[^>]*autofocus', page(server, where))
    points = "8-1238"
    form = [("token", "q1"), ("table", "1"), ("round", "1"), ("points", points)]
    status, where, _ = post(server, f"/p/{played}/quick", form)
    assert status == 303
    # The table's number, two Enters and the points, here of four games.
    assert len("1") + 2 + len(points) <= 10
    text = page(server, where)
    assert "15:8  12:15  15:3  15:8" in text
    assert re.search(r'name="table"[^>]*value="2"', text)
    other = [*form[1:3], ("token", "q2"), ("points", "8-1237")]
    status, _, text = post(server, f"/p/{played}/quick", other)
    assert status == 422
    assert "schreib dazu, warum" in text


@pytest.mark.parametrize(
    ("typed", "told"), [("8 9", "4 Spiele"), ("8x 9 2 2", "nicht zu verstehen"), ("8 1 2 3", "")]
)
def test_what_is_mistyped_is_told_and_stays_in_the_line(server, played, typed, told):
    form = [("token", "q"), ("table", "1"), ("points", typed)]
    status, _, text = post(server, f"/p/{played}/quick", form)
    assert status == 422
    assert told in text
    assert f'value="{typed}"' in text


@pytest.mark.parametrize(
    ("points", "read"),
    [("", ""), ("8-", "15:8"), ("8*2 3r", "15:8  12:15  15:3 R"), ("<b>", ""), ("8<b>", "15:8")],
)
def test_points_are_read_while_they_are_typed(server, played, points, read):
    asked = urlencode({"points": points})
    assert page(server, f"/p/{played}/typed?{asked}") == read


def test_a_pair_is_found_by_its_name_in_the_line(server, played):
    text = page(server, f"/p/{played}?table=cilli")
    assert 'name="points"' in text
    assert "Nichts" not in text
    assert "gibt es nichts" in page(server, f"/p/{played}?table=Zenzi")


def test_the_desk_shows_the_tables_of_one_status_and_goes_on_so(server, played):
    assert "show-open" in page(server, f"/p/{played}?show=open")
    assert "show-" not in page(server, f"/p/{played}?show=x").partition('id="live"')[2][:60]
    form = [("token", "q"), ("table", "1"), ("points", "8 3 2 0"), ("show", "open")]
    assert post(server, f"/p/{played}/quick", form)[1].endswith("done=1&show=open")


def test_a_pair_is_found_among_many_and_marked(server, played):
    text = page(server, f"/p/{played}/pairs?find=3")
    assert re.findall(r'id="pair-(\d+)"', text) == ["3"]
    mark = [("token", "m"), ("do", "vermerk"), ("mark", "here"), ("find", "emil")]
    where = post(server, f"/p/{played}/pairs/3", mark)[1].partition("#")[0]
    assert re.findall(r'id="pair-(\d+)"', page(server, where)) == ["3"]
    assert "Niemand mit diesem Namen" in page(server, f"/p/{played}/pairs?find=Zenzi")


def test_two_directors_do_not_write_over_each_other(server, played):
    desk = f"/p/{played}/match/1/1"
    form = [*boxes([*WON, [15, 0]], token="first"), ("seen", "0")]
    assert post(server, desk, form)[0] == 303
    status, _, text = post(server, desk, [*boxes([*WON, [15, 2]], token="b"), ("seen", "0")])
    assert status == 422
    assert "inzwischen geändert" in text
    for token in ("one", "two"):
        form = [("token", token), ("anyway", "1"), ("round", "2")]
        status, _, text = post(server, f"/p/{played}/draw", form)
    assert status == 422
    assert "inzwischen ausgelost" in text


def test_a_result_can_be_taken_out_and_nobody_can_have_been_there(server, played):
    desk = f"/p/{played}/match/1/1"
    assert post(server, desk, [("token", "w"), ("do", "walkover"), ("walkover", "none")])[0] == 303
    assert "niemand da" in page(server, f"/p/{played}")
    assert post(server, desk, [("token", "e"), ("do", "leerung")])[0] == 422
    out = [("token", "f"), ("do", "leerung"), ("reason", "verlesen")]
    assert post(server, desk, out)[0] == 303
    assert 'is-open" id="table-1"' in page(server, f"/p/{played}")


def test_a_late_correction_asks_about_the_finals(server):
    pairs = [{"name": f"P{n}"} for n in range(1, 5)]
    body = {"name": "F", "rules": "bayern", "rounds": 1, "games_per_round": 1, "pairs": pairs}
    keys = server.json("POST", "/api/tournaments", {**body, "finals": {"best": 2}})[1]
    director = keys["director"]
    server.json("POST", f"/api/tournaments/{director}/draw", {})
    for table in (1, 2):
        said = {"round": 1, "table": table, "games": [[15, 8]]}
        assert server.json("POST", f"/api/tournaments/{director}/results", said)[0] == 201
    server.json("POST", f"/api/tournaments/{director}/draw", {})
    turned = {"round": 1, "table": 1, "games": [[8, 15]]}
    status, answer = server.json("POST", f"/api/tournaments/{director}/results", turned)
    assert (status, answer["error"]["code"]) == (409, "qualifies-otherwise")
    form = boxes([[8, 15]], token="late", reason="verlesen")
    desk = f"/p/{director}/match/1/1"
    status, _, text = post(server, desk, form)
    assert status == 422
    assert "wären andere ins Finale gekommen" in text

    def draws():
        return server.json("GET", f"/api/tournaments/{director}")[1]["draws"]

    # Sent again, each answer counts once.
    steps = (([8, 15], "finals", "stay", 2), ([15, 8], "back", "2.0", 1))
    for games, field, answer, stages in steps:
        form = [*boxes([games], token=answer, reason="verlesen"), (field, answer)]
        for _ in range(2):
            assert post(server, desk, form)[0] == 303
            assert (draws()[0]["tables"][0]["games"], len(draws())) == ([games], stages)


def test_pairs_and_tables_change_places_before_they_play(server, played):
    before = server.json("GET", f"/api/tournaments/{played}")[1]["draws"][0]["tables"]
    first, second = before[0]["pairs"][0], before[1]["pairs"][0]
    key, _ = seats(server, played)
    form = [("token", "s"), ("round", "1"), ("first", first), ("second", second)]
    assert post(server, f"/p/{played}/swap", [*form, ("what", "pairs")])[0] == 303
    after = server.json("GET", f"/api/tournaments/{played}")[1]["draws"][0]["tables"]
    assert [t["pairs"][0] for t in after] == [second, first]
    status, _, text = server.request("GET", f"/e/{key}", Accept_Language="de")
    assert (status, "zurückgenommen" in text) == (404, False)
    fresh = page(server, f"/e/{seats(server, played)[0]}")
    assert "Ergebnis eintragen" in fresh
    form = [("token", "t"), ("round", "1"), ("first", "1"), ("second", "2"), ("what", "tables")]
    assert post(server, f"/p/{played}/swap", form)[0] == 303
    turned = server.json("GET", f"/api/tournaments/{played}")[1]["draws"][0]["tables"]
    assert {t["table"]: t["pairs"] for t in turned}[1] == after[1]["pairs"]


def test_a_page_of_an_undone_draw_says_so(server, played):
    scorer, _ = seats(server, played)
    assert post(server, f"/p/{played}/take-back", [("token", "b"), ("round", "1")])[0] == 303
    status, _, text = server.request("GET", f"/e/{scorer}", Accept_Language="de")
    assert status == 404
    assert "zurückgenommen" in text


def test_a_pair_never_sees_the_other_pairs_link(server, played):
    scorer, opponent = seats(server, played)
    assert opponent not in page(server, f"/e/{scorer}")
    assert scorer not in page(server, f"/e/{opponent}")


def test_settings_change_while_it_runs_and_the_past_stays(server, played):
    path = f"/p/{played}/settings"
    form = [("token", "s"), ("name", "Anders"), ("rounds", "3"), ("games_per_round", "4+3+2")]
    assert post(server, path, form)[0] == 303
    found = server.json("GET", f"/api/tournaments/{played}")[1]
    assert (found["name"], found["rounds"]) == ("Anders", 3)
    assert found["games_per_round"] == [4, 3, 2]
    assert post(server, path, [("token", "r"), ("rounds", "0")])[0] == 422
    form = [("token", "p"), ("ranking", "points"), ("do", "preview")]
    assert "So wäre die Rangliste" in post(server, path, form)[2]
    assert server.json("GET", f"/api/tournaments/{played}")[1]["ranking"] == ["won", "points"]


def test_drawn_are_those_who_are_there(server, director):
    lines = "A;B\nC;D\nE;F"
    form = [("token", "t"), ("list", lines), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    for number in (1, 2):
        mark = [("token", f"m{number}"), ("do", "vermerk"), ("mark", "here")]
        assert post(server, f"/p/{director}/pairs/{number}", mark)[0] == 303
    assert "nicht als anwesend vermerkt: E & F" in page(server, f"/p/{director}")
    assert post(server, f"/p/{director}/draw", [("token", "d"), ("who", "here")])[0] == 303
    found = server.json("GET", f"/api/tournaments/{director}")[1]
    assert [sorted(t["pairs"]) for t in found["draws"][0]["tables"]] == [[1, 2]]
    assert [line["rank"] for line in found["standings"]] == [1, 2, None]


def test_a_list_is_shown_as_it_was_read_before_it_is_taken(server, director):
    lines = "Nr;Spieler 1;Spieler 2;Telefon\n7;Anna;Bert;123\n8;Bert;Cilli;456"
    status, _, text = post(server, f"/p/{director}/pairs/list", [("token", "t"), ("list", lines)])
    assert status == 200
    assert "Weggelassen: Telefon" in text
    assert "derselbe Spieler? Anna & Bert – Bert & Cilli" in text
    assert "0 Paare" in page(server, f"/p/{director}/pairs")


def test_a_phone_signs_up_a_few_times(server, director):
    _, signup = hall(server, director)
    cookie = "phone=abcd1234"
    for n in range(5):
        form = [("token", str(n)), ("player", f"A{n}"), ("player", f"B{n}")]
        status, _, text = post(server, f"/p/{signup}/signup", form, Cookie=cookie)
    assert status == 422
    assert "Von diesem Handy" in text


def test_the_seed_is_told_only_after_the_draw(server, played):
    key, _ = hall(server, played)
    found = server.json("GET", f"/api/tournaments/{key}")[1]
    assert "seed" not in found
    # Whoever checks the draw finds both where they are in nobody's way.
    standings = page(server, f"/p/{key}/standings")
    before, folded = standings.partition('<details class="seeds">')[::2]
    for figure in (found["seed_digest"], found["draws"][0]["seed"]):
        assert figure in folded
        assert figure not in before
        assert figure in page(server, f"/p/{played}/paper")
        assert figure not in page(server, f"/p/{played}")


def test_the_directors_ways_say_where_one_is(server, played):
    for path in ("", "/pairs", "/standings", "/deciders", "/prizes", "/paper", "/settings"):
        text = page(server, f"/p/{played}{path}")
        assert re.findall(r'href="([^"]*)" aria-current="page"', text) == [f"/p/{played}{path}"]
    # What was refused stands on the page it was sent from.
    text = post(server, f"/p/{played}/settings", [("token", "r"), ("rounds", "0")])[2]
    assert f'href="/p/{played}/settings" aria-current="page"' in text


def test_the_list_of_pairs_leads_on_to_the_first_draw(server, director):
    on = f'href="/p/{director}#next"'
    assert on not in page(server, f"/p/{director}/pairs")
    assert "Trag die Paare ein" in page(server, f"/p/{director}")
    form = [("token", "t"), ("list", "A;B\nC;D"), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    assert on in page(server, f"/p/{director}/pairs")
    assert "Trag die Paare ein" not in page(server, f"/p/{director}")
    assert post(server, f"/p/{director}/draw", [("token", "d")])[0] == 303
    assert on not in page(server, f"/p/{director}/pairs")


def test_a_new_tournament_begins_with_the_region_the_start_page_begins_with(server):
    phone = Phone(server)

    def picked():
        start = re.search(r'name="rules" value="(\w+)"[^>]* checked', phone.open("/"))
        new = re.search(r'<option value="(\w+)" selected', phone.open("/p/new"))
        return start[1], new[1]

    assert picked() == ("oberoesterreich", "oberoesterreich")
    phone.open(f"/t/{server.table('suedtirol')['scorer']}")
    assert picked() == ("suedtirol", "suedtirol")


def test_how_points_are_typed_stands_folded_as_examples(server):
    for rules, target, examples in (("bayern", 15, 3), ("oberoesterreich", 11, 2)):
        body = {"name": "T", "rules": rules, "set": {"target": target}, "games_per_round": 2}
        pairs = [{"name": "A"}, {"name": "B"}]
        keys = server.json("POST", "/api/tournaments", {**body, "pairs": pairs})[1]
        server.json("POST", f"/api/tournaments/{keys['director']}/draw", {})
        text = page(server, f"/p/{keys['director']}?table=1")
        folded = text.partition('<details class="examples">')[2].partition("</details>")[0]
        assert folded.count("<kbd>") == examples
        assert f"<kbd>8 3</kbd> → {target}:8 {target}:3 " in folded
        assert ("12:15" in folded) == (target == 15)


def test_a_tournament_goes_to_another_laptop_in_one_file(server, played, tmp_path):
    from tests.serving import serving

    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
    status, _, text = server.request("GET", f"/p/{played}/export.json")
    assert status == 200
    file, db = tmp_path / "t.json", tmp_path / "other.db"
    file.write_text(text)
    assert CliRunner().invoke(main, ["import", "--db", str(db), str(file)]).exit_code == 0
    with serving(db) as other:
        path = f"/api/tournaments/{played}"
        assert other.json("GET", path) == server.json("GET", path)
        assert seats(other, played, 2) == seats(server, played, 2)


def test_the_same_result_again_is_a_plain_yes_and_another_stands_beside_it(server, played):
    quick = f"/p/{played}/quick"
    line = [("round", "1"), ("table", "1")]
    games = [(15, 8), (12, 15), (15, 3), (15, 0)]
    assert post(server, quick, [("token", "1"), *line, ("points", "8 -12 3 0")])[0] == 303
    before = server.json("GET", f"/api/tournaments/{played}")[1]
    # Typed again, and once more in the boxes that a phone shows.
    for token, more in (("2", [("points", "8 -12 3 0")]), ("3", boxes(games)[1:])):
        fields = [("token", token), *line, ("boxes", "1"), *more]
        status, where, _ = post(server, quick, fields)
        assert status == 303
        assert "Tisch 1 steht schon so: 15:8  12:15  15:3  15:0" in page(server, where)
    match = f"/p/{played}/match/1/1"
    status, where, _ = post(server, match, boxes(games, "4", seen="0"))
    assert (status, "stands=1" in where) == (303, True)
    assert server.json("GET", f"/api/tournaments/{played}")[1] == before
    other = [("token", "5"), *line, ("points", "8 12 3 0")]
    status, _, text = post(server, quick, other)
    assert status == 422
    assert re.search(r"Es steht · <bdi>Turnierleitung · \d\d:\d\d</bdi>.*<b>15:8  12:15", text)
    assert "<b>15:8  15:12  15:3  15:0</b>" in text
    assert 'name="reason"' in text
    assert post(server, quick, [*other, ("reason", "verlesen")])[0] == 303
    assert "verlesen" in page(server, match)


def test_boxes_of_one_table_enter_nothing_for_another(server, played):
    fields = [("token", "1"), ("round", "1"), ("table", "2"), ("boxes", "1"), ("points", "")]
    status, where, _ = post(server, f"/p/{played}/quick", [*fields, *boxes([(15, 8)] * 4)[1:]])
    assert (status, "table=2" in where) == (303, True)
    assert "1 offen" not in page(server, f"/p/{played}")
    assert not re.search(r'is-done" id="table', page(server, f"/p/{played}"))


def test_who_swaps_chooses_by_name_and_is_told_why_not(server, played):
    text = page(server, f"/p/{played}")
    options = re.findall(r'<option value="(\d)">(\w+ & \w+), Tisch [12]</option>', text)
    assert options[0] == ("1", "Anna & Bert")
    assert len(options) == 4
    for first, second, why in (("1", "1", "mit sich selbst"), ("1", "9", "keine Nummer 9")):
        form = [("token", f"{first}{second}"), ("round", "1"), ("what", "pairs")]
        form += [("first", first), ("second", second)]
        status, _, text = post(server, f"/p/{played}/swap", form)
        assert status == 422
        assert why in text
