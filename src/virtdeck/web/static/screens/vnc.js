// The screen of a machine: noVNC's core with our own bar.
import RFB from "../vendor/novnc.js";
import { Link, save, wayOut } from "./link.js";

const PIECE = 250; // characters a request: short enough to show how far it is and to stop
const SYMS = { ControlLeft: 0xffe3, AltLeft: 0xffe9, ShiftLeft: 0xffe1, MetaLeft: 0xffeb };
const link = new Link("vnc");
const target = link.part("target");
let rfb = null;
let scaled = localStorage.getItem(`scale:${link.base}`) !== "no";
const held = new Set();

link.open = (url) => {
  rfb?.disconnect();
  target.replaceChildren();
  const socket = new WebSocket(url, ["plain.kubevirt.io"]);
  socket.binaryType = "arraybuffer";
  let close = null;
  socket.addEventListener("close", (event) => { close = event; });
  const mine = new RFB(target, socket, { shared: true });
  rfb = mine;
  mine.scaleViewport = scaled;
  mine.clipViewport = false;
  mine.viewOnly = link.watching;
  mine.focusOnClick = true;
  mine.background = "transparent";
  mine.addEventListener("connect", () => { link.up(); view(link.watching); });
  mine.addEventListener("disconnect", () => {
    if (rfb !== mine) return;
    rfb = null;
    setTimeout(() => link.down(close?.code, close?.reason), 0);
  });
};

function view(only) {
  if (rfb) rfb.viewOnly = only;
  const button = link.part("view");
  button.setAttribute("aria-pressed", String(only));
  if (link.connected) link.say(link.word(only ? "watching" : "connected"));
}
link.part("view").onclick = () => {
  if (link.mode === "watch") return link.start("ask");
  view(link.part("view").getAttribute("aria-pressed") !== "true");
};

link.part("scale").setAttribute("aria-pressed", String(scaled));
link.part("scale").onclick = () => {
  scaled = !scaled;
  localStorage.setItem(`scale:${link.base}`, scaled ? "yes" : "no");
  link.part("scale").setAttribute("aria-pressed", String(scaled));
  if (rfb) rfb.scaleViewport = scaled;
};

link.part("shot").onclick = () => rfb?.toBlob((blob) => save(blob, `${link.data.name}.png`));

// Modifiers that stay down until pressed again, or until the window loses the focus.
for (const button of link.root.querySelectorAll("[data-hold]")) {
  button.onclick = () => hold(button, !held.has(button.dataset.hold));
}
function hold(button, down) {
  const key = button.dataset.hold;
  button.setAttribute("aria-pressed", String(down));
  down ? held.add(key) : held.delete(key);
  rfb?.sendKey(SYMS[key], key, down);
  if (down) rfb?.focus({ preventScroll: true });
}
function release() {
  for (const button of link.root.querySelectorAll("[data-hold][aria-pressed=true]")) hold(button, false);
}
addEventListener("blur", release);

for (const button of link.root.querySelectorAll("[data-chord]")) {
  button.onclick = async () => {
    button.closest("details").open = false;
    try { await link.post("type", { chord: button.dataset.chord }); } catch (error) { link.say(error.message); }
    release();
    rfb?.focus({ preventScroll: true });
  };
}

// Text is typed by the server, key by key, in pieces.
const box = document.getElementById("type-box");
const text = document.getElementById("type-text");
const layout = document.getElementById("type-layout");
let stop = false;
link.part("type").onclick = () => {
  box.hidden = !box.hidden;
  link.part("type").setAttribute("aria-expanded", String(!box.hidden));
  if (!box.hidden) text.focus();
};
layout.value = localStorage.getItem("layout") || "us";
document.getElementById("type-mask").onchange = (event) => text.classList.toggle("masked", event.target.checked);
async function check() {
  const { missing } = await link.post("check", { text: text.value, layout: layout.value });
  const error = link.part("missing");
  error.hidden = !missing.length;
  error.textContent = missing.length ? link.word("missing", { characters: missing.join(" ") }) : "";
  return !missing.length;
}
let checking = 0;
text.oninput = layout.onchange = () => {
  localStorage.setItem("layout", layout.value);
  clearTimeout(checking);
  checking = setTimeout(() => check().catch(() => {}), 300);
};
link.part("type-cancel").onclick = () => { stop = true; };
box.onsubmit = async (event) => {
  event.preventDefault();
  const all = [...text.value.replaceAll("\r\n", "\n")];
  const progress = link.part("type-progress");
  const typed = link.part("typed");
  let done = 0;
  stop = false;
  typed.textContent = "";
  try {
    if (!all.length || !(await check())) return;
    progress.hidden = link.part("type-cancel").hidden = false;
    while (done < all.length && !stop) {
      const piece = all.slice(done, done + PIECE);
      await link.post("type", { text: piece.join(""), layout: layout.value });
      done += piece.length;
      progress.value = (done / all.length) * 100;
      typed.textContent = link.word("typed", { done, all: all.length });
    }
    typed.textContent = stop ? link.word("cancelled", { done }) : link.word("done");
    if (!stop) text.value = "";
  } catch (error) {
    typed.textContent = `${error.message} ${link.word("typed", { done, all: all.length })}`;
  } finally {
    progress.hidden = link.part("type-cancel").hidden = true;
  }
};

// A phone's keyboard writes into a hidden field; what arrives there is typed.
const touch = link.part("touch-input");
link.part("touch").onclick = () => { touch.value = "_"; touch.focus(); };
touch.addEventListener("input", (event) => {
  if (event.inputType === "deleteContentBackward") rfb?.sendKey(0xff08, "Backspace");
  for (const character of event.data || "") rfb?.sendKey(symbol(character));
  if (event.inputType === "insertLineBreak") rfb?.sendKey(0xff0d, "Enter");
  touch.value = "_";
});
const symbol = (character) => {
  const point = character.codePointAt(0);
  return point < 0x100 ? point : 0x01000000 | point;
};

wayOut(link.root, () => { release(); rfb?.blur(); });
link.root.addEventListener("fullscreenchange", () => {
  if (document.fullscreenElement) navigator.keyboard?.lock?.().catch(() => {});
  else navigator.keyboard?.unlock?.();
});
link.start(link.mode);
