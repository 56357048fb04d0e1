"""What programs send."""

from __future__ import annotations

import json
from typing import Any

from flask import abort, request


def json_body() -> Any:
    """The request's JSON.

    :raises BadRequest: 400, it is none
    """
    try:
        return json.loads(request.get_data().decode("utf-8"))
    except (ValueError, RecursionError):
        abort(400, "not-json")
