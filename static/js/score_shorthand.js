// The shorthand for a table's points, read while it is typed: scorer/tournament/score_shorthand.py

// Splits points typed without spaces: a 1 starts a two-digit number, as no side ends a game at 1.
function splitDigits(digits, target) {
  const isOne = digits.length < 3 && Number(digits) < target && (digits === "0" || digits[0] !== "0");
  return isOne ? [digits] : digits.match(/1\d|\d/g);
}

// Puts a colon into each game if the text has two numbers for each, a winner's and a loser's.
function withColons(text, target, count) {
  const numbers = text.split(/[ ,;.+]+/);
  const isWon = (number) => parseInt(number) >= target;
  const isWhole = numbers.every((number, at) => /^\d{1,3}r?$/.test(number) && isWon(number) !== isWon(numbers[at ^ 1]));
  return isWhole && numbers.length === 2 * count ? numbers.join(" ").replace(/(\S+) (\S+)/g, "$1:$2") : text;
}

// Returns the games as [first, second, isRetour], and the unread rest. `pattern` is one game.
export function readPoints(text, pattern, target, count) {
  const game = new RegExp(pattern, "y");
  let rest = withColons(text.trim().toLowerCase().replaceAll("*", "-1"), target, count);
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
