"""Sets cookies that last a year. Behind a proxy, `proxies.py` says whether a request was secure."""

from __future__ import annotations

from typing import Final

from flask import current_app, request
from werkzeug.wrappers import Response as AnyResponse

_COOKIE_SECONDS: Final = 366 * 24 * 3600


def set_cookie(response: AnyResponse, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=_COOKIE_SECONDS,
        path=current_app.config["APPLICATION_ROOT"],
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
