"""What formatters and linters cannot be asked for by their own commands."""

from pathlib import Path

import jsbeautifier
import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "static/js").glob("*.js"))
LONGEST = 160
# Only ever shorter: whoever mends one of these takes it out.
TO_DO = {
    "table/board/_board.html",
    "table/board/history.html",
    "table/board/page.html",
    "table/board/sheet.html",
    "table/court/readings.html",
    "table/court/round.html",
    "table/slate/_line.html",
    "table/slate/_marks.html",
    "table/slate/_slate.html",
    "table/slate/_status.html",
    "table/start/_sides.html",
    "table/start/house.html",
    "table/start/join.html",
    "table/start/page.html",
    "table/writer/_button.html",
    "table/writer/_more.html",
    "table/writer/_table.html",
    "table/writer/page.html",
    "table/writer/seats.html",
}


def test_no_line_of_a_template_is_longer_than_a_reader_sees():
    pages = (ROOT / "templates").rglob("*.html")
    long = {
        str(page.relative_to(ROOT / "templates"))
        for page in pages
        if any(len(line) > LONGEST for line in page.read_text().splitlines())
    }
    assert long - TO_DO == set()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_as_its_formatter_writes_it(script):
    options = jsbeautifier.default_options()
    options.indent_size = 2
    options.brace_style = "collapse,preserve-inline"
    options.space_after_anon_function = True
    text = script.read_text()
    assert jsbeautifier.beautify(text, options) + "\n" == text
