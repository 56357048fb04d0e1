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


def test_nothing_is_computed_for_an_address_that_had_its_share(local):
    table = local.table(look_back="always")
    assert local.write(table["scorer"], WON[0], "1")[0] == 201
    with pytest.raises(TooManyRequests):
        spend(local, 1024 * (WORK[0].times + 1))
    assert set(computed(local, table).values()) == {429}
    # Play goes on.
    assert local.write(table["scorer"], WON[0], "2")[0] == 201
    assert local.request("GET", f"/b/{table['viewer']}")[0] == 200


def test_what_one_request_may_ask_leaves_the_address_more(local):
    for _ in range(3):
        spend(local, MOST_STEPS)
    assert set(computed(local, local.table()).values()) <= {200, 201}


def test_a_stream_that_comes_home_costs_what_it_is_folded_by(local):
    limits, counted = local.app.extensions["limits"], []
    limits.spend = lambda what, size, most: counted.append((what, size))
    assert brought_home(local) == 201
    assert sum(size for what, size in counted if what == HERE) >= A_FOLD * len(WON)
