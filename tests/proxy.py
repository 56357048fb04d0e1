"""A proxy in front of a server, which can answer instead of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Self
from urllib.parse import urlsplit

from tests.serving import PATIENCE_SECONDS

HOP = ("connection", "transfer-encoding", "content-length", "keep-alive")


class Proxy:
    """Forwards all requests to a server, or answers them in its place.

    :param behind: the server's address
    """

    def __init__(self, behind: str) -> None:
        self.instead: tuple[int, str] | None = None
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def _answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                # Pages send entries only while /health shows that the server is there.
                if proxy.instead is None or self.path == "/health":
                    self._hand_on(body)
                else:
                    self._stand_in(*proxy.instead)

            def _hand_on(self, body: bytes) -> None:
                connection = HTTPConnection(urlsplit(behind).netloc, timeout=PATIENCE_SECONDS)
                connection.request(self.command, self.path, body, dict(self.headers))
                with connection.getresponse() as found:
                    text = found.read()
                    self._send(found.status, text, found.getheaders())
                connection.close()

            def _stand_in(self, status: int, text: str) -> None:
                leads = [("Location", text)] if text.startswith("/") else []
                if leads:
                    # The server itself answers the request that follows the redirect.
                    proxy.instead = None
                self._send(status, text.encode(), leads)

            def _send(self, status: int, text: bytes, headers: list[tuple[str, str]]) -> None:
                self.send_response(status)
                for name, value in headers:
                    if name.lower() not in HOP:
                        self.send_header(name, value)
                if status not in (204, 304):
                    self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                if status not in (204, 304) and self.command != "HEAD":
                    self.wfile.write(text)

            do_GET = do_POST = do_HEAD = _answer

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def answering(self, status: int, text: str) -> Iterator[None]:
        """Answer in the server's place. A path as `text` redirects there, but only once."""
        self.instead = (status, text)
        try:
            yield
        finally:
            self.instead = None

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
