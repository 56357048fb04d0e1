"""A tournament as files: for a spreadsheet, and for another laptop."""

import csv
import io

from click.testing import CliRunner

from scorer.cli import main
from scorer.web import create_app
from tests.serving import Local
from tests.web.tournament.forms import WON, boxes, post, seats
from tests.web.tournament.hall import Hall


def test_figures_as_spreadsheets(server, played):
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
    for name, columns in (("standings", 10), ("results", 18)):
        text = server.request("GET", f"/p/{played}/{name}.csv", Accept_Language="en")[2]
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
        assert {len(row) for row in rows} == {columns}
        assert len(rows) > 2


def test_papers_have_whole_names(server):
    players = ["Maria-Magdalena Oberschmidleitner", "Maximilian Freiherr von Schönborn"]
    pairs = [{"players": players}, {"name": "Die Wilden", "players": ["Anna", "Bert"]}]
    hall = Hall(server, pairs=pairs, rounds=1)
    assert hall.whole()["pairs"][0]["name"] == "Maria-Magdalena O. & Maximilian F. v. S."
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    prizes = [("token", "p"), ("lines", "600 €\n400 €"), ("consolation", "")]
    assert hall.posted(f"/p/{hall.key}/prizes", prizes)[0] == 303
    whole = " & ".join(players)
    for path, times in (("print/standings", 1), ("print/prizes", 1), ("print/certificates", 1)):
        assert hall.page(f"/{path}").count(f">{whole}<") == times, path
    published = hall.page("/results.html")
    assert published.count(f">{whole}<") == 2
    assert ">Die Wilden<" in published
    table = csv.reader(io.StringIO(hall.page("/standings.csv")), delimiter=";")
    assert sorted(row[-2:] for row in table) == [
        ["Anna", "Bert"],
        players,
        ["Spieler 1", "Spieler 2"],
    ]


def test_export_to_another_laptop(server, played, tmp_path):
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
    status, _, text = server.request("GET", f"/p/{played}/export.json")
    assert status == 200
    file, db = tmp_path / "t.json", tmp_path / "other.db"
    file.write_text(text)
    assert CliRunner().invoke(main, ["import", "--db", str(db), str(file)]).exit_code == 0
    other = Local(create_app({"DATABASE": str(db)}))
    assert other.tournament(played) == server.tournament(played)
    assert seats(other, played, 2) == seats(server, played, 2)
