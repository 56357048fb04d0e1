"""The state as the contract shows it: the same object from `replay` and from the API."""

from __future__ import annotations

from typing import Any

from scorer.engine.scoring.legality import Illegal
from scorer.engine.scoring.state import State
from scorer.engine.scoring.tally import by_position, legal
from scorer.engine.telling.explain import refusal_text, region_words


def result(state: State, refusal: Illegal | None = None) -> dict[str, Any]:
    """`state` as JSON, with the refusal that kept it from going further, if any.

    >>> from scorer.engine import load, start
    >>> shown = result(start(load("trentino"), points=(13, 9)))
    >>> shown["stake"], shown["near"], shown["decision"]
    (4, [True, False], None)
    """
    opened, decision = state.open_raise, state.decision
    return {
        "ok": refusal is None,
        "points": list(state.points),
        "near": list(state.near),
        "winner": state.winner,
        "bummerl": list(state.bummerl),
        "stake": state.stake,
        "open_raise": None if opened is None else {"side": opened.side, "to": opened.to},
        "decision": None
        if decision is None
        else {"side": decision.side, "stay": decision.stay, "go": decision.go},
        "legal": [offer.copy() for offer in _offers(state)],
        "round": state.round,
        "game": state.game,
        "games": [game.to_json() for game in state.games],
        "dealer": None if state.dealer is None else state.seats[state.dealer][1],
        "sits_out": state.sits_out,
        "because": [reason.to_json() for reason in state.because],
        "error": None if refusal is None else error(state, refusal),
    }


@by_position
def _offers(state: State) -> tuple[dict[str, Any], ...]:
    return tuple(event.to_json() for event in legal(state))


def error(state: State, refusal: Illegal) -> dict[str, Any]:
    """A refusal as JSON: code, rule and words, with the index of the event where known."""
    shown: dict[str, Any] = {
        "code": refusal.code,
        "rule": refusal.rule,
        "message": refusal_text(refusal, state.sides, region_words(state.rules.id)),
    }
    return shown if refusal.event is None else {"event": refusal.event, **shown}
