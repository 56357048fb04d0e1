"""The rule pages, and the rules that a table has agreed on."""

import json
import re
import tomllib

import pytest

from scorer.engine import REGIONS, judge, rulebook, rules_of
from scorer.engine.rules.loading import RULEBOOK
from scorer.engine.rules.ruleset import SWITCHES
from scorer.engine.telling.beer_mat import beer_mat_rule_ids
from scorer.web.rules.house_rules import SWITCH_GROUPS, SWITCH_NAMES, VARIANT_NAMES
from scorer.web.rules.pages import SECTIONS
from tests.builders import RAISED, SEATED, WON
from tests.pages import translated
from tools.rules import pages


@pytest.mark.parametrize("region", REGIONS)
def test_region_page_has_all_sentences(server, region):
    text, known = server.page(f"/rules/{region}"), texts(region)
    shown = re.findall(r'<li id="([\w-]+)">', text)
    assert [rule for rule in shown if rule in known] == list(known)
    # The page also has the cited rules that hold in every region.
    book = rulebook(region)
    cited = {rule for entry in book["rules"].values() for rule in entry["from"]}
    cited |= {rule for rules in book["cites"].values() for rule in rules}
    assert cited <= set(shown)
    page = server.page(f"/rules/{region}")
    for rule, words in known.items():
        assert page.one("li", id=rule).text == f"{rule} {words['de']}"


def test_id_of_another_rule_in_a_text_is_a_link(server):
    assert server.page("/rules/bayern").one("li", id="B-06").one("a")["href"] == "/rules/id/V3"


def texts(region):
    """The texts of a region's rules by rule and language."""
    return tomllib.loads((RULEBOOK / "texts" / f"{region}.toml").read_text())


@pytest.mark.parametrize("region", REGIONS)
def test_each_section_begins_with_its_rule(server, region):
    begins = rulebook(region)["sections"]
    folded = server.page(f"/rules/{region}").one("section", css="folded").all("details")
    sections = folded[: len(begins)]
    assert [section.one("ul").all("li")[0]["id"] for section in sections] == list(begins)
    headings = [section.one("h3").text for section in sections]
    assert headings == [translated(SECTIONS[kind]) for kind in begins.values()]


@pytest.mark.parametrize("region", REGIONS)
def test_region_page_begins_with_its_main_rules(server, region):
    page = server.page(f"/rules/{region}")
    main_rules = page.one("ol", css="mat")
    assert main_rules["data-mat"].split() == beer_mat_rule_ids(rules_of(region))
    links = [link["href"] for link in main_rules.all("a")]
    assert links == [f"#{rule}" for rule in beer_mat_rule_ids(rules_of(region))]
    assert all(page.has("li", id=link.removeprefix("#")) for link in links)


@pytest.mark.parametrize("language", ["it", "fr"])
def test_region_page_shows_the_chosen_language(server, language):
    text = server.page(f"/rules/trentino?in={language}")
    assert f'<html lang="{language}"' in text
    assert f"<b>I-38</b> <span>{texts('trentino')['I-38'][language]}" in text
    assert server.page("/rules/trentino?in=la") == server.page("/rules/trentino")


def duties(server, key):
    """The players who deal, cut and name the Schlag now, from the writer's page."""
    line = server.page(f"/t/{key}").one("span", css="procedure")
    who = [line[f"data-{duty}"] for duty in ("dealer", "cutter", "schlag-announcer")]
    assert all(name in line.text for name in who)
    return who


def test_rule_id_redirects_to_its_region_page(server):
    for region in REGIONS:
        for rule in texts(region):
            status, headers, _ = server.request("GET", f"/rules/id/{rule}")
            assert (status, headers["location"]) == (302, f"/rules/{region}#{rule}")


@pytest.fixture(scope="module")
def cross(server):
    """The cells of the comparison by rule and region."""
    rows = server.page("/rules").all(data_rule=True)
    cells = [(row["data-rule"], cell) for row in rows for cell in row.all(data_region=True)]
    return {(rule, cell["data-region"]): cell for rule, cell in cells}


def test_comparison_shows_words_and_targets_of_regions(server, cross):
    text = server.page("/rules")
    for region in REGIONS:
        assert f'<th scope="col">{rulebook(region)["words"]["de"]["name"]}</th>' in text
        target = cross["target", region].text.split()
        assert target == [str(rules_of(region).target), *rules_of(region).cite("target")]
    assert "<dt>Herz</dt><dd>Kinn etwas senken</dd>" in text


def test_comparison_of_two_regions_shows_what_differs(server, cross):
    chosen = ("bayern", "trentino")
    page = server.page("/rules?" + "&".join(f"region={region}" for region in chosen))
    rows = {row["data-rule"]: row.all("td") for row in page.all("tr", data_rule=True)}

    def value(cell):
        return cell.text.removesuffix(cell.get("data-rules", "")).strip()

    def meaning(cell):
        """A region without a rule plays as one that says no to it."""
        says_no = cell.get("data-value") in ("false", "null", '"none"', "[]")
        return "" if says_no else value(cell)

    for name in {name for name, _ in cross}:
        expected = [value(cross[name, region]) for region in chosen]
        is_same = len({meaning(cross[name, region]) for region in chosen}) == 1
        shown = [value(cell) for cell in rows[name]] if name in rows else None
        assert shown == (None if is_same else expected), name
    assert page.one("details", id="compared").has_attr("open")
    # One region, or an unknown one, is compared with all.
    for query in ("region=bayern", "region=tirol"):
        assert len(server.page(f"/rules?{query}").all("tr", data_rule=True)) > len(rows)


def test_comparison_cells_match_the_rulebook(cross):
    for (name, region), cell in cross.items():
        if cell.has_attr("data-value"):
            entry = rulebook(region)["rules"][name]
            assert json.loads(cell["data-value"]) == entry["value"], (name, region)
            assert cell["data-rules"].split() == entry["from"]
            assert cell.text.split()[-1] == entry["from"][-1]
        else:
            assert not cell.text, (name, region)
    rows = {name for name, _ in cross}
    assert {"base", "step", "overtrick", "tricks_to_end", "follow_lead", "follow_answer"} <= rows


@pytest.mark.parametrize(
    ("name", "regions"),
    [
        ("overtrick", "frankreich"),
        ("decline_value", "bayern suedtirol"),
        ("four_value", "suedtirol trentino"),
        ("penalty_ends_round", "oberoesterreich trentino"),
        ("strike_limit", "oberoesterreich"),
        ("wild_bid", "oberoesterreich trentino"),
        ("revoke_bummerl", "oberoesterreich"),
        ("weli", "oberoesterreich suedtirol trentino"),
        ("first_dealer", "oberoesterreich suedtirol trentino frankreich"),
        ("critical_cards", "oberoesterreich bayern frankreich"),
        ("follow_overtrump", "frankreich"),
    ],
)
def test_cell_is_empty_where_a_region_lacks_the_rule(cross, name, regions):
    shown = {region for region in REGIONS if cross[name, region].has_attr("data-value")}
    assert shown == set(regions.split())


@pytest.mark.parametrize(
    ("name", "region", "words"),
    [
        ("max_stake", "frankreich", "keine Grenze"),
        ("strike_limit", "oberoesterreich", "keine Grenze"),
        ("decline", "trentino", "niemand"),
        ("fold_counts_refused", "frankreich", "nein"),
        ("four_if_opponent_below", "trentino", "10 von 15"),
        ("tricks_to_end", "frankreich", "alle 5"),
        ("follow_lead", "frankreich", "Hauptschlag"),
        ("follow_answer", "trentino", "Blinder, Trumpf"),
        ("penalty_ends_round", "trentino", "Regelwidrige Erhöhung"),
        ("critical_cards", "frankreich", "Herz-König, Karo-Siebener, Kreuz-Siebener"),
    ],
)
def test_comparison_cell_uses_the_regions_words(cross, name, region, words):
    assert words in cross[name, region].text


@pytest.mark.parametrize("region", REGIONS)
def test_new_table_form_matches_the_comparison(server, cross, region):
    form = server.page(f"/new?rules={region}")
    offered = re.findall(r'<select id="set-(\w+)"[^>]*>\s*<option[^>]*>([^<]*)', form)
    compared = {name: said for name, said in offered if cross[name, region].has_attr("data-value")}
    assert "target" in compared
    for name, said in compared.items():
        assert said in cross[name, region].text, name


@pytest.mark.parametrize("path", ["/rules", "/rules/{region}"])
def test_blindwatten_is_named_where_played(server, path):
    for region in REGIONS:
        text = server.page(path.format(region=region))
        own = text if "{region}" in path else re.split(f'/rules/{region}"', text)[-1]
        # The region's text ends at the next region or at the end of the list.
        if "{region}" not in path:
            own = own.split("</li>")[0]
        mention = re.search("([Aa]uch )?Blindwatten", own)
        rules = rules_of(region)
        assert bool(mention) == bool(rules.blind_variants), region
        if mention:
            assert (mention[1] is None) == (rules.variant in rules.blind_variants), region


def test_every_switch_has_a_name():
    assert set(SWITCHES) <= set(SWITCH_NAMES)
    grouped = [name for _, names in SWITCH_GROUPS for name in names]
    assert sorted(grouped) == sorted(SWITCHES)


def test_generated_pages_contain_no_python_values():
    assert not re.search(r"\[['\]]|None|True|False", "".join(pages().values()))


def test_rules_page_of_a_table_lists_changed_settings(server):
    keys = server.table(set={"target": 11, "fold_value": "fixed:2"})
    text = server.page(f"/b/{keys['viewer']}/rules")
    assert not text.has(data_unchanged=True)
    target = text.one(data_rule="target", data_value="11")
    assert (target.one("b").text, target.one("s").text) == ("11", "9")
    assert "2" in text.one(data_rule="fold_value", data_value="fixed:2").one("b").text
    plain = server.page(f"/b/{server.table(variant='kritisch-wander')['viewer']}/rules")
    variant = plain.one(data_variant="kritisch-wander").text
    assert translated(VARIANT_NAMES["kritisch-wander"]) in variant
    assert plain.has(data_unchanged=True) and not plain.has(data_rule=True)


@pytest.mark.parametrize("region", REGIONS)
def test_rules_page_of_a_table_lists_every_switch(server, region):
    rules = rulebook(region)["rules"]
    values = {name: rules[name].get("or", ()) for name in SWITCHES}
    for place in range(max(map(len, values.values()))):
        turned = {name: given[place] for name, given in values.items() if len(given) > place}
        text = server.page(f"/b/{server.table(region, set=turned)['viewer']}/rules")
        assert {row["data-rule"] for row in text.all(data_rule=True)} == set(turned)


def test_changed_value_is_written_in_words(server):
    turned = {"bid_when_locked": "penalty:1", "four_if_opponent_below": "target-4"}
    text = server.page(f"/b/{server.table('trentino', set=turned)['viewer']}/rules")
    for name, numbers in (("bid_when_locked", ["1"]), ("four_if_opponent_below", ["11", "15"])):
        item = text.one(data_rule=name, data_value=turned[name])
        assert re.findall(r"\d+", item.one("b").text) == numbers
        # The page has words for the value, and not its form in the record.
        assert turned[name] not in item.text


def agree(server, key, side, token="t", **headers):
    """The status of a form in which a side agrees to the rules."""
    form = [("do", "einig"), ("side", str(side)), ("token", token)]
    return server.request("POST", f"/b/{key}/say", form, **headers)[0]


def test_board_shows_when_both_sides_agreed(server):
    keys = server.table()
    assert server.page(f"/b/{keys['viewer']}/rules").has(data_how_to_agree=True)
    assert agree(server, keys["scorer"], 0) == 303
    assert not server.page(f"/b/{keys['viewer']}").has(data_agreed=True)
    assert agree(server, keys["opponent"], 1) == 409
    assert agree(server, keys["opponent"], 1, "its own") == 303
    agreed = server.page(f"/b/{keys['viewer']}").one(data_agreed=True)
    sides = server.page(f"/b/{keys['viewer']}/rules").all(data_agreed=True)
    assert [side["data-agreed"] for side in sides] == ["0", "1"]
    assert not server.page(f"/b/{keys['viewer']}/rules").has(data_how_to_agree=True)
    for tick in [agreed, *sides]:
        assert re.search(r"\d\d:\d\d \w+", tick.one("time", datetime=True).text)
    events = server.record(keys["scorer"])["events"]
    assert [event["do"] for event in events] == ["einig", "einig"]


def test_each_side_agrees_only_for_itself(server):
    keys = server.table()
    for role, side, status in (
        *(("viewer", 1, 403), ("opponent", 0, 403), ("opponent", 2, 422)),
        *(("scorer", 1, 403), ("scorer", 0, 303)),
    ):
        assert agree(server, keys[role], side) == status
    assert agree(server, keys["opponent"], 1, "first") == 303
    form = [("do", "einig"), ("side", "1"), ("token", "other")]
    assert server.submit_refused(f"/b/{keys['opponent']}/say", form).code == "agreed-already"


def test_resent_agreement_is_recorded_once(server):
    key = server.table()["scorer"]
    for _ in range(2):
        assert agree(server, key, 0, Cookie="phone=p") == 303
    assert server.seq(key) == 1


def test_undo_button_skips_the_agreement(server):
    keys = server.table(played=[WON])
    agree(server, keys["opponent"], 1)
    text = server.page(f"/t/{keys['scorer']}")
    assert '"of":0' in re.search(r"value='(\{[^']*korrektur[^']*\})'", text)[1]


@pytest.mark.parametrize(
    "form", [[], [("do", "einig"), ("side", "x"), ("token", "t")], [("do", "einig"), ("side", "0")]]
)
def test_malformed_agreement_form_is_refused(server, form):
    server.submit_refused(f"/b/{server.table()['scorer']}/say", form, 400)


def test_duties_follow_deal_and_swap(server):
    key = server.table(sides=SEATED, dealer="Anna")["scorer"]
    assert duties(server, key) == ["Anna", "Dora", "Cilli"]
    swap = {"do": "schlagtausch", "side": 0}
    for event, expected in (
        ({**swap, "agreed": False}, ["Anna", "Dora", "Cilli"]),
        ({**swap, "agreed": True}, ["Anna", "Dora", "Anna"]),
        (WON, ["Cilli", "Anna", "Bert"]),
    ):
        server.play(key, event)
        assert duties(server, key) == expected


def test_trentino_duties_have_no_cutter(server):
    key = server.table("trentino", sides=SEATED, dealer="Anna")["scorer"]
    assert duties(server, key) == ["Anna", "", "Dora"]
    server.play(key, WON)
    assert duties(server, key)[0] == "Dora"


def test_third_request_redeals_to_all(server):
    key = server.table("suedtirol", sides=SEATED, dealer="Anna")["scorer"]
    notices = []
    for _ in range(3):
        server.play(key, {"do": "schoenere", "side": 0, "agreed": True})
        notices.append(server.page(f"/t/{key}").one(data_redealt=True))
    assert [line["data-redealt"] for line in notices] == ["announcers", "announcers", "all"]
    assert notices[0].text == notices[1].text != notices[2].text


def test_glossary_is_linked_from_the_table(server):
    keys = server.table("bayern")
    for path in (f"/t/{keys['scorer']}/menu", f"/b/{keys['viewer']}/rules", "/rules/bayern"):
        assert server.page(path).has("a", href="/rules#words"), path


@pytest.mark.parametrize("language", ["de", "it"])
def test_glossary_explains_each_word_before_it_translates(server, language):
    book = tomllib.loads((RULEBOOK / "glossary.toml").read_text())
    words = server.page(f"/rules?in={language}").one("dl", id="words")
    shown = [part.text for part in words.all("dd")[::2]]
    assert shown == [word["means"][language] for word in book.values()]
    other = "it" if language == "de" else "de"
    assert words.all("i", lang=other) and not words.has("i", lang=language)


@pytest.mark.parametrize("path", ["/rules", "/rules/bayern", "/rules/bayern/gehen"])
def test_rule_pages_link_back_to_the_table(server, path):
    key = server.table("bayern")["viewer"]
    assert f'href="/t/{key}"' in server.page(path, Cookie=f"tables={key}").html
    for cookie in ("", "tables=gone"):
        assert 'href="/t/' not in server.page(path, Cookie=cookie).html


@pytest.mark.parametrize(
    ("region", "language", "rule", "says", "not_"),
    [
        ("frankreich", "fr", "F-22", "pas tenu de", "ne doit pas"),
        ("frankreich", "it", "F-22", "Non si è tenuti", "Non si deve"),
        ("trentino", "fr", "X9", "nul besoin", "il ne faut pas"),
        ("bayern", "de", "B-15", "Nichttrumpf", "Unfarbe"),
        ("oberoesterreich", "de", "U10", "wie jede andere Karte ihrer Farbe", "als Trumpf ihrer"),
        ("frankreich", "de", "F-04", "Joker", "freie Karte"),
        ("frankreich", "fr", "F-19", "deux par deux", "d'autant moins"),
        ("frankreich", "de", "Y4", "als gespannt eingetragen", "Weli"),
        ("bayern", "de", "V7", "Zuerst gibt", "sagt die Beschreibung nicht"),
        ("suedtirol", "de", "W6", "Weli", "Welli"),
    ],
)
def test_translated_rule_keeps_the_documents_meaning(server, region, language, rule, says, not_):
    text = server.page(f"/rules/{region}?in={language}")
    [words] = re.findall(rf'<li id="{rule}">(.*?)</li>', text, re.DOTALL)
    assert says in words
    assert not_ not in words


def test_bavarian_raise_uses_the_regional_word(server):
    text = server.page(f"/b/{server.table('bayern', played=[RAISED])['viewer']}/round/0")
    assert "Partei 1 schafft aus" in text and "bietet" not in text


def test_region_offers_only_its_own_rules(server):
    assert "or" not in rulebook("suedtirol")["rules"]["cut_keep"]
    key = server.table("bayern")["scorer"]
    penalties = server.page(f"/t/{key}/more").one(id="penalties")
    assert [offence["aria-label"] for offence in penalties.all(css="offence")] == ["Verstoß"]
    # Without other offences, nothing is called "other".
    assert "Anderer" not in penalties.text


def test_schermberg_is_shown_as_without_written_rules(server):
    keys = server.table("oberoesterreich", variant="schermberg")
    notice = "Für Schermberg ist nichts aufgeschrieben"
    for path in (f"/b/{keys['viewer']}/rules", "/new?rules=oberoesterreich"):
        assert notice in server.page(path)
    server.play(keys["scorer"], {"do": "strafe", "side": 0, "offence": "abgehoben-geschaut"})
    assert server.state(keys["scorer"])["points"] == [0, 2]


def test_joker_wins_a_trick_in_the_33_card_deck(server):
    assert rulebook("frankreich")["rules"]["deck"]["or"] == [33]
    asked = {"ask": "winner", "rules": "frankreich", "set": {"deck": 33}, "schlag": "9"}
    assert judge({**asked, "trumpf": "H", "cards": ["EA", "S6"]})["winner"] == 1


def test_house_rule_names_what_it_replaces(server):
    played = [RAISED, {"do": "gehen", "side": 1}]
    keys = server.table("bayern", set={"fold_value": "fixed:2"}, played=played)
    text = server.page(f"/b/{keys['viewer']}/round/0")
    reason = text.partition('class="reasons"')[2].partition("</ul>")[0]
    prefix = translated("house rule of this table: %(rule)s").partition("%")[0]
    assert prefix in reason
    assert "statt B-23, V1" in reason and "<summary>B-23" not in reason


def test_table_note_is_recorded_and_shown(server):
    note = "Schermberg: der Weli sticht <alles>"
    form = [("rules", "oberoesterreich"), ("house", "1"), ("variant", "schermberg")]
    key = server.submit("/new", [*form, ("note", f"  {note} ")]).removeprefix("/t/")
    assert server.record(key)["note"] == note
    for language in ("de", "it", "fr", "en"):
        text = server.page(f"/b/{key}/rules", language=language)
        assert text.one(data_note=True).one("bdi").text == note
    # The form still has the refused note as it was typed.
    page = server.submit_refused("/new", [*form[:2], ("note", "x" * 501)])
    assert page.one(id="note")["value"] == "x" * 501


@pytest.mark.parametrize(
    ("region", "switches", "near"),
    [("bayern", {"target": 11}, "9"), ("bayern", {}, None), ("suedtirol", {"near": None}, None)],
)
def test_table_rules_say_from_when_a_side_is_near_the_target(server, region, switches, near):
    key = server.table(region, set=switches)["viewer"]
    page = server.page(f"/b/{key}/rules")
    if near is None:
        assert not page.has("li", data_near=True)
    else:
        assert near in page.one("li", data_near=near).text
