"""Hypothesis strategies: rule sets with changed switches, events (legal or not), evenings."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from scorer.engine import (
    REGIONS,
    Absage,
    BadRules,
    Bestaetigt,
    Einig,
    Evening,
    Strittig,
    Uebernahme,
    Vorschlag,
    Zusage,
    is_legal,
    legal,
    read_head,
    rulebook,
    rules_of,
    with_switches,
)
from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.rules.ruleset import OFFENCES, RuleSet
from scorer.engine.scoring.event_types.before_bidding import Sitzordnung
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.event_types.statements import PER, UNITS
from scorer.engine.scoring.events import EVENTS
from scorer.engine.scoring.state import Side


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """The rules of a region, with up to four switches set to one of their alternatives."""
    region = draw(st.sampled_from(REGIONS))
    entries = rulebook(region)["rules"]
    names = [name for name, entry in entries.items() if "or" in entry]
    picked = draw(st.lists(st.sampled_from(names), max_size=4, unique=True))
    switches = {name: draw(st.sampled_from(entries[name]["or"])) for name in picked}
    variant = draw(st.sampled_from(rules_of(region).variants))
    try:
        return with_switches(rules_of(region), switches, variant)
    except BadRules:
        return rules_of(region)


@st.composite
def heads(draw: st.DrawFn) -> dict[str, Any]:
    """A record's head with two or three sides, which may begin with points."""
    rules = draw(rule_sets())
    count = draw(st.sampled_from((2, 2, 2, 3)))
    points = draw(st.lists(st.integers(0, rules.target - 1), min_size=count, max_size=count))
    return {
        "watten": 1,
        "rules": rules.id,
        "resolved": rules.to_json(),
        "sides": [{"name": name, "players": []} for name in "ABC"[:count]],
        "start": {"points": points},
        "dealer": "A",
    }


sides = st.integers(0, 2)
_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "side": sides,
    "to": st.none() | st.integers(1, 12),
    "tricks": st.none() | st.integers(3, 5),
    "stake": st.none() | st.integers(1, 12),
    "points": st.none() | st.integers(1, 9),
    "offence": st.sampled_from(OFFENCES),
    "schlag": st.none() | st.sampled_from(SCHLAEGE),
    "trumpf": st.none() | st.sampled_from(SUITS),
    "agreed": st.booleans(),
    "game": st.integers(1, 3),
    "of": st.integers(0, 20),
    "stand": st.sampled_from(("9:4", "15:8")),
    "link": st.sampled_from(("5f2a", "77c0")),
    "sealed": st.just(()),
    "amount": st.integers(0, 200),
    "unit": st.sampled_from(UNITS),
    "per": st.sampled_from(PER),
    "dealer": st.none() | st.sampled_from(("A", "B", "C", "D", "Dora")),
}


_CORRECTING = (Korrektur, Vorschlag, Zusage, Absage)


@st.composite
def any_event(draw: st.DrawFn) -> Event:
    """Any event, legal or not, except corrections, proposals and the answers to these."""
    kind = draw(st.sampled_from([k for k in EVENTS.values() if k not in _CORRECTING]))
    if kind is Sitzordnung:
        named = draw(st.none() | st.lists(st.sampled_from("ABC"), min_size=2, max_size=3))
        seats = None if named is None else tuple(Side(name) for name in named)
        return Sitzordnung(seats, draw(_FIELDS["dealer"]))
    return kind(**{field.name: draw(_FIELDS[field.name]) for field in fields(kind)})


STATEMENTS = (Einig(0), Strittig(1, 0), Bestaetigt(1, 1, "9:4"), Uebernahme("5f2a"))


@st.composite
def evenings(draw: st.DrawFn, most: int = 30, statements: bool = False) -> Evening:
    """An evening of legal events. With `statements` some of them are such as disputes."""
    evening = Evening(read_head(draw(heads())))
    for _ in range(draw(st.integers(0, most))):
        aside = [event for event in STATEMENTS if statements and is_legal(evening.state, event)]
        spoken = bool(aside) and draw(st.integers(0, 9)) == 0
        events = aside if spoken else legal(evening.state)
        evening.push(draw(st.sampled_from(events)).to_json())
    return evening
