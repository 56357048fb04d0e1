// The folder of this app: "/", or "/club/watten/" if its host has other pages too.
export const [, ROOT] = /^(.*\/)(?:static|pocket)\//.exec(new URL(import.meta.url).pathname);

export const SERVER_TIMEOUT_MS = 4000; // then the server counts as unreachable

// Returns a text as it is shown: without spaces around it, and with single spaces inside.
export const shownText = (text) => text.trim().replace(/\s+/g, " ");

// Returns a name for the browser's storage, which all folders of a host share.
export const storageName = (name) => (ROOT === "/" ? name : `${name} ${ROOT}`);

// The browser's storage; if it is blocked, one that keeps nothing.
export const storage = (() => {
  try {
    return localStorage;
  } catch {
    return { getItem() {}, setItem() {} };
  }
})();
