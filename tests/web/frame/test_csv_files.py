"""Spreadsheets read names in CSV files as text, never as formulas."""

import csv
import io
import re

from tests.builders import WON


def test_csv_cells_are_never_formulas(server):
    sides = [{"name": "=1+1", "players": ["A;=2+2", "B,@x"]}, {"name": 'C"=3'}]
    path = f"/b/{server.table(sides=sides, played=[WON])['viewer']}/evening.csv"
    for language in ("de", "en"):
        text = server.request("GET", path, Accept_Language=language)[2].lstrip("\ufeff")
        assert all(line[0] + line[-1] == '""' for line in text.splitlines())
        for separator in ";,\t|":
            for row in csv.reader(io.StringIO(text), delimiter=separator):
                assert not [cell for cell in row if re.match(r'[\s"]*[=@]', cell)]
