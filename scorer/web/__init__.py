"""The Flask application: HTTP only."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from flask import Flask

from scorer.book.ledger_cache import LedgerTotals
from scorer.book.ledgers import Ledgers
from scorer.book.live_channels import Channels
from scorer.book.recovery_file import recovery_secret
from scorer.book.retention import Retention
from scorer.book.single_flight import SingleFlight
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.config import app_config
from scorer.platforms import SERVER, Platform
from scorer.store.database_url import own_file
from scorer.store.keys import mint_code
from scorer.web import frame, openapi, pocket, rules, table, tournament
from scorer.web.frame.assets import asset_root, fingerprint
from scorer.web.frame.body_limits import MAX_BODY_BYTES
from scorer.web.frame.lazy_url_rules import LazyRule
from scorer.web.frame.rate_limits import count_stored_bytes
from scorer.web.table.new_table_form import default_side_names

RENDER_CACHE_CHARACTERS: Final = 32_000_000
"""Size of the render cache of a process, in characters."""
DEVICE_NAME_CACHE_SIZE: Final = 10_000
"""Names of devices in streams that a process caches."""


def create_app(config: dict[str, Any] | None = None, platform: Platform = SERVER) -> Flask:
    """Create the application.

    :param config: overrides the defaults: `DATABASE` (a path, or the URL of a PostgreSQL database),
        `PUBLIC_URL` (base of the addresses in QR codes), `PROXIES` (number of trusted proxies) and
        `PROXY_FROM` (their addresses or networks), `HOSTS` (accepted host names besides addresses
        and local names), `RATE_LIMITS` (bool), `MAX_LIVE_PAGES` (int, per process), `COUNTS`
        (file or database in which several processes share rate limit counts), `METRICS_TOKEN`
        (bearer token for /metrics; without one it answers 404), `RETENTION` (months without a visit
        after which a table is announced for deletion; 0: never), `DISK_RESERVE` (percent of the
        disk that must be free to open new streams), `LOOPBACK` (bool: the server listens on a
        loopback address only), `SERVERLESS` (the phone app of a
        site without a server: QR codes replace links)
    :param platform: what it runs on
    """
    root = asset_root()
    app = Flask(
        "scorer",
        template_folder=str(root / "templates"),
        static_url_path=f"/static/{fingerprint(root / 'static')}",
        static_folder=str(root / "static"),
        instance_path=str(Path.cwd() / "instance"),
    )
    app.url_rule_class = LazyRule
    app.config.from_mapping(
        **app_config(),
        COUNTS="",
        LOOPBACK=False,
        SERVERLESS=False,
        MAX_CONTENT_LENGTH=MAX_BODY_BYTES,
        MAX_FORM_MEMORY_SIZE=MAX_BODY_BYTES,
        COMPRESS_MIMETYPES=[
            "text/html",
            "text/css",
            "text/javascript",
            "application/javascript",
            "application/manifest+json",
            "image/svg+xml",
        ],
    )
    app.config.from_mapping(config or {})
    app.extensions["platform"] = platform
    open_book(app, platform)
    platform.compress(app)
    for package in (frame, table, tournament, rules, pocket, openapi):
        package.init_app(app)
    return app


def open_book(app: Flask, platform: Platform = SERVER) -> None:
    database = app.config["DATABASE"]
    store = platform.store(database)
    store.spend = count_stored_bytes
    hub = app.extensions["hub"] = platform.hub(store)
    app.extensions["tables"] = Tables(store, hub.changed, mint_code if platform.codes else None)
    app.extensions["ledgers"] = Ledgers(store)
    app.extensions["tournaments"] = Tournaments(
        store,
        app.extensions["tables"],
        recovery_secret(own_file(database)),
        platform.draw,
        hub.changed,
    )
    app.extensions["retention"] = Retention(store, app.config["RETENTION"])
    app.extensions["channels"] = Channels(hub)
    app.extensions["totals"] = LedgerTotals(nobody=default_side_names())
    app.extensions["render_cache"] = SingleFlight[str](RENDER_CACHE_CHARACTERS, len)
    app.extensions["device_names"] = SingleFlight[str](DEVICE_NAME_CACHE_SIZE, lambda _: 1)
