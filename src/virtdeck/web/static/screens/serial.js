// The serial console of a machine: xterm.js; what was shown before is replayed by the server.
import "./strict-styles.js";
import { Terminal } from "../vendor/xterm.js";
import { FitAddon } from "../vendor/xterm-fit.js";
import { Link, save, wayOut } from "./link.js";

const LOG_CHARACTERS = 2000000;
const PASTE_PIECE = 256; // bytes: a guest's serial input buffer is small
const PASTE_PAUSE_MS = 20;
const QUIET_MS = 400; // the replay has ended when nothing came for so long …
const REPLAY_MS = 3000; // … or the guest never stops talking
// What a terminal says when it is asked for its cursor or its kind.
const ANSWER = /^\x1b(\[[?>=]?[\d;]*[Rcn]|P|\])/;
const link = new Link("console");
const terminal = new Terminal({
  fontFamily: getComputedStyle(document.documentElement).getPropertyValue("--mono"),
  fontSize: 13,
  scrollback: 10000,
  cursorBlink: false,
  screenReaderMode: localStorage.getItem("reader") === "yes",
  theme: { background: "#0b0d10", foreground: "#e7eaee", cursor: "#8fb0ff", selectionBackground: "#2f4677" },
});
const fit = new FitAddon();
terminal.loadAddon(fit);
terminal.open(link.part("target"));
fit.fit();
new ResizeObserver(() => fit.fit()).observe(link.part("target"));

let socket = null;
let log = "";
const encoder = new TextEncoder();
let decoder = new TextDecoder();
let replayEnds = 0;
let replayLasts = 0;

link.open = (url) => {
  if (socket) { socket.onclose = null; socket.close(); }
  const mine = new WebSocket(url, ["plain.kubevirt.io"]);
  mine.binaryType = "arraybuffer";
  socket = mine;
  mine.onopen = () => {
    terminal.reset();
    log = "";
    decoder = new TextDecoder();
    replayLasts = performance.now() + REPLAY_MS;
    replayEnds = performance.now() + QUIET_MS;
    link.up();
  };
  mine.onmessage = (event) => {
    const bytes = typeof event.data === "string" ? encoder.encode(event.data) : new Uint8Array(event.data);
    log = (log + decoder.decode(bytes, { stream: true })).slice(-LOG_CHARACTERS);
    if (replaying()) replayEnds = performance.now() + QUIET_MS;
    terminal.write(bytes);
  };
  mine.onclose = (event) => { if (socket === mine) { socket = null; link.down(event.code, event.reason); } };
};

// Questions in the scrollback were asked long ago: an answer now would be typed into the guest.
function replaying() {
  return performance.now() < Math.min(replayEnds, replayLasts);
}

let sending = Promise.resolve();
function send(text) {
  if (link.watching) return;
  const bytes = encoder.encode(text);
  sending = sending.then(async () => {
    for (let at = 0; at < bytes.length; at += PASTE_PIECE) {
      if (socket?.readyState !== WebSocket.OPEN) return;
      socket.send(bytes.slice(at, at + PASTE_PIECE));
      if (at + PASTE_PIECE < bytes.length) await new Promise((done) => setTimeout(done, PASTE_PAUSE_MS));
    }
  });
}
terminal.onData((data) => { if (!(replaying() && ANSWER.test(data))) send(data); });
terminal.attachCustomKeyEventHandler((event) => {
  if (event.type !== "keydown" || !event.ctrlKey || !event.shiftKey) return true;
  if (event.code === "KeyC" && terminal.hasSelection()) {
    navigator.clipboard?.writeText(terminal.getSelection());
    event.preventDefault();
    return false;
  }
  return event.code !== "KeyV";
});

link.part("size").onclick = () => { send(`stty rows ${terminal.rows} columns ${terminal.cols}\r`); terminal.focus(); };
link.part("copy").onclick = () => navigator.clipboard?.writeText(terminal.getSelection() || log);
link.part("log").onclick = () => save(new Blob([log], { type: "text/plain" }), `${link.data.name}-serial.log`);
const reader = link.part("reader");
reader.setAttribute("aria-pressed", String(terminal.options.screenReaderMode));
reader.onclick = () => {
  terminal.options.screenReaderMode = !terminal.options.screenReaderMode;
  localStorage.setItem("reader", terminal.options.screenReaderMode ? "yes" : "no");
  reader.setAttribute("aria-pressed", String(terminal.options.screenReaderMode));
};
wayOut(link.root, () => terminal.blur());
if (new URLSearchParams(location.search).get("focus")) terminal.focus();
window.virtdeckTerminal = terminal;
link.start(link.mode);
