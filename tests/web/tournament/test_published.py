"""The page of this server's finished tournaments: only what its director has published."""

import pytest

from scorer.tournament import new_tournament, read_settings
from scorer.web.tournament.published import with_short_names
from tests.web.tournament.hall import Hall

PAIRS = [
    {"players": ["Anna Huber", "Bert Maier"]},
    {"name": "Cilli Gruber & Dora Eder"},
    {"name": "Die Wilden"},
    {"players": ["Emil Lang", "Hansl"], "name": "Lang/Hansl"},
]


@pytest.fixture
def hall(server):
    """A tournament without its last result."""
    hall = Hall(server, name="Feuerwehrwatten", pairs=PAIRS, rounds=1, place="Moos")
    hall.draw()
    assert hall.enter(1, 1, (15, 3))[0] == 201
    return hall


def publish(hall, how):
    hall.send("/settings", name="Feuerwehrwatten", published=how)


def public_addresses(server):
    """The addresses of the tournaments of this name on the public page."""
    links = server.page("/tournaments").all("a")
    return [link["href"] for link in links if "Feuerwehrwatten" in link.text]


def test_tournament_is_public_only_when_published(server, hall):
    hall.finish()
    before = public_addresses(server)
    # The desk of a finished tournament publishes it, and then leads to the page.
    form = hall.page().one("form", data_publishes=True)
    hall.post_fields(f"/p/{hall.key}/settings", [*form.fields, ("published", "names")])
    assert not hall.page().has("form", data_publishes=True)
    for path in ("", "/settings"):
        assert hall.page(path).has("a", href="/tournaments"), path
    [link] = set(public_addresses(server)) - set(before)
    assert "Anna Huber" in server.page(link).text
    # The page does not reveal the desk's key. A tournament that is hidden again is gone at once.
    assert hall.key not in server.page(link)
    publish(hall, "")
    assert public_addresses(server) == before
    assert server.request("GET", link)[0] == 404


def test_published_standings_wait_for_the_prize_giving(server, hall):
    hall.finish()
    before = public_addresses(server)
    publish(hall, "names")
    hall.send("/settings", ceremony="1", do="call")
    assert public_addresses(server) == before
    # The desk says that they follow.
    assert hall.page().has(data_published="later") and not hall.page().has("a", href="/tournaments")
    hall.send("/settings", ceremony="0", do="release")
    assert len(public_addresses(server)) == len(before) + 1
    publish(hall, "")


def test_unfinished_tournament_is_not_public(server, hall):
    before = public_addresses(server)
    publish(hall, "short")
    assert public_addresses(server) == before
    hall.finish()
    [link] = set(public_addresses(server)) - set(before)
    text = server.page(link).text
    for name in ("Anna H. & Bert M.", "Cilli G. & Dora E.", "Die Wilden", "Emil L. & Hansl"):
        assert name in text
    for surname in ("Huber", "Maier", "Gruber", "Eder", "Lang"):
        assert surname not in text and surname not in server.page("/tournaments").text


def test_published_points_of_the_director_have_no_reason_and_no_colon(server, hall):
    hall.send("/pairs/1", do="punkte", points="-3", reason="Anna peeked")
    publish(hall, "short")
    hall.finish()
    [link] = [one for one in public_addresses(server) if "−3" in server.page(one).text]
    [line] = [one.text for one in server.page(link).all("small") if "−3" in one.text]
    assert "peeked" not in line and ":" not in line


def test_pair_that_left_before_its_first_game_is_in_no_standings(server):
    hall = Hall(
        server, name="Feuerwehrwatten", pairs=[*PAIRS, {"name": "Anna & Bert doppelt"}], rounds=1
    )
    hall.send("/pairs/5", do="abmeldung")
    hall.play()
    publish(hall, "names")
    [link] = [one for one in public_addresses(server) if "Anna Huber" in server.page(one).text][:1]
    for path in (link, f"/p/{hall.key}/standings", f"/p/{hall.key}/print/standings"):
        assert "doppelt" not in server.page(path).one("tbody").text, path


def test_names_of_single_players_are_shortened():
    players = [{"name": name} for name in ("Anna Huber", "Bert Maier", "Cilli Eder", "Dora Lang")]
    given = {"name": "X", "rules": "bayern", "format": "partners", "pairs": players}
    shortened = with_short_names(new_tournament(read_settings(given)))
    names = [entrant.pair.name for entrant in shortened.listed]
    assert names == ["Anna H.", "Bert M.", "Cilli E.", "Dora L."]


def test_repeated_tournament_is_not_published(server, hall):
    publish(hall, "names")
    where = hall.send("/again", name="Nächstes", preset="again", rules="bayern")
    assert server.tournament(where.split("/p/")[1].partition("/")[0]).get("published", "") == ""
