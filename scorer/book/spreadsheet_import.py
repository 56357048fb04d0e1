"""Reads a spreadsheet as text in a child process.

A file of 2 KB can need unlimited memory, by one cell at the far end of a sheet.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Final

from scorer.book import child_process
from scorer.engine import Unreadable
from scorer.engine.translatable import N_

MAX_ROWS: Final = 10_000
MAX_COLUMNS: Final = 100
MAX_CELL_LENGTH: Final = 1000
"""Characters read of a cell; longer than any field of a pair."""
IMPORT_BOUNDS: Final = child_process.Bounds(megabytes=1024, seconds=10)

UNREADABLE: Final = N_("this workbook cannot be read: save it as CSV")
_TOO_LARGE: Final = N_(
    "this workbook is too large: at most {rows} rows and {columns} columns are read. Copy the list "
    "into a new one, or save it as CSV"
)


def workbook_text(data: bytes) -> str:
    """The first sheet of an .xlsx, .ods or .xls file as lines with semicolons between cells.

    :raises Unreadable: it cannot be read, or is too large
    """
    try:
        result = json.loads(child_process.run(__name__, data, IMPORT_BOUNDS))
    except child_process.ChildFailed:
        result = {"refused": "too-large"}
    match result:
        case {"text": str(text)}:
            return text
        case {"refused": "too-large"}:
            raise Unreadable("list", _TOO_LARGE, rows=MAX_ROWS, columns=MAX_COLUMNS)
        case _:
            raise Unreadable("list", UNREADABLE)


def no_workbook_text(data: bytes) -> str:
    """Refuse workbooks on phones, because the reader is compiled code.

    :raises Unreadable: always
    """
    raise Unreadable("list", UNREADABLE)


def answer(data: bytes) -> bytes:
    """`{"text": ...}` or `{"refused": ...}` as JSON."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0)
        if sheet.height > MAX_ROWS or sheet.width > MAX_COLUMNS:
            return b'{"refused": "too-large"}'
        rows = sheet.to_python()
    except (CalamineError, OSError, ValueError, IndexError):
        return b'{"refused": "unreadable"}'
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";")
    writer.writerows([_cell_text(cell) for cell in row] for row in rows)
    return json.dumps({"text": text.getvalue()}).encode()


def _cell_text(cell: object) -> str:
    """A cell as text on one line; whole numbers without ".0".

    >>> _cell_text(3.0), _cell_text(" a \\n b")
    ('3', 'a b')
    """
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return " ".join(str(cell).split())[:MAX_CELL_LENGTH]
