"""Collects the sentences of code and templates into the language files; new ones stay empty."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from scorer.catalogs import compile_catalog

ROOT = Path(__file__).parent.parent
METHODS = [
    ("scorer/**.py", "python"),
    ("templates/**.html", "jinja2"),
    ("templates/**.svg", "jinja2"),
]
KEYWORDS = {
    "_": None,
    "N_": None,
    "_l": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "Counted": (1, 2),
}


@cache
def sentences() -> Catalog:
    """All sentences marked for translation."""
    template = Catalog()
    for folder in ("scorer", "templates"):
        found = extract_from_dir(
            ROOT / folder,
            [
                (pattern.removeprefix(f"{folder}/"), method)
                for pattern, method in METHODS
                if pattern.startswith(folder)
            ],
            keywords=KEYWORDS,
        )
        for name, _, message, _, context in found:
            template.add(message, locations=[(f"{folder}/{name}", None)], context=context)
    return template


def _forms(translated: str | tuple[str, ...] | None) -> tuple[str, ...]:
    """The forms of a translated sentence: one, or one per plural; empty if new."""
    return translated if isinstance(translated, tuple) else (translated or "",)


def french(text: str) -> str:
    """A French sentence with narrow spaces before high marks and inside quotes.

    >>> french("Perdu : « gehen » !").split("\u202f")
    ['Perdu', ': «', 'gehen', '»', '!']
    """
    return re.sub(
        r"[ \xa0]([;:!?»])(?=[\s.,)]|$)", "\u202f\\1", re.sub("«[ \xa0]", "«\u202f", text)
    )


def main() -> None:
    template = sentences()
    for path in ROOT.glob("scorer/translations/*/LC_MESSAGES/messages.po"):
        header, _, _ = path.read_text().partition("\n\n")
        with path.open("rb") as file:
            catalog = read_po(file)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        if path.parent.parent.name == "fr":
            for message in catalog:
                # A new sentence has no text.
                texts = tuple(french(text or "") for text in _forms(message.string))
                message.string = texts if isinstance(message.string, tuple) else texts[0]
        with path.open("wb") as file:
            # Keeps the old header: Babel's has the date and its version.
            file.write(header.encode() + b"\n\n")
            write_po(file, catalog, width=0, omit_header=True, sort_output=True)
        compile_catalog(path)
        missing = [
            message.id for message in catalog if message.id and not all(_forms(message.string))
        ]
        print(f"{path.parent.parent.name}: {len(catalog)} sentences, {len(missing)} to translate")
        for sentence in missing:
            print(f"  {sentence}")


if __name__ == "__main__":
    main()
