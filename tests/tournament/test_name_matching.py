"""The desk's script compares names as the server does."""

import json
import random
import unicodedata
from pathlib import Path

from scorer.tournament.name_matching import word_fit
from tests import node

SCRIPT = Path(__file__).parent / "node" / "word_fits.mjs"
WORDS = "Öller Oeller oller Maier Mayr Straßl strassl Grünn Gruenn Zoë Réné O'Neil Huber-Maxl x_y"


def test_script_and_server_compare_names_alike():
    rng = random.Random(1)
    names = [" ".join(rng.choices(WORDS.split(), k=rng.randint(1, 4))) for _ in range(400)]
    queries = [rng.choice(names)[rng.randint(0, 4) :][: rng.randint(0, 9)] for _ in range(2000)]
    queries += ["", " ", "&", "ß", "Ö", "ae", "e"]
    # Some systems write an umlaut as a letter and an accent.
    queries = [unicodedata.normalize(rng.choice(["NFC", "NFD"]), query) for query in queries]
    pairs = [[rng.choice(names), query] for query in queries]
    by_script = node.run(SCRIPT, node.SCRIPTS, json.dumps(pairs))
    by_server = [word_fit(*pair) for pair in pairs]
    assert {*by_server} == {0, 1, 2, 3}
    assert [*zip(pairs, by_script, strict=True)] == [*zip(pairs, by_server, strict=True)]
