"""The examples of the documentation run, and it mentions everything that it must."""

import json
import re
from pathlib import Path

import pytest

from scorer import __version__, create_app
from scorer.book import ledger_state
from scorer.cli import main
from scorer.engine import judge, replay
from scorer.engine.scoring.events import EVENTS
from scorer.engine.telling.equity_questions import equity
from scorer.tournament import events as tournament_events

ROOT = Path(__file__).parent.parent
RECORD = (ROOT / "docs/record.md").read_text()
ANYTHING = "…"


def _blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", RECORD, re.MULTILINE | re.DOTALL)


# The HTTP API


def _request(text):
    """Method, path, headers and body of an example."""
    first, *rest = text.strip().split("\n")
    method, path = first.split(" ")
    headers = {}
    while rest and (header := re.fullmatch(r"([A-Z][\w-]+): (.+)", rest[0])):
        headers[header[1]] = header[2]
        rest.pop(0)
    return method, path, headers, "\n".join(rest) or None


def _compare(documented, found, known):
    """Compare a response with the documented one. A word in capitals is a placeholder for a value.

    :param known: the values of placeholders, which this function adds to
    """
    if isinstance(documented, str) and re.fullmatch(r"[A-Z]{3,}", documented):
        assert known.setdefault(documented, found) == found
    elif isinstance(documented, dict) and isinstance(found, dict):
        named = set(documented) - {ANYTHING}
        assert named == set(found) if ANYTHING not in documented else named <= set(found)
        for name in named:
            _compare(documented[name], found[name], known)
    elif isinstance(documented, list) and isinstance(found, list):
        assert len(documented) == len(found)
        for one, other in zip(documented, found, strict=True):
            _compare(one, other, known)
    elif documented != ANYTHING:
        assert documented == found


def test_api_examples_get_their_documented_answers(server):
    known = {}
    examples = _blocks("http")
    for example in examples:
        request, answer = example.split("\n\n", 1)
        method, path, headers, body = _request(request)
        for word, key in known.items():
            path = path.replace(f"/{word}", f"/{key}")
        sent = body and body.encode()
        status, response_headers, text = server.request(method, path, sent, **headers)
        expected, documented = answer.split("\n", 1)
        assert status == int(expected), (request, text)
        assert response_headers["content-type"] == "application/json"
        _compare(json.loads(documented), json.loads(text), known)
    assert len(examples) > 10


def _routes(tmp_path):
    """Each method and path of the API, with placeholders as in the documentation."""
    for rule in create_app({"DATABASE": str(tmp_path / "x.db")}).url_map.iter_rules():
        if rule.rule.startswith("/api/"):
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                path = re.sub(r"<(?:[^:>]+:)?([^>]+)>", lambda m: m[1].upper(), rule.rule)
                yield f"{method} {path}"


def test_documented_routes_match_the_api(tmp_path):
    routes = set(_routes(tmp_path))
    named = set(re.findall(r"^\| `((?:GET|POST|PUT|DELETE) [^` ]+)`", RECORD, re.MULTILINE))
    assert named == routes


def test_every_route_but_streams_has_an_example(tmp_path):
    examples = [_request(block)[:2] for block in _blocks("http")]
    tried = {f"{method} {re.sub('/[A-Z]{3,}', '/KEY', path)}" for method, path in examples}
    assert {route for route in _routes(tmp_path) if not route.endswith("/stream")} <= tried


# Records, questions and events


def test_the_example_record_is_legal():
    [record] = [json.loads(block) for block in _blocks("json") if '"events"' in block]
    evening, refusal = replay(record)
    assert refusal is None
    assert evening.state.points == (10, 4)


def test_the_example_questions_are_answered():
    [block] = [block for block in _blocks("json") if '"ask"' in block]
    questions = [json.loads(line) for line in block.splitlines()]
    assert [next(iter(judge(question))) for question in questions]
    assert {question["ask"] for question in questions} == {"winner", "legal", "last_bid"}


def test_equity_examples_are_answered():
    [block] = [one for one in _blocks("json") if '"points"' in one and '"events"' not in one]
    answers = [equity(json.loads(line)) for line in block.splitlines()]
    assert [answer["bummerl"] is None for answer in answers] == [True, False]


def test_every_event_is_documented():
    assert {do for do in EVENTS if f"`{do}`" not in RECORD} == set()


def test_guides_name_existing_files():
    guides = (ROOT / "CONTRIBUTING.md").read_text()
    paths = re.findall(r"`((?:scorer|docs|tests|templates)/[^`]+)`", guides)
    assert len(paths) > 40
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_glossary_lists_each_event_once():
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    events = [event.strip("`") for row in rows for event in row.split(", ")]
    assert len(events) == len(set(events))
    assert {*EVENTS, *tournament_events.EVENTS, *ledger_state.EVENT_CLASSES.by_name} <= {*events}


# The architecture, and claims about tests, commands and settings


def test_architecture_names_every_package():
    text = (ROOT / "docs/architecture.md").read_text()
    packages = {path.parent.name for path in (ROOT / "scorer").rglob("__init__.py")}
    assert {package for package in packages if f"{package}/" not in text} == set()


PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = ("bench", "docs", "scorer", "static", "templates", "tests", "tools")
GENERATED = {"sw.js"}
WORDS_OF_OTHERS = {"cqi", "pg_dump", "search_path", "synchronous_standby_names"}
"""Of CSS and PostgreSQL."""


@pytest.fixture(scope="module")
def files():
    """The path of every file of the project, with a leading slash."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    return [f"/{path.relative_to(ROOT)}" for path in (*found, *ROOT.glob("*.*"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_only_identifiers_of_their_files(page, files):
    """Where a page says `name` in `file` or `name` of `file`, the file has that name."""
    for name, named in re.findall(r"`(\w+)`\s+(?:in|of)\s+`([\w./-]+\.\w+)`", page.read_text()):
        found = [ROOT / file[1:] for file in files if file.endswith(f"/{named}")]
        assert any(re.search(rf"\b{name}\b", file.read_text()) for file in found), (name, named)


@pytest.fixture(scope="module")
def words():
    """Every word of the project's code."""
    kinds = (".py", ".js", ".mjs", ".html", ".css", ".toml", ".json", ".sh", ".service", ".conf")
    paths = [path for folder in (*FOLDERS, "deploy") for path in (ROOT / folder).rglob("*.*")]
    sources = [path for path in paths if path.suffix in kinds and path.parent.name != "vendor"]
    texts = [path.read_text() for path in (*sources, ROOT / "Makefile", ROOT / "pyproject.toml")]
    return {word for text in texts for word in re.findall(r"\w+", text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_only_words_of_the_code(page, words):
    """A name in code style, such as `is_statement = True` or `apply(state)`, is in the code."""
    named = re.findall(r"(?<!`)`([a-zA-Z_]\w+)(?:\(\w*\)| = \w+)?`", page.read_text())
    assert {name for name in named if name.islower()} - WORDS_OF_OTHERS <= words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_only_existing_files(page, files):
    """A name in capitals, such as REGION.toml, is for the reader to replace."""
    named = re.findall(r"`([\w./-]+\.(?:py|js|mjs|html|toml|css|sh|svg|txt))`", page.read_text())
    chosen = [name for name in named if not Path(name).stem.isupper()]
    missing = {name for name in chosen if not any(file.endswith(f"/{name}") for file in files)}
    assert missing <= GENERATED


def test_task_table_covers_every_package():
    text = (ROOT / "docs/architecture.md").read_text()
    table = text.partition("| I want to change | look in |\n")[2].partition("\n\n")[0]
    named = re.findall(r"^\| [^|]+ \| `([^`]+)` \|$", table, re.MULTILINE)
    assert len(named) >= 30
    assert [path for path in named if not (ROOT / path).is_file()] == []
    packages = {path.parent for path in (ROOT / "scorer").rglob("__init__.py")}
    reached = {parent for path in named for parent in (ROOT / path).parents}
    assert {str(package.relative_to(ROOT)) for package in packages - reached} == set()


def test_contributing_names_only_existing_paths():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = re.findall(r"`((?:scorer|templates|tests|static|docs|tools)/[\w/.-]*)`", text)
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_trust_claims_name_existing_tests():
    text = (ROOT / "docs/trust.md").read_text()
    tests = [path for line in re.findall(r"`T ([^`]+)`", text) for path in line.split()]
    assert len(tests) > 30
    assert [path for path in tests if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", ["docs/operate.md", "docs/trust.md", "docs/postgres.md"])
def test_documented_commands_and_settings_exist(page):
    text = (ROOT / page).read_text()
    assert set(re.findall(r"(?:^    |`)bummerl ([a-z]+)", text, re.MULTILINE)) <= set(main.commands)
    settings = set(re.findall(r"`(BUMMERL_[A-Z_]+|PUBLIC_URL|DATABASE_URL)", text))
    assert settings <= documented_settings()


def documented_settings():
    text = (ROOT / "docs/operate.md").read_text()
    return set(re.findall(r"^\| `([A-Z_]+)` \| .+ \| .+ \|$", text, re.MULTILINE))


def test_every_setting_is_documented():
    """The documentation lists exactly the settings that the program reads, in one module."""
    text = (ROOT / "scorer/config.py").read_text()
    read = re.findall(r'environ\.get\(\s*"(BUMMERL_\w+|PUBLIC_URL|DATABASE_URL)"', text)
    assert set(read) == documented_settings()
    reading = re.compile(r'environ\.get\(\s*"(BUMMERL_|PUBLIC_URL|DATABASE_URL)')
    sources = (ROOT / "scorer").rglob("*.py")
    assert {path.name for path in sources if reading.search(path.read_text())} == {"config.py"}


def test_the_changelog_begins_with_this_version():
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == __version__
    assert len(versions) == len(set(versions))
