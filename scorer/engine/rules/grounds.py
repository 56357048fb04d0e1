"""The support of each reason and refusal: rule ids, and the house rules that replace them.

All citations come from `GROUNDS`. It cites a rule only if the rule's own text says the sentence. If
the table changed the deciding switch, the reason names that house rule instead of citing the
region's rule ids, and lists those ids as replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.input.codec import json_value
from scorer.engine.rules.ruleset import PENALTY_FIELDS, RuleSet
from scorer.engine.rules.switch_values import Value


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A changed switch, its value, and the rule ids of the replaced value."""

    switch: str
    value: Value
    replaces: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "switch": self.switch,
            "value": json_value(self.value),
            "replaces": list(self.replaces),
        }


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason of a change: code, rule ids, values for the message, and house rules.

    A `delta` among the values is a change of that `side`'s points; points change in no other way.
    """

    code: str
    rule_ids: tuple[str, ...]
    values: Mapping[str, int | str]
    house_rules: tuple[HouseRule, ...] = ()

    def to_json(self) -> dict[str, Any]:
        house_rules = [house_rule.to_json() for house_rule in self.house_rules]
        return {
            "code": self.code,
            "rules": list(self.rule_ids),
            "values": dict(self.values),
            **({"house": house_rules} if house_rules else {}),
        }


@dataclass(frozen=True, slots=True)
class Ground:
    """One support of a sentence: an entry of the rulebook, and the switch that decides it.

    `entry` is a switch or a key of `[cites]`, whose rule ids are cited; "" cites nothing.
    """

    entry: str = ""
    switch: str = ""


def _of_switch(*switches: str) -> tuple[Ground, ...]:
    """The rules of these switches' values."""
    return tuple(Ground(switch, switch) for switch in switches)


def _of_text(*entries: str) -> tuple[Ground, ...]:
    """Rules that no switch replaces."""
    return tuple(Ground(entry) for entry in entries)


def _affected_by(*switches: str) -> tuple[Ground, ...]:
    """Switches that affect the sentence but have no rule id to cite."""
    return tuple(Ground("", switch) for switch in switches)


GROUNDS: Final[Mapping[str, tuple[Ground, ...]]] = {
    # The value of a round
    "base": _of_switch("base"),
    "near-value": (*_of_switch("near_value"), *_of_text("other_target")),
    "four": (*_of_switch("four_lead"), *_affected_by("four_value")),
    "four-below": (*_of_switch("four_if_opponent_below"), *_affected_by("four_value")),
    # Raises, answers and decisions
    "raised": (*_of_text("raised"), *_of_switch("step")),
    "stayed": (*_of_text("stay"), *_of_switch("step")),
    "plays": (*_of_switch("decline"), *_of_text("other_target")),
    "decides-when-both": _of_switch("decline_when_both"),
    "fold-agreed": (*_of_switch("fold_value"), *_affected_by("step")),
    "fold-refused": (*_of_switch("fold_counts_refused"), *_affected_by("fold_value", "step")),
    "fold-fixed": (*_of_switch("fold_value"), *_affected_by("step")),
    "declined": (Ground("declined", "decline"), *_of_switch("decline_value")),
    "gespannt": _of_switch("gespannt"),
    # The end of a round
    "round-raised": _of_switch("step"),
    "overtricks": _of_switch("overtrick"),
    "more-tricks": _affected_by("tricks_to_end"),
    "capped": (*_of_switch("cap_at_target"), *_affected_by("target")),
    **{f"penalty-{offence}": _of_switch(field) for offence, field in PENALTY_FIELDS.items()},
    "penalty-sonstige": (),
    "penalty-raised": _affected_by("step"),
    "peek-elsewhere": (Ground("peek_elsewhere", "peek_penalty_variants"),),
    "struck": (Ground("struck", "strike"),),
    "near": _of_switch("near"),
    "retour-chance": (*_of_switch("retour"), *_of_text("other_target")),
    # The end of a game
    "game-won": (*_of_switch("target"), *_of_text("at_least")),
    "einfach": _of_text("einfach"),
    "loser-on-one": (Ground("loser_on_one", "schneider"),),
    "no-schneider": _affected_by("schneider"),
    "schneider": _of_switch("schneider"),
    "retourschneider": _of_switch("retour"),
    "no-retour": _of_switch("retour"),
    "marks-three": _of_switch("marks_three"),
    "verleugnet": _of_switch("revoke", "revoke_bummerl"),
    "revoked": (*_of_switch("revoke"), *_affected_by("revoke_counts_schneider")),
    # The deal and the announcement
    "schoenere-yes": _of_switch("schoenere"),
    "schoenere-no": _of_switch("schoenere"),
    "schoenere-all": _of_switch("schoenere_all_at"),
    "schlagtausch-yes": _of_switch("schlagtausch"),
    "schlagtausch-no": (*_of_switch("schlagtausch"), Ground("schlagtausch_no", "schlagtausch")),
    "until-schoenere": _of_switch("schoenere_until"),
    "until-schlagtausch": _of_switch("schlagtausch_until"),
    # Refusals
    "game-over": _of_switch("target"),
    "game-lost": _of_switch("revoke"),
    "game-running": _of_switch("target"),
    "at-target": _of_switch("target"),
    "sits-out": (*_of_text("sits_out"), *_of_switch("sits_out_by")),
    "dealer-plays": _of_switch("sits_out_by"),
    "nobody-sits-out": _of_text("sits_out"),
    "round-begun": _of_text("sits_out"),
    "raise-open": _of_text("answer"),
    "wrong-side": _of_text("answer"),
    "nothing-to-answer": _of_text("answer"),
    "own-raise-open": _of_text("raise_again"),
    "decision-open": (
        *_of_switch("decline"),
        *_of_text("other_target"),
        *_affected_by("decline_value"),
    ),
    "locked-near": (Ground("locked", "near_lock"), *_of_text("other_target")),
    "locked-both": (Ground("locked", "near_lock"), *_of_text("other_target")),
    "both-near": (Ground("both_near", "near_lock"),),
    "against-near": (Ground("raise_against_near", "near_lock"),),
    "locked-four": _of_switch("raise_after_four"),
    "cannot-see": _of_switch("near_lock"),
    "twice-in-a-row": _of_switch("alternate"),
    "max-stake": _of_switch("max_stake"),
    "wrong-step": _of_switch("step"),
    "no-locked-penalty": (Ground("no_locked_penalty", "bid_when_locked"),),
    "not-locked": _of_text("locked_raise"),
    "near-unlocked": _of_switch("near_lock"),
    "no-gespannt": _of_switch("gespannt"),
    "no-strike": _of_switch("strike"),
    "strike-late": (Ground("strike_timing", "strike"),),
    "strike-none-near": (Ground("strike_near", "strike"),),
    "strike-at-zero": (Ground("strike_timing", "strike"),),
    "strike-near-self": (*_of_switch("strike_requires_not_krank"), *_affected_by("strike")),
    "strike-limit": (*_of_switch("strike_limit"), *_affected_by("strike")),
    "no-such-schlag": _of_switch("deck"),
    "no-schoenere": _of_switch("schoenere"),
    "no-schlagtausch": _of_switch("schlagtausch"),
    "announced-blind": (Ground("announced_blind", "blind_variants"),),
    # Which card wins
    "card-kritischer": (Ground("kritischer", "critical_cards"),),
    "kritischer-rechter": (Ground("kritischer_rechter", "hauptschlag_falls"),),
    "kritischer-guter": (Ground("kritischer_guter", "guter_variants"),),
    "over-kritischer": (Ground("over_kritischer", "critical_cards"),),
    "kritischer-beats": (Ground("kritischer_beats", "critical_cards"),),
    "card-guter": (Ground("guter", "guter_variants"),),
    "guter-over-ace": (Ground("guter_over_ace", "guter_variants"),),
    "card-rechter": _of_text("rechter"),
    "card-linker": _of_text("linker"),
    "card-trumpf": _of_text("trumpf"),
    "card-unfarbe": _of_text("unfarbe"),
    "weli-rechter": (Ground("weli_rechter", "weli_schlag"),),
    "weli-trumpf": (Ground("weli_trumpf", "weli"),),
    "weli-lowest": (Ground("weli_lowest", "weli"),),
    "weli-suit": (Ground("weli_suit", "weli"),),
    "weli-lowest-of-suit": (Ground("weli_lowest_of_suit", "weli"),),
    "card-equal": _of_text("equal"),
    "beats-guter": _of_text("beats_guter"),
    "beats-rechter": _of_text("beats_rechter"),
    "beats-linker": _of_text("beats_linker"),
    "beats-trumpf": _of_text("beats_trumpf"),
    "beats-unfarbe": _of_text("beats_unfarbe"),
    "higher-unfarbe": _of_text("higher_unfarbe"),
    "higher-trumpf": _of_text("higher_trumpf"),
    "card-fallen": _of_switch("hauptschlag_falls"),
    # Which card may be played
    "play-leads": _of_text("leads"),
    "no-duty-unfarbe": _of_text("no_duty"),
    "no-duty-alone": _of_switch("weli_schlag"),
    "no-duty-joker": _of_switch("critical_demands"),
    "only-lead": (Ground("only_lead", "follow_lead"),),
    "play-unbound": (Ground("unbound", "blind_variants"),),
    "play-lifted": _of_switch("follow_lifted"),
    "play-cannot": _of_text("free"),
    "play-answer": (Ground("answer_kinds", "follow_answer"),),
    **{
        f"lead-{kind}": (Ground(f"lead_{kind}", "follow_lead"),)
        for kind in ("trumpf", "rechter", "guter", "linker", "kritischer", "unfarbe", "weli")
    },
    "play-overtakes": _of_switch("overtake"),
    "play-overtrumps": _of_switch("follow_overtrump"),
    "play-undertrumps": _of_switch("follow_overtrump"),
    "play-cannot-overtrump": (Ground("cannot_overtrump", "follow_overtrump"),),
    "play-partner-trick": _of_text("partner_trick"),
    "spared": (Ground("spared", "follow_exempt"),),
    "spared-rechter": (Ground("spared_rechter", "follow_exempt"),),
    "spared-partner": _of_switch("follow_partner_exempt"),
    # Raises on the last card
    "raise-leads": _of_text("wide"),
    "raise-kritischer": (Ground("raise_kritischer", "last_card"),),
    "last-card": (Ground("last_card_limit", "last_card"),),
}
"""The grounds of each reason and refusal by its code, and of circumstances that add grounds."""


Support = tuple[tuple[str, ...], tuple[HouseRule, ...]]
"""Rule ids and house rules."""


@lru_cache(maxsize=4096)
def support(
    rules: RuleSet, keys: tuple[str, ...], switches: frozenset[str] | None = None
) -> Support:
    """The rule ids and the house rules of the grounds `keys`.

    :param switches: the changed switches that play a part; None: all changed ones of the grounds

    >>> from scorer.engine import rules_of
    >>> support(rules_of("bayern"), ("near-value",))
    (('B-27',), ())
    """
    table_switches = rules.house_switches if switches is None else switches
    cited: list[str] = []
    changed_switches = [] if switches is None else sorted(switches)
    for key in keys:
        for ground in GROUNDS[key]:
            if ground.switch in table_switches:
                changed_switches.append(ground.switch)
                cited += rules.allowing_ids(ground.switch)
            elif ground.entry:
                cited += rules.rule_ids(ground.entry)
    house_rules = tuple(_house_rule(rules, switch) for switch in dict.fromkeys(changed_switches))
    return _not_replaced(dict.fromkeys(cited), house_rules), house_rules


def _not_replaced(cited: Iterable[str], house_rules: Iterable[HouseRule]) -> tuple[str, ...]:
    replaced = {rule for house_rule in house_rules for rule in house_rule.replaces}
    return tuple(rule for rule in cited if rule not in replaced)


def _house_rule(rules: RuleSet, switch: str) -> HouseRule:
    allowing = rules.allowing_ids(switch)
    replaces = tuple(rule for rule in rules.rule_ids(switch) if rule not in allowing)
    return HouseRule(switch, getattr(rules, switch), replaces)


def reason(
    rules: RuleSet,
    code: str,
    values: Mapping[str, int | str],
    *grounds: str,
    switches: frozenset[str] | None = None,
    related_reason: Reason | None = None,
) -> Reason:
    """A reason with its support.

    :param grounds: keys in `GROUNDS`; its code if none are given
    :param switches: as in `support`
    :param related_reason: a reason whose house rules play a part, such as the value of the round
    """
    cited, house_rules = _with_house_rules_of(
        support(rules, grounds or (code,), switches), related_reason
    )
    return Reason(code, cited, values, house_rules)


def refusal(
    rules: RuleSet,
    code: str,
    values: Mapping[str, int | str] = MappingProxyType({}),
    *grounds: str,
    switches: frozenset[str] | None = None,
    related_reason: Reason | None = None,
) -> Illegal:
    """A refusal with its support; parameters as of `reason`."""
    cited, house_rules = _with_house_rules_of(
        support(rules, grounds or (code,), switches), related_reason
    )
    error = Illegal(code, cited, **values)
    error.house_rules = house_rules
    return error


def _with_house_rules_of(own_support: Support, related_reason: Reason | None) -> Support:
    if related_reason is None or not related_reason.house_rules:
        return own_support
    cited, house_rules = own_support
    house_rules = tuple(dict.fromkeys((*house_rules, *related_reason.house_rules)))
    return _not_replaced(cited, house_rules), house_rules


def refusing_rule(refusal: Illegal) -> str:
    """The id of the refusing rule; for a house rule the first it replaces; empty if none."""
    replaced = (rule for house_rule in refusal.house_rules for rule in house_rule.replaces)
    return refusal.rule or next(replaced, "")
