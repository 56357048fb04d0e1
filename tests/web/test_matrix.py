"""Every route, every role, every method: who gets in, and that nobody else changes anything.

The table is made from the application's own routes: a new one without a line here fails.
"""

import re
from collections import defaultdict

import pytest

from scorer import create_app

TABLE = "scorer opponent viewer pair-a pair-b"
WRITER = "scorer pair-a"
SPEAKS = "scorer opponent pair-a pair-b"
LEDGER = "member reader"
HALL = "director hall"
PAIRS = "pair-a pair-b"
ALL = f"{TABLE} {LEDGER} {HALL} signup"
ANYBODY = f"{ALL} code nobody"

WHO = {
    "api.append": SPEAKS,
    "api.create": ANYBODY,
    "api.record": TABLE,
    "api.show": TABLE,
    "api.stream": TABLE,
    "board.answer": "opponent pair-b",
    "board.back": TABLE,
    "board.history": TABLE,
    "board.page": TABLE,
    "board.rules": TABLE,
    "board.stream": TABLE,
    "board.turn": TABLE,
    "codes.page": ANYBODY,
    "codes.read": ANYBODY,
    "codes.show": TABLE,
    "court.other": TABLE,
    "court.page": TABLE,
    "desk.announce": "director",
    "desk.clock": "director",
    "desk.draw": "director",
    "desk.page": f"{HALL} signup",
    "desk.quick": "director",
    "desk.stream": "director",
    "desk.swap": "director",
    "desk.take_back": "director",
    "dialects.page": ANYBODY,
    "entry.enter": PAIRS,
    "entry.page": PAIRS,
    "entry.stream": PAIRS,
    "equity.ask": ANYBODY,
    "equity.sheet": ANYBODY,
    "farewell.keep": TABLE,
    "files.export": "director",
    "files.paper": "director",
    "files.published": HALL,
    "files.results": HALL,
    "files.standings": HALL,
    "hall.find": HALL,
    "hall.screen": HALL,
    "hall.standings": HALL,
    "hall.stream": HALL,
    "honours.decide": "director",
    "honours.deciders": "director",
    "honours.prizes": "director",
    "honours.set_prizes": "director",
    "links.page": "director",
    "links.renew": "director",
    "matches.decide": "director",
    "matches.page": "director",
    "health.live": ANYBODY,
    "health.ready": ANYBODY,
    "held.hold": "opponent pair-b",
    "lookback.page": TABLE,
    # Whoever runs the server may open it with a token.
    "metrics": "",
    "openapi.page": ANYBODY,
    "pages.index": ANYBODY,
    "pages.region": ANYBODY,
    "pages.rule": ANYBODY,
    "pairs.add": "director",
    "pairs.add_list": "director",
    "pairs.as_csv": "director",
    "pairs.answer": "director",
    "pairs.change": "director",
    "pairs.page": "director",
    "pairs.pair_singles": "director",
    "signup.sign_up": "signup",
    "signup.signed_up": "signup",
    "signup.page": "signup",
    "pairs.strike": "director",
    # Only a phone has two versions; and no bundle was built for this server.
    "parting.decide": "",
    "parting.page": "",
    "pocket.part": "",
    "pocket.worker": "",
    "pocket_api.birth": ANYBODY,
    "pocket_api.copy": f"{ALL} code",
    "pocket_api.boxes": "member director",
    "pocket_api.event": f"{SPEAKS} member director",
    "prints.page": HALL,
    "prints.slips": "director",
    "referee.at_table": TABLE,
    "referee.page": ANYBODY,
    "regulars.add": WRITER,
    "regulars.as_csv": LEDGER,
    "regulars.as_json": LEDGER,
    "regulars.create": ANYBODY,
    "regulars.drop": "member",
    "regulars.page": LEDGER,
    "regulars.renew": "member",
    "said.say": SPEAKS,
    "season.count": "director",
    "season.page": HALL,
    "setup.create": ANYBODY,
    "setup.new": ANYBODY,
    "setup.set_settings": "director",
    "setup.settings": "director",
    "sheet.as_csv": TABLE,
    "sheet.as_picture": TABLE,
    "sheet.page": TABLE,
    "sheet.price": WRITER,
    "start.choose_language": ANYBODY,
    "start.code": "code",
    "start.create": ANYBODY,
    "start.forget": ANYBODY,
    "start.house": ANYBODY,
    "start.join": ANYBODY,
    "start.page": ANYBODY,
    "start.remember": ANYBODY,
    "static": ANYBODY,
    "tournament_api.create": ANYBODY,
    "tournament_api.draw": "director",
    "tournament_api.ranking": HALL,
    "tournament_api.results": f"director {PAIRS}",
    "tournament_api.show": HALL,
    "writer.menu": WRITER,
    "writer.more": WRITER,
    "writer.page": TABLE,
    "writer.record": WRITER,
    "writer.renew": WRITER,
    "writer.reseat": WRITER,
    "writer.seats": WRITER,
    "writer.share": WRITER,
    "writer.stream": WRITER,
    "writer.turn": WRITER,
}
"""For each route whom it lets in."""
SENT = {
    "api.append": {"do": "strittig", "of": 0},
    "said.say": [("token", "t"), ("do", "strittig"), ("of", "0")],
    "pocket_api.event": {"do": "strittig", "of": 0},
    "sheet.price": [("token", "t"), ("price", "1"), ("unit", "euro"), ("per", "bummerl")],
    "tournament_api.results": {"round": 1, "table": 1, "games": [[11, 8]]},
    "writer.renew": [("role", "nobody")],
    "links.renew": [("role", "nobody")],
    "desk.take_back": [("round", "9")],
}
"""What is sent where the mere address says too little; nothing that would end the others' keys."""
PLACES = {
    "source": "0",
    "number": "1",
    "table": "1",
    "region": "bayern",
    "rule": "O-40",
    "filename": "icon.svg",
    "what": "standings",
    "version": "0123",
    "name": "app.zip",
}


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    return create_app({"DATABASE": str(tmp_path_factory.mktemp("routes") / "x.db")})


@pytest.fixture(scope="module")
def routes(app):
    """Endpoint, address with its places filled in, and methods."""
    found = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: PLACES.get(m[1], "{key}"), rule.rule)
        found.append((rule.endpoint, path, set(rule.methods) - {"OPTIONS"}))
    return sorted(found)


def people(server):
    """A key of each role, of streams on which something happened."""
    table = server.table()
    assert server.write(table["scorer"], {"do": "gewinnt", "side": 0}, "1")[0] == 201
    page = server.request("GET", f"/t/{table['scorer']}/share")[2]
    [code] = re.findall(r"\b[A-Z0-9]{3}\s?[A-Z0-9]{3}\b(?=</)", page)
    made = server.request("POST", "/regulars", [("name", "Donnerstag")])[1]
    member = made["location"].rsplit("/", 1)[1]
    ledger = server.request("GET", f"/g/{member}")[2]
    reader = next(key for key in re.findall(r"/g/(\w{26})", ledger) if key != member)
    body = {"name": "Preis", "rules": "bayern", "pairs": [{"name": f"P{n}"} for n in range(4)]}
    tournament = server.json("POST", "/api/tournaments", {**body, "rounds": 3})[1]
    drawn = server.json("POST", f"/api/tournaments/{tournament['director']}/draw")[1]["tables"][0]
    assert server.write(drawn["scorer"], {"do": "gewinnt", "side": 0}, "1")[0] == 201
    return {
        **{role: table[role] for role in ("scorer", "opponent", "viewer")},
        "code": code.replace(" ", ""),
        "member": member,
        "reader": reader,
        "director": tournament["director"],
        "hall": tournament["viewer"],
        "signup": tournament["signup"],
        "pair-a": drawn["scorer"],
        "pair-b": drawn["opponent"],
        "nobody": "a" * 26,
    }


@pytest.fixture(scope="module")
def keys(server):
    return people(server)


def ask(server, endpoint, method, path, keys, key):
    """The status of a request, with a body where the method has one."""
    path = path.format(key=key)
    if method != "POST":
        # A live page never ends: what it would begin with is enough.
        return server.request("HEAD" if endpoint.endswith("stream") else method, path)[0]
    body = SENT.get(endpoint, {} if path.startswith("/api/") else [("token", "t")])
    if "strittig" in str(body):
        # Each says it for its own side.
        side = 0 if key in (keys["scorer"], keys["pair-a"]) else 1
        body = {**body, "side": side} if isinstance(body, dict) else [*body, ("side", str(side))]
    if endpoint == "regulars.add":
        body = [("group", keys["member"]), ("table", key)]
    return server.request(method, path, body, Idempotency_Key="matrix")[0]


def test_every_route_has_its_line_and_no_line_is_over(routes):
    assert {endpoint for endpoint, _, _ in routes} == set(WHO)


def test_who_is_let_in(server, routes, keys):
    wrong = []
    # Whoever is kept out comes first: so it is seen that he changed nothing.
    for inside in (False, True):
        before = {role: lengths(server, keys[role]) for role in ("viewer", "hall")}
        for endpoint, path, methods in routes:
            for role, key in keys.items():
                if (role in WHO[endpoint].split()) is not inside:
                    continue
                for method in methods - {"HEAD"}:
                    status = ask(server, endpoint, method, path, keys, key)
                    if status >= 500 or (status in (403, 404)) is inside:
                        wrong.append((endpoint, method, role, status))
        if not inside:
            after = {role: lengths(server, keys[role]) for role in before}
            assert before == after
    assert not wrong, "\n".join(map(str, wrong))


def lengths(server, key):
    """What an onlooker sees of a stream."""
    answers = [server.request("GET", f"/api/{kind}/{key}") for kind in ("tables", "tournaments")]
    return [text for status, _, text in answers if status == 200]


def test_no_route_takes_another_method(server, routes, keys):
    taken = defaultdict(set)
    for _, path, methods in routes:
        taken[path] |= methods
    for path, methods in taken.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
            status, headers, _ = server.request(method, path.format(key=keys["scorer"]))
            assert status in (404, 405), (method, path)
            assert status == 404 or set(headers["allow"].split(", ")) >= methods, (method, path)
