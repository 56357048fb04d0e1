"""Fixtures: a Chromium and its pages. Without Chromium the tests fail and say what to install."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import find_shell

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name of this machine to which browsers give no more than to any plain HTTP.
    "--host-resolver-rules=MAP bummerl.local 127.0.0.1",
]
PATIENCE = 60_000
"""Milliseconds that any page is given: what has to wait for a busy machine is not wrong."""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as running:
        yield running


@contextmanager
def launched(playwright, path, *flags):
    browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def chromium(playwright):
    with launched(playwright, find_shell()) as browser:
        yield browser


SCREEN = {"width": 390, "height": 844}


def turned_on(chromium, errors, **options):
    """A new phone's page; what goes wrong in it joins the errors."""
    context = chromium.new_context(**{"viewport": SCREEN, "locale": "de-AT", **options})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda line: "Content Security" in line.text and errors.append(line.text),
    )
    return page


def turned_off(context):
    # What is closed while it still talks to the server, or is just being loaded, can hang Chromium
    # for ever.
    for page in context.pages:
        page.goto("about:blank")
        page.close()
    context.close()


class Shelf:
    """Phones that are wiped and used again, each for half the processor time of a new one."""

    def __init__(self, chromium, url):
        self._chromium, self._url = chromium, url
        self._free = {True: [], False: []}
        self._errors = []

    def take(self, scripts=True):
        """A phone that keeps nothing of whoever had it before, but has read the scripts."""
        free = self._free[scripts]
        if free:
            return free.pop()
        options = {"base_url": self._url, "java_script_enabled": scripts}
        return turned_on(self._chromium, self._errors, **options)

    def put_back(self, page, scripts=True):
        """Wipe a phone."""
        for other in page.context.pages:
            if other != page:
                other.close()
        page.unroute_all()
        page.context.unroute_all()
        page.context.set_offline(False)
        # A page without scripts: a live one would miss what is cleared, or lead on to another page.
        page.goto(f"{self._url}/health")
        page.evaluate("sessionStorage.clear()")
        page.emulate_media(color_scheme="null", reduced_motion="null")
        page.set_viewport_size(SCREEN)
        page.context.clear_cookies()
        wiped = page.context.new_cdp_session(page)
        wiped.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": "all"})
        wiped.detach()
        self._free[scripts].append(page)

    def check(self):
        """Nothing went wrong in a page since this was asked last."""
        errors = self._errors[:]
        self._errors.clear()
        assert not errors

    def close(self):
        for page in (*self._free[True], *self._free[False]):
            turned_off(page.context)


@pytest.fixture(scope="session")
def shelf(chromium, server):
    shelf = Shelf(chromium, server.url)
    yield shelf
    shelf.close()


@pytest.fixture
def phone(request, chromium, server):
    """Opens phones: each call another one, with nothing of the others.

    In a file or test marked `shared_phone` they come from the shelf, unless one is to be `fresh`:
    whoever closes a page, listens to it, adds scripts, stops its clock or speaks to its tools.
    """
    contexts, errors, taken = [], [], []
    shared = request.node.get_closest_marker("shared_phone") is not None
    shelf = request.getfixturevalue("shelf") if shared else None

    def new(fresh=False, **options):
        if shared and not fresh and options.keys() <= {"viewport", "java_script_enabled"}:
            scripts = options.get("java_script_enabled", True)
            page = shelf.take(scripts)
            taken.append((page, scripts))
            page.set_viewport_size(options.get("viewport", SCREEN))
            return page
        page = turned_on(chromium, errors, **{"base_url": server.url, **options})
        contexts.append(page.context)
        return page

    yield new
    for context in contexts:
        turned_off(context)
    for page, scripts in taken:
        shelf.put_back(page, scripts)
    assert not errors
    if shared:
        shelf.check()


@pytest.fixture
def visitor(shelf):
    """A wiped phone of the shelf."""
    page = shelf.take()
    yield page
    shelf.put_back(page)
    shelf.check()
