"""The device that speaks for the other side: the first with its link, until another claims it.

The writer also has the other side's link and could answer for that side. So each claim is
recorded for all to see, and a device that also writes the table must confirm its claim. A program
needs only the key, and its signature marks it as a program.
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
from scorer.store.roles import OPPONENT, WRITER
from scorer.web.frame import device_identity, remembered_keys
from scorer.web.frame.access import KeyHolder, authorise, tables
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import Refusal, Refused, form_route
from scorer.web.frame.translation import gettext

blueprint = Blueprint("seat_claim", __name__, url_prefix="/b/<key>")


@dataclass(frozen=True, slots=True)
class SeatClaim:
    device: str
    entry: dict[str, Any]
    is_takeover: bool
    """Whether another device or link had the seat before."""


def link_id(key: str) -> str:
    """Id of the other side's link in the record; reveals no key."""
    return digest(key)[:16]


def newest_claim(table: Table) -> SeatClaim | None:
    claims = [entry for entry in table.evening.recorded if entry.get("do") == Uebernahme.do]
    if not claims:
        return None
    return SeatClaim(author_of(claims[-1]).device, dict(claims[-1]), len(claims) > 1)


def claim_with(table: Table, opponent_key: str | None) -> SeatClaim | None:
    """The device that speaks for the side with this link, or None."""
    claim = newest_claim(table)
    if claim is None or opponent_key is None or claim.entry["link"] != link_id(opponent_key):
        return None
    return claim


def another_device_speaks(holder: KeyHolder, table: Table) -> bool:
    """Whether another device than this one speaks for the side of this link."""
    claim = claim_with(table, holder.key) if holder.role == OPPONENT else None
    return claim is not None and claim.device != device_identity.device_name(holder.stream)


def claim_seat(holder: KeyHolder, take_over: bool = False) -> bool:
    """Let this device speak for the other side; False if another one does.

    Holders of other links and devices without a name need no claim: True.

    :param take_over: replace that device
    :raises Illegal: too many claims are recorded
    """
    own_name = device_identity.device_name(holder.stream)
    if holder.role != OPPONENT or not own_name:
        return True
    while True:
        table = tables().current(holder.stream)
        claim = claim_with(table, holder.key)
        if claim is not None and claim.device == own_name:
            return True
        if claim is not None and not take_over:
            return False
        body = {"do": Uebernahme.do, "link": link_id(holder.key)}
        idempotency_key = f"hold:{own_name}:{table.seq}"
        by = device_identity.author_of_request(holder.role, holder.stream)
        try:
            tables().record(
                holder.stream, body, idempotency_key=idempotency_key, by=by, expected=table.seq
            )
        except Stale:
            # A concurrent event, perhaps another device's claim.
            continue
        return True


def writer_key(holder: KeyHolder) -> str | None:
    """Key with which this device also writes the other side's table, or None."""
    if holder.role != OPPONENT:
        return None
    return remembered_keys.key_of(holder.stream, WRITER)


def skip_claims(table: Table, length: int) -> int:
    """`length` plus the number of claims that directly follow. Opening the link records a claim,
    and a claim must not make the next tap stale."""
    recorded = table.evening.recorded
    while length < len(recorded) and recorded[length].get("do") == Uebernahme.do:
        length += 1
    return length


def newest_index_without_claims(table: Table) -> int:
    """The index of the newest entry that is no claim; -1 without one."""
    indices = range(len(table.recorded) - 1, -1, -1)
    return next((index for index in indices if table.recorded[index]["do"] != Uebernahme.do), -1)


def is_own_claim(holder: KeyHolder, body: Any) -> bool:
    """Whether `body` is a claim that this device recorded offline."""
    expected = {"do": Uebernahme.do, "link": link_id(holder.key)}
    return holder.role == OPPONENT and bool(device_identity.device_seed()) and body == expected


def claim_seat_or_refuse(holder: KeyHolder) -> None:
    """Claim the seat for this device, if no other device has it.

    :raises Refused: another device speaks for the side
    """
    if not claim_seat(holder):
        text = gettext("This was not recorded: another phone speaks for this side.")
        raise Refused(Refusal(CodedText(text, "held-elsewhere"), 403))


@form_route(blueprint, "/hold", WRITE)
def claim_by_form(key: str) -> AnyResponse | str:
    holder = authorise(key, OPPONENT)
    claim_seat(holder, take_over="take" in request.form)
    if not wants_fragment():
        if place := request.form.get("round", ""):
            return redirect(url_for("round_page.page", key=key, place=place), 303)
        return redirect(url_for("board.page", key=key), 303)
    table = tables().current(holder.stream)
    return render_template(
        "table/board/_seat_claim.html",
        opponent_key=key,
        claim=claim_with(table, holder.key),
        device_name=device_identity.device_name(holder.stream),
        answers=table.evening.head.answers,
    )
