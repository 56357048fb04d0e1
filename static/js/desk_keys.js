// Handles the arrow, Delete and Escape keys of the desk; desk_line.js handles Enter. The down key in the empty line
// moves to the newest entry, where Delete presses the button. Text typed outside of all fields goes to the line.

export function onDeleteKey(box, takeBack) {
  const places = () => [box, ...document.querySelectorAll("#live [data-taking] button")];

  document.addEventListener("keydown", (event) => {
    const { key, target, repeat, ctrlKey, metaKey, altKey } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey) return;
    const stops = places();
    const position = stops.indexOf(target);
    const next = stops[position + (key === "ArrowDown") - (key === "ArrowUp")];
    if (position >= 0 && next && next !== target && !box.value) {
      event.preventDefault();
      next.closest("details")?.setAttribute("open", "");
      next.focus();
    } else if (key === "Delete" && !repeat && position === 0) takeBack();
    else if (key === "Delete" && !repeat && position > 0) target.click();
    else if (key === "Escape" && position > 0) box.focus();
    else if (key.length === 1 && key !== " " && !target.matches("input, textarea, select")) box.focus();
  });
}
