"""Settings of a tournament: the form, and changes while it runs."""

import re

import pytest

from tests.pages import translated
from tests.serving import Phone
from tests.web.tournament.forms import enter_pairs, fields, post, refusal_page, send
from tests.web.tournament.hall import Hall


def test_new_tournament_form_applies_the_preset(server, director):
    tournament = server.tournament(director)
    shown = [tournament[name] for name in ("name", "rounds", "games_per_round", "ranking")]
    assert shown == ["Preiswatten <3>", 2, 4, ["won", "points"]]
    assert "Preiswatten &lt;3&gt;" in server.request("GET", f"/p/{director}")[2]
    # The desk does not offer a draw without pairs.
    desk = server.page(f"/p/{director}")
    assert f'action="/p/{director}/draw"' not in desk
    assert f'href="/p/{director}/links#director"' in desk


def test_form_says_how_many_rounds_a_preset_has(server):
    """A format in which everybody meets has as many as the pairs need."""
    presets = server.page("/p/new").all("label", css="region")
    for name, has_rounds in (("won-points", True), ("everybody-meets", False)):
        [preset] = (label.text for label in presets if label.has("input", value=name))
        assert ("×" in preset) == has_rounds


def test_preset_values_can_be_changed_in_the_form(server):
    form = {"name": "T", "rules": "oberoesterreich", "preset": "won-points", "target": 11}
    form |= {"ranking": ["score", "", "ratio"], "finals": 8, "games_per_round": 2}
    where = send(server, "/p/new", **form, **{"scoring.win": 7, "scoring.bye": "none"})
    tournament = server.tournament(where.split("/")[2])
    assert tournament["ranking"] == ["score", "ratio"]
    assert tournament["set"] == {"cap_at_target": True, "target": 11}
    assert (tournament["scoring"]["win"], tournament["scoring"]["bye_wins"]) == (7, False)
    assert tournament["finals"]["best"] == 8


@pytest.mark.parametrize(
    ("change", "details"),
    [
        ({"name": ""}, []),
        ({"rounds": "viele"}, ["viele"]),
        ({"target": "500"}, ["3", "99", "500"]),
        ({"finals": "3"}, ["2", "4", "8", "16", "32"]),
    ],
)
def test_invalid_field_is_named_and_the_form_kept(server, change, details):
    form = {"name": "Beim Wirt", "rules": "bayern", "preset": "won-points", **change}
    text = refusal_page(server, "/p/new", **form)
    notice = text.one(role="alert", data_code="unreadable")
    assert next(iter(change)) in notice["data-field"]
    assert all(word in notice.text for word in details)
    assert f'value="{form["name"]}"' in text


def test_new_tournament_suggests_the_last_region(server):
    phone = Phone(server)

    def selected_regions():
        start = re.search(r'name="rules" value="(\w+)"[^>]* checked', phone.open("/"))
        new = re.search(r'<option value="(\w+)" selected', phone.open("/p/new"))
        return start[1], new[1]

    assert selected_regions() == ("oberoesterreich", "oberoesterreich")
    phone.open(f"/t/{server.table('suedtirol')['scorer']}")
    assert selected_regions() == ("suedtirol", "suedtirol")


def test_settings_change_during_play(server, drawn):
    path = f"/p/{drawn}/settings"
    send(server, path, name="Anders", rounds=3, games_per_round="4+3+2")
    tournament = server.tournament(drawn)
    shown = [tournament[name] for name in ("name", "rounds", "games_per_round")]
    assert shown == ["Anders", 3, [4, 3, 2]]
    assert refusal_page(server, path, rounds=0).code == "unreadable"
    preview = post(server, path, fields(ranking="points", do="preview"))[2]
    assert preview.has(role="heading", data_preview=True)
    assert server.tournament(drawn)["ranking"] == ["won", "points"]


def test_groups_are_chosen_before_the_draw(server):
    pairs = [{"name": f"P{n}"} for n in range(11)]
    key = server.new_tournament(format="groups", pairs=pairs, groups={"count": 4})["director"]

    def sizes():
        return server.page(f"/p/{key}").one("p", data_groups=True)["data-groups"]

    assert sizes() == "3 3 3 2"
    send(server, f"/p/{key}/settings", name="Preis", groups=3, best=1)
    assert sizes() == "4 4 3"
    assert server.tournament(key)["groups"] == {"count": 3, "best": 1, "more": 0}
    # The draw has groups of these sizes. After it, slips and sheets name the group.
    server.draw(key)
    page = server.page(f"/p/{key}/print/standings")
    drawn = [len(table.all("tr")) - 1 for table in page.all("table")]
    assert sorted(drawn, reverse=True) == [4, 4, 3]
    groups = [translated("Group %(n)s") % {"n": n} for n in (1, 2, 3)]
    for sheet in ("slips", "by-table"):
        text = server.page(f"/p/{key}/print/{sheet}").text
        assert all(group in text for group in groups), sheet
    assert not server.page(f"/p/{key}").has("p", data_groups=True)


def test_form_asks_once_about_groups_that_do_not_fill_the_finals(server):
    form = {"name": "T", "rules": "bayern", "preset": "groups-then-knockout", "finals": 8}
    send(server, "/p/new", **form, groups=4)
    page = refusal_page(server, "/p/new", **form, groups=3)
    assert page.code == "groups-otherwise"
    sure = page.one("button", name="sure")["value"]
    # The answer is for these groups only.
    assert refusal_page(server, "/p/new", **form, groups=5, sure=sure).code == "groups-otherwise"
    key = send(server, "/p/new", **form, groups=3, sure=sure).split("/")[2]
    assert server.tournament(key)["groups"]["count"] == 3
    assert refusal_page(server, f"/p/{key}/again", **form, groups=3).code == "groups-otherwise"


def test_finals_left_to_the_format_take_the_best_of_all_groups(server):
    form = {"name": "T", "rules": "bayern", "preset": "groups-then-knockout"}
    for count, best, more, finals in ((2, 2, 0, 4), (3, 1, 1, 4), (4, 2, 0, 8), (5, 1, 3, 8)):
        tournament = server.tournament(send(server, "/p/new", **form, groups=count).split("/")[2])
        assert tournament["groups"] == {"count": count, "best": best, "more": more}
        assert tournament["finals"]["best"] == finals
    # Finals that are chosen stay as they are, so the form asks about them.
    assert refusal_page(server, "/p/new", **form, groups=2, finals=8).code == "groups-otherwise"


@pytest.mark.parametrize(
    ("typed", "exists"),
    [("40.40.2026", False), ("31. 2. 26", False), ("2026-02-30", False), ("Sa, 29.2.2026", False)]
    + [
        (text, True) for text in ("Kirchtag 2026", "29.2.2028", "12/31/2026", "2026-12-31", "3.10.")
    ],
)
def test_day_that_does_not_exist_is_refused_beside_its_field(server, director, typed, exists):
    form = {"name": "T", "rules": "bayern", "preset": "won-points", "date": typed}
    for path, fields_ in (("/p/new", form), (f"/p/{director}/settings", {"date": typed})):
        if exists:
            send(server, path, **fields_)
            continue
        page = refusal_page(server, path, **fields_)
        assert page.one(role="alert", data_code="unreadable")["data-field"] == "date"
        assert page.one("input", autofocus="")["value"] == typed


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("fee", "zehn"),
        ("rounds", "x"),
        ("games_per_round", "3+x"),
        ("decider", "x"),
        ("groups", "x"),
    ],
)
def test_refused_number_is_explained_inside_the_form(server, field, typed):
    form = {"name": "T", "rules": "bayern", "preset": "won-points", field: typed}
    page = refusal_page(server, "/p/new", **form)
    [alert] = page.all(role="alert", data_code=True)
    assert alert["data-field"].startswith(field)
    assert page.one("form", css="stack").has(role="alert", data_code=True)
    assert page.one("input", name=field, aria_invalid="true")["value"] == typed


def test_settings_change_the_games_of_the_finals(server):
    hall = Hall(server, 4, finals={"best": 4})
    page = hall.page("/settings")
    assert page.one("input", name="finals_games")["value"] == "1"
    hall.send("/settings", finals="4", finals_games="3")
    assert hall.tournament()["finals"]["games"] == 3
    hall.send("/settings", finals="0", finals_games="3")
    assert not hall.tournament().get("finals")
    assert not hall.page("/settings").has("input", name="finals_games")


def test_new_tournament_can_wait_for_the_prize_giving(server):
    form = {"name": "T", "rules": "bayern", "preset": "won-points"}
    for sent, waits in ((["0", "1"], True), (["0"], False)):
        key = send(server, "/p/new", **form, ceremony=sent).split("/")[2]
        assert server.tournament(key).get("ceremony", False) is waits
        ticked = server.page(f"/p/{key}/again").has("input", type="checkbox", checked=True)
        assert ticked is waits


RULES_AND_FORMAT = {"rules": "suedtirol", "target": 11, "over": 1, "format": "knockout"}


def test_rules_and_format_change_until_the_first_draw(server, director):
    path = f"/p/{director}/settings"
    send(server, path, **RULES_AND_FORMAT)
    tournament = server.tournament(director)
    assert (tournament["rules"], tournament["format"]) == ("suedtirol", "knockout")
    assert tournament["set"]["target"] == 11 and not tournament["set"].get("cap_at_target")
    assert (tournament["rounds"], tournament["ranking"][0]) == (99, "matches")
    # Without a target of its own, the game goes as far as the rules say.
    send(server, path, rules="bayern", target="", format="redraw", rounds=4)
    tournament = server.tournament(director)
    assert (tournament["rounds"], tournament["set"]) == (4, {"cap_at_target": True})
    text = refusal_page(server, path, rules="suedtirol", target="viele", format="groups")
    assert text.one(data_code="unreadable")["data-field"] == "set.target"
    assert text.one("input", name="target")["value"] == "viele"
    # The browser scrolls to the field.
    assert text.one("input", autofocus="")["name"] == "target"
    picked = [option["value"] for option in text.all("option", selected="")]
    assert {"suedtirol", "groups"} <= {*picked}


def test_rules_and_format_are_only_shown_after_the_draw(server, drawn):
    page = server.page(f"/p/{drawn}/settings")
    assert page.has("p", data_fixed=True)
    assert not any(page.has(tag, name=name) for tag, name in FIXED)
    assert refusal_page(server, f"/p/{drawn}/settings", rules="trentino").code == "drawn-by-it"


FIXED = (("select", "rules"), ("input", "target"), ("select", "format"))


def test_entered_pairs_do_not_become_single_players(server, director):
    path = f"/p/{director}/settings"
    assert server.page(path).has("option", value="partners")
    enter_pairs(server, director, "Anna;Bert")
    assert not server.page(path).has("option", value="partners")
    assert (
        refusal_page(server, path, format="partners").one(data_code="unreadable")["data-field"]
        == "format"
    )


def test_another_number_of_groups_brings_other_finalists(server):
    pairs = [{"name": f"Pair {n}"} for n in range(24)]
    groups = {"count": 16, "best": 1, "more": 0}
    head = {"format": "groups", "pairs": pairs, "groups": groups, "finals": {"best": 16}}
    key = server.new_tournament(**head)["director"]
    form = server.page(f"/p/{key}/settings").one("input", name="best").find_parent("form")
    filled = [(name, value) for name, value in form.fields if name not in ("do", "groups")]
    send(server, f"/p/{key}/settings", [*filled, ("groups", "4")])
    tournament = server.tournament(key)
    assert tournament["groups"] == {"count": 4, "best": 2, "more": 0}
    assert tournament["finals"]["best"] == 8
