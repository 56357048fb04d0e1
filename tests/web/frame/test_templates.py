"""Shared fragments are rendered once, in each reader's language."""

import pytest

from scorer.web.frame.language import request_in


@pytest.fixture
def render_rule(app):
    """A function that renders a reason (a text) for a reader of a language."""

    def ask(language, text="Because"):
        with request_in(app, language):
            return app.jinja_env.globals["piece"]("frame/_rule.html", "because", text, ("O-45",))

    return ask


def test_cached_fragment_is_kept_per_language(render_rule):
    german, italian, dialect = render_rule("de"), render_rule("it"), render_rule("boarisch")
    assert german != italian
    assert (render_rule("de"), render_rule("it"), render_rule("boarisch")) == (
        german,
        italian,
        dialect,
    )


def test_fragment_with_other_values_is_rendered_anew(render_rule):
    assert "Because" in render_rule("de")
    shown = render_rule("de", "<b>Anna</b>")
    assert "&lt;b&gt;Anna" in shown
    assert "<b>" not in shown
