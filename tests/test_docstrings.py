"""Docstrings name only what exists, and those of functions say what to do: "Open a page"."""

import ast
import builtins
import re
from functools import cache
from pathlib import Path

import werkzeug.exceptions

ROOT = Path(__file__).parent.parent


@cache
def sources():
    """The syntax tree of each module of the program, by its path."""
    return {path: ast.parse(path.read_text()) for path in sorted((ROOT / "scorer").rglob("*.py"))}


def documented_nodes():
    """Each class, function and module with its place and docstring."""
    for path, tree in sources().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
                place = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
                if text := ast.get_docstring(node):
                    yield place, node, text


def identifiers():
    """Every name in the sources, and every word of short strings such as JSON fields."""
    names = {part for path in sources() for part in path.with_suffix("").parts}
    for tree in sources().values():
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                    names.add(name)
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    names.add(name)
                case ast.keyword(arg=str(name)):
                    names.add(name)
                case ast.Constant(value=str(text)) if len(text) < 60:
                    names.update(re.findall(r"\w+", text))
    return names


def test_docstrings_name_only_existing_identifiers():
    known, shown = identifiers(), {"DB", "H10", "a_KIND", "Vary"}
    known |= shown | {"py", "js", "md", "html"}
    for place, _, text in documented_nodes():
        for name in re.findall(r"`([A-Za-z_][\w.]*)`", text):
            assert known.issuperset(name.strip(".").split(".")), (place, name)


def test_docstrings_raise_classes_that_exist():
    nodes = [node for tree in sources().values() for node in ast.walk(tree)]
    classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    classes |= vars(builtins).keys() | vars(werkzeug.exceptions).keys()
    for place, _, text in documented_nodes():
        assert classes.issuperset(re.findall(r":raises (\w+)", text)), place


def parameters(node):
    """The parameters of a function or of a class's constructor, and a class's fields."""
    inner = [
        part
        for part in ast.iter_child_nodes(node)
        if isinstance(part, ast.FunctionDef) and part.name in ("__init__", "__call__")
    ]
    made = [node] if isinstance(node, ast.FunctionDef) else inner
    names = {arg.arg for one in made for arg in ast.walk(one.args) if isinstance(arg, ast.arg)}
    fields = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.AnnAssign))
    return names | {field.target.id for field in fields}


def test_docstrings_describe_real_parameters():
    for place, node, text in documented_nodes():
        if not isinstance(node, ast.Module):
            assert parameters(node).issuperset(re.findall(r":param (\w+)", text)), place


def test_docstrings_of_functions_are_imperative():
    third_person = re.compile(r"[A-Z][a-z]+s (a|an|the|one|each|every|all|any|until|whether)\b")
    for place, node, text in documented_nodes():
        if isinstance(node, ast.FunctionDef):
            assert not third_person.match(text), place
