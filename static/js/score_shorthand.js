// The shorthand for a table's points, read while it is typed: scorer/tournament/score_shorthand.py

const SEPARATORS = /[ ,;.+]+/;

// Splits points typed without spaces: a 1 starts a two-digit number, as no side ends a game at 1.
function splitDigits(digits, target) {
  const isOne = digits.length < 3 && Number(digits) < target && (digits === "0" || digits[0] !== "0");
  return isOne ? [digits] : digits.match(/1\d|\d/g);
}

// Puts a colon into each game if the text has two numbers for each, a winner's and a loser's.
function withColons(text, target, count) {
  const numbers = text.split(SEPARATORS);
  const isWon = (number) => parseInt(number) >= target;
  const isWhole = numbers.every((number, at) => /^\d{1,3}r?$/.test(number) && isWon(number) !== isWon(numbers[at ^ 1]));
  return isWhole && numbers.length === 2 * count ? numbers.join(" ").replace(/(\S+) (\S+)/g, "$1:$2") : text;
}

// Returns the first number that is too high for a loser, if one or two are typed for each game; else 0.
export function losingPointsTooHigh(text, target, count) {
  const typed = text.trim().split(SEPARATORS);
  if (!typed.every((number) => /^-?\d{1,3}$/.test(number))) return 0;
  const numbers = typed.map((number) => Math.abs(number));
  const isLoser = (number, at) => numbers.length === count || number <= numbers[at ^ 1];
  if (![count, 2 * count].includes(numbers.length)) return 0;
  return numbers.filter(isLoser).find((number) => number >= target) ?? 0;
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

// Returns why points cannot be a match of this format, or "". `texts`: the reasons, and the pattern of one game.
export function whyRefused(points, texts, { target, games: count, count: otherCount }) {
  const { games, rest } = readPoints(points, texts.points, Number(target), Number(count));
  if (rest) return texts.unreadable.replace("{typed}", rest);
  if (games.length === Number(count)) return "";
  const tooHigh = losingPointsTooHigh(points, Number(target), Number(count));
  if (tooHigh) return texts.tooHigh.replace("{points}", tooHigh).replace("{target}", target);
  const isPossible = games.every(([first, second]) => Math.min(first, second) < target);
  const asRead = isPossible ? games.map(([first, second]) => `${first}:${second}`).join(" ") : points;
  return otherCount.replace("{games}", asRead);
}
