"""A ledger that several evenings share."""

import csv
import io
import re
from contextlib import closing

import pytest

from scorer.book.tables import Tables
from scorer.store.database_url import open_store
from tests.builders import WON

SIDES = [{"players": ["Anna", "=Bert"]}, {"players": ["Cilli", "Dora"]}]


@pytest.fixture
def ledger(server):
    return server.submit("/regulars", [("name", "Beim Wirt")]).rsplit("/", 1)[1]


@pytest.fixture
def evening(server):
    """The keys of a table with a finished game of four players."""
    return server.table(sides=SIDES, played=[WON] * 5)


def guest_of(server, ledger):
    return re.search(r'class="url"><a href="[^"]*/g/(\w+)"', server.page(f"/g/{ledger}"))[1]


def counts(server, ledger):
    return server.json("GET", f"/g/{ledger}/ledger.json")[1]


def send(server, path, **fields):
    return server.request("POST", path, list(fields.items()))[0]


def add(server, ledger, table):
    return send(server, "/regulars/evenings", group=ledger, table=table)


def test_evening_added_twice_counts_once(server, ledger, evening):
    for _ in range(2):
        assert add(server, ledger, evening["scorer"]) == 303
    found = counts(server, ledger)
    assert (found["name"], found["evenings"]) == ("Beim Wirt", 1)
    assert found["players"]["Anna"]["given"] == 2
    assert found["players"]["Dora"]["schneider_taken"] == 1
    text = server.page(f"/g/{ledger}")
    who = '<th scope="row" dir="auto">Anna</th>'
    account = f"{who}<td>1</td><td>1</td>"
    # The page shows debts, ladder, evenings with their results and accounts, in this order.
    [debt] = text.one("ul", css="debts").all("li")
    assert [name.text for name in debt.all("bdi")] == ["Cilli", "Dora", "=Bert", "Anna"]
    assert debt["data-bummerl"] == "2" and "2 Bummerl" in debt.text
    rungs = text.one("ol", css="ladder").all("li")
    assert [rung.one("b").text for rung in rungs] == ["=Bert", "Anna", "Cilli", "Dora"]
    assert [rung.one("strong").text for rung in rungs] == ["+2", "+2", "−2", "−2"]
    # Every leader has a crown, also two who are level.
    assert [rung.has(css="crown") for rung in rungs] == [True, True, False, False]
    ladder = text.index('class="ladder"')
    marks = text.index("Dora: 2\u00a0Bummerl")
    assert text.index('class="debts"') < ladder < marks < text.index(account)
    # The skills say nothing after one game and are folded.
    assert text.count('<details class="skills">') == 2


def test_evening_with_an_unfinished_game_says_so(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    assert not server.page(f"/g/{ledger}").has(data_running=True)
    add(server, ledger, server.table(sides=SIDES, played=[WON])["scorer"])
    assert "2 : 0" in server.page(f"/g/{ledger}").one(data_running=True).text


def test_equal_debts_are_listed_alike(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    assert not server.page(f"/g/{ledger}").has("p", data_level=True)
    other = [{"players": ["Emil", "Fanni"]}, {"players": ["Gabi", "Hans"]}]
    add(server, ledger, server.table(sides=other, played=[WON] * 5)["scorer"])
    page = server.page(f"/g/{ledger}")
    assert page.has("p", data_level=True)
    debts = page.one("ul", css="debts").all("li")
    assert [debt["data-bummerl"] for debt in debts] == ["2", "2"]
    assert not any("zahlen" in debt.text for debt in debts)


def test_printed_ledger_has_no_controls(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    page = server.page(f"/g/{ledger}").one("main")
    controls = [*page.all("form"), *page.all("a", css="button"), page.one("details", css="qr-more")]
    assert len(controls) >= 4
    for control in controls:
        around = [control, *control.parents]
        assert any(re.search("screen|languages", str(part.get("class"))) for part in around)


def test_we_and_they_are_not_counted_as_players(server, ledger):
    """The words count as no names in every language. The players can be named later."""
    key = server.table(sides=[{"name": "Wir"}, {"name": "Loro"}], played=[WON] * 5)["scorer"]
    add(server, ledger, key)
    found = counts(server, ledger)
    assert (found["evenings"], found["players"], found["pairs"]) == (1, {}, [])
    seats = f"/t/{key}/seats"
    assert not server.page(f"/g/{ledger}").has("a", href=seats)
    # The phone that recorded the evening gets a link to the names.
    page = server.page(f"/g/{ledger}", Cookie=f"tables={key}")
    assert page.has("a", href=seats) and not page.has("ul", css="debts")
    hidden = server.page(seats).all("input", type="hidden")
    form = [(field["name"], field["value"]) for field in hidden]
    form += [("name", "Wir"), ("name", "Loro")]
    form += [(f"player{side}", name) for side in (0, 1) for name in SIDES[side]["players"]]
    server.submit(seats, form)
    players = counts(server, ledger)["players"]
    assert players["Anna"]["given"] == players["Dora"]["taken"] == 2
    page = server.page(f"/g/{ledger}", Cookie=f"tables={key}")
    assert not page.has("a", href=seats)
    assert page.one("ul", css="debts").one("li")["data-bummerl"] == "2"


def test_new_table_form_suggests_ledger_players(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    page = server.page(f"/?regulars={ledger}")
    players = [side["players"] for side in SIDES]
    offered = [option["value"] for option in page.one("datalist").all("option")]
    assert offered == players[0] + players[1]
    seats = [page.all("input", name=f"player{side}") for side in (0, 1)]
    assert [[seat["value"] for seat in side] for side in seats] == players
    assert not server.page("/").all("datalist")


def test_ledger_pages_show_the_skills_unfolded(server, ledger):
    for _ in range(4):
        add(server, ledger, server.table(sides=SIDES, played=[WON] * 5)["scorer"])
    for path in (f"/g/{ledger}", f"/g/{ledger}?from=3"):
        assert server.page(path).has("details", open=True, css="skills"), path


def test_ledger_guests_can_read_but_not_edit(server, ledger, evening):
    for _ in range(2):
        add(server, ledger, server.table(sides=SIDES, played=[WON] * 5)["scorer"])
    add(server, ledger, evening["scorer"])
    guest = guest_of(server, ledger)
    text = server.page(f"/g/{guest}")
    assert re.search(r'href="/b/(\w+)/history"', text)[1] == evening["viewer"]
    assert server.page(f"/g/{ledger}").has("form", action=f"/g/{ledger}/drop")
    # A reader may only choose what the own device shows.
    [choice] = text.one("main").all("form")
    assert choice["action"] == f"/g/{guest}/titles"
    assert add(server, guest, server.table()["scorer"]) == 403
    for path in ("drop", "restore", "renew"):
        assert send(server, f"/g/{guest}/{path}", table="x") == 403
    assert ledger not in text


def test_only_the_writer_adds_a_table_to_a_ledger(server, ledger, evening):
    for role in ("viewer", "opponent"):
        assert add(server, ledger, evening[role]) == 403
    assert add(server, ledger, "nobody") == add(server, "nobody", evening["scorer"]) == 404


def test_table_key_opens_no_ledger_and_vice_versa(server, ledger, evening):
    paths = [f"/{place}/{ledger}" for place in ("b", "t", "api/tables")]
    for path in (*paths, f"/g/{evening['scorer']}"):
        assert server.request("GET", path)[0] == 404


def test_dropped_evening_can_be_restored(server, ledger, evening):
    page = f"/g/{ledger}"
    add(server, ledger, evening["scorer"])
    stream = re.search(r'name="table" value="(\w+)"', server.page(page))[1]
    dropped = server.submit(f"{page}/drop", [("table", stream)])
    assert counts(server, ledger)["evenings"] == 0
    # The next page can restore the evening, but nothing that was never counted.
    notice = server.page(dropped).one(role="status")
    assert notice.has("button", name="table", value=stream)
    assert "Cilli" in notice.text and "Anna" in notice.text
    for table in (stream, "other"):
        assert send(server, f"{page}/restore", table=table) == 303
    assert f"/b/{evening['viewer']}/history" in server.page(page)
    assert counts(server, ledger)["evenings"] == 1
    assert send(server, f"{page}/drop", table=stream) == 303
    add(server, ledger, evening["scorer"])
    assert counts(server, ledger)["evenings"] == 1


def upload_entry(server, ledger, event):
    """Upload an entry as a phone does; return the status."""
    sent = {"Idempotency_Key": "x", "If_Match": '"0"'}
    return server.json("POST", f"/pocket/streams/{ledger}/events", event, **sent)[0]


def new_stream(server, key):
    return server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["streams"][0]["id"]


def test_ledger_counts_only_tables(server, ledger, evening):
    keys = (server.new_tournament()["director"], ledger)
    wrong = [{"do": "abend", "table": new_stream(server, key)} for key in keys]
    wrong += [{"do": "abend"}, {"do": "loeschung", "sealed": []}]
    wrong += [{"do": "abend", "table": [1]}, {"do": "x", "table": "y"}]
    for event in wrong:
        assert upload_entry(server, ledger, event) == 422
    add(server, ledger, evening["scorer"])
    # An entry that the store already contains does not count either.
    with closing(open_store(server.db)) as store:
        for key in keys:
            entry = {"do": "abend", "table": store.find(key).stream}
            store.append(store.find(ledger).stream, entry, idempotency_key=key, by="member x")
    assert server.page(f"/g/{ledger}").count('href="/b/') == 1
    assert counts(server, ledger)["evenings"] == 1


def test_table_created_from_a_ledger_is_counted(server, ledger):
    text = server.page(f"/?regulars={ledger}")
    assert f'name="regulars" value="{ledger}"' in text
    assert "Beim Wirt" in [name.text for name in text.all("bdi")]
    form = {"rules": "bayern", "side0": "Wir", "side1": "Die"}
    assert send(server, "/new", **form, regulars=ledger) == 303
    assert counts(server, ledger)["evenings"] == 1
    assert send(server, "/new", **form, regulars="nobody") == 404


def test_renewed_guest_link_still_shows_boards(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    old = guest_of(server, ledger)
    # The button is folded, as for every link.
    folded = rf'<details class="renew">.*?/g/{ledger}/renew"'
    assert re.search(folded, server.page(f"/g/{ledger}"), re.S)
    assert send(server, f"/g/{ledger}/renew") == 303
    new = guest_of(server, ledger)
    assert new != old
    server.page(f"/g/{old}", status=404)
    assert f"/b/{evening['viewer']}/history" in server.page(f"/g/{new}")


def test_evening_with_renewed_viewer_key_has_no_link(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    send(server, f"/t/{evening['scorer']}/renew", role="viewer")
    text = server.page(f"/g/{ledger}")
    assert "/history" not in text and "Dora: 2\u00a0Bummerl" in text


def test_ledger_csv_escapes_formulas(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    status, headers, text = server.request("GET", f"/g/{ledger}/ledger.csv", Accept_Language="de")
    assert (status, headers["content-type"]) == (200, "text/csv; charset=utf-8")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    names = ["Wer", "Anna", "'=Bert", "Cilli", "Dora", "'=Bert + Anna", "Cilli + Dora"]
    assert [row[0] for row in rows] == names
    assert rows[1][rows[0].index("Gewonnen")] == "1"


def test_evening_is_exported_as_csv(server, evening):
    text = server.request("GET", f"/b/{evening['viewer']}/evening.csv", Accept_Language="en")[2]
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert (len(rows), rows[-1][:2]) == (6, ["1", "5"])
    assert "10" in rows[-1]


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb"])
def test_ledger_needs_a_valid_name(server, name):
    assert "Name" in server.submit_refused("/regulars", [("name", name)])


def test_empty_ledger_links_to_a_new_table(server, ledger):
    text = server.page(f"/g/{ledger}")
    assert text.one(data_games="0").text
    # The page links to the form for a new table of this ledger.
    assert text.has(role="link", href=f"/?regulars={ledger}")


def test_ledger_chart_has_a_data_table(server, ledger):
    # Nobody can have recorded an evening on the last two days.
    for day in ("2026-09-01", "2026-10-01", "2026-13-01", "9999-12-31"):
        events = [{**WON, "at": f"{day}T20:00:00Z"}] * 5
        record = {"watten": 1, "rules": "oberoesterreich", "sides": SIDES, "events": events}
        with closing(open_store(server.db)) as store:
            add(server, ledger, Tables(store).create_from_record(record)["scorer"])
    text = server.page(f"/g/{ledger}")
    assert text.has("div", css="chart")
    heads = [head.text for head in text.all("th", scope="col")]
    first = heads.index("Sep 2026")
    assert heads[first : first + 2] == ["Sep 2026", "Okt 2026"]


def test_titles_and_streaks_can_be_hidden(server, ledger):
    for _ in range(3):
        add(server, ledger, server.table(sides=SIDES, played=[WON] * 5)["scorer"])

    def titles_by_player(**headers):
        rungs = server.page(f"/g/{ledger}", **headers).one("ol", css="ladder").all("li")
        titles = [[small.text for small in rung.all("small", css="titles")] for rung in rungs]
        return dict(zip([rung.one("b").text for rung in rungs], titles, strict=True))

    def chosen(**headers):
        _, answer, _ = server.request("POST", f"/g/{ledger}/titles", [], **headers)
        return answer["set-cookie"].partition(";")[0]

    titles = titles_by_player()
    # A pair shares its title, and a loser has no streak.
    assert titles["Anna"] == titles["=Bert"] != []
    assert "3" in titles["Anna"][0] and " · " in titles["Anna"][0]
    assert len(titles["Cilli"]) == 1 and "3" not in titles["Cilli"][0]
    hidden = chosen()
    assert not any(titles_by_player(Cookie=hidden).values())
    # The same button shows them again.
    assert titles_by_player(Cookie=chosen(Cookie=hidden)) == titles


def test_evenings_of_one_day_have_their_times(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    assert server.page(f"/g/{ledger}").all("time") == []
    add(server, ledger, server.table(sides=SIDES, played=[WON])["scorer"])
    assert len(server.page(f"/g/{ledger}").all("time")) == 2
