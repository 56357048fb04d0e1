// Returns a path without the app's folder.

import { ROOT } from "./root.js";

export function appPath(path) {
  const inApp = path.startsWith(ROOT) ? path.slice(ROOT.length - 1) : path;
  return inApp === "/index.html" ? "/" : inApp;
}
