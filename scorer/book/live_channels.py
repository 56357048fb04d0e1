"""Live views: each is rendered once for every new state and sent to all its watchers.

Recording only signals that a stream has grown. A thread of the channel renders and notifies the
watchers in groups, with pauses for other requests. A slow watcher gets the newest message only.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from logging import getLogger
from typing import Final, NamedTuple

from scorer.book.notifications import Hub

BATCH_SIZE: Final = 100
"""Watchers notified before a pause."""
BATCH_PAUSE: Final = 0.001
"""Length of the pause, in seconds."""
HEARTBEAT_SECONDS: Final = 15.0
"""How often watchers are woken without news. A woken watcher writes, and so notices that its
connection was closed."""


class Rendering(NamedTuple):
    """A rendered view of a stream."""

    length: int
    """Number of events it shows."""
    text: str
    message: bytes
    """The text as sent."""


NO_RENDERING: Final = Rendering(-1, "", b"")


class Watcher:
    """A connection to a live view, and its next message.

    :param seen_length: number of events already shown, or -1
    """

    def __init__(self, seen_length: int = -1) -> None:
        self.has_ended = False
        """Whether no more messages follow."""
        self._seen_length = seen_length
        """A first message of this length is skipped, as the client shows it; then -1."""
        self._newest = b""
        self._changed = threading.Event()

    def send(self, rendering: Rendering) -> None:
        """Replace the waiting message."""
        if rendering.length != self._seen_length:
            self._seen_length, self._newest = -1, rendering.message
            self._changed.set()

    def wake(self) -> None:
        self._changed.set()

    def end(self) -> None:
        self.has_ended = True
        self._changed.set()

    def next(self) -> bytes:
        """Wait for the next message; empty if woken without one."""
        self._changed.wait()
        self._changed.clear()
        message, self._newest = self._newest, b""
        return message


@dataclass(slots=True, eq=False)
class _Channel:
    streams: tuple[str, ...]
    render: Callable[[], Rendering | None]
    watchers: set[Watcher] = field(default_factory=set)
    unserved: set[Watcher] = field(default_factory=set)
    """Watchers without a message yet: they get the next rendering even if its text is the same."""
    newest: Rendering = NO_RENDERING
    shown_lengths: Mapping[str, int] = field(default_factory=dict)
    """Length of each stream at the newest rendering."""


class Channels:
    """The live views that are watched now, by name."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._channels: dict[Hashable, _Channel] = {}

    def join(
        self,
        name: Hashable,
        streams: tuple[str, ...],
        render: Callable[[], Rendering | None],
        watcher: Watcher,
    ) -> None:
        """Send `watcher` the current view, unless it is already shown, and all later ones.

        :param name: identifies the channel
        :param streams: the stream that is shown, then others that change the view
        :param render: renders it; None if there is nothing to show any more
        :raises StoreError: a stream cannot be read
        """
        lengths = {stream: self._hub.read_length(stream) for stream in streams}
        with self._lock:
            channel = self._channels.get(name)
            if channel is None:
                channel = self._channels[name] = _Channel(streams, render)
                threading.Thread(target=self._run, args=(name, channel), daemon=True).start()
            channel.watchers.add(watcher)
            if all(channel.shown_lengths.get(stream, -1) >= lengths[stream] for stream in streams):
                watcher.send(channel.newest)
            else:
                # `Hub.changed` has woken the channel: it will render.
                channel.unserved.add(watcher)

    def leave(self, name: Hashable, watcher: Watcher) -> None:
        with self._lock:
            if channel := self._channels.get(name):
                channel.watchers.discard(watcher)
                channel.unserved.discard(watcher)

    def _run(self, name: Hashable, channel: _Channel) -> None:
        """Render for a channel until it has no watchers."""
        try:
            while not self._close_if_unwatched(name, channel):
                has_news = not channel.shown_lengths or self._hub.wait(
                    channel.shown_lengths, HEARTBEAT_SECONDS
                )
                # Renders even without news: the link may be revoked, which ends the connections.
                if self._close_if_unwatched(name, channel) or not self._render_and_send(channel):
                    return
                if not has_news:
                    self._deliver(list(channel.watchers), Watcher.wake)
        except Exception:
            getLogger(__name__).exception("a live view failed, and its watchers were disconnected")
        finally:
            with self._lock:
                if self._channels.get(name) is channel:
                    del self._channels[name]
            for watcher in channel.watchers:
                watcher.end()

    def _close_if_unwatched(self, name: Hashable, channel: _Channel) -> bool:
        with self._lock:
            if channel.watchers and not self._hub.closed:
                return False
            # The next watcher opens a new channel.
            self._channels.pop(name, None)
            return True

    def _render_and_send(self, channel: _Channel) -> bool:
        """Render the current view and send it to all watchers; False if there is nothing to
        show."""
        main_stream, *other_streams = channel.streams
        # Read before rendering, so that an event in between causes another rendering.
        lengths = {stream: self._hub.read_length(stream) for stream in other_streams}
        rendering = channel.render()
        if rendering is None:
            return False
        with self._lock:
            previous, channel.newest = channel.newest, rendering
            channel.shown_lengths = {main_stream: rendering.length, **lengths}
            # If only the stream has grown, only new watchers need the message.
            unchanged = rendering.text == previous.text
            watchers = list(channel.unserved if unchanged else channel.watchers)
            channel.unserved.clear()
        self._deliver(watchers, lambda watcher: watcher.send(rendering))
        return True

    @staticmethod
    def _deliver(watchers: Sequence[Watcher], act: Callable[[Watcher], None]) -> None:
        for start in range(0, len(watchers), BATCH_SIZE):
            for watcher in watchers[start : start + BATCH_SIZE]:
                act(watcher)
            time.sleep(BATCH_PAUSE)
