"""Tables as CSV files for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from flask import Response
from flask_babel import format_decimal

from scorer.web.frame.language import language

_FORMULA: Final = re.compile(r"((?:^|[;,|\t\r\n\"])\s*)([=+\-@\uff1d\uff0b\uff0d\uff20])")
"""A sign that starts a formula, at the start of a cell or after a possible separator."""


def csv_file(name: str, rows: Iterable[Sequence[Any]]) -> Response:
    """A response with the rows as `name`.csv, with a byte order mark and the separator that the
    spreadsheets of the reader's language expect."""
    text = io.StringIO()
    text.write("\ufeff")
    separator = "," if language() == "en" else ";"
    writer = csv.writer(text, "excel", delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerows([_cell(value) for value in row] for row in rows)
    response = Response(text.getvalue(), mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _cell(value: Any) -> Any:
    """A value for a CSV cell; text that a spreadsheet could take for a formula is quoted.

    >>> _cell("=1+1"), _cell("Anna;=1+1"), _cell("Müller-Huber"), _cell(-3)
    ("'=1+1", "Anna;'=1+1", 'Müller-Huber', -3)

    Some spreadsheets read the full-width signs as the others.

    >>> [_cell(f"{sign}1") for sign in "\uff1d\uff0b\uff0d\uff20"]
    ["'\uff1d1", "'\uff0b1", "'\uff0d1", "'\uff201"]
    """
    if isinstance(value, float):
        return format_decimal(value, "0.###")
    return _FORMULA.sub(r"\1'\2", value) if isinstance(value, str) else value
