// Reads points by the desk's script: node read_points.mjs STATIC_JS PATTERN TARGET COUNT TEXTS
// Prints a line of JSON: of each text its games, and what is not understood.

import { pathToFileURL } from "node:url";

const [scripts, pattern, target, count, texts] = process.argv.slice(2);
const { readPoints } = await import(pathToFileURL(`${scripts}/score_shorthand.js`).href);
console.log(JSON.stringify(JSON.parse(texts).map((text) => readPoints(text, pattern, Number(target), Number(count)))));
