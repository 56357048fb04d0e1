"""Sentences of refusals and notes of a tournament, marked for translation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scorer.engine.translatable import N_, Counted

LOOKS_TAKEN: Final = N_("{name} looks like {other} on the list: tell them apart")
SENTENCES: Final[Mapping[str, str | Counted]] = {
    "games-missing": Counted(
        "A match here has {count} game, not {given}",
        "A match here has {count} games, not {given}",
        "count",
    ),
    "other-count-read": Counted(
        "A match here has {count} game; read: {games}",
        "A match here has {count} games; read: {games}",
        "count",
    ),
    "other-count-of-numbers": Counted(
        "This is {count} number. Type the loser's points of each game ({games}), or both sides' "
        "({both})",
        "These are {count} numbers. Type the loser's points of each game ({games}), or both "
        "sides' ({both})",
        "count",
    ),
    "loser-too-high": N_("A loser cannot have {points}: a game goes to {target}"),
    "winner-below-target": N_("Game {game}: nobody has won with {points}, a game goes to {target}"),
    "unfinished-not-last": N_(
        "Game {game} ended unfinished at {points}: the games after it were not played (0:0)"
    ),
    "retour-unfinished": N_("Game {game}: an unfinished game has no Retourschneider"),
    "winner-above-target": N_("Game {game}: a game ends at {target}, so {points} is not possible"),
    "two-winners": N_(
        "Game {game}: both cannot have won; the loser has fewer than {target} points"
    ),
    "loser-impossible": N_("Game {game}: nobody can stand at {points} by these rules"),
    "no-such-game": N_("There is no game {game} in this match"),
    "level-in-knockout": N_("In a knock-out somebody must win: table {table} is level"),
    "walkover-by-director": N_("Only the director can decide a match without games"),
    "no-such-pair": N_("There is no pair {pair}"),
    "no-such-round": N_("Round {round} has not been drawn"),
    "no-such-table": N_("Round {round} has no table {table}"),
    "full": N_("A tournament has at most {most} pairs"),
    "name-taken": N_("{name} is already on the list"),
    "looks-taken": LOOKS_TAKEN,
    "tournament-full": N_(
        "This tournament has {most} entries and takes no more: open a new one for what is to come"
    ),
    "tournament-changed-often": N_(
        "This tournament was drawn and changed so often that it takes no more (at most {most} "
        "steps): open a new one for what is to come"
    ),
    "waiting-full": N_("{most} wait already: the director answers them first"),
    "said-often": N_(
        "Table {table} has had too many entries: only the director can enter its result now"
    ),
    "too-late-to-enter": N_("With this format nobody can enter once the first round is drawn"),
    "nobody-single": N_("These players are not waiting for a partner"),
    "too-few-singles": N_("Drawing partners takes two players who are waiting"),
    "withdrawn-already": N_("{name} has already withdrawn"),
    "games-count": N_("The games of a pair that leaves count here: not all pairs meet each other"),
    "not-withdrawn": N_("{name} has not withdrawn"),
    "drawn-already": N_("Round {round} has already been drawn"),
    "draft-open": N_("Round {round} is a draft: release it first"),
    "no-draft": N_("Round {round} is no draft"),
    "drawn-twice": N_("Pair {pair} would play twice in one round"),
    "results-missing": N_("Results are missing. Still open: table {tables}"),
    "not-the-newest": N_("Only the newest draw can be taken back"),
    "results-in": N_("Round {round} already has results, so its draw stays"),
    "locked": N_("The result of table {table} is locked"),
    "reason-missing": N_("Table {table} has a result: say why it is changed"),
    "settled": N_("The result of table {table} stands; only the director can change it"),
    "nothing-to-confirm": N_("At table {table} there is no single result to confirm"),
    "another-result": N_("The result of table {table} has been entered anew: look at it again"),
    "lots-fixed": N_("The lots of {name} have been drawn, so their number cannot change"),
    "built-upon": N_(
        "Round {round} was drawn from this result: it is taken back with it, or the winner stays"
    ),
    "correction-stays": N_(
        "Something has been drawn, entered or agreed since that correction, so it stays"
    ),
    "own-result": N_("The other pair confirms the result of table {table}"),
    "too-few-pairs": N_("A draw needs at least two pairs"),
    "all-played": N_("All matches have been played"),
    "too-few-players": N_("A draw needs at least four players"),
    "no-retour": N_(
        "Game {game}: a Retourschneider is won against a side close to the target, not against "
        "{points}"
    ),
    "finals-open": N_("A final needs its winners. Still open: table {tables}"),
    "finals-drawn": N_("The finals are drawn: only the director enters the result of {table} now"),
    "points-do-not-count": N_(
        "The standings of this tournament count no points, so none can be added or taken"
    ),
    "same-pair": N_("{name}: choose another pair"),
    "extra-without-reason": N_("{name}: say why points are added or taken"),
    "finals-by-it": N_("The finals are drawn: take that draw back before this is changed"),
    "drawn-by-it": N_("Rounds have been drawn by this setting, so it cannot be changed"),
    "rounds-drawn": Counted(
        "{drawn} round is drawn, so there is at least one",
        "{drawn} rounds are drawn, so there are at least as many",
        "drawn",
    ),
    "not-waiting": N_("This is no longer on the waiting list"),
    "has-played": N_("{name} has already been drawn: let the pair withdraw instead"),
    "played-already": N_("Table {table} already has a result"),
    "nothing-to-swap": N_("These two cannot change places"),
    "swapped-with-itself": N_("Number {pair} cannot change places with itself"),
    "not-in-this-round": N_("There is no number {pair} in this round"),
    "both-have-a-bye": N_("Both have a bye: there is nothing to swap"),
    "no-decider": N_("No deciding game between these two is noted"),
    "qualifies-otherwise": N_(
        "With this result others would have reached the finals: {gone} out, {come} in. Decide "
        "whether the finals stay as they are"
    ),
    "only-the-director": N_("Only the director can do this: ask at the desk"),
    "other-tables": N_("Table {table} is not one of yours ({first} to {last})"),
    "helpers-full": N_("At most {most} helpers have a link: close one first"),
    "changed-meanwhile": N_("Table {table} has been changed in the meantime: check it again"),
    "drawn-meanwhile": N_("Round {round} has been drawn in the meantime"),
    "too-many-by-phone": N_("This phone has signed up {most} times: ask at the desk"),
    "not-level": N_("Only pairs that are level play a deciding game"),
    "in-doubt": N_("Game {game}: {points} is far above the target. Is that right?"),
    "unfinished-in-doubt": N_("Game {game}: did the clock end it at {points}?"),
    "loser-in-doubt": N_(
        "Game {game}: {points} is only possible with a penalty the table agreed on. Is that right?"
    ),
}

NOTES: Final[Mapping[str, str]] = {
    "rematch": N_("These two have met before: without a rematch the round could not be drawn"),
    "same-club": N_("Both are of one club: the round could not be drawn with all clubs apart"),
    "apart": N_("These two should not meet: without it the round could not be drawn"),
    "own-lots": N_("Two lots of one pair: one of them advances without play"),
    "second-bye": N_("This pair has its second bye: every pair has had one"),
    "third": N_("For the third place"),
}
