// Reads the codes of an evening, from this page's link, which a phone's camera opened, or with the camera on this
// page. The server or the phone's app decodes them.

import { storageName, storage } from "./root.js";

const READER = "../vendor/qr-0.7.0/decode.js"; // loaded only when the camera starts
const CODE = /#?(W[12]\.(\d+)\.(\d+)\.([0-9A-F]{8})\.[A-Z2-7]+)$/;
const BOARD = new RegExp(`^${location.origin}/[bs]/\\w+$`);
const STORED = storageName("bummerl-codes");
const FRAME_MS = 150; // between two frames
const MAX_WIDTH = 960; // pixels, enough for the densest code
const part = (name) => document.querySelector(`[data-scan=${name}]`);
const evening = part("evening");
let lastText = null;

// A camera opens each code as its own page, so the browser's storage collects them.
function collected([, text, number, count, sum]) {
  let collection = JSON.parse(storage.getItem(STORED) ?? "null");
  if (collection?.sum !== sum) collection = { sum, texts: {} };
  collection.texts[number] = text;
  storage.setItem(STORED, JSON.stringify(collection));
  const texts = Object.values(collection.texts);
  const status = part("count");
  status.hidden = Number(count) === 1;
  status.textContent = status.dataset.text.replace("{here}", texts.length).replace("{count}", count);
  return texts.length === Number(count) ? texts : null;
}

async function show(codes) {
  const response = await fetch(evening.dataset.url, { method: "POST", body: new URLSearchParams({ codes }) }).catch(
    () => null,
  );
  part("network").hidden = Boolean(response);
  if (!response) {
    lastText = null; // the same code may be read again
    return false;
  }
  evening.innerHTML = await response.text();
  return response.ok;
}

async function take(text) {
  if (text === lastText) return false;
  lastText = text;
  const code = CODE.exec(text);
  if (!code && BOARD.test(text)) return location.assign(text);
  if (!code) return show(text);
  const texts = collected(code);
  if (!texts) return false;
  part("hint").hidden = true;
  // The page's link now contains the whole evening. It can be reloaded, kept and shared.
  history.replaceState(null, "", `#${texts.join("+")}`);
  return show(texts.join(" "));
}

// The camera

async function startCamera() {
  const video = part("video");
  part("camera").hidden = true;
  let stream;
  let decodeQR;
  try {
    ({ decodeQR } = await import(READER));
    stream = await navigator.mediaDevices.getUserMedia({
      video: { facingMode: "environment", width: { ideal: 1280 } },
    });
  } catch {
    part("camera").hidden = false;
    // Asking again helps if the answer was no, but not without a camera.
    part("start").hidden = !navigator.mediaDevices;
    return;
  }
  video.srcObject = stream;
  video.hidden = false;
  part("start").hidden = true;
  await video.play();
  const readFrame = async () => {
    const text = read(video, decodeQR);
    if (text && (await take(text))) {
      for (const track of stream.getTracks()) track.stop();
      video.hidden = true;
      part("start").hidden = false;
    } else {
      setTimeout(readFrame, FRAME_MS);
    }
  };
  readFrame();
}

const canvas = document.createElement("canvas");
const drawing = canvas.getContext("2d", { willReadFrequently: true });

function read(video, decodeQR) {
  const shrink = Math.min(1, MAX_WIDTH / video.videoWidth);
  canvas.width = video.videoWidth * shrink;
  canvas.height = video.videoHeight * shrink;
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  try {
    return decodeQR(drawing.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    return null; // no code in sight
  }
}

// A round on the slate opens its reasons below.
evening.addEventListener("click", (event) => {
  const link = event.target.closest("a.reason-link");
  if (!link) return;
  event.preventDefault();
  const line = document.getElementById(link.search.replace("?round=", "round-"));
  if (!line) return;
  for (const folded of [line.closest(".game"), line]) folded.open = true;
  line.scrollIntoView({ block: "center" });
});

// Returns a damaged link unchanged, because the engine reports it.
function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readLink() {
  const codes = unescaped(location.hash.slice(1));
  for (const text of codes.split("+").filter(Boolean)) await take(text);
}

part("start").addEventListener("click", startCamera);
addEventListener("hashchange", readLink);
addEventListener("online", readLink);
readLink();
