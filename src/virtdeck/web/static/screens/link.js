// What both screens share: tickets, connecting again, who holds the console, and the bar around the screen.
const REASONS = { 4403: "forbidden", 4404: "absent", 4409: "taken", 4410: "stopped", 4423: "heldby", 4502: "nodelost" };
const DELAYS = [1, 2, 3, 5, 8, 13, 20, 30];

export class Link {
  constructor(kind) {
    this.root = document.getElementById("screen");
    this.kind = kind;
    this.data = this.root.dataset;
    this.base = `${this.data.base}/console/${encodeURIComponent(this.data.namespace)}/${encodeURIComponent(this.data.name)}`;
    this.mode = this.data.view === "yes" ? "watch" : "ask";
    this.failures = 0;
    this.timer = 0;
    this.connected = false;
    this.stopped = false;
    this.open = null; // set by the screen: (url) => void
    this.part("again").onclick = () => this.start(this.mode);
    this.part("take").onclick = () => this.start("take");
    this.part("watch").onclick = () => this.start("watch");
    this.part("full").onclick = () => (document.fullscreenElement ? document.exitFullscreen() : this.root.requestFullscreen());
    new MutationObserver(() => this.follow()).observe(this.root, { subtree: true, attributes: true, attributeFilter: ["data-alive"] });
    addEventListener("pagehide", () => { this.stopped = true; });
  }

  part(role) { return this.root.querySelector(`[data-role="${role}"]`); }
  word(name, values = {}) {
    const text = this.data[`word${name[0].toUpperCase()}${name.slice(1)}`] || name;
    return text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
  }
  say(text) { const message = this.part("message"); if (message.textContent !== text) message.textContent = text; }
  note(text, ...buttons) {
    const note = this.part("note");
    note.hidden = !text;
    this.part("note-text").textContent = text || "";
    for (const role of ["again", "take", "watch"]) this.part(role).hidden = !buttons.includes(role);
  }
  get alive() { return this.root.querySelector("#screen-state")?.dataset.alive === "yes"; }
  get watching() { return this.mode === "watch"; }

  async post(path, fields) {
    const answer = await fetch(`${this.base}/${path}`, {
      method: "POST", headers: { "X-CSRF-Token": this.data.csrf }, body: new URLSearchParams(fields),
    });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.problem || answer.statusText);
    return body;
  }

  // The machine started or stopped: connect, or say so.
  follow() {
    if (this.alive && !this.connected && !this.timer && !this.refused) this.start(this.mode);
    if (!this.alive) this.refused = false;
  }

  async start(mode) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.refused = false;
    this.mode = mode;
    if (!this.alive) return this.note(this.word("off"));
    this.note("");
    this.say(this.word("connecting"));
    try {
      const answer = await fetch(`${this.data.base}/ws-tickets`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": this.data.csrf },
        body: JSON.stringify({ namespace: this.data.namespace, name: this.data.name, kind: this.kind }),
      });
      if (answer.status === 401) return location.reload();
      if (answer.status === 403) return this.refuse(this.word("forbidden"));
      if (!answer.ok) throw new Error(answer.statusText);
      const { ticket } = await answer.json();
      const url = new URL(`${this.data.base}/ws/ns/${encodeURIComponent(this.data.namespace)}/vms/${encodeURIComponent(this.data.name)}/${this.kind}`, location.href);
      url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      url.search = new URLSearchParams({ ticket, mode, replay: "1" });
      this.open(url.href);
    } catch {
      this.again();
    }
  }

  up() {
    this.connected = true;
    this.failures = 0;
    this.part("tools").hidden = false;
    this.say(this.word(this.watching ? "watching" : "connected"));
    this.note("");
  }

  refuse(text, ...buttons) {
    this.refused = true;
    this.say(text);
    this.note(text, ...(buttons.length ? buttons : ["again"]));
  }

  // The socket is closed: the code says whether to try again or to ask.
  down(code, reason) {
    this.connected = false;
    if (this.stopped) return;
    const name = REASONS[code];
    const text = reason || (name ? this.word(name) : "");
    if (code === 4423) return this.held(text);
    if (code === 4409) return this.taken(text);
    if (code === 4403 || code === 4400) return this.refuse(text);
    if (code === 4410 || code === 4404 || !this.alive) {
      this.say(text || this.word("stopped"));
      this.note(this.word("off"));
      if (this.alive) this.again();
      return;
    }
    this.again(text);
  }

  async taken(text) {
    const holder = await this.holder();
    this.refuse(holder ? this.word("takenby", { user: holder.user }) : text, "take", "watch");
  }

  async held(text) {
    const holder = await this.holder();
    const since = holder && new Date(holder.since).toLocaleTimeString(document.documentElement.lang);
    this.refuse(holder ? this.word("held", { user: holder.user, since }) : text || this.word("heldby"), "take", "watch");
  }

  async holder() {
    try {
      const { items } = await (await fetch(`${this.base}/sessions`)).json();
      return items.find((one) => one.kind === this.kind && one.mode !== "watch");
    } catch { return null; }
  }

  again(text = "") {
    const seconds = DELAYS[Math.min(this.failures++, DELAYS.length - 1)];
    const words = `${text} ${this.word("lost", { seconds })}`.trim();
    this.say(words);
    this.note(words, "again");
    this.timer = setTimeout(() => { this.timer = 0; if (this.mode === "take") this.mode = "ask"; this.start(this.mode); }, seconds * 1000);
  }
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Ctrl+Alt+Shift leaves the screen: the way out for whoever has only a keyboard.
export function wayOut(root, leave) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.altKey && event.shiftKey && ["Control", "Alt", "Shift"].includes(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      leave();
      root.querySelector("[data-role=full]").focus();
    }
  }, true);
}
