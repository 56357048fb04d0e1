"""Every response has the header that identifies this server and says whether it is final."""

from http import HTTPStatus

import pytest
from flask import abort
from werkzeug.exceptions import ClientDisconnected, default_exceptions

from scorer.web import create_app
from tests.serving import InProcessClient

MARK = "bummerl-answer"
AGAIN = {405, 408, 425, 429}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """A client of an app with routes that return any status, lose the connection or fail."""
    app = create_app({"DATABASE": str(tmp_path_factory.mktemp("mark") / "x.db")})

    @app.post("/status/<int:status>")
    def status(status):
        if status in default_exceptions:
            abort(status)
        return "", status

    @app.post("/cut")
    def cut():
        raise ClientDisconnected

    @app.post("/break")
    def broken():
        raise ZeroDivisionError

    return InProcessClient(app)


@pytest.mark.parametrize("status", [status.value for status in HTTPStatus if status >= 200])
def test_each_status_is_marked_final_or_again(app, status):
    found, headers, _ = app.request("POST", f"/status/{status}")
    assert found == status
    assert headers[MARK] == ("again" if status >= 500 or status in AGAIN else "final")


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "mark"),
    [
        ("GET", "/", {}, 200, "final"),
        ("GET", "/t/nobody", {}, 404, "final"),
        ("GET", "/api/tables/nobody", {}, 404, "final"),
        ("POST", "/t/nobody/events", {"Sec_Fetch_Site": "cross-site"}, 403, "final"),
        # These errors are not about the content, so the request may succeed later.
        ("POST", "/t/nobody/events", {"Host": "evil.example"}, 403, "again"),
        ("POST", "/t/nobody/events", {"Host": "!"}, 400, "again"),
        ("POST", "/cut", {}, 400, "again"),
        ("POST", "/break", {}, 500, "again"),
        ("GET", "/static/other/js/outbox.js", {}, 200, "final"),
        ("GET", "/health", {}, 200, "final"),
    ],
)
def test_errors_and_files_have_the_answer_header(app, method, path, headers, status, mark):
    found = app.request(method, path, **headers)
    assert (found[0], found[1][MARK]) == (status, mark)


def test_too_large_body_is_final(server):
    body = "x=" + "y" * 100_000
    status, headers, _ = server.request("POST", f"/t/{server.table()['scorer']}/events", body)
    assert (status, headers[MARK]) == (413, "final")
