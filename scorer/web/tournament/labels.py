"""Display names of formats, metrics, stages and reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup, escape

from scorer.book.helper_links import DOOR, HelperRole
from scorer.engine.translatable import N_
from scorer.web.frame.translation import gettext

MAX_UNBROKEN: Final = 24
"""Letters of a player's name on one line. A longer one breaks anywhere, so that no line stays half
empty."""


def unbroken(name: str, winner: int = -1) -> Markup:
    r"""The name of a pair, or of two, as HTML that breaks between pairs, then between players.

    :param winner: the side in bold, of two

    >>> unbroken("Huber Anna & Moser Franz")
    Markup('<bdi>Huber Anna\xa0&amp;</bdi> <bdi>Moser Franz</bdi>')
    >>> unbroken("A. Huber & F. Moser")
    Markup('<bdi>A.\xa0Huber\xa0&amp;</bdi> <bdi>F.\xa0Moser</bdi>')
    """
    pairs = [
        _BOLD.format(side_text) if side == winner else side_text
        for side, side_text in enumerate(map(_unbroken_players, re.split("(?<= –) ", name)))
    ]
    return pairs[0] if len(pairs) == 1 else _BLANK.join(map(_BLOCK.format, pairs))


def _unbroken_players(pair: str) -> Markup:
    """One element for each player. A single player needs none. No line consists of "&" or "–", and
    none ends with an initial.
    """
    joined = re.sub(r"\b(\w\.) (?=\w)", "\\1\u00a0", re.sub(" –$", "\u00a0–", pair))
    players = re.split("(?<= &) ", joined)
    if len(players) == 1:
        return escape(players[0])
    players = [re.sub(r" +&$", "\u00a0&", player) for player in players]
    return _BLANK.join(
        (_BLOCK if len(player) <= MAX_UNBROKEN else _INLINE).format(player) for player in players
    )


_BLANK: Final = Markup(" ")
_BOLD: Final = Markup("<b>{}</b>")
_BLOCK: Final = Markup("<bdi>{}</bdi>")
_INLINE: Final = Markup('<span dir="auto">{}</span>')


PRESET_NAMES: Final = {
    "won-difference-points": N_("Games won, then point difference, then points"),
    "won-points": N_("Games won, then points"),
    "won-ratio": N_("Games won, then ratio of points won to points conceded"),
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
    "everybody-meets": N_("Everyone plays everyone, one game to 11"),
    "groups-then-knockout": N_("Groups, then a knock-out of the best"),
    "partners-drawn-anew": N_(
        "For single players: partners and opponents are drawn anew each round, and everyone "
        "scores alone"
    ),
    "lots-knockout": N_("Knock-out: the loser is out; a pair may hold several lots"),
}
FORMAT_NAMES: Final = {
    "redraw": N_("New opponents each round, by lot"),
    "round-robin": N_("Everyone plays everyone"),
    "groups": PRESET_NAMES["groups-then-knockout"],
    "knockout": PRESET_NAMES["lots-knockout"],
    "partners": N_("Single players: partners are drawn anew each round"),
}
METRIC_NAMES: Final = {
    "won": N_("Games won"),
    "difference": N_("Difference"),
    "points": N_("Points"),
    "score": N_("Score"),
    "conceded": N_("Conceded"),
    "ratio": N_("Ratio"),
    "matches": N_("Matches won"),
}
HEADINGS: Final = {
    "won": N_("Wins"),
    "difference": N_("Diff."),
    "points": N_("Points"),
    "score": N_("Score"),
    "conceded": N_("Conc."),
    "ratio": N_("Ratio"),
    "matches": N_("Matches"),
}
UNFINISHED_NAMES: Final = {
    "win": N_("A game that the clock ended (*) is won by whoever leads."),
    "points": N_("Nobody wins a game that the clock ended (*), but its points count."),
}
BYE_CHOICES: Final = {
    "won": N_("as won"),
    "average": N_("as the average of the other rounds"),
    "none": N_("no game won"),
}
"""The choices of a form for the value of a bye."""
FAIR_BYE: Final = N_("the average of the other rounds; nothing where everyone meets everyone")
"""The first choice for a new tournament, whose format the same form chooses."""
NO_BYES: Final = {
    "round-robin": N_("Sitting out counts nothing: everyone sits out equally often."),
    "groups": N_("Sitting out counts nothing: all of a group sit out equally often."),
}
"""The sentence about byes of the formats in which a bye counts nothing."""
TOO_FEW_ROUNDS: Final = N_("Sitting out counts nothing. There are too few rounds for all to meet.")
UNFINISHED_CHOICES: Final = {
    "finish": N_("it is played to its end"),
    "win": N_("whoever leads wins it"),
    "points": N_("only its points count"),
}
"""The choices of a form for a game that the clock ends."""
SHORT_STATUS_NAMES: Final = {
    "amber": N_("disagree"),
    "entered": N_("waiting"),
    "open": N_("still open"),
    "done": N_("done"),
}
STATUS_NAMES: Final = {
    "open": N_("still open"),
    "entered": N_("waits for the other pair"),
    "amber": N_("the pairs differ"),
    "done": N_("done"),
}
STAGE_NAMES: Final = {
    16: N_("Last sixteen"),
    8: N_("Quarter-finals"),
    4: N_("Semi-finals"),
    2: N_("Final"),
}
"""Name of a final by the number of pairs in it."""
REASONS: Final = {
    "lot": N_("by lot"),
    "level": N_("level, for now by lot"),
    "decider": N_("by decider"),
    "decider-so-far": N_("for now by decider"),
    "in": N_("in the finals by lot"),
    "out": N_("not in the finals by lot"),
    "withdrawn": N_("withdrawn"),
    "annulled": N_("withdrawn, its games do not count"),
    "absent": N_("not there"),
    "open": N_("result missing"),
}
PROGRESS_NAMES: Final[Mapping[tuple[int, bool], str]] = {
    (2, True): N_("winner"),
    (2, False): N_("runner-up"),
    (3, True): N_("third"),
    (3, False): N_("fourth"),
    (4, True): N_("in the final"),
    (4, False): N_("semi-final"),
    (8, True): N_("in the semi-final"),
    (8, False): N_("quarter-final"),
    (16, True): N_("in the quarter-final"),
    (16, False): N_("round of the last 16"),
}
"""How far a pair came in the knock-out rounds, by `KnockoutProgress`."""
CONSOLED_NAMES: Final = {
    "last": N_("the last"),
    "last-but-one": N_("the last but one"),
    "winless": N_("the last one without a game won"),
}


def helper_text(helper: HelperRole) -> str:
    """The number and the work of a helper, such as: Helper 2: results of tables 1 to 20."""
    if helper.work == DOOR:
        return gettext("Helper %(n)s: the door", n=helper.number)
    if helper.tables is None:
        return gettext("Helper %(n)s: results", n=helper.number)
    return gettext(
        "Helper %(n)s: results of tables %(first)s to %(last)s",
        n=helper.number,
        first=helper.tables.start,
        last=helper.tables.stop - 1,
    )
