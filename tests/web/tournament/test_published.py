"""The page of this server's finished tournaments: only what its director has published."""

import pytest

from scorer.tournament import new_tournament, read_settings
from scorer.web.tournament.published import with_short_names
from tests.web.tournament.forms import post

PAIRS = [
    {"players": ["Anna Huber", "Bert Maier"]},
    {"name": "Cilli Gruber & Dora Eder"},
    {"name": "Die Wilden"},
    {"players": ["Emil Lang", "Hansl"], "name": "Lang/Hansl"},
]


@pytest.fixture
def unfinished_tournament(server):
    """The director's key of a tournament without its last result, and a function that enters it."""
    keys = server.new_tournament(
        name="Feuerwehrwatten", pairs=PAIRS, rounds=1, games_per_round=1, place="Moos"
    )
    tables = server.draw(keys["director"])
    path = f"/api/tournaments/{keys['director']}/results"
    results = [{"round": 1, "table": table, "games": [[15, 3]]} for table in (1, 2)]
    assert len(tables) == 2
    assert server.json("POST", path, results[0], Idempotency_Key="1")[0] == 201
    return keys["director"], lambda: server.json("POST", path, results[1], Idempotency_Key="2")


def publish(server, key, how):
    where = f"/p/{key}/settings"
    form = [("token", how or "no"), ("name", "Feuerwehrwatten"), ("published", how)]
    assert post(server, where, form)[0] == 303


def public_addresses(server):
    """The addresses of the tournaments of this name on the public page."""
    links = server.page("/tournaments").all("a")
    return [link["href"] for link in links if "Feuerwehrwatten" in link.text]


def test_tournament_is_public_only_when_published(server, unfinished_tournament):
    key, finish = unfinished_tournament
    finish()
    before = public_addresses(server)
    publish(server, key, "names")
    [link] = set(public_addresses(server)) - set(before)
    assert "Anna Huber" in server.page(link).text
    # The page does not reveal the desk's key. A tournament that is hidden again is gone at once.
    assert key not in server.page(link)
    publish(server, key, "")
    assert public_addresses(server) == before
    assert server.request("GET", link)[0] == 404


def test_unfinished_tournament_is_not_public(server, unfinished_tournament):
    key, finish = unfinished_tournament
    before = public_addresses(server)
    publish(server, key, "short")
    assert public_addresses(server) == before
    finish()
    [link] = set(public_addresses(server)) - set(before)
    text = server.page(link).text
    for name in ("Anna H. & Bert M.", "Cilli G. & Dora E.", "Die Wilden", "Emil L. & Hansl"):
        assert name in text
    for surname in ("Huber", "Maier", "Gruber", "Eder", "Lang"):
        assert surname not in text and surname not in server.page("/tournaments").text


def test_names_of_single_players_are_shortened():
    players = [{"name": name} for name in ("Anna Huber", "Bert Maier", "Cilli Eder", "Dora Lang")]
    given = {"name": "X", "rules": "bayern", "format": "partners", "pairs": players}
    shortened = with_short_names(new_tournament(read_settings(given)))
    assert [entrant.pair.name for entrant in shortened.listed] == [
        *("Anna H.", "Bert M.", "Cilli E.", "Dora L.")
    ]


def test_repeated_tournament_is_not_published(server, unfinished_tournament):
    key, _ = unfinished_tournament
    publish(server, key, "names")
    form = [("token", "n"), ("name", "Nächstes"), ("preset", "again"), ("rules", "bayern")]
    status, where, _ = post(server, f"/p/{key}/again", form)
    assert status == 303, where
    assert server.tournament(where.split("/p/")[1].partition("/")[0]).get("published", "") == ""
