"""Reads HTML pages in tests: elements by role, accessible name and attribute, not by sentence.

page = Page(html)
page.one(role="alert").code == "own-result"
page.one("button", value="bestaetigung").attrs
[row["data-tie"] for row in page.all("tr", data_tie=True)]
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from html import unescape
from typing import Any

from babel.support import Translations
from bs4 import BeautifulSoup, Tag

from scorer.web.frame.language import FOLDER

ROLES = {
    "button": "button",
    "details": "group",
    "fieldset": "group",
    "form": "form",
    "img": "img",
    "li": "listitem",
    "nav": "navigation",
    "ol": "list",
    "option": "option",
    "output": "status",
    "select": "combobox",
    "table": "table",
    "textarea": "textbox",
    "tr": "row",
    "ul": "list",
    **{f"h{level}": "heading" for level in range(1, 7)},
}
"""The roles of elements without a `role` attribute, except `a` and `input`."""
KINDS = {"checkbox": "checkbox", "radio": "radio", "hidden": ""}


class Element(Tag):
    """An element of a page, with its content."""

    @property
    def text(self) -> str:
        """Its text with single spaces, without scripts, styles and templates."""
        return " ".join(self.get_text().split())

    @property
    def role(self) -> str:
        """Its role for assistive technology."""
        if self.name == "a":
            own = "link" if "href" in self.attrs else ""
        elif self.name == "input":
            own = KINDS.get(self.get("type", "text"), "textbox")
        else:
            own = ROLES.get(self.name, "")
        return self.get("role", own)

    @property
    def label(self) -> str:
        """The accessible name: its label, its alternative text or its own text."""
        field = self.name in ("input", "select", "textarea")
        around = self.find_parent("label") if field else None
        return self.get("aria-label") or self.get("alt") or (around or self).text

    @property
    def code(self) -> str:
        """Its `data-code`. A page has that of its only element with a `data-code`."""
        return (self if self.parent else self.one(data_code=True)).get("data-code", "")

    def all(
        self, tag: str = "", *, role: str = "", named: str = "", css: str = "", **attributes: Any
    ) -> list[Element]:
        """The elements in it that meet all criteria.

        :param named: a part of the accessible name
        :param css: one class
        :param attributes: `data_code="stale"`, `name="sure"`, or `hidden=True` for any value
        """
        wanted = {
            name.rstrip("_").replace("_", "-"): value if isinstance(value, bool) else str(value)
            for name, value in attributes.items()
        }
        return [
            found
            for found in self.find_all(tag or True, attrs=wanted)
            if role in ("", found.role)
            and (not css or css in found.get("class", "").split())
            and named in found.label
        ]

    def one(self, tag: str = "", **wanted: Any) -> Element:
        """The only element in it that meets all criteria. None or several fail the test."""
        found = self.all(tag, **wanted)
        assert len(found) == 1, f"{len(found)} of {tag or 'any'} {wanted}"
        return found[0]

    def has(self, tag: str = "", **wanted: Any) -> bool:
        """Whether any element in it meets all criteria."""
        return bool(self.all(tag, **wanted))

    def data(self, name: str) -> list[str]:
        """All values of a data attribute in page order, such as `data("level")`."""
        return [found[f"data-{name}"] for found in self.find_all(attrs={f"data-{name}": True})]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The names and values of hidden fields and of buttons with a name."""
        sent = self.select("button[name], [type=hidden][name], textarea[hidden][name]")
        return [(found["name"], found.get("value", found.get_text())) for found in sent]


class Parsed(BeautifulSoup, Element):
    """The elements of a page, or of a fragment."""


def parse(html: str) -> Parsed:
    """The parsed page or fragment. Each attribute's value is one string."""
    return Parsed(html, "html.parser", element_classes={Tag: Element}, multi_valued_attributes=None)


class Page(str):
    """The text of a page with its entities resolved, and the elements on it."""

    html: str

    def __new__(cls, html: str) -> Page:
        page = super().__new__(cls, unescape(html))
        page.html = html
        return page

    @cached_property
    def root(self) -> Parsed:
        root = parse(self.html)
        for inert in root("template"):
            inert.decompose()
        return root

    def __getattr__(self, name: str) -> Any:
        return getattr(self.root, name)


@lru_cache
def _catalogue(language: str) -> Translations:
    return Translations.load(FOLDER, [language])


def translated(sentence: str, language: str = "de") -> str:
    """The app's translation of a sentence such as `REASONS["lot"]`. A test that needs the words of
    a page does not break when the translation changes."""
    return _catalogue(language).ugettext(sentence)
