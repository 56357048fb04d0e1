"""Blind Watten: what others may see of Schlag and trump during a blind round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.before_bidding import Ansage
from scorer.engine.scoring.event_types.corrections import Vorschlag, Zusage
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.events import parse


def reveals_blind_trump(evening: Evening, event: Event) -> bool:
    """Whether `event` would reveal Schlag or trump of a running blind round.

    >>> from scorer.engine import Ansage, read_head
    >>> for rules in ("suedtirol", "bayern"):
    ...     evening = Evening(read_head({"watten": 1, "rules": rules}))
    ...     print(reveals_blind_trump(evening, Ansage("8", "H")))
    True
    False

    :raises Illegal: a correction that would announce something is itself impossible
    """
    if not evening.state.rules.blind:
        return False
    if isinstance(event, Zusage) and (proposal := evening.proposals.get(event.of)) is not None:
        event = proposal.correction
    elif isinstance(event, Vorschlag):
        event = event.correction
    if not _announces(event):
        return False
    trial = evening.copy()
    # Consent is another question.
    trial.head = replace(evening.head, cut=False)
    trial.push(event.to_json())
    return any(step.recorded_index == len(evening.recorded) for step in _concealed_steps(trial))


def visible_events(evening: Evening) -> Sequence[Mapping[str, Any]]:
    """The recorded events that viewers may see: all before the first that reveals Schlag or trump
    of a running blind round. Only records of earlier releases contain such events.
    """
    state = evening.state
    if not state.rules.blind or state.winner is not None:
        return evening.recorded
    concealed = {step.recorded_index for step in _concealed_steps(evening)}
    earlier_indices = (
        step.original_index
        for step in evening.played_backwards
        if step.before.round_id != state.round_id
    )
    last_earlier_index = next(earlier_indices, -1)
    for index, data in enumerate(evening.recorded):
        is_of_this_round = max(evening.referred_indices(index)) > last_earlier_index
        if index in concealed or (is_of_this_round and _announces(parse(data))):
            return evening.recorded[:index]
    return evening.recorded


def _concealed_steps(evening: Evening) -> Iterator[Step]:
    state = evening.state
    if not state.rules.blind or state.winner is not None:
        return
    for step in evening.played_backwards:
        if step.before.round_id != state.round_id:
            return
        if isinstance(step.event, Ansage):
            yield step


def _announces(event: Event) -> bool:
    """Whether an event, or a replacement in a correction, reveals Schlag or trump."""
    return any(isinstance(announced, Ansage) for announced in (event, *getattr(event, "with_", ())))
