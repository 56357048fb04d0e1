"""Every route, role and method: who is admitted, and that nobody else changes anything.

The routes are those of the application; a route without a line here fails.
"""

import json
import re
from collections import defaultdict

import pytest

from scorer.store.keys import digest, mint
from tests.builders import WON, helper

TABLE = "scorer opponent viewer pair-a pair-b"
WRITER = "scorer pair-a"
SPEAKS = "scorer opponent pair-a pair-b"
LEDGER = "member reader"
HALL = "director hall"
PAIRS = "pair-a pair-b"
ENTRY, DOOR = "director typist", "director doorkeeper"
ALL = f"{TABLE} {LEDGER} {HALL} signup"
ANYBODY = f"{ALL} typist doorkeeper code nobody"
ROLES = ANYBODY.split()

WHO = {
    "clone.create": "director",
    "clone.page": "director",
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
    "qr_transfer.continue_evening": ANYBODY,
    "qr_transfer.page": ANYBODY,
    "qr_transfer.read": ANYBODY,
    "qr_transfer.show": TABLE,
    "corrections.other": TABLE,
    "corrections.page": TABLE,
    "desk.announce": "director",
    "desk.clock": "director",
    "desk.draw": "director",
    "desk.release": "director",
    "desk.page": f"{HALL} signup typist doorkeeper",
    "desk.quick": ENTRY,
    "desk.stream": ENTRY,
    "desk.swap": "director",
    "desk.take_back": "director",
    "dialects.page": ANYBODY,
    "result_entry.enter": PAIRS,
    "result_entry.page": PAIRS,
    "result_entry.standings": PAIRS,
    "result_entry.standings_stream": PAIRS,
    "result_entry.stream": PAIRS,
    "equity.ask": ANYBODY,
    "equity.sheet": ANYBODY,
    "retention_notice.keep": TABLE,
    "exports.export": "director",
    "exports.paper": "director",
    "exports.published": HALL,
    "exports.results": HALL,
    "exports.standings": HALL,
    "visitors.find": HALL,
    "big_screen.page": HALL,
    "visitors.standings": HALL,
    "visitors.stream": HALL,
    "deciders.decide": "director",
    "deciders.deciders": "director",
    "prize_form.page": "director",
    "prize_form.set_prizes": "director",
    "links.add_helper": "director",
    "links.close_helper": "director",
    "links.page": "director",
    "links.renew": "director",
    "matches.decide": ENTRY,
    "matches.page": ENTRY,
    "health.live": ANYBODY,
    "health.ready": ANYBODY,
    "seat_claim.claim_by_form": "opponent pair-b",
    "lookback.page": TABLE,
    # The operator opens it with a token.
    "metrics": "",
    "openapi.page": ANYBODY,
    "pages.index": ANYBODY,
    "pages.region": ANYBODY,
    "pages.rule": ANYBODY,
    "pairs.add": DOOR,
    "pairs.add_list": "director",
    "pairs.as_csv": "director",
    "pairs.answer": DOOR,
    "pairs.change": DOOR,
    "pairs.page": DOOR,
    "pairs.pair_singles": "director",
    "signup.sign_up": "signup",
    "signup.signed_up": "signup",
    "signup.page": "signup",
    "pairs.strike": "director",
    "published.index": ANYBODY,
    # An id does not show what was not published.
    "published.page": "",
    # Only a phone has conflicting versions, and this server has no bundle for phones.
    "sync_conflicts.decide": "",
    "sync_conflicts.page": "",
    "book_file.page": "",
    "book_file.read": "",
    "book_file.save": "",
    "bundle_files.part": "",
    "bundle_files.worker": "",
    "pocket_api.accept_stream": ANYBODY,
    "pocket_api.shelf": ANYBODY,
    "pocket_api.copy": f"{TABLE} {LEDGER} director",
    "pocket_api.boxes": "member director",
    "pocket_api.event": f"{SPEAKS} member director",
    "printouts.page": HALL,
    "printouts.slips": "director",
    "referee.at_table": TABLE,
    "referee.page": ANYBODY,
    "ledger.add": WRITER,
    "ledger.turn_titles": LEDGER,
    "ledger.as_csv": LEDGER,
    "ledger.as_json": LEDGER,
    "ledger.create": ANYBODY,
    "ledger.drop": "member",
    "ledger.page": LEDGER,
    "ledger.renew": "member",
    "ledger.restore": "member",
    "statements.say": SPEAKS,
    "series.count": "director",
    "series.page": HALL,
    "setup.create": ANYBODY,
    "setup.new": ANYBODY,
    "setup.set_settings": "director",
    "setup.settings": "director",
    "score_sheet.as_csv": TABLE,
    "score_sheet.as_picture": TABLE,
    "score_sheet.page": TABLE,
    "score_sheet.price": WRITER,
    "start.choose_language": ANYBODY,
    "start.code": "code",
    "start.create": ANYBODY,
    "start.forget": ANYBODY,
    "start.house": ANYBODY,
    "start.join": ANYBODY,
    "start.page": ANYBODY,
    "start.remember": ANYBODY,
    "static": ANYBODY,
    "other_release": ANYBODY,
    "table_links.renew": WRITER,
    "table_links.share": WRITER,
    "tournament_api.create": ANYBODY,
    "tournament_api.draw": "director",
    "tournament_api.ranking": HALL,
    "tournament_api.results": f"{ENTRY} {PAIRS}",
    "tournament_api.show": HALL,
    "writer.menu": WRITER,
    "writer.more": WRITER,
    "writer.page": TABLE,
    "writer.tap": WRITER,
    "writer.reseat": WRITER,
    "writer.seats": WRITER,
    "writer.stream": WRITER,
    "writer.turn": WRITER,
}
"""The roles that each route admits."""
TABLE_HEAD = {"watten": 1, "rules": "bayern"}
PREIS = {"name": "Preis", "rules": "bayern", "seed": "x", "pairs": [{"name": "A"}, {"name": "B"}]}
AT_ONE = {"round": 1, "table": 1}
GAMES = [("a", "15"), ("b", "8")] * 3
SENT = {
    ("api.append", "opponent"): {"do": "einig", "side": 1},
    "api.append": {"do": "einig", "side": 0},
    "clone.create": [("name", "Preis"), ("rules", "bayern"), ("preset", "again")],
    "api.create": TABLE_HEAD,
    "board.answer": [("seq", "seq"), ("event", json.dumps({"do": "strittig", "side": 1, "of": 0}))],
    "board.turn": [("look", "big")],
    "desk.release": [("round", "9")],
    "desk.take_back": [("round", "9")],
    ("result_entry.enter", "opponent"): [("a", "15"), ("b", "9")] * 3,
    "result_entry.enter": GAMES,
    "equity.ask": {"rules": "bayern", "points": [0, 0]},
    "deciders.decide": [("winner", "1"), ("loser", "2")],
    "links.add_helper": [("work", "door")],
    "links.renew": [("role", "nobody")],
    ("pairs.add", "doorkeeper"): [("name", "Nachzügler")],
    "pairs.add": [("name", "Neu")],
    "pairs.add_list": [("list", "Eins\nZwei"), ("take", "1")],
    "pairs.change": [("do", "aenderung"), ("name", "Anders")],
    "pocket_api.accept_stream": {},
    "pocket_api.boxes": "[]",
    ("pocket_api.event", "director"): {"do": "durchsage", "text": "Es geht weiter"},
    ("pocket_api.event", "member"): {"do": "abend", "table": "evening"},
    ("pocket_api.event", "opponent"): {"do": "geklaert", "side": 1, "of": 0},
    "pocket_api.event": WON,
    "ledger.add": [("group", "member")],
    "ledger.create": [("name", "Freitag")],
    ("statements.say", "opponent"): [("do", "geklaert"), ("side", "1"), ("of", "0")],
    "statements.say": [("do", "strittig"), ("side", "0"), ("of", "0")],
    "setup.create": [("name", "Preis"), ("rules", "bayern"), ("rounds", "3")],
    "score_sheet.price": [("price", "1"), ("unit", "euro"), ("per", "bummerl")],
    "signup.sign_up": [("player", "Anna"), ("player", "Bert")],
    "start.create": [("rules", "bayern")],
    "tournament_api.create": {**PREIS, "rounds": 3},
    "tournament_api.draw": {"anyway": True},
    "tournament_api.results": {**AT_ONE, "games": [[15, 8]] * 3},
    "writer.tap": [("seq", "seq"), ("event", json.dumps(WON))],
    "table_links.renew": [("role", "nobody")],
    "writer.reseat": [("seq", "seq"), ("name", "Hier"), ("name", "Dort")],
    "writer.turn": [("look", "flat")],
}
"""The body for each route that needs one, for all roles or for one. No body ends the keys of
others."""
REFUSED = {
    "qr_transfer.continue_evening": 422,
    "qr_transfer.read": 422,
    "desk.draw": 422,
    "desk.swap": 422,
    "desk.release": 422,
    "desk.take_back": 422,
    "matches.decide": 422,
    "pairs.answer": 422,
    "pairs.pair_singles": 422,
    "pocket_api.accept_stream": 422,
    "table_links.renew": 400,
}
"""The status that an admitted role gets from a route that cannot carry out the body."""
PLACES = {
    "place": "0",
    "number": "1",
    "table": "1",
    "region": "bayern",
    "rule": "O-40",
    "filename": "icon.svg",
    "what": "standings",
    "version": "0123",
    "release": "0123",
    "name": "app.zip",
}


@pytest.fixture(scope="module")
def routes(app):
    """Endpoint, path with filled placeholders, and methods of each route."""
    found = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: PLACES.get(m[1], "{key}"), rule.rule)
        found.append((rule.endpoint, path, set(rule.methods) - {"OPTIONS"}))
    # Routes that renew links come last, because the old links then open nothing.
    return sorted(found, key=lambda route: (route[0].endswith(".renew"), route))


def people(server):
    """A dict from each role to its key, for streams with events, and the id of one table."""
    table = server.table(played=[WON])
    page = server.request("GET", f"/t/{table['scorer']}/share")[2]
    [code] = re.findall(r"\b[A-Z0-9]{3}\s?[A-Z0-9]{3}\b(?=</)", page)
    made = server.request("POST", "/regulars", [("name", "Donnerstag")])[1]
    member = made["location"].rsplit("/", 1)[1]
    counted = [("group", member), ("table", table["scorer"])]
    assert server.request("POST", "/regulars/evenings", counted)[0] == 303
    ledger = server.request("GET", f"/g/{member}")[2]
    reader = next(key for key in re.findall(r"/g/(\w{26})", ledger) if key != member)
    tournament = server.new_tournament(rounds=3)
    drawn = server.draw(tournament["director"])[0]
    server.play(drawn["scorer"], WON)
    copy = server.json("GET", f"/pocket/streams/{table['viewer']}")[1]["copy"]
    return {
        "evening": copy["streams"][0]["id"],
        **{role: table[role] for role in ("scorer", "opponent", "viewer")},
        "code": code.replace(" ", ""),
        "member": member,
        "reader": reader,
        "director": tournament["director"],
        "hall": tournament["viewer"],
        "signup": tournament["signup"],
        "typist": helper(server, tournament["director"], "e", work="entry"),
        "doorkeeper": helper(server, tournament["director"], "d", work="door"),
        "pair-a": drawn["scorer"],
        "pair-b": drawn["opponent"],
        "nobody": "a" * 26,
    }


@pytest.fixture(scope="module")
def keys(server):
    return people(server)


def ask(server, endpoint, method, path, keys, role):
    """The status of a request, with a body where the method has one."""
    path = path.format(key=keys[role])
    if method != "POST":
        # A live page never ends, so only its headers are requested.
        return server.request("HEAD" if endpoint.endswith("stream") else method, path)[0]
    name, kind = mint(), {"pair-a": "scorer", "pair-b": "opponent"}.get(role, role)
    body = SENT.get((endpoint, kind), SENT.get(endpoint, []))
    known, names = keys, {"Idempotency_Key": name}
    if endpoint == "pocket_api.event" or "seq" in dict(body if isinstance(body, list) else []):
        known = {**keys, "seq": length(server, keys[role])}
    if isinstance(body, list):
        body = [(field, known.get(text, text)) for field, text in body] + [("token", name)]
    if endpoint == "pocket_api.event":
        names["If_Match"] = f'"{known["seq"]}"'
        body = {field: known.get(text, text) for field, text in body.items()}
    if endpoint == "ledger.add":
        body.append(("table", keys[role]))
    return server.request(method, path, body, **names)[0]


def length(server, key):
    """The number of events in the stream that a key opens."""
    status, answer = server.json("GET", f"/pocket/streams/{key}")
    streams = answer["copy"]["streams"] if status == 200 else []
    rows = {row["digest"]: stream for stream in streams for row in stream["keys"]}
    return len(rows[digest(key)]["events"]) if rows else 0


def test_every_route_is_listed(routes):
    assert {endpoint for endpoint, _, _ in routes} == set(WHO)


def test_only_listed_roles_are_admitted(server, routes, keys):
    wrong = []
    # Roles without access come first, to show that they change nothing.
    for inside in (False, True):
        before = {role: lengths(server, keys[role]) for role in ("viewer", "hall")}
        for endpoint, path, methods in routes:
            for role in ROLES:
                if (role in WHO[endpoint].split()) is not inside:
                    continue
                for method in methods - {"HEAD"}:
                    status = ask(server, endpoint, method, path, keys, role)
                    refused = REFUSED.get(endpoint) if method == "POST" else None
                    accepted = status == refused or (status < 400 and not refused)
                    if not (accepted if inside else status in (403, 404)):
                        wrong.append((endpoint, method, role, status))
        if not inside:
            after = {role: lengths(server, keys[role]) for role in before}
            assert before == after
    assert not wrong, "\n".join(map(str, wrong))


def lengths(server, key):
    """The texts of the API responses that show a stream."""
    answers = [server.request("GET", f"/api/{kind}/{key}") for kind in ("tables", "tournaments")]
    return [text for status, _, text in answers if status == 200]


def test_unlisted_methods_are_refused(server, routes, keys):
    taken = defaultdict(set)
    for _, path, methods in routes:
        taken[path] |= methods
    for path, methods in taken.items():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
            status, headers, _ = server.request(method, path.format(key=keys["scorer"]))
            assert status in (404, 405), (method, path)
            assert status == 404 or set(headers["allow"].split(", ")) >= methods, (method, path)
