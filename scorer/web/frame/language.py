"""The reader's language: chosen on the page, else by the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from flask import Flask, g, request
from flask_babel import Babel, get_locale

import scorer
from scorer.engine import rulebook
from scorer.web.frame.rule_texts import rule_text

LANGUAGES: Final = {"de": "Deutsch", "it": "Italiano", "fr": "Français", "en": "English"}
COOKIE: Final = "language"


def chosen() -> str:
    """The code of the language this request is answered in."""
    if "language" in g:
        return str(g.language)
    cookie = request.cookies.get(COOKIE)
    if cookie in LANGUAGES:
        return str(cookie)
    return request.accept_languages.best_match(list(LANGUAGES)) or "en"


def words(rules_id: str) -> dict[str, str]:
    """A region's own words, in the reader's language."""
    pages = rulebook(rules_id)["words"]
    return dict(pages.get(str(get_locale()), pages["en"]))


@contextmanager
def speaking(app: Flask, language: str) -> Iterator[None]:
    """Render in `language` outside a request, as the live pages do for all who watch."""
    with app.test_request_context():
        g.language = language
        yield


def init_app(app: Flask) -> None:
    """Choose a language for each request."""
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(Path(scorer.__file__).parent / "translations")
    Babel(app, default_locale="en", locale_selector=chosen)
    app.jinja_env.globals.update(LANGUAGES=LANGUAGES, language=chosen, rule_text=rule_text)
