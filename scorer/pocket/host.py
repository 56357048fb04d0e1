"""The app inside a phone's browser: one request in, one answer out, everything in two files.

It runs in the browser's service worker, which hands it every request that no server answers and
keeps the two files durably before an answer leaves.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.cookies import SimpleCookie
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from werkzeug.test import create_environ, run_wsgi_app

from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments, opens
from scorer.engine import REGIONS, read_head
from scorer.runtime import PHONE
from scorer.store import Unavailable
from scorer.store.sqlite.phone_store import PhoneStore, UnsentStream
from scorer.tournament import parse
from scorer.web import create_app, open_book
from scorer.web.frame.device_cookies import LEDGERS, MINE, NAME, TOURNAMENTS

BOOK: Final = "bummerl.db"
PART: Final = 3_500_000
"""Letters of a new stream that are sent at once: a server takes 4 MiB."""
COOKIES: Final = "cookies.json"
MOST_DESCRIPTORS: Final = 4096
"""That a process in a browser can have."""
HELD: Final = "held"
"""Beside the cookies that pages see: all keys this phone ever held."""


class Phone:
    """The app of one phone.

    :param folder: where its score book and its cookies lie
    :param origin: the address its pages are asked for under, such as `https://bummerl.example`
    :param serverless: whether there is no server to send to
    """

    def __init__(self, folder: str, origin: str, serverless: bool = False) -> None:
        self.folder, self.origin = Path(folder), origin
        config = {
            "DATABASE": str(self.folder / BOOK),
            "RATE_LIMITS": False,
            "PUBLIC_URL": origin,
            "SERVERLESS": serverless,
        }
        self.app = create_app(config, PHONE)
        self._open()
        bundle = {"bytes": 0, "version": ""}
        self.app.jinja_env.globals.update(pocket=bundle, phone_stands=self.stands)

    def _open(self) -> None:
        store = self.app.extensions["tables"].store
        assert isinstance(store, PhoneStore)
        self.store = store
        self.tournaments: Tournaments = self.app.extensions["tournaments"]
        self.cookies = self._read()

    def recall(self) -> None:
        """Go on from the two files as they lie there now."""
        self.store.close()
        open_book(self.app, PHONE)
        self._open()

    def rehearse(self) -> None:
        """Show once what a phone is asked for first, at a table where nobody plays: whoever keeps
        the memory then need not read these templates again. The book is closed afterwards."""
        tables: Tables = self.app.extensions["tables"]
        nobody = tables.create(read_head({"watten": 1, "rules": REGIONS[0]}))
        for page in ("/", f"/t/{nobody['scorer']}"):
            self.answer("GET", page, {})
        self.store.close()

    def prepare_snapshot(self) -> None:
        """Make this process fit for a snapshot of its memory, from which others go on.

        In the memory an open file is a number, and where that memory wakes the number is another
        file's: whatever closed it there would close the score book.

        :raises OSError: a file is still open
        """
        self.rehearse()
        # Holds the standard library's archive open, once any library has asked for its version.
        importlib.metadata.FastPath.__new__.cache_clear()  # type: ignore[attr-defined]
        gc.collect()
        if found := open_descriptors():
            raise OSError(f"still open: {found}")

    def stands(self) -> dict[str, str | int]:
        """What every page says of this phone."""
        unsent = self.unsent
        pocket = "conflict" if self.parted() else "offline" if unsent else "ready"
        return {"pocket": pocket, "unsent": unsent}

    def answer(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Status, headers and body of the answer to a request.

        :param url: path and query
        """
        path, _, query = url.partition("?")
        told = (f"{name}={value}" for name, value in self.cookies.items() if name != HELD)
        jar = "; ".join(told)
        sent = {**headers, "Cookie": jar} if jar else headers
        environ = create_environ(
            path, self.origin, query, method, headers=list(sent.items()), data=body
        )
        answer, status, found = run_wsgi_app(self.app.wsgi_app, environ, buffered=True)
        self._take(found.getlist("Set-Cookie"))
        kept = [(name, value) for name, value in found if name != "Set-Cookie"]
        return int(status.partition(" ")[0]), kept, b"".join(answer)

    def full(self, headers: Mapping[str, str]) -> tuple[int, list[tuple[str, str]], bytes]:
        """The answer where nothing more can be kept on this phone."""
        environ = create_environ("/", self.origin, headers=list(headers.items()))
        with self.app.request_context(environ):
            found = self.app.make_response(self.app.handle_user_exception(Unavailable("full")))
        return found.status_code, list(found.headers.items()), found.get_data()

    # To and from a server

    def adopt(self, key: str, answer: str) -> str:
        """Take in a server's copy of what `key` opens; `PhoneStore.adopt` says what came of it.

        :param answer: the server's JSON
        """
        data, before = json.loads(answer), dict(self.cookies)
        done = self.store.adopt(data["copy"])
        # Recorded here and there under one name, a tap sent twice is recorded once.
        if name := data.get("name"):
            self.cookies[NAME] = name
        # Its pages look as they do from the server.
        self.cookies.update(data.get("chosen", {}))
        access = self.store.find(key)
        if access is not None:
            self._remember(key, access.role)
        if done == "moved":
            for stream in data["copy"]["streams"]:
                self._forget(stream["id"])
        if self.cookies == before:
            return done
        self._write()
        return "moved" if done == "same" else done

    def strange(self, shelves: str) -> str:
        """Which keys of these shelves, in JSON, open nothing on this phone yet."""
        keys = [key for shelf in json.loads(shelves).values() for key in shelf]
        return json.dumps([key for key in keys if self.store.find(key) is None])

    def shelve(self, shelves: str) -> bool:
        """List these tables, ledgers and tournaments, in JSON, as the server does; in front of them
        those it does not have.

        :returns: whether that is anything new
        """
        before, behind = dict(self.cookies), self._behind()
        for shelf, theirs in json.loads(shelves).items():
            own = [key for key, stream in self._opened(shelf) if stream in behind]
            found = ".".join(dict.fromkeys([*(key for key in own if key not in theirs), *theirs]))
            if found != self.cookies.get(shelf, ""):
                self.cookies[shelf] = found
        if self.cookies == before:
            return False
        self._hold()
        self._write()
        return True

    def settle(self, stream: str, answer: str, sent: int) -> None:
        """A server has this stream's first `sent` events: its version takes their place."""
        self.store.settle(stream, json.loads(answer)["copy"], sent)
        self._forget(stream)

    def _forget(self, stream: str) -> None:
        """What was folded of a stream may stand otherwise now."""
        for book in ("tables", "ledgers", "tournaments"):
            self.app.extensions[book].forget(stream)

    def waiting(self) -> str:
        """What has to go to the server, as JSON."""
        return json.dumps([self._parcel(waiting) for waiting in self.store.unsent()])

    def _parcel(self, waiting: UnsentStream) -> dict[str, Any]:
        keys = self._keys(waiting.stream)
        rings = self.tournaments.keyrings.digests(keys["director"]) if "director" in keys else []
        copy = self.store.dump([waiting.stream], rings)
        return {
            "stream": waiting.stream,
            "birth": _first_part(copy) if waiting.birth else None,
            "boxes": self._boxes(waiting, copy, keys),
            "base": waiting.base,
            "count": waiting.count,
            "keys": keys,
            "proof": self._proof(copy["streams"][0], keys) if waiting.birth else "",
            "events": [
                {
                    "name": entry["key"],
                    "role": entry["event"]["by"].partition(" ")[0],
                    "body": entry["body"],
                    "proof": self._writes(entry["body"]),
                }
                for entry in waiting.events
            ],
        }

    def _proof(self, birth: Mapping[str, Any], keys: Mapping[str, str]) -> str:
        """The keys by which a server finds what a new stream names."""
        own = keys.get("director") or keys.get("member") or keys.get("scorer", "")
        counted = (self._writes(entry["body"]) for entry in birth["events"])
        return ".".join(dict.fromkeys([own, *filter(None, counted)]))

    def _writes(self, body: Mapping[str, Any]) -> str:
        """The key by which an evening is written that an entry of a ledger counts."""
        return self._keys(body["table"]).get("scorer", "") if body["do"] == "abend" else ""

    def _boxes(
        self, waiting: UnsentStream, copy: Mapping[str, Any], keys: Mapping[str, str]
    ) -> list[Mapping[str, str]]:
        """What was sealed here for the holders of a stream that the server knows."""
        if waiting.birth or waiting.kind == "table":
            # A birth has its own. For who sits at a table only a draw seals more.
            return []
        if "director" not in keys:
            return list(copy["boxes"])
        said = (parse(entry["body"]) for entry in waiting.events)
        opened = {table for event in said for table in opens(event)}
        ways = self.tournaments.ways(waiting.stream, keys["director"], opened)
        return [*copy["boxes"], *ways]

    @property
    def unsent(self) -> int:
        """How much no server has yet."""
        parted = sum(
            max(bool(copy.get("birth")), self.store.length(stream) - self.store.base(stream))
            for stream, copy in self.store.parted().items()
        )
        return parted + sum(waiting.count for waiting in self.store.unsent())

    def level(self) -> str:
        """The keys of tables on this phone of which a server has everything, as JSON."""
        behind = self._behind()
        return json.dumps([key for key, stream in self._opened() if stream not in behind])

    def _opened(self, shelf: str = MINE) -> Iterator[tuple[str, str]]:
        """The keys of one of this phone's shelves that open something, each with its stream."""
        for key in _keys_in(self.cookies, shelf):
            if access := self.store.find(key):
                yield key, access.stream

    def _behind(self) -> set[str]:
        """The streams of which no server has everything."""
        return {waiting.stream for waiting in self.store.unsent()} | self.store.parted().keys()

    def parted(self) -> bool:
        """Whether somebody must decide between two versions."""
        return bool(self.store.parted())

    def closed(self, stream: str, key: str, events: int) -> None:
        """A server has a stream's first `events`, and `key` writes there no more."""
        self.store.closed(stream, key, events)

    def refused(self, stream: str, events: int, why: str) -> None:
        """A server has a stream's first `events` and says why it takes no more."""
        self.store.refused(stream, events, why)

    def born(self, stream: str, events: int) -> None:
        """A server has this stream now, with its first `events`."""
        self.store.born(stream, events)

    # Cookies

    def _keys(self, stream: str) -> dict[str, str]:
        """The keys of a stream that this phone holds, by role; a desk holds its tables' too."""
        found = {}
        for key in self._held(stream):
            access = self.store.find(key)
            if access is not None and access.stream == stream:
                found[access.role] = key
        return found

    def _held(self, stream: str) -> Iterator[str]:
        for key in _keys_in(self.cookies, HELD):
            yield key
            if table := self.tournaments.keyrings.writing(key, stream):
                yield table

    def _remember(self, key: str, role: str) -> None:
        jar = {"member": LEDGERS, "reader": LEDGERS}.get(role, MINE)
        jar = TOURNAMENTS if role in ("director", "hall", "signup") else jar
        known = _keys_in(self.cookies, jar)
        if key not in known:
            self.cookies[jar] = ".".join([key, *known])
            self._hold()

    def _take(self, lines: list[str]) -> None:
        before = dict(self.cookies)
        for line in lines:
            for name, morsel in SimpleCookie(line).items():
                if morsel.value and morsel["max-age"] != "0":
                    self.cookies[name] = morsel.value
                else:
                    self.cookies.pop(name, None)
        if self.cookies != before:
            self._hold()
            self._write()

    def _hold(self) -> None:
        """What was taken off a list still opens what is to be sent."""
        found = dict.fromkeys(
            key for jar in (HELD, MINE, LEDGERS, TOURNAMENTS) for key in _keys_in(self.cookies, jar)
        )
        self.cookies[HELD] = ".".join(found)

    def _write(self) -> None:
        (self.folder / COOKIES).write_text(json.dumps(self.cookies))

    def _read(self) -> dict[str, str]:
        try:
            found: Any = json.loads((self.folder / COOKIES).read_text())
        except (OSError, ValueError):
            return {}
        return {str(name): str(value) for name, value in found.items()}


def open_descriptors() -> list[int]:
    """The file descriptors of this process beyond input, output and errors."""
    found = []
    for descriptor in range(3, MOST_DESCRIPTORS):
        with suppress(OSError):
            os.fstat(descriptor)
            found.append(descriptor)
    return found


def _first_part(birth: dict[str, Any]) -> dict[str, Any]:
    """As much of a new stream as a server takes at once; what is behind goes event by event."""
    [stream] = birth["streams"]
    room = PART - len(json.dumps({**birth, "streams": [{**stream, "events": []}]}))
    sizes = accumulate(len(json.dumps(entry)) + 2 for entry in stream["events"])
    fitting = sum(size <= room for size in sizes)
    return {**birth, "streams": [{**stream, "events": stream["events"][:fitting]}]}


def _keys_in(cookies: Mapping[str, str], jar: str) -> list[str]:
    return [key for key in cookies.get(jar, "").split(".") if key]
