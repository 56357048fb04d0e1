// The desk's line. Enter takes what was typed at once: it waits on this phone, is sent in its order, and the
// box is free for the next slip. No answer changes what is being typed. A refused entry keeps its question
// open, and those typed after it wait.

import { readPoints } from "./score_shorthand.js";

// Milliseconds in which a second Enter on an empty line is none.
const TREMBLING = 500;

const place = document.querySelector("#typing");
const line = place.querySelector("#line");
const { body } = document;

if (line) {
  const { dataset, action, elements: { entry: box } } = line;
  const url = new URL(action).pathname;
  const slips = new RegExp(dataset.slips, "iu");
  const storing = import(document.querySelector("#outbox").dataset.store);
  const [told, opened, queue, hint] = ["told", "opened", "queue", "hint"].map((id) => () => document.getElementById(id));
  // What was typed here and is not answered.
  let waiting = [];
  // The same, as this phone's store has it.
  let kept = [];
  // What is on its way into the store.
  const taken = new Set();
  // When Enter was pressed last.
  let last = 0;
  // When Enter led to a question.
  let led = -TREMBLING;
  let lastTable = 0;

  // Tables of the page

  // Of the newest round.
  const rows = () => [...document.querySelectorAll("#live [data-search]")];
  const match = () => document.querySelector("#live [data-target]").dataset;
  const read = (points) => readPoints(points, dataset.points, Number(match().target));
  const newest = () => rows()[0]?.dataset.round ?? dataset.round;
  const rowOf = (round, table) => document.querySelector(`#live li[data-round="${round}"][data-table="${table}"]`);
  const text = ({ textContent }) => textContent.trim();
  const sidesOf = (row) => [...row.querySelectorAll(".side")].map(text);

  function nextTable() {
    const typed = waiting.map((one) => new URLSearchParams(one.body).get("table"));
    const isOpen = ({ dataset: { status, table } }) => status !== "done" && !typed.includes(table);
    const open = rows().filter(isOpen).map((row) => Number(row.dataset.table));
    return open.find((table) => table > lastTable) ?? open[0];
  }

  const folded = (text) => text.normalize("NFKD").toLowerCase().replaceAll("ß", "ss").replace(/[^\p{L}\p{N}]/gu, "").replace(/(?<=[aou])e/g, "");

  // Tables at which all words of a name play, or the pair of a number such as P95.
  function found(name) {
    const words = name.split(/\s+/).map(folded).filter(Boolean);
    const [, pair] = /^p\.?\s*0*(\d+)$/i.exec(name.trim()) ?? [];
    const isMeant = (row) => {
      if (pair) return row.dataset.pairs.split(/\D/).includes(pair);
      const names = [...sidesOf(row), ...row.dataset.search.split(" – ")].map(folded);
      return names.some((name) => words.every((word) => name.includes(word)));
    };
    return words.length ? rows().filter(isMeant) : [];
  }

  // Forms made from a template, with what stands in braces filled in

  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

  function made(template, values) {
    const copy = document.getElementById(template).content.cloneNode(true);
    for (const element of copy.querySelectorAll("*")) {
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      for (const node of [...element.attributes, ...texts]) node.nodeValue = filled(node.nodeValue, values);
    }
    return copy;
  }

  function valuesOf(round, table, row) {
    const [a, b] = row ? sidesOf(row) : ["", ""];
    const at = dataset.what.replace("{table}", table);
    return {
      round,
      table,
      a,
      b,
      at: round === newest() ? at : `R${round}, ${at}`,
      pairs: row?.dataset.pairs ?? "",
      remarks: row ? [...row.querySelectorAll(".score, small:last-child")].map(text).join(" ") : dataset.noTable.replace("{table}", table),
      more: row?.querySelector("a").href ?? location.href,
    };
  }

  const inputs = (form) => [...form.querySelectorAll("input:not([type=hidden])")].filter((input) => input.getClientRects().length);

  function open(round, table) {
    const row = rowOf(round, table);
    opened().replaceChildren(made("slip-form", valuesOf(round, table, row)));
    inputs(opened())[0].focus();
  }

  // A name opens the one table it fits. Where it fits several, or none, the points typed next stay with it.
  function look(name) {
    const hits = found(name);
    if (hits.length === 1) return open(newest(), hits[0].dataset.table);
    opened().replaceChildren(made("slip-form", { ...valuesOf(newest(), name), at: name, remarks: hits.length ? "" : dataset.noName }));
    const list = document.createElement("ul");
    list.className = "matches";
    list.append(...hits.slice(0, 20).map((row) => row.cloneNode(true)));
    opened().append(list);
    inputs(opened())[0].focus();
  }

  // What was typed

  const random = () => crypto.getRandomValues(new Uint32Array(3)).join("");
  const tokenOf = ({ body: sent }) => new URLSearchParams(sent).get("token");
  const isMine = (one) => one.ordered && one.url === url;

  function gamesOf(fields) {
    const sides = ["a", "b"].map((side) => fields.getAll(side));
    const boxes = sides[0].map((points, at) => `${points}:${sides[1][at]}`).filter((game) => game !== ":");
    return fields.get("points") || boxes.join(" ");
  }

  // Why the page itself knows that an entry cannot be, or nothing.
  function refusal(fields) {
    const [round, table] = [fields.get("round"), fields.get("table")];
    if (!/^\d+$/.test(table)) return (found(table).length ? dataset.noTable : dataset.noName).replace("{table}", table);
    if (round !== newest()) return "";
    if (!rowOf(round, table)) return dataset.noTable.replace("{table}", table);
    if (!fields.get("points")) return "";
    const { games, rest } = read(fields.get("points"));
    if (rest) return dataset.unreadable.replace("{typed}", rest);
    return games.length === Number(match().games) ? "" : match().count.replace("{given}", games.length);
  }

  async function write(fields) {
    last = performance.now();
    lastTable = Number(fields.get("table")) || lastTable;
    const what = `${dataset.what.replace("{table}", fields.get("table"))}: ${gamesOf(fields)}`;
    const entry = { url, body: String(fields), what, ordered: true };
    const why = refusal(fields);
    taken.add(entry);
    show(kept);
    const store = await storing;
    const entries = await store.change((all) => {
      const asked = all.find((one) => isMine(one) && tokenOf(one) === fields.get("token"));
      const { id } = asked ?? {};
      const answer = { ...entry, ...(id && { id }), ...(why && { why }) };
      return asked ? all.map((one) => (one === asked ? answer : one)) : [...all, answer];
    });
    taken.delete(entry);
    show(entries);
    body.dispatchEvent(new Event("queued"));
  }

  function typed() {
    const text = box.value.trim();
    box.value = "";
    if (!text) return more();
    last = performance.now();
    const [, named, slashed, table, points] = slips.exec(text) ?? [];
    if (!table) return look(text);
    const round = String(Number(named ?? slashed ?? newest()));
    const number = String(Number(table));
    if (!points) return open(round, number);
    opened().replaceChildren();
    write(new URLSearchParams({ token: random(), round, table: number, points, pairs: rowOf(round, number)?.dataset.pairs ?? "" }));
  }

  // Enter on an empty line leads to what is asked, or opens the table that is shown as the next one.
  function more() {
    if (performance.now() - last < TREMBLING) return;
    const asked = told().querySelector("[data-asked]");
    const answer = asked?.querySelector("button[name]") ?? (asked && inputs(asked).at(-1));
    if (answer) {
      led = performance.now();
      answer.focus();
    } else if (nextTable()) open(newest(), String(nextTable()));
  }

  place.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    event.preventDefault();
    if (form === line) return typed();
    const fields = new URLSearchParams(new FormData(form, submitter));
    if (!gamesOf(fields)) return;
    if (!form.matches("[data-asked]")) fields.set("token", random());
    if (opened().contains(form)) opened().replaceChildren();
    write(fields);
    box.focus();
  });

  // A key that is held down is one Enter, and one that trembles answers no question.
  place.addEventListener("keydown", (event) => {
    const isTrembling = event.target.matches("button") && performance.now() - led < TREMBLING;
    if (event.key === "Enter" && (event.repeat || isTrembling)) event.preventDefault();
    if (event.key !== "Escape") return;
    if (event.target === box) box.value = "";
    else if (opened().contains(event.target)) opened().replaceChildren();
    box.focus();
  });

  place.addEventListener("click", async (event) => {
    const row = event.target.closest("li[data-table]");
    if (!row && !event.target.closest("[data-leave]")) return;
    event.preventDefault();
    if (row) return open(row.dataset.round, row.dataset.table);
    const form = event.target.closest("form");
    const token = form.elements.token.value;
    if (opened().contains(form)) opened().replaceChildren();
    else told().replaceChildren();
    box.focus();
    const store = await storing;
    await store.change((entries) => entries.filter((one) => !(isMine(one) && one.why && tokenOf(one) === token)));
    body.dispatchEvent(new Event("queued"));
  });

  place.addEventListener("input", ({ target }) => {
    const output = target.name === "points" && target.form.querySelector(".read");
    if (!output) return;
    const { games } = read(target.value);
    output.textContent = games.map(([a, b, retour]) => `${a}:${b}${retour ? " R" : ""}`).join("  ");
  });

  // A table's row opens it where the network would be needed for its page.
  document.addEventListener("nonetwork", (event) => {
    const row = event.target.closest("li[data-table]");
    if (!row) return;
    event.preventDefault();
    open(row.dataset.round, row.dataset.table);
  });

  // What became of it

  function showQuestion(refused) {
    const asked = told().querySelector("[data-asked]");
    const token = refused && tokenOf(refused);
    if (asked && asked.elements.token.value === token) return;
    if (asked) told().replaceChildren();
    if (!refused) return;
    const fields = new URLSearchParams(refused.body);
    const [round, table, points] = [fields.get("round"), fields.get("table"), gamesOf(fields)];
    told().replaceChildren(made("asked-form", { token, round, table, points, why: `${refused.what}: ${refused.why}` }));
  }

  function show(entries) {
    kept = entries;
    const mine = entries.filter(isMine);
    waiting = [...mine, ...[...taken].filter((one) => !mine.some((other) => tokenOf(other) === tokenOf(one)))];
    const refused = mine.find(({ why }) => why);
    showQuestion(refused);
    queue().replaceChildren(...waiting.filter((one) => one !== refused).map(({ what }) => {
      const item = document.createElement("li");
      item.textContent = what;
      return item;
    }));
    hinted(Boolean(refused));
  }

  function hinted(isBlocked) {
    const table = nextTable();
    line.classList.toggle("blocked", isBlocked);
    hint().textContent = isBlocked ? dataset.askedFirst : table ? dataset.next.replace("{table}", table) : "";
  }

  body.addEventListener("outbox", ({ detail }) => show(detail));
  line.dataset.ready = "";
  for (const news of ["htmx:sseMessage", "htmx:afterSettle"]) body.addEventListener(news, () => hinted(line.classList.contains("blocked")));
}
