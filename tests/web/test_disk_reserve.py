"""On a nearly full disk no stream is created, and open streams continue."""

import json

import pytest

from scorer.book.tables import Tables
from scorer.engine import read_head
from scorer.pocket.offline_app import OfflineApp
from scorer.store import Unavailable
from scorer.store.database_url import open_store
from scorer.web import create_app
from scorer.web.frame.errors import MAY_BE_RECORDED, NOT_RECORDED, unavailable_response
from scorer.web.table.error_handlers import unavailable_with_form
from tests.builders import BAYERN, NEW_TOURNAMENT, WON
from tests.pocket.upload_script import Sending
from tests.serving import InProcessClient, serving


@pytest.fixture
def app(tmp_path):
    return create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False})


@pytest.fixture
def server(app):
    return InProcessClient(app)


def nearly_full(app):
    app.config["DISK_RESERVE"] = 101


def counts(app):
    store = app.extensions["tables"].store
    return {kind: store.streams(kind) for kind in ("table", "group", "tournament")}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/new", [("rules", "bayern"), ("token", "t")]),
        ("/regulars", [("name", "Donnerstag"), ("token", "t")]),
        ("/p/new", [("preset", "chance"), ("name", "Preis"), ("token", "t")]),
        ("/p/{director}/again", [("name", "Preis"), ("token", "t")]),
        ("/api/tables", BAYERN),
        ("/api/tournaments", NEW_TOURNAMENT),
        ("/pocket/streams", {}),
    ],
)
def test_nearly_full_disk_refuses_new_streams(app, server, path, body):
    director = server.new_tournament()["director"]
    before = counts(app)
    nearly_full(app)
    sent = json.dumps(body).encode() if isinstance(body, dict) else body
    more = {"Content_Type": "application/json"} if isinstance(body, dict) else {}
    where = path.format(director=director)
    status, _, text = server.request("POST", where, sent, Accept_Language="en", **more)
    assert status == 503
    assert '"scarce"' in text
    assert MAY_BE_RECORDED not in text
    assert NOT_RECORDED in text
    assert counts(app) == before


@pytest.mark.parametrize("began", [False, True])
@pytest.mark.parametrize("shown", [unavailable_response, unavailable_with_form])
def test_error_says_perhaps_only_if_a_write_began(app, shown, began):
    with app.test_request_context("/new", method="POST", headers={"Accept-Language": "en"}):
        if began:
            app.extensions["tables"].create(read_head(BAYERN))
        page = shown(Unavailable("locked")).get_data(as_text=True)
        assert (MAY_BE_RECORDED in page, NOT_RECORDED in page) == (began, not began)


def test_open_streams_continue_on_a_nearly_full_disk(app, server):
    table, desk = server.table(), server.new_tournament()["director"]
    nearly_full(app)
    server.play(table["scorer"], WON)
    assert len(server.draw(desk)) == 2


def test_refused_new_table_does_not_block_uploads(tmp_path):
    db = tmp_path / "x.db"
    store = open_store(db)
    keys = Tables(store).create(read_head(BAYERN))
    store.close()
    (tmp_path / "phone").mkdir()
    phone = OfflineApp(str(tmp_path / "phone"), "http://bummerl.local")
    kind = {"content-type": "application/json"}

    def ask(path, body, **headers):
        return json.loads(phone.answer("POST", path, kind | headers, json.dumps(body).encode())[2])

    with (
        (tmp_path / "log").open("w") as log,
        serving(db, log=log, BUMMERL_RESERVE="101") as server,
        Sending(tmp_path / "s", server.url) as home,
    ):
        copy = server.request("GET", f"/pocket/streams/{keys['scorer']}", Bummerl_Copy="2")[2]
        phone.adopt(keys["scorer"], copy)
        own = ask("/api/tables", BAYERN)["scorer"]
        phone.answer("GET", f"/t/{own}", {})
        ask(f"/api/tables/{keys['scorer']}/events", WON, **{"idempotency-key": "tap"})
        home.send(phone)
        assert server.seq(keys["scorer"]) == 1
        assert phone.status() == {"pocket": "offline", "unsent": 1}
    assert "scarce" in (tmp_path / "log").read_text()
