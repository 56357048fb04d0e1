"""The page of dialects and their words."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, render_template

from scorer.engine.translatable import N_
from scorer.web.frame.dialects import dialects, vocabulary
from scorer.web.frame.translation import gettext

blueprint = Blueprint("dialects", __name__)

PLACES: Final = {
    "bidding": N_("Raising and answering"),
    "slate": N_("On the slate"),
    "pad": N_("On the scorekeeper's buttons"),
    "board": N_("Around the board"),
    "menu": N_("In the menu and for sharing"),
    "start": N_("On the start page"),
    "reasons": N_("Why: reasons on slate and pad"),
    "disputes": N_("Disputes and corrections"),
}

_FORMS: Final = re.compile(r"\{\w+:([^{}]+)\}")
_FILLED_IN: Final = re.compile(r"%\(\w+\)s|\{[\w.]+\}")


def readable(sentence: str) -> str:
    """
    >>> readable("%(went)s bei %(stake)s"), readable("bietet {to}|bieten {to}")
    ('… bei …', 'bietet … / bieten …')
    >>> readable("{side} {side:hat|haben} gewonnen!")
    '… hat/haben gewonnen!'
    """
    forms = _FORMS.sub(lambda match: match[1].replace("|", "/").replace("~", "…"), sentence)
    return _FILLED_IN.sub("…", forms).replace("|", " / ")


@blueprint.get("/dialects")
def page() -> str:
    return render_template(
        "rules/pages/dialects.html",
        readable=readable,
        spoken=list(dialects().values()),
        places=[(gettext(PLACES[place]), words) for place, words in vocabulary().items()],
    )
