"""Every page in every language on the narrowest phone: no sentence is longer than its button."""

import pytest

from scorer.web.frame.language import COOKIE, LANGUAGES
from tests.browser.test_layout import EVENINGS, PAGES, preiswatten, regulars, table

pytestmark = pytest.mark.shared_phone

DIALECTS = ("boarisch", "suedtirolerisch")
SIDES = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Cilli", "Dora"]},
]
NARROW = {"width": 320, "height": 568}
MORE = [
    ("/t/{scorer}/menu", "krank"),
    ("/t/{scorer}/more", "krank"),
    ("/t/{scorer}/more", "tricks"),
    ("/dialects", "fresh"),
    ("/referee?rules=trentino", "fresh"),
    ("/p/{hall}/print/list", "over"),
]
# A button's words may stand on several lines, but all within it, and none is broken in two.
TOO_LONG = """() => {
  const found = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push(`page ${wide} too wide`);
  const buttons = "button, .button, .tap, .tool, .chip, summary, nav a, .bar a, .foot a, "
    + ".segment > span, .segments legend, .scores thead th:not([dir])";
  for (const node of document.querySelectorAll(buttons)) {
    if (!node.checkVisibility() || node.closest(".sr, .across:not(:has(.scores)), .rule")) continue;
    const name = `${node.tagName} ${node.className} "${node.innerText.trim()}"`;
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = node;
    if (clientWidth && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1))
      found.push(`${name}: ${scrollWidth}x${scrollHeight} in ${clientWidth}x${clientHeight}`);
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[\\p{L}’']{2,}/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) found.push(`${name}: ${word[0]} is broken`);
      }
    }
  }
  return found;
}"""


@pytest.fixture(scope="module")
def written(server):
    """A table in each position, and a tournament, written once for all languages."""
    found = {name: table(server, name, SIDES) for name in EVENINGS}
    found["over"]["group"] = regulars(server, found["over"]["scorer"])
    return {**found, "over": found["over"] | preiswatten(server)}


@pytest.mark.parametrize("language", [*LANGUAGES, *DIALECTS])
def test_no_sentence_is_longer_than_its_button(phone, server, written, language):
    page = phone(viewport=NARROW)
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
    # A dialect has words of its own on the table's pages only.
    near = ("/t/", "/b/")
    pages = [*PAGES, *MORE]
    pages = [at for at in pages if language in LANGUAGES or at[0].startswith(near)]
    wrong = []
    for path, name in dict.fromkeys(pages):
        answer = page.goto(path.format(**written[name]), wait_until="domcontentloaded")
        assert answer.status < 500, path
        wrong += [f"{path} {name}: {found}" for found in page.evaluate(TOO_LONG)]
    assert not wrong, "\n".join(wrong)
