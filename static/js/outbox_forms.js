// Forms without network. Results and marks wait in order, one for each table or mark; the newest input is sent.
// A form that cannot wait keeps its input and shows a notice.

const field = ({ body }, name) => new URLSearchParams(body).get(name);
const formOf = (button) => button.form ?? button;

const isAgain = (one, other) =>
  one.url === other.url && field(one, "mark") === field(other, "mark");

function isSame(one, other) {
  const [first, second] = [one, other].map(({ body }) => new URLSearchParams(body));
  first.delete("token");
  second.delete("token");
  return String(first) === String(second);
}

// The next entry of this form needs a new token.
export function rename(button) {
  const { token } = formOf(button).elements ?? {};
  const [name] = token?.value.split(".") ?? [];
  if (token) token.value = `${name}.${crypto.getRandomValues(new Uint32Array(2)).join("")}`;
}

// What was typed or tapped, as one reads it. The desk's forms say whose it is: there many may wait.
function told({ what }, entry) {
  if (!what) return entry.what;
  const body = new URLSearchParams(entry.body);
  const [first, second] = ["a", "b"].map((side) => body.getAll(side));
  const games = first.map((points, at) => `${points}:${second[at]}`).filter((game) => game !== ":");
  return [what, games.join(" ") || entry.what].join(": ");
}

// An entry with what was typed in it.
export const named = (entry, button) => ({ ...entry, what: told(formOf(button).dataset, entry) });

// Of two entries for the same table or mark, the newer one replaces the waiting one.
export const merged = (one, entry) => isAgain(one, entry) && (isSame(one, entry) ? one : entry);

// A form in which something was typed since it was sent.
let typing = null;
addEventListener("input", ({ target }) => (typing = target.form));
addEventListener("submit", () => (typing = null));

// Shows in its place what came of something that waited, unless somebody types there now. `found` is the
// page it was answered with. The desk's line shows its questions itself, and an open one stays.
export function answered(path, text, found, headers) {
  const form = document.querySelector(`[hx-post="${path}"], #line[action="${path}"]`);
  const isHere = path === location.pathname;
  const select = form?.id === "line" ? "#told" : (form?.getAttribute("hx-target") ?? "#standing");
  const place = form || isHere ? document.querySelector(select) : null;
  if (place?.contains(typing)) return;
  if (form?.id === "line" && [place, found].some((page) => page?.querySelector("[data-asked]"))) return;
  const led = headers.get("HX-Redirect");
  if (place && found && found.querySelector(select)) {
    const selectOOB = form?.closest("[hx-select-oob]")?.getAttribute("hx-select-oob");
    htmx.swap(select, text, { swapStyle: "outerHTML" }, { select, selectOOB });
  } else if (isHere && led) location.assign(led);
}

export function names(waiting) {
  const more = waiting.length > 3 ? ` … (${waiting.length})` : "";
  const first = waiting.slice(0, 3).map(({ what }) => what);
  return first.join(", ") + more;
}

// A button shows that its mark waits.
export function show(waiting) {
  const marks = waiting.map((one) => `${one.url} ${field(one, "mark")}`);
  for (const button of document.querySelectorAll("[name=mark]")) {
    button.toggleAttribute("data-waits", marks.includes(`${button.getAttribute("hx-post")} ${button.value}`));
  }
}

// A plain form that is sent without network takes its page with it, and all that was typed: it is
// sent once the server answers.
export function watch(needsNetwork, answers) {
  const sure = new WeakSet();
  addEventListener("submit", async (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || sure.delete(form)) return;
    event.preventDefault();
    if (await answers()) {
      sure.add(form);
      form.requestSubmit(submitter);
    } else needsNetwork(submitter);
  });
}
