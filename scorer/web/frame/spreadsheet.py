"""Figures as a file that spreadsheets open."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from flask import Response

from scorer.web.frame.language import chosen


def csv_file(name: str, rows: Iterable[Sequence[Any]]) -> Response:
    """The rows as a CSV file called `name`.

    Spreadsheets take the separator of their country; the mark at its start tells them it is UTF-8.
    """
    text = io.StringIO()
    text.write("\ufeff")
    writer = csv.writer(text, delimiter=";" if chosen() == "de" else ",", lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    response = Response(text.getvalue(), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _cell(value: Any) -> Any:
    """A name that looks like a formula must not become one."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return f"'{value}"
    return value
