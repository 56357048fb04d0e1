// The folder of this Bummerl: "/", or "/club/watten/" where other pages have the same address.
export const [, ROOT] = /^(.*\/)(?:static|pocket)\//.exec(new URL(import.meta.url).pathname);

// A name in the browser's storage, which all folders of an address share.
export const own = (name) => (ROOT === "/" ? name : `${name} ${ROOT}`);

// The browser's storage; where it is blocked, one that keeps nothing.
export const storage = (() => {
  try {
    return localStorage;
  } catch {
    return { getItem() {}, setItem() {} };
  }
})();
