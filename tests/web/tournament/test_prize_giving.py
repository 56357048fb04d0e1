"""At the prize-giving, visitors see the places that the director has called out."""

import pytest

from tests.pages import translated
from tests.web.tournament.hall import Hall

PRIZES = "300 EUR\n200 EUR\nEin Ferkel"


@pytest.fixture
def hall(server):
    """A tournament of four pairs that is over, with its last round held back."""
    hall = Hall(server, count=4, rounds=1, seed="x", ceremony=True)
    hall.play()
    return hall


def calls(server, hall):
    """The places on the director's list, in order, and the place that comes next."""
    rows = hall.page().one(id="prize-giving").all("li")
    current = [row.one("b").text for row in rows if row.has_attr("aria-current")]
    return [row.one("b").text for row in rows], current


def seen(server, hall):
    """The called places on the visitors' page."""
    page = server.page(f"/p/{hall.keys['viewer']}")
    return [int(row["data-called"]) for row in page.all("li", data_called=True)]


def call(hall, rank):
    hall.send("/settings", called=str(rank), do="call")


def ranks(server, key):
    """The ranks of the standings, in order."""
    table = server.page(f"/p/{key}/standings").one("tbody")
    return [cell.text for cell in table.all("td", css="rank")]


def test_pairs_share_the_ranks_that_the_finals_still_decide(server):
    hall = Hall(server, 6, rounds=1, finals={"best": 4}, ceremony=True)
    hall.play()
    hall.draw()
    assert ranks(server, hall.key) == ["1–4"] * 4 + ["5", "6"]
    hall.finish()
    before_final = ["1–2"] * 2 + ["3–4"] * 2 + ["5", "6"]
    assert ranks(server, hall.key) == before_final
    hall.play()
    assert ranks(server, hall.key) == ["1", "2", "3", "4", "5", "6"]
    # Visitors learn these ranks only at the prize-giving.
    assert ranks(server, hall.keys["viewer"]) == before_final
    file = server.page(f"/p/{hall.keys['viewer']}/standings.csv").splitlines()
    assert [line.split(";")[0].strip('"') for line in file[1:]] == before_final


def test_pairs_share_the_ranks_that_a_knockout_still_decides(server):
    hall = Hall(server, 4, format="knockout", rounds=99)
    first, _ = hall.draw()
    assert hall.enter(1, first["table"], (15, 3))[0] == 201
    assert ranks(server, hall.key) == ["1–2", "1–4", "1–4", "4"]
    hall.finish()
    assert ranks(server, hall.key) == ["1–2", "1–2", "3", "4"]
    status = translated("provisional, the next round follows")
    assert status in hall.page("/standings")
    hall.play()
    assert status not in hall.page("/standings")


def test_director_calls_the_prized_places_from_the_last_to_the_first(server, hall):
    hall.send("/prizes", lines=PRIZES, consolation="Ein Brot", to="last")
    assert calls(server, hall) == (["4", "3", "2", "1"], ["4"])
    names = {line["rank"]: line["name"] for line in hall.tournament()["standings"]}
    for rank in (4, 3, 2, 1):
        assert calls(server, hall)[1] == [str(rank)]
        assert hall.page("/hall").has(css="giving") == (rank < 4)
        call(hall, rank)
        assert seen(server, hall) == [*range(rank, 5)]
        for path in ("", "/hall"):
            page = server.page(f"/p/{hall.keys['viewer']}{path}")
            assert names[rank].split(" & ")[0] in page
    assert calls(server, hall)[1] == []


def test_three_places_are_called_if_there_are_no_prizes(server, hall):
    assert calls(server, hall) == (["3", "2", "1"], ["3"])


def test_pairs_without_a_place_are_not_called(server):
    hall = Hall(server, 4, rounds=1, ceremony=True)
    hall.play()
    for pair in hall.order()[2:]:
        hall.send(f"/pairs/{pair}", do="abmeldung")
    calls = hall.page().one(id="prize-giving").one("ol").all("li")
    assert len(calls) == 2
    assert not hall.page().has("button", value="0", name="called")


def test_a_call_can_be_hidden_again(server, hall):
    hall.send("/prizes", lines=PRIZES, consolation="")
    call(hall, 3)
    call(hall, 2)
    hides = hall.page().one(id="prize-giving").all("form")[1]
    assert dict(hides.fields)["called"] == "3"
    hall.post_fields(f"/p/{hall.key}/settings", hides.fields)
    assert seen(server, hall) == [3]


def test_visitors_see_only_called_places(server, hall):
    """Not even programs see more."""
    hall.send("/prizes", lines=PRIZES, consolation="")
    viewer = hall.keys["viewer"]
    before = server.json("GET", f"/api/tournaments/{viewer}/standings")[1]
    call(hall, 3)
    assert server.json("GET", f"/api/tournaments/{viewer}/standings")[1] == before
    screen = server.page(f"/p/{viewer}/hall")
    assert [row.one(css="first").text for row in screen.one("tbody").all("tr")] == ["3"]
    assert "300 EUR" not in screen.html
    hall.send("/settings", ceremony="0", do="release")
    assert seen(server, hall) == []
    assert server.json("GET", f"/api/tournaments/{viewer}/standings")[1] != before


def waits(hall):
    """The desk's forms that hide the final standings until the prize-giving."""
    return [form for form in hall.page().all("form") if dict(form.fields).get("ceremony") == "1"]


@pytest.mark.parametrize("is_over", [False, True])
def test_desk_begins_the_prize_giving_without_a_setting_made_before(server, is_over):
    hall = Hall(server, count=4, rounds=2)
    hall.play()
    assert not waits(hall)

    def public_standings():
        path = f"/api/tournaments/{hall.keys['viewer']}/standings"
        return server.json("GET", path)[1]["standings"]

    before = public_standings()
    hall.draw()
    if is_over:
        hall.finish()
    [form] = waits(hall)
    hall.post_fields(f"/p/{hall.key}/settings", form.fields)
    if not is_over:
        hall.finish()
    assert not waits(hall) and calls(server, hall)[1] == ["3"]
    # Visitors see the standings as they were before the last round.
    assert public_standings() == before
    call(hall, 3)
    assert seen(server, hall) == [3]
    hall.send("/settings", ceremony="0", do="release")
    # It is over, so the desk does not offer it again.
    assert not waits(hall)


def test_prizes_of_categories_are_called_before_the_places(server):
    pairs = [{"players": [f"A{n}", f"B{n}"], "category": "Damen"} for n in range(4)]
    hall = Hall(server, pairs=pairs, rounds=1, ceremony=True)
    hall.play()
    ladies = {"category": "Damen", "category-lines": "Blumen"}
    hall.send("/prizes", lines="Schinken\nSpeck", consolation="", **ladies)
    assert calls(server, hall) == (["1", "2", "1"], ["1"])
    pages = [f"/p/{hall.keys['viewer']}", f"/p/{hall.keys['viewer']}/hall"]
    for newest in ("Blumen", "Speck", "Schinken"):
        assert not any(newest in server.page(page) for page in pages)
        button = hall.page().one(id="prize-giving").one("button", css="primary", name="do")
        assert ("Damen, " in button.text) == (newest == "Blumen")
        [form] = [form for form in hall.page().all("form") if button in form.all("button")]
        hall.post_fields(f"/p/{hall.key}/settings", form.fields)
        # The hall shows the newest call first.
        assert newest in server.page(pages[0])
        assert newest in server.page(pages[1]).one("tbody").all("tr")[0].text
    assert calls(server, hall)[1] == []


def test_winner_stays_in_the_hall_after_the_last_call(server):
    hall = Hall(server, 40, rounds=1, ceremony=True)
    hall.play()
    hall.send("/prizes", lines="\n".join(f"Preis {n}" for n in range(1, 40)), consolation="")
    call(hall, 1)
    page = server.page(f"/p/{hall.keys['viewer']}/hall")
    assert "Preis 1" in page.one("tbody").all("tr")[0].text
    assert "page=1" not in page.html


def test_long_prize_is_below_the_name_on_the_hall_screen(server, hall):
    prize = "Geschenkkorb vom Bauernladen im Wert von 50 Euro"
    hall.send("/prizes", lines=f"{prize}\n{prize}", consolation="")
    call(hall, 2)
    [row] = server.page(f"/p/{hall.keys['viewer']}/hall").one("tbody").all("tr")
    assert prize in row.one("th").text and len(row.all("td")) == 1


def test_repeated_tournament_has_called_nothing(server, hall):
    call(hall, 3)
    key = hall.send("/again", name="T", rules="bayern").split("/")[2]
    assert server.tournament(key).get("called", 0) == 0


def test_repeated_tournament_offers_the_prize_giving_again(server, hall):
    call(hall, 3)
    hall.send("/settings", ceremony="0", do="release")
    form = server.page(f"/p/{hall.key}/again")
    assert form.one("input", type="checkbox", name="ceremony").has_attr("checked")


def test_director_prints_the_final_places_before_they_are_called(server, hall):
    hall.send("/prizes", lines=PRIZES, consolation="")
    names = {line["rank"]: line["name"] for line in hall.tournament()["standings"]}
    for sheet in ("prizes", "certificates", "standings"):
        assert names[1].split(" & ")[0] in hall.page(f"/print/{sheet}"), sheet
    certificates = hall.page("/print/certificates").all("section", css="certificate")
    assert len(certificates) == 3
    for place, certificate in enumerate(certificates, 1):
        assert names[place].split(" & ")[0] in certificate.text
    prizes = server.page(f"/p/{hall.keys['viewer']}/print/prizes")
    assert not any(name.split(" & ")[0] in prizes for name in names.values())
