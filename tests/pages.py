"""Pages as tests read them: elements by role, accessible name and attribute, never by sentence.

page = Page(html)
page.one(role="alert").code == "own-result"
page.one("button", value="bestaetigung").attrs
[row["data-tie"] for row in page.all("tr", data_tie=True)]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from html import unescape
from html.parser import HTMLParser

from babel.support import Translations

from scorer.web.frame.language import FOLDER

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"}
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
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
    **dict.fromkeys(HEADINGS, "heading"),
}
"""The role of an element that names none; of `a` and `input` it hangs on their attributes."""

Wanted = str | int | bool
"""What an attribute must be: a value, or whether it is there at all."""


class Element:
    """An element, with what stands in it."""

    def __init__(self, tag: str, attrs: dict[str, str], parent: Element | None) -> None:
        self.tag, self.attrs, self.parent = tag, attrs, parent
        self.children: list[Element | str] = []

    def __getitem__(self, attribute: str) -> str:
        return self.attrs[attribute]

    @cached_property
    def text(self) -> str:
        """The words in it, with single spaces; of what a browser shows nobody nothing."""
        return " ".join(self._words().split())

    def _words(self) -> str:
        if self.tag in ("script", "style", "template"):
            return ""
        return "".join(
            child if isinstance(child, str) else child._words() for child in self.children
        )

    @property
    def role(self) -> str:
        """The role that assistive technology is told."""
        if "role" in self.attrs:
            return self.attrs["role"]
        if self.tag == "a":
            return "link" if "href" in self.attrs else ""
        if self.tag == "input":
            kind = self.attrs.get("type", "text")
            return {"checkbox": "checkbox", "radio": "radio", "hidden": ""}.get(kind, "textbox")
        return ROLES.get(self.tag, "")

    @property
    def name(self) -> str:
        """The accessible name: what labels it, else what stands in it."""
        return self.attrs.get("aria-label") or self.attrs.get("alt") or self._label or self.text

    @property
    def _label(self) -> str:
        if self.tag not in ("input", "select", "textarea"):
            return ""
        around = self.parent
        while around is not None and around.tag != "label":
            around = around.parent
        return around.text if around is not None else ""

    @property
    def code(self) -> str:
        """The code of what it says, or ""."""
        return self.attrs.get("data-code", "")

    def walk(self) -> Iterator[Element]:
        """All elements in it, as the page has them."""
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child.walk()

    def all(
        self, tag: str = "", *, role: str = "", named: str = "", css: str = "", **attributes: Wanted
    ) -> list[Element]:
        """The elements in it that have all of these.

        :param named: what the accessible name contains
        :param css: one class
        :param attributes: `data_code="stale"`, `name="sure"`, `hidden=True` for there at all
        """
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            found
            for found in self.walk()
            if tag in ("", found.tag)
            and role in ("", found.role)
            and (not css or css in found.attrs.get("class", "").split())
            and all(_is(found, name, value) for name, value in wanted.items())
            and named in found.name
        ]

    def one(self, tag: str = "", **wanted: Wanted) -> Element:
        """The one element in it that has all of these; none or several fail the test."""
        found = self.all(tag, **wanted)  # type: ignore[arg-type]
        assert len(found) == 1, f"{len(found)} of {tag or 'any'} {wanted}"
        return found[0]

    def has(self, tag: str = "", **wanted: Wanted) -> bool:
        """Whether any element in it has all of these."""
        return bool(self.all(tag, **wanted))  # type: ignore[arg-type]

    def data(self, name: str) -> list[str]:
        """The values of a data attribute, as the page has them: `data("level")`."""
        name = f"data-{name}"
        return [found[name] for found in self.walk() if name in found.attrs]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """What a form sends by its hidden fields, and by its buttons that have a name."""
        return [
            (found["name"], found.attrs.get("value", ""))
            for found in self.walk()
            if "name" in found.attrs
            and (found.tag == "button" or found.attrs.get("type") == "hidden")
        ]


def _is(element: Element, name: str, wanted: Wanted) -> bool:
    if isinstance(wanted, bool):
        return (name in element.attrs) is wanted
    return element.attrs.get(name) == str(wanted)


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self.open = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs}, self.open)
        self.open.children.append(made)
        if tag not in VOID:
            self.open = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        at: Element | None = self.open
        while at is not None and at.tag != tag:
            at = at.parent
        if at is not None and at.parent is not None:
            self.open = at.parent

    def handle_data(self, data: str) -> None:
        self.open.children.append(data)


def parse(html: str) -> Element:
    """The elements of a page, or of a fragment."""
    tree = _Tree()
    tree.feed(html)
    tree.close()
    return tree.root


class Page(str):
    """The text of a page with its entities resolved, and the elements on it."""

    html: str

    def __new__(cls, html: str) -> Page:
        page = super().__new__(cls, unescape(html))
        page.html = html
        return page

    @cached_property
    def root(self) -> Element:
        return parse(self.html)

    def all(self, tag: str = "", **wanted: Wanted) -> list[Element]:
        return self.root.all(tag, **wanted)  # type: ignore[arg-type]

    def one(self, tag: str = "", **wanted: Wanted) -> Element:
        return self.root.one(tag, **wanted)

    def has(self, tag: str = "", **wanted: Wanted) -> bool:
        return self.root.has(tag, **wanted)

    def data(self, name: str) -> list[str]:
        return self.root.data(name)

    @property
    def code(self) -> str:
        """The code of the one refusal on it; a page that refuses nothing fails the test."""
        return self.root.one(data_code=True).code


@lru_cache
def _catalogue(language: str) -> Translations:
    return Translations.load(FOLDER, [language])


def worded(sentence: str, language: str = "de") -> str:
    """What the app's own catalogue makes of a sentence that a table of the app has by its code,
    such as `WHY["lot"]`: for what must be told in words, whatever the words are."""
    return _catalogue(language).ugettext(sentence)
