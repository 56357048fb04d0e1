"""Players by surname, for printed sheets and the hall's screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorer.tournament.entrants import Entrant
from scorer.tournament.name_matching import alphabetical, normalized_name
from scorer.tournament.pairs import players_in
from scorer.tournament.surnames import NameOrder
from scorer.web.tournament.tournament_view import TournamentView


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    name: str
    """The player beginning with the surname, or the name of a pair that named no players."""
    pair: int
    partner: str = ""
    """The partner, if partners are drawn or another player has the same name."""


class PlayerList:
    """The players of a tournament, with surnames first."""

    def __init__(self, view: TournamentView) -> None:
        self._view = view
        players = {entrant.number: self._names_of(entrant) for entrant in view.tournament.listed}
        all_names = [name for names in players.values() for name in names]
        self._players = players
        self._order = NameOrder.of(all_names)
        self._name_counts = Counter(map(self._comparable, all_names))

    def by_name(self, teams: Iterable[Sequence[int]]) -> list[ListedPlayer]:
        """All players of these teams, sorted.

        :param teams: the pairs that play together; more than one are single players
        """
        players = [player for team in teams for player in self._of_team(team)]
        return sorted(players, key=lambda player: (alphabetical(player.name), player.partner))

    def surnames(self, pairs: Sequence[int]) -> str:
        """A side of a table by the surnames of its players, or by the pair's own name."""
        return " & ".join(name for pair in pairs for name in self._surnames(pair))

    def _surnames(self, pair: int) -> Iterable[str]:
        players = self._players[pair]
        pair_name = self._view.whole_name(pair)
        shows_players = self._view.partners or len(players) > 1
        if shows_players and " & ".join(players) == pair_name:
            return map(self._order.surname, players)
        return (pair_name,)

    def _of_team(self, team: Sequence[int]) -> Iterator[ListedPlayer]:
        players = [(pair, name) for pair in team for name in self._players[pair]]
        for position, (pair, name) in enumerate(players):
            others = [other for index, (_, other) in enumerate(players) if index != position]
            shows_partner = len(team) > 1 or self._name_counts[self._comparable(name)] > 1
            # A pair that named nobody keeps the order of its words.
            a_person = self._view.partners or others
            shown_name = self._order.surname_first_form(name) if a_person else name
            yield ListedPlayer(shown_name, pair, " & ".join(others) if shows_partner else "")

    def _comparable(self, name: str) -> str:
        return normalized_name(self._order.surname_first_form(name))

    @staticmethod
    def _names_of(entrant: Entrant) -> tuple[str, ...]:
        return entrant.pair.players or players_in(entrant.pair.name)
