"""Every page: nothing overflows, and everything can be tapped and read.

German pages are checked on four screens, and other languages on the smallest. axe checks a page of
each template.
"""

import json
from pathlib import Path

import pytest

from scorer.web.frame.language import COOKIE, LANGUAGES
from tests.browser.positions import LONG, PAGES, SIDES, written
from tests.browser.probes import probe
from tests.browser.visual_checks import unfold
from tests.sampling import slow

AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.1.min.js").read_text()
SCREENS = {
    "laptop": {"width": 1280, "height": 800},
    "landscape": {"width": 844, "height": 390},
    "phone": {"width": 390, "height": 844},
    "small": {"width": 320, "height": 568},
}
MORE = [
    ("/t/{scorer}/more", "tricks"),
    ("/referee?rules=trentino", "fresh"),
    ("/p/{hall}/standings", "over"),
]
# The pages that people see most.
MAIN = [
    *[("/", "fresh"), ("/new?rules=suedtirol", "fresh"), ("/p/new", "fresh")],
    *[("/t/{scorer}", "disputed"), ("/t/{scorer}/share", "krank")],
    *[("/b/{viewer}", "over"), ("/b/{viewer}?big=1", "krank"), ("/b/{viewer}/history", "over")],
    *[("/p/{director}", "over"), ("/p/{director}/standings", "over"), ("/e/{entry}", "over")],
]
# axe need not check these pages, because another page has the same template and elements.
ALIKE = [
    ("/b/{viewer}/sheet", "three"),
    ("/b/{viewer}/history", "three"),
    ("/e/{other}", "over"),
    *[("/t/{scorer}", name) for name in ("fresh", "krank", "disputed", "tricks")],
    *[("/b/{viewer}", name) for name in ("fresh", "decision")],
]
# These pages show everything without horizontal scrolling.
NARROW = ("/p/{hall}/standings", "/e/{entry}/standings")
# Long names may be broken on a button; the words around them may not.
NAMES = [LONG.split()[0], SIDES[1]["players"][1]]
# Only the colours are different in dark mode.
COLOURS = ["color-contrast", "link-in-text-block"]


def open_page(page, server, path, language):
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
    # A page that says "not found" is checked too.
    assert page.goto(path).status < 500, path


def assert_fits(page, screens):
    for screen in screens:
        page.set_viewport_size(SCREENS[screen])
        assert probe(page, "misfits") == [0, [], [], []], screen


def assert_accessible(page):
    page.set_viewport_size(SCREENS["phone"])
    page.evaluate(AXE)
    probe(page, "plain")
    for scheme, rules in (("light", None), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = probe(page, "judged", rules)
        assert found == [], json.dumps(found, indent=1, ensure_ascii=False)
    page.emulate_media(color_scheme="null", reduced_motion="null")


@pytest.mark.parametrize(("path", "name"), [*PAGES, *MORE])
def test_a_page_fits_in_german(visitor, server, path, name):
    """The closed page is checked on every screen, the unfolded one on the smallest and largest."""
    visitor.set_viewport_size(SCREENS["laptop"])
    open_page(visitor, server, path.format(**written(server)[name]), "de")
    assert_fits(visitor, SCREENS)
    if unfold(visitor):
        assert_fits(visitor, ("laptop", "small"))
    assert_readable(visitor, path)


@pytest.mark.parametrize(("path", "name"), [*MAIN, *slow(*sorted({*PAGES} - {*MAIN, *ALIKE}))])
def test_a_page_is_accessible(visitor, server, path, name):
    """The unfolded page on a phone, in light and in dark colours."""
    open_page(visitor, server, path.format(**written(server)[name]), "de")
    unfold(visitor)
    assert_accessible(visitor)


@pytest.mark.slow
@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "de"])
@pytest.mark.parametrize(("path", "name"), [*PAGES, *MORE])
def test_a_page_fits_in_every_language(visitor, server, path, name, language):
    visitor.set_viewport_size(SCREENS["small"])
    open_page(visitor, server, path.format(**written(server)[name]), language)
    unfold(visitor)
    assert_fits(visitor, ["small"])
    assert_readable(visitor, path)


def assert_readable(page, path):
    assert probe(page, "tooLong", NAMES) == []
    if path in NARROW:
        assert probe(page, "aside") == []


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["boarisch", "suedtirolerisch"])
def test_no_word_of_a_dialect_is_too_long(visitor, server, dialect):
    visitor.set_viewport_size(SCREENS["small"])
    # A dialect has words of its own on the table's pages only.
    near = [page for page in [*PAGES, *MORE] if page[0].startswith(("/t/", "/b/"))]
    for path, name in near:
        open_page(visitor, server, path.format(**written(server)[name]), dialect)
        assert probe(visitor, "tooLong", NAMES) == [], path
