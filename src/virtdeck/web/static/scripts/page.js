// What every page does beyond plain HTML; each part works alone and the page works without any of them.
(() => {
  "use strict";
  const all = (selector, root = document) => root.querySelectorAll(selector);
  const language = document.documentElement.lang || "en";

  // Relative times are kept current; the server wrote the first ones.
  const steps = [[60, 1, "second"], [3600, 60, "minute"], [86400, 3600, "hour"], [Infinity, 86400, "day"]];
  const formats = {};
  function since(seconds) {
    const [, unit, name] = steps.find(([limit]) => seconds < limit);
    formats[name] ??= new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short" });
    return formats[name].format(Math.floor(seconds / unit));
  }
  function times(root = document) {
    for (const one of all("time[datetime]", root)) {
      const text = since(Math.max(0, (Date.now() - Date.parse(one.dateTime)) / 1000));
      if (one.textContent !== text) one.textContent = text;
    }
  }

  function prepare(root = document) {
    times(root);
    if (navigator.clipboard) for (const one of all("[data-copy]", root)) one.hidden = false;
  }

  document.addEventListener("error", (event) => {
    if (event.target.matches?.(".thumb img")) event.target.hidden = true;
  }, true);

  document.addEventListener("click", (event) => {
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      navigator.clipboard.writeText(copy.dataset.copy).then(() => {
        copy.dataset.done = "";
        setTimeout(() => delete copy.dataset.done, 1200);
      });
    }
    for (const menu of all("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    const line = event.target.closest("[data-line]");
    const area = line && document.getElementById("f-yaml");
    if (area) {
      event.preventDefault();
      const lines = area.value.split("\n");
      const start = lines.slice(0, line.dataset.line - 1).join("\n").length + (line.dataset.line > 1 ? 1 : 0);
      area.focus();
      area.setSelectionRange(start, start + (lines[line.dataset.line - 1] || "").length);
      area.scrollTop = Math.max(0, (line.dataset.line - 6) * 19);
    }
  });

  // Menus: Escape closes and returns to the button, arrows walk.
  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest?.("details.menu[open]");
    if (!menu) return;
    if (event.key === "Escape") {
      menu.open = false;
      menu.querySelector("summary").focus();
      event.stopPropagation();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const items = [...all("summary, .sheet a, .sheet button:not([disabled])", menu)];
      const next = items.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      items[(next + items.length) % items.length].focus();
      event.preventDefault();
    }
  });

  // Shortcuts, never while something is typed.
  let leader = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open], .screen :focus")) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const places = { v: ".nav a[href*='/vms']", t: "#task-count", o: ".brand", a: ".nav a[href$='/activity']", n: ".nav a[href$='/nodes']", i: ".nav a[href$='/images']" };
    if (event.key === "/") {
      event.preventDefault();
      document.getElementById("search")?.focus();
    } else if (event.key === "g") {
      leader = Date.now();
    } else if (Date.now() - leader < 1200 && places[event.key]) {
      document.querySelector(places[event.key])?.click();
    } else if (event.key === "c") {
      document.querySelector(".bar a[href*='/vms/new']")?.click();
    }
  });

  // Selection in the list: always counted; a filter makes a new page and so a new selection.
  function count() {
    const bar = document.querySelector("[data-selection]");
    if (!bar) return;
    const chosen = all("input[name=item]:checked").length;
    const words = bar.querySelector("[data-selected]");
    const text = chosen ? words.dataset.some.replace("{count}", chosen) : words.dataset.none;
    if (words.textContent !== text) words.textContent = text;
    for (const button of all("button", bar)) button.disabled = !chosen;
  }
  document.addEventListener("change", (event) => {
    if (event.target.name === "item") count();
    if (event.target.closest("form[data-auto]")) refilter(event.target.form);
  });

  // The list is filtered while one types; the address and the stream follow.
  let filtering = 0;
  function refilter(form, wait = 0) {
    clearTimeout(filtering);
    filtering = setTimeout(async () => {
      const asked = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
      const query = asked.size ? `?${asked}` : "";
      await htmx.ajax("GET", form.action + query, { target: "#list", swap: "outerMorph" });
      history.replaceState(null, "", form.action + query);
      document.dispatchEvent(new CustomEvent("virtdeck:watch", { detail: `page=vms&${asked}` }));
    }, wait);
  }
  document.addEventListener("input", (event) => {
    if (event.target.matches("form[data-auto] input")) refilter(event.target.form, 250);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-auto]")) return;
    event.preventDefault();
    refilter(event.target);
  });

  // A form with something typed in it is not left by accident.
  let typed = false;
  document.addEventListener("input", (event) => { if (event.target.closest("form[data-guard]")) typed = true; });
  document.addEventListener("submit", () => { typed = false; });
  addEventListener("beforeunload", (event) => { if (typed) event.preventDefault(); });

  // One's own sessions.
  async function sessions() {
    const list = document.getElementById("sessions");
    if (!list) return;
    const answer = await fetch(list.dataset.sessions, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    list.replaceChildren(...(await answer.json()).items.map((one) => session(list, one)));
    times(list);
  }
  function session(list, one) {
    const item = document.createElement("li");
    const name = document.createElement("span");
    name.textContent = one.agent || "–";
    name.className = "break small";
    const when = document.createElement("time");
    when.dateTime = one.lastSeen;
    const end = document.createElement(one.current ? "span" : "button");
    end.textContent = one.current ? list.dataset.this : list.dataset.end;
    end.className = one.current ? "small muted" : "button";
    if (!one.current) {
      end.dataset.size = "small";
      end.onclick = async () => {
        const token = JSON.parse(document.body.getAttribute("hx-headers:inherited"))["X-CSRF-Token"];
        await fetch(`${list.dataset.sessions}/${encodeURIComponent(one.name)}`, { method: "DELETE", headers: { "X-CSRF-Token": token } });
        sessions();
      };
    }
    const cell = document.createElement("span");
    cell.className = "when";
    cell.append(when);
    item.append(name, cell, end);
    return item;
  }

  // Fitting what was found wrong: the first marked field has the focus.
  function firstError() {
    document.querySelector("form [aria-invalid=true]")?.focus();
  }

  document.addEventListener("htmx:after:swap", () => { prepare(); count(); });
  setInterval(() => { if (!document.hidden) times(); }, 5000);
  prepare();
  count();
  sessions();
  firstError();
})();
