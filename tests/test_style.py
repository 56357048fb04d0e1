"""What formatters and linters cannot be asked for by their own commands."""

from pathlib import Path

import jsbeautifier
import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
LONGEST = 160


def test_no_line_of_a_template_is_longer_than_a_reader_sees():
    pages = (ROOT / "templates").rglob("*.html")
    long = {
        str(page.relative_to(ROOT / "templates"))
        for page in pages
        if any(len(line) > LONGEST for line in page.read_text().splitlines())
    }
    assert long == set()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_as_its_formatter_writes_it(script):
    options = jsbeautifier.default_options()
    options.indent_size = 2
    options.brace_style = "collapse,preserve-inline"
    options.space_after_anon_function = True
    text = script.read_text()
    assert jsbeautifier.beautify(text, options) + "\n" == text
