"""Every sentence about a side is grammatical in each language, for any side."""

import gettext
import re
from itertools import product
from pathlib import Path
from string import Formatter

import pytest

import scorer
from scorer.engine import REGIONS
from scorer.engine.telling.english_sentences import REASONS, REFUSALS
from scorer.engine.telling.filled_sentences import region_words
from scorer.engine.telling.side_grammar import NUMBERS, SideInSentence
from scorer.engine.translatable import Counted
from scorer.web.table.event_texts import SIDE_SENTENCES
from scorer.web.table.side_sentences import SENTENCES

LANGUAGES = ("de", "it", "fr", "en")
FOLDER = Path(scorer.__file__).parent / "translations"
NAMES = dict(zip(NUMBERS, ("Hansl", "Wir", "Anna & Bert", "Die"), strict=True))
PARTS = (REASONS, REFUSALS, SIDE_SENTENCES, SENTENCES)
VERBS = ("raises", "bids", "stays", "folds", "plays", "gives")


def catalog(language):
    """The catalog of a language, None for English."""
    if language == "en":
        return None
    with (FOLDER / language / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def texts(language):
    """All sentences about sides in one language, with the singular and the plural form."""
    spoken = catalog(language)
    for sentence in {item for part in PARTS for item in part.values()}:
        if isinstance(sentence, Counted):
            one, many = sentence.singular, sentence.plural
            yield from ((spoken.ngettext(one, many, n) for n in (1, 2)) if spoken else (one, many))
        else:
            yield spoken.gettext(sentence) if spoken else sentence


def about_sides(language):
    return [text for text in texts(language) if re.search(r"\{(side|other)", text)]


class Anything(dict):
    def __missing__(self, key):
        return "5"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("region", REGIONS)
def test_sentence_has_no_leftover_markup_for_any_side(region, language):
    words = region_words(region, language)
    for text, side, other in product(about_sides(language), NUMBERS, NUMBERS):
        sides = {
            name: SideInSentence(NAMES[number], number, words, {"to": 4})
            for name, number in (("side", side), ("other", other))
        }
        sentence_text = text.format_map(Anything(sides, **words))
        assert not re.search(r"[{}|~]|\s\s|^\s|\s$", sentence_text), sentence_text


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_never_use_a_name_as_a_label(language):
    """A name must be part of a sentence, unlike in "Wir: bieten 4"."""
    for text in about_sides(language):
        assert not re.search(r"\{(side|other)\}\s?[:(,]|\(\{(side|other)\}\)", text), text


@pytest.mark.parametrize("language", ["de", "it", "fr"])
def test_verbs_have_a_form_for_we(language):
    """In Italian and French "we" has a form of its own."""
    fewest = 2 if language == "de" else 3
    for region, verb in product(REGIONS, VERBS):
        forms = region_words(region, language)[verb].split("|")
        assert fewest <= len(forms) <= 4, (region, verb)
    for text in about_sides(language):
        for _, name, forms, _ in Formatter().parse(text):
            if name in ("side", "other") and forms:
                assert fewest <= len(forms.split("|")) <= 4, text
