"""`make audit` lists known vulnerabilities, and fails if it cannot ask."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tools.audit import audit

pytestmark = pytest.mark.slow

VULNERABILITY = {
    "id": "OSV-2026-1",
    "modified": "2026-01-01T00:00:00Z",
    "summary": "a hole",
    "affected": [
        {
            "package": {"name": "flask", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "99"}]}],
            "versions": [],
        }
    ],
}


class Advisories(BaseHTTPRequestHandler):
    """Answers like osv.dev, and knows one vulnerability."""

    def do_POST(self):
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {"vulns": [VULNERABILITY]} if query["package"]["name"] == "flask" else {}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        pass


@contextmanager
def advisories():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Advisories)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_audit_fails_for_vulnerability_or_no_answer():
    with advisories() as url:
        status, lines = audit(["-s", "osv", "--osv-url", url])
    assert status == 1
    assert any(line.startswith("VULNERABLE: flask") and "99" in line for line in lines)
    assert "1 vulnerabilities known" in lines[-1]
    # The service has stopped.
    status, lines = audit(["-s", "osv", "--osv-url", url, "--timeout", "2"])
    assert status == 3
    assert lines[0].startswith("NOT ASKED")
