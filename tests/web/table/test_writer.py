"""The writer's page with plain forms: what is recorded, refused and shown."""

import json
import re
from contextlib import closing

import pytest

from scorer.book.tables import Tables
from scorer.engine import (
    REGIONS,
    Bieten,
    apply,
    is_legal,
    legal,
    read_head,
    replay,
    rulebook,
    rules_of,
    start,
)
from scorer.engine.scoring.events import parse
from scorer.engine.scoring.stakes import next_stake
from scorer.engine.telling.side_grammar import NUMBERS, form
from scorer.store import Unavailable
from scorer.store.sqlite import SqliteStore
from scorer.web import create_app
from scorer.web.frame.errors import COUNTS_ONCE, NOT_RECORDED
from tests.builders import BAYERN, LOST, NAMED, RAISED, WON
from tests.databases import SqliteDatabase
from tests.pages import Page, translated
from tests.serving import InProcessClient


def page(server, key, **headers):
    return server.page(f"/t/{key}", **headers).html


def hidden(text):
    return [(n, re.search(rf'name="{n}" value="([^"]+)"', text)[1]) for n in ("seq", "token")]


def tap(server, key, event, fields=(), **headers):
    form = [("event", json.dumps(event)), *hidden(page(server, key)), *fields]
    return server.request("POST", f"/t/{key}/events", form, Accept_Language="de", **headers)


def events(text):
    """All events the buttons of a page send."""
    found = re.findall(r'name="event"[^>]*value=(?:"([^"]*)"|\'([^\']*)\')', text)
    return [json.loads((a or b).replace("&#34;", '"').replace("&amp;", "&")) for a, b in found]


@pytest.mark.parametrize("region", REGIONS)
def test_pad_buttons_match_legal_events(server, region):
    key = server.table(region)["scorer"]
    for _ in range(6):
        record = server.record(key)
        state = replay(record)[0].state
        offered = events(page(server, key))
        shown = [event for event in offered if event["do"] not in ("korrektur", "sitzordnung")]
        for event in shown:
            # Fields beside the button complete these two events.
            if event.get("offence") != "sonstige" and event != {"do": "ansage"}:
                assert is_legal(state, parse(event))
        allowed = [event.to_json() for event in legal(state)]
        decisive = [e for e in allowed if e["do"] in ("bleiben", "gehen", "neues_spiel")]
        assert all(any(e.items() <= s.items() for s in shown) for e in decisive)
        best = next(e for e in shown if e["do"] in ("gewinnt", "bleiben", "neues_spiel"))
        assert tap(server, key, best)[0] == 303


def test_illegal_tap_shows_the_reason(server):
    key = server.table()["scorer"]
    status, _, text = tap(server, key, {"do": "gehen", "side": 0})
    notice = Page(text).one(role="alert", data_code=True)
    assert (status, notice.code, bool(notice.text)) == (422, "nothing-to-answer", True)
    assert server.seq(key) == 0


@pytest.mark.parametrize(
    "event",
    ["", "{", "[]", "[1]", '{"do":"hexen"}', '{"do":"gewinnt","side":7}', json.dumps([WON] * 5)],
)
def test_invalid_or_too_many_events_are_refused(server, event):
    key = server.table()["scorer"]
    form = [("event", event), *hidden(page(server, key))]
    assert server.request("POST", f"/t/{key}/events", form)[0] == 422
    assert server.seq(key) == 0


WON_FIELD = ("event", json.dumps(WON))


@pytest.mark.parametrize(
    "form",
    [
        [],
        [("seq", "0")],
        [("seq", "-1"), ("token", "x")],
        [WON_FIELD, ("seq", "0"), ("token", "x" * 101)],
        [WON_FIELD, ("seq", "0"), ("token", "a\0b")],
    ],
)
def test_malformed_event_form_is_refused(server, form):
    key = server.table()["scorer"]
    assert server.request("POST", f"/t/{key}/events", form)[0] == 400


def test_resent_form_records_one_event(server):
    key = server.table()["scorer"]
    form = [WON_FIELD, *hidden(page(server, key))]
    for _ in range(3):
        # After the redirect, neither a reload nor the back button sends the form again.
        assert server.submit(f"/t/{key}/events", form, Cookie="phone=p1") == f"/t/{key}"
    assert server.seq(key) == 1


@pytest.mark.parametrize("region", ["oberoesterreich", "bayern"])
def test_penalty_points_come_from_the_field(server, region):
    """Bavaria's rules name no price for a misdeal, so the table enters one."""
    key = server.table(region)["scorer"]
    event = {"do": "strafe", "side": 0, "offence": "sonstige"}
    assert tap(server, key, event, [("points", "4")])[0] == 303
    assert server.state(key)["points"] == [0, 4]
    assert tap(server, key, event, [("points", "viele")])[0] == 422


def test_each_offence_shows_its_cost_once(server):
    for names in (("Wir", "Die"), ("A", "B", "C")):
        key = server.table(sides=[{"name": name} for name in names])["scorer"]
        offences = server.page(f"/t/{key}/more").one(id="penalties").all(css="offence")
        assert offences
        for offence in offences:
            costs = re.findall("[+]2|1 Bummerl", offence.text)
            assert len(costs) + offence.has("input", name="points") == 1
            assert [button.text for button in offence.all("button")][:2] == list(names[:2])


def test_schlag_and_trump_can_be_noted(server):
    key = server.table()["scorer"]
    assert tap(server, key, {"do": "ansage"}, [("schlag", "7"), ("trumpf", "H")])[0] == 303
    assert "Herz" in page(server, key)


def seats_form(server, key, names, players):
    """The filled form for the names of two sides and their players."""
    fields = [*[("name", name) for name in names], *[("player0", name) for name in players[:2]]]
    fields += [("player1", name) for name in players[2:]]
    return [*hidden(server.page(f"/t/{key}/seats").html), *fields]


@pytest.mark.parametrize("count", ["2", "4"])
def test_two_players_have_two_seats_when_names_change(server, count):
    sides = [{"players": ["Anna"]}, {"players": ["Bert"]}]
    key = server.table(sides=sides)["scorer"]
    assert server.page(f"/t/{key}/seats").one("input", name="count", checked=True)["value"] == "2"
    form = seats_form(server, key, ("", ""), ("Cilli", "X", "Dora", "Y"))
    server.submit(f"/t/{key}/seats", [*form, ("count", count)])
    players = [side["players"] for side in server.record(key)["events"][-1]["sides"]]
    assert players == ([["Cilli"], ["Dora"]] if count == "2" else [["Cilli", "X"], ["Dora", "Y"]])


def test_seats_and_names_change_midway(server):
    key = server.table()["scorer"]
    tap(server, key, WON)
    form = seats_form(server, key, ("Stammtisch", "Gäste"), ("Anna", "Bert", "Cilli", "Dora"))
    alike = [(field, "Dora" if name == "Anna" else name) for field, name in form]
    server.submit_refused(f"/t/{key}/seats", alike)
    server.submit(f"/t/{key}/seats", form)
    text = page(server, key)
    assert "Stammtisch" in text and "Cilli" in text
    assert server.state(key)["points"] == [2, 0]
    # The undo button has no room for the names.
    undo, short = server.page(f"/t/{key}").one("button", css="undo"), translated("Names and seats")
    assert undo.text.endswith(short)


def test_score_from_paper_is_the_first_row_everywhere(server):
    keys = server.table(start={"points": [8, 3]}, set={"target": 11})
    paper = translated("paper")
    for event in (None, WON):
        if event:
            server.play(keys["scorer"], event)
        first = server.page(f"/t/{keys['scorer']}").one(css="slate-rows").all("li")[0]
        assert [cell.text for cell in first.all("b")] == ["8", "3"] and paper in first.text
    for path in ("history", "sheet"):
        row = server.page(f"/b/{keys['scorer']}/{path}").one(css="paper")
        assert [points.text for points in row.all(css="running-total")] == ["8", "3"]
    assert server.page(f"/b/{keys['scorer']}/sheet.svg").count(f">{paper}<") == 2
    # Only the first game began on paper.
    for event in (WON, {"do": "neues_spiel"}, WON):
        server.play(keys["scorer"], event)
    assert not server.page(f"/t/{keys['scorer']}").one(css="slate-rows").has(css="paper")


def test_first_raised_round_explains_its_shorthand(server):
    keys = server.table(played=[WON, RAISED, {"do": "bieten", "side": 1}])
    legend = translated("%(raises)s: raised from %(first)s to %(last)s")
    legend %= {"raises": "2›3›4", "first": 2, "last": 4}
    # A folded round counts what its last raise but one was worth, so it is no example.
    folded = [{"do": "gehen", "side": 0}]
    raised = [RAISED, {"do": "bieten", "side": 1}, {"do": "bleiben", "side": 0}, WON]
    for events, explained in ((folded, False), (raised, True), ([WON], False)):
        server.play(keys["scorer"], *events)
        for path in (f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
            assert (legend in server.page(path, language="de")) == explained


def test_history_shows_time_and_writer_of_entries(server):
    key = server.table()["scorer"]

    def writers():
        return re.findall(r"\d\d:\d\d \w+</time> · (.+?)</p>", server.page(f"/b/{key}/history"))

    tap(server, key, WON, Cookie=f"phone={'a' * 26}")
    assert writers() == ["Schreiber"]
    tap(server, key, LOST, Cookie=f"phone={'b' * 26}; tables={key}")
    assert writers() == ["Schreiber · Handy 1", "Schreiber · Handy 2"]
    # No page shows the phone's secret.
    assert not any(secret in name for secret in ("aaaa", "bbbb") for name in writers())


def test_htmx_request_gets_only_the_fragment(server):
    key = server.table()["scorer"]
    assert page(server, key, HX_Request="true").lstrip().startswith("<main")
    assert "<html" in page(server, key)
    board = server.page(f"/b/{key}", HX_Request="true").html
    assert "<html" not in board and 'class="slate' in board
    status, _, text = tap(server, key, WON, HX_Request="true")
    assert (status, text.lstrip()[:5]) == (200, "<main")


def test_board_stream_uses_the_readers_language(server):
    keys = server.table()
    path = f"/b/{keys['viewer']}/stream"
    with (
        server.watch(path, Accept_Language="de") as german,
        server.watch(path, Accept_Language="en") as english,
    ):
        assert "gilt" in german.next()["data"] and "counts" in english.next()["data"]
        server.play(keys["scorer"], WON)
        assert "Runde 2" in german.next()["data"]
        news = english.next()
        assert ("Round 2" in news["data"], news["id"]) == (True, "1")


def test_renewed_key_ends_the_old_stream(server):
    keys = server.table()
    with server.watch(f"/b/{keys['viewer']}/stream") as watch:
        assert watch.next()["id"] == "0"
        server.submit(f"/t/{keys['scorer']}/renew", [("role", "viewer")])
        server.play(keys["scorer"], WON)
        assert watch.next() == {}


def test_tap_can_be_resent_after_a_locked_database(tmp_path):
    book = SqliteDatabase(tmp_path)
    own = InProcessClient(create_app({"DATABASE": book.place, "RATE_LIMITS": False}))
    with book, closing(SqliteStore(book.place, patience=0.3)) as store:
        own.app.extensions["tables"] = Tables(store)
        key = own.table()["scorer"]
        form = [WON_FIELD, *hidden(page(own, key))]
        with book.hold_write_lock():
            notice = own.submit_refused(f"/t/{key}/events", form, 503).one(
                role="alert", data_code=True
            )
        # The notice says that nothing was recorded.
        assert (notice.code, translated(NOT_RECORDED) in notice.text) == ("locked", True)
        again = dict(notice.one("form").fields)
        assert (again["token"], json.loads(again["event"])) == (dict(form)["token"], WON)
        own.submit(f"/t/{key}/events", form)
        assert own.state(key)["points"] == [2, 0]


class Away(SqliteStore):
    """A database whose next query fails if `away` is set."""

    away = False

    def events_after(self, lengths):
        self._ask()
        return super().events_after(lengths)

    def read_streams(self, streams):
        self._ask()
        return super().read_streams(streams)

    def _ask(self):
        if self.away:
            self.away = False
            raise Unavailable("gone")


@pytest.fixture
def shaky(tmp_path):
    """A database that can fail, a client of its app, and the writer's key of a table."""
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False})
    with closing(Away(tmp_path / "x.db")) as store:
        tables = app.extensions["tables"] = Tables(store)
        key = tables.create(read_head(BAYERN))["scorer"]
        yield store, app.test_client(), key


def test_names_form_can_be_resent_after_store_error(shaky):
    store, client, key = shaky
    form = dict(hidden(client.get(f"/t/{key}/seats").text), name=["Wir", "Die"])
    store.away = True
    refused = client.post(f"/t/{key}/seats", data=form)
    assert (refused.status_code, 'role="alert"' in refused.text) == (503, True)
    assert client.post(f"/t/{key}/seats", data=form).status_code == 303


def test_tap_response_needs_no_database_read(shaky):
    store, client, key = shaky
    form = dict([*hidden(client.get(f"/t/{key}").text), WON_FIELD])
    store.away = True
    shown = client.post(f"/t/{key}/events", data=form, headers={"HX-Request": "true"})
    assert (shown.status_code, dict(hidden(shown.text))["seq"]) == (200, "1")
    # The response needed no query of what was just recorded.
    assert store.away


class Once(SqliteStore):
    """A database that accepts only one event of a stream."""

    def append(self, *given, **named):
        if self.events(given[0]):
            raise Unavailable("full")
        return super().append(*given, **named)


def test_partly_recorded_tap_asks_to_send_it_again(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False})
    with closing(Once(tmp_path / "x.db")) as store:
        tables = app.extensions["tables"] = Tables(store)
        key = tables.create(read_head({**BAYERN, "start": {"points": [13, 0]}}))["scorer"]
        both = json.dumps([{"do": "bleiben", "side": 0}, WON])
        form = {"event": both, "seq": "0", "token": "tap"}
        refused = app.test_client().post(f"/t/{key}/events", data=form)
        assert (refused.status_code, COUNTS_ONCE in refused.text) == (503, True)


def test_more_panel_is_loaded_on_request(server):
    key = server.table()["scorer"]
    assert 'class="panel"' not in page(server, key)
    panel = server.page(f"/t/{key}/more", HX_Request="true").html
    assert 'class="panel"' in panel and "<html" not in panel
    assert "<html" in server.page(f"/t/{key}/more").html


def test_more_panel_repeats_no_button_of_the_pad(server):
    key = server.table()["scorer"]
    on_pad = server.page(f"/t/{key}").all("div", css="raised-wins")[0].all("button")
    in_panel = server.page(f"/t/{key}/more").all("fieldset", css="side-0")[0].all("button")
    assert on_pad and in_panel
    assert not {chip.text for chip in on_pad} & {chip.text for chip in in_panel}


def test_one_tap_records_bleiben_and_win(server):
    key = server.table("bayern", start={"points": [13, 0]})["scorer"]
    form = [("event", json.dumps([{"do": "bleiben", "side": 0}, WON])), ("seq", "0")]
    for _ in range(2):
        # The same tap sent again records nothing twice.
        server.submit(f"/t/{key}/events", [*form, ("token", "one")], Cookie="phone=abc123")
    assert (server.seq(key), server.state(key)["points"]) == (2, [16, 0])


WORD_NAMES = ("bid", "stay", "go", "play", "give", "stay_asked", "play_asked")


@pytest.mark.parametrize("region", REGIONS)
def test_pad_and_board_use_regional_words(server, region):
    words = {book: rulebook(book)["words"]["de"] for book in REGIONS}
    rules = rules_of(region)
    to = next_stake(apply(start(rules), Bieten(0)))

    def said(book, name, number="several"):
        return form(words[book][name], number).format(to=to)

    own = {name: said(region, name) for name in WORD_NAMES}
    foreign = {said(other, name) for other in REGIONS for name in WORD_NAMES}
    foreign |= {said(other, "play_asked", number) for other in REGIONS for number in NUMBERS}
    foreign = {word for word in foreign if not any(word in mine for mine in own.values())}
    near = {"start": {"points": [rules.target - 1, 0]}}
    shown = [({}, [RAISED], ("stay_asked", "bid", "stay", "go"))]
    if replay({"watten": 1, "rules": region, **near})[0].state.decision:
        shown.append((near, [], ("play_asked", "play", "give")))
    for head, played, names in shown:
        keys = server.table(region, played=played, **head)
        # The board shows the question, without its buttons.
        for path, expected in (
            (f"/t/{keys['scorer']}", names),
            (f"/b/{keys['viewer']}", names[:1]),
            (f"/t/{keys['scorer']}/more", ()),
        ):
            html = server.page(path).html.replace("\N{NO-BREAK SPACE}", " ")
            text = re.sub(r"<[^>]+>|{[^}]*}", " ", html.partition("<main")[2])
            assert all(own[name] in text for name in expected)
            for word in foreign:
                assert not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text), (path, word)


@pytest.mark.parametrize("region", REGIONS)
def test_one_person_is_asked_in_the_singular(server, region):
    words = rulebook(region)["words"]["de"]["stay_asked"]
    single, several = (form(words, number) for number in ("one", "several"))
    three = [{"name": name} for name in ("Anna", "Bernhard", "Christoph")]
    alone = [{"name": "Anna", "players": ["Anna"]}, {"name": "Bert", "players": ["Bert"]}]
    for sides, expected in ((three, single), (alone, single), (NAMED, several)):
        played = {**RAISED, "side": 1}
        text = server.page(
            f"/t/{server.table(region, sides=sides, played=[played])['scorer']}"
        ).text
        assert expected in text and (several if expected == single else single) not in text
    assert single != several


@pytest.mark.parametrize("side, number", [(0, "we"), (1, "they")])
def test_near_side_is_asked_in_its_own_person(server, side, number):
    points = [rules_of("bayern").target - 1, 0][:: 1 - 2 * side]
    sides = [{"name": "Wir"}, {"name": "Die"}]
    writer = server.table("bayern", sides=sides, start={"points": points})["scorer"]
    question = form(rulebook("bayern")["words"]["de"]["play_asked"], number)
    assert question in server.page(f"/t/{writer}").text.replace("\N{NO-BREAK SPACE}", " ")


def test_undo_of_playing_a_round_says_so(server):
    """The side did not stay on a raise: it decided to play."""
    near = {"points": [rules_of("bayern").target - 1, 0]}
    decided = {"do": "bleiben", "side": 0}
    key = server.table("bayern", played=[decided], start=near)["scorer"]
    undo = server.page(f"/t/{key}").one("button", css="undo").text
    words = rulebook("bayern")["words"]["de"]
    assert words["plays"].split("|")[0] in undo and words["stay"] not in undo


def test_offences_use_the_regional_word(server):
    panel = server.page(f"/t/{server.table('trentino')['scorer']}/more")
    assert "Regelwidrige Erhöhung" in panel and "Bieten" not in panel


@pytest.mark.parametrize(
    "names", [("Wir", "Die"), ("We", "They"), ("Noi", "Loro"), ("Nous", "Eux")]
)
def test_player_names_replace_we_and_they(server, names):
    key = server.table(sides=[{"name": name} for name in names])["scorer"]
    server.submit(f"/t/{key}/seats", seats_form(server, key, names, ("Anna", "Bert", "", " ")))
    # A side without players keeps its name.
    sides = server.record(key)["events"][-1]["sides"]
    assert [side.get("name", "") for side in sides] == ["", names[1]]
    assert "Anna & Bert" in server.page(f"/t/{key}").text


def test_no_side_waits_for_a_raise_that_cannot_come(server):
    played = [{"do": "gewinnt", "side": 1, "stake": 7}, {"do": "bieten", "side": 0}]
    played.append({"do": "bleiben", "side": 1})
    key = server.table("oberoesterreich", sides=NAMED, played=played)["scorer"]
    reasons = {reason.text for reason in server.page(f"/t/{key}").all("p", css="no-raise")}
    [reason] = reasons
    assert "krank" in reason


def test_pad_says_once_why_no_side_may_raise(server):
    """The near side and the other one have the same reason: the points of the near side."""
    key = server.table("trentino", sides=NAMED, played=[{**WON, "stake": 13}, LOST])["scorer"]
    reasons = server.page(f"/t/{key}").all(css="no-raise")
    assert len(reasons) == 2
    assert len({reason.text for reason in reasons}) == 1
    assert all("for-all" in reason["class"] for reason in reasons)


def test_only_the_first_game_begins_with_a_hint(server):
    key = server.table(played=[{**WON, "stake": 9}])["scorer"]
    hint = {"css": "hint"}
    server.play(key, {"do": "neues_spiel"})
    assert server.page(f"/t/{key}").all(**hint) == []
    assert server.page(f"/t/{server.table()['scorer']}").all(**hint)


def test_what_was_taken_back_names_the_decision_and_its_round(server):
    """A tap on the winner while a side must decide also records that the side plays."""
    keys = server.table("bayern", sides=NAMED, played=[{**WON, "stake": 13}])
    key = keys["scorer"]
    win = next(
        button["value"]
        for button in server.page(f"/t/{key}").all("button", name="event")
        if '"gewinnt"' in button["value"]
    )
    tap(server, key, json.loads(win))
    undo = server.page(f"/t/{key}").one("button", css="undo")
    tap(server, key, json.loads(undo["value"]))
    plays = rulebook("bayern")["words"]["de"]["play"]
    assert plays in undo.text
    notice = server.page(f"/t/{key}").one("button", css="redo").find_parent("p")
    assert plays in notice.text
    # Others read it as news.
    assert plays in server.page(f"/b/{keys['viewer']}").one(css="news").text
