"""Equity questions as JSON: the value of a score and of an open raise."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.equity.model import MAX_SPREAD, SPREAD, Model, flat, live
from scorer.engine.equity.prices import RaisePrice, raise_price, state_with_raise
from scorer.engine.equity.score_graph import MAX_SCORES, MAX_TARGET, Unsolved
from scorer.engine.equity.solver import equity_table, rules_key
from scorer.engine.input.codec import GIVEN, Codec
from scorer.engine.input.fields import Reader, Unreadable, integer, listed, one_of, or_none
from scorer.engine.rules.grounds import refusal
from scorer.engine.rules.loading import read_rules
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.event_types.bids import Gehen
from scorer.engine.scoring.raise_locks import lock_refusal
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply, start
from scorer.engine.telling.explain import (
    Plural,
    Translate,
    english,
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


def _latched(where: str, value: Any) -> tuple[int, int]:
    if value not in ([0, 1], [1, 0]):
        raise Unreadable(where, N_("must be the side that stood at 0 and the other: [0, 1]"))
    first, second = map(int, value)
    return first, second


_two: Final = N_("must be two numbers, one a side: only two sides are priced")
_pairs: Final = listed(
    Reader(_latched, {"enum": [[0, 1], [1, 0]]}), refusal=N_("must be a list of pairs of sides")
)


@dataclass(frozen=True, slots=True)
class OpenRaise:
    """An open raise: the raising side and the stake it names."""

    side: Annotated[int, integer(0, 1)]
    to: Annotated[int, integer(1, 99)]


_raised: Final = Codec(OpenRaise, N_("must have side and to, and nothing else"))


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityQuestion:
    """A parsed question; docs/record.md describes the fields."""

    rules: Annotated[RuleSet, GIVEN]
    points: Annotated[tuple[int, ...], listed(integer(0, 999), 2, 2, _two)]
    retour: Annotated[tuple[tuple[int, int], ...] | None, or_none(_pairs)] = None
    p: Annotated[float, _between(0, 1, inside=True)] = 0.5
    model: Annotated[str, one_of(*MODELS)] = "live"
    spread: Annotated[float, _between(0, MAX_SPREAD)] = SPREAD
    efficiency: Annotated[float, _between(0, 1)] = 1.0
    open_raise: Annotated[OpenRaise | None, or_none(_raised.reader)] = None

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
    :raises Unreadable: what cannot be asked, and where
    :raises Illegal: a score or a raise that cannot occur, with the rule
    """
    asked = read(question)
    for side, reached in enumerate(asked.points):
        if reached >= asked.rules.target:
            values = {"side": side, "points": reached, "target": asked.rules.target}
            raise refusal(asked.rules, "at-target", values)
    if asked.retour and not asked.rules.retour:
        raise refusal(asked.rules, "no-retour")
    opening, opened = start(asked.rules, points=asked.points), None
    if asked.open_raise is not None:
        opened = state_with_raise(opening, asked.open_raise.side, asked.open_raise.to)
    try:
        return _answer(asked, opening, opened)
    except Unsolved:
        raise Unreadable("set", _TOO_MANY, highest=MAX_TARGET) from None


def work(question: Any) -> tuple[Hashable, int]:
    """The cache key of a question's solution, and its cost in steps, without solving it.

    The cost is about scores times target, for games, for Bummerl if they vary, and once more for
    earlier Retourschneider chances.

    >>> [work({"rules": "bayern", "points": [0, at], "p": 0.4})[1] for at in (0, 1)]
    [3375, 3375]

    :raises Unreadable: what cannot be asked, and where
    """
    asked = read(question)
    rules = asked.rules
    strikes = 1 + (rules.strike_limit or 0)
    scores = min(MAX_SCORES, (rules.target * strikes) ** 2)
    latched = (asked.retour, asked.points) if asked.retour else ()
    tables = 1 + bool(rules.schneider or rules.retour) + bool(latched)
    key = (rules_key(rules), asked.solved_by, latched)
    return key, tables * scores * min(rules.target, MAX_TARGET)


def priced(
    question: Any, translate: Translate = str, plural: Plural = english, language: str = "en"
) -> dict[str, Any]:
    """As `equity`, but raises Unreadable with a translated message instead of Illegal.

    :param translate: from an English sentence to the reader's language
    :param plural: the same for a sentence with a number
    :param language: for the region's own words

    >>> priced({"rules": "bayern", "points": [15, 15]})
    Traceback (most recent call last):
    scorer.engine.input.fields.Unreadable: B-03: Side 1 has 15: the game ends at 15
    """
    try:
        return equity(question)
    except Illegal as refusal:
        words = region_words(question["rules"], language)
        said = refusal_text(refusal, words=words, translate=translate, plural=plural)
        raise Unreadable(refusal.rule or refusal.code, said) from None


def _answer(asked: EquityQuestion, opening: State, opened: State | None) -> dict[str, Any]:
    rules, model = asked.rules, asked.solved_by
    first, second = asked.points
    table = equity_table(rules, model)
    score = table.graph.score((first, second))
    marks, asks = None, None
    if rules.schneider or rules.retour:
        bummerl_table = equity_table(rules, model, "bummerl")
        pairs = asked.retour or ()
        retour = tuple(tuple(sorted({b for a, b in pairs if a == side})) for side in (0, 1))
        marks = _both(
            -bummerl_table.value_of(bummerl_table.graph.score((first, second), retour)), 0.0
        )
    if opened is not None and opened.open_raise is not None:
        asks = raise_price(table, score, opened.open_raise.side, opened.open_raise.to)
    return {
        "win": _both(table.value_of(score)),
        "bummerl": marks,
        **_asked(asks),
        "model": asked.model,
        "because": _because(opening, opened),
    }


def _asked(asks: RaisePrice | None) -> dict[str, Any]:
    if asks is None:
        return {"take_point": None, "stay": None, "go": None}
    take = asks.take
    return {
        "take_point": take and {"dead": _rounded(take.dead), "live": _rounded(take.live)},
        "stay": None if asks.stay is None else _both(asks.stay),
        "go": _both(asks.go),
    }


def _both(first: float, total: float = 1.0) -> list[float]:
    return [_rounded(first), _rounded(total - first)]


def _rounded(value: float) -> float:
    # Adding zero turns a rounded -0.0 into 0.0.
    return round(value, _DIGITS) + 0.0


# Reasons


def _because(opening: State, opened: State | None) -> list[dict[str, str]]:
    """The rules that shape the round, with texts: its value, locks, and the points of a fold."""
    sides, words = opening.sides, region_words(opening.rules.id)
    reasons = [] if opening.opening.code == "base" else [opening.opening]
    said = [(reason.rules, reason_text(reason, sides, words)) for reason in reasons]
    for side in opening.active:
        if refused := lock_refusal(opening, side):
            said.append((refused.rules, refusal_text(refused, sides, words)))
    if opened is not None and opened.open_raise is not None:
        gone = apply(opened, Gehen(1 - opened.open_raise.side)).because
        writes = next(reason for reason in gone if "delta" in reason.values)
        said.append((writes.rules, reason_text(writes, sides, words)))
    return [
        {"rule": rule, "text": text}
        for cites, text in dict.fromkeys(said)
        for rule in cites or ("",)
    ]
