"""The share of the disk that stays free for the tables and tournaments that are open."""

from __future__ import annotations

from flask import current_app

from scorer.store import Unavailable


def require_room() -> None:
    """:raises Unavailable: "scarce", too little disk is free for new streams"""
    free = current_app.extensions["tables"].store.free_disk_share()
    if free < current_app.config["DISK_RESERVE"] / 100:
        raise Unavailable("scarce")
