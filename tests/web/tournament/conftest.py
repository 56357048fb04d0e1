"""Fixtures: a tournament created by the form, and its first round."""

from dataclasses import replace

import pytest

from scorer.platforms import SERVER
from scorer.tournament import draw
from scorer.web import create_app
from tests.serving import Local
from tests.web.tournament.forms import enter_pairs, post


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """An app that draws in the tests' own process, as a phone does."""
    path = tmp_path_factory.mktemp("app") / "x.db"
    app = create_app({"DATABASE": str(path), "RATE_LIMITS": False}, replace(SERVER, draw=draw))
    yield app
    app.extensions["tables"].store.close()


@pytest.fixture
def server(request, app):
    """An app in the tests' own process, or a real server for a test marked `live`."""
    if request.node.get_closest_marker("live"):
        return request.getfixturevalue("server")
    return Local(app)


@pytest.fixture
def director(server):
    """The director's key of a tournament created by the form."""
    form = [("name", "Preiswatten <3>"), ("rules", "bayern"), ("preset", "won-points")]
    status, where, _ = post(server, "/p/new", [*form, ("rounds", "2"), ("seed", "x")])
    assert status == 303
    return where.split("/")[2]


@pytest.fixture
def played(server, director):
    """The director's key of a tournament of four pairs with its first round drawn."""
    lines = "Anna;Bert;Ranshofen\nCilli;Dora\nEmil;Fanny\nGustl;Hias;Braunau"
    enter_pairs(server, director, lines)
    assert post(server, f"/p/{director}/draw", [("token", "d")])[0] == 303
    return director
