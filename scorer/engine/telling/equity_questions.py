"""Equity questions as JSON: the value of a score and of an open raise."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.equity.model import DEFAULT_CHANCE, MAX_SPREAD, SPREAD, Model, flat, live
from scorer.engine.equity.raise_values import RaiseValues, raise_values, state_with_raise
from scorer.engine.equity.score_graph import MAX_SCORES, MAX_TARGET, Unsolved
from scorer.engine.equity.solver import equity_table, rules_key
from scorer.engine.input.codec import GIVEN, Codec
from scorer.engine.input.field_readers import Reader, Unreadable, integer, listed, one_of, or_none
from scorer.engine.rules.grounds import refusal
from scorer.engine.rules.loading import read_rules
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.event_types.bids import Gehen
from scorer.engine.scoring.raise_locks import lock_refusal
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply, start
from scorer.engine.telling.filled_sentences import (
    Plural,
    Translate,
    english_plural,
    reason_text,
    refusal_text,
    region_words,
)
from scorer.engine.translatable import N_

MODELS: Final = ("live", "flat", "dead")
"""`dead` is backgammon's word for `flat`."""
_BETWEEN: Final = N_("must be a number between {low} and {high}, not {value}")
_TOO_MANY: Final = N_("games to more than {highest}, or with that many strikes, are not solved")
_DIGITS: Final = 6


def _between(low: float, high: float, inside: bool = False) -> Reader[float]:
    """Reader of numbers from `low` to `high`; `inside` excludes the bounds."""

    def read(where: str, value: Any) -> float:
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        fits = fits and (low < value < high if inside else low <= value <= high)
        if not fits:
            raise Unreadable(where, _BETWEEN, low=f"{low:g}", high=f"{high:g}", value=repr(value))
        return float(value)

    bounds = ("exclusiveMinimum", "exclusiveMaximum") if inside else ("minimum", "maximum")
    return Reader(read, {"type": "number", bounds[0]: low, bounds[1]: high})


def _read_retour_chance(where: str, value: Any) -> tuple[int, int]:
    if value not in ([0, 1], [1, 0]):
        raise Unreadable(where, N_("must be the side that stood at 0 and the other: [0, 1]"))
    first, second = map(int, value)
    return first, second


_not_two_numbers: Final = N_("must be two numbers, one a side: only two sides are priced")
_retour_chances: Final = listed(
    Reader(_read_retour_chance, {"enum": [[0, 1], [1, 0]]}),
    refusal=N_("must be a list of pairs of sides"),
)


@dataclass(frozen=True, slots=True)
class OpenRaise:
    """An open raise: the raising side and the stake it names."""

    side: Annotated[int, integer(0, 1)]
    to: Annotated[int, integer(1, 99)]


_open_raise: Final = Codec(OpenRaise, N_("must have side and to, and nothing else"))


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityQuestion:
    """A parsed question; docs/record.md describes the fields."""

    rules: Annotated[RuleSet, GIVEN]
    points: Annotated[tuple[int, ...], listed(integer(0, 999), 2, 2, _not_two_numbers)]
    retour: Annotated[tuple[tuple[int, int], ...] | None, or_none(_retour_chances)] = None
    p: Annotated[float, _between(0, 1, inside=True)] = DEFAULT_CHANCE
    model: Annotated[str, one_of(*MODELS)] = "live"
    spread: Annotated[float, _between(0, MAX_SPREAD)] = SPREAD
    efficiency: Annotated[float, _between(0, 1)] = 1.0
    open_raise: Annotated[OpenRaise | None, or_none(_open_raise.reader)] = None

    @property
    def solved_by(self) -> Model:
        return live(self.p, self.spread, self.efficiency) if self.model == "live" else flat(self.p)


QUESTION: Final = Codec(
    EquityQuestion,
    unknown=N_("a question has no such field"),
    extra_names=("rules", "variant", "set"),
)


def read(question: Any) -> EquityQuestion:
    """Parse a question.

    :raises Unreadable: the field and the reason
    """
    if not isinstance(question, Mapping):
        raise Unreadable("question", N_("must be an object"))
    return QUESTION.read(question, rules=read_rules(question))


def equity(question: Any) -> dict[str, Any]:
    """Answer an equity question.

    >>> found = equity({"rules": "oberoesterreich", "points": [1, 0]})
    >>> [round(chance, 2) for chance in found["win"]], found["take_point"]
    ([0.56, 0.44], None)
    >>> found = equity({"rules": "oberoesterreich", "points": [6, 6],
    ...                 "open_raise": {"side": 1, "to": 3}})
    >>> found["take_point"], found["because"][0]["rule"]
    ({'dead': 0.422975, 'live': 0.422975}, 'O-45')

    :param question: as docs/record.md has it
    :raises Unreadable: the question is invalid; names the field
    :raises Illegal: a score or a raise that cannot occur, with the rule
    """
    parsed = read(question)
    for side, points in enumerate(parsed.points):
        if points >= parsed.rules.target:
            values = {"side": side, "points": points, "target": parsed.rules.target}
            raise refusal(parsed.rules, "at-target", values)
    if parsed.retour and not parsed.rules.retour:
        raise refusal(parsed.rules, "no-retour")
    opening, raised = start(parsed.rules, points=parsed.points), None
    if parsed.open_raise is not None:
        raised = state_with_raise(opening, parsed.open_raise.side, parsed.open_raise.to)
    try:
        return _answer(parsed, opening, raised)
    except Unsolved:
        raise Unreadable("set", _TOO_MANY, highest=MAX_TARGET) from None


def solving_cost(question: Any) -> tuple[Hashable, int]:
    """The cache key of a question's solution, and its cost in steps, without solving it.

    The cost is about scores times target, for games, for Bummerl if they vary, and once more for
    earlier Retourschneider chances.

    >>> [solving_cost({"rules": "bayern", "points": [0, at], "p": 0.4})[1] for at in (0, 1)]
    [3375, 3375]

    :raises Unreadable: the question is invalid; names the field
    """
    parsed = read(question)
    rules = parsed.rules
    strikes = 1 + (rules.strike_limit or 0)
    scores = min(MAX_SCORES, (rules.target * strikes) ** 2)
    chances = (parsed.retour, parsed.points) if parsed.retour else ()
    tables = 1 + bool(rules.schneider or rules.retour) + bool(chances)
    key = (rules_key(rules), parsed.solved_by, chances)
    return key, tables * scores * min(rules.target, MAX_TARGET)


def equity_or_unreadable(
    question: Any, translate: Translate = str, plural: Plural = english_plural, language: str = "en"
) -> dict[str, Any]:
    """As `equity`, but raises Unreadable with a translated message instead of Illegal.

    :param translate: from an English sentence to the reader's language
    :param plural: the same for a sentence with a number
    :param language: for the region's own words

    >>> equity_or_unreadable({"rules": "bayern", "points": [15, 15]})
    Traceback (most recent call last):
    scorer.engine.input.field_readers.Unreadable: B-03: Side 1 has 15: the game ends at 15
    """
    try:
        return equity(question)
    except Illegal as refusal:
        words = region_words(question["rules"], language)
        sentence = refusal_text(refusal, words=words, translate=translate, plural=plural)
        raise Unreadable(refusal.rule or refusal.code, sentence) from None


def _answer(parsed: EquityQuestion, opening: State, raised: State | None) -> dict[str, Any]:
    rules, model = parsed.rules, parsed.solved_by
    first, second = parsed.points
    table = equity_table(rules, model)
    score = table.graph.score((first, second))
    bummerl, values = None, None
    if rules.schneider or rules.retour:
        bummerl_table = equity_table(rules, model, "bummerl")
        pairs = parsed.retour or ()
        retour = tuple(tuple(sorted({b for a, b in pairs if a == side})) for side in (0, 1))
        bummerl = _for_both_sides(
            -bummerl_table.value_of(bummerl_table.graph.score((first, second), retour)), 0.0
        )
    if raised is not None and raised.open_raise is not None:
        values = raise_values(table, score, raised.open_raise.side, raised.open_raise.to)
    return {
        "win": _for_both_sides(table.value_of(score)),
        "bummerl": bummerl,
        **_raise_fields(values),
        "model": parsed.model,
        "because": _rule_texts(opening, raised),
    }


def _raise_fields(values: RaiseValues | None) -> dict[str, Any]:
    if values is None:
        return {"take_point": None, "stay": None, "go": None}
    take = values.stay_from
    return {
        "take_point": take and {"dead": _rounded(take.dead), "live": _rounded(take.live)},
        "stay": None if values.if_staying is None else _for_both_sides(values.if_staying),
        "go": _for_both_sides(values.if_folding),
    }


def _for_both_sides(first: float, total: float = 1.0) -> list[float]:
    return [_rounded(first), _rounded(total - first)]


def _rounded(value: float) -> float:
    # Adding zero turns a rounded -0.0 into 0.0.
    return round(value, _DIGITS) + 0.0


# Reasons


def _rule_texts(opening: State, raised: State | None) -> list[dict[str, str]]:
    """The rules that shape the round, with texts: its value, locks, and the points of a fold."""
    sides, words = opening.sides, region_words(opening.rules.id)
    reasons = [] if opening.opening_reason.code == "base" else [opening.opening_reason]
    cited_texts = [(reason.rule_ids, reason_text(reason, sides, words)) for reason in reasons]
    for side in opening.playing_sides:
        if refusal := lock_refusal(opening, side):
            cited_texts.append((refusal.rule_ids, refusal_text(refusal, sides, words)))
    if raised is not None and raised.open_raise is not None:
        fold_reasons = apply(raised, Gehen(1 - raised.open_raise.side)).because
        scoring_reason = next(reason for reason in fold_reasons if "delta" in reason.values)
        cited_texts.append((scoring_reason.rule_ids, reason_text(scoring_reason, sides, words)))
    return [
        {"rule": rule, "text": text}
        for cites, text in dict.fromkeys(cited_texts)
        for rule in cites or ("",)
    ]
