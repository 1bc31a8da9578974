// Questions open as dialogs over the page, and acts answer in place; without this file both are pages.
(() => {
  "use strict";
  const dialog = document.getElementById("dialog");
  const results = document.getElementById("results");
  const alarm = document.getElementById("alarm");
  const token = () => JSON.parse(document.body.getAttribute("hx-headers:inherited") || "{}")["X-CSRF-Token"] || "";
  let opener = null;

  function open(html) {
    dialog.innerHTML = html;
    htmx.process(dialog);
    if (!dialog.open) dialog.showModal();
    (dialog.querySelector("[aria-invalid=true], input:not([type=hidden])") || dialog.querySelector("#dialog-title"))?.focus();
    document.dispatchEvent(new CustomEvent("htmx:after:swap"));
  }

  function fade(notice) {
    if (notice.dataset.state !== "failed") setTimeout(() => notice.remove(), 8000);
  }

  function tell(html) {
    htmx.swap({ sourceElement: document.body, target: document.body, text: html, swap: "none" });
  }

  // A question that is a page of its own stays one: two with the same ids would answer for each other.
  function askAgain(form, html) {
    const asked = dialog.contains(form) ? null : form.closest(".dialog");
    if (asked) asked.outerHTML = html;
    else open(html);
  }

  async function ask(link) {
    opener = link;
    const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
    const html = await answer.text();
    if (answer.headers.get("HX-Redirect")) location.href = answer.headers.get("HX-Redirect");
    else if (html.includes("<hx-partial")) tell(html);
    else if (answer.ok) open(html);
    else location.href = link.href;
  }

  async function act(form, submitter) {
    for (const button of form.querySelectorAll("button")) button.classList.add("htmx-request");
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { "HX-Request": "true", "X-CSRF-Token": token() },
      body: new URLSearchParams(new FormData(form, submitter)),
    });
    const html = await answer.text();
    for (const button of form.querySelectorAll("button")) button.classList.remove("htmx-request");
    if (answer.headers.get("HX-Redirect")) location.href = answer.headers.get("HX-Redirect");
    else if (html.includes("<hx-partial")) {
      if (dialog.open) dialog.close();
      tell(html);
    } else if (html.includes('class="dialog"')) askAgain(form, html);
    else form.submit();
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]") && dialog?.open) {
      event.preventDefault();
      dialog.close();
    }
    const link = event.target.closest("a[data-dialog]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || !dialog) return;
    event.preventDefault();
    link.closest("details.menu")?.removeAttribute("open");
    ask(link).catch(() => { location.href = link.href; });
  });

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-act]");
    if (!form || !results) return;
    event.preventDefault();
    act(form, event.submitter).catch(() => form.submit());
  });

  dialog?.addEventListener("close", () => {
    const back = opener?.isConnected ? opener : document.getElementById("page");
    (back?.closest("details.menu")?.querySelector("summary") || back)?.focus();
    dialog.replaceChildren();
  });
  dialog?.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });

  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const notice of change.addedNodes) {
        if (notice.nodeType !== 1) continue;
        for (const older of results.querySelectorAll(`[data-task="${notice.dataset.task}"]`)) {
          if (notice.dataset.task && older !== notice) older.remove();
        }
        if (notice.dataset.state === "failed" && alarm) alarm.textContent = notice.textContent;
        const close = document.createElement("button");
        close.type = "button";
        close.className = "button";
        close.dataset.kind = "quiet";
        close.dataset.size = "small";
        close.dataset.only = "icon";
        close.textContent = "×";
        close.setAttribute("aria-label", "×");
        close.onclick = () => notice.remove();
        notice.querySelector(".notice")?.append(close);
        fade(notice);
      }
    }
  }).observe(results || document.createElement("i"), { childList: true });
})();
