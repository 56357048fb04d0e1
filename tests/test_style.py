"""Style rules that no formatter or linter checks."""

import ast
import re
from pathlib import Path

import cssbeautifier
import jsbeautifier
import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "static/js").rglob("*.js"))
STYLESHEETS = sorted((ROOT / "static/css").rglob("*.css"))
MAX_TEMPLATE_LINE, MAX_SCRIPT_LINE = 160, 120
WORDS = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]{2,}){2}")
"""Three words in a row are a sentence, or a part of one."""


def test_template_lines_are_short():
    pages = (ROOT / "templates").rglob("*.*")
    for page in pages:
        assert max(map(len, page.read_text().splitlines()), default=0) <= MAX_TEMPLATE_LINE, page


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_formatted(script):
    options = jsbeautifier.default_options()
    options.indent_size = 2
    options.brace_style = "collapse,preserve-inline"
    options.space_after_anon_function = True
    text = script.read_text()
    assert jsbeautifier.beautify(text, options) + "\n" == text
    assert max(map(len, text.splitlines())) <= MAX_SCRIPT_LINE


@pytest.mark.parametrize("stylesheet", STYLESHEETS, ids=lambda path: path.name)
def test_stylesheets_are_formatted(stylesheet):
    options = cssbeautifier.default_options()
    options.indent_size = 2
    options.space_around_combinator = True
    text = stylesheet.read_text()
    assert cssbeautifier.beautify(text, options) + "\n" == text


def test_page_tests_compare_no_sentences():
    """New wording of a page must break no test. tests/pages.py finds elements by role, name and
    data attribute."""
    tests = (ROOT / "tests/web").rglob("*.py")
    assert {str(test.relative_to(ROOT / "tests/web")) for test in tests if sentences(test)} == set()


def sentences(test):
    """The sentences in the assertions of a test file. Quoted markup does not count."""
    compared = [
        part.value
        for claim in ast.walk(ast.parse(test.read_text()))
        if isinstance(claim, ast.Assert)
        for part in ast.walk(claim.test)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    return [text for text in compared if WORDS.search(text) and not re.search('["=/]', text)]
