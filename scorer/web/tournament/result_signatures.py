"""The devices that entered and confirmed a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from markupsafe import Markup

from scorer.book.helper_links import parse_helper_role
from scorer.engine.translatable import N_
from scorer.tournament import Match, Tournament
from scorer.tournament.entrants import SignUp
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.entry_times import time_of
from scorer.web.frame.translation import gettext

CONFIRMATION_REMARKS: Final = {
    "nobody": "",
    "director": "",
    "phones": "",
    "program": N_("a program signed for a pair"),
    "own": N_("one phone spoke for both pairs"),
}
"""How a result was confirmed, with a remark if it is less reliable."""


def confirmation_kind(tournament: Tournament, match: Match) -> str:
    """How a result was confirmed: a key of `CONFIRMATION_REMARKS`."""
    if match.result is None:
        return "nobody"
    if "director" in match.entered_results:
        return "director"
    phones = _phones(tournament, match)
    first, second = (phones.get(who, "") for who in ("a", "b"))
    if not (first and second):
        return "program"
    return "own" if first == second else "phones"


def _phones(tournament: Tournament, match: Match) -> dict[str, str]:
    """Name of the device that made the newest entry, by its origin (`a`, `b`, `director`)."""
    entries = [tournament.recorded[index] for index in match.history]
    return {str(entry.get("who")): author_of(entry).device for entry in entries}


def device_of_this_pair_only(tournament: Tournament, match: Match, who: str) -> str:
    """Name of the device that made a pair's newest entry; "" if it also made the other pair's."""
    phones = _phones(tournament, match)
    phone, other = (phones.get(pair, "") for pair in (who, "b" if who == "a" else "a"))
    return phone if phone != other else ""


def sign_up_origin(tournament: Tournament, signed: SignUp) -> Markup:
    """Device and time of a sign-up."""
    entry = tournament.recorded[signed.number - 1]
    origin = gettext("from a phone") if author_of(entry).device else gettext("signed by a program")
    return Markup(" · ").join(filter(None, (origin, time_of(entry))))


def desk_name(entry: Mapping[str, Any]) -> str:
    """The words for the director or a numbered helper, by the signature of an entry."""
    helper = parse_helper_role(author_of(entry).role)
    return gettext("Helper %(n)s", n=helper.number) if helper else gettext("Director")


def device_text(entry: Mapping[str, Any]) -> str:
    """The device that made an entry for a pair; "" for entries of the desk."""
    match author_kind(entry):
        case "desk":
            return ""
        case "phone":
            return gettext("phone %(name)s", name=author_of(entry).device[:8])
    return gettext("signed by a program")


def author_kind(entry: Mapping[str, Any]) -> str:
    """Kind of an entry's author: "desk", or for a pair "phone" or "program"."""
    if entry.get("who") not in ("a", "b"):
        return "desk"
    return "phone" if author_of(entry).device else "program"
