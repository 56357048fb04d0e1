"""Writes docs/engine.md from the engine's docstrings. `make docs`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from scorer import engine
from scorer.engine import Event
from scorer.engine.scoring.events import EVENTS

ENGINE_PAGE = Path(__file__).parent.parent / "docs" / "engine.md"
HEAD = """\
# The engine as a library

Written from the docstrings of `scorer.engine` by `make docs`; change it there.
Every `>>>` line is run by the tests.

{about}
"""
FIRST = ("load", "house", "start", "legal", "check", "apply", "replay", "judge")
"""Functions listed first."""
ANNOTATION = re.compile(r"(: |-> )'([^']*)'")
LINK = re.compile(r":(param|raises) ([\w. ]+):")


def engine_page() -> str:
    about = _prose(engine.__doc__ or "")
    return HEAD.format(about=about) + "".join(_sections())


def _sections() -> Iterator[str]:
    events = sorted(["Event", *(kind.__name__ for kind in EVENTS.values())])
    names = set(engine.__all__) - {*events}
    functions = [*FIRST, *sorted(n for n in names - {*FIRST} if _is_function(n))]
    kinds = sorted(names - {*functions} - {n for n in names if not _documented(n)})
    for title, chosen in (("Functions", functions), ("Events", events), ("Values", kinds)):
        yield f"\n## {title}\n"
        for name in chosen:
            yield _entry(name)


def _is_function(name: str) -> bool:
    return inspect.isfunction(inspect.unwrap(getattr(engine, name)))


def _documented(name: str) -> bool:
    return inspect.isclass(getattr(engine, name))


def _entry(name: str) -> str:
    kinds = {kind.__name__: kind for kind in EVENTS.values()}
    item = inspect.unwrap(kinds.get(name) or getattr(engine, name))
    text = _prose(inspect.getdoc(item) or "")
    return f"\n### `{name}{_signature(item)}`\n\n{text}\n{_methods(item)}"


def _signature(item: object) -> str:
    if inspect.isclass(item) and issubclass(item, Exception):
        return ""
    try:
        signature = str(inspect.signature(item))  # type: ignore[arg-type]
    except ValueError:
        return ""
    # Annotations are strings: remove their quotes.
    return ANNOTATION.sub(r"\1\2", signature).removesuffix(" -> None")


def _methods(item: object) -> str:
    """The public methods of a class, one line each."""
    if not inspect.isclass(item) or (issubclass(item, Event) and item is not Event):
        return ""
    found = []
    for name, member in vars(item).items():
        function = member.fget if isinstance(member, property) else member
        if name.startswith("_") or not inspect.isfunction(function) or not function.__doc__:
            continue
        call = name if isinstance(member, property) else f"{name}()"
        found.append(f"- `{call}`: {_prose(function.__doc__).split(chr(10) * 2)[0]}\n")
    return "\n" + "".join(found) if found else ""


def _prose(text: str) -> str:
    """A docstring as Markdown: doctests as code, parameters as a list."""
    lines, code = [], False
    for line in inspect.cleandoc(text).split("\n"):
        if line.startswith(">>>") and not code:
            lines.append("```python")
            code = True
        elif code and not line:
            lines.append("```")
            code = False
        lines.append(line if code else LINK.sub(r"- \1 `\2`:", line))
    return "\n".join([*lines, "```"] if code else lines)


if __name__ == "__main__":
    ENGINE_PAGE.write_text(engine_page())
