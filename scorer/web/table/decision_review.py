"""The decisions of an evening as text and percentages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask_babel import format_decimal

from scorer.engine.equity.raise_values import Threshold
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.telling.lookback import (
    Action,
    AnsweredRaise,
    DecisionTaken,
    LookBack,
    VoluntaryMove,
)
from scorer.engine.translatable import N_
from scorer.web.frame.language import percent
from scorer.web.frame.translation import gettext
from scorer.web.rules.equity import threshold_text
from scorer.web.table.event_texts import SIDE_SENTENCES
from scorer.web.table.side_sentences import SENTENCES
from scorer.web.table.table_view import TableView

RAISED_AGAIN: Final = N_("{side} {side:raises|raise} again")
PLAYS_ROUND: Final = N_("{side} {side.plays}")


FOLD_COST: Final = N_(
    "Game {game}, round {round}: {side} {side.folds}. In this round {side:its|our|their} chance to "
    "win fell from {before} to {after} percent."
)
GIVING_COST: Final = N_(
    "Game {game}, round {round}: {side} {side.gives}. In this round {side:its|our|their} chance to "
    "win fell from {before} to {after} percent."
)
TURNING_POINT: Final = N_(
    "Game {game}, round {round} turned it: the chance to win rose from {before} to {after} "
    "percent for {side:~|us|~|them}."
)


def headline(view: TableView, review: LookBack) -> str:
    """The evening in one sentence: the dearest fold, else the sharpest turn; "" without either."""
    if fold := review.dearest_fold:
        sentence = GIVING_COST if fold.is_before_play else FOLD_COST
        chances = {
            "before": round(100 * fold.chance_before),
            "after": round(100 * fold.chance_after),
        }
        return view.say(sentence, fold.side, game=fold.game, round=fold.round, **chances)
    turn = max(review.turning_points, key=lambda point: abs(point.change), default=None)
    if turn is None:
        return ""
    side = int(turn.change < 0)
    wins = [round(100 * abs(side - win)) for win in (turn.win - turn.change, turn.win)]
    return view.say(
        TURNING_POINT, side, game=turn.game, round=turn.round, before=wins[0], after=wins[1]
    )


_WIDE_RANGE: Final = 0.2
"""The range of a threshold above which it is no help."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision."""

    whose: str
    """The name of the deciding side, whose chances these are."""
    game: int
    round: int
    place: EventPlace
    points: tuple[int, ...]
    raise_text: str
    answer: str
    chances: tuple[str, ...]
    """Sentences about what each choice was worth."""


def decisions(view: TableView, review: LookBack) -> list[Decision]:
    rows = [
        *(_answered_raise(view, answered) for answered in review.answered_raises),
        *(_decision_taken(view, taken) for taken in review.decisions),
        *(_voluntary_move(view, move) for move in review.moves),
    ]
    return sorted(rows, key=lambda row: row.place)


def _decision(whose: str, turn: Action, raise_text: str, answer: str, *chances: str) -> Decision:
    place = (turn.game, turn.round, turn.place, turn.points)
    return Decision(whose, *place, raise_text, answer, tuple(filter(None, chances)))


def _share(win: float, side: int) -> str:
    return percent(win if side == 0 else 1 - win)


def _answer_text(view: TableView, text: str, side: int, won: bool | None) -> str:
    """An answer, and the side that took the round, if one did."""
    if won is None:
        return text
    winner = side if won else 1 - side
    return f"{text} · {view.say(SIDE_SENTENCES['gewinnt'], winner)}"


def _chances(go: str, go_win: float, stay: str, stay_win: float | None, side: int) -> str:
    folded = _share(go_win, side)
    if stay_win is None:
        return gettext("After “%(go)s” the game is won in %(share)s of cases.", go=go, share=folded)
    return gettext(
        "After “%(go)s” the game is won in %(folded)s of cases, after “%(stay)s” with unknown "
        "cards in %(stayed)s.",
        go=go,
        folded=folded,
        stay=stay,
        stayed=_share(stay_win, side),
    )


def _right_from(action: str, threshold: Threshold | None) -> str:
    """For which chances to win the round an action is right; "" if the range says nothing."""
    if threshold is None:
        return gettext("“%(action)s” is right with no cards.", action=action)
    if (share := threshold_text(threshold)) == "0":
        return gettext("“%(action)s” is right with any cards.", action=action)
    if abs(threshold.live - threshold.dead) > _WIDE_RANGE:
        return ""
    return gettext(
        "“%(action)s” is right for whoever wins at least %(share)s of such rounds.",
        action=action,
        share=percent(share),
    )


def _answered_raise(view: TableView, answered: AnsweredRaise) -> Decision:
    raised, side = answered.values, 1 - answered.side
    answer = RAISED_AGAIN if answered.answer == "bieten" else SENTENCES[answered.answer]
    go, stay, bid = view.words["go"], view.words["stay"], view.words["bid"].format(to=answered.to)
    chances = _chances(go, raised.if_folding, stay, raised.if_staying, side)
    to_raise = _right_from(bid, raised.raise_from)
    raiser = gettext("For %(name)s:", name=view.name(answered.side))
    rights = [_right_from(stay, raised.stay_from), to_raise and f"{raiser} {to_raise}"]
    raise_text = view.say(SENTENCES["bieten"], answered.side, to=answered.to)
    text = _answer_text(view, view.say(answer, side), side, answered.won)
    return _decision(view.name(side), answered, raise_text, text, chances, *rights)


def _decision_taken(view: TableView, decision: DecisionTaken) -> Decision:
    choice, side = decision.values, decision.side
    answer = PLAYS_ROUND if decision.answer == "bleiben" else SENTENCES["gehen-decision"]
    play = view.words["play"]
    chances = _chances(view.words["give"], choice.if_giving_away, play, choice.if_playing, side)
    text = _answer_text(view, view.say(answer, side), side, decision.won)
    right = _right_from(play, choice.play_from)
    return _decision(view.name(side), decision, "", text, chances, right)


def _voluntary_move(view: TableView, move: VoluntaryMove) -> Decision:
    if move.do == "streichen":
        text = view.say(SIDE_SENTENCES["streichen"], move.side)
    else:
        text = view.say(SIDE_SENTENCES["strafe"], move.side, offence=move.do)
    before, after = (_share(win, move.side) for win in move.win)
    chances = [
        gettext(
            "The chance to win the game went from %(before)s to %(after)s.",
            before=before,
            after=after,
        )
    ]
    if move.bummerl is not None:
        sign = 1 if move.side == 0 else -1
        before, after = (format_decimal(sign * marks, "+0.00;−0.00") for marks in move.bummerl)
        chances.append(
            gettext(
                "The expected lead in Bummerl went from %(before)s to %(after)s.",
                before=before,
                after=after,
            )
        )
    return _decision(view.name(move.side), move, "", text, *chances)
