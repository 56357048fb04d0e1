"""The engine: the rules of Watten, its scoring and its cards, as pure functions over values.

It uses no network, database, clock or random numbers, and nothing else of this project:

>>> from scorer.engine import Gewinnt, apply, rules_of, start
>>> apply(start(rules_of("suedtirol"), points=(16, 13)), Gewinnt(0)).winner
0
"""

from scorer.engine.aggregate import Illegal
from scorer.engine.input.field_readers import Unreadable
from scorer.engine.play.card_questions import judge
from scorer.engine.play.trick_rules import Contract, Verdict
from scorer.engine.rules.grounds import Reason
from scorer.engine.rules.loading import REGIONS, BadRules, rulebook, rules_of, with_switches
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.evening import Evening, Step, replay
from scorer.engine.scoring.event_types.before_bidding import (
    Ansage,
    NeuesSpiel,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
)
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.corrections import Absage, Korrektur, Vorschlag, Zusage
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.event_types.penalties import Strafe
from scorer.engine.scoring.event_types.round_end import Gespannt, Gewinnt, Streichen
from scorer.engine.scoring.event_types.statements import (
    Bestaetigt,
    Einig,
    Geklaert,
    Loeschung,
    Preis,
    Strittig,
    Uebernahme,
)
from scorer.engine.scoring.events import parse
from scorer.engine.scoring.proposals import Proposal
from scorer.engine.scoring.record import Head, read_head
from scorer.engine.scoring.state import Decision, Game, Price, Raise, Side, State
from scorer.engine.scoring.transitions import apply, check, is_legal, legal, position, start
from scorer.engine.telling.state_json import result, result_text

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
    "Gespannt",
    "Gewinnt",
    "Head",
    "Illegal",
    "Korrektur",
    "Loeschung",
    "NeuesSpiel",
    "Preis",
    "Price",
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
    "Uebernahme",
    "Unreadable",
    "Verdict",
    "Vorschlag",
    "Zusage",
    "apply",
    "check",
    "is_legal",
    "judge",
    "legal",
    "parse",
    "position",
    "read_head",
    "replay",
    "result",
    "result_text",
    "rulebook",
    "rules_of",
    "start",
    "with_switches",
]
