// The tables on the desk's page, and the forms for their points.

// Names are compared as in scorer/tournament/name_matching.py: ä is like ae.
const wordsOf = (text) =>
  text
  .normalize("NFKD")
  .toLowerCase()
  .replaceAll("ß", "ss")
  .replace(/\p{M}/gu, "")
  .replace(/(?<=[aou])e/g, "")
  .match(/[\p{L}\p{N}]+/gu) ?? [];

// Returns 3 if all words of the query are words of a name, 2 if words begin with them, 1 if they are within words,
// else 0.
export function wordFit(name, query) {
  const [words, typed] = [name, query].map(wordsOf);
  if (!typed.length) return 0;
  if (typed.every((part) => words.includes(part))) return 3;
  if (typed.every((part) => words.some((word) => word.startsWith(part)))) return 2;
  return Number(typed.every((part) => words.join("").includes(part)));
}

// `dataset`: the line's texts and pattern. `opened`: the place of a table's form.
export function deskTables(dataset, opened) {
  const slips = new RegExp(dataset.slips, "iu");
  const namedSlips = new RegExp(dataset.namedSlips, "iu");
  // Returns the rows of the newest round.
  const rows = () => [...document.querySelectorAll("#live [data-search]")];
  // Returns the target and number of games of a round's matches.
  const formatOf = (round) => document.querySelector(`#live [data-games]:has([data-round="${round}"])`)?.dataset ?? {};
  const newest = () => rows()[0]?.dataset.round ?? dataset.round;
  const rowOf = (round, table) => document.querySelector(`#live li[data-round="${round}"][data-table="${table}"]`);
  const textOf = ({ textContent }) => textContent.trim();
  const sidesOf = (row) => [...row.querySelectorAll(".side")].map((side) => textOf(side).replace(/\s–$/, ""));

  // Returns the tables that a name, or the number of a pair such as P95, fits best; first those without a result.
  function tablesOf(name) {
    const [, pair] = /^p\.?\s*0*(\d+)$/i.exec(name.trim()) ?? [];
    const fitOf = (row) => {
      if (pair) return Number(row.dataset.pairs.split(/\D/).includes(pair));
      return Math.max(...[...sidesOf(row), ...row.dataset.search.split(" – ")].map((one) => wordFit(one, name)));
    };
    const fits = rows().map((row) => ({ row, fit: fitOf(row) }));
    const best = Math.max(1, ...fits.map(({ fit }) => fit));
    const isDone = ({ dataset: { status } }) => Number(status === "done");
    return fits
      .filter(({ fit }) => fit === best)
      .map(({ row }) => row)
      .sort((one, other) => isDone(one) - isDone(other));
  }

  // Forms made from a template, with values for the names in braces

  const filled = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

  function fill(tree, values) {
    for (const element of tree.querySelectorAll("*")) {
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      for (const node of [...element.attributes, ...texts]) node.nodeValue = filled(node.nodeValue, values);
    }
  }

  function fromTemplate(template, values) {
    const copy = document.getElementById(template).content.cloneNode(true);
    fill(copy, values);
    return copy;
  }

  // In a round of several waves, several tables can have one number.
  const atNumber = (round, table) => [
    ...document.querySelectorAll(`#live li[data-round="${round}"]:is([data-table="${table}"], [data-seat="${table}"])`),
  ];
  const tableOf = (row) => row?.dataset.table ?? 0;
  // Sentences that say why a number or a name leads to no table
  const noTableText = (table) =>
    filled(dataset.noTable, { table, first: tableOf(rows()[0]), last: tableOf(rows().at(-1)) });
  const noMatchText = (name, fitting) => (fitting.length ? dataset.several : dataset.noName).replace("{table}", name);

  const isShown = (input) => input.getClientRects().length;
  const inputs = (form) => [...form.querySelectorAll("input:not([type=hidden])")].filter(isShown);

  // Returns the button or field that answers a question: the field for the table if that is not known yet.
  function answerOf(question) {
    const { table } = question.elements;
    const isUnknown = table?.type === "text" && !rowOf(question.elements.round.value, table.value);
    const field = isUnknown ? table : inputs(question).at(-1);
    return question.querySelector("button[name]") ?? field ?? question.querySelector("button, a");
  }

  // Returns the games of an entry as they were typed.
  function gamesOf(fields) {
    const sides = ["a", "b"].map((side) => fields.getAll(side));
    const boxes = sides[0].map((points, index) => `${points}:${sides[1][index]}`).filter((game) => game !== ":");
    return fields.get("points") || boxes.join(" ");
  }

  // Shows the form for a table's points, with a row of boxes for each game of its round.
  function showForm(round, values, points = "") {
    const copy = fromTemplate("slip-form", { round, pairs: "", ...values });
    const row = copy.querySelector(".boxes tbody tr");
    for (let n = Number(formatOf(round).games); n; n--) {
      const game = row.cloneNode(true);
      fill(game, { n });
      row.after(game);
    }
    row.remove();
    const typed = copy.querySelector("[name=points]");
    typed.value = points;
    opened.replaceChildren(copy);
    // The form shows how it reads the points, for its first pair.
    if (points) typed.dispatchEvent(new Event("input", { bubbles: true }));
    inputs(opened)[0]?.focus();
  }

  // The page stores points entered for an unknown table, then asks for the table.
  function openUnknown(table, at, remarks) {
    showForm(newest(), { table, at, remarks, a: "", b: "", more: "" });
    const form = opened.querySelector("form");
    form.classList.add("unknown");
    for (const extra of form.querySelectorAll(".at span, .by-hand, .answers a:not([data-leave])")) extra.remove();
    inputs(opened)[0]?.focus();
  }

  function open(round, table, points) {
    const row = rowOf(round, table);
    const at = dataset.what.replace("{table}", table);
    if (!row) return openUnknown(table, at, noTableText(table));
    const [a, b] = sidesOf(row);
    const values = { table, a, b, at: round === newest() ? at : `R${round}, ${at}`, pairs: row.dataset.pairs };
    const remarks = [...row.querySelectorAll(".score, small:last-child")].map(textOf).join(" ");
    showForm(round, { ...values, remarks, more: row.querySelector("a").href }, points);
  }

  // Reads a name, with or without points. `table` is the table's number if the name fits one, else the name.
  function parseNamed(text) {
    const [, name = text, points = ""] = namedSlips.exec(text) ?? [];
    const fitting = tablesOf(name);
    const table = fitting.length === 1 ? fitting[0].dataset.table : name;
    return { round: newest(), table, points, fitting, named: name, earlier: "" };
  }

  // Reads text such as "Tisch 7 8" or a name. Returns its round, table, points, fitting tables, the name or "", and the
  // round if it was typed, else "".
  function parseEntry(text) {
    const [, roundByLetter, roundBySlash, table, points = ""] = slips.exec(text) ?? [];
    if (!table) return parseNamed(text);
    const typedRound = roundByLetter ?? roundBySlash;
    const round = String(Number(typedRound ?? newest()));
    const number = String(Number(table));
    const earlier = typedRound ? round : "";
    return { round, table: number, points, fitting: atNumber(round, number), named: "", earlier };
  }

  // Returns a list of fitting tables to choose from.
  function tableList(fitting) {
    const list = document.createElement("ul");
    list.className = "matches";
    list.append(...fitting.slice(0, 20).map((row) => row.cloneNode(true)));
    return list;
  }

  // Shows the form of the one fitting table, else a form for the points and the tables to choose from. Returns the text
  // that stays on the line: a name that fits nothing.
  function openFitting({ round, table, fitting }) {
    if (fitting.length === 1) open(round, fitting[0].dataset.table);
    else if (fitting.length) {
      openUnknown(table, table, noMatchText(table, fitting));
      opened.append(tableList(fitting));
    } else if (/^\d+$/.test(table)) open(round, table);
    else {
      const sentence = document.createElement("p");
      sentence.className = "notice";
      sentence.role = "status";
      sentence.textContent = noMatchText(table, fitting);
      opened.replaceChildren(sentence);
      return table;
    }
    return "";
  }

  return {
    rows,
    newest,
    rowOf,
    formatOf,
    parseEntry,
    noTableText,
    noMatchText,
    tableList,
    fromTemplate,
    inputs,
    answerOf,
    gamesOf,
    open,
    openFitting,
  };
}
