"""The page that scores an evening under other readings of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Blueprint, Response, make_response, render_template, request

from scorer.book.notifications import yield_to_others
from scorer.engine import Game, NeuesSpiel, State
from scorer.engine.scoring.evening import Step
from scorer.engine.scoring.event_types.bids import Bleiben, Gehen
from scorer.engine.telling.rules_comparison import Reading, readings
from scorer.engine.translatable import N_
from scorer.web.frame import remembered_keys
from scorer.web.frame.access import render_cache, require_holder, tables
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import language
from scorer.web.frame.translation import gettext
from scorer.web.table.event_texts import event_text
from scorer.web.table.reading_sentences import reading_sentence
from scorer.web.table.side_sentences import SENTENCES
from scorer.web.table.table_view import TableView

blueprint = Blueprint("readings", __name__, url_prefix="/b/<key>")

MAX_READINGS: Final = 1000
"""Upper bound of `from`; no rule set has as many readings."""


@blueprint.get("/readings")
def page(key: str) -> Response:
    """The evening under other readings of the rules, a part of them per request."""
    holder = require_holder(key)
    table = tables().current(holder.stream)
    start = min(max(request.args.get("from", 0, type=int), 0), MAX_READINGS)
    template = (
        "table/corrections/_readings.html"
        if wants_fragment()
        else "table/corrections/readings.html"
    )

    def html() -> str:
        chunk, more = readings(table.evening, start)
        compared = []
        for reading in chunk:
            compared.append(reading)
            # Each replays the whole evening.
            yield_to_others()
        view = TableView(table, says_we=remembered_keys.is_first_writer(holder))
        sentence = partial(reading_sentence, own_rules=view.rules)
        return render_template(
            template,
            view=view,
            role=holder.role,
            no_further=partial(_no_further, view),
            start=start,
            more=more,
            outcomes=_other_results(view, compared),
            ended=[(sentence(reading), reading) for reading in compared if reading.refusal],
            alike=[sentence(reading) for reading in compared if not reading.differs],
        )

    # For 60 events: 330 ms, cached 1.
    return make_response(
        render_cache()((template, key, table.version_tag, start, language()), html)
    )


@dataclass(frozen=True, slots=True)
class OtherResult:
    """A result that differs from the agreed one, and the readings that lead to it."""

    consequence: str
    points: tuple[int, ...]
    """Of the first game that differs; of the running game if all games before it are equal."""
    agreed_points: tuple[int, ...]
    """Of the same game by the agreed rules."""
    bummerl: tuple[int, ...]
    readings: list[tuple[str, Reading]]


def _other_results(view: TableView, compared: Iterable[Reading]) -> list[OtherResult]:
    results: dict[tuple[object, ...], OtherResult] = {}
    for reading in compared:
        if reading.differs and not reading.refusal:
            state = reading.evening.state
            result = state.game, state.winner, state.points, state.bummerl, state.games
            other_result = results.setdefault(result, _other_result(view, state))
            other_result.readings.append((reading_sentence(reading, view.rules), reading))
    return [*results.values()]


def _other_result(view: TableView, state: State) -> OtherResult:
    agreed = view.state
    for number, (finished, other) in enumerate(zip(agreed.games, state.games, strict=False), 1):
        if number < min(agreed.game, state.game) and finished.points != other.points:
            sentence = _other_end(view, number, finished, other)
            return OtherResult(sentence, other.points, finished.points, state.bummerl, [])
    return OtherResult(_consequence(view, state), state.points, agreed.points, state.bummerl, [])


def _other_end(view: TableView, number: int, finished: Game, other: Game) -> str:
    """How a finished game would have ended with other points, as a sentence."""
    if other.winner != finished.winner:
        return view.say(N_("{side} would have won game {game}"), other.winner, game=number)
    if other.bummerl != finished.bummerl:
        return gettext("Game %(n)s would have ended differently", n=number)
    return gettext("Game %(n)s would have ended with other points", n=number)


def _consequence(view: TableView, state: State) -> str:
    """How another result differs from the agreed one, as a sentence. All games that are finished in
    both have the same points.
    """
    agreed, game = view.state, state.game
    if state.winner is not None and (game, state.winner) != (agreed.game, agreed.winner):
        return view.say(N_("{side} would have won game {game}"), state.winner, game=game)
    if game > agreed.game:
        return gettext("Game %(n)s would have begun", n=game)
    if state.winner is None and (game < agreed.game or agreed.winner is not None):
        return gettext("Game %(n)s would not be over", n=game)
    if state.points != agreed.points:
        return gettext("Game %(n)s would have another score", n=game)
    if state.bummerl != agreed.bummerl:
        return gettext("The points are the same, the Bummerl would differ")
    return gettext("The score is the same in the end; only rounds before it differ")


_NO_FURTHER: Final = {
    "game-over": N_(
        "{side} would have won the game here, so what was played afterwards cannot be counted."
    ),
    "decision-open": N_(
        "{side} would have had to choose here whether to play. The choice was not noted, so "
        "nothing after it can be counted."
    ),
}


def _no_further(view: TableView, reading: Reading) -> str:
    """Why an evening would have ended early under another reading."""
    refusal = reading.refusal
    assert refusal is not None
    side = refusal.values.get("side")
    if isinstance(side, int) and refusal.code in _NO_FURTHER:
        return view.say(_NO_FURTHER[refusal.code], side)
    step = view.evening.steps[len(reading.evening.steps)]
    if isinstance(step.event, NeuesSpiel):
        return gettext(
            "Game %(n)s would not have been over here, so what was played afterwards cannot be "
            "counted.",
            n=step.before.game,
        )
    if refusal.code in ("no-such-offence", "not-locked"):
        return gettext(
            "%(event)s costs nothing there, so the evening cannot be counted from game %(game)s, "
            "round %(round)s on.",
            event=_played_text(view, step),
            game=step.before.game,
            round=step.before.round,
        )
    return gettext(
        "This would not have been allowed in game %(game)s, round %(round)s: %(event)s",
        game=step.before.game,
        round=step.before.round,
        event=_played_text(view, step),
    )


def _played_text(view: TableView, step: Step) -> str:
    """An event; the answer to the four or to a gespannt round has its own words."""
    event = step.event
    if step.before.decision is not None:
        if isinstance(event, Gehen):
            return view.say(SENTENCES["gehen-decision"], event.side)
        if isinstance(event, Bleiben):
            return view.say(SENTENCES["bleiben-decision"], event.side, value=step.after.stake)
    return event_text(view, event)
