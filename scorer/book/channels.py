"""Everybody who looks at the same thing: it is drawn once a state, and handed to each.

Nobody waits for anybody. Whoever records only says that the stream moved; a thread of the channel
draws, and goes round among those who look in small parties, between which others are answered.
Who is slow to take a drawing finds the newest when he comes for the next: it waits for him alone,
and no older ones wait beside it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from logging import getLogger
from typing import Final, NamedTuple

from scorer.book.notifications import Hub

PARTY: Final = 100
"""How many are told before others get their turn."""
REST: Final = 0.001
"""Seconds for these others."""
IDLE: Final = 15.0
"""Seconds without news after which all are nudged: only a write shows that a phone has gone."""


class Drawing(NamedTuple):
    """What there is to see of a stream."""

    length: int
    """How many events it is drawn from."""
    text: str
    message: bytes
    """The text as it is sent."""


NOTHING: Final = Drawing(-1, "", b"")


class Watcher:
    """One who looks, and what waits for him.

    :param seen: how many events he has seen, or -1
    """

    def __init__(self, seen: int = -1) -> None:
        self.over = False
        """There is nothing more to come."""
        self._seen = seen
        """As he came; what he is told later is always news."""
        self._newest = b""
        self._told = threading.Event()

    def tell(self, drawing: Drawing) -> None:
        """Let this wait for him, instead of what waited before."""
        if drawing.length != self._seen:
            self._seen, self._newest = -1, drawing.message
            self._told.set()

    def nudge(self) -> None:
        """Let him come, though there may be nothing new."""
        self._told.set()

    def end(self) -> None:
        """Let him go."""
        self.over = True
        self._told.set()

    def next(self) -> bytes:
        """Waits for the newest message he has not had; an empty one where there is none."""
        self._told.wait()
        self._told.clear()
        message, self._newest = self._newest, b""
        return message


@dataclass(slots=True, eq=False)
class _Channel:
    streams: tuple[str, ...]
    draw: Callable[[], Drawing | None]
    watchers: set[Watcher] = field(default_factory=set)
    waiting: set[Watcher] = field(default_factory=set)
    """Those of them who came while it was behind: the next drawing is for them, whatever it is."""
    newest: Drawing = NOTHING
    seen: Mapping[str, int] = field(default_factory=dict)
    """How far each stream was read for it."""


class Channels:
    """The channels of one process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self._open: dict[Hashable, _Channel] = {}

    def join(
        self,
        name: Hashable,
        streams: tuple[str, ...],
        draw: Callable[[], Drawing | None],
        watcher: Watcher,
    ) -> None:
        """Tell `watcher` what there is to see, if that is news to him, and whatever follows.

        :param name: whoever joins under the same name is told the same
        :param streams: the stream that is drawn, and others that change the drawing
        :param draw: draws it; None where there is nothing to be seen any more
        :raises StoreError: a stream cannot be asked
        """
        lengths = {stream: self._hub.look(stream) for stream in streams}
        with self._lock:
            channel = self._open.get(name)
            if channel is None:
                channel = self._open[name] = _Channel(streams, draw)
                threading.Thread(target=self._run, args=(name, channel), daemon=True).start()
            channel.watchers.add(watcher)
            if all(channel.seen.get(stream, -1) >= lengths[stream] for stream in streams):
                watcher.tell(channel.newest)
            else:
                # It has been told that it is behind, and will draw.
                channel.waiting.add(watcher)

    def leave(self, name: Hashable, watcher: Watcher) -> None:
        """Tell `watcher` no more."""
        with self._lock:
            if channel := self._open.get(name):
                channel.watchers.discard(watcher)
                channel.waiting.discard(watcher)

    def _run(self, name: Hashable, channel: _Channel) -> None:
        """Draw for a channel as long as anybody watches it."""
        try:
            while self._watched(name, channel):
                news = not channel.seen or self._hub.wait(channel.seen, IDLE)
                if not self._watched(name, channel) or not self._drawn(channel):
                    return
                if not news:
                    self._go_round(list(channel.watchers), Watcher.nudge)
        except Exception:
            getLogger(__name__).exception("nobody is told any more")
        finally:
            with self._lock:
                if self._open.get(name) is channel:
                    del self._open[name]
            for watcher in channel.watchers:
                watcher.end()

    def _watched(self, name: Hashable, channel: _Channel) -> bool:
        with self._lock:
            if channel.watchers and not self._hub.closed:
                return True
            # Whoever comes from now on opens another one.
            self._open.pop(name, None)
            return False

    def _drawn(self, channel: _Channel) -> bool:
        """Draw what there is to see now, and tell all who look; False where it is nothing."""
        drawn, *others = channel.streams
        # Asked before it is drawn: what comes in between is drawn again, not missed.
        lengths = {stream: self._hub.look(stream) for stream in others}
        drawing = channel.draw()
        if drawing is None:
            return False
        with self._lock:
            before, channel.newest = channel.newest, drawing
            channel.seen = {drawn: drawing.length, **lengths}
            # What moved elsewhere in the stream is no news to who has seen this part of it.
            seen = drawing.text == before.text
            watchers = list(channel.waiting if seen else channel.watchers)
            channel.waiting.clear()
        self._go_round(watchers, lambda watcher: watcher.tell(drawing))
        return True

    @staticmethod
    def _go_round(watchers: Sequence[Watcher], say: Callable[[Watcher], None]) -> None:
        for at in range(0, len(watchers), PARTY):
            for watcher in watchers[at : at + PARTY]:
                say(watcher)
            time.sleep(REST)
