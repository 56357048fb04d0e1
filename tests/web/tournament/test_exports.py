"""A tournament as CSV and JSON files."""

import csv
import io

import pytest
from click.testing import CliRunner

from scorer.cli import main
from scorer.web import create_app
from scorer.web.frame.language import COOKIE, LANGUAGES
from tests.serving import InProcessClient
from tests.web.tournament.forms import FOUR, boxes, pair_keys, post
from tests.web.tournament.hall import Hall


def test_standings_and_results_are_exported_as_csv(server, drawn):
    post(server, f"/p/{drawn}/match/1/1", boxes(FOUR))
    for name, columns in (("standings", 10), ("results", 18)):
        text = server.request("GET", f"/p/{drawn}/{name}.csv", Accept_Language="en")[2]
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
        assert {len(row) for row in rows} == {columns}
        assert len(rows) > 2


def test_printouts_show_full_names(server):
    players = ["Maria-Magdalena Oberschmidleitner", "Maximilian Freiherr von Schönborn"]
    pairs = [{"players": players}, {"name": "Die Wilden", "players": ["Anna", "Bert"]}]
    hall = Hall(server, pairs=pairs, rounds=1)
    assert hall.tournament()["pairs"][0]["name"] == "M. Oberschmidleitner & M. F. von Schönborn"
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    hall.send("/prizes", lines="600 €\n400 €", consolation="")
    full_name = " & ".join(players)
    for path in ("standings", "prizes", "certificates"):
        assert hall.page(f"/print/{path}").text.count(full_name) == 1, path
    published = hall.page("/results.html")
    assert published.text.count(full_name) == 2
    assert "Die Wilden" in published.text
    table = csv.reader(io.StringIO(hall.page("/standings.csv")), delimiter=";")
    heads = ["Spieler 1", "Spieler 2"]
    assert sorted(row[-2:] for row in table) == [["Anna", "Bert"], players, heads]


def test_exported_tournament_can_be_imported(server, drawn, tmp_path):
    post(server, f"/p/{drawn}/match/1/1", boxes(FOUR))
    status, _, text = server.request("GET", f"/p/{drawn}/export.json")
    assert status == 200
    file, db = tmp_path / "t.json", tmp_path / "other.db"
    file.write_text(text)
    assert CliRunner().invoke(main, ["import", "--db", str(db), str(file)]).exit_code == 0
    other = InProcessClient(create_app({"DATABASE": str(db)}))
    assert other.tournament(drawn) == server.tournament(drawn)
    assert pair_keys(other, drawn, 2) == pair_keys(server, drawn, 2)


def test_standings_file_remarks_points_of_the_director(server):
    hall = Hall(server, 4, rounds=1)
    hall.play()
    hall.send("/pairs/1", do="punkte", points="-10", reason="zu spät")
    rows = csv.DictReader(io.StringIO(hall.page("/standings.csv")), delimiter=";")
    remarks = {row["Nr."]: row["Anmerkung"] for row in rows}
    assert "−10" in remarks["1"] and "zu spät" in remarks["1"]
    assert not any("−10" in remark for number, remark in remarks.items() if number != "1")


LOT = {"de": "durch Los", "it": "per sorteggio", "fr": "par tirage au sort", "en": "by lot"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_certificates_mark_places_decided_by_lot(server, language):
    # Two tables end alike, so the lot decides the second and third, and the fourth and fifth place.
    hall = Hall(server, 6, rounds=1)
    hall.draw()
    assert hall.enter(1, 3, (15, 2))[0] == 201
    hall.finish()

    def printout(what):
        return server.page(f"/p/{hall.key}/print/{what}", Cookie=f"{COOKIE}={language}")

    rows = printout("standings").one(css="ranking").one("tbody").all("tr")
    level = [LOT[language] in row.one("th").text for row in rows]
    assert level == [False, True, True, True, True, False]
    placed = [place.text for place in printout("certificates?best=6").all(css="placed")]
    assert [LOT[language] in place for place in placed] == level


def test_results_file_has_byes_walkovers_and_finals(server):
    hall = Hall(server, 5, rounds=1, finals={"best": 2}, scoring={"bye_wins": True})
    tables = hall.draw()
    free = hall.tournament()["draws"][0]["byes"][0]
    assert hall.enter(1, 1, (15, 8))[0] == 201
    assert hall.enter(1, 2, walkover="b")[0] == 201
    hall.draw()
    rows = list(csv.DictReader(io.StringIO(hall.page("/results.csv")[1:]), delimiter=";"))
    assert [row["Runde"] for row in rows] == ["1", "1", "1", "Finale"]
    played, walkover, bye, _ = rows
    assert (played["Siege 1"], played["Siege 2"]) == ("1", "0")
    assert (walkover["Siege 1"], walkover["Siege 2"]) == ("0", "1")
    assert walkover["Nr. 2"] == str(tables[1]["pairs"][1])
    assert (bye["Nr. 1"], bye["Siege 1"], bye["Nr. 2"]) == (str(free), "1", "")
