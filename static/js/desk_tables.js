// The tables on the desk's page, and the forms for their points.

// `dataset`: the line's texts and pattern. `opened`: the place of a table's form.
export function tables(dataset, opened) {
  const slips = new RegExp(dataset.slips, "iu");
  const namedSlips = new RegExp(dataset.namedSlips, "iu");
  // Returns the rows of the newest round.
  const rows = () => [...document.querySelectorAll("#live [data-search]")];
  // Returns the target and number of games of a round's matches.
  const formatOf = (round) => document.querySelector(`#live [data-games]:has([data-round="${round}"])`)?.dataset ?? {};
  const newest = () => rows()[0]?.dataset.round ?? dataset.round;
  const rowOf = (round, table) => document.querySelector(`#live li[data-round="${round}"][data-table="${table}"]`);
  const text = ({ textContent }) => textContent.trim();
  const sidesOf = (row) => [...row.querySelectorAll(".side")].map((side) => text(side).replace(" –", ""));

  const folded = (text) =>
    text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/(?<=[aou])e/g, "");

  // Returns the tables of players with all words of a name, or of the pair with a number such as P95.
  function tablesOf(name) {
    const words = name.split(/\s+/).map(folded).filter(Boolean);
    const [, pair] = /^p\.?\s*0*(\d+)$/i.exec(name.trim()) ?? [];
    const isMeant = (row) => {
      if (pair) return row.dataset.pairs.split(/\D/).includes(pair);
      const names = [...sidesOf(row), ...row.dataset.search.split(" – ")].map(folded);
      return names.some((name) => words.every((word) => name.includes(word)));
    };
    return words.length ? rows().filter(isMeant) : [];
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
  const noTable = (table) =>
    filled(dataset.noTable, { table, first: tableOf(rows()[0]), last: tableOf(rows().at(-1)) });
  const hitsOf = (name, hits) => (hits.length ? dataset.several : dataset.noName).replace("{table}", name);

  const isShown = (input) => input.getClientRects().length;
  const inputs = (form) => [...form.querySelectorAll("input:not([type=hidden])")].filter(isShown);

  // Returns the games of an entry as they were typed.
  function gamesOf(fields) {
    const sides = ["a", "b"].map((side) => fields.getAll(side));
    const boxes = sides[0].map((points, at) => `${points}:${sides[1][at]}`).filter((game) => game !== ":");
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
    copy.querySelector("[name=points]").value = points;
    opened.replaceChildren(copy);
    inputs(opened)[0]?.focus();
  }

  // The page stores points entered for an unknown table, then asks for the table.
  function openUnknown(table, at, remarks) {
    showForm(newest(), { table, at, remarks, a: "", b: "", more: "" });
    const form = opened.querySelector("form");
    form.classList.add("unknown");
    for (const rest of form.querySelectorAll(".at span, .by-hand, .answers a:not([data-leave])")) rest.remove();
    inputs(opened)[0]?.focus();
  }

  function open(round, table, points) {
    const row = rowOf(round, table);
    const at = dataset.what.replace("{table}", table);
    if (!row) return openUnknown(table, at, noTable(table));
    const [a, b] = sidesOf(row);
    const values = { table, a, b, at: round === newest() ? at : `R${round}, ${at}`, pairs: row.dataset.pairs };
    const remarks = [...row.querySelectorAll(".score, small:last-child")].map(text).join(" ");
    showForm(round, { ...values, remarks, more: row.querySelector("a").href }, points);
  }

  // Reads a name, with or without points. If the name fits one table, it is replaced by the table's number.
  function parseNamed(text) {
    const [, name = text, points = ""] = namedSlips.exec(text) ?? [];
    const hits = tablesOf(name);
    return { round: newest(), table: hits.length === 1 ? hits[0].dataset.table : name, points, hits };
  }

  // Reads text such as "Tisch 7 8" or a name. Returns its round, table, points and fitting tables.
  function parseEntry(text) {
    const [, named, slashed, table, points = ""] = slips.exec(text) ?? [];
    if (!table) return parseNamed(text);
    const round = String(Number(named ?? slashed ?? newest()));
    const number = String(Number(table));
    return { round, table: number, points, hits: atNumber(round, number) };
  }

  // Returns a list of fitting tables to choose from.
  function tableList(hits) {
    const list = document.createElement("ul");
    list.className = "matches";
    list.append(...hits.slice(0, 20).map((row) => row.cloneNode(true)));
    return list;
  }

  function openFitting({ round, table, hits }) {
    if (hits.length === 1) return open(round, hits[0].dataset.table);
    if (/^\d+$/.test(table) && !hits.length) return open(round, table);
    openUnknown(table, table, hitsOf(table, hits));
    opened.append(tableList(hits));
  }

  return {
    rows,
    newest,
    rowOf,
    formatOf,
    parseEntry,
    noTable,
    hitsOf,
    tableList,
    fromTemplate,
    inputs,
    gamesOf,
    open,
    openFitting,
  };
}
