// Keeps forms without network. Results and marks wait in order, one for each table or mark; the newest input is sent.
// A form that cannot wait keeps its input and shows a notice.

const field = ({ body }, name) => new URLSearchParams(body).get(name);
const formOf = (button) => button.form ?? button;

const isSamePlace = (one, other) =>
  one.url === other.url && field(one, "mark") === field(other, "mark");

function isSame(one, other) {
  const [first, second] = [one, other].map(({ body }) => new URLSearchParams(body));
  first.delete("token");
  second.delete("token");
  return String(first) === String(second);
}

// Gives the form a new token for its next entry.
export function renewToken(button) {
  const { token } = formOf(button).elements ?? {};
  const [name] = token?.value.split(".") ?? [];
  if (token) token.value = `${name}.${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
}

// Returns an entry's text for notices. A form with `what` adds that name and the typed games.
function labelOf({ what: name }, entry) {
  if (!name) return entry.what;
  const body = new URLSearchParams(entry.body);
  const [first, second] = ["a", "b"].map((side) => body.getAll(side));
  const games = first.map((points, at) => `${points}:${second[at]}`).filter((game) => game !== ":");
  return [name, games.join(" ") || entry.what].join(": ");
}

// Returns an entry with its text for notices.
export const withLabel = (entry, button) => ({ ...entry, what: labelOf(formOf(button).dataset, entry) });

// Returns which of two entries for one table or mark counts: the newer, or the waiting one if they are equal. Returns
// false if they belong to different ones.
export const newer = (one, entry) => isSamePlace(one, entry) && (isSame(one, entry) ? one : entry);

// The form that somebody typed in since the last submit.
let typing = null;
addEventListener("input", ({ target }) => (typing = target.form));
addEventListener("submit", () => (typing = null));

// Shows the response to an entry in its form's place, unless somebody types there. `answerPage` is the response's
// document. The desk's line shows its questions itself, and an open one stays.
export function answered(path, text, answerPage, headers) {
  const form = document.querySelector(`[hx-post="${path}"], #line[action="${path}"]`);
  const isHere = path === location.pathname;
  const select = form?.id === "line" ? "#messages" : (form?.getAttribute("hx-target") ?? "#match");
  const target = form || isHere ? document.querySelector(select) : null;
  if (target?.contains(typing)) return;
  if (form?.id === "line" && [target, answerPage].some((page) => page?.querySelector("[data-asked]"))) return;
  const redirect = headers.get("HX-Redirect");
  if (target && answerPage && answerPage.querySelector(select)) {
    const selectOOB = form?.closest("[hx-select-oob]")?.getAttribute("hx-select-oob");
    htmx.swap(select, text, { swapStyle: "outerHTML" }, { select, selectOOB });
  } else if (isHere && redirect) location.assign(redirect);
}

export function names(waiting) {
  const more = waiting.length > 3 ? ` … (${waiting.length})` : "";
  const first = waiting.slice(0, 3).map(({ what }) => what);
  return first.join(", ") + more;
}

// Marks the buttons whose marks wait.
export function show(waiting) {
  const marks = waiting.map((one) => `${one.url} ${field(one, "mark")}`);
  for (const button of document.querySelectorAll("[name=mark]")) {
    button.toggleAttribute("data-waits", marks.includes(`${button.getAttribute("hx-post")} ${button.value}`));
  }
}

// Without network, sending a plain form would lose its page and all input. So it is sent only if the server
// answers, else a notice is shown.
export function keepForms(needsNetwork, isUp) {
  const checked = new WeakSet();
  addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || checked.delete(form)) return;
    event.preventDefault();
    if (await isUp()) {
      checked.add(form);
      form.requestSubmit(submitter);
    } else needsNetwork(submitter);
  });
}
