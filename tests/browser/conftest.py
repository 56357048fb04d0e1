"""Fixtures: a Chromium and its pages. Without Chromium the tests fail and say what to install."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.find_chromium import find_shell

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    # A name of this machine that browsers trust no more than any other plain HTTP host.
    "--host-resolver-rules=MAP bummerl.local 127.0.0.1",
]
PATIENCE_MS = 60_000
"""The timeout of pages in milliseconds. It is long because a busy machine is slow."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as running:
        yield running


@contextmanager
def launch_browser(playwright, path, *flags):
    browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def chromium(playwright):
    with launch_browser(playwright, find_shell()) as browser:
        yield browser


SCREEN = {"width": 390, "height": 844}


def open_phone(chromium, errors, **options):
    """The page of a new phone. Its script errors, CSP violations and the addresses that the
    server failed to answer are appended to `errors`."""
    context = chromium.new_context(**{"viewport": SCREEN, "locale": "de-AT", **options})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: "Content Security" in line.text and errors.append(line.text))
    context.on("response", lambda response: response.status == 500 and errors.append(response.url))
    return page


def close_phone(context):
    # Closing a page that is loading, or still talks to the server, can hang Chromium forever.
    for page in context.pages:
        page.goto("about:blank")
        page.close()
    context.close()


class PhonePool:
    """A pool of phones that are reset and reused, in half the processor time of new ones."""

    def __init__(self, chromium, url):
        self._chromium, self._url = chromium, url
        self._free = {True: [], False: []}
        self._errors = []

    def take(self, scripts=True):
        """The page of a phone without data of earlier tests; its scripts may be cached."""
        if self._free[scripts]:
            return self._free[scripts].pop()
        options = {"base_url": self._url, "java_script_enabled": scripts}
        return open_phone(self._chromium, self._errors, **options)

    def put_back(self, page, scripts=True):
        """Reset a phone and return it to the pool."""
        for other in page.context.pages:
            if other != page:
                other.close()
        page.unroute_all()
        page.context.unroute_all()
        page.context.set_offline(False)
        # A page without scripts. A live one would react to the cleared data or open another page.
        page.goto(f"{self._url}/health")
        # No test may stop the clock of a phone that the next test gets.
        assert page.evaluate("Date.toString().includes('[native code]')")
        page.evaluate("sessionStorage.clear()")
        page.emulate_media(media="null", color_scheme="null", reduced_motion="null")
        page.set_viewport_size(SCREEN)
        page.context.clear_cookies()
        wiped = page.context.new_cdp_session(page)
        wiped.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": "all"})
        wiped.detach()
        self._free[scripts].append(page)

    def check(self):
        """Assert that no page had an error since the last check."""
        errors, self._errors[:] = self._errors[:], []
        assert not errors

    def close(self):
        for page in (*self._free[True], *self._free[False]):
            close_phone(page.context)


@pytest.fixture(scope="session")
def pool(chromium, server):
    pool = PhonePool(chromium, server.url)
    yield pool
    pool.close()


@pytest.fixture
def phone(request, chromium, server):
    """A function that opens a new phone, on this path if any, and returns its page.

    Phones share no data.

    In a file or test marked `shared_phone` phones come from the pool, unless `fresh` or an option
    such as `locale` is given. A test needs a fresh phone if it closes the page, listens to its
    events, adds scripts, stops its clock or uses DevTools.
    """
    contexts, errors, taken = [], [], []
    shared = request.node.get_closest_marker("shared_phone") is not None
    pool = request.getfixturevalue("pool") if shared else None

    def new(path=None, fresh=False, **options):
        if shared and not fresh and options.keys() <= {"viewport", "java_script_enabled"}:
            scripts = options.get("java_script_enabled", True)
            page = pool.take(scripts)
            taken.append((page, scripts))
            page.set_viewport_size(options.get("viewport", SCREEN))
        else:
            page = open_phone(chromium, errors, **{"base_url": server.url, **options})
            contexts.append(page.context)
        if path:
            page.goto(path)
        return page

    yield new
    for context in contexts:
        close_phone(context)
    for page, scripts in taken:
        pool.put_back(page, scripts)
    assert not errors
    if shared:
        pool.check()


@pytest.fixture
def visitor(pool):
    """The page of a reset phone from the pool."""
    page = pool.take()
    yield page
    pool.put_back(page)
    pool.check()
