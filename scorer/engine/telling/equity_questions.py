"""Questions about equity as data: what a score is worth, what an open raise asks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.equity.model import MOST_SPREAD, SPREAD, Model, flat, live
from scorer.engine.equity.prices import Price, price, raised
from scorer.engine.equity.score_graph import HIGHEST, MOST_SCORES, Unsolved
from scorer.engine.equity.solver import rules_key, table
from scorer.engine.input.fields import Unreadable, one_of, whole
from scorer.engine.rules.loading import named
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.event_types.bids import Gehen
from scorer.engine.scoring.stakes import lock
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
_FIELDS: Final = (
    *("rules", "variant", "set", "points", "retour", "p", "model", "spread", "efficiency"),
    "open_raise",
)
_BETWEEN: Final = N_("must be a number between {low} and {high}, not {value}")
_TOO_MANY: Final = N_("games to more than {highest}, or with that many strikes, are not solved")
_DIGITS: Final = 6


def equity(question: Any) -> dict[str, Any]:
    """The answer to one question.

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
    if not isinstance(question, Mapping):
        raise Unreadable("question", N_("must be an object"))
    if unknown := sorted(set(question) - set(_FIELDS)):
        raise Unreadable(unknown[0], N_("a question has no such field"))
    rules, model = named(question), _model(question)
    points = _points(question.get("points"), rules)
    retour = _latches(question.get("retour"), rules)
    asked = _raise(question.get("open_raise"))
    opened = None if asked is None else raised(start(rules, points=points), *asked)
    try:
        return _answer(question, rules, model, points, retour, opened)
    except Unsolved:
        raise Unreadable("set", _TOO_MANY, highest=HIGHEST) from None


def work(question: Any) -> tuple[Hashable, int]:
    """What has to be solved for a question, and in how many steps: each score's worth takes about
    as many as the target, once for games and once for Bummerl, and again where a side is latched.

    Questions with the same first part are solved together. Nothing is solved yet.

    >>> [work({"rules": "bayern", "points": [0, at], "p": 0.4})[1] for at in (0, 1)]
    [3375, 3375]

    :raises Unreadable: what cannot be asked, and where
    """
    if not isinstance(question, Mapping):
        raise Unreadable("question", N_("must be an object"))
    rules, model = named(question), _model(question)
    strikes = 1 + (rules.strike_limit or 0)
    scores = min(MOST_SCORES, (rules.target * strikes) ** 2)
    latched = repr((question["retour"], question.get("points"))) if question.get("retour") else ""
    tables = 1 + bool(rules.schneider or rules.retour) + bool(latched)
    return (rules_key(rules), model, latched), tables * scores * min(rules.target, HIGHEST)


def priced(
    question: Any, translate: Translate = str, plural: Plural = english, language: str = "en"
) -> dict[str, Any]:
    """The same, a score or raise that cannot occur being unreadable too.

    :param translate: from an English sentence to the reader's language
    :param plural: the same for a sentence with a number
    :param language: the reader's, for the region's own words

    >>> priced({"rules": "bayern", "points": [15, 15]})
    Traceback (most recent call last):
    scorer.engine.input.fields.Unreadable: B-03: Side 1 at 15: the game ends at 15
    """
    try:
        return equity(question)
    except Illegal as refusal:
        words = region_words(question["rules"], language)
        said = refusal_text(refusal, words=words, translate=translate, plural=plural)
        raise Unreadable(refusal.rule or refusal.code, said) from None


def _answer(
    question: Mapping[str, Any],
    rules: RuleSet,
    model: Model,
    points: tuple[int, int],
    retour: tuple[tuple[int, ...], ...],
    opened: State | None,
) -> dict[str, Any]:
    solved = table(rules, model)
    score = solved.board.score(points)
    marks, asks = None, None
    if rules.schneider or rules.retour:
        counted = table(rules, model, "bummerl")
        latched = counted.board.score(points, retour)
        marks = _both(-counted.at(latched), 0.0)
    if opened is not None and opened.open_raise is not None:
        asks = price(solved, score, opened.open_raise.side, opened.open_raise.to)
    return {
        "win": _both(solved.at(score)),
        "bummerl": marks,
        **_asked(asks),
        "model": question.get("model", model.name),
        "because": _because(start(rules, points=points), opened),
    }


def _asked(asks: Price | None) -> dict[str, Any]:
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


# Why


def _because(opening: State, opened: State | None) -> list[dict[str, str]]:
    """The rules that shape this round, each with its words: what it counts, who may not raise, and
    what going on an open raise writes."""
    sides, words = opening.sides, region_words(opening.rules.id)
    reasons = [] if opening.opening.code == "base" else [opening.opening]
    said = [(reason.rules, reason_text(reason, sides, words)) for reason in reasons]
    for side in opening.active:
        if held := lock(opening, side):
            cites = opening.rules.cite(held.field)
            refusal = Illegal(held.code, cites, side=side, other=held.side)
            said.append((cites, refusal_text(refusal, sides, words)))
    if opened is not None and opened.open_raise is not None:
        gone = apply(opened, Gehen(1 - opened.open_raise.side)).because
        writes = next(reason for reason in gone if "delta" in reason.values)
        said.append((writes.rules, reason_text(writes, sides, words)))
    return [
        {"rule": rule, "text": text}
        for cites, text in dict.fromkeys(said)
        for rule in cites or ("",)
    ]


# Reading


def _model(question: Mapping[str, Any]) -> Model:
    p = _number("p", question.get("p", 0.5), 0.0, 1.0, inside=True)
    spread = _number("spread", question.get("spread", SPREAD), 0.0, MOST_SPREAD)
    efficiency = _number("efficiency", question.get("efficiency", 1.0), 0.0, 1.0)
    if one_of(*MODELS)("model", question.get("model", "live")) == "live":
        return live(p, spread, efficiency)
    return flat(p)


def _number(where: str, value: Any, low: float, high: float, inside: bool = False) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool)
    fits = fits and (low < value < high if inside else low <= value <= high)
    if not fits:
        raise Unreadable(where, _BETWEEN, low=f"{low:g}", high=f"{high:g}", value=repr(value))
    return float(value)


def _points(value: Any, rules: RuleSet) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise Unreadable("points", N_("must be two numbers, one a side: only two sides are priced"))
    read = whole(0, 999)
    first, second = (read(f"points[{at}]", number) for at, number in enumerate(value))
    for side, reached in enumerate((first, second)):
        if reached >= rules.target:
            values = {"side": side, "points": reached, "target": rules.target}
            raise Illegal("at-target", rules.cite("target"), **values)
    return first, second


def _latches(value: Any, rules: RuleSet) -> tuple[tuple[int, ...], ...]:
    if value is None:
        return (), ()
    if not isinstance(value, list):
        raise Unreadable("retour", N_("must be a list of pairs of sides"))
    pairs = [_pair(f"retour[{at}]", pair) for at, pair in enumerate(value)]
    if pairs and not rules.retour:
        raise Illegal("no-retour", rules.cite("retour"))
    first, second = (tuple(sorted({b for a, b in pairs if a == side})) for side in (0, 1))
    return first, second


def _pair(where: str, value: Any) -> tuple[int, int]:
    if value not in ([0, 1], [1, 0]):
        raise Unreadable(where, N_("must be the side that stood at 0 and the other: [0, 1]"))
    first, second = map(int, value)
    return first, second


def _raise(value: Any) -> tuple[int, int] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or set(value) != {"side", "to"}:
        raise Unreadable("open_raise", N_("must have side and to, and nothing else"))
    return whole(0, 1)("open_raise.side", value["side"]), whole(1, 99)("open_raise.to", value["to"])
