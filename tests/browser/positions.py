"""Tables in every position, a tournament, and all pages that show them."""

from functools import cache

from tests.builders import NEXT, helper

LONG = "Donaudampfschifffahrtsgesellschaftskapitän " * 2
DISPUTE = {"do": "strittig", "side": 0, "of": 4}
PROPOSAL = {"do": "vorschlag", "side": 0, "of": 0, "with": {"do": "gewinnt", "side": 1}}
OVER = ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 0"]
EVENINGS = {
    "fresh": ("oberoesterreich", []),
    "raised": ("bayern", ["bieten 0 3", "bieten 1 4"]),
    "krank": ("oberoesterreich", ["gewinnt 0 7"]),
    "decision": ("suedtirol", ["gewinnt 0 16"]),
    "decided": ("bayern", ["gewinnt 0 13", "bleiben 0"]),
    "over": ("oberoesterreich", OVER),
    "disputed": ("oberoesterreich", [*OVER, NEXT, "gewinnt 1", "bieten 0 3", DISPUTE]),
    "tricks": ("frankreich", ["bieten 0 5", "bleiben 1"]),
    "three": ("oberoesterreich", ["gewinnt 1 7", "gewinnt 2", "gewinnt 0"]),
    "answered": ("oberoesterreich", ["gewinnt 0", "bieten 0 3", "bleiben 1", "gewinnt 1"]),
    "proposed": ("oberoesterreich", ["gewinnt 0", "gewinnt 1", PROPOSAL]),
}

NAMED = [
    {"name": "Maximiliane", "players": ["Anna", "Bert"]},
    {"name": "Bartholomäus", "players": ["Christl", "Dominik"]},
]


def event(text):
    if not isinstance(text, str):
        return text
    do, side, *stake = text.split()
    number = {"stake" if do == "gewinnt" else "to": int(stake[0])} if stake else {}
    return {"do": do, "side": int(side), **number}


SIDES = [
    {"name": LONG[:60].strip(), "players": ["Maximiliane-Theodora", "שרה"]},
    {"name": "<b>Die</b> 🂡🂡", "players": ["Bartholomäus", "X" * 60]},
]


def table(server, name, sides):
    """The keys of a new table in one of the positions."""
    rules, events = EVENINGS[name]
    if name == "three":
        sides = [*sides, {"name": "Zu dritt"}]
    head = {"sides": sides, "dealer": sides[0]["name"], "cut": name == "proposed"}
    return server.table(rules, played=map(event, events), **head)


def preiswatten(server):
    """Create a tournament and return its keys. One of its two rounds is played.

    In the second round, the two pairs of a table report different results.
    """
    pairs = [{"name": f"{LONG[: 7 * n]} & {n}".strip()[:60], "club": "Ötz"} for n in range(1, 9)]
    made = server.new_tournament(name=LONG[:60].strip(), pairs=pairs, rounds=2, games_per_round=2)
    director, games = made["director"], [[15, 8], [3, 15]]
    for number in (1, 2):
        drawn = server.draw(director)
        for table in drawn if number == 1 else drawn[:1]:
            result = {"round": number, "table": table["table"], "games": games}
            server.json("POST", f"/api/tournaments/{director}/results", result)
    quarrel = {"round": 2, "table": drawn[1]["table"]}
    for key, said in (("scorer", games), ("opponent", games[::-1])):
        server.json("POST", f"/api/tournaments/{drawn[1][key]}/results", {**quarrel, "games": said})
    prizes = [("token", "p"), ("lines", "300 €\nEin Ferkel")]
    server.request("POST", f"/p/{director}/prizes", prizes)
    return {
        "director": director,
        "hall": made["viewer"],
        "signup": made["signup"],
        "door": helper(server, director, "d", work="door"),
        "helper": helper(server, director, "e", first="1", last="2"),
        "entry": drawn[1]["scorer"],
        "other": drawn[1]["opponent"],
        "level": level(server),
        "finals": finals(server),
        "semifinals": finals(server, rounds=4),
        **prize_giving(server),
        "undrawn": server.new_tournament(name=LONG[:60].strip())["director"],
    }


def level(server):
    """Create a tournament that is over and return the director's key.

    Two pairs share place 1, four share place 3 and two share place 7, whatever the draw. Two ties
    have deciders.
    """
    pairs = [{"name": f"{LONG[:42]} & {LONG[:12]} {n}"} for n in range(1, 9)]
    named = {"name": LONG[:60].strip(), "pairs": pairs, "published": "names"}
    key = server.new_tournament(**named, rounds=1, games_per_round=2)["director"]
    won, shared = [[15, 8], [15, 3]], [[15, 8], [8, 15]]
    server.draw(key)
    for number, games in enumerate((won, won, shared, shared), 1):
        result = {"round": 1, "table": number, "games": games}
        assert server.json("POST", f"/api/tournaments/{key}/results", result)[0] == 201
    standings = server.json("GET", f"/api/tournaments/{key}/standings")[1]["standings"]
    best, second, third, fourth, *_ = (line["pair"] for line in standings)
    for winner, loser, *table in ((third, fourth), (best, second, ("table", "1"))):
        form = [("token", f"d{winner}"), ("winner", winner), ("loser", loser), *table]
        assert server.request("POST", f"/p/{key}/decider", form)[0] == 303
    return key


def prize_giving(server):
    """Creates a tournament that is over, and calls out one place; returns two of its keys."""
    pairs = [{"name": f"{LONG[: 9 * n]} & {n}".strip()[:60], "club": "Ötz"} for n in range(1, 5)]
    settings = {"rounds": 1, "games_per_round": 1, "ceremony": True}
    made = server.new_tournament(name="Donaupokal", pairs=pairs, **settings)
    key = made["director"]
    for table in server.draw(key):
        result = {"round": 1, "table": table["table"], "games": [[15, 8]]}
        assert server.json("POST", f"/api/tournaments/{key}/results", result)[0] == 201
    assert server.request("POST", f"/p/{key}/settings", [("token", "c"), ("called", 3)])[0] == 303
    return {"giving": key, "giving_hall": made["viewer"]}


def finals(server, rounds=5):
    """Create a tournament with two groups and drawn finals; return the director's key.

    Table 1 of the semi-finals has a result, and table 2 too before a drawn final.
    """
    pairs = [{"name": f"{LONG[: 6 * n]} & {n}".strip()[:60]} for n in range(1, 8)]
    groups = {"format": "groups", "groups": {"count": 2, "best": 2}, "finals": {"best": 4}}
    made = server.new_tournament(
        name="Donaupokal", pairs=pairs, rounds=99, games_per_round=1, **groups
    )
    key = made["director"]
    for number in range(1, rounds + 1):
        for table in server.draw(key):
            if number < min(rounds, 4) or (number == 4 and table["table"] < rounds - 2):
                result = {"round": number, "table": table["table"], "games": [[15, 2 * number]]}
                assert server.json("POST", f"/api/tournaments/{key}/results", result)[0] == 201
    return key


def regulars(server, scorer):
    """Create a group with one evening and return its key."""
    _, headers, _ = server.request("POST", "/regulars", [("name", LONG[:60])])
    group = headers["location"].rsplit("/", 1)[1]
    server.request("POST", "/regulars/evenings", [("group", group), ("table", scorer)])
    return group


@cache
def written(server):
    """The keys of tables with long names, by position; tests do not change these tables.

    "over" also contains the keys of a tournament and a group.
    """
    found = {name: table(server, name, SIDES) for name in EVENINGS}
    found["over"]["group"] = regulars(server, found["over"]["scorer"])
    found["over"] |= preiswatten(server)
    return found


PAGES = [
    *[
        (f"/{path}", "fresh")
        for path in ("", "new?rules=suedtirol", "s", "p/new", "dialects", "q/")
    ],
    *[(f"/rules{more}", "fresh") for more in ("", "/oberoesterreich", "/suedtirol/gehen")],
    *[(f"/t/{{scorer}}{more}", "krank") for more in ("/share", "/seats", "/menu", "/more")],
    *[("/t/{scorer}", name) for name in EVENINGS],
    *[("/b/{viewer}", name) for name in ("fresh", "decision", "over", "proposed")],
    *[(f"/b/{{viewer}}/{more}", "over") for more in ("history", "look-back", "readings")],
    ("/b/{viewer}?big=1", "krank"),
    ("/b/nothing", "fresh"),
    ("/b/{viewer}/rules", "fresh"),
    ("/b/{scorer}/round/1?mode=strike", "over"),
    ("/b/{viewer}/round/0", "krank"),
    ("/b/{opponent}/round/3", "answered"),
    *[(f"/b/{{scorer}}/{more}", "over") for more in ("sheet", "codes")],
    *[(f"/b/{{viewer}}/{more}", "three") for more in ("sheet", "history")],
    ("/b/{opponent}/round/0", "proposed"),
    ("/g/{group}", "over"),
    ("/tournaments", "over"),
    *[(f"/p/{{director}}{more}", "over") for more in ("", "/pairs", "/links", "/prizes")],
    *[(f"/p/{{director}}/{more}", "over") for more in ("settings", "season", "paper")],
    *[("/p/{undrawn}/settings", "over"), ("/p/{level}/deciders", "over")],
    *[(f"/p/{{hall}}/print/{what}", "over") for what in ("results", "by-table", "list", "cross")],
    *[(f"/p/{{hall}}/print/{what}", "over") for what in ("ways", "prizes", "certificates")],
    *[(f"/p/{{director}}/{more}", "over") for more in ("match/2/2", "standings", "print/slips")],
    *[(f"/p/{{hall}}/{more}", "over") for more in ("find?name=a", "hall")],
    *[(path, "over") for path in ("/p/{signup}/signup", "/p/{door}/pairs", "/p/{helper}")],
    *[(f"/e/{path}", "over") for path in ("{entry}", "{other}", "{entry}/standings")],
    *[(f"/p/{{hall}}/print/{what}", "over") for what in ("standings", "by-name")],
    *[(f"/p/{{finals}}/{more}", "over") for more in ("standings", "hall?page=1", "hall?page=2")],
    *[(f"/p/{{semifinals}}/{more}", "over") for more in ("standings", "hall?page=1")],
    *[(f"/p/{{finals}}/print/{what}", "over") for what in ("bracket", "standings", "cross")],
    *[(path, "over") for path in ("/p/{giving}", "/p/{giving_hall}", "/p/{giving_hall}/hall")],
    ("/b/{opponent}", "over"),
    ("/b/{viewer}/referee?table=H8&table=HA&schlag=8&trumpf=H", "fresh"),
    ("/referee?rules=trentino&ask=legal&schlag=O&trumpf=H&table=H7&hand=EO&hand=SA", "fresh"),
]
VARIED = [*PAGES[::3], *PAGES[1::3], *PAGES[2::3]]
"""The same pages; the first third has some of every kind."""
