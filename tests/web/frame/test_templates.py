"""Shared fragments are rendered once, in each reader's language."""

import pytest

from scorer.web.frame.language import request_in


@pytest.fixture
def drawn(app):
    """A function that renders a reason (a text) for a reader of a language."""

    def ask(language, text="Because"):
        with request_in(app, language):
            return app.jinja_env.globals["piece"]("frame/_rule.html", "because", text, ("O-45",))

    return ask


def test_every_reader_sees_it_in_his_own_language(drawn):
    german, italian, dialect = drawn("de"), drawn("it"), drawn("boarisch")
    assert german != italian
    assert (drawn("de"), drawn("it"), drawn("boarisch")) == (german, italian, dialect)


def test_other_values_are_drawn_anew(drawn):
    assert "Because" in drawn("de")
    shown = drawn("de", "<b>Anna</b>")
    assert "&lt;b&gt;Anna" in shown
    assert "<b>" not in shown
