"""The score sheet and the settlement."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from scorer.store import hash_chain
from tests.builders import LOST, NAMED, NEXT, SEATED, WON, head_and_events
from tests.pages import translated


@pytest.fixture(scope="module")
def evening(server):
    """The keys of a table with a game won to zero and a running one."""
    return server.table(sides=SEATED, set={"target": 11}, played=[*[WON] * 6, NEXT, LOST])


def sheet(server, key, query=""):
    return server.page(f"/b/{key}/sheet?{query}")


PRICE = {"token": "t", "unit": "euro", "per": "bummerl"}


def set_price(server, key, **asked):
    server.submit(f"/b/{key}/price", {**PRICE, **asked}.items())


def refusal(server, key, status, **asked):
    return server.submit_refused(f"/b/{key}/price", {**PRICE, **asked}.items(), status)


def test_sheet_shows_rules_games_rounds_and_hash(server, evening):
    text = sheet(server, evening["viewer"])
    heading = text.one("header").text
    assert re.findall(r"\b11\b", heading.split(" · ")[0]) == ["11"]
    assert not text.has(data_rule="target")
    assert re.search(r'Spiel 1.*?<td class="took">12</td>.*?<td>0</td>', text, re.DOTALL)
    assert text.count('<section class="printed">') == 2
    head, events = head_and_events(server.record(evening["viewer"]))
    seen = hash_chain.read_witness(text.one(data_letters=True).text)
    assert seen.count == len(events)
    assert len(seen.digest) * 4 >= 80
    assert hash_chain.first_contradiction(head, events, [seen]) is None


COUNTS = re.compile(r'<dt><span dir="auto">(\w+)</span></dt><dd>(\d+) Bummerl')


def test_sheet_shows_bummerl_of_each_player_after_a_change_of_sides(server):
    mixed = [
        {**SEATED[0], "players": ["Anna", "Dora"]},
        {**SEATED[1], "players": ["Cilli", "Bert"]},
    ]
    win = [WON] * 6
    change = {"do": "sitzordnung", "sides": mixed}
    keys = server.table(sides=SEATED, set={"target": 11}, played=[*win, NEXT, change, *win])
    counts = COUNTS.findall(sheet(server, keys["viewer"]))
    assert counts == [("Anna", "0"), ("Bert", "2"), ("Cilli", "4"), ("Dora", "2")]


def test_sheet_shows_bummerl_of_unchanged_sides_once(server, evening):
    """Each player has the Bummerl of the side, which are in the table above."""
    text = sheet(server, evening["viewer"])
    assert COUNTS.findall(text) == []
    assert text.one(data_unpriced=True)


def test_pages_explain_only_the_signs_they_use(server):
    keys = server.table()
    key = keys["scorer"]
    raised = [{"do": "bieten", "side": 0, "to": 3}, {"do": "bleiben", "side": 1}, WON]
    confirmed = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "9:0"}
    for played, signs in (
        ([WON], [[], []]),
        (raised, [["raised"], []]),
        ([WON, WON], [["raised"], []]),
        ([confirmed], [["ticks", "raised"], ["ticks"]]),
    ):
        server.play(keys["opponent"] if played == [confirmed] else key, *played)
        pages = (sheet(server, key), server.page(f"/b/{key}/history"))
        assert [page.data("sign") for page in pages] == signs


def test_history_names_the_side_with_the_bummerl(server, evening):
    text = server.page(f"/b/{evening['viewer']}/history")
    got = text.all("details", css="game")[-1].all("summary")[0]
    assert "Cilli & Dora: 2 Bummerl" in got.text and not got.has(css="shape")


@pytest.mark.parametrize(
    ("asked", "amount"),
    [
        ({"price": "0,50"}, "1,00\N{NO-BREAK SPACE}€"),
        ({"price": "0.5"}, "1,00\N{NO-BREAK SPACE}€"),
        ({"price": "3", "per": "spiel"}, "3,00\N{NO-BREAK SPACE}€"),
        ({"price": "1", "unit": "runden"}, "2 Getränkerunden"),
        ({"price": "1", "unit": "runden", "per": "spiel"}, "1 Getränkerunde"),
    ],
)
def test_losers_pay_the_winners_the_set_price(server, evening, asked, amount):
    set_price(server, evening["scorer"], token=str(asked), **asked)
    text = sheet(server, evening["viewer"])
    payments = re.findall(r"<li><bdi>(\w+)</bdi> → <bdi>(\w+)</bdi>: ([^<]+)</li>", text)
    assert {(payer, paid) for payer, _, paid in payments} == {("Cilli", amount), ("Dora", amount)}
    assert {to for _, to, _ in payments} == {"Anna", "Bert"}


@pytest.mark.parametrize(("sides", "pays", "payments"), [(SEATED, "player", 2), (NAMED, "side", 1)])
def test_price_is_per_player_or_side(server, sides, pays, payments):
    """Each player of a side pays the price. A side without named players pays it once."""
    key = server.table(sides=sides, played=[WON] * 5)["scorer"]
    price = sheet(server, key).one(role="textbox", name="price")
    assert (price["data-pays"], price.label) == (pays, translated(f"Price per {pays}"))
    set_price(server, key, price="1")
    found = re.search(r'class="payments">.*?</ul>', sheet(server, key), re.DOTALL)[0]
    # A Schneider is two Bummerl.
    assert found.count("2,00") == found.count("<li>") == payments


def test_empty_price_removes_the_payments(server, evening):
    for price in ("2", ""):
        set_price(server, evening["scorer"], token=f"p{price}", price=price)
        text = sheet(server, evening["viewer"])
        assert (text.has(css="payments"), text.has(data_unpriced=True)) == (bool(price), not price)
        assert [one.text[:4] for one in text.all(data_price=True)] == ["2,00"] * bool(price)


def test_payments_name_the_sides_for_each_reader(server):
    keys = server.table(sides=NAMED, played=[WON] * 5)
    set_price(server, keys["scorer"], price="1,50")
    # Viewers read no "we" and "they".
    for role, paid in (("scorer", ("Die", "Wir")), ("viewer", ("Partei 2", "Partei 1"))):
        text = sheet(server, keys[role])
        assert re.findall(r"<li><bdi>(.+)</bdi> → <bdi>(.+)</bdi>: 3,00", text) == [paid]


@pytest.mark.parametrize("role", ["viewer", "opponent"])
def test_only_the_writer_sets_the_price(server, evening, role):
    assert 'name="price"' not in sheet(server, evening[role])
    refusal(server, evening[role], 403, price="1")


@pytest.mark.parametrize("price", ["viel", "-1", "1,234", "99999"])
def test_bad_price_is_kept_in_the_form(server, price):
    text = refusal(server, server.table()["scorer"], 422, price=price)
    assert (text.code, text.one("input", name="price")["value"]) == ("bad-price", price)


@pytest.mark.parametrize("asked", [{"unit": "kg"}, {"per": "Kopf"}, {"unit": "runden", "per": ""}])
def test_malformed_price_form_is_refused(server, asked):
    refusal(server, server.table()["scorer"], 400, price="1", **asked)


def test_no_payments_before_the_first_game(server):
    key = server.table()["scorer"]
    set_price(server, key, price="1")
    text = sheet(server, key)
    assert text.has(data_games="0") and text.has(data_owed="0") and not text.has(css="payments")


def test_bummerl_from_paper_are_paid(server):
    sides = [{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]
    start = {"bummerl": [4, 1]}
    key = server.table("bayern", sides=sides, start=start, played=[{**WON, "stake": 15}])["scorer"]
    set_price(server, key, price="1")
    text = sheet(server, key)
    paid = {tuple(row.text.split(": ")) for row in text.one(css="payments").all("li")}
    amount = "2,00 €"
    assert paid == {("Anna → Cilli", amount), ("Bert → Dora", amount)}
    assert not text.has(data_paper=True)
    # Nobody knows how many games these Bummerl stand for.
    set_price(server, key, token="games", price="1", per="spiel")
    text = sheet(server, key)
    assert len(text.one(css="payments").all("li")) == 2
    assert text.has(data_paper=True)


def test_bummerl_of_three_sides_from_paper_are_left_out(server):
    sides = [{"name": name} for name in ("Anna", "Bert", "Cilli")]
    key = server.table(sides=sides, start={"bummerl": [1, 0, 2]})["scorer"]
    set_price(server, key, price="1")
    assert sheet(server, key).has(data_paper=True)


def test_sheet_confirms_a_seen_hash(server, evening):
    def asked(typed):
        return server.page(f"{path}?{urlencode({'seen': typed})}", language="en").html

    path = f"/b/{evening['viewer']}/sheet"
    record = server.record(evening["viewer"])["events"]
    for number in (1, len(record)):
        short = hash_chain.short_hash(record[number - 1]["hash"])
        for typed in (short, f" {short.upper()} "):
            text = asked(typed)
            assert 'data-seen="held"' in text
            added = len(record) - number
            assert f"entry {number} " in text and (f"then {added} entr" in text) == bool(added)
    for typed in ("0" * 20, "zz", "<i>"):
        assert 'data-seen="missing"' in asked(typed)
    assert "data-seen" not in server.page(path).html


@pytest.mark.parametrize(("digits", "said"), [(8, "weak"), (19, "weak"), (20, "held")])
def test_hash_under_80_bits_is_called_weak(server, evening, digits, said):
    seen = server.record(evening["viewer"])["events"][0]["hash"][:digits]
    assert sheet(server, evening["viewer"], f"seen={seen}").data("seen") == [said]


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
    key = server.table(sides=SEATED, played=[WON, *[LOST] * 5])["viewer"]
    svg = server.page(f"/b/{key}/sheet.svg")
    labels = texts(server, key).keys()
    assert {"10", "+2"} <= labels
    assert svg.count("data-turn") == 1
    # The label of that row says what the circle means.
    words = [
        label.partition(". ")[2] for label in labels if label[:1] in "123456" and ". " in label
    ]
    assert len([word for word in words if word and "202" not in word]) == 1
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1350"')
    assert 'width="1080" height="1080"' in server.page(f"/b/{key}/sheet.svg?shape=square")


def test_picture_of_a_win_that_nothing_endangered_has_no_turn(server):
    key = server.table(sides=SEATED, played=[WON] * 2 + [{**WON, "stake": 5}])["viewer"]
    svg = server.page(f"/b/{key}/sheet.svg")
    assert "data-turn" not in svg
    assert translated("Not a point, but a beer.") in svg
    # It has no more room than its few rows need.
    assert int(svg.one("svg")["height"]) < 1350


@pytest.mark.parametrize(("shape", "most"), [("tall", 13), ("square", 7)])
def test_picture_says_that_earlier_rounds_are_left_out(server, shape, most):
    """The first row that is shown has the points so far, without a number."""
    played = [WON, LOST] * 10
    for count in (most, most + 1):
        key = server.table(rules="bayern", set={"target": 99}, played=played[:count])["viewer"]
        svg = server.page(f"/b/{key}/sheet.svg?shape={shape}")
        assert ("…" in svg) == (count > most)
        assert (">2.<" in svg.html) == (count == most)


def test_picture_has_a_dot_for_each_bummerl(server):
    games = [[{**LOST, "stake": 5}] * 2 + [NEXT]] * 7
    keys = server.table(sides=SEATED, played=[event for game in games for event in game][:-1])
    svg = server.page(f"/b/{keys['viewer']}/sheet.svg").html
    bummerl = sum(server.state(keys["viewer"])["bummerl"])
    column = svg.partition("games won")[0]
    dots, scissors = (column.count(f'href="#{sign}"') for sign in ("dot", "scissors"))
    assert dots + 2 * scissors >= bummerl > 5


def test_names_on_the_picture_have_one_size(server):
    names = "Anna & Sepp", "Maximilian-Theodor & Bartholomäus"
    keys = server.table(sides=[{"name": name} for name in names], played=[WON])
    sizes = texts(server, keys["viewer"])
    lines = [text for text in sizes if any(text and text in name for name in names)]
    assert len({sizes[line] for line in lines}) == 1 < len(lines)


def test_sheet_leaves_out_a_game_without_a_round(server):
    key = server.table(sides=SEATED, played=[WON] * 5)["scorer"]
    for events, printed in (([NEXT], 1), ([LOST], 2)):
        server.play(key, *events)
        assert len(server.page(f"/b/{key}/sheet").all(css="printed")) == printed


def test_picture_has_the_small_print_of_the_slate(server):
    """A fold and the raises are part of the story."""
    folded = [{"do": "bieten", "side": 0, "to": 3}, {"do": "gehen", "side": 1}]
    keys = server.table(sides=SEATED, played=folded)
    small_print = [one.text for one in server.page(f"/b/{keys['viewer']}").all("small")]
    shown = texts(server, keys["viewer"])
    assert "+2 2›3" in shown
    assert any(text and text in small_print and "3" in text for text in shown)


@pytest.mark.parametrize("look_back", ["never", "after"])
def test_picture_marks_the_turn_if_look_back_allowed(server, look_back):
    keys = server.table(sides=SEATED, look_back=look_back, played=[WON, *[LOST] * 5])
    svg = server.page(f"/b/{keys['viewer']}/sheet.svg")
    assert ("data-turn" in svg) == (look_back == "after")


WON_BY = {
    "retourschneider": ([1, 1, 1, 1, *[0] * 5], "Never count them out."),
    "close": ([0, 1, 0, 1, 0, 1, 0, 1, 0], "A close one counts, too."),
    "clear": ([0, 1, 0, 0, 0, 0], "No signals needed."),
    "from behind": ([1, 0, 0, 0, 0, 0], ""),
}


@pytest.mark.parametrize(("rounds", "line"), WON_BY.values(), ids=WON_BY)
def test_picture_line_fits_the_course_of_the_game(server, rounds, line):
    keys = server.table(sides=SEATED, played=[(WON, LOST)[side] for side in rounds])
    quiet, shown = translated("No signals needed."), texts(server, keys["viewer"])
    assert (quiet in shown) == (translated(line) == quiet)
    assert not line or translated(line) in shown


def test_picture_shows_both_long_names_of_a_side(server):
    names = ["Maximilian Oberhuber", "Leopoldine Hinterberger"]
    sides = [{"players": names}, {"players": ["Anna", "Bert"]}]
    shown = texts(server, server.table(sides=sides, played=[WON] * 5)["viewer"])
    assert "Leopoldine Hinterberger" in shown
    assert not any("…" in text for text in shown)


def test_picture_jokes_about_signals_in_german_only(server):
    rounds = [(WON, LOST)[side] for side in WON_BY["clear"][0]]
    key = server.table(sides=SEATED, played=rounds)["viewer"]
    assert "No signals" not in server.page(f"/b/{key}/sheet.svg", language="en")


def test_picture_of_a_disputed_game_does_not_say_that_all_was_plain(server):
    rounds = [(WON, LOST)[side] for side in WON_BY["clear"][0]]
    dispute = {"do": "strittig", "side": 1, "of": 0}
    keys = server.table(sides=SEATED, played=rounds[:-1])
    server.play(keys["opponent"], dispute)
    server.play(keys["scorer"], rounds[-1])
    assert translated(WON_BY["clear"][1]) not in texts(server, keys["viewer"])


def test_picture_strikes_out_struck_points_and_numbers_no_strike(server):
    strike = {"do": "streichen", "side": 1}
    keys = server.table(sides=SEATED, played=[{**WON, "stake": 7}, LOST, strike, LOST])
    svg = server.page(f"/b/{keys['viewer']}/sheet.svg")
    assert [one.text for one in svg.all("text", text_decoration="line-through")] == ["2"]
    assert [text for text in texts(server, keys["viewer"]) if text in ("2.", "3.")] == ["2.", "3."]


def test_picture_counts_the_games_of_each_side(server):
    played = [*[WON] * 5, NEXT, *[LOST] * 5, NEXT, *[WON] * 5]
    sizes = texts(server, server.table(sides=SEATED, played=played)["viewer"])
    assert any(text.startswith("Anna & Bert ") and "Bummerl" in text for text in sizes)
    # Each game has a row.
    assert {"1.", "2.", "3.", "4 Bummerl"} <= sizes.keys()
    assert sizes["2"] == sizes["1"] == max(sizes.values())


@pytest.mark.parametrize("role", ["scorer", "opponent", "viewer"])
def test_sheet_says_which_rounds_are_in_dispute(server, role):
    keys = server.table(sides=SEATED, played=[WON] * 5)
    for of in (1, 3):
        server.play(keys["opponent"], {"do": "strittig", "side": 1, "of": of})
    page = sheet(server, keys[role])
    assert page.data("disputed") == ["1", "3"]
    marked = [
        row.all("th")[0].text for row in page.one("table", css="rounds").one("tbody").all("tr")
    ]
    word = translated("in dispute")
    assert [number for number in marked if word in number] == [f"2 {word}", f"4 {word}"]
    server.play(keys["opponent"], {"do": "geklaert", "side": 1, "of": 1})
    assert sheet(server, keys[role]).data("disputed") == ["3"]
