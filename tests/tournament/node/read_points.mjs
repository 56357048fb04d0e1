// Reads points by the desk's script: node read_points.mjs STATIC_JS PATTERN TARGET COUNT TEXTS
// Prints a line of JSON: of each text its games, what is not understood, and losing points that are too high.

import { pathToFileURL } from "node:url";

const [scripts, pattern, target, count, texts] = process.argv.slice(2);
const { readPoints, losingPointsTooHigh } = await import(pathToFileURL(`${scripts}/score_shorthand.js`).href);
const format = [Number(target), Number(count)];
const read = (text) => ({
  ...readPoints(text, pattern, ...format),
  tooHigh: losingPointsTooHigh(text, ...format),
});
console.log(JSON.stringify(JSON.parse(texts).map(read)));
