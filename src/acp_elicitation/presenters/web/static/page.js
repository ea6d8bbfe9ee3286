// What a script adds to the pages of acp-elicit. All of it is comfort: without it, every question
// can be read and answered. It never acts while an input method composes, puts nothing of the
// agent's into the page but what the server has escaped, and never writes over what is typed.
"use strict";

const SAVE_AFTER = 400; // ms since the last key, until a draft is saved
const DOUBLE_CLICK = 500; // ms
const body = document.body;
const baseTitle = document.title;

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const byId = (id) => document.getElementById(id);
const fill = (words, values) => words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const fieldOf = (control) => control.closest(".field");

// --- what is typed: counts, own answers, long lists ----------------------------------------------

function count(area) {
  const place = document.querySelector(`[data-count="${CSS.escape(area.id)}"]`);
  if (!place) return;
  const counted = [...area.value].length; // code points, as JSON Schema counts
  place.hidden = false;
  place.textContent = fill(place.dataset.words, { count: counted, most: place.dataset.most });
  place.classList.toggle("over", counted > Number(place.dataset.most));
}

function search(input) {
  const tools = input.closest("[data-search]");
  const list = byId(`${tools.dataset.search}-list`);
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const wanted = plain(input.value.trim());
  const rows = all(".option", list);
  let found = 0;
  for (const row of rows) {
    const fits = plain(row.textContent).includes(wanted);
    found += fits;
    row.hidden = !fits && !row.querySelector("input").checked; // what is chosen stays in view
  }
  const status = tools.querySelector("[role=status]");
  status.textContent = wanted && fill(status.dataset.words, { count: found, all: rows.length });
}

// A text of one's own stands in place of the options: typing it chooses it.
function chooseOwn(control) {
  const own = control.closest("[data-own]");
  const radio = own?.closest(".instead")?.querySelector("input[type=radio]");
  if (radio && control.value) radio.checked = true;
}

function withoutOwn(form, data) {
  for (const own of all("[data-own]", form)) {
    const radio = own.closest(".instead").querySelector("input[type=radio]");
    if (!radio.checked) data.delete(own.dataset.own);
  }
}

// --- the draft: saved as it is typed, and judged by the server -------------------------------------

const drafts = new WeakMap(); // form -> { timer, request, touched }

function draftOf(form) {
  if (!drafts.has(form)) drafts.set(form, { timer: 0, request: null, touched: new Set() });
  return drafts.get(form);
}

function posted(form) {
  return new URLSearchParams(new FormData(form));
}

function saveSoon(form) {
  const draft = draftOf(form);
  clearTimeout(draft.timer);
  draft.timer = setTimeout(() => save(form), SAVE_AFTER);
}

async function save(form) {
  const draft = draftOf(form);
  draft.timer = 0;
  draft.request?.abort();
  draft.request = new AbortController();
  try {
    const response = await fetch(`${form.action}/draft`, {
      method: "POST",
      body: posted(form),
      headers: { Accept: "application/json" },
      signal: draft.request.signal,
    });
    if (response.ok) tell(form, (await response.json()).problems ?? {});
  } catch {
    // Typing on saves again, and what is submitted is judged anyway.
  }
}

function tell(form, problems) {
  const { touched } = draftOf(form);
  for (const place of all(".problems", form)) {
    const name = place.id.replace(/-problems$/, "");
    const had = place.childElementCount > 0;
    const sentences = touched.has(name) || had ? problems[name] ?? [] : [];
    const now = sentences.join("\n");
    if (now === all("p", place).map((p) => p.textContent).join("\n")) continue;
    place.replaceChildren(...sentences.map((sentence) => {
      const line = document.createElement("p");
      line.textContent = sentence;
      return line;
    }));
    mark(form, name, sentences.length > 0);
  }
}

function mark(form, name, isWrong) {
  const controls = form.elements[name] instanceof RadioNodeList ? [...form.elements[name]] : [form.elements[name]];
  const first = controls.find(Boolean);
  const target = first?.type === "radio" ? [first.closest("[role=radiogroup]")] : controls;
  for (const element of target.filter(Boolean)) {
    if (isWrong) element.setAttribute("aria-invalid", "true");
    else element.removeAttribute("aria-invalid");
  }
}

function touch(control) {
  const form = control.form;
  if (!form?.matches("form.yes") || !control.name) return;
  draftOf(form).touched.add(control.name);
  saveSoon(form);
}

const isDraft = (form) => form?.matches("form.yes") && form.querySelector(".field") !== null;

document.addEventListener("input", (event) => {
  const control = event.target;
  if (event.isComposing) return;
  if (control.closest("[data-search]")) return search(control);
  count(control);
  chooseOwn(control);
  if (isDraft(control.form)) saveSoon(control.form);
});
document.addEventListener("compositionend", (event) => {
  event.target.dispatchEvent(new InputEvent("input", { bubbles: true }));
});
document.addEventListener("change", (event) => {
  if (isDraft(event.target.form)) touch(event.target);
});
document.addEventListener("focusout", (event) => {
  const control = event.target;
  if (isDraft(control.form) && control.value && fieldOf(control)) touch(control);
});
document.addEventListener("formdata", (event) => withoutOwn(event.target, event.formData));
window.addEventListener("pagehide", () => {
  for (const form of all("form.yes")) {
    if (drafts.get(form)?.timer) navigator.sendBeacon(`${form.action}/draft`, posted(form));
  }
});

// --- sending: once ---------------------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = event.target;
  const question = form.closest("[data-question]");
  if (!question) return;
  if (question.dataset.sent || isTooSoon(question)) return event.preventDefault();
  question.dataset.sent = "yes";
  sessionStorage.setItem("sent", JSON.stringify([question.dataset.question, Date.now()]));
  const draft = drafts.get(form);
  if (draft) {
    clearTimeout(draft.timer);
    draft.timer = 0;
    draft.request?.abort();
  }
  // After the browser has read which button it was; a new tab leaves this page as it is.
  setTimeout(() => setSent(question, true));
});

// The second half of a double click must not answer the question that has taken the place of the
// first one, be it in this page or in the next.
function isTooSoon(question) {
  const [last, at] = JSON.parse(sessionStorage.getItem("sent") ?? "[null, 0]");
  const since = Date.now() - at;
  return last !== question.dataset.question && since >= 0 && since < DOUBLE_CLICK;
}

function setSent(question, isSent) {
  if (!isSent) delete question.dataset.sent;
  for (const button of all("button", question)) button.disabled = isSent;
}

window.addEventListener("pageshow", (event) => {
  if (event.persisted) all("[data-sent]").forEach((question) => setSent(question, false));
});
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.key !== "Enter") return;
  const control = event.target;
  if (control.closest("[data-search]")) event.preventDefault();
  else if (control.matches("textarea") && (event.ctrlKey || event.metaKey || sends(control, event))) {
    event.preventDefault();
    control.form?.requestSubmit(control.form.querySelector("button.primary"));
  }
});

// What is said to an agent is sent by Enter; in a form, Enter begins a new line.
const sends = (control, event) => control.hasAttribute("data-sends") && !event.shiftKey && event.keyCode !== 229;

// --- time that passes ------------------------------------------------------------------------------

const started = new WeakMap();

function tick() {
  for (const place of all("[data-elapsed]")) {
    if (!started.has(place)) started.set(place, performance.now() - 1000 * place.dataset.elapsed);
    const now = word(place, Math.floor((performance.now() - started.get(place)) / 1000));
    if (place.textContent !== now) place.textContent = now;
  }
}

function word(place, seconds) {
  const [short, minutes, both, hours] = JSON.parse(place.dataset.words);
  const values = { seconds: seconds % 60, minutes: Math.floor(seconds / 60) % 60, hours: Math.floor(seconds / 3600) };
  if (seconds < 60) return fill(short, values);
  if (values.hours) return fill(hours, values);
  return fill(values.seconds ? both : minutes, values);
}

// --- what is new: server-sent events ---------------------------------------------------------------
//
// `changed` carries JSON: {"replace": {id: html}, "append": {id: html}, "remove": [id]}. All name
// elements of the page by their ids. The server has escaped the HTML; it holds no script, and none would run.
// A region is left alone where it shows the same question already, since somebody may be typing
// there: only what stands around the answer is taken over. An appended entry with a known id is
// dropped, so that what comes twice after a reconnection stands once.

function parsed(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function replace(region, html) {
  const fresh = parsed(html);
  const now = region.querySelector("[data-question]");
  const next = fresh.querySelector("[data-question]");
  const isSame = now && next && now.dataset.question === next.dataset.question
    && now.id === next.id && !region.hasAttribute("data-stale");
  if (isSame) return refresh(now, next);
  const hadFocus = region.contains(document.activeElement);
  region.replaceChildren(fresh);
  prepare(region);
  if ([now, next].some((question) => question?.matches("article"))) announce(region, hadFocus);
}

function refresh(now, next) {
  const [waiting, fresh] = [now, next].map((question) => question.querySelector(".waiting"));
  if (waiting && fresh && waiting.textContent !== fresh.textContent) waiting.textContent = fresh.textContent;
  const [all, others] = [now, next].map((question) => question.querySelector("[value=decline-all]"));
  if (all && others) all.textContent = others.textContent;
  else if (all) all.remove();
  else if (others) now.querySelector("[value=cancel]")?.after(others);
}

function append(region, html) {
  for (const entry of [...parsed(html).children]) {
    if (!entry.id || !byId(entry.id)) region.append(entry);
  }
}

function announce(region, hadFocus) {
  const heading = region.querySelector("h2");
  document.title = heading ? `${heading.textContent} - ${baseTitle}` : baseTitle;
  const news = byId("news");
  if (news && heading) news.textContent = heading.textContent;
  const isTyping = document.activeElement?.matches("input, textarea, select");
  if (!heading || (!hadFocus && isTyping)) return;
  heading.focus({ preventScroll: true });
  bringIntoView(heading.closest("[data-question]") ?? heading);
}

// All of a question if there is room for it, and otherwise its beginning.
function bringIntoView(question) {
  const fits = question.offsetHeight < window.innerHeight;
  question.scrollIntoView({ block: fits ? "nearest" : "start" });
}

// Which changes the page has already is known by number, so that nothing is missed between drawing
// it and listening. A browser opens few connections to one server: of many tabs some are told to
// rest, and listen again when somebody looks at them.
function listen() {
  const lost = byId("lost");
  let after = body.dataset.after;
  let telling = 0;
  let events = null;
  let isOver = false;
  const stop = () => { events?.close(); events = null; };
  const start = () => {
    if (events || isOver) return;
    events = new EventSource(`${body.dataset.base}/events?after=${after}`);
    events.addEventListener("changed", (event) => {
      after = event.lastEventId;
      apply(JSON.parse(event.data));
    });
    events.addEventListener("rest", stop);
    events.addEventListener("over", () => { isOver = true; stop(); });
    events.addEventListener("open", () => {
      clearTimeout(telling);
      telling = 0;
      if (lost) lost.hidden = true;
    });
    events.addEventListener("error", () => { // again and again, for as long as it lasts
      telling ||= setTimeout(() => { if (lost) lost.hidden = false; }, 2000);
    });
  };
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", start); // also when the browser had kept the page
  window.addEventListener("focus", start);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) start(); });
  start();
}

function apply(change) {
  const page = document.documentElement;
  const follows = isConversation() && window.innerHeight + window.scrollY >= page.scrollHeight - 80;
  for (const [act, regions] of [[replace, change.replace], [append, change.append]]) {
    for (const [id, html] of Object.entries(regions ?? {})) {
      const region = byId(id);
      if (region) act(region, html);
    }
  }
  for (const id of change.remove ?? []) byId(id)?.remove();
  if (follows && !document.querySelector("#asked [data-question]")) toEnd();
}

// Whoever reads the end of a conversation goes on doing so; whoever has scrolled up stays there.
const isConversation = () => document.querySelector("[role=log]") !== null;
const toEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight });

function prepare(within) {
  all("[data-search]", within).forEach((tools) => { tools.hidden = false; });
  all("[data-script]", within).forEach((hint) => { hint.hidden = false; });
  all("input, textarea", within).forEach(count);
  if (within !== document) within.querySelector(".summary")?.focus();
}

prepare(document);
setInterval(tick, 1000);
// The place where the user says something is sent like a question, and asks nothing.
const asked = all("[data-question]").find((question) => question.querySelector("h2"));
if (asked) document.title = `${asked.querySelector("h2").textContent} - ${baseTitle}`;
if (isConversation() && !location.hash && !document.querySelector(".summary")) {
  if (asked) bringIntoView(asked);
  else toEnd();
}
if (body.hasAttribute("data-live")) listen();
