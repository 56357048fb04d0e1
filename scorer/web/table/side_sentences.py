"""Sentences about a side; `engine/telling/side_grammar.py` puts its name and verb in."""

from __future__ import annotations

from typing import Final

from scorer.engine.translatable import N_

SENTENCES: Final = {
    "bieten": N_("{side} {side.raises}"),
    "bleiben": N_("{side} {side.stays}"),
    "gehen": N_("{side} {side.folds}"),
    "folded-at": N_("{side.folds} at {stake}"),
    "bleiben-decision": N_("{side} {side.plays} ({value})"),
    "gehen-decision": N_("{side} {side.gives}"),
    "near": N_("{side} {side:is|are} {near}"),
    "fewer": N_("{side} {side:has|have} fewer Bummerl"),
    "fewest": N_("{side} {side:has|have} the fewest Bummerl"),
    "won": N_("{side} {side:has|have} won!"),
    "won-score": N_("{side} {side:wins|win} {score}"),
    "disputed": N_("{side} {side:disputes|dispute} {round}"),
    "disputed-gone": N_("{side} {side:disputes|dispute} a round that was taken back"),
    "proposed": N_("{side} {side:proposes|propose} for {round}: {change}"),
    "settled": N_("{round}: {side:~ says|we say|~ say|they say} it is settled, {time}"),
}
