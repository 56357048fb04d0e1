"""The JSON API as an OpenAPI document, made from the routes and readers themselves."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, current_app, jsonify

from scorer.web.frame.api_description import described
from scorer.web.openapi.document import document

blueprint = Blueprint("openapi", __name__)


def init_app(app: Flask) -> None:
    """Open the address."""
    app.register_blueprint(blueprint)


@blueprint.get("/api/openapi.json")
@described({200: "Document"})
def page() -> Response:
    """This document."""
    return jsonify(document(current_app))
