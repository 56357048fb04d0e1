"""Sentences in the reader's language, looked up in one step each.

Flask-Babel's own ways ask again at each sentence who reads, and take twenty times what finding it
does: a tenth of what a table took to draw.
"""

from __future__ import annotations

from typing import Any, Final

from babel.support import NullTranslations
from flask import Flask, g
from flask_babel import Domain
from markupsafe import Markup, escape

_request: Final = g._get_current_object


class _Sentences(Domain):
    """Sentences of the reader's language, which is asked for once a request, not once each."""

    def get_translations(self) -> NullTranslations:
        try:
            now = _request()
        except RuntimeError:  # asked outside any request
            return super().get_translations()
        found: NullTranslations | None = now.get("sentences")
        if found is None:
            found = now.sentences = super().get_translations()
        return found


_sentences: Final = _Sentences()
sentences: Final = _sentences.get_translations
"""The sentences this request is answered with: one object a language or dialect."""


def gettext(sentence: str, /, **values: Any) -> str:
    """A sentence with its values."""
    text = sentences().ugettext(sentence)
    return text % values if values else text


def ngettext(single: str, several: str, num: int, /, **values: Any) -> str:
    """The same, in the form that a number takes."""
    return sentences().ungettext(single, several, num) % {"num": num, **values}


def pgettext(context: str, sentence: str, /, **values: Any) -> str:
    """A sentence that has another meaning elsewhere."""
    text = sentences().upgettext(context, sentence)
    return text % values if values else text


def _on_page(sentence: str, /, **values: Any) -> Markup:
    """A sentence in a template: its words are ours, its values are not and are escaped."""
    text = sentences().ugettext(sentence)
    return Markup(text % _escaped(values) if "%" in text else text)


def _counted_on_page(single: str, several: str, num: int, /, **values: Any) -> Markup:
    """The same, in the form that a number takes."""
    text = sentences().ungettext(single, several, num)
    return Markup(text % {"num": num, **_escaped(values)})


def _escaped(values: dict[str, Any]) -> dict[str, Markup]:
    return {name: escape(value) for name, value in values.items()}


def init_app(app: Flask) -> None:
    """Let pages and templates find their sentences so; Babel has been set up before."""
    app.extensions["babel"].instance.domain_instance = _sentences
    # Jinja's own way from `_` to a sentence takes longer than the sentence.
    app.jinja_env.globals.update(_=_on_page, ngettext=_counted_on_page)
