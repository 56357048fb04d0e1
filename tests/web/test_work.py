"""How much one address may have computed in a minute, whatever route it asks."""

import pytest
from werkzeug.exceptions import TooManyRequests

from scorer import create_app
from scorer.web.frame.rate_limits import A_FOLD, WORK
from scorer.web.rules.equity import MOST_STEPS
from tests.serving import Local
from tests.torture.test_offline_streams import HEAD, WON, birth, home

HERE = "work 127.0.0.1"


@pytest.fixture
def local(tmp_path):
    return Local(create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": True}))


def brought_home(local):
    copy, keys = birth("table", HEAD, [(event, "scorer a", "") for event in WON])
    return home(local, copy, keys["scorer"])[0]


def computed(local, table):
    """The status of each request that anybody may make and that has much computed."""
    board = f"/b/{table['viewer']}"
    question = {"rules": "bayern", "points": [0, 0]}
    pages = ("/referee", "/rules/bayern/gehen", f"{board}/referee", f"{board}/readings")
    statuses = {page: local.request("GET", page)[0] for page in (*pages, f"{board}/look-back")}
    statuses["equity"] = local.json("POST", "/api/equity", question)[0]
    statuses["birth"] = brought_home(local)
    return statuses


def spend(local, steps):
    local.app.extensions["limits"].spend(HERE, steps, WORK)


def test_nothing_is_computed_over_the_share(local):
    table = local.table(look_back="always", played=[WON[0]])
    with pytest.raises(TooManyRequests):
        spend(local, 1024 * (WORK[0].times + 1))
    assert set(computed(local, table).values()) == {429}
    # Play goes on.
    local.play(table["scorer"], WON[0])
    assert local.request("GET", f"/b/{table['viewer']}")[0] == 200


def test_one_request_leaves_room(local):
    for _ in range(3):
        spend(local, MOST_STEPS)
    assert set(computed(local, local.table()).values()) <= {200, 201}


def test_stream_costs_its_folding(local):
    limits, counted = local.app.extensions["limits"], []
    limits.spend = lambda what, size, most: counted.append((what, size))
    assert brought_home(local) == 201
    assert sum(size for what, size in counted if what == HERE) >= A_FOLD * len(WON)
