"""Why, in words: a reason or a refusal as a sentence, filled in and translated.

The rules it rests on stay data, so a screen can lead from the sentence to the rule's own text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.cards import card_name
from scorer.engine.rules.loading import rulebook
from scorer.engine.scoring.state import Reason, Side
from scorer.engine.telling.messages import CARD_REASONS, OFFENCE_NAMES, REASONS, REFUSALS
from scorer.engine.telling.side_names import isolated, side_name
from scorer.engine.translatable import Counted

Translate = Callable[[str], str]
Plural = Callable[[str, str, int], str]


def offence_name(offence: str, words: Mapping[str, str], translate: Translate = str) -> str:
    """What an offence is called: in the region's own words, where its word for raising is its own.

    >>> offence_name("wild-geboten", region_words("bayern", "de"))
    'Wildes Ausschaffen'
    """
    return words.get(offence) or translate(OFFENCE_NAMES.get(offence, offence))


def english(singular: str, plural: str, number: int) -> str:
    """The form of a sentence that a number takes in English."""
    return singular if number == 1 else plural


def say(
    sentence: str | Counted,
    values: Mapping[str, int | str],
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english,
) -> str:
    """`sentence` with its figures, sides by name and offences in words.

    :param words: the region's own words: for a side close to the target, for staying, for going,
        and for having done so
    :param translate: from the English sentence to the reader's language
    :param plural: the same for a sentence with a number: both English forms, and the number

    >>> say(REASONS["overtricks"], {"side": 0, "tricks": 1, "delta": 1}, (Side("Wir"),))
    'Wir took 1 more trick: +1'
    """
    shown: dict[str, int | str] = {**words, **values}
    for key in ("side", "other"):
        if isinstance(side := values.get(key), int):
            shown[key] = isolated(side_name(sides, side, translate))
    if "offence" in shown:
        offence = str(shown["offence"])
        shown["offence"] = offence_name(offence, words, translate)
    if isinstance(sentence, Counted):
        text = plural(sentence.singular, sentence.plural, int(values[sentence.by]))
    else:
        text = translate(sentence)
    return text.format_map(shown)


def reason_text(
    reason: Reason,
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english,
) -> str:
    """The sentence of one reason.

    >>> from scorer.engine import Gewinnt, apply, load, start
    >>> reason_text(apply(start(load("bayern")), Gewinnt(0)).because[0])
    'Side 1 took the round: 2 points'
    """
    code = "four-below" if "below" in reason.values else reason.code
    return say(REASONS[code], reason.values, sides, words, translate, plural)


def region_words(region: str, language: str = "en") -> Mapping[str, str]:
    """What a region calls raising, staying, going and being close to the target.

    >>> region_words("suedtirol", "de")["stay"]
    'halten'
    """
    pages: Mapping[str, Mapping[str, str]] = rulebook(region)["words"]
    return pages.get(language, pages["en"])


def kind_words(region: str, language: str = "en") -> dict[str, str]:
    """What a region calls the kinds of card, by kind; as `a_kind` with its article.

    >>> words = kind_words("bayern", "de")
    >>> words["rechter"], words["a_rechter"], words["a_linker"]
    ('Haube', 'der Haube', 'ein Schlag')
    """
    kinds = rulebook(region)["kinds"]
    named = kinds.get(language, kinds["en"])
    return {
        **{kind: bare for kind, (bare, _) in named.items()},
        **{f"a_{kind}": phrase for kind, (_, phrase) in named.items()},
    }


def card_text(
    reason: Reason,
    kinds: Mapping[str, str],
    translate: Translate = str,
    named: Callable[[str], str] = card_name,
) -> str:
    """The sentence of a reason about cards.

    >>> reason = Reason("card-beats", ("O-26a",), {"card": "H8", "second": "E8"})
    >>> card_text(reason, kind_words("oberoesterreich"))
    'Eight of Hearts beats Eight of Acorns'

    :param kinds: the region's words, from `kind_words`
    :param named: what a card is called in the reader's language
    """
    values = dict(reason.values)
    for key in ("card", "second"):
        if key in values:
            values[key] = named(str(values[key]))
    if "kinds" in values:
        values["kinds"] = ", ".join(kinds[kind] for kind in str(values["kinds"]).split())
    return translate(CARD_REASONS[reason.code]).format_map({**kinds, **values})


def refusal_text(
    refusal: Illegal,
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english,
    sentences: Mapping[str, str | Counted] = REFUSALS,
) -> str:
    """The sentence of one refusal.

    :param sentences: by code: the table's own, or a tournament's

    >>> refusal_text(Illegal("games-played", most=1))
    'The one game of this table is played: enter the result'
    """
    return say(sentences[refusal.code], refusal.values, sides, words, translate, plural)
