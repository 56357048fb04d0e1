"""A ledger that several evenings share."""

import csv
import io
import re

import pytest

from scorer.book.tables import Tables
from scorer.store.database_url import open_store
from tests.builders import WON
from tests.pages import Page

SIDES = [{"players": ["Anna", "=Bert"]}, {"players": ["Cilli", "Dora"]}]


def post(server, path, **fields):
    status, headers, _ = server.request("POST", path, list(fields.items()))
    return status, headers.get("location", "")


@pytest.fixture
def ledger(server):
    status, where = post(server, "/regulars", name="Beim Wirt")
    assert status == 303
    return where.rsplit("/", 1)[1]


@pytest.fixture
def evening(server):
    """The keys of a table with a finished game of four players."""
    keys = server.table(sides=SIDES, played=[WON] * 5)
    return keys


def guest_of(server, ledger):
    return re.search(r'class="url"><a href="[^"]*/g/(\w+)"', server.page(f"/g/{ledger}"))[1]


def add(server, ledger, table):
    return post(server, "/regulars/evenings", group=ledger, table=table)


def test_evening_added_twice_counts_once(server, ledger, evening):
    assert add(server, ledger, evening["scorer"])[0] == 303
    assert add(server, ledger, evening["scorer"])[0] == 303
    found = server.json("GET", f"/g/{ledger}/ledger.json")[1]
    assert (found["name"], found["evenings"]) == ("Beim Wirt", 1)
    assert found["players"]["Anna"]["given"] == 2
    assert found["players"]["Dora"]["schneider_taken"] == 1
    text = server.page(f"/g/{ledger}")
    who = '<th scope="row" dir="auto">Anna</th>'
    account = f'{who}<td data-head="Spiele">1</td><td data-head="Gewonnen">1</td>'
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
    assert text.index('class="debts"') < ladder < text.index("Bummerl 0 : 2") < text.index(account)
    # The skills say nothing after one game and are folded.
    assert text.count('<details class="skills">') == 2


def test_we_and_they_are_not_counted_as_players(server, ledger):
    """The words count as no names in every language. The players can be named later."""
    keys = server.table(sides=[{"name": "Wir"}, {"name": "Loro"}], played=[WON] * 5)
    key = keys["scorer"]
    add(server, ledger, key)
    counts = server.json("GET", f"/g/{ledger}/ledger.json")[1]
    assert (counts["evenings"], counts["players"], counts["pairs"]) == (1, {}, [])
    asks = {"href": f"/t/{key}/seats"}
    assert not server.page(f"/g/{ledger}").has("a", **asks)
    # The phone that recorded the evening gets a link to the names.
    page = server.page(f"/g/{ledger}", Cookie=f"tables={key}")
    assert page.has("a", **asks)
    assert not page.has("ul", **{"class": "debts"})
    seats = Page(server.request("GET", f"/t/{key}/seats")[2])
    form = [(field["name"], field["value"]) for field in seats.all("input", type="hidden")]
    form += [("name", "Wir"), ("name", "Loro")]
    form += [(f"player{side}", name) for side in (0, 1) for name in SIDES[side]["players"]]
    assert server.request("POST", f"/t/{key}/seats", form)[0] == 303
    counts = server.json("GET", f"/g/{ledger}/ledger.json")[1]
    assert counts["players"]["Anna"]["given"] == counts["players"]["Dora"]["taken"] == 2
    page = server.page(f"/g/{ledger}", Cookie=f"tables={key}")
    assert not page.has("a", **asks)
    assert page.one("ul", css="debts").one("li")["data-bummerl"] == "2"


def test_new_table_form_suggests_ledger_players(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    page = server.page(f"/?regulars={ledger}")
    assert [option["value"] for option in page.one("datalist").all("option")] == [
        *SIDES[0]["players"],
        *SIDES[1]["players"],
    ]
    seats = [page.all("input", name=f"player{side}") for side in (0, 1)]
    assert [[seat["value"] for seat in side] for side in seats] == [
        side["players"] for side in SIDES
    ]
    assert not server.page("/").all("datalist")


def test_ledger_pages_show_the_skills_unfolded(server, ledger):
    for _ in range(4):
        keys = server.table(sides=SIDES, played=[WON] * 5)
        assert add(server, ledger, keys["scorer"])[0] == 303
    for path in (f"/g/{ledger}", f"/g/{ledger}?from=3"):
        found = server.page(path)
        assert found.has("details", open=True, **{"class": "skills"}), path


def test_ledger_guests_can_read_but_not_edit(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    guest = guest_of(server, ledger)
    text = server.page(f"/g/{guest}")
    board = re.search(r'href="/b/(\w+)/history"', text)[1]
    assert board == evening["viewer"]
    assert server.page(f"/g/{ledger}").has("form", action=f"/g/{ledger}/drop")
    # A reader may only choose what the own device shows.
    [choice] = text.one("main").all("form")
    assert choice["action"] == f"/g/{guest}/titles"
    assert add(server, guest, server.table()["scorer"])[0] == 403
    assert post(server, f"/g/{guest}/drop", table="x")[0] == 403
    assert post(server, f"/g/{guest}/restore", table="x")[0] == 403
    assert post(server, f"/g/{guest}/renew")[0] == 403
    assert ledger not in text


def test_only_the_writer_adds_a_table_to_a_ledger(server, ledger, evening):
    for role in ("viewer", "opponent"):
        assert add(server, ledger, evening[role])[0] == 403
    assert add(server, ledger, "nobody")[0] == 404
    assert add(server, "nobody", evening["scorer"])[0] == 404


def test_table_key_opens_no_ledger_and_vice_versa(server, ledger, evening):
    assert server.request("GET", f"/b/{ledger}")[0] == 404
    assert server.request("GET", f"/t/{ledger}")[0] == 404
    assert server.request("GET", f"/api/tables/{ledger}")[0] == 404
    assert server.request("GET", f"/g/{evening['scorer']}")[0] == 404


def test_dropped_evening_can_be_restored(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    stream = re.search(r'name="table" value="(\w+)"', server.page(f"/g/{ledger}"))[1]
    status, dropped = post(server, f"/g/{ledger}/drop", table=stream)
    assert status == 303
    assert server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"] == 0
    # The next page can restore the evening, but nothing that was never counted.
    assert f'name="table" value="{stream}"' in server.page(dropped)
    assert post(server, f"/g/{ledger}/restore", table=stream)[0] == 303
    assert post(server, f"/g/{ledger}/restore", table="other")[0] == 303
    assert f"/b/{evening['viewer']}/history" in server.page(f"/g/{ledger}")
    assert server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"] == 1
    assert post(server, f"/g/{ledger}/drop", table=stream)[0] == 303
    add(server, ledger, evening["scorer"])
    assert server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"] == 1


def upload_entry(server, ledger, event, name="x"):
    """Upload an entry as a phone does; returns the status."""
    path, sent = f"/pocket/streams/{ledger}/events", {"Idempotency_Key": name, "If_Match": '"0"'}
    return server.json("POST", path, event, **sent)[0]


def stream_of(server, key):
    return server.json("GET", f"/pocket/streams/{key}")[1]["copy"]["streams"][0]["id"]


def test_ledger_counts_only_tables(server, ledger, evening):
    director = server.new_tournament()["director"]
    for other in (director, ledger):
        assert (
            upload_entry(server, ledger, {"do": "abend", "table": stream_of(server, other)}) == 422
        )
    for event in (
        {"do": "abend"},
        {"do": "loeschung", "sealed": []},
        {"do": "abend", "table": [1]},
        {"do": "x", "table": "y"},
    ):
        assert upload_entry(server, ledger, event) == 422
    add(server, ledger, evening["scorer"])
    # An entry that the store already contains does not count either.
    store = open_store(server.db)
    for other in (director, ledger):
        entry = {"do": "abend", "table": store.find(other).stream}
        store.append(store.find(ledger).stream, entry, idempotency_key=other, by="member x")
    store.close()
    assert server.page(f"/g/{ledger}").count('href="/b/') == 1
    assert server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"] == 1


def test_table_created_from_a_ledger_is_counted(server, ledger):
    text = server.page(f"/?regulars={ledger}")
    assert f'name="regulars" value="{ledger}"' in text
    assert "Beim Wirt" in [name.text for name in text.all("bdi")]
    form = {"rules": "bayern", "side0": "Wir", "side1": "Die", "regulars": ledger}
    assert post(server, "/new", **form)[0] == 303
    assert server.json("GET", f"/g/{ledger}/ledger.json")[1]["evenings"] == 1
    assert post(server, "/new", **{**form, "regulars": "nobody"})[0] == 404


def test_renewed_guest_link_still_shows_boards(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    old = guest_of(server, ledger)
    # The button is folded, as for every link.
    folded = rf'<details class="renew">.*?/g/{ledger}/renew"'
    assert re.search(folded, server.page(f"/g/{ledger}"), re.S)
    assert post(server, f"/g/{ledger}/renew")[0] == 303
    new = guest_of(server, ledger)
    assert new != old
    assert server.request("GET", f"/g/{old}")[0] == 404
    assert f"/b/{evening['viewer']}/history" in server.page(f"/g/{new}")


def test_evening_with_renewed_viewer_key_has_no_link(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    post(server, f"/t/{evening['scorer']}/renew", role="viewer")
    text = server.page(f"/g/{ledger}")
    assert "/history" not in text
    assert "1 : 0" not in text
    assert "0 : 2" in text


def test_ledger_csv_escapes_formulas(server, ledger, evening):
    add(server, ledger, evening["scorer"])
    status, headers, text = server.request("GET", f"/g/{ledger}/ledger.csv", Accept_Language="de")
    assert (status, headers["content-type"]) == (200, "text/csv; charset=utf-8")
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=";"))
    assert [row[0] for row in rows] == [
        *("Wer", "Anna", "'=Bert", "Cilli", "Dora", "'=Bert + Anna", "Cilli + Dora")
    ]
    assert rows[1][rows[0].index("Gewonnen")] == "1"


def test_evening_is_exported_as_csv(server, evening):
    text = server.request("GET", f"/b/{evening['viewer']}/evening.csv", Accept_Language="en")[2]
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    assert len(rows) == 6
    assert rows[-1][:2] == ["1", "5"]
    assert "10" in rows[-1]


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb"])
def test_ledger_needs_a_valid_name(server, name):
    status, _, text = server.request("POST", "/regulars", [("name", name)], Accept_Language="de")
    assert status == 422
    assert "Name" in text


def test_empty_ledger_links_to_a_new_table(server, ledger):
    text = server.page(f"/g/{ledger}")
    assert text.one(data_games="0").text
    # The page links to the form for a new table of this ledger.
    assert text.has(role="link", href=f"/?regulars={ledger}")


def test_ledger_chart_has_a_data_table(server, ledger):
    # Nobody can have recorded an evening on the last two days.
    for day in ("2026-09-01", "2026-10-01", "2026-13-01", "9999-12-31"):
        won = {**WON, "at": f"{day}T20:00:00Z"}
        record = {"watten": 1, "rules": "oberoesterreich", "sides": SIDES, "events": [won] * 5}
        store = open_store(server.db)
        add(server, ledger, Tables(store).open_record(record)["scorer"])
        store.close()
    text = server.page(f"/g/{ledger}")
    assert text.has("div", css="chart")
    assert '<th scope="col">Sep 2026</th><th scope="col">Okt 2026</th>' in text


def test_titles_and_streaks_can_be_hidden(server, ledger):
    for _ in range(2):
        keys = server.table(sides=SIDES, played=[WON] * 5)
        assert add(server, ledger, keys["scorer"])[0] == 303

    def titles_by_player(**headers):
        page = Page(server.request("GET", f"/g/{ledger}", **headers)[2])
        rungs = page.one("ol", css="ladder").all("li")
        return {
            rung.one("b").text: [small.text for small in rung.all("small", css="titles")]
            for rung in rungs
        }

    titles = titles_by_player()
    # A pair shares its title, and a loser has no streak.
    assert titles["Anna"] == titles["=Bert"] != []
    assert "2" in titles["Anna"][0] and " · " in titles["Anna"][0]
    assert len(titles["Cilli"]) == 1 and "2" not in titles["Cilli"][0]
    status, headers, _ = server.request("POST", f"/g/{ledger}/titles", [])
    assert status == 303
    chosen = headers["set-cookie"].partition(";")[0]
    assert not any(titles_by_player(Cookie=chosen).values())
    # The same button shows them again.
    shown = server.request("POST", f"/g/{ledger}/titles", [], Cookie=chosen)[1]["set-cookie"]
    assert titles_by_player(Cookie=shown.partition(";")[0]) == titles
