"""A tournament that is created and played over HTTP."""

from __future__ import annotations

from typing import Any

from tests.pages import Page
from tests.web.tournament import forms

PAIRS = ("Anna & Bert", "Cilli & Dora", "Emil & Fanny", "Gustl & Hias")


class Hall:
    """A tournament and the requests of its director.

    :param count: number of pairs; the first ones have the names in `PAIRS`
    """

    def __init__(self, server: Any, count: int = 4, **settings: Any) -> None:
        self.server = server
        names = [*PAIRS, *(f"Paar {n}" for n in range(len(PAIRS) + 1, count + 1))][:count]
        pairs = settings.pop("pairs", [{"name": name} for name in names])
        given = {"name": "Preiswatten", "rounds": 2, "games_per_round": 1, "seed": "hall"}
        self.keys = server.new_tournament(**{**given, "pairs": pairs, **settings})
        self.key = self.keys["director"]

    def page(self, path: str = "", status: int = 200) -> Page:
        """One of the director's pages."""
        return self.server.page(f"/p/{self.key}{path}", status)

    def post(self, path: str, token: str, **form: Any) -> tuple[int, str, Page]:
        """Send a form; return the status, the redirect's address and the page."""
        return self.post_fields(f"/p/{self.key}{path}", forms.fields(token, **form))

    def post_fields(self, path: str, fields: Any) -> tuple[int, str, Page]:
        return forms.post(self.server, path, fields)

    def send(self, path: str, **form: Any) -> str:
        """Send a form, which is accepted; return the redirect's address."""
        return forms.send(self.server, f"/p/{self.key}{path}", **form)

    def draw(self, **body: Any) -> list[dict[str, Any]]:
        """Draw a round; return its tables with their links."""
        return self.server.draw(self.key, **body)

    def enter(self, number: int, table: int, *games: tuple[int, int], **more: Any) -> Any:
        """Enter a result as the director; return the status and the response."""
        body = {"round": number, "table": table, "games": [list(game) for game in games], **more}
        return self.server.json("POST", f"/api/tournaments/{self.key}/results", body)

    def play(self) -> list[dict[str, Any]]:
        """Draw a round and enter 15:8 for the first pair of each table; return the tables."""
        tables = self.draw()
        self.finish()
        return tables

    def finish(self) -> None:
        """Enter 15:8 for the first pair of each open table of the newest round."""
        draws = self.tournament()["draws"]
        for table in (table for table in draws[-1]["tables"] if table["status"] == "open"):
            status, answer = self.enter(len(draws), table["table"], (15, 8))
            assert status == 201, answer

    def refusal_page(self, path: str, token: str = "", **form: Any) -> Page:
        """The page that refuses a form."""
        return forms.refusal_page(self.server, f"/p/{self.key}{path}", token=token, **form)

    def tournament(self) -> dict[str, Any]:
        """The whole tournament as JSON."""
        return self.server.tournament(self.key)

    def names(self) -> dict[int, str]:
        """The names of the pairs by number."""
        return {pair["pair"]: pair["name"] for pair in self.tournament()["pairs"]}

    def order(self) -> list[int]:
        """The pairs in the order of the standings."""
        return [line["pair"] for line in self.tournament()["standings"]]
