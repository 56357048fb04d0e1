"""What templates may leave out, and what they must not misspell."""

import pytest
from jinja2 import UndefinedError

from scorer import create_app
from scorer.engine import load


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    return create_app({"DATABASE": str(tmp_path_factory.mktemp("app") / "x.db")}).jinja_env


def test_missing_values_render_as_nothing(environment):
    template = environment.from_string("{% if nobody or form.nothing %}x{% endif %}{{ form.none }}")
    assert template.render(form={}) == ""


def test_unknown_variables_are_not_printed(environment):
    template = environment.from_string('<a href="/p/{{ nobody }}">')
    with pytest.raises(UndefinedError, match="nobody"):
        template.render()


def test_unknown_attributes_of_our_objects_are_errors(environment):
    template = environment.from_string("{% if rules.targets %}x{% endif %}")
    with pytest.raises(UndefinedError, match="targets"):
        template.render(rules=load("bayern"))
