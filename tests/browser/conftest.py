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


@pytest.fixture
def phone(chromium, server):
    """Opens phones: each call a new one, with nothing of the others."""
    contexts, errors = [], []

    def new(**options):
        screen = {"viewport": {"width": 390, "height": 844}, "locale": "de-AT"}
        context = chromium.new_context(**{"base_url": server.url, **screen, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda line: "Content Security" in line.text and errors.append(line.text),
        )
        return page

    yield new
    for context in contexts:
        # A context closed with a page that still talks to the server can hang Chromium for ever.
        for page in context.pages:
            page.close()
        context.close()
    assert not errors
