"""Who signed what about a match: two phones, a program, or one phone for both pairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.engine.translatable import N_
from scorer.tournament import Match, Tournament
from scorer.tournament.match import SignUp
from scorer.web.frame.translation import gettext
from scorer.web.table.seat_claim import signer
from scorer.web.table.signatures import clock, phones_clock

CONFIRMED: Final = {
    "nobody": "",
    "director": "",
    "phones": "",
    "program": N_("a program signed for a pair"),
    "own": N_("one phone spoke for both pairs"),
}
"""How a result came to count, and the words for what is worth less."""


def confirmed(tournament: Tournament, match: Match) -> str:
    """How a result came to count, as `CONFIRMED` lists it."""
    if match.result is None:
        return "nobody"
    if "director" in match.said:
        return "director"
    phones = _phones(tournament, match)
    first, second = (phones.get(who, "") for who in ("a", "b"))
    if not (first and second):
        return "program"
    return "own" if first == second else "phones"


def _phones(tournament: Tournament, match: Match) -> dict[str, str]:
    """The phone that said last what a pair says; what it said before is no part of the result."""
    said = [tournament.recorded[at] for at in match.history]
    return {str(entry.get("who")): signer(entry)[1] for entry in said}


def speaks(tournament: Tournament, match: Match, who: str) -> str:
    """The phone that said last what counts for a pair, or nothing where it is the other's too."""
    phones = _phones(tournament, match)
    own, other = (phones.get(pair, "") for pair in (who, "b" if who == "a" else "a"))
    return own if own != other else ""


def arrived(tournament: Tournament, signed: SignUp) -> str:
    """How a sign-up came, and when."""
    entry = tournament.recorded[signed.number - 1]
    way = gettext("from a phone") if signer(entry)[1] else gettext("signed by a program")
    return " · ".join(filter(None, (way, clock(entry), phones_clock(entry))))


def signature(entry: Mapping[str, Any]) -> str:
    """The phone that signed an entry for a pair, or that a program did; nothing for the desk's."""
    match signed_by(entry):
        case "desk":
            return ""
        case "phone":
            return gettext("phone %(name)s", name=signer(entry)[1][:8])
    return gettext("signed by a program")


def signed_by(entry: Mapping[str, Any]) -> str:
    """Who signed an entry about a match: "desk", or for a pair "phone" or "program"."""
    if entry.get("who") not in ("a", "b"):
        return "desk"
    return "phone" if signer(entry)[1] else "program"
