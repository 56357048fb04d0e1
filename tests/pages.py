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
"""The role of an element that names none; of `a` and `input` it hangs on their attributes."""
KINDS = {"checkbox": "checkbox", "radio": "radio", "hidden": ""}


class Element(Tag):
    """An element of a page, with what stands in it."""

    @property
    def text(self) -> str:
        """The words in it, with single spaces; of what a browser shows nobody nothing."""
        return " ".join(self.get_text().split())

    @property
    def role(self) -> str:
        """The role that assistive technology is told."""
        if self.name == "a":
            own = "link" if "href" in self.attrs else ""
        elif self.name == "input":
            own = KINDS.get(self.get("type", "text"), "textbox")
        else:
            own = ROLES.get(self.name, "")
        return self.get("role", own)

    @property
    def label(self) -> str:
        """The accessible name: what labels it, else what stands in it."""
        field = self.name in ("input", "select", "textarea")
        around = self.find_parent("label") if field else None
        return self.get("aria-label") or self.get("alt") or (around or self).text

    @property
    def code(self) -> str:
        """The code of what it says; of a page that of its one refusal."""
        return (self if self.parent else self.one(data_code=True)).get("data-code", "")

    def all(
        self, tag: str = "", *, role: str = "", named: str = "", css: str = "", **attributes: Any
    ) -> list[Element]:
        """The elements in it that have all of these.

        :param named: what the accessible name contains
        :param css: one class
        :param attributes: `data_code="stale"`, `name="sure"`, `hidden=True` for there at all
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
        """The one element in it that has all of these; none or several fail the test."""
        found = self.all(tag, **wanted)
        assert len(found) == 1, f"{len(found)} of {tag or 'any'} {wanted}"
        return found[0]

    def has(self, tag: str = "", **wanted: Any) -> bool:
        """Whether any element in it has all of these."""
        return bool(self.all(tag, **wanted))

    def data(self, name: str) -> list[str]:
        """The values of a data attribute, as the page has them: `data("level")`."""
        return [found[f"data-{name}"] for found in self.find_all(attrs={f"data-{name}": True})]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What a form sends by its hidden fields, and by its buttons that have a name."""
        sent = self.select("button[name], [type=hidden][name], textarea[hidden][name]")
        return [(found["name"], found.get("value", found.get_text())) for found in sent]


class Parsed(BeautifulSoup, Element):
    """The elements of a page, or of a fragment."""


def parse(html: str) -> Parsed:
    """The page or fragment, each attribute one text."""
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


def worded(sentence: str, language: str = "de") -> str:
    """What the app's own catalogue makes of a sentence that a table of the app has by its code,
    such as `WHY["lot"]`: for what must be told in words, whatever the words are."""
    return _catalogue(language).ugettext(sentence)
