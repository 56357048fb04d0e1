"""Writes docs/rules from the rulebook. `make rules`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flask import Flask, g

from scorer.engine import REGIONS, rulebook
from scorer.web.frame import language
from scorer.web.frame.rule_texts import rule_text
from scorer.web.rules.region_values import cell

DOCS = Path(__file__).parent.parent / "docs" / "rules"
HEAD = """\
# {name}

{line}

Written from `scorer/rulebook/{region}.toml` by `make rules`; change it there.

## Values

What the program applies, what a table may agree on instead (house rules), and the rules each
value rests on.

| | value | or | rules |
|---|---|---|---|
"""


def lines(region: str) -> Iterator[str]:
    """The page of a region, in parts."""
    book = rulebook(region)
    yield HEAD.format(region=region, **{key: book["words"]["en"][key] for key in ("name", "line")})
    cited: list[str] = []
    for name, entry in book["rules"].items():
        item = cell(region, name)
        if item.is_present or item.alternatives:
            others, rules = " / ".join(item.alternatives), ", ".join(item.rules)
            yield f"| {item.label} (`{name}`) | {item.value} | {others} | {rules} |\n"
        cited += entry["from"]
    yield "\n## Rules\n\n"
    for rule in dict.fromkeys(cited):
        yield f"- **{rule}** {rule_text(rule)}\n"


def pages() -> dict[str, str]:
    app = Flask("rules")
    language.init_app(app)
    with app.test_request_context():
        g.language = "en"
        return {f"{region}.md": "".join(lines(region)) for region in REGIONS}


if __name__ == "__main__":
    DOCS.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (DOCS / name).write_text(text)
