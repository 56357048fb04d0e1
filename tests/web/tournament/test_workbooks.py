"""Workbooks are read in a child process, so that no workbook stops the server."""

import json

import pytest

from scorer.book import child_process, spreadsheet_import
from scorer.engine import Unreadable
from scorer.platforms import PHONE, SERVER
from tests.web.tournament.forms import post, sheet, upload, workbook

TEXT = '<c r="{at}" t="inlineStr"><is><t>{text}</t></is></c>'
PAIR = [["Spieler 1", "Spieler 2", "Bemerkung"], ["Anna", "Bert"]]


def cell(at, text):
    row = at.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return f'<row r="{row}">{TEXT.format(at=at, text=text)}</row>'


TOO_LARGE = {
    "a cell at the far end": sheet(cell("A1", "Anna") + cell("XFD1048576", "x")),
    "a row too far down": sheet(cell(f"A{spreadsheet_import.MAX_ROWS + 1}", "x") + cell("A1", "x")),
    "a column too far out": workbook([["x"] * (spreadsheet_import.MAX_COLUMNS + 1)]),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_too_large_workbook_is_refused(server, director, name):
    status, _, text = upload(server, f"/p/{director}/pairs/list", TOO_LARGE[name], token=name)
    assert status == 422
    assert str(spreadsheet_import.MAX_ROWS) in text
    assert str(spreadsheet_import.MAX_COLUMNS) in text


def test_workbook_with_a_huge_cell_is_read(server, director):
    """An unknown column contains a cell of 40 MB."""
    data = workbook([PAIR[0], [*PAIR[1], "x" * 40_000_000]])
    assert len(data) < 64 * 1024
    status, _, text = upload(server, f"/p/{director}/pairs/list", data, take="")
    assert status == 200
    assert "Anna & Bert" in text.text


@pytest.mark.parametrize(
    ("task", "bounds"),
    [
        (b"memory", child_process.Bounds(megabytes=200, seconds=60)),
        (b"time", child_process.Bounds(megabytes=2000, seconds=1)),
        (b"error", child_process.Bounds(megabytes=2000, seconds=60)),
    ],
)
def test_failed_child_process_raises_an_error(task, bounds):
    with pytest.raises(child_process.ChildFailed):
        child_process.run("tests.book.memory_hog", task, bounds)
    assert child_process.run("tests.book.memory_hog", b"nothing", bounds) == b"done"


def test_phone_platform_reads_no_workbook():
    data = workbook(PAIR)
    assert SERVER.workbook_text(data).splitlines()[1] == "Anna;Bert;"
    with pytest.raises(Unreadable):
        PHONE.workbook_text(data)


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x03\x04" + b"x" * 1000, b"\xd0\xcf\x11\xe0"])
def test_broken_workbook_is_refused(data):
    assert json.loads(spreadsheet_import.answer(data)) == {"refused": "unreadable"}


def test_workbook_is_previewed_then_entered(server, director):
    form = server.page(f"/p/{director}/pairs").one(type="file").find_parent("form")
    assert (form["method"], form["enctype"]) == ("post", "multipart/form-data")
    data = workbook([["Nr", "Spieler 1", "Spieler 2", "Ort"], [1, "Jürgen Öller", "Bäda", "Ötz"]])
    status, _, preview = upload(server, form["action"], data, take="", name="paare.xlsx")
    assert status == 200
    assert "Jürgen Öller & Bäda" in preview.text
    taking = preview.one("input", name="take").find_parent("form")
    [text] = taking.one("textarea").children
    hidden = [(field["name"], field["value"]) for field in taking.all("input")]
    assert post(server, taking["action"], [*hidden, ("list", text)])[0] == 303
    assert "Jürgen Öller & Bäda" in server.page(f"/p/{director}/pairs").text
