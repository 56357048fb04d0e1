// What an eye or a finger finds wrong on a page. Each function is called by its name from tests
// (probes.py), and answers what it has found: an empty list where nothing is wrong.

const all = (query) => [...document.querySelectorAll(query)];
const words = (nodes) => nodes.map((node) => node.textContent);
const boxOf = (node) => node.getBoundingClientRect();

// How far the page runs over its side.
function overflow() {
  const { scrollWidth, clientWidth } = document.documentElement;
  return Math.max(0, scrollWidth - clientWidth);
}

// The boxes of those elements that are visible.
function boxes(nodes) {
  const seen = nodes.filter((node) => node.checkVisibility({ visibilityProperty: true }));
  return seen.map((node) => boxOf(node).toJSON()).filter((box) => box.width);
}

// The texts of an element, one after the other.
function* textsOf(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}

// The boxes of the letters of a text from one place to another, each line its own.
function boxesOf(text, from, to) {
  const range = document.createRange();
  range.setStart(text, from);
  range.setEnd(text, to);
  return [...range.getClientRects()].filter((box) => box.width);
}

// Whether boxes stand on several lines.
function onSeveralLines(boxes) {
  return new Set(boxes.map((box) => Math.round(box.top))).size > 1;
}

// How far a page runs over, what is too small on it, what is too thin, and what begins above it.
function misfits() {
  // The whole pack stands on one screen: its cards are as high as a finger, and narrower.
  const narrow = (node) => (node.matches(".pick") ? 34 : 43.5);
  // A choice is as large as what is drawn of it, not as the label around it.
  const painted = (node) =>
    node.parentNode.querySelector(".choice > span") ?? node.closest("label") ?? node;
  // What a finger must hit: every control that is seen, except links inside a sentence and the small
  // marks of rules, which stand in lines of text (WCAG 2.5.8 exempts both).
  const named = ({ node, box }) => `${node.outerHTML.slice(0, 80)} ${box.width}x${box.height}`;
  const links = ":is(.bar, .foot, .mine, .back, .elsewhere, .tabs) a";
  const small = all(`button, summary, select, input, ${links}`)
    .filter((node) => node.checkVisibility() && node.type !== "hidden")
    .filter((node) => !node.closest(".rule, .sr"))
    .map((node) => ({ node, box: boxOf(painted(node)) }))
    .filter(({ node, box }) => box.width && (box.height < 43.5 || box.width < narrow(node)))
    .map(named);
  // What is too thin for anybody: any link or button but one within a sentence, which is as high as
  // its line.
  const flows = (node) => getComputedStyle(node).display === "inline";
  const block = (node) => (flows(node) ? block(node.parentElement) : node);
  const told = (node) => {
    const rest = block(node).cloneNode(true);
    rest.querySelectorAll("a, button, summary, details, .sr").forEach((part) => part.remove());
    return rest.textContent;
  };
  const within = (node) => flows(node) && /\p{L}{2}/u.test(told(node));
  const seen = (node) => node.checkVisibility() && !node.closest(".sr");
  const thin = all("a[href], button, summary").filter(seen)
    .map((node) => ({ node, box: boxOf(node) }))
    .filter(({ box }) => box.width && Math.min(box.width, box.height) < 23.5)
    .filter(({ node }) => !within(node))
    .map(named);
  // What begins above the page, where nobody can scroll to.
  const above = all("h1, a[href], button").filter(seen)
    .filter((node) => boxOf(node).top + scrollY < 0)
    .map((node) => node.outerHTML.slice(0, 80));
  return [overflow(), small, thin, above];
}

// Buttons whose words do not stand within them, and words of a button that are broken in two: they
// may stand on several lines. A word with which one of these names begins may be broken.
function tooLong(names) {
  const found = [];
  const buttons = "button, .button, .tap, .tool, .chip, summary, nav a, .bar a, .foot a, " +
    ".segment > span, .segments legend, .scores thead th:not([dir])";
  for (const node of all(buttons)) {
    if (!node.checkVisibility() || node.closest(".sr, .across:not(:has(.scores)), .rule")) continue;
    const name = `${node.tagName} ${node.className} "${node.innerText.trim()}"`;
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = node;
    if (clientWidth && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1))
      found.push(`${name}: ${scrollWidth}x${scrollHeight} in ${clientWidth}x${clientHeight}`);
    for (const text of textsOf(node)) {
      for (const { 0: word, index } of text.data.matchAll(/[\p{L}’']{2,}/gu)) {
        if (names.some((long) => long.startsWith(word))) continue;
        if (onSeveralLines(boxesOf(text, index, index + word.length)))
          found.push(`${name}: ${word} is broken`);
      }
    }
  }
  return found;
}

// Words that stand on two lines; what has a hyphen may, and an address is no word.
function broken() {
  const found = [];
  for (const text of textsOf(document.body)) {
    if (!text.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\s–-]+/g)) {
      if (!word.includes("/") && onSeveralLines(boxesOf(text, index, index + word.length)))
        found.push(word);
    }
  }
  return found;
}

// Words of names and results that are broken. What no line holds is broken, but into pieces that
// can be read.
function brokenNames() {
  const found = [];
  for (const node of all("[dir=auto], .boxes th, .boxes td, .games, .name")) {
    const letter = parseFloat(getComputedStyle(node).fontSize);
    for (const text of [...node.childNodes].filter((child) => child.nodeType === 3)) {
      for (const { 0: word, index } of text.data.matchAll(/[^\s-]+/g)) {
        const boxes = boxesOf(text, index, index + word.length);
        if (onSeveralLines(boxes) && (word.length < 16 || boxes[0].width < 6 * letter))
          found.push(word);
      }
    }
  }
  return found;
}

// What has to be pushed aside to be read.
function aside() {
  return words(all(".across").filter((part) => part.scrollWidth > part.clientWidth + 1));
}

// What ends in an ellipsis or is cut off below; what flows in a line has no box to be cut by.
function ending(query) {
  return words(all(query).filter((node) => node.clientWidth && node.scrollWidth > node.clientWidth ||
    node.clientHeight && node.scrollHeight > node.clientHeight + 1));
}

// What is cut off below, whatever its width.
function cutBelow(query) {
  return words(all(query).filter((node) => node.scrollHeight > node.clientHeight + 1));
}

// What is tapped or read from afar, and does not stand whole on the screen.
function cut(query) {
  return all(query)
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => {
      const box = boxOf(node);
      const frame = node.closest(".slate, .sums, .round-info")?.getBoundingClientRect();
      const { top, right, bottom } = frame ?? { top: 0, right: innerWidth, bottom: innerHeight };
      const out = box.top < top - 1 || box.bottom > bottom + 1 || box.right > right + 1;
      return out || (node.matches(".tap, .tool") && node.scrollHeight > node.clientHeight + 1);
    })
    .map((node) => node.outerHTML.slice(0, 120));
}

// Rows of which the slate shows a part.
function halved() {
  return words(all(".writer-table .slate-row").filter((row) => {
    const [box, { top }] = [boxOf(row), boxOf(row.closest(".scroll"))];
    return box.top < top - 1 && box.bottom > top + 1;
  }));
}

// How much of the screen each bar covers that stands where it does only because it sticks there.
function stuck() {
  return all("main, main *")
    .filter((node) => getComputedStyle(node).position === "sticky" && node.checkVisibility())
    .map((node) => {
      const place = boxOf(node);
      node.style.position = "static";
      const { top } = boxOf(node);
      node.style.position = "";
      return Math.abs(top - place.top) > 1 ? place.height / innerHeight : 0;
    });
}

// Texts whose letters are lower than three hundredths of the screen.
function faint() {
  const found = [];
  for (const text of textsOf(document.body)) {
    const { parentElement: box } = text;
    if (!text.data.trim() || box.closest(".sr") || !box.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(box).fontSize);
    if (size < innerHeight * 0.03 - 0.1) found.push(`${text.data.trim()} ${size}`);
  }
  return found;
}

// Cells of a ledger that end right of the screen.
function beyond() {
  return words(all(".account-table :is(th, td)").filter((cell) => boxOf(cell).right > innerWidth));
}

// Which of these lie over each other, or run out of the page at its sides.
function covered(query) {
  const boxes = all(query).map((node) => [node.textContent.trim(), boxOf(node)]);
  const { left, right } = boxOf(document.querySelector("main"));
  const out = boxes.filter(([, box]) => box.left < left || box.right > right);
  const over = boxes.filter(([, a], at) => boxes.slice(at + 1).some(([, b]) =>
    a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom));
  return [...out, ...over].map(([text]) => text);
}

// Which of these stand nearer to another than a finger needs: 8 pixels.
function crowded(query) {
  const boxes = all(query).filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .map((node) => [node.textContent.trim(), boxOf(node)]);
  const apart = (a, b) => Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
  return boxes.flatMap(([text, a], at) => boxes.slice(at + 1)
    .filter(([, b]) => apart(a, b) < 7.4)
    .map(([other]) => `${text} / ${other}`));
}

// Pieces of text that stand on others, as far as they are seen.
function overprinted() {
  const boxes = [];
  const seen = (box, node) => {
    if (!node) return box;
    const { left, right, top, bottom } = boxOf(node);
    const clips = getComputedStyle(node).overflowY !== "visible";
    const part = clips && {
      left: Math.max(box.left, left),
      right: Math.min(box.right, right),
      top: Math.max(box.top, top),
      bottom: Math.min(box.bottom, bottom),
    };
    return seen(part || box, node.parentElement);
  };
  for (const text of textsOf(document.body)) {
    const { parentElement: parent } = text;
    if (!text.data.trim() || parent.closest(".sr, script") || !parent.checkVisibility()) continue;
    for (const box of boxesOf(text, 0, text.length))
      boxes.push([text.data.trim(), seen(box, parent)]);
  }
  return boxes.flatMap(([text, a], at) => boxes.slice(at + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4,
  ).map(([other]) => `${text} / ${other}`));
}

// Fields that do not show all of what is typed in them.
function wider(query) {
  return all(query).filter((input) => input.scrollWidth > input.clientWidth)
    .map((input) => input.value);
}

// A pen that writes as an element does, to measure words with.
function penOf(node) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(node).font;
  return pen;
}

// Choices of which one is longer than its box, beside the arrow.
function cutChoices() {
  return all("select").filter((select) => {
    const [pen, arrow] = [penOf(select), 16];
    const room = select.clientWidth - arrow - parseFloat(getComputedStyle(select).paddingLeft);
    return [...select.options].some((option) => pen.measureText(option.text).width > room);
  }).map((select) => select.name);
}

// Words that are longer than the box they stand in.
function torn(query) {
  return all(query).flatMap((node) => node.textContent.split(/\s+/)
    .filter((word) => penOf(node).measureText(word).width > boxOf(node).width + 1));
}

// The buttons of a screen, each with its box, whose column it stands in and what it writes.
function buttons(query) {
  return all(query).map((button) => ({
    box: boxOf(button).toJSON(),
    raises: button.matches(".raise"),
    answers: button.matches(".answer"),
    column: button.parentElement.ariaLabel,
    value: button.value,
  }));
}

// What takes a tap where these buttons stood, their edges aside, once nothing guards it any more.
function takes(places) {
  document.getAnimations().forEach((guard) => guard.finish());
  const taken = (x, y) => document.elementFromPoint(x, y)?.closest("#board button")?.textContent;
  return places.flatMap(({ left, right, top, bottom }) =>
    [left + 4, (left + right) / 2, right - 4].flatMap((x) =>
      [top + 4, (top + bottom) / 2, bottom - 4].map((y) => taken(x, y)))).filter(Boolean);
}

// Where each pair's number stands in a row of the desk, and whether its name stands beside it.
function numbered() {
  return all(".matches > li").map((row) =>
    [...row.querySelectorAll("bdi > small")].map((number) => {
      const name = document.createRange();
      name.selectNodeContents(number.nextElementSibling);
      const [own, beside] = [boxOf(number), name.getClientRects()[0]];
      return [number.textContent, own.bottom > beside.top && own.top < beside.bottom];
    }));
}

// How far the ink of a name's first and last line stands out of the box that cuts it.
function ink(query) {
  return all(query).map((name) => {
    const [letters, edge] = [penOf(name).measureText("ÄÖÜgj"), boxOf(name)];
    const baseline = (at) => {
      const mark = document.createElement("i");
      mark.style.cssText = "display: inline-block; width: 0; height: 0";
      // The last player of a pair is a block of its own.
      const line = at === "append" ? (name.querySelector(":scope > bdi:last-child") ?? name) : name;
      line[at](mark);
      const { bottom } = boxOf(mark);
      mark.remove();
      return bottom;
    };
    return Math.max(edge.top - baseline("prepend") + letters.actualBoundingBoxAscent,
      baseline("append") + letters.actualBoundingBoxDescent - edge.bottom);
  });
}

// What part of its sheet the slips of the first sheet take.
function filled() {
  const slips = all(".slips .slip");
  const areas = slips.map(boxOf).map(({ width, height }) => width * height);
  const taken = areas.reduce((sum, area) => sum + area);
  return taken / (boxOf(slips[0].parentElement).width ** 2 * 275 / 190);
}

// What of a slip stands outside of it or on something else.
function slipFaults() {
  return all(".slip").flatMap((slip) => {
    const [body, end, table, place] = [".slip-body", "footer", "table", ".table-number"]
      .map((part) => boxOf(slip.querySelector(part)));
    const names = [...slip.querySelectorAll(".slip-name")];
    const [first, second] = [...slip.querySelectorAll("tbody tr:first-child .box")]
      .map((one) => boxOf(one).width);
    const parts = [...slip.querySelectorAll("table, .codes, .slip-code, footer")];
    const heads = [...slip.querySelectorAll(".slip-round > span + *")];
    const faults = {
      "boxes of two widths": Math.abs(first - second) >= 1,
      "a head over the number": heads.some((part) => boxOf(part).right > place.left),
      "a name cut": names.some((name) => !name.textContent.includes("WW") &&
        name.scrollHeight > name.clientHeight + 1),
      "a short name in small print": names.some((name) => name.textContent.length <= 40 &&
        parseFloat(getComputedStyle(name).fontSize) <= 11),
      "a body over its foot": table.bottom > end.top || body.bottom > end.top,
      "a part below the slip": parts.some((part) => boxOf(part).bottom > boxOf(slip).bottom),
    };
    return Object.keys(faults).filter((fault) => faults[fault]);
  });
}

// Opens all that a tap would, one after the other; how many there were.
function unfold() {
  // Of some only one is open at a time; a look wants them all.
  for (const details of all("details[name]")) details.removeAttribute("name");
  const closed = (summary) => summary.checkVisibility() && !summary.parentNode.open;
  return all("main details:not(.rule) > summary").filter((summary) => closed(summary) && !summary.click()).length;
}

// Which of these are not on the screen as a whole. Looks with each picture drawn, for a minute at
// most, until all of them are in sight.
async function outOfSight(nodes) {
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
    const out = (await look()).filter((seen) => seen.intersectionRatio < 1 - 1e-9);
    if (!out.length || performance.now() > end)
      return out.map(({ target }) => target.outerHTML.slice(0, 120));
  }
}

// The texts within one element that another one covers.
function coveredBy(cover, within) {
  const edges = boxOf(document.querySelector(cover));
  const isCovered = (box) => box.right > edges.left && box.left < edges.right &&
    box.bottom > edges.top && box.top < edges.bottom;
  return [...textsOf(document.querySelector(within))]
    .filter((text) => text.parentElement.checkVisibility())
    .filter((text) => boxesOf(text, 0, text.length).some(isCovered))
    .map((text) => text.data.trim()).filter(Boolean);
}

// Takes away drawn lines and shades: they hide the ground from axe, which then says nothing of what
// stands on it.
function plain() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".slate, .across { background-image: none; }");
  document.adoptedStyleSheets = [sheet];
}

// What axe finds by these rules, or by all of them; the page has read axe before.
async function judged(rules) {
  const asked = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await axe.run(asked);
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]);
}

// Lifts the edges of these that cut no word off: what is drawn stays the same, unless they cut a letter.
function unbound(query) {
  for (const node of all(query)) {
    const { clientWidth, clientHeight, scrollWidth, scrollHeight } = node;
    if (scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 3) node.style.overflow = "visible";
  }
}
