"""The house rules that a reason or a refusal rests on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.cards import WELI
from scorer.engine.rules.loading import load
from scorer.engine.rules.ruleset import PENALTY_FIELDS, RuleSet, plain
from scorer.engine.rules.validators import Value
from scorer.engine.scoring.state import Reason

_NEAR: Final = ("near", "target")
_FOUR: Final = ("four_value", "four_lead", "four_if_opponent_below")
_FOLD: Final = ("fold_value", "fold_counts_refused")
_DUTY: Final = ("follow_lead", "follow_answer", "critical_demands")
_FREE: Final = ("follow_lead", "follow_first_only", "critical_demands")

SWITCHES_BEHIND: Final[Mapping[str, tuple[str, ...]]] = {
    "base": ("base",),
    "raised": ("step",),
    "stayed": ("step",),
    "plays": ("decline",),
    "fold-agreed": _FOLD,
    "fold-fixed": _FOLD,
    "declined": ("decline", "decline_value"),
    "gespannt": ("gespannt", *_FOLD),
    "round-won": ("base",),
    "round-raised": ("step",),
    "overtricks": ("overtrick", "tricks_to_end"),
    "capped": ("cap_at_target", "target"),
    "struck": ("strike",),
    "near": _NEAR,
    "near-value": ("near_value", *_NEAR),
    "four": (*_FOUR, *_NEAR),
    "retour-chance": ("retour", *_NEAR),
    "game-won": ("target",),
    "schneider": ("schneider",),
    "retourschneider": ("retour",),
    "verleugnet": ("revoke", "revoke_bummerl"),
    "revoked": ("revoke", "revoke_counts_schneider"),
    "schoenere-yes": ("schoenere",),
    "schoenere-no": ("schoenere",),
    "schoenere-all": ("schoenere_all_at",),
    "schlagtausch-yes": ("schlagtausch",),
    "schlagtausch-no": ("schlagtausch",),
    "game-over": ("target",),
    "game-running": ("target",),
    "at-target": ("target",),
    "decision-open": ("decline", "decline_value", *_NEAR),
    "locked-near": ("near_lock", *_NEAR),
    "locked-both": ("near_lock", *_NEAR),
    "locked-four": ("raise_after_four", *_FOUR),
    "twice-in-a-row": ("alternate",),
    "max-stake": ("max_stake",),
    "wrong-step": ("step",),
    "cannot-see": ("near_lock", *_NEAR),
    "nothing-to-answer": ("decline",),
    "not-locked": ("near_lock", "near"),
    "no-gespannt": ("gespannt",),
    "no-strike": ("strike",),
    "strike-none-near": _NEAR,
    "strike-near-self": ("strike_requires_not_krank",),
    "strike-limit": ("strike_limit",),
    "no-retour": ("retour",),
    "no-such-schlag": ("deck",),
    "no-schoenere": ("schoenere",),
    "no-schlagtausch": ("schlagtausch",),
    "announced-blind": ("blind_variants",),
    "card-kritischer": ("critical_cards", "critical_variants"),
    "card-guter": ("guter_variants",),
    "card-fallen": ("hauptschlag_falls",),
    "play-no-duty": _FREE,
    "play-unbound": ("blind_variants",),
    "play-lifted": ("follow_lifted",),
    "play-cannot": (*_DUTY, "follow_exempt"),
    "play-follows": _DUTY,
    "play-overtakes": ("overtake",),
    "play-overtrumps": ("follow_lead", "follow_overtrump"),
    "play-undertrumps": ("follow_overtrump",),
    "play-cannot-overtrump": ("follow_overtrump",),
    "play-spared": ("follow_exempt", "follow_partner_exempt"),
    **dict.fromkeys(
        ("raise-unlimited", "raise-leads", "raise-suit", "raise-trump"), ("last_card",)
    ),
    **dict.fromkeys(("raise-schlag", "raise-winning", "raise-wild"), ("last_card",)),
}
"""For each code of a reason or refusal, the switches it may depend on."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A changed switch, its value, and the rule ids of the replaced value."""

    switch: str
    value: Value
    replaces: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"switch": self.switch, "value": plain(self.value), "replaces": list(self.replaces)}


def house_rules(rules: RuleSet, told: Reason | Illegal) -> tuple[HouseRule, ...]:
    """The house rules on which a reason or refusal rests.

    >>> from scorer.engine import Bieten, Gehen, apply, house, load, start
    >>> state = start(house(load("bayern"), {"fold_value": "fixed:2"}))
    >>> [reason] = apply(apply(state, Bieten(0)), Gehen(1)).because
    >>> reason.rules, house_rules(state.rules, reason)[0].replaces
    ((), ('B-23', 'V1'))
    """
    names = (name for name in _behind(rules, told) if name in rules.agreed)
    return tuple(
        HouseRule(name, getattr(rules, name), _replaced(rules, name))
        for name in dict.fromkeys(names)
    )


def _replaced(rules: RuleSet, name: str) -> tuple[str, ...]:
    """The rule ids of the region's value, without those that allow other values."""
    allow = rules.cite(name)
    return tuple(rule for rule in load(rules.id).cite(name) if rule not in allow)


def _behind(rules: RuleSet, told: Reason | Illegal) -> Iterator[str]:
    # Without raises, the value of a round rests on its opening.
    yield from SWITCHES_BEHIND.get(str(told.values.get("opening", told.code)), ())
    if "field" in told.values:
        yield str(told.values["field"])
    if told.code in ("penalty", "no-such-offence", "points-fixed"):
        field = PENALTY_FIELDS[str(told.values["offence"])]
        yield field
        if field == "peek":
            yield "peek_penalty_variants"
    if told.code == "einfach":
        # A plain loss rests on a disabled Schneider or Retourschneider.
        yield from (name for name in ("schneider", "retour") if not getattr(rules, name))
    if told.values.get("card") == WELI and told.code.startswith("card-"):
        yield "weli_schlag" if told.code == "card-rechter" else "weli"


def error_rule(rules: RuleSet, refusal: Illegal) -> str:
    """The id of the refusing rule; for a house rule the first it replaces; empty if none."""
    replaced = (rule for own in house_rules(rules, refusal) for rule in own.replaces)
    return refusal.rule or next(replaced, "")


def with_house(text: str, rules: RuleSet, told: Reason | Illegal) -> str:
    """A sentence with the house rules it rests on appended.

    >>> from scorer.engine import Bieten, house, load, start
    >>> from scorer.engine.aggregate import Illegal
    >>> rules = house(load("frankreich"), {"alternate": True})
    >>> with_house("Not twice", rules, Illegal("twice-in-a-row"))
    'Not twice (house rule of this table: alternate = true, instead of F-33, Y3)'
    """
    for own in house_rules(rules, told):
        value = json.dumps(plain(own.value))
        instead = f", instead of {', '.join(own.replaces)}" if own.replaces else ""
        text += f" (house rule of this table: {own.switch} = {value}{instead})"
    return text
