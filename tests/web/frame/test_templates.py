"""What templates may leave out, and what they must not misspell."""

import ast
from datetime import date
from pathlib import Path

import pytest
from flask import Request
from jinja2 import UndefinedError, nodes
from jinja2.meta import find_undeclared_variables
from jinja2.runtime import LoopContext
from werkzeug.datastructures import MultiDict

from scorer import create_app
from scorer.engine import rules_of


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
        template.render(rules=rules_of("bayern"))


ROOT = Path(__file__).parents[3]
FOREIGN_NAMES = {
    name for kind in (str, list, dict, date, Request, LoopContext, MultiDict) for name in dir(kind)
}


def names_in_code():
    """Every name that the code gives to a value: of functions, variables, attributes and keys."""
    for file in (ROOT / "scorer").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.FunctionDef() | ast.ClassDef():
                    yield node.name
                case ast.Attribute(ctx=ast.Store()):
                    yield node.attr
                case ast.Name(ctx=ast.Store()):
                    yield node.id
                case ast.arg() | ast.keyword():
                    yield node.arg
                case ast.Constant(value=str()):
                    yield node.value


def names_read(template):
    """Every variable that a template reads, and every name that it reads from a value, also by
    filters such as `map`."""
    yield from find_undeclared_variables(template)
    for node in template.find_all((nodes.Getattr, nodes.Getitem, nodes.Filter)):
        match node:
            case nodes.Getattr():
                yield node.attr
            case nodes.Getitem(arg=nodes.Const(value=str() as key)):
                yield key
            case nodes.Filter(name="selectattr" | "rejectattr" | "groupby"):
                yield from str(node.args[0].as_const()).split(".")
            case nodes.Filter():
                attributes = [one.value for one in node.kwargs if one.key == "attribute"]
                for attribute in attributes:
                    yield from str(attribute.as_const()).split(".")


def names_given(template):
    """Every variable that a template sets, also for those that it includes, and every key."""
    for node in template.find_all((nodes.Pair, nodes.Name, nodes.Macro, nodes.Import)):
        match node:
            case nodes.Macro():
                yield node.name
            case nodes.Import():
                yield node.target
            case nodes.Pair(key=nodes.Const(value=key)):
                yield key
            case nodes.Name(ctx="store" | "param"):
                yield node.name


def test_templates_read_only_names_that_the_code_gives(environment):
    templates = {
        name: environment.parse((ROOT / "templates" / name).read_text())
        for name in environment.list_templates()
    }
    from_templates = {name for template in templates.values() for name in names_given(template)}
    given = FOREIGN_NAMES | {*environment.globals} | from_templates | {*names_in_code()}
    unknown = {
        (name, read)
        for name, template in templates.items()
        for read in names_read(template)
        if read not in given and not read.isdecimal()
    }
    assert unknown == set()
