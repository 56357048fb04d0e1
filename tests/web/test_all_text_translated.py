"""All text is translated: in a language that marks every sentence, pages show nothing unmarked.

The language replaces German. German text of the rulebook (the region's words, the names of cards,
the rules) is known; text that is neither marked nor known is not translated.
"""

import json
import re
import tomllib
from pathlib import Path
from time import tzname

import pytest
from babel.dates import get_month_names

from scorer import create_app
from scorer.engine.rules.loading import RULEBOOK
from scorer.web.frame.dialects import FOLDER
from scorer.web.frame.language import LANGUAGES
from tests.browser.positions import EVENINGS, PAGES, SIDES, preiswatten, regulars, table
from tests.marked_language import WORD, unmarked, write_marked_catalog
from tests.pages import parse
from tests.serving import InProcessClient
from tests.web.test_route_permissions import BODIES, PATH_VALUES, keys_by_role

ROOT = Path(__file__).parent.parent.parent
SPOKEN = {"aria-label", "alt", "title", "placeholder", "data-lost", "data-closed", "data-waiting"}
SPOKEN |= {"data-copied", "data-title", "data-spoken"}
"""Attributes that a reader sees or hears, or that a script shows."""
PROPER = f"Bummerl Watten CSV JSON QR kB MB JavaScript HTTPS API openskill {' '.join(tzname)}"
"""Words that are the same in every language, also the name of this machine's time zone."""
ADDRESS = re.compile(
    r"\b\d+:[0-9a-f-]{20,}|https?://\S+|\b[A-Z0-9]{6}\b|\b[A-Z0-9]{3}\s[A-Z0-9]{3}\b|\bDonau\w*"
)
"""Addresses, codes, and names made of one word."""
OTHERS = set(LANGUAGES) - {"de"}


@pytest.fixture(scope="module")
def catalog(tmp_path_factory):
    return write_marked_catalog(tmp_path_factory.mktemp("translations"))


@pytest.fixture(scope="module")
def app(tmp_path_factory, catalog):
    app = create_app(
        {"DATABASE": str(tmp_path_factory.mktemp("words") / "x.db"), "RATE_LIMITS": False}
    )
    app.extensions["babel"].translation_directories = [str(catalog)]
    with pytest.MonkeyPatch.context() as patch:
        # A process reads its languages once for all its apps.
        patch.setattr(app.extensions["babel"].instance.domain_instance, "cache", {})
        yield app


@pytest.fixture(scope="module")
def server(app):
    return InProcessClient(app, Accept_Language="de")


def visible(html):
    """The texts of a page and of its attributes, without commands and those marked as another
    language."""
    page = parse(html)
    spoken = [found[name] for found in page.find_all() for name in SPOKEN & set(found.attrs)]
    for foreign in page.select("script, style, code, :not(html)[lang]"):
        foreign.extract()
    return [text for text in spoken if text] + list(page.stripped_strings)


def unread_times(html):
    """Texts with a time of day that no script converts to the time zone of the reader."""
    page = parse(html)
    for own in page.select("script, style, time"):
        own.extract()
    return [text for text in page.stripped_strings if re.search(r"\b\d\d:\d\d\b", text)]


def leaves(page):
    """Every German text in the data of a TOML file."""
    if isinstance(page, str):
        yield page
    elif isinstance(page, dict):
        for name, item in page.items():
            if name not in OTHERS:
                yield from leaves(item)
    elif isinstance(page, list):
        for item in page:
            yield from leaves(item)


@pytest.fixture(scope="module")
def known(app):
    """The set of the words that may appear unmarked."""
    texts = [PROPER, *LANGUAGES.values(), *get_month_names(locale="de").values()]
    for path in [*RULEBOOK.rglob("*.toml"), *FOLDER.glob("*.toml")]:
        texts += leaves(tomllib.loads(path.read_text()))
    texts += [
        "Ötz",
        "Ein Ferkel",
        *(text for side in SIDES for text in (side["name"], *side["players"])),
    ]
    return {word for text in texts for word in WORD.findall(text)}


def texts_of(status, headers, text):
    """The list of texts in a response: of a page, a file or an error message."""
    if 300 <= status < 400:
        return []  # nobody sees a redirect
    kind = headers.get("content-type", "").partition(";")[0]
    if kind in ("text/html", "image/svg+xml"):
        return visible(text)
    if kind == "application/json":
        error = json.loads(text).get("error") if text.startswith('{"error"') else None
        return [error["message"]] if error else []
    return [text] if kind == "text/csv" else []


def untranslated(answer, known):
    """The unmarked words of a response, each time with the text that contains them."""
    # A sentence may continue in a link, so the marks are searched in all texts together.
    for text in unmarked("\0".join(texts_of(*answer))).split("\0"):
        shown = ADDRESS.sub(" ", text)
        if words := [word for word in WORD.findall(shown) if word not in known]:
            yield " ".join(words), text.strip()[:100]


def test_every_page_is_translated(server, known):
    tables = {name: table(server, name, SIDES) for name in EVENINGS}
    tables["over"]["group"] = regulars(server, tables["over"]["scorer"])
    tables["over"] |= preiswatten(server)
    found = set()
    for path, name in PAGES:
        answer = server.request("GET", path.format(**tables[name]))
        found |= {(*item, path) for item in untranslated(answer, known)}
        # Only the example of a dialect's file has a placeholder.
        raw = [text for text in texts_of(*answer) if "%(" in text and "[words]" not in text]
        assert raw == [], path
        # A game's sums on a tournament's pages look like times.
        assert path.startswith(("/p/", "/e/")) or unread_times(answer[2]) == [], path
        assert "<time" not in answer[2] or "local_time" in answer[2], path
    assert not found, "\n".join(map(str, sorted(found)))


@pytest.mark.slow
def test_every_route_is_translated(app, server, known):
    keys = keys_by_role(server)
    names = {"Donnerstag", "Preis"}
    found = set()
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: PATH_VALUES.get(m[1], "{key}"), rule.rule)
        for role, key in keys.items():
            if rule.endpoint.endswith("stream"):
                continue
            for method in rule.methods & {"GET", "POST"}:
                body = BODIES.get(rule.endpoint, [("token", "t")]) if method == "POST" else None
                answer = server.request(method, path.format(key=key), body)
                texts = untranslated(answer, known | names)
                found |= {(*item, f"{method} {rule.endpoint} {role}") for item in texts}
    assert not found, "\n".join(map(str, sorted(found)))


def test_untranslated_text_is_detected(known):
    page = {"content-type": "text/html"}
    for html in ("<p>⟦Round 3⟧ escaped</p>", '<a aria-label="Escaped">⟦x⟧</a>', "<b>⟦a</b>⟧ Lost"):
        assert list(untranslated((200, page, html), known))
    for html in ("<p>⟦Round ⟦3⟧⟧ Bummerl</p>", "<p>⟦Or type <b>X</b> at⟧</p>"):
        assert not list(untranslated((200, page, html), known))


SHOWS = re.compile(
    r"(?:(?:textContent|innerText|innerHTML|title|ariaLabel|placeholder)\s*=\s*"
    r"|\b(?:alert|confirm|prompt|append|SpeechSynthesisUtterance)\()([\"'`])(.*?)\1"
)


@pytest.mark.parametrize("script", sorted((ROOT / "static/js").glob("*.js")), ids=lambda p: p.name)
def test_scripts_contain_no_visible_text(script):
    """Scripts take the words that they show from the page."""
    for match in SHOWS.finditer(script.read_text()):
        words = re.sub(r"\$\{[^}]*\}", "", match[2])
        assert not WORD.search(words), match[0]
