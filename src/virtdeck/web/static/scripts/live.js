// Keeps the page live and says so when it is not; what the user works on is never replaced under their hands.
(() => {
  "use strict";
  const SILENT_MS = 25000;
  const POLL_MS = 10000;
  const light = document.getElementById("live");
  let stream = document.getElementById("stream");
  if (!stream) return;
  let heard = Date.now();
  let connected = false;
  let current = true;
  let polling = 0;
  const waiting = new Map();

  function show() {
    if (!light) return;
    const live = connected && current && Date.now() - heard < SILENT_MS;
    light.dataset.state = live ? "live" : "stale";
    const time = new Date(heard).toLocaleTimeString(document.documentElement.lang);
    const text = live ? light.dataset.live : light.dataset.stale.replace("{time}", time);
    if (light.firstElementChild.textContent !== text) light.firstElementChild.textContent = text;
    light.title = text;
    if (live && polling) { clearInterval(polling); polling = 0; }
    if (!live && !polling && !document.hidden) polling = setInterval(poll, POLL_MS);
  }

  // Without a stream the page is fetched again from time to time, and only its live parts are taken.
  async function poll() {
    if (document.hidden || busy(document.getElementById("page"))) return;
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (!answer.ok || !answer.headers.get("content-type")?.startsWith("text/html")) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const id of ["list", "vm-head", "vm-live", "overview-live", "tasks-live", "task-live", "activity-live", "nodes-live", "task-count"]) {
        const now = document.getElementById(id);
        const then = page.getElementById(id);
        if (now && then && !busy(now)) htmx.swap({ sourceElement: now, target: now, text: then.outerHTML, swap: "outerMorph" });
      }
      heard = Date.now();
    } catch { /* the server is away: the light says so already */ }
    show();
  }

  // Being worked on: a field with focus, an open menu or details, a dialog over it.
  function busy(target) {
    if (!target) return false;
    const active = document.activeElement;
    if (active && target.contains(active) && active.matches("input:not([type=checkbox]), textarea, select, [contenteditable]")) return true;
    return !!target.querySelector("details[open].menu, form[data-guard]");
  }

  function flush() {
    for (const [id, html] of [...waiting]) {
      const target = document.getElementById(id);
      if (busy(target)) continue;
      waiting.delete(id);
      if (target) htmx.swap({ sourceElement: stream, target: stream, text: html, swap: "none" });
    }
  }

  const PARTIAL = /<hx-partial hx-target="\[id='([^']+)'\]" hx-swap="([^"]+)">[\s\S]*?<\/hx-partial>/g;
  document.addEventListener("htmx:sse:before:message", (event) => {
    heard = Date.now();
    const { message } = event.detail;
    if (message.event) return;
    message.data = message.data.replace(PARTIAL, (whole, id, swap) => {
      if (swap === "outerMorph" && busy(document.getElementById(id))) {
        waiting.set(id, whole);
        return "";
      }
      return whole;
    });
    if (!message.data.trim()) event.preventDefault();
  });
  document.addEventListener("focusout", () => setTimeout(flush, 150));
  document.addEventListener("toggle", () => setTimeout(flush, 50), true);

  function listen() {
    stream.addEventListener("beat", () => { current = true; show(); });
    stream.addEventListener("stale", () => { current = false; show(); });
  }
  listen();

  function renew(url) {
    const next = document.createElement("div");
    next.id = "stream";
    next.setAttribute("hx-swap", "none");
    next.setAttribute("hx-sse:connect", url);
    stream.replaceWith(next);
    stream = next;
    listen();
    htmx.process(next);
  }

  // The page shows something else now: the stream is asked for that instead.
  document.addEventListener("virtdeck:watch", (event) => {
    renew(`${stream.getAttribute("hx-sse:connect").split("?")[0]}?${event.detail}`);
  });

  // htmx connects again by itself, but only after it was connected once.
  setInterval(() => {
    if (!connected && !document.hidden && !stream._htmx?.sse) renew(stream.getAttribute("hx-sse:connect"));
  }, 20000);
  document.addEventListener("htmx:sse:after:connection", () => { connected = true; heard = Date.now(); show(); });
  document.addEventListener("htmx:sse:error", () => { connected = false; show(); });
  document.addEventListener("htmx:sse:close", () => { connected = false; show(); });
  setInterval(show, 5000);

  // A row that changed glows once; the mark goes so that a morph can set it again.
  document.addEventListener("animationend", (event) => {
    if (event.animationName === "glow") event.target.removeAttribute("data-changed");
  });
})();
