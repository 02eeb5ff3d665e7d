// The page of the live service: shows the settings, follows every change, and edits single values.
// All values become text nodes, never HTML.
"use strict";

const byId = (id) => document.getElementById(id);
const [sections, tree, filter, historyList] = ["sections", "tree", "filter", "history"].map(byId);

/** A new element with properties and children. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// This tab: it keeps its selection when it is loaded again, also after a restart of the service.
sessionStorage.scene ??= Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");
const scene = sessionStorage.scene;

let values = {};
let defaults = new Set();
let section = "";
let lastEvent = "";
const opened = new Set();
const limit = 200;

// Paths are JSON pointers.
const append = (path, key) => `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
const tokens = (path) => path.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
const dotted = (path) => tokens(path).join(".") || "all settings";
const isGroup = (value) => typeof value === "object" && value !== null;
const shown = (value) => (value === undefined ? "nothing" : typeof value === "string" ? value : JSON.stringify(value));
const shortened = (text) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

function valueAt(path) {
  return tokens(path).reduce((value, token) => (isGroup(value) && Object.hasOwn(value, token) ? value[token] : undefined),
    values);
}

function setValue(path, value) {
  const names = tokens(path);
  const last = names.pop();
  if (last === undefined) { values = value; return; }
  let place = values;
  for (const name of names) {
    if (!isGroup(place[name])) place[name] = {};
    place = place[name];
  }
  if (value === undefined) {
    if (Array.isArray(place)) place.splice(Number(last), 1); else delete place[last];
  } else if (Object.hasOwn(place, last) || last !== "__proto__") {
    place[last] = value;
  }
}

/** Whether the file leaves a value out. */
function isDefault(path) {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (defaults.has(path.slice(0, end))) return true;
  }
  return defaults.has("");
}

async function post(path, message) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return { status: 0, text: "the service does not answer; try again when the connection is back" };
  }
}

function announce(text) { byId("announcements").textContent = text; }

// Rows.

const rows = new Map();
let rowNumber = 0;

/** One value with its name. */
class Row {
  constructor(path, name, value) {
    this.path = path;
    this.seen = value;
    const id = `value-${rowNumber++}`;
    this.input = element("input", { id, autocomplete: "off", spellcheck: false });
    if (typeof value === "boolean") this.input.type = "checkbox";
    if (typeof value === "number") this.input.inputMode = "decimal";
    this.note = element("p", { className: "note", id: `${id}-note` });
    this.message = element("div", { className: "message", id: `${id}-message`, hidden: true });
    this.message.setAttribute("role", "alert");
    this.remove = element("button", { type: "button" });
    this.element = element("div", { className: "row" }, element("label", { htmlFor: id, textContent: name }), this.input,
      this.remove, this.note, this.message);
    this.input.setAttribute("aria-describedby", `${id}-note ${id}-message`);
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.save();
      if (event.key === "Escape") this.reset();
    });
    this.input.addEventListener("change", () => this.save());
    this.remove.addEventListener("click", () => this.send(undefined));
    this.show(value);
    rows.set(path, this);
  }

  show(value) {
    this.seen = value;
    if (this.input.type === "checkbox") this.input.checked = value; else this.input.value = shown(value);
    this.clear();
    this.describe();
  }

  describe() {
    const isLeftOut = isDefault(this.path);
    const type = this.seen === null ? "nothing" : { string: "text", number: "number", boolean: "switch" }[typeof this.seen];
    this.note.textContent = isLeftOut ? `${type} · default` : type;
    this.remove.textContent = "Remove";
    this.remove.setAttribute("aria-label", `Remove ${dotted(this.path)} from the file`);
    this.remove.disabled = isLeftOut;
  }

  /** What the person has entered; throws if it has no JSON form. */
  get entered() {
    if (this.input.type === "checkbox") return this.input.checked;
    return typeof this.seen === "string" ? this.input.value : JSON.parse(this.input.value);
  }

  get isEdited() {
    try { return !same(this.entered, this.seen); } catch { return true; }
  }

  reset() { this.show(valueAt(this.path)); }

  clear() {
    this.message.hidden = true;
    this.message.replaceChildren();
    this.input.removeAttribute("aria-invalid");
  }

  refuse(text, ...children) {
    this.message.replaceChildren(text, ...children);
    this.message.hidden = false;
    this.input.setAttribute("aria-invalid", "true");
  }

  async save() {
    if (!this.isEdited) { this.clear(); return; }
    try { await this.send(this.entered); } catch { this.refuse("This must be a number, true, false, null, or text in quotes."); }
  }

  async send(value) {
    const answer = await post("/admin/set", { path: this.path, value, seen: this.seen });
    if (answer.status === 204) {
      this.clear();
      this.seen = value ?? valueAt(this.path);
    } else if (answer.status === 409) {
      this.conflict(JSON.parse(answer.text).theirs);
    } else {
      this.refuse(answer.text.trim());
    }
  }

  /** Shows both values of a conflict, and lets the person choose. */
  conflict(theirs) {
    const button = (textContent, action) => {
      const made = element("button", { type: "button", textContent });
      made.addEventListener("click", () => { action(); this.input.focus(); });
      return made;
    };
    this.refuse(`Somebody else has changed this to ${shortened(shown(theirs))}. You have entered ${
      shortened(shown(this.input.type === "checkbox" ? this.input.checked : this.input.value))}. `,
    button("Keep mine", () => { this.seen = theirs; this.save(); }),
    button("Take theirs", () => { if (theirs === undefined) this.clear(); else this.show(theirs); }));
  }

  /** Takes a change by anybody. */
  changed(value) {
    // The same value may be what was just entered here.
    let isMine = false;
    try { isMine = same(this.entered, value); } catch { /* not the same */ }
    if (!isMine && this.isEdited && !same(this.seen, value)) { this.conflict(value); return; }
    this.show(value);
  }
}

function flash(target) {
  target.classList.remove("changed");
  void target.offsetWidth; // starts the animation again
  target.classList.add("changed");
}

// The tree.

function node(path, name, value) {
  if (!isGroup(value)) return new Row(path, name, value).element;
  const count = Object.keys(value).length;
  const members = element("div", { className: "members" });
  const details = element("details", { open: opened.has(path) },
    element("summary", {}, element("span", { className: "name", textContent: name }),
      ` ${count} ${count === 1 ? "value" : "values"}${isDefault(path) ? " · default" : ""}`), members);
  details.dataset.path = path;
  const fill = () => { if (details.open && !members.hasChildNodes()) members.append(...membersOf(path, value)); };
  details.addEventListener("toggle", () => {
    if (details.open) opened.add(path); else opened.delete(path);
    fill();
  });
  fill();
  return details;
}

function membersOf(path, value) {
  const keys = Object.keys(value);
  const made = keys.slice(0, limit).map((key) => node(append(path, key), key, value[key]));
  if (keys.length > limit) {
    let next = limit;
    const more = element("button", { type: "button" });
    const label = () => { more.textContent = `Show more (${keys.length - next} of ${keys.length})`; };
    more.addEventListener("click", () => {
      const part = keys.slice(next, next + limit).map((key) => node(append(path, key), key, value[key]));
      more.before(...part);
      next += limit;
      if (next >= keys.length) more.remove(); else label();
    });
    label();
    made.push(more);
  }
  if (!Array.isArray(value)) made.push(adding(path));
  return made;
}

/** A line that adds a member to a group. */
function adding(path) {
  const name = element("input", { placeholder: "new name" });
  const value = element("input", { placeholder: "value, as JSON" });
  name.setAttribute("aria-label", `Name of a new member of ${dotted(path)}`);
  value.setAttribute("aria-label", `Value of the new member of ${dotted(path)}, as JSON`);
  const button = element("button", { type: "button", textContent: "Add" });
  const message = element("div", { className: "message", hidden: true });
  message.setAttribute("role", "alert");
  const refuse = (text) => { message.textContent = text; message.hidden = text === ""; };
  const add = async () => {
    let json;
    try { json = JSON.parse(value.value); } catch { refuse("The value must be JSON: text needs quotes."); return; }
    const target = append(path, name.value);
    if (name.value === "" || valueAt(target) !== undefined) { refuse("The name must be a new one."); return; }
    const answer = await post("/admin/set", { path: target, value: json });
    refuse(answer.status === 204 ? "" : answer.status === 409 ? "The name must be a new one." : answer.text.trim());
    if (answer.status === 204) [name.value, value.value] = ["", ""];
  };
  button.addEventListener("click", add);
  value.addEventListener("keydown", (event) => { if (event.key === "Enter") add(); });
  return element("div", { className: "row" }, element("div", { className: "add" }, name, value, button), message);
}

/** All values below a path whose path or text contains a text. */
function matches(path, value, text, found) {
  if (isGroup(value)) {
    for (const key of Object.keys(value)) matches(append(path, key), value[key], text, found);
  } else if (dotted(path).toLowerCase().includes(text) || shown(value).toLowerCase().includes(text)) {
    found.push([path, value]);
  }
  return found;
}

function render() {
  const focused = document.activeElement?.closest?.(".row") ?? null;
  const focusedPath = [...rows.values()].find((row) => row.element === focused)?.path;
  const kept = [...rows.values()].filter((row) => row.isEdited || !row.message.hidden);
  rows.clear();
  const text = filter.value.trim().toLowerCase();
  if (text !== "") {
    const found = matches("", values, text, []);
    const made = found.slice(0, limit).map(([path, value]) => node(path, dotted(path), value));
    const count = element("p", { className: "note", textContent: found.length === 0 ? "Nothing is found."
      : found.length > limit ? `The first ${limit} of ${found.length} values.` : `${found.length} values.` });
    tree.replaceChildren(count, ...made);
  } else {
    const keys = Object.keys(values).filter((key) => (section === "" ? !isGroup(values[key]) : key === section));
    if (section === "") {
      tree.replaceChildren(...keys.map((key) => node(append("", key), key, values[key])));
    } else {
      const path = append("", section);
      const value = values[section];
      tree.replaceChildren(element("h2", { textContent: section }), ...(isGroup(value) ? membersOf(path, value) : []));
    }
  }
  tree.setAttribute("aria-busy", "false");
  // What is being edited stays as it is.
  for (const row of kept) {
    const now = rows.get(row.path);
    if (!now) continue;
    now.element.replaceWith(row.element);
    rows.set(row.path, row);
    row.describe();
  }
  if (focusedPath !== undefined) rows.get(focusedPath)?.input.focus();
}

function renderSections() {
  const names = ["", ...Object.keys(values).filter((key) => isGroup(values[key]))];
  if (!names.includes(section)) section = "";
  const focused = sections.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
  sections.replaceChildren(...names.map((name) => {
    const button = element("button", { type: "button", textContent: name === "" ? "General" : name });
    button.dataset.name = name;
    button.setAttribute("aria-current", String(name === section));
    button.addEventListener("click", () => {
      section = name;
      filter.value = "";
      post("/admin/scene", { scene, section, filter: "" });
      renderSections();
      render();
    });
    return button;
  }));
  if (focused !== undefined) [...sections.children].find((button) => button.dataset.name === focused)?.focus();
}

// The history.

function historyItem(entry) {
  const time = element("time", { dateTime: entry.time, textContent: new Date(entry.time).toLocaleTimeString() });
  const undo = element("button", { type: "button", textContent: "Undo" });
  undo.setAttribute("aria-label", `Undo the change of ${dotted(entry.path)}`);
  const message = element("small", {});
  message.setAttribute("role", "alert");
  undo.addEventListener("click", async () => {
    const answer = await post("/admin/undo", { number: entry.number });
    message.textContent = answer.status === 204 ? ""
      : answer.status === 409 ? " The value has been changed again since." : ` ${answer.text.trim()}`;
  });
  return element("li", {}, element("strong", { textContent: dotted(entry.path) }),
    `: ${shortened(shown(entry.old))} → ${shortened(shown(entry.new))} `, element("br"),
    element("small", {}, time, entry.by === "outside" ? " · outside " : " · service "), undo, message);
}

function addHistory(entries) {
  historyList.prepend(...entries.map(historyItem).reverse());
  while (historyList.children.length > 100) historyList.lastElementChild.remove();
  byId("no-history").hidden = historyList.children.length > 0;
}

// Events.

function takeSettings(event) {
  values = event.values;
  defaults = new Set(event.defaults);
  historyList.replaceChildren();
  addHistory(event.history);
  renderSections();
  render();
}

function takeChanges(event) {
  defaults = new Set(event.defaults);
  let isStructural = false;
  for (const entry of event.entries) {
    const row = rows.get(entry.path);
    const fits = row && entry.new !== undefined && !isGroup(entry.new) && typeof entry.new === typeof entry.old;
    if (!fits && (entry.old === undefined || entry.new === undefined || isGroup(entry.new) || isGroup(entry.old) || row)) {
      isStructural = true;
    }
    setValue(entry.path, entry.new);
    if (fits) row.changed(entry.new);
  }
  if (isStructural) { renderSections(); render(); }
  for (const row of rows.values()) row.describe();
  for (const entry of event.entries) { const row = rows.get(entry.path); if (row) flash(row.element); }
  addHistory(event.entries);
  if (event.entries.length > 0) {
    const last = event.entries[event.entries.length - 1];
    announce(`${dotted(last.path)} is now ${shortened(shown(last.new))}`);
  }
}

function takeStatus(event) {
  byId("banner").hidden = !event.problem;
  byId("problem").textContent = event.problem ? event.problem.report : "";
  document.body.style.paddingBottom = event.problem ? `${byId("banner").offsetHeight}px` : "";
  const parts = ["live"];
  if (event.watching && event.watching !== "live") parts[0] = event.watching;
  if (event.pending) parts.push(event.problem ? "edits wait" : "saving …");
  if (event.unsaved) parts.push(`not saved: ${event.unsaved}`);
  connectionText = parts.join(" · ");
  if (isConnected) showConnection(true);
}

let connectionText = "live";
let isConnected = false;

function showConnection(isNow) {
  isConnected = isNow;
  const target = byId("connection");
  target.textContent = isNow ? connectionText : "connection lost; trying again …";
  target.classList.toggle("lost", !isNow);
}

function connect() {
  const source = new EventSource(`/admin/events?after=${encodeURIComponent(lastEvent)}`);
  const listen = (name, take) => source.addEventListener(name, (event) => {
    if (event.lastEventId) lastEvent = event.lastEventId;
    showConnection(true);
    take(JSON.parse(event.data));
  });
  listen("settings", takeSettings);
  listen("changes", takeChanges);
  listen("status", takeStatus);
  source.addEventListener("error", () => {
    showConnection(false);
    // The browser tries again by itself, unless the service refuses.
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  });
}

let filterTimer;
filter.addEventListener("input", () => {
  render();
  clearTimeout(filterTimer);
  filterTimer = setTimeout(() => post("/admin/scene", { scene, filter: filter.value }), 200);
});

async function start() {
  try {
    const known = await (await fetch(`/admin/scene?scene=${scene}`)).json();
    [section, filter.value] = [known.section, known.filter];
  } catch { /* the page begins with nothing selected */ }
  connect();
}

start();
