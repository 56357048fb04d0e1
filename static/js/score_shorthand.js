// The shorthand for a table's points, read while it is typed: scorer/tournament/score_shorthand.py

// Splits points typed without spaces: a 1 starts a two-digit number, as no side ends a game at 1.
function splitDigits(digits, target) {
  const isOne = digits.length < 3 && Number(digits) < target && (digits === "0" || digits[0] !== "0");
  return isOne ? [digits] : digits.match(/1\d|\d/g);
}

// Returns the games as [first, second, isRetour], and the unread rest. `pattern` is one game.
export function readPoints(text, pattern, target) {
  const game = new RegExp(pattern, "y");
  let rest = text.trim().toLowerCase().replaceAll("*", "-1");
  const games = [];
  for (;;) {
    game.lastIndex = 0;
    const match = game.exec(rest);
    if (!match) return { games, rest };
    const [whole, first, second, minus, digits, retour] = match;
    rest = rest.slice(whole.length).replace(/^[ ,;.+]+/, "");
    if (first) games.push([Number(first), Number(second), false]);
    else {
      for (const [index, points] of splitDigits(digits, target).map(Number).entries()) {
        games.push(minus && index === 0 ? [points, target, false] : [target, points, false]);
      }
    }
    if (retour) games.at(-1)[2] = true;
  }
}
