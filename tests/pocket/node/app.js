// Stands in worker/app.js's place where Python runs in another process: upload.mjs.

import { state } from "./state.js";

const { asked } = globalThis;

const call = (name) => (...args) => asked({ call: name, args });
const names = ["adopt", "note_created", "put_aside_revoked", "replace_first_unsent", "put_aside_refused", "unsent_streams"];
export const offlineApp = Object.fromEntries(names.map((name) => [name, call(name)]));

export const booted = new Promise(() => {});
export const boot = async () => {};
export const runExclusively = async (work) => work();
export const changeAndStore = async (work) => work();

export function refreshState() {
  // Whoever is told to send has something to send.
  state.unsent = 1;
}

export const ask = () => Promise.reject(new Error("nobody looks at a page"));
