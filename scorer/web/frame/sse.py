"""Server-sent events: one message each time a stream moves.

A message is compressed once for all clients: each is a piece of a gzip stream without references to
earlier pieces. `scorer/book/live_channels.py` renders the messages, and wakes idle connections
every `HEARTBEAT_SECONDS`.
"""

from __future__ import annotations

import random
import time
import zlib
from collections.abc import Callable, Hashable, Iterator
from itertools import chain
from typing import Final

from flask import Response, abort, current_app, request

from scorer.book.live_channels import Rendering, Watcher
from scorer.web.frame.access import KeyHolder, channels, hub, store
from scorer.web.frame.language import language_or_dialect, request_in
from scorer.web.frame.rate_limits import client_network
from scorer.web.frame.sse_limits import SseLimits

GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Header of a gzip stream (RFC 1952); the trailer is never sent."""
MAX_SECONDS: Final = 600.0
"""Seconds after which a response ends and the client reconnects, perhaps to another worker."""


def last_seen() -> int:
    """Last-Event-ID of a reconnecting client, or -1."""
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def event_stream(
    holder: KeyHolder,
    name: str,
    render: Callable[[], tuple[int, str]],
    *shape: Hashable,
    other_stream: str = "",
) -> Response:
    """Stream `render`'s (length, text): now, unless the client has it, and at each new event.

    The response ends when the holder's key is revoked.

    :param render: called outside a request, once for all clients with equal parameters
    :param shape: what the text depends on, besides key and language
    :param other_stream: id of another stream whose events may change the text
    :raises ServiceUnavailable: 503, too many live pages of this worker or address
    """
    notifications, live_channels, database = hub(), channels(), store()
    slots: SseLimits = current_app.extensions["sse_limits"]
    address, encode = client_network(), _chosen_encoding()

    def render_message() -> Rendering | None:
        if database.find(holder.key) is None:
            return None
        length, text = render()
        return Rendering(length, text, encode(_message(name, length, text)))

    if not notifications.waits:
        return _stream(_single_message(render_message(), last_seen(), encode), encode)
    if not slots.try_reserve(address):
        abort(503, "too-many-watch")
    # Last-Event-ID counts the events of one stream only.
    watcher = Watcher(-1 if other_stream else last_seen())
    streams = (holder.stream, other_stream) if other_stream else (holder.stream,)
    channel = (name, holder, streams, language_or_dialect(), encode, *shape)

    def leave() -> None:
        live_channels.leave(channel, watcher)
        slots.release(address)

    try:
        live_channels.join(channel, streams, render_message, watcher)
    except BaseException:
        leave()
        raise
    response = _stream(_messages(watcher, encode), encode)
    response.call_on_close(leave)
    return response


def live_fragment(
    holder: KeyHolder,
    name: str,
    language: str,
    render: Callable[[], tuple[int, str]],
    *shape: Hashable,
    other_stream: str = "",
) -> Response:
    """An `event_stream` of HTML, rendered in a new request without headers or cookies.

    :param language: code or dialect's id for the text
    :param shape: what the text depends on, besides key and language
    :param other_stream: id of another stream whose events may change the text
    :raises ServiceUnavailable: 503, too many live pages of this worker or address
    """
    app = current_app._get_current_object()  # type: ignore[attr-defined]

    def in_language() -> tuple[int, str]:
        with request_in(app, language):
            return render()

    return event_stream(holder, name, in_language, *shape, other_stream=other_stream)


def _chosen_encoding() -> Callable[[bytes], bytes]:
    return _gzip if request.accept_encodings.quality("gzip") > 0 else bytes


def _gzip(message: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(message) + packer.flush(zlib.Z_SYNC_FLUSH)


def _messages(watcher: Watcher, encode: Callable[[bytes], bytes]) -> Iterator[bytes]:
    end = time.monotonic() + MAX_SECONDS * random.uniform(0.8, 1.2)
    keep_alive = encode(b": still here\n\n")
    yield encode(_retry())
    while time.monotonic() < end:
        message = watcher.next()
        if watcher.has_ended:
            return
        yield message or keep_alive


def _single_message(
    current: Rendering | None, seen_length: int, encode: Callable[[bytes], bytes]
) -> Iterator[bytes]:
    """The current message, unless seen; for platforms without notifications."""
    yield encode(_retry())
    if current is not None and current.length != seen_length:
        yield current.message


def _retry() -> bytes:
    """Random reconnect time in milliseconds, to spread the clients."""
    return b"retry: %d\n\n" % random.randint(500, 2000)


def _message(name: str, length: int, text: str) -> bytes:
    data = "".join(f"data: {line}\n" for line in text.splitlines())
    return f"event: {name}\nid: {length}\n{data}\n".encode()


def _stream(messages: Iterator[bytes], encode: Callable[[bytes], bytes]) -> Response:
    gzipped = encode is _gzip
    response = Response(
        chain([GZIP_HEADER], messages) if gzipped else messages, mimetype="text/event-stream"
    )
    if gzipped:
        response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response
