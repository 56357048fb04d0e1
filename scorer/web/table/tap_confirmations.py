"""Questions about a tap before it is recorded.

The app asks before three kinds of taps:

- a penalty that loses the whole game, because one tap in the wrong row would lose the game
- striking own points, because the button cannot show the consequences
- a tap that repeats what another phone has just recorded, because two people who keep score would
  count the round twice
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any, Final, NamedTuple

from flask import request

from scorer.book.tables import Table
from scorer.engine import Event, Illegal, Korrektur, State, Strafe, Streichen, apply, parse
from scorer.engine.scoring.record import entry_time
from scorer.store.hash_chain import RECEIVED
from scorer.web.frame import device_identity, remembered_keys
from scorer.web.frame.access import KeyHolder
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import labelled
from scorer.web.frame.refusals import Refusal, Refused
from scorer.web.frame.translation import gettext
from scorer.web.table import seat_claim
from scorer.web.table.entry_summary import event_summary
from scorer.web.table.event_json import bodies_json
from scorer.web.table.table_view import TableView

REPEAT_WINDOW: Final = timedelta(seconds=5)
"""The app asks about a tap that repeats another within this time."""


class TapQuestion(NamedTuple):
    code: str
    text: str
    confirm: str
    """Text of the button that says yes."""
    rule: str = ""


def require_confirmation(
    holder: KeyHolder, bodies: Sequence[Mapping[str, Any]], table: Table
) -> None:
    """Refuse a tap with a question, unless its form says that it was confirmed.

    :param bodies: the events of the tap, to follow the last event of `table`
    :raises Refused: 409, with the question
    """
    may_need_question = bodies[-1]["do"] in (Strafe.do, Streichen.do)
    newest = seat_claim.newest_index_without_claims(table)
    may_repeat = newest >= 0 and _is_from_other_phone(table.recorded[newest], holder.stream)
    confirmed = "again" in request.form
    if confirmed or not (may_need_question or may_repeat):
        return
    view = TableView(table, says_we=remembered_keys.is_first_writer(holder))
    events = [*map(parse, bodies)]
    question = (_consequence_question(view, events) if may_need_question else None) or (
        _repetition_question(view, events, newest) if may_repeat else None
    )
    if question is not None:
        resend = bodies_json(bodies)
        text, token = CodedText(question.text, question.code), request.form["token"]
        refusal = Refusal(
            text, 409, question.rule, resend=resend, token=token, confirm=question.confirm
        )
        raise Refused(refusal)


def _consequence_question(view: TableView, events: Sequence[Event]) -> TapQuestion | None:
    """The question before a strike, or before a penalty that loses the game.

    A penalty whose points end the game needs no question, because its button shows the points.
    """
    state = _state_after(view.state, events)
    if state is None:
        return None
    reasons = view.sentences(state.because)
    rule = next((rule for _, rules in reasons for rule in rules), "")
    if isinstance(events[-1], Streichen):
        side, bummerl = events[-1].side, view.rules.retour
        text = labelled(view.name(side), gettext("Really strike all points?"))
        if bummerl and state.retour_chances[side]:
            marks = view.bummerl_text(bummerl)
            if view.state.retour_chances[side]:
                chance = gettext(
                    "A win is a Retourschneider without this, too: %(bummerl)s.", bummerl=marks
                )
            else:
                chance = gettext(
                    "A win would then be a Retourschneider: %(bummerl)s.", bummerl=marks
                )
            text = f"{text} {chance}"
        return TapQuestion("strikes-points", text, gettext("Strike the points"), rule)
    if state.winner is None or state.points != view.state.points:
        return None
    text = gettext("%(why)s. This ends the game.", why="; ".join(text for text, _ in reasons))
    return TapQuestion("ends-game", text, gettext("Write it"), rule)


def _state_after(state: State, events: Sequence[Event]) -> State | None:
    """The state after these events; None if they may not be written now."""
    try:
        return reduce(apply, events, state)
    except Illegal:
        return None


def _is_from_other_phone(entry: Mapping[str, Any], stream: str) -> bool:
    """Whether another phone has just recorded this entry, by the server's clock."""
    _, phone = author_of(entry)
    # A phone that was offline has signed with its own clock, which may be ahead.
    time = entry_time({"at": entry.get(RECEIVED) or entry.get("at")})
    if time is None or phone in ("", device_identity.device_name(stream)):
        return False
    return timedelta() <= datetime.now(UTC) - time < REPEAT_WINDOW


def _repetition_question(
    view: TableView, events: Sequence[Event], newest: int
) -> TapQuestion | None:
    """The question before a tap that repeats the newest event.

    :param newest: its index
    """
    before, event = parse(view.evening.recorded[newest]), events[-1]
    if isinstance(before, Korrektur) and isinstance(event, Korrektur):
        if before.with_ or event.with_:
            return None
        entry_text = event_summary(view, before.of).striptags()
        text = gettext("The other phone has just taken back: %(what)s. One more?", what=entry_text)
    else:
        counts = any(
            step.recorded_index == newest and step.event == event for step in view.evening.steps
        )
        if event != before or not counts:
            return None
        after = _state_after(view.state, events)
        if after is None or after.points == view.state.points:
            return None
        entry_text = event_summary(view, newest).striptags()
        text = gettext("From the other phone: %(what)s, just now. Another round?", what=entry_text)
    return TapQuestion("written-elsewhere", text, gettext("Yes, once more"))
