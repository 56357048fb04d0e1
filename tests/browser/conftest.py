"""A real Chromium; where there is none, the tests fail and say what to install."""

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


@pytest.fixture
def phone(request, chromium, server):
    """Opens phones: each call a new one, with nothing of the others.

    In a file marked `shared_phone` the first of a test is the visitor's wiped one where it needs no
    options but a viewport: half the processor time of a new one. Such a file listens to nothing of
    a page and puts nothing into those that come.
    """
    contexts, errors = [], []
    shared = request.node.get_closest_marker("shared_phone") is not None

    def new(**options):
        nonlocal shared
        if shared and options.keys() <= {"viewport"}:
            shared = False
            page = request.getfixturevalue("visitor")
            page.set_viewport_size(options.get("viewport", SCREEN))
            return page
        page = turned_on(chromium, errors, **{"base_url": server.url, **options})
        contexts.append(page.context)
        return page

    yield new
    for context in contexts:
        turned_off(context)
    assert not errors


@pytest.fixture(scope="session")
def walker(chromium, server):
    """One phone for all visitors, and what went wrong on it."""
    errors = []
    page = turned_on(chromium, errors, base_url=server.url)
    yield page, errors
    turned_off(page.context)


@pytest.fixture
def visitor(walker, server):
    """A phone that keeps nothing of who looked at a page before, and draws faster than a new one:
    it has read the scripts."""
    page, errors = walker
    page.evaluate("() => { try { sessionStorage.clear() } catch { /* No page of ours. */ } }")
    # What is open would stumble over what is taken from under it.
    page.goto("about:blank")
    page.unroute_all()
    page.emulate_media(color_scheme="null", reduced_motion="null")
    page.set_viewport_size(SCREEN)
    wiped = page.context.new_cdp_session(page)
    wiped.send("Storage.clearDataForOrigin", {"origin": server.url, "storageTypes": "all"})
    wiped.detach()
    errors.clear()
    yield page
    assert not errors
