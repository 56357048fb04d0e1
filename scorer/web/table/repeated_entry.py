"""Asks before a second phone writes what another phone has just written: two who keep score of one
round would count it twice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any, Final

from flask import request

from scorer.book.tables import Table
from scorer.engine import Event, Illegal, Korrektur, State, apply, parse
from scorer.web.frame import device_cookies
from scorer.web.frame.access import KeyHolder
from scorer.web.frame.errors import CodedText
from scorer.web.frame.refusals import Refusal, Refused
from scorer.web.frame.translation import gettext
from scorer.web.table import pad
from scorer.web.table.seat_claim import signer
from scorer.web.table.table_view import TableView

JUST_NOW: Final = timedelta(seconds=5)


def ask_first(holder: KeyHolder, bodies: Sequence[Mapping[str, Any]], table: Table) -> None:
    """
    :param bodies: the events of a tap, to follow the last event of `table`
    :raises Refused: 409, another phone has just written the same, and the tap does not say "again"
    """
    if "again" in request.form or not table.seq:
        return
    last = table.recorded[-1]
    _, phone = signer(last)
    if phone in ("", device_cookies.device_name()) or not _is_new(last):
        return
    view = TableView(table, ours=device_cookies.reads_ours(holder))
    if text := _question(view, last, bodies):
        asked = json.dumps(bodies if len(bodies) > 1 else bodies[0])
        coded = CodedText(text, "written-elsewhere")
        token, confirm = request.form["token"], gettext("Yes, once more")
        raise Refused(Refusal(coded, 409, resend=asked, token=token, confirm=confirm))


def _is_new(entry: Mapping[str, Any]) -> bool:
    return datetime.now(UTC) - datetime.fromisoformat(entry["at"]) < JUST_NOW


def _question(view: TableView, last: Mapping[str, Any], bodies: Sequence[Mapping[str, Any]]) -> str:
    """What is asked before a tap is written after `last`; "" if it is something else."""
    before, events = parse(last), [*map(parse, bodies)]
    if isinstance(before, Korrektur) and isinstance(events[-1], Korrektur):
        if before.with_ or events[-1].with_:
            return ""
        what = pad.done(view, before.of).striptags()
        return gettext("From the other phone: %(what)s wiped off, just now. One more?", what=what)
    if events[-1] != before or not _counts(view.state, events):
        return ""
    what = pad.done(view, view.seq - 1).striptags()
    return gettext("From the other phone: %(what)s, just now. Another round?", what=what)


def _counts(state: State, events: Sequence[Event]) -> bool:
    """Whether events may be written now, and write points."""
    try:
        return reduce(apply, events, state).points != state.points
    except Illegal:
        return False
