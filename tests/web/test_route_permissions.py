"""Every route, role and method: who is admitted, and that nobody else changes anything.

The routes are those of the application; a route without a line here fails.
"""

import json
import re
from collections import defaultdict

import pytest

from scorer.store.keys import digest, mint
from scorer.web.frame.refusals import page_of
from tests.builders import WON, helper

TABLE = "scorer opponent viewer pair-a pair-b"
WRITER = "scorer pair-a"
SPEAKERS = "scorer opponent pair-a pair-b"
LEDGER = "member reader"
HALL = "director hall"
PAIRS = "pair-a pair-b"
RESULTS, DOOR = "director entry_helper", "director door_helper"
ALL = f"{TABLE} {LEDGER} {HALL} signup"
ANYBODY = f"{ALL} entry_helper door_helper code nobody"
ROLES = ANYBODY.split()

ROUTES = {
    ANYBODY: """
        api.create qr_transfer.continue_evening qr_transfer.page qr_transfer.read dialects.page
        equity.ask equity.sheet health.live health.ready openapi.page pages.index pages.region
        pages.rule published.index pocket_api.accept_stream pocket_api.shelf referee.page
        ledger.create setup.create setup.new start.choose_language start.create start.forget
        start.house start.join start.page start.remember static other_release
        tournament_api.create
    """,
    TABLE: """
        api.record api.show api.stream board.history board.page board.rules
        board.stream board.toggle_display qr_transfer.show round_page.page
        retention_notice.keep lookback.page readings.page referee.at_table score_sheet.as_csv
        score_sheet.as_picture score_sheet.page writer.page
    """,
    SPEAKERS: "api.append statements.say",
    WRITER: """
        ledger.add score_sheet.price table_links.renew table_links.share writer.menu writer.more
        writer.tap writer.reseat writer.seats writer.stream writer.toggle_display
    """,
    LEDGER: "ledger.toggle_titles ledger.as_csv ledger.as_json ledger.page",
    HALL: """
        exports.published exports.results exports.standings visitors.find hall_screen.page
        visitors.standings visitors.stream printouts.page series.page tournament_api.ranking
        tournament_api.show
    """,
    PAIRS: """
        result_entry.enter result_entry.page result_entry.standings result_entry.standings_stream
        result_entry.stream
    """,
    RESULTS: "desk.enter_slip desk.slip_question desk.stream matches.change_result matches.page",
    DOOR: "pairs.add pairs.answer pairs.change pairs.page",
    "director": """
        clone.create clone.page desk.announce desk.clock draws.draw draws.release draws.swap
        draws.take_back exports.export exports.paper deciders.decide deciders.page
        prize_form.page prize_form.set_prizes links.add_helper links.close_helper links.page
        links.renew pairs.add_list pairs.as_csv pairs.pair_singles pairs.strike printouts.slips
        series.change setup.set_settings setup.settings tournament_api.draw
    """,
    "opponent pair-b": "board.answer seat_claim.claim_by_form",
    f"{HALL} signup entry_helper door_helper": "desk.page",
    "signup": "signup.sign_up signup.signed_up signup.page",
    f"{TABLE} {LEDGER} director": "pocket_api.copy",
    "member director": "pocket_api.boxes",
    f"{SPEAKERS} member director": "pocket_api.event",
    "member": "ledger.drop ledger.renew ledger.restore",
    "code": "start.code",
    f"{RESULTS} {PAIRS}": "tournament_api.results",
    # The operator opens the metrics with a token, and an id does not show what was not published.
    # Only a phone has conflicting versions, and this server has no bundle for phones.
    "": """
        metrics published.page sync_conflicts.decide sync_conflicts.page book_file.page
        book_file.read book_file.save bundle_files.part bundle_files.worker
    """,
}
"""The routes that each group of roles may use, and nobody else."""
ALLOWED_ROLES = {route: roles for roles, routes in ROUTES.items() for route in routes.split()}
"""The roles that each route admits."""
TABLE_HEAD = {"watten": 1, "rules": "bayern"}
NEW_TOURNAMENT = {
    "name": "Preis",
    "rules": "bayern",
    "seed": "x",
    "pairs": [{"name": "A"}, {"name": "B"}],
}
AT_ONE = {"round": 1, "table": 1}
GAMES = [("a", "15"), ("b", "8")] * 3
BODIES = {
    ("api.append", "opponent"): {"do": "einig", "side": 1},
    "api.append": {"do": "einig", "side": 0},
    "clone.create": [("name", "Preis"), ("rules", "bayern"), ("preset", "again")],
    "api.create": TABLE_HEAD,
    "board.answer": [("seq", "seq"), ("event", json.dumps({"do": "strittig", "side": 1, "of": 0}))],
    "board.toggle_display": [("look", "big")],
    "draws.release": [("round", "9")],
    "draws.take_back": [("round", "9")],
    ("result_entry.enter", "opponent"): [("a", "15"), ("b", "9")] * 3,
    "result_entry.enter": GAMES,
    "equity.ask": {"rules": "bayern", "points": [0, 0]},
    "deciders.decide": [("winner", "1"), ("loser", "2")],
    "links.add_helper": [("work", "door")],
    "links.renew": [("role", "nobody")],
    ("pairs.add", "door_helper"): [("name", "Nachzügler")],
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
    "tournament_api.create": {**NEW_TOURNAMENT, "rounds": 3},
    "tournament_api.draw": {"anyway": True},
    "tournament_api.results": {**AT_ONE, "games": [[15, 8]] * 3},
    "writer.tap": [("seq", "seq"), ("event", json.dumps(WON))],
    "table_links.renew": [("role", "nobody")],
    "writer.reseat": [("seq", "seq"), ("name", "Hier"), ("name", "Dort")],
    "writer.toggle_display": [("look", "flat")],
}
"""The body for each route that needs one, for all roles or for one. No body ends the keys of
others."""
REFUSED = {
    "qr_transfer.continue_evening": 422,
    "qr_transfer.read": 422,
    "draws.draw": 422,
    "draws.swap": 422,
    "draws.release": 422,
    "draws.take_back": 422,
    "matches.change_result": 422,
    "pairs.answer": 422,
    "pairs.pair_singles": 422,
    "pocket_api.accept_stream": 422,
    "table_links.renew": 400,
}
"""The status that an admitted role gets from a route that cannot carry out the body."""
PATH_VALUES = {"place": "0", "number": "1", "table": "1", "region": "bayern", "rule": "O-40"}
PATH_VALUES |= {"filename": "icon.svg", "what": "standings", "name": "app.zip"}
PATH_VALUES |= {"version": "0123", "release": "0123"}


@pytest.fixture(scope="module")
def routes(app):
    """Endpoint, path with filled placeholders, and methods of each route."""
    found = []
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: PATH_VALUES.get(m[1], "{key}"), rule.rule)
        found.append((rule.endpoint, path, set(rule.methods) - {"OPTIONS"}))
    # Routes that renew links come last, because the old links then open nothing.
    return sorted(found, key=lambda route: (route[0].endswith(".renew"), route))


def keys_by_role(server):
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
        "entry_helper": helper(server, tournament["director"], "e", work="entry"),
        "door_helper": helper(server, tournament["director"], "d", work="door"),
        "pair-a": drawn["scorer"],
        "pair-b": drawn["opponent"],
        "nobody": "a" * 26,
    }


@pytest.fixture(scope="module")
def keys(server):
    return keys_by_role(server)


def request_as(server, endpoint, method, path, keys, role):
    """The status of a request, with a body where the method has one."""
    path = path.format(key=keys[role])
    if method != "POST":
        # A live page never ends, so only its headers are requested.
        return server.request("HEAD" if endpoint.endswith("stream") else method, path)[0]
    name, kind = mint(), {"pair-a": "scorer", "pair-b": "opponent"}.get(role, role)
    body = BODIES.get((endpoint, kind), BODIES.get(endpoint, []))
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
    listed = " ".join(ROUTES.values()).split()
    assert sorted(listed) == sorted({endpoint for endpoint, _, _ in routes})


def test_only_listed_roles_are_admitted(server, routes, keys):
    wrong = []
    # Roles without access come first, to show that they change nothing.
    for inside in (False, True):
        before = {role: lengths(server, keys[role]) for role in ("viewer", "hall")}
        for endpoint, path, methods in routes:
            for role in ROLES:
                if (role in ALLOWED_ROLES[endpoint].split()) is not inside:
                    continue
                for method in methods - {"HEAD"}:
                    status = request_as(server, endpoint, method, path, keys, role)
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
            if method == "GET" and not path.startswith(("/api/", "/pocket/")):
                assert status in (303, 404, 405), (method, path)
                continue
            assert status in (404, 405), (method, path)
            assert status == 404 or set(headers["allow"].split(", ")) >= methods, (method, path)


def test_address_of_a_form_leads_to_its_page(app, server, routes, keys):
    """A browser may open the address again that a refused form had."""
    pages = {path for _, path, methods in routes if "GET" in methods}
    led = set()
    for endpoint, path, _ in routes:
        form_page = page_of(app.view_functions[endpoint])
        if form_page is None or path in pages:
            continue
        role = ALLOWED_ROLES[endpoint].split()[0]
        address = path.format(key=keys[role])
        status, headers, _ = server.request("GET", f"{address}?seen=1")
        assert status == 303 and headers["location"].endswith("?seen=1"), endpoint
        assert server.request("GET", headers["location"])[0] < 400, endpoint
        led.add(headers["location"].removesuffix("?seen=1").rsplit("/")[-1])
    assert led >= {"sheet", "pairs"}
