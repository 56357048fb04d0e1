"""The web application: HTTP and nothing else."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from flask import Flask

import scorer
from scorer.book.channels import Channels
from scorer.book.ledger_totals import LedgerTotals
from scorer.book.ledgers import Ledgers
from scorer.book.machine_secret import machine_key
from scorer.book.retention import Retention
from scorer.book.single_flight import SingleFlight
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.runtime import SERVER, Runtime
from scorer.store.database_url import own_file
from scorer.store.keys import mint_code
from scorer.store.sqlite import SqliteStore
from scorer.web import frame, openapi, pocket, rules, table, tournament
from scorer.web.frame.database_reopen import DatabaseReopen
from scorer.web.frame.rate_limits import spend_stored
from scorer.web.frame.request_gate import LARGEST_BODY
from scorer.web.frame.sse_limits import streams

DRAWN: Final = 32_000_000
"""Characters of drawn pages that a process holds."""


def asset_root() -> Path:
    """Where templates/ and static/ lie: inside an installed wheel, else beside the package."""
    package = Path(scorer.__file__).parent
    return package if (package / "templates").is_dir() else package.parent


def create_app(config: dict[str, Any] | None = None, host: Runtime = SERVER) -> Flask:
    """The application.

    :param config: over the defaults: `DATABASE` (a path, or PostgreSQL's address), `PUBLIC_URL`
        (the address QR codes carry), `PROXIES` (how many trusted ones stand before it) and
        `PROXY_FROM` (their addresses or networks), `HOSTS` (names it answers to besides
        addresses and local names), `RATE_LIMITS` (bool), `STREAMS` (live pages a process
        holds), `COUNTS` (the file or the database in which several processes count their
        limits together), `METRICS_TOKEN` (opens /metrics, which is closed without it),
        `RETENTION` (months after which an evening that nobody opens is announced to be erased;
        0: never), `SERVERLESS` (a phone whose site has no server: links lead nowhere), `GUARDED`
        (notice a database file that is overwritten in place: `SqliteStore.guard`)
    :param host: where it runs
    """
    root = asset_root()
    app = Flask(
        "scorer",
        template_folder=str(root / "templates"),
        static_folder=str(root / "static"),
        instance_path=str(Path.cwd() / "instance"),
    )
    app.config.from_mapping(
        DATABASE=os.environ.get("DATABASE_URL") or str(Path(app.instance_path) / "bummerl.db"),
        PUBLIC_URL=os.environ.get("PUBLIC_URL", ""),
        HOSTS=os.environ.get("BUMMERL_HOSTS", ""),
        PROXIES=int(os.environ.get("BUMMERL_PROXIES", "0")),
        PROXY_FROM=os.environ.get("BUMMERL_PROXY_FROM", "127.0.0.1 ::1"),
        STREAMS=streams(),
        RETENTION=int(os.environ.get("BUMMERL_RETENTION", "0")),
        METRICS_TOKEN=os.environ.get("BUMMERL_METRICS_TOKEN", ""),
        COUNTS="",
        SERVERLESS=False,
        GUARDED=False,
        RATE_LIMITS=os.environ.get("BUMMERL_RATE_LIMITS", "on") != "off",
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        COMPRESS_MIMETYPES=[
            "text/html",
            "text/css",
            "text/javascript",
            "application/javascript",
            "image/svg+xml",
        ],
    )
    app.config.from_mapping(config or {})
    app.extensions["host"] = host
    app.extensions["database_reopen"] = DatabaseReopen(app, lambda: reopen_book(app, host))
    open_book(app, host)
    host.compress(app)
    for room in (frame, table, tournament, rules, pocket, openapi):
        room.init_app(app)
    return app


def open_book(app: Flask, host: Runtime = SERVER) -> None:
    """Go on with the score book that the settings name, as it lies there now."""
    database = app.config["DATABASE"]
    store = host.store(database)
    if app.config["GUARDED"] and isinstance(store, SqliteStore):
        store.guard()
    store.spend = spend_stored
    hub = app.extensions["hub"] = host.hub(store)
    app.extensions["tables"] = Tables(store, hub.moved, mint_code if host.codes else None)
    app.extensions["ledgers"] = Ledgers(store)
    app.extensions["tournaments"] = Tournaments(
        store, app.extensions["tables"], machine_key(own_file(database)), host.draw, hub.moved
    )
    app.extensions["retention"] = Retention(store, app.config["RETENTION"])
    app.extensions["channels"] = Channels(hub)
    app.extensions["totals"] = LedgerTotals()
    app.extensions["render_cache"] = SingleFlight[str](DRAWN, len)


def reopen_book(app: Flask, host: Runtime = SERVER) -> None:
    """Begin anew with the book that was put in the place of the open one.

    :raises Unavailable: nothing that could be opened lies there; the app is as it was
    """
    store, hub = app.extensions["tables"].store, app.extensions["hub"]
    store.make_way()
    open_book(app, host)
    hub.close()
    store.close()
