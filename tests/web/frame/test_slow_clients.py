"""Clients that never finish a request, or watch forever, block nobody."""

import json
import socket
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from tests.builders import WON
from tests.pages import Page
from tests.serving import PATIENCE_SECONDS, serving

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A server with a short time-out that allows few live connections."""
    db = tmp_path_factory.mktemp("small") / "x.db"
    given = {"BUMMERL_PATIENCE": "1", "BUMMERL_STREAMS": "6", "BUMMERL_RATE_LIMITS": "on"}
    with serving(db, workers=1, **given) as server:
        yield server


def send_raw(server, text):
    """The response to this text, up to the end of the connection."""
    at = urlsplit(server.url)
    with socket.create_connection((at.hostname, at.port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall(text.encode())
        answer = b""
        while part := connection.recv(4096):
            answer += part
        return answer.decode()


def test_unfinished_request_head_is_cut_off(small):
    assert "HTTP/1.1 200" not in send_raw(small, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")


@pytest.mark.parametrize(
    ("how", "body", "status"),
    [("Content-Length: 500", "{", 408), ("Transfer-Encoding: chunked", "5\r\n{", 400)],
)
def test_unfinished_request_body_is_cut_off(small, how, body, status):
    head = f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{how}\r\n"
    answer = send_raw(small, f"{head}\r\n{body}")
    assert f"HTTP/1.1 {status}" in answer
    # The request was cut off, so the client may send it again.
    assert "\r\nBummerl-Answer: again\r\n" in answer


@pytest.mark.parametrize(
    ("path", "about", "type_"),
    [
        ("/t/{scorer}/events", "application/x-www-form-urlencoded", "text/html"),
        ("/api/tables/{scorer}/events", "application/json", "application/json"),
    ],
)
def test_cut_off_tap_gets_408_and_is_not_recorded(small, path, about, type_):
    keys = small.table()
    path = path.format(**keys)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    answer = send_raw(
        small,
        f"{head}Idempotency-Key: 1\r\nContent-Type: {about}\r\nContent-Length: 500\r\n\r\nseq=0",
    )
    response_head, _, body = answer.partition("\r\n\r\n")
    assert response_head.startswith("HTTP/1.1 408"), body
    assert "\r\nBummerl-Answer: again\r\nBummerl-Method: POST\r\n" in f"{response_head}\r\n"
    assert f"\r\nContent-Type: {type_}" in response_head
    code = json.loads(body)["error"]["code"] if "json" in type_ else Page(body).code
    assert code == "408"
    assert small.seq(keys["viewer"]) == 0


def test_one_address_gets_half_of_the_live_pages(tmp_path):
    given = {"BUMMERL_STREAMS": "4", "BUMMERL_RATE_LIMITS": "on", "BUMMERL_PROXIES": "1"}
    with serving(tmp_path / "x.db", workers=2, **given) as server:
        keys = server.table()
        path, watching = f"/b/{keys['viewer']}/stream", []

        def open_live_pages(who, tries):
            """The number of these tries that got a live page."""
            before = len(watching)
            for _ in range(tries):
                try:
                    watching.append(server.watch(path, X_Forwarded_For=who))
                except HTTPError as refused:
                    assert refused.code == 503
                    refused.close()
            return len(watching) - before

        assert 2 <= open_live_pages("203.0.113.1", 12) <= 2 * 2
        # Each worker still has room for another address.
        assert open_live_pages("203.0.113.2", 2) == 2
        open_live_pages("203.0.113.3", 12)
        assert len(watching) <= 2 * 4
        server.play(keys["scorer"], WON)
        for watch in watching:
            watch.close()


def test_live_pages_of_one_client_are_limited(small):
    keys = small.table()
    path = f"/b/{keys['viewer']}/stream"
    watching = [small.watch(path) for _ in range(3)]
    for _ in range(2):
        with pytest.raises(HTTPError) as refused:
            small.watch(path)
        assert refused.value.code == 503
        refused.value.close()
    small.play(keys["scorer"], WON)
    assert watching[0].next()["id"] == "0"
    assert watching[0].next()["id"] == "1"
    for watch in watching:
        watch.close()
