"""The engine: the rules of Watten's tally and cards as pure functions over values.

It knows no screen, no database, no clock and no chance, and is usable alone:

>>> from scorer.engine import Gewinnt, apply, load, start
>>> apply(start(load("suedtirol"), points=(16, 13)), Gewinnt(0)).winner
0
"""

from scorer.engine.evening import Evening, Step, replay
from scorer.engine.events import (
    Absage,
    Ansage,
    Bestaetigt,
    Bieten,
    Bleiben,
    Einig,
    Event,
    Gehen,
    Geklaert,
    Gewinnt,
    Korrektur,
    NeuesSpiel,
    Preis,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Side,
    Sitzordnung,
    Strafe,
    Streichen,
    Strittig,
    Vorschlag,
    Zusage,
    parse,
)
from scorer.engine.fields import Unreadable
from scorer.engine.judge import judge
from scorer.engine.legality import Illegal, check, is_legal, legal
from scorer.engine.proposals import Proposal
from scorer.engine.ranking import Contract, Verdict
from scorer.engine.record import Head, read_head
from scorer.engine.result import result
from scorer.engine.rules import REGIONS, BadRules, RuleSet, house, load, rulebook
from scorer.engine.state import Decision, Game, Raise, Reason, State
from scorer.engine.tally import apply, start

__all__ = [
    "REGIONS",
    "Absage",
    "Ansage",
    "BadRules",
    "Bestaetigt",
    "Bieten",
    "Bleiben",
    "Contract",
    "Decision",
    "Einig",
    "Evening",
    "Event",
    "Game",
    "Gehen",
    "Geklaert",
    "Gewinnt",
    "Head",
    "Illegal",
    "Korrektur",
    "NeuesSpiel",
    "Preis",
    "Proposal",
    "Raise",
    "Reason",
    "RuleSet",
    "Schlagtausch",
    "Schoenere",
    "SetztAus",
    "Side",
    "Sitzordnung",
    "State",
    "Step",
    "Strafe",
    "Streichen",
    "Strittig",
    "Unreadable",
    "Verdict",
    "Vorschlag",
    "Zusage",
    "apply",
    "check",
    "house",
    "is_legal",
    "judge",
    "legal",
    "load",
    "parse",
    "read_head",
    "replay",
    "result",
    "rulebook",
    "start",
]
