"""Reasons and refusals as sentences, filled in and translated.

Rule ids are not part of the sentence, so that pages can link them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.cards import card_name
from scorer.engine.rules.grounds import Reason
from scorer.engine.rules.loading import rulebook
from scorer.engine.scoring.state import Side
from scorer.engine.telling.english_sentences import CARD_REASONS, OFFENCE_NAMES, REASONS, REFUSALS
from scorer.engine.telling.side_grammar import Number, SideInSentence, grammatical_number
from scorer.engine.telling.side_names import isolated, side_name
from scorer.engine.translatable import Counted

Translate = Callable[[str], str]
Plural = Callable[[str, str, int], str]


def offence_name(offence: str, words: Mapping[str, str], translate: Translate = str) -> str:
    """The name of an offence, with the region's own word for raising.

    >>> offence_name("wild-geboten", region_words("bayern", "de"))
    'Wildes Ausschaffen'
    """
    return words.get(offence) or translate(OFFENCE_NAMES.get(offence, offence))


def english_plural(singular: str, plural: str, number: int) -> str:
    """The English singular or plural form."""
    return singular if number == 1 else plural


def say(
    sentence: str | Counted,
    values: Mapping[str, int | str],
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english_plural,
    numbers: Sequence[Number] = (),
) -> str:
    """A sentence with values filled in, sides and offences by name.

    :param words: the region's words for near, staying, folding and having folded
    :param translate: from an English sentence to the reader's language
    :param plural: the same for a sentence with a number: both English forms and the number
    :param numbers: the grammatical number of each side, where its name does not tell it

    >>> say(REASONS["overtricks"], {"side": 0, "tricks": 1, "delta": 1}, (Side("We"),))
    'We take 1 more trick: +1'
    """
    fields: dict[str, object] = {**words, **values}
    for key in ("side", "other"):
        if isinstance(side := values.get(key), int):
            name = side_name(sides, side, translate)
            players = sides[side].players if side < len(sides) else ()
            number = numbers[side] if side < len(numbers) else grammatical_number(name, players)
            fields[key] = SideInSentence(isolated(name), number, words, values)
    if "offence" in fields:
        offence = str(fields["offence"])
        fields["offence"] = offence_name(offence, words, translate)
    if isinstance(sentence, Counted):
        text = plural(sentence.singular, sentence.plural, int(values[sentence.by]))
    else:
        text = translate(sentence)
    return text.format_map(fields)


def reason_text(
    reason: Reason,
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english_plural,
    numbers: Sequence[Number] = (),
) -> str:
    """The sentence of a reason.

    >>> from scorer.engine import Gewinnt, apply, rules_of, start
    >>> reason_text(apply(start(rules_of("bayern")), Gewinnt(0)).because[0])
    'Side 1 takes the round: 2 points'
    """
    code = "four-below" if "below" in reason.values else reason.code
    return say(REASONS[code], reason.values, sides, words, translate, plural, numbers)


def region_words(region: str, language: str = "en") -> Mapping[str, str]:
    """A region's words for raising, staying, folding and being near, by key.

    >>> region_words("suedtirol", "de")["stay"]
    'halten'
    """
    by_language: Mapping[str, Mapping[str, str]] = rulebook(region)["words"]
    return by_language.get(language, by_language["en"])


def kind_words(region: str, language: str = "en") -> dict[str, str]:
    """A region's words for the kinds of card, by kind; under `a_KIND` with its article.

    >>> words = kind_words("bayern", "de")
    >>> words["rechter"], words["a_rechter"], words["a_linker"]
    ('Haube', 'der Haube', 'ein Schlag')
    """
    kinds = rulebook(region)["kinds"]
    words = kinds.get(language, kinds["en"])
    return {
        **{kind: word for kind, (word, _) in words.items()},
        **{f"a_{kind}": phrase for kind, (_, phrase) in words.items()},
    }


def card_text(
    reason: Reason,
    kinds: Mapping[str, str],
    translate: Translate = str,
    name_card: Callable[[str], str] = card_name,
) -> str:
    """The sentence of a reason about cards.

    >>> reason = Reason("card-beats", ("O-26a",), {"card": "H8", "second": "E8"})
    >>> card_text(reason, kind_words("oberoesterreich"))
    'Eight of Hearts beats Eight of Acorns'

    :param kinds: the region's words, from `kind_words`
    :param name_card: returns the name of a card in the reader's language
    """
    values = dict(reason.values)
    for key in ("card", "second"):
        if key in values:
            values[key] = name_card(str(values[key]))
    if "kinds" in values:
        values["kinds"] = ", ".join(kinds[kind] for kind in str(values["kinds"]).split())
    return translate(CARD_REASONS[reason.code]).format_map({**kinds, **values})


def refusal_text(
    refusal: Illegal,
    sides: Sequence[Side] = (),
    words: Mapping[str, str] = MappingProxyType({}),
    translate: Translate = str,
    plural: Plural = english_plural,
    sentences: Mapping[str, str | Counted] = REFUSALS,
    numbers: Sequence[Number] = (),
) -> str:
    """The sentence of a refusal.

    :param sentences: sentences by code, of tables or of tournaments

    >>> refusal_text(Illegal("games-played", most=1))
    'The one game of this table is played: enter the result'
    """
    values, sentence = refusal.values, sentences[refusal.code]
    return say(sentence, values, sides, words, translate, plural, numbers)
