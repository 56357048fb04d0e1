// Paths as the app knows them, without its folder.

import { ROOT } from "./root.js";

export function appPath(path) {
  const found = path.startsWith(ROOT) ? path.slice(ROOT.length - 1) : path;
  return found === "/index.html" ? "/" : found;
}
