"""A tournament as files: for a spreadsheet, and for another laptop."""

import csv
import io

from click.testing import CliRunner

from scorer.cli import main
from tests.serving import serving
from tests.web.tournament.forms import WON, boxes, post, seats


def test_figures_as_spreadsheets(server, played):
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
    for name, columns in (("standings", 8), ("results", 18)):
        text = server.request("GET", f"/p/{played}/{name}.csv", Accept_Language="en")[2]
        rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
        assert {len(row) for row in rows} == {columns}
        assert len(rows) > 2


def test_a_tournament_goes_to_another_laptop_in_one_file(server, played, tmp_path):
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
