"""The state as JSON, as `replay` and the API return it."""

from __future__ import annotations

import json
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.grounds import refusing_rule
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import by_position, legal
from scorer.engine.telling.filled_sentences import refusal_text, region_words
from scorer.engine.telling.house_rule_suffix import naming_house_rules

_json: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def result(state: State, refusal: Illegal | None = None) -> dict[str, Any]:
    """The state as JSON, with the refusal that ended a replay, if any.

    >>> from scorer.engine import rules_of, start
    >>> shown = result(start(rules_of("trentino"), points=(13, 9)))
    >>> shown["stake"], shown["near"], shown["decision"]
    (4, [True, False], None)
    """
    return {**_state_fields(state, refusal), "legal": [event.copy() for event in _offers(state)]}


def result_text(state: State) -> str:
    """`result` as JSON text; the legal events are cached by position.

    >>> import json
    >>> from scorer.engine import rules_of, start
    >>> state = start(rules_of("trentino"), points=(13, 9))
    >>> json.loads(result_text(state)) == result(state)
    True
    """
    return f'{_json.encode(_state_fields(state))[:-1]},"legal":{_offers_text(state)}}}'


def _state_fields(state: State, refusal: Illegal | None = None) -> dict[str, Any]:
    open_raise, decision = state.open_raise, state.decision
    return {
        "ok": refusal is None,
        "points": list(state.points),
        "near": list(state.near),
        "winner": state.winner,
        "bummerl": list(state.bummerl),
        "stake": state.stake,
        "open_raise": None
        if open_raise is None
        else {"side": open_raise.side, "to": open_raise.to},
        "decision": None
        if decision is None
        else {"side": decision.side, "stay": decision.play_value, "go": decision.give_away_value},
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


@by_position
def _offers_text(state: State) -> str:
    return _json.encode(_offers(state))


def error(state: State, refusal: Illegal) -> dict[str, Any]:
    """A refusal as JSON: code, rule, text and, if known, the index of the event."""
    fields: dict[str, Any] = {
        "code": refusal.code,
        "rule": refusing_rule(refusal),
        "message": naming_house_rules(
            refusal_text(refusal, state.sides, region_words(state.rules.id)), refusal
        ),
    }
    if refusal.house_rules:
        fields["house"] = [house_rule.to_json() for house_rule in refusal.house_rules]
    return fields if refusal.event is None else {"event": refusal.event, **fields}
