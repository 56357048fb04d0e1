"""Settings from environment variables. docs/operate.md describes each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

DATABASE: Final = Path("instance") / "bummerl.db"
"""The default database, relative to the working directory."""


def app_config() -> dict[str, Any]:
    """The app's settings; `create_app` describes the keys."""
    return {
        "DATABASE": os.environ.get("DATABASE_URL") or str(Path.cwd() / DATABASE),
        "PUBLIC_URL": os.environ.get("PUBLIC_URL", ""),
        "HOSTS": os.environ.get("BUMMERL_HOSTS", ""),
        "PROXIES": int(os.environ.get("BUMMERL_PROXIES", "0")),
        "PROXY_FROM": os.environ.get("BUMMERL_PROXY_FROM", "127.0.0.1 ::1"),
        "MAX_LIVE_PAGES": max_live_pages(),
        "RETENTION": int(os.environ.get("BUMMERL_RETENTION", "0")),
        "DISK_RESERVE": float(os.environ.get("BUMMERL_RESERVE", "1")),
        "METRICS_TOKEN": metrics_token(),
        "RATE_LIMITS": os.environ.get("BUMMERL_RATE_LIMITS", "on") != "off",
    }


def configured_url() -> str:
    """The base of all addresses without a slash at its end, or ""."""
    return os.environ.get("PUBLIC_URL", "").rstrip("/")


def max_live_pages() -> int:
    """The most live pages of one worker."""
    return int(os.environ.get("BUMMERL_STREAMS", "5000"))


def client_seconds() -> int:
    """The timeout of a request's head in seconds; that of its body follows from it."""
    return int(os.environ.get("BUMMERL_PATIENCE", "10"))


def metrics_token() -> str:
    return os.environ.get("BUMMERL_METRICS_TOKEN", "")


def uses_json_log() -> bool:
    """Whether the log has one JSON line per request."""
    return os.environ.get("BUMMERL_LOG", "") == "json"


def bundle_folder() -> str:
    """The folder of the offline app, or "" for the usual places."""
    return os.environ.get("BUMMERL_POCKET", "")
