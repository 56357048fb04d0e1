"""What an eye sees on a screen: each in one look, however many things it looks at."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

# Opens all that a tap would, one after the other.
UNFOLD = """() => {
  const summaries = [...document.querySelectorAll("main details:not(.rule) > summary")];
  const seen = summaries.filter((summary) => summary.checkVisibility() && !summary.click());
  return seen.length;
}"""
# Looks with each picture drawn, for a minute at most, until all of them are in sight.
CUT = """async (nodes) => {
  const look = () => new Promise((done) => {
    const watch = new IntersectionObserver((seen) => {
      watch.disconnect();
      done(seen);
    });
    nodes.forEach((node) => watch.observe(node));
    requestAnimationFrame(() => {});
  });
  const end = performance.now() + 60000;
  for (;;) {
    const cut = (await look()).filter((seen) => seen.intersectionRatio < 1 - 1e-9);
    if (!cut.length || performance.now() > end)
      return cut.map(({ target }) => target.outerHTML.slice(0, 120));
  }
}"""


def unfold(page: Page) -> int:
    """Open what can be opened; how many there were."""
    return page.evaluate(UNFOLD)


def in_sight(parts: Locator) -> None:
    """There are some of these, and each is on the screen as a whole."""
    assert parts.count()
    assert parts.evaluate_all(CUT) == []
