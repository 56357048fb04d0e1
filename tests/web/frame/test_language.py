"""A page's language: the browser's, the phone's choice, or the printout's own."""

import re

import pytest

from scorer.tournament.pair_import import read_list
from scorer.web.frame.language import LANGUAGES
from tests.builders import WON
from tests.sampling import slow


def language(server, path, **headers):
    """The language that a page declares."""
    status, _, text = server.request("GET", path, **headers)
    assert status == 200, path
    return re.search(r'<html lang="(\w+)"', text)[1]


@pytest.fixture(scope="module")
def papers(server):
    """The path of each printed page by its name."""
    table = server.table("bayern", played=[WON])
    tournament = server.new_tournament(rounds=3)
    director = tournament["director"]
    server.draw(director)
    return {
        "score sheet": f"/b/{table['viewer']}/sheet",
        "slips": f"/p/{director}/print/slips",
        "list": f"/p/{director}/print/list?best=2",
        "standings": f"/p/{tournament['viewer']}/print/standings",
        "wall": "/rules/bayern/gehen?p=55",
        "rules": "/rules/bayern",
    }


def test_language_cookie_overrides_the_browser(server):
    assert language(server, "/", Accept_Language="fr-CH, fr;q=0.9, de;q=0.5") == "fr"
    assert language(server, "/", Accept_Language="pt") == "en"
    assert language(server, "/", Accept_Language="fr", Cookie="language=it") == "it"
    assert language(server, "/", Accept_Language="fr", Cookie="language=xx") == "fr"


@pytest.mark.parametrize(
    "what", ["score sheet", "slips", *slow("list", "standings", "wall", "rules")]
)
def test_printouts_offer_every_language(server, papers, what):
    path, italian = papers[what], {"Cookie": "language=it"}
    page = server.request("GET", path, **italian)[2]
    offered = dict(re.findall(r'<a class="link" href="([^"]+)" lang="(\w+)"', page))
    assert set(offered.values()) == set(LANGUAGES)
    for address, code in offered.items():
        address = address.replace("&amp;", "&")
        assert language(server, address, **italian) == code
        # The link keeps the other parameters of the address.
        assert address.startswith(path)
    assert language(server, "/", **italian) == "it"


def test_chosen_language_removes_the_in_parameter(server):
    form = [("language", "fr"), ("back", "/rules?in=it&x=1")]
    status, headers, _ = server.request("POST", "/language", form)
    assert (status, headers["location"]) == (303, "/rules?x=1")
    assert "language=fr" in headers["set-cookie"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_exported_pair_list_can_be_imported(server, language):
    pairs = [{"name": "Die Zwei", "players": ["Anna", "Bert"], "club": "Ötz"}, {"name": "P2"}]
    made = server.new_tournament(rounds=1, pairs=pairs)
    text = server.request("GET", f"/p/{made['director']}/pairs.csv", Accept_Language=language)[2]
    found = read_list(text)
    assert not found.ignored
    assert [pair.name for pair in found.pairs] == ["Die Zwei", "P2"]
    assert (found.pairs[0].players, found.pairs[0].club) == (("Anna", "Bert"), "Ötz")
