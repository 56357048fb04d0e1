"""Pages of a stream that was uploaded without links work, and new links can be made."""

import re

import pytest
from flask import Flask

from scorer import create_app
from scorer.store import Opening
from scorer.store.database_url import open_store
from scorer.store.keys import mint
from scorer.store.sqlite.phone_store import PhoneStore
from tests.builders import BAYERN

GROUP = {"group": 1, "name": "Stammtisch"}
PREIS = {"name": "Preis", "rules": "bayern", "pairs": [{"name": "A"}, {"name": "B"}], "seed": "s"}


@pytest.fixture
def bare(server, tmp_path):
    """A function that uploads a stream without sealed links and returns the keys by role."""

    def upload(kind, head, *roles):
        store, keys = PhoneStore(tmp_path / f"{mint()}.db"), {role: mint() for role in roles}
        copy = store.dump([store.create(kind, Opening(head, keys)).id])
        assert server.json("POST", "/pocket/streams", copy) == (201, {"fresh": True})
        return keys

    return upload


@pytest.fixture
def table(bare):
    return bare("table", BAYERN, "scorer", "opponent", "viewer")


@pytest.fixture
def ledger(bare):
    return bare("group", GROUP, "member", "reader")["member"]


@pytest.fixture
def preis(bare):
    return bare("tournament", PREIS, "director", "hall", "signup")


def keys_shown(page, room):
    """The keys of the links that a page shows."""
    return set(re.findall(rf'class="(?:url|copied)">(?:<a href=")?[^<"]*/{room}/(\w+)', page))


def get_page(server, path):
    status, _, text = server.request("GET", path)
    assert status == 200, (path, status)
    return text


def post_form(server, path, *form):
    status, headers, text = server.request("POST", path, list(form))
    assert status == 303, (path, text)
    return headers["location"]


def rules(app: Flask) -> list[str]:
    found = (rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()))
    return [r.rule for r in found if r.arguments == {"key"} and not r.rule.endswith("/stream")]


@pytest.mark.parametrize("kind", ["table", "ledger", "preis"])
def test_every_page_works_without_links(server, request, tmp_path, kind):
    keys = request.getfixturevalue(kind)
    for rule in rules(create_app({"DATABASE": str(tmp_path / "routes.db")})):
        for key in [keys] if isinstance(keys, str) else keys.values():
            assert server.request("GET", rule.replace("<key>", key))[0] < 500, rule


def test_writer_can_renew_missing_links(server, table):
    share = f"/t/{table['scorer']}/share"
    assert not keys_shown(get_page(server, share), "b")
    for role in ("opponent", "viewer"):
        post_form(server, f"/t/{table['scorer']}/renew", ("role", role))
        assert server.request("GET", f"/b/{table[role]}")[0] == 404
    made = keys_shown(get_page(server, share), "b")
    assert len(made) == 2
    for key in made:
        get_page(server, f"/b/{key}")
    new = post_form(server, f"/t/{table['scorer']}/renew", ("role", "scorer"))
    assert made == keys_shown(get_page(server, new), "b")


def test_renewed_writer_link_shows_no_board_links(server, table):
    new = post_form(server, f"/t/{table['scorer']}/renew", ("role", "scorer"))
    assert not keys_shown(get_page(server, new), "b")


def test_adding_to_a_ledger_closes_no_link(server, table, ledger):
    form = ("group", ledger), ("table", table["scorer"])
    page = get_page(server, post_form(server, "/regulars/evenings", *form))
    assert len(re.findall(r'href="/b/\w+/history"', page)) == 1
    for role in ("opponent", "viewer"):
        get_page(server, f"/b/{table[role]}")


def test_first_evening_creates_the_reader_link(server, ledger):
    page = f"/g/{ledger}"
    assert not keys_shown(get_page(server, page), "g")
    own = server.table()
    post_form(server, "/regulars/evenings", ("group", ledger), ("table", own["scorer"]))
    [reader] = keys_shown(get_page(server, page), "g")
    post_form(server, f"{page}/renew")
    [renewed] = keys_shown(get_page(server, page), "g")
    assert renewed != reader
    assert 'href="/b/' in get_page(server, f"/g/{renewed}")


def test_renewing_creates_the_first_reader_link(server, ledger):
    post_form(server, f"/g/{ledger}/renew")
    [reader] = keys_shown(get_page(server, f"/g/{ledger}"), "g")
    get_page(server, f"/g/{reader}")


def test_desk_can_renew_missing_links(server, preis):
    desk = f"/p/{preis['director']}"
    for role in ("hall", "signup"):
        post_form(server, f"{desk}/renew", ("role", role))
    assert len(keys_shown(get_page(server, f"{desk}/links"), "p")) == 3
    status, drawn = server.json(
        "POST", f"/api/tournaments/{preis['director']}/draw", {}, Idempotency_Key="draw"
    )
    assert status == 201
    get_page(server, f"/t/{drawn['tables'][0]['scorer']}/share")
    assert len(keys_shown(get_page(server, f"{desk}/match/1/1"), "e")) == 2


def test_table_keys_are_not_sealed_with_an_empty_key(server, preis):
    path = f"/api/tournaments/{preis['director']}/draw"
    assert server.json("POST", path, {}, Idempotency_Key="draw")[0] == 201
    store = open_store(server.db)
    try:
        tables = list(store.streams("table"))
        assert tables
        assert not any(store.unseal("", stream) for stream in tables)
    finally:
        store.close()
