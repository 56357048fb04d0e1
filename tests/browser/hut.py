"""A hut with a server whose network goes and comes, and a phone that can be killed there."""

from __future__ import annotations

import json
import os
import signal
import urllib.request
from contextlib import ExitStack

from playwright.sync_api import TimeoutError as Late

from scorer.engine import replay
from scorer.store.chain import check
from tests.browser.chromium import find_chromium
from tests.browser.conftest import FLAGS
from tests.serving import free_port, serving

PATIENT = 90_000
SEND = "navigator.serviceWorker.controller.postMessage(['send'])"


class Hut:
    """A server that can be gone and come back at the same address, with the same book."""

    def __init__(self, db, built, host="127.0.0.1"):
        self._db, self._built, self._host, self._up = db, built, host, ExitStack()
        self.port = str(free_port())
        self.come()

    def come(self):
        where = {"host": self._host, "port": self.port}
        running = serving(self._db, **where, BUMMERL_POCKET=str(self._built))
        self.server = self._up.enter_context(running)

    def go(self):
        self._up.close()


class Phone:
    """A browser that keeps what it has, and can be killed."""

    def __init__(self, playwright, folder, url):
        self._playwright, self._folder, self._url = playwright, folder, url
        self.start()

    def start(self):
        self.context = self._playwright.chromium.launch_persistent_context(
            self._folder,
            executable_path=find_chromium(),
            args=FLAGS,
            base_url=self._url,
            locale="de-AT",
        )
        self.context.set_default_timeout(PATIENT)
        # What pages and their worker say stands beside a test that fails.
        self.context.on("console", lambda line: print(f"{line.type}: {line.text}"))
        self.context.on("weberror", lambda fault: print(f"{fault.page.url}: {fault.error}"))
        self.page = self.context.new_page()

    def process(self):
        """The id of the browser's own process."""
        session = self.context.browser.new_browser_cdp_session()
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        [browser] = [process["id"] for process in processes if process["type"] == "browser"]
        return browser

    def kill(self):
        """As an empty battery does it."""
        browser = self.process()
        with self.context.expect_event("close"):
            os.kill(browser, signal.SIGKILL)

    def reopen(self):
        """Close all pages, and open a new one."""
        before = self.context.pages
        self.page = self.context.new_page()
        for page in before:
            page.close()
        return self.page


def prepared(page):
    page.goto("/")
    page.locator("[data-pocket-do=prepare]").click()
    stands(page, "ready")


def stands(page, pocket, unsent=0):
    wanted = f"html[data-pocket={pocket}][data-unsent='{unsent}']"
    try:
        page.wait_for_selector(wanted, state="attached", timeout=PATIENT)
    except Late as late:
        shown = page.evaluate("() => ({ ...document.documentElement.dataset })")
        raise AssertionError(f"{page.url} shows {shown}") from late


def until(page, what, about=None):
    """Waits in the page until one of its functions promises yes, a minute at most:
    `wait_for_function` takes any promise for a yes."""
    again = "new Promise((look) => setTimeout(look, 50))"
    late = 'if (performance.now() > end) throw new Error("it never was so");'
    loop = f"while (!(await ({what})(about))) {{ {late} await {again}; }}"
    page.evaluate(f"async (about) => {{ const end = performance.now() + 60000; {loop} }}", about)


def home(hut, page):
    """The server is back, and everything goes there."""
    hut.come()
    page.evaluate(SEND)
    stands(page, "ready")


def record(server, key):
    with urllib.request.urlopen(f"{server.url}/api/tables/{key}/record") as answer:
        return json.load(answer)


def whole(told):
    """The state of a record whose events are legal and whose chain holds."""
    evening, refusal = replay(told)
    assert refusal is None
    head = {field: value for field, value in told.items() if field != "events"}
    assert check(head, told["events"]) is None
    return evening.state
