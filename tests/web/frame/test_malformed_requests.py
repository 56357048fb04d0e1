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
from tests.builders import LOST, WON
from tests.serving import PATIENCE, Phone, serving

FORM = "application/x-www-form-urlencoded"


def raw(server, method, path, body=b"", **headers):
    """The status of a request that is sent byte for byte and may be malformed."""
    lines = [
        f"{method} {path} HTTP/1.1",
        *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items()),
    ]
    head = "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1")
    at = urlsplit(server.url)
    with socket.create_connection((at.hostname, at.port), PATIENCE) as connection:
        connection.sendall(head + body)
        answer = connection.makefile("rb").readline()
    return int(answer.split()[1])


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
    sent = {"Host": "localhost", "Transfer_Encoding": "chunked", "Content_Type": FORM}
    assert raw(server, "POST", path, chunks, **sent) == 400


def test_long_chunked_body_is_refused(server):
    start = b"rules=bayern&x="
    parts = [start + b"a" * (65536 - len(start)), b"&side0=aaaaaaaaa"]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    sent = {"Host": "localhost", "Transfer_Encoding": "chunked", "Content_Type": FORM}
    assert raw(server, "POST", "/new", chunks, **sent) == 413


def test_chunked_body_is_read(server, keys):
    event = json.dumps({"do": "ansage", "schlag": "7"}).encode()
    chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(event), event)
    path = f"/api/tables/{keys['scorer']}/events"
    sent = {"Host": "localhost", "Transfer_Encoding": "chunked", "Idempotency_Key": "chunks"}
    assert raw(server, "POST", path, chunks, **sent) == 201


@pytest.mark.parametrize("dealer", ["9" * 5000 + ":0", "0:" + "9" * 5000, "²:²", "0:²"])
def test_invalid_dealer_is_no_server_error(server, dealer):
    names = [("player0", "Anna"), ("player0", "Bert"), ("side0", "A"), ("side1", "B")]
    status, _ = post_form(server, "/new", [("rules", "bayern"), *names, ("dealer", dealer)])
    assert status in (303, 422)


@pytest.mark.parametrize("field", ["side0", "player0", "dealer", "points0", "rules", "variant"])
def test_lone_surrogate_is_no_server_error(server, field):
    form = [("rules", "bayern"), ("side0", "A"), ("side1", "B")]
    status, _ = post_form(
        server, "/new", [*((k, v) for k, v in form if k != field), (field, "\ud800")]
    )
    assert status in (303, 404, 422)


# Names


NAMELESS = (b"Content-Disposition: form-data", b'Content-Disposition: form-data; filename="a.txt"')


@pytest.mark.parametrize("head", NAMELESS)
def test_multipart_without_a_name_is_refused(server, head):
    """Tries forms of the start page, the ledgers, a table and the desk."""
    keys = server.table()
    director = server.new_tournament()["director"]
    body = b"--x\r\n" + head + b"\r\n\r\nhello\r\n--x--\r\n"
    kind = "multipart/form-data; boundary=x"
    paths = ("/new", "/regulars", f"/t/{keys['scorer']}/events", f"/p/{director}/quick")
    for path in paths:
        assert server.request("POST", path, body, Content_Type=kind)[0] == 400, path


def test_names_cannot_reverse_the_text_direction(server):
    sides = [{"name": "Wir\u202e", "players": ["A\u2066nna"]}, {"name": "\u05d0\u05d1"}]
    made = server.table(sides=sides, dealer="A\u2066nna", played=[LOST])
    for path in ("", "/history", "/sheet"):
        text = server.request("GET", f"/b/{made['viewer']}{path}")[2]
        assert "\u202e" not in text
    # The name's own letters may run right to left, but not the text beside them.
    assert "\u2068\u05d0\u05d1\u2069" in server.request("GET", f"/b/{made['viewer']}/history")[2]


CYRILLIC = "\u0410nn\u0430"
"""Anna with the first and the last letter of another script."""


@pytest.mark.parametrize("again", ["Anna", "anna", CYRILLIC])
def test_players_with_lookalike_names_are_refused(server, again):
    twins = [{"players": ["Anna", "Bert"]}, {"players": [again, "Dora"]}]
    given = {"watten": 1, "rules": "bayern", "sides": twins}
    assert server.json("POST", "/api/tables", given)[0] == 422
    keys = server.table()
    seated = {"do": "sitzordnung", "sides": twins}
    assert server.write(keys["scorer"], seated, "1")[0] == 422
    apart = [{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]
    server.play(keys["scorer"], {**seated, "sides": apart})
    changed = {"do": "korrektur", "of": 0, "with": [seated]}
    assert server.write(keys["scorer"], changed, "3")[0] == 422


@pytest.mark.parametrize("again", ["anna", CYRILLIC])
def test_pairs_with_lookalike_names_are_refused(server, again):
    given = {"name": "T", "rules": "bayern", "pairs": [{"name": "Anna"}, {"name": again}]}
    assert server.json("POST", "/api/tournaments", given)[0] == 422
    made = server.json("POST", "/api/tournaments", {**given, "pairs": given["pairs"][:1]})[1]
    new = [("name", again), ("player", ""), ("player", "")]
    path = f"/p/{made['director']}/pairs"
    assert server.request("POST", path, [*new, ("token", "1")])[0] == 422
    assert server.request("POST", f"{path}/list", [("list", again), ("token", "2")])[0] == 422
    signup = f"/p/{made['signup']}/signup"
    assert server.request("POST", signup, [("player", again), ("token", "3")])[0] == 422
    pairs = server.tournament(made["director"])["pairs"]
    assert [pair["name"] for pair in pairs] == ["Anna"]


def test_lookalike_side_names_are_numbered(server):
    made = server.table(sides=[{"name": "Adler"}, {"name": "adler"}])
    text = server.request("GET", f"/b/{made['viewer']}")[2]
    assert "Adler (1)" in text
    assert "adler (2)" in text


# Files


def test_csv_cells_are_never_formulas(server):
    names = ["=1+1", "A;=2+2", "B,@x"]
    made = server.table(
        sides=[{"name": names[0], "players": names[1:]}, {"name": 'C"=3'}], played=[WON]
    )
    for language in ("de", "en"):
        path = f"/b/{made['viewer']}/evening.csv"
        text = server.request("GET", path, Accept_Language=language)[2]
        assert all(line[0] + line[-1] == '""' for line in text.lstrip("\ufeff").splitlines())
        for separator in ";,\t|":
            for row in csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator):
                assert not [cell for cell in row if re.match(r'[\s"]*[=@]', cell)]


# Lists on phones, and logs


def test_foreign_links_do_not_displace_own_links(server):
    own = server.table()["scorer"]
    phone = cookie = f"phone={'a' * 26}"
    for key in [own, *(server.table()["viewer"] for _ in range(MAX_OPENED_KEYS + 2))]:
        page = f"/t/{key}" if key == own else f"/b/{key}"
        found = server.request("GET", page, Cookie=cookie)[1]["set-cookie"]
        remembered = re.search(r"tables=([\w.]+)", found)[1]
        cookie = f"{phone}; tables={remembered}"
    remembered = remembered.split(".")
    assert own in remembered
    assert len(remembered) == MAX_OPENED_KEYS


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
    where = server.request("POST", "/regulars", [("name", "Fremd"), ("token", "t")])[1]["location"]
    return where[where.index("/g/") :]


@pytest.mark.parametrize(("path", "filled", "shelf"), OPENED_BY)
def test_streams_created_here_stay_listed(server, path, filled, shelf):
    phone = Phone(server)
    phone.open("/")
    director = server.new_tournament()["director"]
    form = [*filled.items(), ("token", "t")]
    assert phone.send(path.format(director=director), form) == 303
    own = phone.cookies[shelf].split(".")[0]
    for _ in range(MAX_OPENED_KEYS + 2):
        phone.open(path_with_foreign_key(server, shelf))
    listed = phone.cookies[shelf].split(".")
    assert own in listed
    assert len(listed) == MAX_OPENED_KEYS + 1
    # Only what this phone creates later pushes it off the list.
    for n in range(MAX_OPENED_KEYS):
        form = [*filled.items(), ("token", f"t{n}")]
        assert phone.send(path.format(director=director), form) == 303
    listed = phone.cookies[shelf].split(".")
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
