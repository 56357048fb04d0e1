"""The score sheet and the settlement."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from scorer.store import hash_chain
from tests.builders import LOST, NAMED, NEXT, SEATED, WON
from tests.pages import Page, translated

GERMAN = {"Accept_Language": "de"}


@pytest.fixture(scope="module")
def evening(server):
    """The keys of a table with a game won to zero and a running one."""
    keys = server.table(sides=SEATED, set={"target": 11})
    wins = [WON] * 6
    server.play(keys["scorer"], *wins, NEXT, LOST)
    return keys


def sheet(server, key, query=""):
    return server.page(f"/b/{key}/sheet?{query}")


def set_price(server, key, token="t", **asked):
    form = {"token": token, "unit": "euro", "per": "bummerl", **asked}
    path = f"/b/{key}/price"
    status, _, text = server.request("POST", path, list(form.items()), Accept_Language="de")
    return status, Page(text)


def test_sheet_shows_rules_games_rounds_and_hash(server, evening):
    text = sheet(server, evening["viewer"])
    assert re.findall(r"\d+", text.one(data_rule="target").text) == ["11"]
    assert re.search(r'Spiel 1.*?<td class="took">12</td>.*?<td>0</td>', text, re.DOTALL)
    assert text.count('<section class="printed">') == 2
    record = server.record(evening["viewer"])
    seen = hash_chain.read_witness(text.one(data_letters=True).text)
    events = record.pop("events")
    assert seen.count == len(events)
    assert len(seen.digest) * 4 >= 80
    assert hash_chain.first_contradiction(record, events, [seen]) is None


def test_sheet_shows_bummerl_of_each_player(server, evening):
    text = sheet(server, evening["viewer"])
    counts = re.findall(r'<dt><span dir="auto">(\w+)</span></dt><dd>(\d+) Bummerl', text)
    assert counts == [("Anna", "0"), ("Bert", "0"), ("Cilli", "2"), ("Dora", "2")]


def test_pages_explain_only_the_signs_they_use(server):
    key = server.table()["scorer"]
    raised = [{"do": "bieten", "side": 0, "to": 3}, {"do": "bleiben", "side": 1}]

    def signs():
        pages = (sheet(server, key), Page(server.request("GET", f"/b/{key}/history", **GERMAN)[2]))
        return [page.data("sign") for page in pages]

    server.play(key, WON)
    assert signs() == [[], []]
    server.play(key, *raised, WON)
    assert signs() == [["raised"], []]
    server.play(key, *[WON] * 2)
    assert signs() == [["ticks", "raised"], ["ticks"]]


def test_history_names_the_side_with_the_bummerl(server, evening):
    text = Page(server.request("GET", f"/b/{evening['viewer']}/history", **GERMAN)[2])
    got = text.one(id="game-1").all("summary")[0]
    assert "Cilli & Dora: 2 Bummerl" in got.text
    assert not got.has(css="shape")


@pytest.mark.parametrize(
    ("asked", "amount"),
    [
        ({"price": "0,50"}, "1,00\N{NO-BREAK SPACE}€"),
        ({"price": "0.5"}, "1,00\N{NO-BREAK SPACE}€"),
        ({"price": "3", "per": "spiel"}, "3,00\N{NO-BREAK SPACE}€"),
        ({"price": "1", "unit": "runden"}, "2 Runden"),
        ({"price": "1", "unit": "runden", "per": "spiel"}, "1 Runde"),
    ],
)
def test_losers_pay_the_winners_the_set_price(server, evening, asked, amount):
    assert set_price(server, evening["scorer"], str(asked), **asked)[0] == 303
    text = sheet(server, evening["viewer"])
    payments = re.findall(r"<li><bdi>(\w+)</bdi> → <bdi>(\w+)</bdi>: ([^<]+)</li>", text)
    assert {(payer, paid) for payer, _, paid in payments} == {("Cilli", amount), ("Dora", amount)}
    assert {to for _, to, _ in payments} == {"Anna", "Bert"}


@pytest.mark.parametrize(("sides", "pays", "payments"), [(SEATED, "player", 2), (NAMED, "side", 1)])
def test_price_is_per_player_or_side(server, sides, pays, payments):
    """Each player of a side pays the price. A side without named players pays it once."""
    keys = server.table(sides=sides, played=[WON] * 5)
    price = sheet(server, keys["scorer"]).one(role="textbox", name="price")
    assert price["data-pays"] == pays
    assert price.label == translated(f"Price per {pays}")
    assert set_price(server, keys["scorer"], price="1")[0] == 303
    found = re.search(r'class="payments">.*?</ul>', sheet(server, keys["scorer"]), re.DOTALL)[0]
    # A Schneider is two Bummerl.
    assert found.count("2,00") == found.count("<li>") == payments


def test_empty_price_removes_the_payments(server, evening):
    set_price(server, evening["scorer"], "on", price="2")
    text = sheet(server, evening["viewer"])
    assert text.has(css="payments") and not text.has(data_unpriced=True)
    set_price(server, evening["scorer"], "off", price="")
    text = sheet(server, evening["viewer"])
    assert text.has(data_unpriced=True) and not text.has(css="payments")


def test_payments_name_the_sides_for_each_reader(server):
    keys = server.table(sides=NAMED, played=[WON] * 5)
    set_price(server, keys["scorer"], "on", price="1,50")
    for role, paid in (("scorer", ("Die", "Wir")), ("viewer", ("Partei 2", "Partei 1"))):
        text = sheet(server, keys[role])
        payments = re.findall(r"<li><bdi>(.+)</bdi> → <bdi>(.+)</bdi>: 3,00", text)
        # Viewers read no "we" and "they".
        assert payments == [paid]


@pytest.mark.parametrize("role", ["viewer", "opponent"])
def test_only_the_writer_sets_the_price(server, evening, role):
    assert 'name="price"' not in sheet(server, evening[role])
    assert set_price(server, evening[role], price="1")[0] == 403
    event = {"do": "preis", "amount": 1, "unit": "euro", "per": "spiel"}
    assert server.write(evening[role], event, "x")[0] == 403


@pytest.mark.parametrize("price", ["viel", "-1", "1,234", "99999"])
def test_bad_price_is_kept_in_the_form(server, price):
    status, text = set_price(server, server.table()["scorer"], price=price)
    assert status == 422
    assert text.code == "bad-price"
    assert text.one("input", name="price")["value"] == price


@pytest.mark.parametrize("asked", [{"unit": "kg"}, {"per": "Kopf"}, {"unit": "runden", "per": ""}])
def test_malformed_price_form_is_refused(server, asked):
    assert set_price(server, server.table()["scorer"], price="1", **asked)[0] == 400


def test_no_payments_before_the_first_game(server):
    keys = server.table()
    set_price(server, keys["scorer"], price="1")
    text = sheet(server, keys["viewer"])
    assert text.has(data_games="0")
    assert text.has(data_owed="0")
    assert not text.has(css="payments")


def test_sheet_confirms_a_seen_hash(server, evening):
    path = f"/b/{evening['viewer']}"
    record = server.record(evening["viewer"])["events"]
    for number in (1, len(record)):
        short = hash_chain.short(record[number - 1]["hash"])
        for typed in (short, f" {short.upper()} "):
            text = server.request("GET", f"{path}/sheet?{urlencode({'seen': typed})}")[2]
            assert 'data-seen="held"' in text
            assert f"entry {number} of {len(record)}" in text
    for typed in ("0" * 20, "zz", "<i>"):
        text = server.request("GET", f"{path}/sheet?{urlencode({'seen': typed})}")[2]
        assert 'data-seen="missing"' in text
    assert "data-seen" not in server.request("GET", f"{path}/sheet")[2]


@pytest.mark.parametrize("digits", [8, 19, 20])
def test_hash_under_80_bits_is_called_weak(server, evening, digits):
    record = server.record(evening["viewer"])["events"]
    asked = urlencode({"seen": record[0]["hash"][:digits]})
    text = sheet(server, evening["viewer"], asked)
    assert text.data("seen") == ["held" if digits == 20 else "weak"]


def texts(server, key):
    """A dict from each text on the picture to its font size."""
    svg = server.page(f"/b/{key}/sheet.svg")
    found = re.findall(r'font-size="(\d+)"[^>]*>([^<]*)</text>', svg)
    sizes: dict[str, int] = {}
    for size, text in found:
        sizes[unescape(text)] = max(int(size), sizes.get(unescape(text), 0))
    return sizes


def test_picture_names_winner_and_bummerl(server, evening):
    """The largest text is the points of the only game, and not the loser's Bummerl."""
    sizes = texts(server, evening["viewer"])
    [winner] = (text for text in sizes if text.endswith("!"))
    assert "Anna & Bert" in winner
    assert sizes["12"] == sizes["0"] == max(sizes.values())
    assert sizes["2 Bummerl"] < sizes["12"] / 4


def test_picture_shows_the_slate_and_its_turn(server):
    """It shows the rounds, with a circle around the one in which the game turned."""
    keys = server.table(sides=SEATED, played=[{"do": "gewinnt", "side": 1}] * 5)
    svg = server.page(f"/b/{keys['viewer']}/sheet.svg")
    assert {"1.", "5.", "10", "+2"} <= texts(server, keys["viewer"]).keys()
    assert svg.count("data-turn") == 1
    assert translated("Not a point, but a beer.") in svg
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350"')
    square = server.page(f"/b/{keys['viewer']}/sheet.svg?shape=square")
    assert 'width="1080" height="1080"' in square


@pytest.mark.parametrize("look_back", ["never", "after"])
def test_picture_marks_the_turn_if_look_back_allowed(server, look_back):
    keys = server.table(
        sides=SEATED, look_back=look_back, played=[{"do": "gewinnt", "side": 1}] * 5
    )
    svg = server.page(f"/b/{keys['viewer']}/sheet.svg")
    assert ("data-turn" in svg) == (look_back == "after")


WON_BY = {
    "retourschneider": ([1, 1, 1, 1, *[0] * 5], "Never count them out."),
    "close": ([0, 1, 0, 1, 0, 1, 0, 1, 0], "A close one counts, too."),
    "clear": ([0, 1, 0, 0, 0, 0], "No signals needed."),
}


@pytest.mark.parametrize(("rounds", "line"), WON_BY.values(), ids=WON_BY)
def test_picture_line_fits_the_course_of_the_game(server, rounds, line):
    played = [{"do": "gewinnt", "side": side} for side in rounds]
    keys = server.table(sides=SEATED, played=played)
    assert translated(line) in texts(server, keys["viewer"])


def test_picture_counts_the_games_of_each_side(server):
    keys = server.table(sides=SEATED)
    for number, side in enumerate((0, 1, 0)):
        again = [NEXT] if number else []
        server.play(keys["scorer"], *again, *[{"do": "gewinnt", "side": side}] * 5)
    sizes = texts(server, keys["viewer"])
    assert any(text.startswith("Anna & Bert ") and "Bummerl" in text for text in sizes)
    # Each game has a row.
    assert {"1.", "2.", "3."} <= sizes.keys()
    assert sizes["2"] == sizes["1"] == max(sizes.values())
    assert "4 Bummerl" in sizes
