"""Each form names an existing page that shows its refusal."""

import pytest

from scorer.engine import Illegal, Unreadable
from scorer.web.frame.refusals import page_of


def forms(app):
    """The rules of all routes that take a form, with the page that shows what they refuse."""
    for rule in app.url_map.iter_rules():
        if "POST" in rule.methods:
            page = page_of(app.view_functions[rule.endpoint])
            if page is not None:
                yield rule, page


def test_refusal_pages_take_the_same_address(app):
    found = list(forms(app))
    for rule, page in found:
        if isinstance(page, str):
            shown = [other for other in app.url_map.iter_rules(page) if "GET" in other.methods]
            assert shown, rule
            assert all(other.arguments <= rule.arguments for other in shown), rule
    assert len(found) > 20


def test_refused_form_shows_its_page(app):
    client = app.test_client()
    form = {"preset": "none", "token": "x", "name": "Preis"}
    refused = client.post("/p/new", data=form)
    assert refused.status_code == 422
    assert 'value="Preis"' in refused.text
    assert "data-code" in refused.text


def test_refusal_outside_a_form_is_raised(app):
    for error in (Illegal("game-over"), Unreadable("name", "is missing")):
        with app.test_request_context("/"), pytest.raises(type(error)):
            app.handle_user_exception(error)
