"""Networks that fail: a server that can be cut off and killed, lost responses, held requests."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Thread

from playwright.sync_api import Page, Route
from playwright.sync_api import TimeoutError as Late

from scorer.engine import replay
from scorer.store.hash_chain import first_broken_entry
from tests.browser.conftest import FLAGS
from tests.browser.find_chromium import find_shell
from tests.builders import head_and_events
from tests.serving import Server, free_port, serving

PATIENT = 90_000
SEND = "navigator.serviceWorker.controller.postMessage(['send'])"


class Network:
    """A port that forwards connections to a server, and can be cut and joined again."""

    def __init__(self, host: str) -> None:
        self.server = 0
        """The server's own port."""
        self.port = free_port()
        self._host = host
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()
        self._threads: list[Thread] = []

    def join(self) -> None:
        """Start to forward connections."""
        self._listener = socket.socket()
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind((self._host, self.port))
        self._listener.listen(128)
        self._start(self._lead, self._listener)

    def cut(self) -> None:
        """Refuse new connections and break all open ones."""
        if self._listener is None:
            return
        _end(self._listener)
        # The listener's thread may still add a last connection.
        self._threads[0].join()
        for end in self._open:
            _end(end)
        for thread in self._threads:
            thread.join()
        for end in (self._listener, *self._open):
            end.close()
        self._listener = None
        self._open.clear()
        self._threads.clear()

    def _start(self, work: Callable[..., None], *ends: socket.socket) -> None:
        thread = Thread(target=work, args=ends)
        self._threads.append(thread)
        thread.start()

    def _lead(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection(("127.0.0.1", self.server))
                self._open |= {near, far}
                self._start(_carry, near, far)
                self._start(_carry, far, near)


def _end(end: socket.socket) -> None:
    """Shut down a socket, which wakes its reader. The other side may have closed it already."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def _carry(here: socket.socket, there: socket.socket) -> None:
    """Copy all data from one socket to another, and then end the stream there."""
    with suppress(OSError):
        while data := here.recv(1 << 16):
            there.sendall(data)
    with suppress(OSError):
        there.shutdown(socket.SHUT_WR)


class UnstableServer:
    """A server whose network can be cut and restored, at the same address.

    :param host: the name or address in its URL, and the one it listens on
    :param folder: the path under which it is served, such as "/club"
    """

    def __init__(self, db, built, host="127.0.0.1", folder=""):
        self._db, self._built, self._up = db, built, ExitStack()
        self._host, self._folder = host, folder
        self._network = Network(host)
        self.port = str(self._network.port)
        self.restart()
        self.connect()

    def restart(self):
        """Start a server process in place of the running one, if there is one."""
        self._up.close()
        named = {"PUBLIC_URL": f"http://bummerl.local:{self.port}{self._folder}"}
        settings = {"BUMMERL_POCKET": str(self._built), **(named if self._folder else {})}
        port = free_port()
        running = self._up.enter_context(serving(self._db, port=str(port), **settings))
        self._network.server = port
        self.server = Server(self._db, running.process, f"http://{self._host}:{self.port}")

    def connect(self):
        self._network.join()

    def disconnect(self):
        self._network.cut()

    def close(self):
        self.disconnect()
        self._up.close()


class Phone:
    """A browser with a persistent profile, which can be killed and started again."""

    def __init__(self, playwright, folder, url, browser=None):
        self._playwright, self._folder, self._url = playwright, folder, url
        self._browser = browser or find_shell()
        self.start()

    def start(self):
        """Start the browser, and return a new page."""
        options = {"executable_path": self._browser, "args": FLAGS}
        options |= {"base_url": self._url, "locale": "de-AT"}
        launch = self._playwright.chromium.launch_persistent_context
        self.context = launch(self._folder, **options)
        self.context.set_default_timeout(PATIENT)
        # pytest shows the messages of pages and their worker if the test fails.
        self.context.on("console", lambda line: print(f"{line.type}: {line.text}"))
        self.context.on("weberror", lambda fault: print(f"{fault.page.url}: {fault.error}"))
        self.page = self.context.new_page()
        return self.page

    def process(self):
        """The process id of the browser."""
        session = self.context.browser.new_browser_cdp_session()
        processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
        [browser] = [process["id"] for process in processes if process["type"] == "browser"]
        return browser

    def kill(self):
        """Kill the browser, as an empty battery would."""
        browser = self.process()
        with self.context.expect_event("close"):
            os.kill(browser, signal.SIGKILL)

    def close(self):
        for page in self.context.pages:
            page.close()
        self.context.close()

    def reopen(self):
        """Open a new page, close all others and return the new one."""
        before = self.context.pages
        self.page = self.context.new_page()
        for page in before:
            page.close()
        return self.page


def prepare_offline_app(page, start="/"):
    page.goto(start)
    page.locator("[data-pocket-do=prepare]").click()
    expect_app_state(page, "ready")


def expect_app_state(page, pocket, unsent=0):
    wanted = f"html[data-pocket={pocket}][data-unsent='{unsent}']"
    try:
        page.wait_for_selector(wanted, state="attached", timeout=PATIENT)
    except Late as late:
        shown = page.evaluate("() => ({ ...document.documentElement.dataset })")
        raise AssertionError(f"{page.url} shows {shown}") from late


def wait_until(page, what, about=None):
    """Wait up to a minute until an async JavaScript function returns true in the page.

    `wait_for_function` would take any promise as true.
    """
    again = "new Promise((look) => setTimeout(look, 50))"
    late = 'if (performance.now() > end) throw new Error("it never was so");'
    loop = f"while (!(await ({what})(about))) {{ {late} await {again}; }}"
    page.evaluate(f"async (about) => {{ const end = performance.now() + 60000; {loop} }}", about)


def reconnect_and_upload(unstable, page):
    """Restore the network and wait until everything is uploaded."""
    unstable.connect()
    page.evaluate(SEND)
    expect_app_state(page, "ready")


def expect_valid_record(record):
    """Assert that a record's events are legal and its chain is sound, and return its state."""
    evening, refusal = replay(record)
    assert refusal is None
    assert first_broken_entry(*head_and_events(record)) is None
    return evening.state


def hold_outbox_request(page: Page, path: str) -> list[Route]:
    """Abort the requests of taps to `path`, and hold the first request of the outbox.

    The returned list receives the held route, which the test continues.
    """
    kept: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif route.request.resource_type == "xhr":
            route.abort()
        elif kept:
            route.continue_()
        else:
            kept.append(route)

    page.route(path, hold)
    return kept


def lose_response(route: Route) -> None:
    """The server gets a request, but its response is lost."""
    route.fetch()
    route.abort("connectionreset")


def wait_for_held_route(page: Page, waiting: list[Route]) -> Route:
    """Wait until `waiting` contains a held route, and return the first."""
    while not waiting:
        page.evaluate("new Promise(requestAnimationFrame)")
    return waiting[0]
