"""Refusals of tournament events, as pages or as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Response

from scorer.engine import Illegal, Unreadable
from scorer.engine.telling.english_sentences import REFUSALS
from scorer.engine.telling.filled_sentences import refusal_text
from scorer.tournament.english_sentences import SENTENCES
from scorer.web.frame.errors import CodedText, asks_json, unreadable_text
from scorer.web.frame.refusals import Refusal, is_write_request, refusal_response
from scorer.web.frame.translation import gettext, ngettext

STATUSES: Final[Mapping[str, int]] = {
    # Another state would allow it.
    "results-missing": 409,
    "all-played": 409,
    "drawn-already": 409,
    "locked": 409,
    "settled": 409,
    "finals-open": 409,
    "finals-drawn": 409,
    "qualifies-otherwise": 409,
    # A helper's link does not allow it.
    "only-the-director": 403,
    "other-tables": 403,
    "no-such-round": 404,
    "no-such-table": 404,
}
"""HTTP statuses of refusals in JSON; the others have 422."""


def coded_text(error: Unreadable | Illegal) -> CodedText:
    """A refusal in the reader's language."""
    if isinstance(error, Illegal):
        sentences = SENTENCES if error.code in SENTENCES else REFUSALS
        text = refusal_text(error, translate=gettext, plural=ngettext, sentences=sentences)
        return CodedText(text, error.code)
    return unreadable_text(error)


def illegal_response(error: Illegal) -> Response:
    """Response to `Illegal`, as a page or as JSON."""
    if not is_write_request():
        raise error
    status = STATUSES.get(error.code, 422) if asks_json() else 422
    return refusal_response(Refusal(coded_text(error), status))
