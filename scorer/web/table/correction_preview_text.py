"""The sentence that says what a correction would change."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.engine import Korrektur
from scorer.engine.scoring.state import State
from scorer.engine.telling.correction_preview import Preview
from scorer.engine.telling.rounds import PlayedRound, rounds
from scorer.engine.translatable import N_
from scorer.web.frame.language import score_text
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.table.table_view import TableView


def preview_sentence(
    view: TableView, correction: Korrektur, preview_result: Preview, reader: int | None
) -> str:
    """The effect of a correction: the game's new winner, the score, the rounds it drops, the
    Bummerl, and whether the game has to be confirmed again.

    :param reader: the side that the reader speaks for; None for a viewer. Side 0 writes, and any
        other side confirms games.
    """
    after, all_rounds = preview_result.after, rounds(view.evening)
    corrected_games = [
        one.game for one in all_rounds if one.first_index <= correction.of <= one.last_index
    ]
    game = min([*corrected_games, after.game])
    struck_indices = set(correction.also)
    # A round stays if only the decision to play it is struck.
    dropped = [one for one in all_rounds if one.steps[-1].original_index in struck_indices]
    parts = [_ending_and_score(view, after, game), *_dropped_text(dropped, game)]
    if after.bummerl != view.state.bummerl:
        old, new = (score_text(state.bummerl) for state in (view.state, after))
        parts.append(gettext("Bummerl %(new)s instead of %(old)s", new=new, old=old))
    text = ", ".join(parts)
    if game <= len(view.state.games) and game not in view.authors.unconfirmed_games:
        text += "; " + (
            gettext("you would have to confirm the game again")
            if reader
            else gettext("the other side would have to confirm the game again")
        )
    return text


def _ending_and_score(view: TableView, after: State, game: int) -> str:
    """The score of a corrected game. If the game has another winner, that comes first."""
    score = after.points if game == after.game else after.games[game - 1].points
    points = score_text(score)
    if game == view.state.game:
        sentence = gettext("It would be %(points)s", points=points)
    else:
        sentence = gettext("It would be %(points)s in game %(game)s", points=points, game=game)
    winner = _winner(after, game)
    if winner == _winner(view.state, game):
        return sentence
    ending = (
        gettext("Game %(n)s would not be over", n=game)
        if winner is None
        else view.say(N_("{side} would have won game {game}"), winner, game=game)
    )
    return f"{ending}. {sentence}"


def _dropped_text(dropped: Sequence[PlayedRound], corrected_game: int) -> list[str]:
    """Which rounds a correction drops; [] if none."""
    if len(dropped) == 1:
        number, game = dropped[0].number, dropped[0].game
        if game == corrected_game:
            return [gettext("round %(n)s is dropped", n=number)]
        return [gettext("round %(n)s of game %(game)s is dropped", n=number, game=game)]
    texts = ngettext("%(num)s round is dropped", "%(num)s rounds are dropped", len(dropped))
    return [texts] if dropped else []


def _winner(state: State, game: int) -> int | None:
    """The winner of a game; None if it is not over or has not begun."""
    if game > state.game:
        return None
    return state.winner if game == state.game else state.games[game - 1].winner
