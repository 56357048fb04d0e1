"""What is not recorded: views let errors pass, and this says them once, on a page or as JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from flask import Blueprint, Flask, Response, current_app, g, make_response, request
from werkzeug.exceptions import HTTPException

from scorer.engine import Illegal, Unreadable
from scorer.store import KeyReused, Stale, Unavailable
from scorer.web.frame.api_description import description
from scorer.web.frame.errors import CodedText, answer, asks_json, message, unavailable, unreadable
from scorer.web.frame.rate_limits import Most, limited

View = TypeVar("View", bound=Callable[..., Any])
_PAGE: Final = "refused_page"
_NO_BODY: Final = {
    "NewTable": "bad-record",
    "Event": "bad-event",
    "NewTournament": "bad-tournament",
    "DrawAnyway": "bad-result",
    "Result": "bad-result",
    "Questions": "bad-question",
}
"""The code of a body that cannot be read, by its schema."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not recorded, for the page that says so."""

    text: CodedText
    status: int = 422
    rule: str = ""
    """The id of the rule that refuses it, if one does."""
    question: object = None
    """What must be answered before it is recorded, as the page has it."""
    resend: str = ""
    """The event to send again as JSON, where the score book could not keep it."""
    token: str = ""
    """The token to send it with."""


class Refused(Exception):
    """Something is not recorded; the page named by `form_route` shows why."""

    def __init__(self, refusal: Refusal | CodedText) -> None:
        super().__init__(refusal)
        self.refusal = refusal if isinstance(refusal, Refusal) else Refusal(refusal)


Page = str | Callable[[], str]
"""An endpoint, or what finds it where it depends on the request."""


def form_route(
    blueprint: Blueprint, rule: str, most: tuple[Most, ...], page: Page | None = None
) -> Callable[[View], View]:
    """Route what a form sends: each client may send it `most` often, and what this view refuses is
    shown by the endpoint `page`, else on the page of errors.

    That page is called as a view, with those parts of the address that it takes, and finds the
    reason in `refusal()`.
    """

    def route(view: View) -> View:
        setattr(view, _PAGE, page)
        blueprint.post(rule)(limited(most)(view))
        return view

    return route


def page_of(view: Callable[..., Any]) -> Page | None:
    """Where it is shown what a view refuses; None for the page of errors."""
    return getattr(view, _PAGE, None)


def refusal() -> Refusal | None:
    """Why what this request sent was not recorded; None where nothing was refused."""
    found: Refusal | None = g.get("refusal")
    return found


def failed() -> str:
    """The sentence of the refusal, or ""."""
    found = refusal()
    return found.text if found else ""


def refused(found: Refusal) -> Response:
    """The page that shows a refusal, or JSON where a program asked."""
    page = page_of(current_app.view_functions[request.endpoint or ""])
    if page is None or asks_json():
        return answer(found.status, found.text.code, found.text)
    g.refusal = found
    page = page if isinstance(page, str) else page()
    takes = current_app.url_map.is_endpoint_expecting
    parts = {name: value for name, value in (request.view_args or {}).items() if takes(page, name)}
    try:
        response = make_response(current_app.view_functions[page](**parts))
    except Unavailable as error:
        return unavailable(error)
    except HTTPException as error:
        # That page is not there either.
        return make_response(current_app.handle_http_exception(error))
    response.status_code = found.status
    return response


def writes() -> bool:
    """Whether the request may record something; one that only looks is refused nothing."""
    return request.method not in ("GET", "HEAD")


def init_app(app: Flask) -> None:
    """Answer each kind of refusal; a room may say some of them in words of its own."""

    @app.errorhandler(Refused)
    def said(error: Refused) -> Response:
        return refused(error.refusal)

    @app.errorhandler(Illegal)
    def illegal(error: Illegal) -> Response:
        if not writes():
            raise error
        return refused(Refusal(message(error.code)))

    @app.errorhandler(Unreadable)
    def not_read(error: Unreadable) -> Response:
        if not writes():
            raise error
        if not asks_json():
            return refused(Refusal(unreadable(error)))
        described = description(current_app.view_functions[request.endpoint or ""])
        code = _NO_BODY[described.body or ""] if described else "bad-body"
        return answer(422, code, message(code, reason=str(error)))

    @app.errorhandler(KeyReused)
    @app.errorhandler(Stale)
    def moved_on(error: KeyReused | Stale) -> Response:
        if isinstance(error, KeyReused) and asks_json():
            return answer(422, "key-reused")
        return answer(409, "stale")
