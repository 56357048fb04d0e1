"""The app inside a phone's browser: requests in, responses out; all data is in two files.

It runs in a worker of the browser. The worker passes it each request that no server answers, and
each request about unsent streams. The worker saves the two files before it returns the response to
a write.
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

from scorer.book import saved_book
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments, opened_streams
from scorer.engine import REGIONS, read_head
from scorer.platforms import PHONE
from scorer.store import Unavailable
from scorer.store.roles import DIRECTOR, HALL_VIEWER, MEMBER, READER, SIGNUP, TABLE_KIND, WRITER
from scorer.store.sqlite.phone_store import Adoption, Merged, PhoneStore, UnsentStream
from scorer.tournament import parse
from scorer.web import create_app, open_book
from scorer.web.frame.device_identity import FORMER_NAME_COOKIE, SEED_COOKIE
from scorer.web.frame.remembered_keys import (
    KEY_COOKIES,
    LEDGERS_COOKIE,
    OPENED_COOKIE,
    SECOND_WRITER_COOKIE,
    TABLES_COOKIE,
    TOURNAMENTS_COOKIE,
)

DATABASE_FILE: Final = "bummerl.db"
MAX_PART_LENGTH: Final = 3_500_000
"""Characters of a new stream sent at once: a server accepts 4 MiB."""
COOKIES_FILE: Final = "cookies.json"
MAX_DESCRIPTORS: Final = 4096
"""Limit of descriptors of a process in Emscripten."""
HELD_KEYS: Final = "held"
"""Cookie with all keys this phone has ever held; not shown to the app."""
LIST_COOKIES: Final = (*KEY_COOKIES, HELD_KEYS, OPENED_COOKIE, SECOND_WRITER_COOKIE)
"""Cookies that are lists, joined by dots."""


class OfflineApp:
    """The app of one phone.

    :param folder: where its database and its cookies are
    :param origin: the address of its pages, such as `https://bummerl.example/club`
    :param serverless: whether there is no server to send to
    """

    def __init__(self, folder: str, origin: str, serverless: bool = False) -> None:
        self.folder, self.origin = Path(folder), origin
        config = {
            "DATABASE": str(self.folder / DATABASE_FILE),
            "RATE_LIMITS": False,
            "PUBLIC_URL": origin,
            "SERVERLESS": serverless,
        }
        self.app = create_app(config, PHONE)
        self.app.extensions["phone"] = self
        self._open()
        bundle = {"bytes": 0, "version": ""}
        self.app.jinja_env.globals.update(pocket=lambda: bundle, phone_status=self.status)

    def _open(self) -> None:
        store = self.app.extensions["tables"].store
        assert isinstance(store, PhoneStore)
        self.store = store
        self.tournaments: Tournaments = self.app.extensions["tournaments"]
        self.cookies = self._read_cookies()

    def reopen(self) -> None:
        """Open the two files again after they were replaced."""
        self.store.close()
        open_book(self.app, PHONE)
        self._open()

    def warm_templates(self) -> None:
        """Render the most common pages once, so that their templates are cached in a memory
        snapshot. Closes the database."""
        tables: Tables = self.app.extensions["tables"]
        nobody = tables.create(read_head({"watten": 1, "rules": REGIONS[0]}))
        for page in ("/", f"/t/{nobody[WRITER]}"):
            self.answer("GET", page, {})
        self.store.close()

    def prepare_snapshot(self) -> None:
        """Prepare this process for a memory snapshot.

        A snapshot contains descriptor numbers. After it is restored, a number may belong to
        another file, such as the database, which a stale object would then close.

        :raises OSError: a file is still open
        """
        self.warm_templates()
        # This cache keeps the standard library's archive open.
        importlib.metadata.FastPath.__new__.cache_clear()  # type: ignore[attr-defined]
        gc.collect()
        if descriptors := open_descriptors():
            raise OSError(f"still open: {descriptors}")

    def status(self) -> dict[str, str | int]:
        unsent = self.unsent_count
        pocket = "conflict" if self.has_conflict() else "offline" if unsent else "ready"
        return {"pocket": pocket, "unsent": unsent}

    def answer(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes = b""
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Status, headers and body of the response to a request.

        :param url: path and query
        """
        path, _, query = url.partition("?")
        cookies = (f"{name}={value}" for name, value in self.cookies.items() if name != HELD_KEYS)
        cookie_header = "; ".join(cookies)
        sent = {**headers, "Cookie": cookie_header} if cookie_header else headers
        environ = create_environ(
            path, self.origin, query, method, headers=list(sent.items()), data=body
        )
        answer, status, response_headers = run_wsgi_app(self.app.wsgi_app, environ, buffered=True)
        self._take_cookies(response_headers.getlist("Set-Cookie"))
        answer_headers = [(name, value) for name, value in response_headers if name != "Set-Cookie"]
        return int(status.partition(" ")[0]), answer_headers, b"".join(answer)

    def storage_full_response(
        self, headers: Mapping[str, str]
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """The response when the phone's storage is full."""
        environ = create_environ("/", self.origin, headers=list(headers.items()))
        with self.app.request_context(environ):
            response = self.app.make_response(self.app.handle_user_exception(Unavailable("full")))
        return response.status_code, list(response.headers.items()), response.get_data()

    # To and from a server

    def adopt(self, key: str, answer: str) -> str:
        """Store a server's copy of the stream that `key` opens.

        :param answer: the server's JSON
        :returns: a value of `Adoption`; "updated" also if only cookies changed
        """
        data, before = json.loads(answer), dict(self.cookies)
        outcome = self.store.adopt(data["copy"])
        # The device's name is part of idempotency keys: a tap sent to both is recorded once.
        if seed := data.get("seed"):
            self.cookies[SEED_COOKIE] = seed
            self.cookies.pop(FORMER_NAME_COOKIE, None)
        # Display settings chosen on the server's pages.
        self.cookies.update(data.get("chosen", {}))
        access = self.store.find(key)
        # A key that this phone has held before is in a list, or a person removed it from there.
        if access is not None and key not in _keys_in(self.cookies, HELD_KEYS):
            self._remember(key, access.role)
        if outcome != Adoption.UNCHANGED:
            for stream in data["copy"]["streams"]:
                self._drop_cached(stream["id"])
        if self.cookies == before:
            return outcome.value
        self._write_cookies()
        return (Adoption.UPDATED if outcome == Adoption.UNCHANGED else outcome).value

    # The whole book as a file

    def book(self) -> dict[str, Any]:
        """All that this phone has, as `scorer.book.saved_book` checks it."""
        return {
            "phone": saved_book.VERSION,
            "archive": self.store.dump(),
            "server": self.store.server_has(),
            "cookies": self.cookies,
        }

    def merge(self, book: Mapping[str, Any]) -> Merged:
        """Add the records of a checked book that this phone lacks; its own cookies come first."""
        merged = self.store.merge(book["archive"], book["server"])
        for stream in (*merged.new, *merged.continued):
            self._drop_cached(stream)
        for name, value in book["cookies"].items():
            if name in LIST_COOKIES:
                local_keys = _keys_in(self.cookies, name)
                value = ".".join(dict.fromkeys([*local_keys, *filter(None, value.split("."))]))
            elif name in self.cookies:
                continue
            self.cookies[name] = value
        self._hold_keys()
        self._write_cookies()
        return merged

    def unknown_keys(self, keys_by_cookie: str) -> str:
        """The keys (JSON, by cookie) that open no stream on this phone, as a JSON list."""
        keys = [key for cookie_keys in json.loads(keys_by_cookie).values() for key in cookie_keys]
        return json.dumps([key for key in keys if self.store.find(key) is None])

    def set_key_lists(self, keys_by_cookie: str) -> bool:
        """Replace the lists of tables, ledgers and tournaments by the server's lists.

        Local keys stay first in a list if their streams have unsent entries or a conflict.

        :param keys_by_cookie: the server's lists, as JSON
        :returns: whether anything changed
        """
        before, unsynced = dict(self.cookies), self._unsynced_streams()
        for cookie, server_keys in json.loads(keys_by_cookie).items():
            local_keys = [key for key, stream in self._valid_keys(cookie) if stream in unsynced]
            joined = ".".join(
                dict.fromkeys(
                    [*(key for key in local_keys if key not in server_keys), *server_keys]
                )
            )
            if joined != self.cookies.get(cookie, ""):
                self.cookies[cookie] = joined
        if self.cookies == before:
            return False
        self._hold_keys()
        self._write_cookies()
        return True

    def replace_first_unsent(self, stream: str, seq: int, event: str) -> None:
        """Take the server's entry (JSON) of the first unsent event, its `seq`th."""
        self.store.replace_first_unsent(stream, seq, json.loads(event))
        self._drop_cached(stream)

    def _drop_cached(self, stream: str) -> None:
        for book in ("tables", "ledgers", "tournaments"):
            self.app.extensions[book].drop_cached(stream)

    def unsent_streams(self) -> str:
        return json.dumps([self._parcel(waiting) for waiting in self.store.unsent()])

    def _parcel(self, waiting: UnsentStream) -> dict[str, Any]:
        """The JSON that uploads one stream."""
        keys = self._keys(waiting.stream)
        rings = self.tournaments.keyrings.ring_digests(keys[DIRECTOR]) if DIRECTOR in keys else []
        copy = self.store.dump([waiting.stream], rings)
        return {
            "stream": waiting.stream,
            "new_stream": _first_part(copy) if waiting.is_new else None,
            "boxes": self._boxes(waiting, copy, keys),
            "base": waiting.base,
            "count": waiting.count,
            "keys": keys,
            "proof": self._proof(copy["streams"][0], keys) if waiting.is_new else "",
            "events": [
                {
                    "name": entry["key"],
                    "role": entry["event"]["by"].partition(" ")[0],
                    "body": entry["body"],
                    "proof": self._writer_key(entry["body"]),
                }
                for entry in waiting.events
            ],
        }

    def _proof(self, stream: Mapping[str, Any], keys: Mapping[str, str]) -> str:
        """The opener's key, then the writers' keys of the evenings that a ledger adds, joined by
        dots."""
        opener_key = keys.get(DIRECTOR) or keys.get(MEMBER) or keys.get(WRITER, "")
        evening_keys = (self._writer_key(entry["body"]) for entry in stream["events"])
        return ".".join(dict.fromkeys([opener_key, *filter(None, evening_keys)]))

    def _writer_key(self, body: Mapping[str, Any]) -> str:
        """The writer's key of the evening that a ledger's event adds, or ''."""
        return self._keys(body["table"]).get(WRITER, "") if body["do"] == "abend" else ""

    def _boxes(
        self, waiting: UnsentStream, copy: Mapping[str, Any], keys: Mapping[str, str]
    ) -> list[Mapping[str, str]]:
        """The boxes that this phone sealed, if the server has the stream. Each box is for the
        holder of one of the stream's keys."""
        if waiting.is_new or waiting.kind == TABLE_KIND:
            # A new stream includes its boxes; a table's are made by draws only.
            return []
        if DIRECTOR not in keys:
            return list(copy["boxes"])
        events = (parse(entry["body"]) for entry in waiting.events)
        opened_tables = {table for event in events for table in opened_streams(event)}
        boxes = self.tournaments.next_table_boxes(waiting.stream, keys[DIRECTOR], opened_tables)
        return [*copy["boxes"], *boxes]

    @property
    def unsent_count(self) -> int:
        """Number of entries that no server has, conflicts included."""
        in_conflict = sum(
            max(
                bool(copy.get("birth")),
                self.store.length(stream) - self.store.server_length(stream),
            )
            for stream, copy in self.store.conflicts().items()
        )
        return in_conflict + sum(waiting.count for waiting in self.store.unsent())

    def synced_keys(self) -> str:
        """The keys of the tables that the server has completely, as JSON."""
        unsynced = self._unsynced_streams()
        return json.dumps([key for key, stream in self._valid_keys() if stream not in unsynced])

    def _valid_keys(self, cookie: str = TABLES_COOKIE) -> Iterator[tuple[str, str]]:
        """The valid keys of a cookie, each with its stream."""
        for key in _keys_in(self.cookies, cookie):
            if access := self.store.find(key):
                yield key, access.stream

    def _unsynced_streams(self) -> set[str]:
        """The streams with unsent entries or a conflict."""
        return {waiting.stream for waiting in self.store.unsent()} | self.store.conflicts().keys()

    def has_conflict(self) -> bool:
        return bool(self.store.conflicts())

    def put_aside_revoked(self, stream: str, key: str) -> None:
        self.store.put_aside_revoked(stream, key)

    def put_aside_refused(self, stream: str, why: str) -> None:
        self.store.put_aside_refused(stream, why)

    def note_created(self, stream: str, events: int) -> None:
        self.store.note_created(stream, events)

    # Cookies

    def _keys(self, stream: str) -> dict[str, str]:
        """The keys of a stream on this phone by role, including those sealed for a director."""
        keys = {}
        for key in self._held_keys(stream):
            access = self.store.find(key)
            if access is not None and access.stream == stream:
                keys[access.role] = key
        return keys

    def _held_keys(self, stream: str) -> Iterator[str]:
        for key in _keys_in(self.cookies, HELD_KEYS):
            yield key
            if table := self.tournaments.keyrings.writer_key(key, stream):
                yield table

    def _remember(self, key: str, role: str) -> None:
        cookie_name = {MEMBER: LEDGERS_COOKIE, READER: LEDGERS_COOKIE}.get(role, TABLES_COOKIE)
        if role in (DIRECTOR, HALL_VIEWER, SIGNUP):
            cookie_name = TOURNAMENTS_COOKIE
        keys = _keys_in(self.cookies, cookie_name)
        if key not in keys:
            self.cookies[cookie_name] = ".".join([key, *keys])
            self._hold_keys()

    def _take_cookies(self, lines: list[str]) -> None:
        before = dict(self.cookies)
        for line in lines:
            for name, morsel in SimpleCookie(line).items():
                if morsel.value and morsel["max-age"] != "0":
                    self.cookies[name] = morsel.value
                else:
                    self.cookies.pop(name, None)
        if self.cookies != before:
            self._hold_keys()
            self._write_cookies()

    def _hold_keys(self) -> None:
        """Add all listed keys to the held keys. A key that is removed from a list later may still
        be needed for sending."""
        keys = dict.fromkeys(
            key
            for cookie_name in (HELD_KEYS, TABLES_COOKIE, LEDGERS_COOKIE, TOURNAMENTS_COOKIE)
            for key in _keys_in(self.cookies, cookie_name)
        )
        self.cookies[HELD_KEYS] = ".".join(keys)

    def _write_cookies(self) -> None:
        (self.folder / COOKIES_FILE).write_text(json.dumps(self.cookies))

    def _read_cookies(self) -> dict[str, str]:
        try:
            cookies: Any = json.loads((self.folder / COOKIES_FILE).read_text())
        except (OSError, ValueError):
            return {}
        return {str(name): str(value) for name, value in cookies.items()}


def open_descriptors() -> list[int]:
    """The open file descriptors except stdin, stdout and stderr."""
    descriptors = []
    for descriptor in range(3, MAX_DESCRIPTORS):
        with suppress(OSError):
            os.fstat(descriptor)
            descriptors.append(descriptor)
    return descriptors


def _first_part(copy: dict[str, Any]) -> dict[str, Any]:
    """The part of a new stream that fits into one request; the rest is sent by event."""
    [stream] = copy["streams"]
    room = MAX_PART_LENGTH - len(json.dumps({**copy, "streams": [{**stream, "events": []}]}))
    sizes = accumulate(len(json.dumps(entry)) + 2 for entry in stream["events"])
    fitting_count = sum(size <= room for size in sizes)
    return {**copy, "streams": [{**stream, "events": stream["events"][:fitting_count]}]}


def _keys_in(cookies: Mapping[str, str], cookie_name: str) -> list[str]:
    return [key for key in cookies.get(cookie_name, "").split(".") if key]
