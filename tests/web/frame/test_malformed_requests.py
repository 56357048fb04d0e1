"""Malformed requests get a client error, not a server error."""

import csv
import io
import json
import logging
import re
import socket
from urllib.parse import quote, urlsplit

import pytest

from scorer.web import create_app
from scorer.web.frame.remembered_keys import MAX_OPENED_KEYS
from tests.builders import BAYERN, LOST, SEATED, WON
from tests.serving import PATIENCE, Phone, serving

FORM = "application/x-www-form-urlencoded"


def raw(server, method, path, body=b"", **headers):
    """The status of a request that is sent byte for byte and may be malformed."""
    sent = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines = [f"{method} {path} HTTP/1.1", *sent, "Connection: close", "", ""]
    at = urlsplit(server.url)
    with socket.create_connection((at.hostname, at.port), PATIENCE) as connection:
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
    """Tries forms of the start page, the ledgers, a table and the desk."""
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


CYRILLIC = "\u0410nn\u0430"
"""Anna with the first and the last letter of another script."""


@pytest.mark.parametrize("again", ["Anna", "anna", CYRILLIC])
def test_players_with_lookalike_names_are_refused(server, again):
    twins = [{"players": ["Anna", "Bert"]}, {"players": [again, "Dora"]}]
    assert server.json("POST", "/api/tables", {**BAYERN, "sides": twins})[0] == 422
    key = server.table()["scorer"]
    seated = {"do": "sitzordnung", "sides": twins}
    assert server.write(key, seated, "1")[0] == 422
    server.play(key, {"do": "sitzordnung", "sides": SEATED})
    assert server.write(key, {"do": "korrektur", "of": 0, "with": [seated]}, "3")[0] == 422


@pytest.mark.parametrize("again", ["anna", CYRILLIC])
def test_pairs_with_lookalike_names_are_refused(server, again):
    given = {"name": "T", "rules": "bayern", "pairs": [{"name": "Anna"}, {"name": again}]}
    assert server.json("POST", "/api/tournaments", given)[0] == 422
    made = server.new_tournament(pairs=given["pairs"][:1])
    path = f"/p/{made['director']}/pairs"
    for where, form in (
        (path, [("name", again), ("player", ""), ("player", "")]),
        (f"{path}/list", [("list", again)]),
        (f"/p/{made['signup']}/signup", [("player", again)]),
    ):
        server.refusal(where, [*form, ("token", "t")])
    pairs = server.tournament(made["director"])["pairs"]
    assert [pair["name"] for pair in pairs] == ["Anna"]


def test_lookalike_side_names_are_numbered(server):
    made = server.table(sides=[{"name": "Adler"}, {"name": "adler"}])
    text = server.page(f"/b/{made['viewer']}").html
    assert "Adler (1)" in text and "adler (2)" in text


# Files


def test_csv_cells_are_never_formulas(server):
    sides = [{"name": "=1+1", "players": ["A;=2+2", "B,@x"]}, {"name": 'C"=3'}]
    path = f"/b/{server.table(sides=sides, played=[WON])['viewer']}/evening.csv"
    for language in ("de", "en"):
        text = server.request("GET", path, Accept_Language=language)[2].lstrip("\ufeff")
        assert all(line[0] + line[-1] == '""' for line in text.splitlines())
        for separator in ";,\t|":
            for row in csv.reader(io.StringIO(text), delimiter=separator):
                assert not [cell for cell in row if re.match(r'[\s"]*[=@]', cell)]


# Lists on phones, and logs


def test_foreign_links_do_not_displace_own_links(server):
    phone, own = Phone(server), server.table()["scorer"]
    phone.cookies["phone"] = "a" * 26
    phone.open(f"/t/{own}")
    for _ in range(MAX_OPENED_KEYS + 2):
        phone.open(f"/b/{server.table()['viewer']}")
    remembered = phone.cookies["tables"].split(".")
    assert (own in remembered, len(remembered)) == (True, MAX_OPENED_KEYS)


OPENED_BY = [
    ("/new", {"rules": "bayern"}, "tables"),
    ("/regulars", {"name": "Donnerstag"}, "groups"),
    ("/p/new", {"preset": "", "rules": "bayern", "name": "Preis"}, "tournaments"),
    ("/p/{director}/again", {"name": "Preis", "rules": "bayern"}, "tournaments"),
]
"""Each form that creates something: its path, its fields and the cookie that lists the result."""


def path_with_foreign_key(server, shelf):
    """The path of a page that adds a stranger's key with all permissions to this list."""
    if shelf == "tables":
        return f"/t/{server.table(played=[WON])['scorer']}"
    if shelf == "tournaments":
        return f"/p/{server.new_tournament()['director']}"
    return server.location("/regulars", [("name", "Fremd"), ("token", "t")])


@pytest.mark.parametrize(("path", "filled", "shelf"), OPENED_BY)
def test_streams_created_here_stay_listed(server, path, filled, shelf):
    phone = Phone(server)
    phone.open("/")
    path = path.format(director=server.new_tournament()["director"])

    def listed_after_creating(token):
        assert phone.send(path, [*filled.items(), ("token", token)]) == 303
        return phone.cookies[shelf].split(".")

    own = listed_after_creating("t")[0]
    for _ in range(MAX_OPENED_KEYS + 2):
        phone.open(path_with_foreign_key(server, shelf))
    listed = phone.cookies[shelf].split(".")
    assert (own in listed, len(listed)) == (True, MAX_OPENED_KEYS + 1)
    # Only what this phone creates later pushes it off the list.
    for n in range(MAX_OPENED_KEYS):
        listed = listed_after_creating(f"t{n}")
    assert (own in listed, len(listed)) == (False, 2 * MAX_OPENED_KEYS)


@pytest.mark.parametrize("name", ["scorer", "scorer.book.live_channels"])
def test_logs_have_no_keys(tmp_path, caplog, name):
    app = create_app({"DATABASE": str(tmp_path / "x.db")})
    app.extensions["tables"].store.close()
    key = "abcdefghijklmnopqrstuvwx23"
    logger = logging.getLogger(name)
    try:
        raise ValueError(f"at /b/{key}")
    except ValueError:
        logger.exception("Exception on %s", f"/t/{key}/share")
    assert "Exception on /t/…/share" in caplog.text
    assert "at /b/…" in caplog.text
    assert key not in caplog.text
