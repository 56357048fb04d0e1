"""Fixtures: a tournament created by the form, and its first round."""

from dataclasses import replace

import pytest

from scorer.platforms import SERVER
from scorer.tournament import draw
from scorer.web import create_app
from tests.serving import InProcessClient
from tests.web.tournament.forms import enter_pairs, send


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
    return InProcessClient(app)


@pytest.fixture
def director(server):
    """The director's key of a tournament created by the form."""
    form = {"name": "Preiswatten <3>", "rules": "bayern", "preset": "won-points"}
    return send(server, "/p/new", **form, rounds=2, seed="x").split("/")[2]


@pytest.fixture
def drawn(server, director):
    """The director's key of a tournament of four pairs with its first round drawn."""
    enter_pairs(server, director, "Anna;Bert;Ranshofen\nCilli;Dora\nEmil;Fanny\nGustl;Hias;Braunau")
    send(server, f"/p/{director}/draw")
    return director
