"""Refused input: views raise, and the handlers here answer with the form's page or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    g,
    make_response,
    redirect,
    request,
    url_for,
)
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal, Unreadable
from scorer.store import IdempotencyKeyReused, Stale, Unavailable
from scorer.web.frame.api_description import description
from scorer.web.frame.errors import (
    CodedText,
    asks_json,
    error_response,
    main_page,
    message,
    unavailable_response,
    unreadable_text,
)
from scorer.web.frame.rate_limits import RequestKind, limited

View = TypeVar("View", bound=Callable[..., Any])
_PAGE_ATTRIBUTE: Final = "refused_page"
_INVALID_BODY_CODES: Final = {
    "NewTable": "bad-record",
    "Event": "bad-event",
    "NewTournament": "bad-tournament",
    "DrawAnyway": "bad-result",
    "Result": "bad-result",
    "Questions": "bad-question",
}
"""Error code of an invalid body, by its schema."""


@dataclass(frozen=True, slots=True)
class Refusal:
    text: CodedText
    status: int = 422
    rule: str = ""
    question: object = None
    """The question to answer first, as data for the page."""
    resend: str = ""
    """The event as JSON to send again after a database failure, or to send instead of the refused
    one."""
    token: str = ""
    confirm: str = ""
    """Text of the button that sends `resend` instead of the refused event."""


class Refused(Exception):
    """Raised by views; the page named in `form_route` shows the refusal."""

    def __init__(self, refusal: Refusal | CodedText) -> None:
        super().__init__(refusal)
        self.refusal = refusal if isinstance(refusal, Refusal) else Refusal(refusal)


PageEndpoint = str | Callable[[], str]


def form_route(
    blueprint: Blueprint, rule: str, kind: RequestKind, page: PageEndpoint | None = None
) -> Callable[[View], View]:
    """Route a form's POST with limits per client. The endpoint `page` shows refusals; without it
    the error page does.

    `page` is called as a view with those URL parameters that it takes; `current_refusal()` has the
    reason.
    """

    def route(view: View) -> View:
        setattr(view, _PAGE_ATTRIBUTE, page)
        blueprint.post(rule)(limited(kind)(view))
        return view

    return route


def page_of(view: Callable[..., Any]) -> PageEndpoint | None:
    """The endpoint that shows a view's refusals; None for the error page."""
    return getattr(view, _PAGE_ATTRIBUTE, None)


def current_refusal() -> Refusal | None:
    """The refusal of this request, or None."""
    refusal: Refusal | None = g.get("refusal")
    return refusal


def current_refusal_text() -> str:
    """The text of this request's refusal, or ""."""
    current = current_refusal()
    return current.text if current else ""


def refusal_response(refusal: Refusal) -> Response:
    """The page that shows a refusal, with its status; for a program, the refusal as JSON."""
    page = page_of(current_app.view_functions[request.endpoint or ""])
    if page is None or asks_json():
        return error_response(refusal.status, refusal.text.code, refusal.text)
    g.refusal = refusal
    page = page if isinstance(page, str) else page()
    try:
        url_values = _accepted_values(page, request.view_args or {})
        response = make_response(current_app.view_functions[page](**url_values))
    except Unavailable as error:
        return unavailable_response(error)
    except HTTPException as error:
        # That page fails, too.
        return make_response(current_app.handle_http_exception(error))
    response.status_code = refusal.status
    return response


def _accepted_values(page: str, url_values: Mapping[str, Any]) -> dict[str, Any]:
    accepts = current_app.url_map.is_endpoint_expecting
    return {name: value for name, value in url_values.items() if accepts(page, name)}


def _redirect_to_page_of_form() -> AnyResponse | None:
    """A redirect from the address of a form to its page; None for other requests.

    A page with a refusal has the form's address. A browser may open it again later, and links on
    the page that are only a query lead to it.
    """
    if not isinstance(request.routing_exception, MethodNotAllowed) or is_write_request():
        return None
    adapter = request_ctx.url_adapter
    if adapter is None or asks_json():
        return None
    try:
        endpoint, url_values = adapter.match(method="POST")
    except (MethodNotAllowed, NotFound):
        return None
    page = page_of(current_app.view_functions[endpoint])
    if isinstance(page, str):
        address = url_for(page, **_accepted_values(page, url_values))
    else:
        address = main_page(url_values) or url_for("start.page")
    query = request.query_string.decode()
    return redirect(f"{address}?{query}" if query else address, 303)


def is_write_request() -> bool:
    """Whether the request may record something; errors of other requests are not refusals."""
    return request.method not in ("GET", "HEAD")


def init_app(app: Flask) -> None:
    """Register the handlers; blueprints may override them."""
    app.before_request(_redirect_to_page_of_form)

    @app.errorhandler(Refused)
    def handle_refused(error: Refused) -> Response:
        return refusal_response(error.refusal)

    @app.errorhandler(Illegal)
    def handle_illegal(error: Illegal) -> Response:
        if not is_write_request():
            raise error
        return refusal_response(Refusal(message(error.code)))

    @app.errorhandler(Unreadable)
    def handle_unreadable(error: Unreadable) -> Response:
        if not is_write_request():
            raise error
        if not asks_json():
            return refusal_response(Refusal(unreadable_text(error)))
        operation = description(current_app.view_functions[request.endpoint or ""])
        code = _INVALID_BODY_CODES[operation.body or ""] if operation else "bad-body"
        return error_response(422, code, message(code, reason=str(error)))

    @app.errorhandler(IdempotencyKeyReused)
    @app.errorhandler(Stale)
    def handle_conflict(error: IdempotencyKeyReused | Stale) -> Response:
        if isinstance(error, IdempotencyKeyReused) and asks_json():
            return error_response(422, "key-reused")
        return error_response(409, "stale")
