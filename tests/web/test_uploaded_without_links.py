"""Pages of a stream that was uploaded without links work, and new links can be made."""

import re
from contextlib import closing

import pytest

from scorer.store.database_url import open_store
from scorer.store.keys import mint
from tests.builders import BAYERN, NEW_LEDGER, NEW_TOURNAMENT, phone_copy


@pytest.fixture
def bare(server, tmp_path):
    """A function that uploads a stream without sealed links and returns the keys by role."""

    def upload(kind, head, *roles):
        keys = {role: mint() for role in roles}
        copy = phone_copy(tmp_path, kind, head, keys=keys)
        assert server.json("POST", "/pocket/streams", copy) == (201, {"fresh": True})
        return keys

    return upload


@pytest.fixture
def table(bare):
    return bare("table", BAYERN, "scorer", "opponent", "viewer")


@pytest.fixture
def ledger(bare):
    return bare("group", NEW_LEDGER, "member", "reader")["member"]


@pytest.fixture
def preis(bare):
    return bare("tournament", NEW_TOURNAMENT, "director", "hall", "signup")


def keys_shown(server, path, room):
    """The keys of the links that a page shows."""
    page = server.page(path).html
    return set(re.findall(rf'class="(?:url|copied)">(?:<a href=")?[^<"]*/{room}/(\w+)', page))


@pytest.mark.parametrize("kind", ["table", "ledger", "preis"])
def test_every_page_works_without_links(app, server, request, kind):
    keys = request.getfixturevalue(kind)
    for rule in app.url_map.iter_rules():
        if "GET" in rule.methods and rule.arguments == {"key"} and "stream" not in rule.endpoint:
            for key in [keys] if isinstance(keys, str) else keys.values():
                path = rule.rule.replace("<key>", key)
                assert server.request("GET", path)[0] < 500, path


def test_writer_can_renew_missing_links(server, table):
    pad = f"/t/{table['scorer']}"
    assert not keys_shown(server, f"{pad}/share", "b")
    for role in ("opponent", "viewer"):
        server.submit(f"{pad}/renew", [("role", role)])
        server.page(f"/b/{table[role]}", 404)
    made = keys_shown(server, f"{pad}/share", "b")
    assert len(made) == 2
    for key in made:
        server.page(f"/b/{key}")
    new = server.submit(f"{pad}/renew", [("role", "scorer")])
    assert made == keys_shown(server, new, "b")


def test_renewed_writer_link_shows_no_board_links(server, table):
    new = server.submit(f"/t/{table['scorer']}/renew", [("role", "scorer")])
    assert not keys_shown(server, new, "b")


def test_adding_to_a_ledger_closes_no_link(server, table, ledger):
    form = [("group", ledger), ("table", table["scorer"])]
    page = server.page(server.submit("/regulars/evenings", form)).html
    assert len(re.findall(r'href="/b/\w+/history"', page)) == 1
    for role in ("opponent", "viewer"):
        server.page(f"/b/{table[role]}")


def test_first_evening_creates_the_reader_link(server, ledger):
    page = f"/g/{ledger}"
    assert not keys_shown(server, page, "g")
    form = [("group", ledger), ("table", server.table()["scorer"])]
    server.submit("/regulars/evenings", form)
    [reader] = keys_shown(server, page, "g")
    server.submit(f"{page}/renew")
    [renewed] = keys_shown(server, page, "g")
    assert renewed != reader
    assert 'href="/b/' in server.page(f"/g/{renewed}").html


def test_renewing_creates_the_first_reader_link(server, ledger):
    server.submit(f"/g/{ledger}/renew")
    [reader] = keys_shown(server, f"/g/{ledger}", "g")
    server.page(f"/g/{reader}")


def test_desk_can_renew_missing_links(server, preis):
    desk = f"/p/{preis['director']}"
    for role in ("hall", "signup"):
        server.submit(f"{desk}/renew", [("role", role)])
    assert len(keys_shown(server, f"{desk}/links", "p")) == 3
    server.page(f"/t/{server.draw(preis['director'])[0]['scorer']}/share")
    assert len(keys_shown(server, f"{desk}/match/1/1", "e")) == 2


def test_table_keys_are_not_sealed_with_an_empty_key(server, preis):
    server.draw(preis["director"])
    with closing(open_store(server.db)) as store:
        tables = list(store.streams("table"))
        assert tables and not any(store.unseal("", stream) for stream in tables)
