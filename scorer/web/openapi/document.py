"""Puts the OpenAPI document together: a path for each route under /api/, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from flask import Flask

from scorer import __version__
from scorer.store import MAX_KEY_LENGTH
from scorer.web.frame.api_description import described, description
from scorer.web.frame.body_limits import MAX_BODY_BYTES
from scorer.web.openapi.schemas import KEY, schemas

OPENAPI: Final = "3.1.0"
ROOT: Final = "/api/"
_REFUSED: Final = {
    400: "The request is no request of this API.",
    403: "The key may not do this, or another site sent it.",
    404: "The key opens nothing of the kind.",
    408: "What was sent did not arrive in time.",
    413: f"A body over {MAX_BODY_BYTES // 1024} KiB.",
    429: "Too often; `Retry-After` says when again.",
    503: "The score book cannot be read or written now.",
}


def _header(name: str, description: str, required: bool = False, **schema: int) -> dict[str, Any]:
    needed = {"required": True} if required else {}
    header = {"name": name, "in": "header", "description": description, **needed}
    return {**header, "schema": {"type": "string", **schema}}


_PARAMETERS: Final[dict[str, Any]] = {
    "Key": {
        "name": "key",
        "in": "path",
        "required": True,
        "description": "What opens a table or tournament, in one of its roles.",
        "schema": KEY,
    },
    "IdempotencyKey": _header(
        "Idempotency-Key",
        "The caller's own name for this event: sent again it counts once.",
        required=True,
        minLength=1,
        maxLength=MAX_KEY_LENGTH,
    ),
    "OwnName": _header(
        "Idempotency-Key",
        "The caller's own name for this, so that it counts once.",
        maxLength=MAX_KEY_LENGTH,
    ),
    "IfMatch": _header(
        "If-Match", "The seq the caller has seen; 409 where the table has moved on."
    ),
    "IfNoneMatch": _header(
        "If-None-Match", "The ETag of what the caller has: 304 where it is still that."
    ),
    "LastEventID": _header("Last-Event-ID", "The seq the watcher has seen."),
}


def document(app: Flask) -> dict[str, Any]:
    """The whole document.

    :raises LookupError: a route that nothing is said about
    """
    paths: dict[str, Any] = {}
    for path, method, endpoint in _routes(app):
        view = app.view_functions[endpoint]
        route = description(view)
        if route is None:
            raise LookupError(f"{endpoint}: say what it takes and answers, with `described`")
        summary = (view.__doc__ or "").strip().partition("\n")[0]
        parts = paths.setdefault(path, {})
        parts[method.lower()] = {
            "operationId": endpoint.replace(".", "_"),
            "summary": summary,
            **_operation(route, method, "{key}" in path),
        }
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Bummerl",
            "version": __version__,
            "summary": "Evenings and tournaments of Watten.",
            "description": "docs/record.md tells it in words, with an example of each call.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": schemas(), "parameters": _PARAMETERS},
    }


def _routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Path, method and endpoint of each route of the API."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        if rule.rule.startswith(ROOT):
            path = re.sub(r"<(?:[^:>]+:)?([^>]+)>", r"{\1}", rule.rule)
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield path, method, rule.endpoint


def _operation(route: described, method: str, keyed: bool) -> dict[str, Any]:
    names = ("Key",) * keyed + route.headers
    refused = {400, 403, 503} | ({404} if keyed else set())
    if method != "GET":
        refused |= {408, 413, 429}
    answers = {str(status): _answer(status, name) for status, name in route.answers.items()}
    answers |= {str(status): _refusal(status) for status in refused - route.answers.keys()}
    operation_json: dict[str, Any] = {"responses": dict(sorted(answers.items()))}
    if names:
        operation_json["parameters"] = [
            {"$ref": f"#/components/parameters/{name}"} for name in names
        ]
    if route.body is not None:
        content = {"application/json": {"schema": _ref(route.body)}}
        operation_json["requestBody"] = {"required": route.body_needed, "content": content}
    return operation_json


def _answer(status: int, name: str) -> dict[str, Any]:
    if not name:
        return {"description": "Nothing new."}
    kind = "text/event-stream" if name == "Stream" else "application/json"
    schema_name = "Refused" if status >= 400 else name
    return {"description": schema_name, "content": {kind: {"schema": _ref(name)}}}


def _refusal(status: int) -> dict[str, Any]:
    content = {"application/json": {"schema": _ref("Error")}}
    return {"description": _REFUSED[status], "content": content}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
