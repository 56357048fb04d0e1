"""Language of a request: chosen on the page, else by Accept-Language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from babel import Locale
from babel.dates import format_date
from babel.support import Translations
from flask import Flask, g, request
from flask_babel import Babel, format_percent
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.test import create_environ

import scorer
from scorer.engine.telling.filled_sentences import region_words
from scorer.web.frame import dialects
from scorer.web.frame.money import euros, typed_amount
from scorer.web.frame.rule_texts import rule_text
from scorer.web.frame.translation import gettext, sentences

FOLDER: Final = Path(scorer.__file__).parent / "translations"
LANGUAGES: Final = {"de": "Deutsch", "it": "Italiano", "fr": "Français", "en": "English"}
COOKIE: Final = "language"
PRINT_LANGUAGE: Final = "in"
"""Query parameter that shows one page in another language."""


def language_or_dialect() -> str:
    """Language or dialect of this request: a code of LANGUAGES or a dialect's id."""
    code: str | None = g.get("language")
    if code is None:
        code = g.language = _requested_language()
    return code


def _requested_language() -> str:
    if (chosen := request.args.get(PRINT_LANGUAGE)) in LANGUAGES:
        return str(chosen)
    cookie = request.cookies.get(COOKIE, "")
    if cookie in LANGUAGES or cookie in dialects.dialects():
        return cookie
    return _best_language(request.headers.get("Accept-Language", ""))


# Parsing takes 16 microseconds per request.
@lru_cache(maxsize=256)
def _best_language(header: str) -> str:
    return parse_accept_header(header, LanguageAccept).best_match(LANGUAGES) or "en"


def language() -> str:
    """Language code of this request, "de" for a dialect."""
    code = language_or_dialect()
    return code if code in LANGUAGES else dialects.BASE_LANGUAGE


def _locale() -> Locale:
    return _parsed_locale(language())


_parsed_locale: Final = cache(Locale.parse)
"""Cached, as Babel looks for a file on each parse."""


def date_text(day: date, date_format: str) -> str:
    """A date in the language of this request, in English as in Europe: 30 November 2026.

    :param date_format: a format of Babel, such as "long"
    """
    code = language()
    text = format_date(day, date_format, _parsed_locale("en_GB" if code == "en" else code))
    # French has an ordinal number for the first of a month.
    return re.sub(r"\b1 (?=[a-zéû])", "1er ", text) if code == "fr" else text


def words(rules_id: str) -> Mapping[str, str]:
    return region_words(rules_id, language())


def in_all_languages(sentences: Sequence[str]) -> list[str]:
    """The translations of all sentences, language by language."""
    languages = [Translations.load(FOLDER, [code]) for code in LANGUAGES]
    return [language.gettext(sentence) for language in languages for sentence in sentences]


def unbroken_numbers(text: str) -> str:
    """The text without line breaks before its numbers.

    >>> unbroken_numbers("Round 3")
    'Round\\xa03'
    """
    return re.sub(r" (?=\d)", "\N{NO-BREAK SPACE}", text)


def labelled(label: object, text: object) -> str:
    """ "label: text", with the reader's punctuation."""
    return gettext("%(label)s: %(text)s", label=label, text=text)


def with_sign(number: int) -> str:
    """A difference with its sign.

    >>> [with_sign(2), with_sign(-2), with_sign(0)]
    ['+2', '−2', '0']
    """
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def score_text(points: Iterable[int]) -> str:
    """
    >>> score_text((10, 3))
    '10\\xa0:\\xa03'
    """
    return "\u00a0:\u00a0".join(map(str, points))


def percent(share: float | str) -> str:
    """A share of 1 as localized percentage; of a range such as "40–50" its figures, as text."""
    if isinstance(share, str):
        return format_percent(0).replace("0", share)
    return format_percent(share)


def use_dialect() -> None:
    """Use the reader's dialect for the rest of this request, if its page has words in it."""
    if dialect := dialects.dialects().get(language_or_dialect()):
        g.dialect_words = dialect.words
        g.sentences = dialects.dialect_translations(sentences(), dialect)


def in_dialect(word: str) -> str:
    dialect: Mapping[str, str] = g.get("dialect_words", {})
    return dialect.get(word, word)


def dialect_words(words: Mapping[str, str]) -> Mapping[str, str]:
    dialect: Mapping[str, str] = g.get("dialect_words", {})
    return {name: dialect.get(word, word) for name, word in words.items()} if dialect else words


def in_language(code: str) -> str:
    """URL of this page in another language, for printing."""
    values = request.args.to_dict(flat=False) | {PRINT_LANGUAGE: [code]}
    return f"{request.script_root}{request.path}?{urlencode(values, doseq=True)}"


@contextmanager
def request_in(app: Flask, language: str) -> Iterator[None]:
    root = app.config["APPLICATION_ROOT"]
    with app.request_context(create_environ(base_url=f"http://localhost{root}")):
        g.language = language
        use_dialect()
        yield


def init_app(app: Flask) -> None:
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(FOLDER)
    Babel(app, default_locale="en", locale_selector=_locale)
    app.jinja_env.globals.update(
        LANGUAGES=LANGUAGES,
        dialects=dialects.dialects,
        euros=euros,
        in_language=in_language,
        labelled=labelled,
        language=language,
        percent=percent,
        rule_text=rule_text,
        with_sign=with_sign,
        typed_amount=typed_amount,
        language_or_dialect=language_or_dialect,
    )
