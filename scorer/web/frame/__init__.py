"""The parts that every request passes: access by key, language, limits, errors.

It imports no page. `init_app` calls the parts in an order on which security depends.
"""

from __future__ import annotations

from typing import Final

from flask import Flask

from scorer.web.frame import (
    answer_header,
    assets,
    csrf,
    database_check,
    dialects,
    errors,
    health,
    htmx,
    language,
    logs,
    metrics,
    mount,
    processor_time,
    proxies,
    public_address,
    rate_limits,
    refusals,
    request_checks,
    request_deadline,
    security_headers,
    sse_limits,
    templates,
    translation,
)

# Flask calls `before_request` functions in this order. The first two start the clock, so that
# refused requests are logged and counted too. A wrong host or body is refused before any
# other part uses it. An address without processor time is refused before the database is read.
#
# A part that wraps `app.wsgi_app` goes around the earlier ones, so a request passes these last to
# first:
# - answer_header is outermost and marks every response.
# - request_deadline covers all transactions of a request.
# - mount removes the folder in which the app is, so that all others see the app's own paths.
# - proxies replaces the client's address and host before anything uses them.
# - processor_time also measures request_checks, which reads chunked bodies.
# - request_checks is innermost and checks the host name that a trusted proxy reports.
WRAPPING_PARTS: Final = (
    logs,
    metrics,
    request_checks,
    processor_time,
    proxies,
    mount,
    request_deadline,
    answer_header,
)
# These wrap nothing. A write sent by another site is refused (csrf) before the database is
# checked; both come before any view.
OTHER_PARTS: Final = (
    templates,
    language,
    translation,
    dialects,
    public_address,
    rate_limits,
    sse_limits,
    csrf,
    security_headers,
    htmx,
    assets,
    errors,
    refusals,
    health,
    database_check,
)


def init_app(app: Flask) -> None:
    for part in (*WRAPPING_PARTS, *OTHER_PARTS):
        part.init_app(app)
