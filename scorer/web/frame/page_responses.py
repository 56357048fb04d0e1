"""Responses with a page, which also set the device's secret."""

from __future__ import annotations

from typing import Any

from flask import Response, make_response, render_template

from scorer.web.frame.device_identity import set_secret


def response_with_secret(html: str) -> Response:
    """A response that also sets the device's secret, if it has none."""
    return set_secret(make_response(html))


def render_page(template: str, **values: Any) -> Response:
    return response_with_secret(render_template(template, **values))


def form_page(template: str, **values: Any) -> Response:
    """A page with a form that creates something. The browser may cache it, so going back shows it
    as filled in."""
    response = render_page(template, **values)
    response.headers["Cache-Control"] = "private, no-cache"
    return response
