"""Who speaks for the other side: the first phone that opened its link, until another takes over.

A phone that writes the table is asked first: whoever only tries the link takes it from nobody.

The link alone would let the writer answer himself. So the first phone to open it is recorded, and
so is every phone that takes it over; whoever looks at the evening sees both. A program has no
phone: it speaks by the key alone, and its signature says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.tables import Table
from scorer.engine import Uebernahme
from scorer.store import Stale
from scorer.store.keys import digest
from scorer.web.frame import device_cookies
from scorer.web.frame.access import Guest, authorise, tables
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import Refusal, Refused, form_route
from scorer.web.frame.translation import gettext

blueprint = Blueprint("seat_claim", __name__, url_prefix="/b/<key>")


@dataclass(frozen=True, slots=True)
class Hold:
    """One phone that took the other side's link."""

    phone: str
    entry: dict[str, Any]
    again: bool
    """Another phone, or an older link, spoke for that side before."""


def link_of(key: str) -> str:
    """How the record tells one link of the other side from the next; opens nothing."""
    return digest(key)[:16]


def signer(entry: Any) -> tuple[str, str]:
    """The role and the phone that signed an entry, as far as they are known."""
    role, _, phone_name = str(entry.get("by", "")).partition(" ")
    return role, phone_name


def newest(table: Table) -> Hold | None:
    """The last phone that took the other side's link, whichever link that was."""
    taken = [entry for entry in table.evening.recorded if entry.get("do") == Uebernahme.do]
    return Hold(signer(taken[-1])[1], dict(taken[-1]), len(taken) > 1) if taken else None


def held(table: Table, opponent_key: str | None) -> Hold | None:
    """The phone that speaks with this link, if any does yet."""
    found = newest(table)
    if found is None or opponent_key is None or found.entry["link"] != link_of(opponent_key):
        return None
    return found


def speak(holder: Guest, take_over: bool = False) -> bool:
    """Let this phone speak with the other side's link; False where another phone does.

    :param take_over: take it from that phone
    :raises Illegal: a full table has noted this too often
    """
    me = device_cookies.name()
    if holder.role != "opponent" or not me:
        return True
    while True:
        table = tables().reading(holder.stream)
        found = held(table, holder.key)
        if found is not None and found.phone == me:
            return True
        if found is not None and not take_over:
            return False
        body = {"do": Uebernahme.do, "link": link_of(holder.key)}
        name, by = f"hold:{me}:{table.seq}", device_cookies.signature(holder.role)
        try:
            tables().record(holder.stream, body, key=name, by=by, expected=table.seq)
        except Stale:
            # Something was written meanwhile, perhaps by another phone that took it.
            continue
        return True


def writes(holder: Guest) -> str | None:
    """The key with which the asker's phone writes the table it holds the other side's link of."""
    if holder.role != "opponent":
        return None
    return device_cookies.key_of(holder.stream, "scorer")


def past(table: Table, seen: int) -> int:
    """How many events a page knows that was drawn at `seen`: who took the link since is no news.

    Whoever opens it takes it, so without this the first tap after that would come too late.
    """
    recorded = table.evening.recorded
    while seen < len(recorded) and recorded[seen].get("do") == Uebernahme.do:
        seen += 1
    return seen


def took(holder: Guest, body: Any) -> bool:
    """Whether a phone says that it took this link while it had no network."""
    own = {"do": Uebernahme.do, "link": link_of(holder.key)}
    return holder.role == "opponent" and bool(device_cookies.name()) and body == own


def claim(holder: Guest) -> None:
    """Speak from this phone.

    :raises Refused: another one speaks for the side; on the board this one can take over
    """
    if not speak(holder):
        text = gettext("This was not recorded: another phone speaks for this side.")
        raise Refused(Refusal(CodedText(text, "held-elsewhere"), 403))


@form_route(blueprint, "/hold", WRITE)
def hold(key: str) -> AnyResponse | str:
    """Speak for the other side from this phone on."""
    holder = authorise(key, "opponent")
    speak(holder, take_over="take" in request.form)
    if not wants_fragment():
        return redirect(url_for("board.page", key=key), 303)
    found = held(tables().reading(holder.stream), holder.key)
    return render_template("table/board/_held.html", own=key, held=found, me=device_cookies.name())
