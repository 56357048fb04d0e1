"""Malformed requests get a client error, not a server error."""

import json
import socket
from urllib.parse import quote, urlsplit

import pytest

from tests.builders import LOST
from tests.serving import PATIENCE_SECONDS, serving

FORM = "application/x-www-form-urlencoded"


def raw(server, method, path, body=b"", **headers):
    """The status of a request that is sent byte for byte and may be malformed."""
    sent = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines = [f"{method} {path} HTTP/1.1", *sent, "Connection: close", "", ""]
    at = urlsplit(server.url)
    with socket.create_connection((at.hostname, at.port), PATIENCE_SECONDS) as connection:
        connection.sendall("\r\n".join(lines).encode("latin-1") + body)
        return int(connection.makefile("rb").readline().split()[1])


def chunked(server, path, *chunks, **headers):
    """The status of a request with a chunked body."""
    sent = {"Host": "localhost", "Transfer_Encoding": "chunked", "Content_Type": FORM, **headers}
    return raw(server, "POST", path, b"".join(chunks), **sent)


def chunk(part=b""):
    return b"%x\r\n%s\r\n" % (len(part), part)


def post_form(server, path, form, **headers):
    """The status and redirect address of a posted form, which may contain lone surrogates."""
    body = "&".join(f"{k}={quote(v.encode('utf-8', 'surrogatepass'))}" for k, v in form)
    status, found, _ = server.request("POST", path, body, Content_Type=FORM, **headers)
    return status, found.get("location")


@pytest.fixture(scope="module")
def keys(server):
    return server.table(sides=[{"name": "Wir", "players": ["Anna", "Bert"]}, {"name": "Die"}])


# Addresses and hosts


@pytest.mark.parametrize("path", ["/referee?tap=x", "/referee?tap=E7&ask=x&to=x&pattern=x"])
def test_odd_query_is_answered(server, path):
    assert server.request("GET", path)[0] == 200


@pytest.mark.parametrize("host", ["..", "a b", "x@y", "[::1", "x" * 300, "a/b", "x:port", "%00"])
def test_malformed_host_is_refused(server, keys, host):
    assert raw(server, "GET", f"/t/{keys['scorer']}/share", Host=host) == 400


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8000"])
def test_foreign_host_is_refused(server, keys, host):
    path = f"/api/tables/{keys['viewer']}"
    assert raw(server, "GET", path, Host=host) == 403
    assert raw(server, "POST", "/language", Host=host, Origin=f"http://{host}") == 403


@pytest.mark.parametrize("host", ["192.168.1.4:8000", "[fe80::1]:8000", "gasthaus", "wirt.local"])
def test_ip_addresses_and_local_hosts_are_accepted(server, host):
    assert raw(server, "GET", "/", Host=host) == 200


def test_configured_hosts_are_accepted(tmp_path):
    names = {"PUBLIC_URL": "https://watten.example", "BUMMERL_HOSTS": "a.example b.example"}
    with serving(tmp_path / "x.db", workers=1, **names) as server:
        for host, status in (("watten.example", 200), ("b.example", 200), ("c.example", 403)):
            assert raw(server, "GET", "/", Host=host) == status


BACK = ["/\t/evil.example", "/\n/evil.example", "/\\evil.example", "//evil.example", "/forget", "x"]


@pytest.mark.parametrize("back", [*BACK, "http://[", "/nowhere", "https://evil.example/rules"])
def test_invalid_back_address_leads_to_the_start_page(server, back):
    assert post_form(server, "/language", [("language", "en"), ("back", back)]) == (303, "/")


def test_back_address_keeps_its_query(server):
    form = [("language", "en"), ("back", "/referee?ask=legal")]
    assert post_form(server, "/language", form) == (303, "/referee?ask=legal")


# Bodies


@pytest.mark.parametrize(
    "chunks", [b"zz\r\nabc\r\n0\r\n\r\n", b"-5\r\nabc\r\n0\r\n\r\n", b"\r\n\r\n"]
)
@pytest.mark.parametrize("path", ["/new", "/api/tables"])
def test_malformed_chunks_are_refused(server, path, chunks):
    assert chunked(server, path, chunks) == 400


def test_long_chunked_body_is_refused(server):
    start = b"rules=bayern&x="
    parts = (start + b"a" * (65536 - len(start)), b"&side0=aaaaaaaaa", b"")
    assert chunked(server, "/new", *map(chunk, parts)) == 413


def test_chunked_body_is_read(server, keys):
    event = json.dumps({"do": "ansage", "schlag": "7"}).encode()
    path = f"/api/tables/{keys['scorer']}/events"
    assert chunked(server, path, chunk(event), chunk(), Idempotency_Key="chunks") == 201


@pytest.mark.parametrize("dealer", ["9" * 5000 + ":0", "0:" + "9" * 5000, "²:²", "0:²"])
def test_invalid_dealer_is_no_server_error(server, dealer):
    names = [("player0", "Anna"), ("player0", "Bert"), ("side0", "A"), ("side1", "B")]
    status, _ = post_form(server, "/new", [("rules", "bayern"), *names, ("dealer", dealer)])
    assert status in (303, 422)


@pytest.mark.parametrize("field", ["side0", "player0", "dealer", "points0", "rules", "variant"])
def test_lone_surrogate_is_no_server_error(server, field):
    form = {"rules": "bayern", "side0": "A", "side1": "B", field: "\ud800"}
    assert post_form(server, "/new", form.items())[0] in (303, 404, 422)


# Names


NAMELESS = (b"Content-Disposition: form-data", b'Content-Disposition: form-data; filename="a.txt"')


@pytest.mark.parametrize("head", NAMELESS)
def test_multipart_without_a_name_is_refused(server, head):
    """Try forms of the start page, the ledgers, a table and the desk."""
    table, desk = f"/t/{server.table()['scorer']}", f"/p/{server.new_tournament()['director']}"
    body = b"--x\r\n" + head + b"\r\n\r\nhello\r\n--x--\r\n"
    kind = "multipart/form-data; boundary=x"
    for path in ("/new", "/regulars", f"{table}/events", f"{desk}/quick"):
        assert server.request("POST", path, body, Content_Type=kind)[0] == 400, path


def test_names_cannot_reverse_the_text_direction(server):
    sides = [{"name": "Wir\u202e", "players": ["A\u2066nna"]}, {"name": "\u05d0\u05d1"}]
    made = server.table(sides=sides, dealer="A\u2066nna", played=[LOST])
    board = f"/b/{made['viewer']}"
    for path in (board, f"{board}/history", f"{board}/sheet"):
        assert "\u202e" not in server.page(path).html
    # The name's own letters may run right to left, but not the text beside them.
    assert "\u2068\u05d0\u05d1\u2069" in server.page(f"{board}/history").html
