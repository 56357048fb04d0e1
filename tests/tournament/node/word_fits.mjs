// Compares names by the desk's script: node word_fits.mjs STATIC_JS PAIRS
// Prints a line of JSON: how well each name contains its query.

import { pathToFileURL } from "node:url";

const [scripts, pairs] = process.argv.slice(2);
const { wordFit } = await import(pathToFileURL(`${scripts}/desk_tables.js`).href);
console.log(JSON.stringify(JSON.parse(pairs).map(([name, query]) => wordFit(name, query))));
