"""Hints for a new director: what a bye counts, who has not paid, how rounds are named."""

import re
from itertools import pairwise

import pytest

from scorer.tournament import presets
from scorer.web.tournament.labels import METRIC_NAMES, PROGRESS_NAMES, REASONS, STAGE_NAMES
from tests.pages import translated
from tests.web.tournament.forms import send
from tests.web.tournament.hall import Hall

WITH_BYE = translated("with a bye")


def bye_value(page):
    """The numbers in the page's sentence about byes, and whether it is about rounds or games."""
    hint = page.one(data_bye_counts=True)
    return hint["data-bye-counts"], [int(number) for number in re.findall(r"\d+", hint.text)]


def test_bye_value_is_shown_at_desk_and_standings(server):
    hall = Hall(server, 5, games_per_round=3, scoring={"bye_wins": True})
    assert bye_value(hall.page()) == ("round", [3])
    hall.draw()
    for path in ("", "/standings", "/print/standings"):
        assert bye_value(hall.page(path)) == ("round", [3])
    assert hall.enter(1, 1, *[(15, 8)] * 3)[0] == 201
    for path in ("/standings", "/print/standings", "/hall?page=1"):
        assert hall.page(path).count(WITH_BYE) == 1
    none = Hall(server, 4)
    none.draw()
    for path in ("", "/standings"):
        assert not none.page(path).has(data_bye_counts=True)
        assert WITH_BYE not in none.page(path)


@pytest.mark.parametrize(
    ("scoring", "counts"), [({}, []), ({"bye_score": 20, "bye_points": 5}, [20, 5])]
)
def test_bye_hint_shows_the_configured_points(server, scoring, counts):
    hall = Hall(server, 5, scoring=scoring)
    hall.draw()
    assert bye_value(hall.page()) == ("round", counts)


def chosen_bye(page):
    chosen = page.one("select", name="scoring.bye").all("option", selected=True)
    return [option["value"] for option in chosen]


@pytest.mark.parametrize(
    ("preset", "is_average"),
    [("won-points", True), ("groups-then-knockout", False), ("everybody-meets", False)],
)
def test_new_tournament_has_fair_byes(server, preset, is_average):
    first = server.page("/p/new").one("select", name="scoring.bye").all("option")[0]["value"]
    form = {"name": "T", "rules": "bayern", "preset": preset, "scoring.bye": first}
    key = send(server, "/p/new", **form).split("/")[2]
    scoring = server.tournament(key)["scoring"]
    assert (scoring["bye_wins"], scoring["bye_average"]) == (False, is_average)
    # Another format brings its own fair value.
    send(server, f"/p/{key}/settings", format="redraw" if not is_average else "groups")
    assert server.tournament(key)["scoring"]["bye_average"] is not is_average


def test_repeated_tournament_keeps_its_byes(server):
    hall = Hall(server, scoring={"bye_wins": True})
    assert chosen_bye(hall.page("/again")) == []


def test_standings_say_what_an_average_bye_counted(server):
    """With one other round, the bye counts the same as that round."""
    hall = Hall(server, 3, rounds=2, scoring={"bye_average": True})
    first = hall.play()[0]
    had_bye = hall.tournament()["draws"][0]["byes"][0]
    second = hall.draw()[0]
    games = (15, 4) if second["pairs"][0] == had_bye else (4, 15)
    assert hall.enter(2, 1, games)[0] == 201
    row = hall.page("/standings").one("tr", id=f"standing-{had_bye}").text
    assert WITH_BYE in row and re.search(r"15\s?:\s?4\b", row), (first, row)


def test_bye_can_count_as_the_average(server):
    hall = Hall(server, 5)
    hall.send("/settings", **{"scoring.bye": "average"})
    assert chosen_bye(hall.page("/settings")) == ["average"]
    hall.play()
    assert bye_value(hall.page()) == ("average", [])
    assert hall.page("/standings").has(data_bye_counts="average")


@pytest.mark.parametrize(
    ("scoring", "whole", "each"),
    [({"bye_wins": True}, [3, 2], 1), ({"bye_score": 20}, [60, 40], 20)],
)
def test_bye_hint_follows_the_games_per_round(server, scoring, whole, each):
    hall = Hall(server, 3, games_per_round=[3, 2], scoring=scoring)
    for number, (games, counts) in enumerate(zip((3, 2), whole, strict=True), 1):
        hall.draw()
        assert hall.enter(number, 1, *[(15, 8)] * games)[0] == 201
        # The page shows the value in the current round, although the next has fewer games.
        assert bye_value(hall.page()) == ("round", [counts])
    assert bye_value(hall.page("/standings")) == ("game", [each])


def test_unpaid_fees_do_not_block_the_draw(server):
    hall = Hall(server)
    assert not hall.page().has(data_unpaid=True)
    hall.send("/pairs/1", do="vermerk", mark="paid")
    assert hall.page().one(data_unpaid="3").text.startswith("3 ")
    hall.send("/draw")


def test_standings_mark_finalists_chosen_by_lot(server):
    hall = Hall(server, 6, rounds=1, finals={"best": 2})
    hall.draw()
    for table in (1, 2, 3):
        panel = hall.page().one(id="next")
        assert all(level.find_parent("details") for level in panel.all(data_level="finals"))
        assert hall.enter(1, table, (15, 8))[0] == 201
    names = hall.names()
    best = [names[pair] for pair in hall.order()[:3]]
    desk = hall.page()
    assert desk.one(data_level="finals").text.endswith(f": {'; '.join(best)}")
    assert desk.one(id="next").has(role="link", href=f"/p/{hall.key}/deciders")
    hall.draw()
    assert not hall.page().has(data_level=True)
    for path in ("standings", "print/standings", "results.html", "standings.csv", "hall?page=2"):
        text = hall.page(f"/{path}")
        assert text.count(translated(REASONS["in"])) == 2
        assert text.count(translated(REASONS["out"])) == 1
        # Each pair has one such note: the three losers are level, too.
        assert text.count(translated(REASONS["lot"])) == 3 + 3


def test_desk_names_finalists_of_each_group_before_their_draw(server):
    finals = {"best": 4, "games": 3}
    groups = {"format": "groups", "groups": {"count": 2, "best": 2}, "finals": finals}
    hall = Hall(server, 6, rounds=99, **groups)
    assert not hall.page().has(data_qualified=True)
    for _ in range(3):
        hall.play()
    groups = hall.page().all(data_qualified=True)
    assert re.findall(r"\d", hall.page().one(data_finals_games=True).text) == ["3"]
    names, finalists = hall.names(), [table["pairs"] for table in hall.draw()]
    titles = [translated("Group %(n)s") % {"n": number} for number in (1, 2)]
    assert [group.text.partition(":")[0] for group in groups] == titles
    named = {name.text for group in groups for name in group.all("span")}
    assert named == {names[pair] for pairs in finalists for pair in pairs}
    assert not hall.page().has(data_qualified=True)
    # Three pairs play each other in each group, so each has a bye.
    notes = [hall.page(f"/print/{what}").data("bye-counts") for what in ("standings", "cross")]
    assert notes[0] == notes[1] == ["nothing"]


def test_knockout_rounds_have_names(server):
    hall = Hall(server, 12, format="knockout", rounds=99)
    called, playing = [], []
    for _ in range(4):
        hall.draw()
        desk = hall.page()
        called.append(desk.all("h2")[0].text)
        playing += desk.data("playing")
        hall.finish()
    assert called == [translated(STAGE_NAMES[pairs]) for pairs in (16, 8, 4, 2)]
    assert playing == ["12", "8", "4", "2"]
    assert hall.page("/print/bracket").all("h2")[-1].text == called[-1]
    winner = hall.order()[0]
    slips = hall.page("/print/ways").all("section", css="running-slip")
    slip = next(one for one in slips if one.one("h2").one("b").text == str(winner))
    assert [row.text for row in slip.all("th", scope="row")] == called


def play_knockout(server, count, **settings):
    """A finished tournament in which first pairs won, and its standings page after each round."""
    hall, pages = Hall(server, count, rounds=99, **settings), []
    for _ in range(1, count.bit_length()):
        hall.play()
        pages.append(hall.page("/standings"))
    return hall, pages


def test_bracket_lists_next_opponents_together(server):
    hall, pages = play_knockout(server, 16, format="knockout")
    names = r'<p class="(won)?" dir="auto">([^<]*)</p>'
    columns = hall.page("/print/bracket").split("<h2>")[1:]

    def in_twos(sides):
        return [{*sides[at : at + 2]} for at in range(0, len(sides), 2)]

    for before, after in pairwise(re.findall(names, column) for column in columns):
        won = [name for winner, name in before if winner]
        assert in_twos(won) == in_twos([name for _, name in after])
    assert [text.data("onward") for text in pages] == [["drawn"], ["drawn"], ["final"], []]


def test_pages_explain_a_third_place_without_a_game(server):
    order = ", ".join(map(translated, ("how far in the knock-out", METRIC_NAMES["won"])))
    hall, _ = play_knockout(server, 4, format="knockout", ranking=["won", "points"])
    for path in ("/standings", "/print/standings", "/print/bracket"):
        # The page shows the order that decides beside it.
        assert order in hall.page(path).one(data_third=True).parent.text


def test_finals_include_a_match_for_third_place(server):
    hall, pages = Hall(server, 8, rounds=1, finals={"best": 8}), []
    for _ in range(3):
        hall.draw()
        pages.append(hall.page("/print/bracket"))
        hall.finish()
    assert [text.data("onward") for text in pages[1:]] == [["bracket"], ["final-and-third"]]
    assert not any(text.has(data_third=True) for text in pages)


def test_preset_card_names_the_target(server):
    cards = server.page("/p/new").split('name="preset" value="')[1:]
    named = {card.partition('"')[0]: card.partition("</label>")[0] for card in cards}
    assert named.keys() == presets().keys()
    for name, preset in presets().items():
        target = preset.get("set", {}).get("target")
        assert target is None or f", bis {target}" in named[name]


def test_one_preset_of_each_format_is_shown_first(server):
    open_part = server.page("/p/new").partition("<details")[0]
    names = re.findall(r'name="preset" value="([\w-]+)"', open_part)
    formats = [presets()[name].get("format") for name in names]
    assert len(formats) == len(set(formats))
    assert {preset.get("format") for preset in presets().values()} == set(formats)


def test_visitor_link_leads_to_the_results(server):
    hall = Hall(server)
    links = hall.page("/links")
    card = links.one(data_link="hall")
    assert translated("Results") in card.all("summary")[0].text
    # The card says that this link is only for viewing.
    assert card.one(data_note=True).text
    key = re.search(r'/p/([\w-]+)"', links.partition('data-link="hall"')[2])[1]
    assert "/print/results" not in hall.page("/standings")
    hall.play()
    hall.draw()
    results = f"/p/{key}/print/results"
    assert server.page(f"/p/{key}/standings").has(role="link", href=results)
    assert "15:8" not in server.page(results)
    assert server.page(results).has(role="link", href=f"{results}/1")
    assert "15:8" in server.page(f"{results}/1")


def test_results_are_provisional_before_the_finals(server):
    hall = Hall(server, 4, rounds=1, finals={"best": 2})
    follow = translated("provisional, finals follow")
    after = translated("%(missing)s; finals follow").partition(";")[2]
    hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    pages = ("standings", "print/standings", "print/prizes", "results.html", "hall?page=1&still=1")
    assert all(after in hall.page(f"/{path}") for path in pages)
    assert hall.enter(1, 2, (15, 2))[0] == 201
    assert all(follow in hall.page(f"/{path}") for path in (*pages[:-1], "hall"))
    certificates = hall.page("/print/certificates")
    assert certificates.has(data_finals_ahead=True)
    assert not certificates.has(css="certificate")
    hall.play()
    for path in (*pages[:-1], "hall"):
        assert "vorläufig" not in hall.page(f"/{path}")
    assert len(hall.page("/print/certificates").all(css="certificate")) == 3
    # The hall's screen also shows that the final decided.
    assert translated(PROGRESS_NAMES[2, True]) in hall.page("/hall")


def test_standings_say_how_far_each_pair_came(server):
    hall = Hall(server, 9, rounds=1, finals={"best": 8})
    played = (
        [(8, True), (8, False)],
        [(4, True), (4, False), (8, False)],
        [(2, True), (2, False), (3, True), (3, False), (8, False)],
    )
    hall.play()
    for results in played:
        hall.play()
        page = hall.page("/standings")
        lines = [page.one("tr", id=f"standing-{pair}").small for pair in hall.order()[:8]]
        texts = list(dict.fromkeys(line.text.split(" · ")[0] for line in lines))
        assert texts == [translated(PROGRESS_NAMES[result]) for result in results]
        assert page.one("table").one("th", scope="colgroup").text
    assert not hall.page("/standings").all("table")[1:]


def test_lot_is_mentioned_only_after_all_results(server):
    hall = Hall(server, 6, rounds=1)
    hall.draw()
    for table in (1, 2):
        assert hall.enter(1, table, (15, 8))[0] == 201
        assert translated(REASONS["lot"]) not in hall.page("/standings")
    assert hall.enter(1, 3, (15, 2))[0] == 201
    assert translated(REASONS["lot"]) in hall.page("/standings")


def test_printouts_name_the_match_for_third_place(server):
    hall = Hall(server, 4, rounds=1, finals={"best": 4})
    hall.play()
    hall.play()
    hall.draw()
    named, short = translated("For the third place"), translated("Place 3")
    seats = [hall.server.page(f"/p/{hall.keys['viewer']}/find?name={pair}") for pair in range(1, 5)]
    assert sum(named in seat for seat in seats) == 2
    for path in ("print/slips", "print/bracket", "results.csv"):
        assert hall.page(f"/{path}").count(named) == 1, path
    for path in ("print/results", "print/by-table"):
        assert hall.page(f"/{path}").count(f"<small>{short}</small>") == 1, path


def test_clock_disappears_when_its_round_ends(server):
    hall = Hall(server, 4)
    hall.draw()
    hall.send("/clock", minutes=45)
    assert hall.page("/hall").has(data_left=True)
    hall.finish()
    assert not hall.page("/hall").has(data_left=True)
    assert not hall.page().has(data_clock=True)
    # A clock that is started between two rounds is for the next one.
    hall.send("/clock", minutes=45)
    hall.draw()
    assert hall.page("/hall").has(data_left=True)
    # It also ends when its round's draw is taken back.
    hall.send("/take-back", round=2)
    assert not hall.page("/hall").has(data_left=True)


GROUPS = [
    # The settings of groups for 12 pairs, the pairs of the finals, and what is doubted.
    ({"count": 4, "best": 2}, 8, []),
    ({"count": 3, "best": 2}, 8, ["finals-too-small"]),
    ({"count": 3, "best": 2, "more": 2}, 8, []),
    ({"count": 2, "best": 2}, 8, ["finals-too-large"]),
    ({"count": 6, "best": 2}, 4, ["finals-too-small"]),
    ({"count": 9, "best": 5}, 8, ["too-many-groups", "finals-too-small"]),
    ({"count": 9, "best": 5}, 16, ["too-many-groups", "finals-too-small"]),
    ({"count": 4, "best": 5}, 16, ["finals-too-small"]),
]


@pytest.mark.parametrize(("groups", "finals", "doubts"), GROUPS)
def test_who_goes_on_from_groups_is_said_before_the_draw(server, groups, finals, doubts):
    hall = Hall(server, 12, format="groups", groups=groups, finals={"best": finals})
    desk, settings = hall.page(), hall.page("/settings")
    sentence = desk.one(data_advancing=True).text
    assert settings.one(data_advancing=True).text == sentence
    assert desk.data("doubt") == settings.data("doubt") == doubts
    # In spite of a doubt, the button names the groups that are drawn.
    button = desk.one("button", data_stage=True)
    assert ("primary" in button["class"]) == (not doubts)
    hall.draw()
    assert hall.page("/standings").one(data_advancing=True).text.removesuffix(".") in sentence


def test_groups_of_different_size_are_doubted_only_if_their_pairs_are_compared(server):
    compared, alone = {"count": 3, "best": 1, "more": 1}, {"count": 4, "best": 1}
    for groups, doubts in ((compared, ["unequal-groups"]), (alone, [])):
        hall = Hall(server, 10, format="groups", groups=groups, finals={"best": 4})
        assert hall.page().data("doubt") == doubts


def test_standings_mark_the_best_of_the_next_place(server):
    groups = {"count": 3, "best": 1, "more": 1}
    hall = Hall(server, 9, format="groups", rounds=99, groups=groups, finals={"best": 4})
    for _ in range(3):
        hall.play()
    mark = translated("in the finals as one of the best in place %(place)s") % {"place": 2}
    [marked] = [row for row in hall.page("/standings").all("tr", id=True) if mark in row.text]
    name = hall.names()[int(marked["id"].removeprefix("standing-"))]
    assert any(name in group.text for group in hall.page().all(data_qualified=True))


def test_groups_are_named_for_those_here_and_for_all(server):
    hall = Hall(server, 6, format="groups", groups={"count": 2, "best": 1}, finals={"best": 2})
    for pair in (1, 2, 3, 4):
        hall.send(f"/pairs/{pair}", do="vermerk", mark="here")
    assert hall.page().data("groups") == ["2 2", "3 3"]


def test_players_without_a_table_of_four_are_announced(server):
    for count, byes in ((8, False), (9, True), (10, True), (11, True)):
        hall = Hall(server, count, format="partners", scoring={"bye_wins": True})
        assert hall.page().has(data_bye_counts=True) == byes


def test_sitting_out_of_a_group_counts_nothing(server):
    hall = Hall(server, 7, format="groups", groups={"count": 2, "best": 1}, rounds=99)
    assert hall.page().data("bye-counts") == ["nothing"]
    for _ in range(3):
        hall.play()
        page = hall.page("/standings")
        assert WITH_BYE not in page
    # Each pair of the group of three has played one game less.
    lines = [row.text for row in page.all("tr") if row.get("id", "").startswith("standing-")]
    assert sorted("".join(re.findall("[23] Spiele", line)) for line in lines) == (
        ["2 Spiele"] * 3 + ["3 Spiele"] * 4
    )


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"format": "groups", "groups": {"count": 2, "best": 1}}, "free this round"),
        ({"format": "round-robin"}, "free this round"),
        ({"format": "redraw"}, "bye"),
    ],
)
def test_pair_without_opponent_in_a_circle_has_no_bye(server, settings, word):
    hall = Hall(server, 7, **settings)
    hall.draw()
    shown = translated(word)
    for path in ("", "/standings", "/hall", "/print/by-name", "/print/results"):
        assert shown.casefold() in hall.page(path).text.casefold(), path


def test_too_few_rounds_of_a_group_are_not_called_even(server):
    groups = {"format": "groups", "groups": {"count": 3, "best": 1}}
    for rounds, code in ((2, "uneven"), (3, "nothing")):
        hall = Hall(server, 9, rounds=rounds, **groups)
        assert hall.page().data("bye-counts") == [code]


def test_bye_that_all_have_had_is_not_marked(server):
    groups = {"format": "groups", "groups": {"count": 2, "best": 1}}
    hall = Hall(server, 6, rounds=99, scoring={"bye_wins": True}, **groups)
    counts = []
    for _ in range(3):
        hall.play()
        counts.append(hall.page("/standings").count(WITH_BYE))
    assert counts == [2, 4, 0]


def test_tables_of_groups_name_their_group_and_pairs_have_no_place_yet(server):
    hall = Hall(server, 6, format="groups", groups={"count": 2, "best": 1}, rounds=99)
    tables = hall.draw()
    rows = hall.page().one("ul", css="matches").all("small")
    assert {text[0] for row in rows if (text := re.findall("Gruppe [12]", row.text))} == {
        *("Gruppe 1", "Gruppe 2")
    }

    def ranks():
        return [cell.text for cell in hall.page("/standings").all("td", css="rank")]

    assert ranks() == ["–"] * 6
    assert hall.enter(1, tables[0]["table"], (15, 3))[0] == 201
    assert ranks() == ["1", "2", *"––––"]


def test_level_pairs_share_a_place_until_no_result_can_part_them(server):
    hall = Hall(server, 8)
    for number in (1, 2):
        for table in hall.draw():
            assert hall.enter(number, table["table"], (15, 3))[0] == 201
        for path in ("/standings", "/print/standings"):
            rows = hall.page(path).all("tr", data_tie="lot")
            places = [row.one("td", css="rank").text for row in rows]
            assert places == (["1"] * 4 + ["5"] * 4 if number == 1 else [*"12345678"])


def test_bye_of_a_knockout_has_a_place_before_its_first_game(server):
    hall = Hall(server, 3, format="knockout")
    [table] = hall.draw()
    assert hall.enter(1, table["table"], (15, 3))[0] == 201
    [with_bye] = {1, 2, 3} - {*table["pairs"]}
    row = hall.page("/standings").one("tr", id=f"standing-{with_bye}")
    assert row.one("td", css="rank").text == "1–2"


def test_standings_of_a_circle_say_that_a_pair_has_left(server):
    hall = Hall(server, 4, format="round-robin", rounds=3)
    hall.play()
    hall.send("/pairs/1", do="abmeldung")
    hall.play()
    assert bye_value(hall.page("/standings"))[0] == "uneven"
    assert re.search(r"\b[12] Spiele?\b", hall.page("/standings").one(css="ranking").text)


def test_director_leaves_out_the_games_of_a_pair_that_has_left(server):
    hall = Hall(server, 4, format="round-robin", rounds=99)
    tables = hall.play()
    played = next(table for table in tables if 1 in table["pairs"])
    shown = hall.send("/pairs/1", do="abmeldung")
    says = translated("It has played %(n)s of %(rounds)s rounds, and these games count.")
    assert says % {"n": 1, "rounds": 3} in server.page(shown).one(data_annul=True).text
    shown = hall.send("/pairs/1", do="annul")
    assert server.page(shown).one(data_annul=True).one("button", value="count")
    hall.play()
    standings = hall.page("/standings")
    assert hall.names()[1] in standings.one(data_annulled=True).text
    assert bye_value(standings)[0] == "nothing"
    opponent = next(pair for pair in played["pairs"] if pair != 1)
    reason = translated(REASONS["annulled"])
    assert reason in standings.one("tr", id="standing-1").text
    # The opponent keeps only the game of the second round.
    points = {line["pair"]: line["points"] for line in hall.tournament()["standings"]}
    assert points[opponent] in (15, 8)
    hall.send("/pairs/1", do="count")
    assert not hall.page("/standings").has(data_annulled=True)
    points = {line["pair"]: line["points"] for line in hall.tournament()["standings"]}
    assert points[opponent] > 15


def test_open_table_of_a_withdrawn_pair_says_so(server):
    hall = Hall(server)
    table = hall.draw()[0]
    gone = table["pairs"][1]
    hall.send(f"/pairs/{gone}", do="abmeldung")
    withdrawn = f"{hall.names()[gone]}: {translated(REASONS['withdrawn'])}"
    assert withdrawn in hall.page().one("li", id=f"table-{table['table']}").text
    # The table's page says so too, and its main button lets the other pair win.
    page = hall.page(f"/match/1/{table['table']}")
    assert withdrawn in page.one(data_gone=True).text
    [main] = [b for b in page.all("button", name="walkover") if "primary" in b["class"]]
    assert main["value"] == "a"
    assert hall.enter(1, table["table"], (15, 3))[0] == 201
    assert withdrawn not in hall.page()


def test_desk_asks_before_the_draw_about_a_player_in_two_pairs(server):
    hall = Hall(server, pairs=[{"name": "Sepp Huber & Toni"}, {"name": "Sepp Huber & Max"}])
    [question] = hall.page().all(data_twice=True)
    assert question.text.count("Sepp Huber") == 2
    hall.draw()
    assert not hall.page().has(data_twice=True)


def test_final_of_a_knockout_promises_no_further_round(server):
    hall = Hall(server, 4, format="knockout", rounds=9)
    hall.play()
    assert hall.page("/print/bracket").has(data_onward="final")
    assert hall.page().has("button", data_stage=True)
    hall.draw()
    assert not hall.page("/print/bracket").has(data_onward=True)
    assert not hall.page().has("button", data_stage=True)
