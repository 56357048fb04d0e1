// The director's line for results. Enter stores an entry in this browser and empties the box. Entries are sent in
// order; those behind a question about their table wait. No response changes the text being typed.

// Milliseconds in which a second press of a key is ignored.
const REPEAT_MS = 500;

const typingSection = document.querySelector("#typing");
const line = typingSection.querySelector("#line");
const { body } = document;

if (line) {
  const {
    dataset,
    action,
    elements: { entry: box },
  } = line;
  const url = new URL(action).pathname;
  const [messages, queue, hint] = ["messages", "queue", "hint"].map((id) => () => document.getElementById(id));
  const opened = document.getElementById("opened");
  // The line is ready when all its scripts are loaded. From then on it needs no network.
  const parts = [
    "./desk_tables.js",
    "./desk_keys.js",
    "./score_shorthand.js",
    document.querySelector("#outbox").dataset.storeUrl,
  ];
  const loading = parts.map((part) => import(part));
  const [{ deskTables }, { onDeleteKey }, { readPoints, whyRefused }, store] = await Promise.all(loading);
  const desk = deskTables(dataset, opened);
  // `stored`: all entries in this browser. `ownEntries`: those of this line, also refused and not yet stored ones.
  let ownEntries = [];
  let stored = [];
  const beingStored = new Set();
  const beingRemoved = new Set();
  // When the browser received a press, which may be before a busy page handles it: the latest press, the one that made
  // an entry, and the one that moved the focus to a question.
  let pressedAt = 0;
  let enteredAt = 0;
  let focusedAt = 0;
  let lastTable = 0;
  // The fields of the newest entry made here; null after it was taken back or discarded.
  let newestFields = null;
  // Whether the line was edited since the last Enter.
  let isTouched = false;

  const parsePoints = (points, round) => {
    const { target, games } = desk.formatOf(round);
    return readPoints(points, dataset.points, Number(target), Number(games));
  };

  function nextTable() {
    const typed = ownEntries.map((one) => new URLSearchParams(one.body).get("table"));
    const isOpen = ({ dataset: { status, table } }) => status !== "done" && !typed.includes(table);
    const openTables = desk.rows()
      .filter(isOpen)
      .map((row) => Number(row.dataset.table));
    return openTables.find((table) => table > lastTable) ?? openTables[0];
  }

  const newToken = () => crypto.getRandomValues(new Uint32Array(3)).join("");
  const tokenOf = ({ body: sent }) => new URLSearchParams(sent).get("token");
  const isMine = (one) => one.ordered && one.url === url;

  // Returns a table's number; an earlier round is named with it.
  const tableLabel = (round, table) => (round === desk.newest() ? table : `${table} (R${round})`);

  const takesBack = (fields) => Boolean(fields.get("take") || fields.get("of"));

  // Returns why the page refuses an entry without asking the server, or "".
  function reasonOf(fields) {
    if (takesBack(fields)) return "";
    const [round, table] = [fields.get("round"), fields.get("table")];
    const { fitting } = desk.parseEntry(/^\d+$/.test(table) ? `${round}/${table}` : table);
    if (!fields.get("pairs") && (fitting.length > 1 || !/^\d+$/.test(table))) return desk.noMatchText(table, fitting);
    if (!desk.rowOf(round, table)) return round === desk.newest() ? desk.noTableText(table) : "";
    const points = fields.get("points");
    return points ? whyRefused(points, dataset, desk.formatOf(round)) : "";
  }

  async function storeEntry(fields) {
    enteredAt = pressedAt;
    const table = fields.get("table");
    const isTakeBack = takesBack(fields);
    // The next table is the one after this, or the one whose entry was taken back.
    lastTable = (isTakeBack ? Number(table) - 1 : Number(table)) || lastTable;
    newestFields = isTakeBack ? null : fields;
    const place = tableLabel(fields.get("round"), table);
    const slip = [/^\d+$/.test(table) && dataset.what.replace("{table}", place), fields.get("named")];
    const slipLabel = slip.filter(Boolean).join(", ") || table;
    const label = isTakeBack ? dataset.takes.replace("{table}", place) : `${slipLabel}: ${desk.gamesOf(fields)}`;
    const entry = { url, body: String(fields), what: label, page: document.title, ordered: true };
    const reason = reasonOf(fields);
    beingStored.add(entry);
    show(stored);
    const entries = await store.change((all) => {
      const refused = all.find((one) => isMine(one) && tokenOf(one) === fields.get("token"));
      const { id } = refused ?? {};
      const corrected = { ...entry, ...(id && { id }), ...(reason && { why: reason }) };
      return refused ? all.map((one) => (one === refused ? corrected : one)) : [...all, corrected];
    });
    beingStored.delete(entry);
    show(entries);
    body.dispatchEvent(new Event("queued"));
  }

  function submitLine() {
    const text = box.value.trim();
    box.value = "";
    isTouched = false;
    if (!text) return advance();
    enteredAt = pressedAt;
    const parsed = desk.parseEntry(text);
    if (!parsed.points) {
      box.value = desk.openFitting(parsed);
      return;
    }
    opened.replaceChildren();
    const { fitting, ...slip } = parsed;
    const pairs = fitting.length === 1 ? fitting[0].dataset.pairs : "";
    storeEntry(new URLSearchParams({ token: newToken(), ...slip, pairs }));
  }

  // Whether the latest press repeats that of `time`.
  const isRepeatOf = (time) => pressedAt - time < REPEAT_MS;

  // Enter on an empty line moves to the open question, or opens the next table.
  function advance() {
    if (isRepeatOf(enteredAt)) return;
    const question = messages().querySelector("[data-asked]");
    const answer = question && desk.answerOf(question);
    if (answer) {
      focusedAt = pressedAt;
      answer.focus();
      answer.select?.();
    } else if (nextTable()) desk.open(desk.newest(), String(nextTable()));
  }

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("[data-slip], [data-taking]")) return;
    event.preventDefault();
    if (form === line) return submitLine();
    const fields = new URLSearchParams(new FormData(form, submitter));
    if (!takesBack(fields) && !desk.gamesOf(fields)) return;
    const hasTypedTable = form.elements.table.type !== "hidden" && !fields.get("pairs");
    const { round, fitting, named } = hasTypedTable ? desk.parseEntry(fields.get("table").trim()) : { fitting: [] };
    if (named) fields.set("named", named);
    if (fitting.length === 1) {
      fields.set("round", round);
      for (const name of ["table", "pairs"]) fields.set(name, fitting[0].dataset[name]);
    }
    if (!form.matches("[data-asked], [data-taking]")) fields.set("token", newToken());
    if (opened.contains(form)) opened.replaceChildren();
    storeEntry(fields);
    box.focus();
  });

  // Delete on the untouched line takes back the last entry made here.
  function takeBack() {
    const canTakeBack = !box.value && !isTouched && !isRepeatOf(enteredAt);
    if (!newestFields || !canTakeBack || messages().querySelector("[data-asked]")) return;
    const [of, round, table] = ["token", "round", "table"].map((name) => newestFields.get(name));
    storeEntry(new URLSearchParams({ token: `out-${of}`, of, round, table }));
  }

  // A held Enter key counts once. Enter pressed again within REPEAT_MS does not press the button that got the focus.
  typingSection.addEventListener("keydown", (event) => {
    pressedAt = event.timeStamp;
    const isRepeat = event.target.matches("button, a") && isRepeatOf(focusedAt);
    if (event.key === "Enter" && (event.repeat || isRepeat)) event.preventDefault();
    if (event.key !== "Escape") return;
    if (event.target === box) box.value = "";
    else if (opened.contains(event.target)) opened.replaceChildren();
    box.focus();
  });

  typingSection.addEventListener("click", async (event) => {
    // A key's click has detail 0. Its keydown has already set `pressedAt`.
    if (event.detail) pressedAt = event.timeStamp;
    const row = event.target.closest("li[data-table]");
    if (!row && !event.target.closest("[data-leave]")) return;
    event.preventDefault();
    const question = row?.closest("#messages")?.querySelector("[data-asked]");
    if (question) {
      for (const name of ["round", "table", "pairs"]) question.elements[name].value = row.dataset[name];
      return question.requestSubmit();
    }
    const points = opened.querySelector("[name=points]")?.value;
    if (row) return desk.open(row.dataset.round, row.dataset.table, points);
    const form = event.target.closest("form");
    const token = form.elements.token.value;
    if (newestFields?.get("token") === token) newestFields = null;
    if (opened.contains(form)) opened.replaceChildren();
    else messages().replaceChildren();
    box.focus();
    beingRemoved.add(token);
    await store.change((entries) => entries.filter((one) => !(isMine(one) && one.why && tokenOf(one) === token)));
    beingRemoved.delete(token);
    body.dispatchEvent(new Event("queued"));
  });

  typingSection.addEventListener("input", ({ target }) => {
    if (target === box) {
      isTouched = true;
      showHint();
    }
    const output = target.name === "points" && target.form.querySelector(".read");
    if (!output) return;
    const { games } = parsePoints(target.value, target.form.elements.round.value);
    output.textContent = games.map(([a, b, retour]) => `${a}:${b}${retour ? " R" : ""}`).join(", ");
  });

  // Without network, a table's row opens its form instead of its page.
  document.addEventListener("nonetwork", (event) => {
    const row = event.target.closest("li[data-table]");
    if (!row) return;
    event.preventDefault();
    desk.open(row.dataset.round, row.dataset.table);
  });

  function showQuestion(refused) {
    const question = messages().querySelector("[data-asked]");
    const token = refused && tokenOf(refused);
    if (question && question.elements.token.value === token) return;
    if (question) messages().replaceChildren();
    if (!refused) return;
    if (refused.asked) {
      messages().innerHTML = refused.asked;
      return;
    }
    const fields = new URLSearchParams(refused.body);
    const values = { named: "", take: "", of: "", ...Object.fromEntries(fields) };
    const template = takesBack(fields) ? "taking-form" : "asked-form";
    messages().replaceChildren(
      desk.fromTemplate(template, {
        ...values,
        points: desk.gamesOf(fields),
        why: `${refused.what}: ${refused.why}`,
      }),
    );
    showFittingTables();
  }

  // Lists the tables that the number or name of the open question fits, as they are now.
  function showFittingTables() {
    const { round, table, pairs } = messages().querySelector("[data-asked]")?.elements ?? {};
    if (table?.type !== "text" || pairs.value || messages().querySelector(".links")) return;
    messages().querySelector(".matches")?.remove();
    const { value } = table;
    const { fitting } = desk.parseEntry(/^\d+$/.test(value) ? `${round.value}/${value}` : value);
    if (fitting.length > 1) messages().append(desk.tableList(fitting));
  }

  function show(entries) {
    stored = entries;
    const mine = entries.filter(isMine);
    ownEntries = [...mine, ...[...beingStored].filter((one) => !mine.some((other) => tokenOf(other) === tokenOf(one)))];
    // An open question stays until it is answered, so that the answer does not go to another question.
    const refusals = mine.filter((one) => one.why && !beingRemoved.has(tokenOf(one)));
    const shown = messages().querySelector("[data-asked]")?.elements.token.value;
    const refused = refusals.find((one) => tokenOf(one) === shown) ?? refusals[0];
    showQuestion(refused);
    const others = ownEntries.filter((one) => one !== refused);
    const items = others.map((one) => {
      const isHeldBack = one.why || store.waitsBehindRefusal(one, ownEntries);
      const item = document.createElement("li");
      item.textContent = isHeldBack ? dataset.waits.replace("{entry}", one.what) : one.what;
      return item;
    });
    queue().replaceChildren(...items);
    showHint(Boolean(refused));
  }

  function showHint(isBlocked = line.classList.contains("blocked")) {
    const table = nextTable();
    const takesKeys = !matchMedia("(pointer: coarse)").matches;
    const [round, newestTable] = ["round", "table"].map((name) => newestFields?.get(name));
    const tableToTakeBack = takesKeys && newestFields && tableLabel(round, newestTable);
    line.classList.toggle("blocked", isBlocked);
    const hints = [
      table && dataset.next.replace("{table}", table),
      tableToTakeBack && dataset.back.replace("{table}", tableToTakeBack),
    ];
    hint().textContent = isBlocked ? dataset.askedFirst : box.value ? "" : hints.filter(Boolean).join(" · ");
  }

  onDeleteKey(box, takeBack);
  body.addEventListener("outbox", ({ detail }) => show(detail));
  line.dataset.ready = "";
  for (const eventName of ["htmx:sseMessage", "htmx:afterSettle"])
    body.addEventListener(eventName, () => {
      showHint();
      showFittingTables();
    });
}
