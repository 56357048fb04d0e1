"""Limits of a request's body. A view that accepts more sets `request.max_content_length`."""

from __future__ import annotations

import io
from typing import Any, Final

from flask import abort
from werkzeug.formparser import FormDataParser

MAX_BODY_BYTES: Final = 64 * 1024


class NamedPartsParser(FormDataParser):
    """Reads forms whose parts all have a name."""

    def parse(self, *arguments: Any, **options: Any) -> Any:
        """:raises BadRequest: 400, a part has none"""
        stream, form, files = super().parse(*arguments, **options)
        if None in form or None in files:
            abort(400, "bad-body")
        return stream, form, files


def read_chunked_body(environ: dict[str, Any]) -> str | None:
    """Read a chunked body and set its length.

    :returns: an error code, or None
    """
    if "chunked" not in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        return None
    body = b""
    try:
        while len(body) <= MAX_BODY_BYTES and (part := environ["wsgi.input"].read(MAX_BODY_BYTES)):
            body += part
    except Exception:
        # Servers raise different errors for invalid chunks.
        return "bad-body"
    finally:
        del environ["HTTP_TRANSFER_ENCODING"]
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
    return "too-large" if len(body) > MAX_BODY_BYTES else None
