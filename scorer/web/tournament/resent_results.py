"""Results that are sent again after they were recorded: check that they are still valid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.store import Stored
from scorer.tournament import Match
from scorer.tournament.match import Result
from scorer.web.frame import resent_forms
from scorer.web.frame.access import store
from scorer.web.frame.entry_times import clock, offline_note
from scorer.web.frame.errors import CodedText
from scorer.web.frame.refusals import Refusal, Refused
from scorer.web.frame.translation import gettext
from scorer.web.tournament.result_signatures import desk_name, device_text
from scorer.web.tournament.tournament_view import TournamentView


def recorded_before(stream: str) -> Stored | None:
    """The event that this form recorded when it was sent before, or None."""
    return store().find_recorded(stream, resent_forms.form_idempotency_key(stream))


def require_still_valid(view: TournamentView, stored: Stored | None) -> None:
    """Check that a result recorded before is still the valid one.

    :param stored: the return value of `recorded_before`
    :raises Refused: 409, it was replaced or removed
    :raises Illegal: its table no longer exists
    """
    if stored is None or stored.event["do"] not in ("ergebnis", "bestaetigung"):
        return
    sent = result_of(stored.event)
    match = view.tournament.match(sent.round, sent.table)
    is_of_match = stored.n - 1 in match.history
    valid = (match.result or match.entered_results.get(sent.who)) if is_of_match else None
    if valid is not None and same_result(sent, valid):
        return
    names = {
        "n": view.texts.table_label(match),
        "pairs": f"{view.texts.side(match, 0)} – {view.texts.side(match, 1)}",
        "sent": view.texts.games(match, sent),
    }
    if valid is None:
        text = gettext(
            "Table %(n)s, %(pairs)s: %(sent)s was recorded, but has been taken back since. "
            "No result stands there now.",
            **names,
        )
    else:
        text = gettext(
            "Table %(n)s, %(pairs)s: %(sent)s was recorded, but %(games)s has taken its place "
            "and stands now (%(author)s).",
            **names,
            games=view.texts.games(match, valid),
            author=author(view, match, valid),
        )
    raise Refused(Refusal(CodedText(text, "superseded"), 409))


def result_of(event: Mapping[str, Any]) -> Result:
    place = event["round"], event["table"], event["who"]
    games = tuple((first, second) for first, second in event["games"])
    return Result(*place, games, tuple(event.get("retour") or ()), event.get("walkover", ""))


def same_result(one: Result, other: Result) -> bool:
    """Whether two results are equal, apart from their origin."""
    return all(getattr(one, name) == getattr(other, name) for name in _COMPARED_FIELDS)


_COMPARED_FIELDS: Final = ("games", "retour", "walkover")


def author(view: TournamentView, match: Match, result: Result) -> str:
    """Origin and time of a result, such as: Director · 14:02."""
    recorded = [view.tournament.recorded[index] for index in match.history]
    entries = [entry for entry in reversed(recorded) if entry["do"] == "ergebnis"]
    entry = next((entry for entry in entries if same_result(result_of(entry), result)), entries[0])
    who = "ab".find(entry.get("who") or "-")
    name = desk_name(entry) if who < 0 else view.texts.side(match, who)
    return " · ".join(filter(None, (name, device_text(entry), clock(entry), offline_note(entry))))
