"""Every sentence is translated into all languages, with the same placeholders and the language's
typography."""

import ast
import json
import re
import tomllib
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from bs4 import BeautifulSoup

from scorer.engine.rules.loading import RULEBOOK
from scorer.pocket.bundle_trimming import LOCALES
from scorer.web.frame.language import LANGUAGES
from tools.collect_translations import sentences

ROOT = Path(__file__).parent.parent
PLACE = re.compile(r"%\((\w+)\)[sd]")
NARROW = "\N{NARROW NO-BREAK SPACE}"
# In this list of pairs the semicolon is not punctuation. The user types it.
TYPED = "joueur; joueur; club"


def catalog(language):
    with (ROOT / f"scorer/translations/{language}/LC_MESSAGES/messages.po").open("rb") as file:
        return read_po(file)


def forms(text):
    """A sentence, or its plural forms."""
    return text if isinstance(text, (tuple, list)) else (text,)


def places(text):
    """The names of a sentence's placeholders."""
    return {*PLACE.findall(text), *(name for _, name, _, _ in Formatter().parse(text) if name)}


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_every_sentence_has_a_complete_translation(language):
    known = {message.id: message for message in catalog(language) if message.id}
    assert set(known) == {message.id for message in sentences() if message.id}
    for message in known.values():
        assert not message.fuzzy, message.id
        assert all(forms(message.string)), message.id
        wanted = set.union(*map(places, forms(message.id)))
        # One plural form may write "one" instead of the number.
        assert set.union(*map(places, forms(message.string))) == wanted, message.id
        fewest = set.intersection(*map(places, forms(message.id)))
        assert all(places(form) >= fewest - {"num"} for form in forms(message.string)), message.id


@pytest.mark.parametrize(
    ("language", "other"), [("de", "korrig|korrektur"), ("it", "rettific"), ("fr", "rectifi")]
)
def test_translations_use_one_word_for_corrections(language, other):
    translations = [text for one in catalog(language) if one.id for text in forms(one.string)]
    assert not [form for form in translations if re.search(other, form, re.IGNORECASE)]


def marked_sentences():
    """Every sentence that the sources mark for translation, with its file and line."""
    markers = {"_", "N_", "_l", "gettext", "ngettext", "pgettext", "Counted"}
    for path in (ROOT / "scorer").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call):
                continue
            called = getattr(call.func, "id", getattr(call.func, "attr", None))
            if called in markers:
                *_, sentence = call.args[: 2 if called == "pgettext" else 1]
                if isinstance(sentence, ast.Constant):
                    yield sentence.value, f"{path.relative_to(ROOT)}:{call.lineno}"


def test_every_marked_sentence_is_collected():
    # The program that collects sentences does not look inside f-strings.
    found = list(marked_sentences())
    assert len(found) > 500
    known = {form for message in sentences() for form in forms(message.id)}
    assert [place for sentence, place in found if sentence not in known] == []


def refusal_reasons():
    """The expression of every reason for `Unreadable` in the sources, with its file and line."""
    for path in (ROOT / "scorer").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Unreadable":
                yield call.args[1], f"{path.relative_to(ROOT)}:{call.lineno}"


def test_every_refusal_can_be_translated():
    found = list(refusal_reasons())
    assert len(found) > 50
    # Only a reason inside N_() is among the sentences to translate.
    bare = (ast.Constant, ast.JoinedStr)
    assert [place for reason, place in found if isinstance(reason, bare)] == []


def texts_of_page(page, language, inside=False):
    """Every text in one language of a page of the rulebook.

    :param inside: whether `page` is part of an entry in that language
    """
    if isinstance(page, str):
        return [page] if inside else []
    if isinstance(page, list):
        return [text for item in page for text in texts_of_page(item, language, inside)]
    if not isinstance(page, dict):
        return []
    parts = (texts_of_page(item, language, inside or at == language) for at, item in page.items())
    return [text for part in parts for text in part]


def texts(language):
    """Every text of the pages and of the rulebook in a language."""
    found = [form for message in catalog(language) if message.id for form in forms(message.string)]
    for path in RULEBOOK.rglob("*.toml"):
        found += texts_of_page(tomllib.loads(path.read_text()), language)
    assert len(found) > 1000
    return found


def test_french_punctuation_has_narrow_spaces():
    wrong = re.compile(rf"[^{NARROW}][;:!?»](?=[\s.,)]|$)|«[^{NARROW}]")
    assert [text for text in texts("fr") if TYPED not in text and wrong.search(text)] == []


def test_italian_has_one_word_for_folding():
    # The Trentino's own rules and the glossary say "ritirarsi".
    other = re.compile(r"\band(ar|ando)sene\b|\bse n(e v|'è and)|(^|avversari )andati\b", re.I)
    assert [text for text in texts("it") if other.search(text)] == []


MACHINE = {
    "de": "Kette|Prüfzahl|Prüfsumme|Hash",
    "it": "catena|hash|digest|codice di controllo",
    "fr": "chaîne|empreinte|hash",
}
"""Technical words for the hash chain of a record. Only commands may use them."""


@pytest.mark.parametrize("language", sorted(MACHINE))
def test_pages_avoid_technical_words(language):
    translations = []
    for message in catalog(language):
        if any(place.startswith(("templates/", "scorer/web/")) for place, _ in message.locations):
            translations += [*forms(message.id), *forms(message.string)]
    assert len(translations) > 1000
    words = re.compile(rf"\b({MACHINE[language]}|chain|hash|digest)\b", re.IGNORECASE)
    assert not [text for text in translations if words.search(re.sub(r"%\(\w+\)s", "", text))]


NAMED = re.compile(r"%\((?:name|names|who|side|winner|pair)\)s [a-z]+")
"""A name followed by a word, which may be a verb."""
NO_VERB = {"%(winner)s before", "%(name)s and"}
ANOTHER_SUBJECT = {
    "Entered: %(name)s waits for a partner.",
    "Nobody named %(name)s plays in this round.",
}
"""Sentences about a single player or nobody, whose verbs have one form."""


def test_no_sentence_puts_a_name_beside_a_verb():
    """A name can be singular or plural, so its verb needs both forms.

    Such a sentence has `{side:wins|win}`, or it has one form for one debtor and one for several.
    """
    for message in sentences():
        if isinstance(message.id, str) and message.id not in ANOTHER_SUBJECT:
            assert NO_VERB.issuperset(NAMED.findall(message.id)), message.id


BESIDE = re.compile(
    r'(?<!words\.)\b(?:name|names|side)(?:\([^)]*\))? \}\}(?:</\w+>)?\s*\{\{-? ?_\("[a-z]'
)
"""A name in a template, followed by a translated text in lower case."""


def test_no_template_puts_a_name_beside_a_verb():
    assert BESIDE.search('<b>{{ view.name(0) }}</b> {{ _("wins") }}')
    pages = (ROOT / "templates").rglob("*.html")
    assert not [page.name for page in pages if BESIDE.search(page.read_text())]


def test_offline_app_has_every_language():
    site = ROOT / "scorer/pocket/site"
    [listed] = re.findall(r"LANGUAGES = (\[.*\]);", (site / "first.js").read_text())
    assert set(json.loads(listed)) == set(LANGUAGES) <= LOCALES
    page = BeautifulSoup((site / "index.html").read_text(), "html.parser").body
    for element in page.find_all(lang=True):
        siblings = element.parent.find_all(lang=True, recursive=False)
        assert {one["lang"] for one in siblings} == set(LANGUAGES), element
