"""Fixtures: a tournament created by the form, and its first round."""

import pytest

from tests.web.tournament.forms import post


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
    form = [("token", "t"), ("list", lines), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    assert post(server, f"/p/{director}/draw", [("token", "d")])[0] == 303
    return director
