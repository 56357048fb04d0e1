"""What all pages of a tournament share: reading it, recording, and its words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from flask import abort
from flask_babel import gettext

from scorer.engine import Illegal, Unreadable
from scorer.engine.rules.marked import N_
from scorer.store import KeyReused
from scorer.tournament import Match, Round, Tournament, standings
from scorer.tournament.chances import Chance, chances
from scorer.tournament.circles import group_of
from scorer.tournament.draw import upcoming
from scorer.tournament.standings import Standing
from scorer.tournament.tally import pair_of
from scorer.tournament.words import NOTES, refusal_text
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, hub, tables, tournaments
from scorer.web.frame.errors import unreadable
from scorer.web.frame.language import words

PRESET_NAMES: Final = {
    "won-difference-points": N_("Games won, then point difference, then points"),
    "won-points": N_("Games won, then points"),
    "won-ratio": N_("Games won, then points made for each point conceded"),
    "retour-counts-double-then-finals": N_(
        "To 13: games won, a Retourschneider counts double; then semi-finals and final"
    ),
    "points-with-warm-and-hot": N_(
        "Points: the winner the target, the loser its own; 10 more for a Schneider, 20 for a Retour"
    ),
    "twenty-a-win": N_("20 points a game won, then points"),
    "two-a-win-more-for-schneider": N_(
        "2 a game won, 1 more for Schneider and Retour; then point difference"
    ),
    "schneider-counts-double": N_("Rounds won, then games won, a Schneider counts double"),
    "points-plus-ten-then-knockout": N_(
        "To 15: the winner 15 and 10 more, the loser its own; the best eight go on to a knock-out"
    ),
    "won-then-fewest-conceded": N_("Games won, then fewest points conceded"),
    "everybody-meets": N_("Everybody meets everybody, one game to 11"),
    "groups-then-knockout": N_("Groups, then a knock-out of the best"),
    "lots-knockout": N_("Knock-out with lots; a pair may hold several"),
}
METRIC_NAMES: Final = {
    "won": N_("Games won"),
    "difference": N_("Difference"),
    "points": N_("Points"),
    "score": N_("Score"),
    "conceded": N_("Conceded"),
    "ratio": N_("Ratio"),
    "matches": N_("Rounds won"),
}
HEADINGS: Final = {
    "won": N_("Wins"),
    "difference": N_("Diff."),
    "points": N_("Points"),
    "score": N_("Score"),
    "conceded": N_("Conc."),
    "ratio": N_("Ratio"),
    "matches": N_("Rounds"),
}
"""The metrics as the standings head their columns."""
STATUS_NAMES: Final = {
    "open": N_("open"),
    "entered": N_("waits for the other pair"),
    "amber": N_("the pairs differ"),
    "done": N_("done"),
}
STAGE_NAMES: Final = {8: N_("Quarter-finals"), 4: N_("Semi-finals"), 2: N_("Final")}


class Desk:
    """One tournament with the words for its pages."""

    def __init__(self, tournament: Tournament, key: str, role: str) -> None:
        self.tournament = tournament
        self.settings = tournament.settings
        self.key, self.role = key, role
        self.seq = len(tournament.recorded)
        self.words = words(self.settings.rules.id)

    def name(self, pair: int) -> str:
        """What a pair is called."""
        return self.tournament.entrants[pair].pair.name

    def club(self, pair: int) -> str:
        """A pair's club or village, or nothing."""
        return self.tournament.entrants[pair].pair.club

    @property
    def newest(self) -> Round | None:
        return self.tournament.rounds[-1] if self.tournament.rounds else None

    def title(self, one: Round) -> str:
        """What a round is called."""
        if one.stage == "final":
            playing = 2 * sum("third" not in m.drawn.notes for m in one.matches.values())
            if playing in STAGE_NAMES:
                return gettext(STAGE_NAMES[playing])
        if one.stage == "rounds" and self.settings.format == "redraw":
            return gettext("Round %(n)s of %(all)s", n=one.number, all=self.settings.rounds)
        return gettext("Round %(n)s", n=one.number)

    @property
    def upcoming(self) -> str | None:
        """The stage that would be drawn next."""
        return upcoming(self.tournament)

    def people(self, pair: int) -> tuple[str, ...]:
        """The players of a pair, or the pair itself where it named none."""
        found = self.tournament.entrants[pair].pair
        return found.players or (found.name,)

    def free(self, one: Round) -> list[int]:
        """The pairs with a bye."""
        return [pair_of(self.tournament, lot) for lot in one.byes]

    def byes(self, one: Round) -> list[str]:
        return [self.name(pair) for pair in self.free(one)]

    def notes(self, match: Match) -> list[str]:
        """What had to give in the draw of a table."""
        return [gettext(NOTES[note]) for note in match.drawn.notes if note in NOTES]

    def round_notes(self, one: Round) -> list[str]:
        return [gettext(NOTES[note]) for note in one.notes if note in NOTES]

    def status(self, match: Match) -> str:
        return gettext(STATUS_NAMES[match.status])

    def score(self, match: Match) -> str:
        """A match's games as they stand, such as 15:8 12:15."""
        result = match.result
        if result is None:
            return ""
        if result.walkover:
            winner = match.drawn.pairs["ab".index(result.walkover)]
            return gettext("without play: %(name)s", name=self.name(winner))
        return "  ".join(f"{a}:{b}" for a, b in result.games)

    def live(self, match: Match) -> str:
        """How a table that is scored live stands, or nothing."""
        if not match.drawn.stream:
            return ""
        table = tables().reading(match.drawn.stream)
        if not table.seq:
            return ""
        state = table.evening.state
        return gettext(
            "game %(n)s, %(points)s", n=state.game, points=" : ".join(map(str, state.points))
        )

    def counts(self, one: Round) -> dict[str, int]:
        """How many tables of a round are in which state."""
        found = dict.fromkeys(STATUS_NAMES, 0)
        for match in one.matches.values():
            found[match.status] += 1
        return found

    # Standings

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """The columns of the standings: what orders them, and the usual ones beside it."""
        names = [*self.settings.ranking, "won", "difference", "points"]
        return [(name, gettext(HEADINGS[name])) for name in dict.fromkeys(names)]

    @cached_property
    def lines(self) -> list[Standing]:
        """The standings."""
        return standings(self.tournament)

    def blocks(self) -> list[tuple[str, list[tuple[int, Standing]]]]:
        """The standings as they are shown: whole, or a table a group while groups play."""
        lines, groups = self.lines, self.groups
        if not groups or any(one.stage == "final" for one in self.tournament.rounds):
            return [("", [(line.rank, line) for line in lines])]
        return [
            (
                gettext("Group %(n)s", n=number),
                list(enumerate((line for line in lines if groups[line.pair] == number), 1)),
            )
            for number in sorted(set(groups.values()))
        ]

    def value(self, line: Standing, metric: str) -> str:
        if metric == "ratio":
            return f"{float(line.tally.ratio):.3f}"
        if metric == "difference":
            return f"{line.tally.difference:+d}"
        return str(getattr(line.tally, metric))

    @property
    def groups(self) -> Mapping[int, int]:
        return group_of(self.tournament)

    @cached_property
    def _chances(self) -> Mapping[int, Chance]:
        """The places still open, once the last round before the finals is near."""
        rounds, coming = self.tournament.rounds, self.settings.rounds
        near = self.settings.format == "redraw" and coming - 1 <= len(rounds) <= coming
        done = len(rounds) == coming and not rounds[-1].missing
        return chances(self.tournament) if rounds and near and not done else {}

    def chance(self, pair: int) -> str:
        """The places a pair can still come to, or that its place is sure; or nothing."""
        found = self._chances.get(pair)
        if found is None or (found.best, found.worst) == (1, len(self.tournament.entrants)):
            return ""
        if found.best == found.worst:
            return gettext("place %(n)s for sure", n=found.best)
        return gettext("can still be %(best)s to %(worst)s", best=found.best, worst=found.worst)

    @cached_property
    def _finalists(self) -> set[int]:
        """The pairs whose place a played final has settled."""
        finals = (one for one in self.tournament.rounds if one.stage == "final")
        played = (match for one in finals for match in one.matches.values() if match.result)
        return {pair for match in played for pair in match.drawn.pairs}

    def about(self, line: Standing) -> str:
        """What stands small under a name: club, why it stands there, what is still open."""
        one = self.tournament.entrants[line.pair]
        tie = {"decider": gettext("by decider"), "lot": gettext("by lot")}.get(line.tie, "")
        parts = [
            one.pair.club,
            gettext("withdrawn") if one.withdrawn else "",
            gettext("by the finals") if line.pair in self._finalists else "",
            tie if self.newest else "",
            self.chance(line.pair),
        ]
        return " · ".join(part for part in parts if part)

    def prizes(self) -> list[tuple[Standing, str]]:
        """Who gets what: a line a place, and the consolation for the last that is still there."""
        prizes, lines = self.tournament.prizes, self.lines
        found = list(zip(lines, prizes.lines, strict=False))
        there = [line for line in lines if not self.tournament.entrants[line.pair].withdrawn]
        consoled = there[-1:] if prizes.to == "last" else there[-2:-1]
        if prizes.consolation:
            found += [(line, prizes.consolation) for line in consoled]
        return [(line, prize) for line, prize in found if prize]


def told(error: Unreadable | Illegal) -> str:
    """A refusal of any kind in the reader's language."""
    if isinstance(error, Illegal):
        return refusal_text(error, gettext)
    return unreadable(error)


def keep(holder: Guest, stream: str, body: dict[str, Any], part: str = "") -> str:
    """Record what a form says; the words for why it was not, or nothing.

    :param part: which of several events of one form this is
    """
    name = phone.event_name() + part
    try:
        seq = tournaments().record(stream, body, key=name, by=phone.signature(holder.role))
    except (Unreadable, Illegal) as error:
        return told(error)
    except KeyReused:
        abort(409, "stale")
    hub().moved(stream, seq)
    return ""
