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

// This tab: it keeps its selection when it is loaded again, also after a restart of the service. The identifier is stored
// only when the page is left, so that the copy of a tab is another one.
const scene = sessionStorage.scene ??
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");
delete sessionStorage.scene;
addEventListener("pagehide", () => { sessionStorage.scene = scene; });

let values = {};
let defaults = new Set();
/** The comments of the file, by path. */
let comments = {};
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

function setValue(path, value, old) {
  const names = tokens(path);
  const last = names.pop();
  if (last === undefined) { values = value; return; }
  let place = values;
  for (const name of names) {
    if (!isGroup(place) || !Object.hasOwn(place, name)) return;
    place = place[name];
  }
  if (!isGroup(place)) return;
  if (Array.isArray(place)) {
    if (value === undefined) place.splice(Number(last), 1);
    else place.splice(Number(last), old === undefined ? 0 : 1, value);
  } else if (value === undefined) {
    delete place[last];
  } else {
    // Also a member of the name __proto__.
    Object.defineProperty(place, last, { value, writable: true, enumerable: true, configurable: true });
  }
}

/** Whether the file leaves a value out. */
function isDefault(path) {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (defaults.has(path.slice(0, end))) return true;
  }
  return defaults.has("");
}

/** The comment of a value, as text. */
const commentOf = (path) => (Object.hasOwn(comments, path) ? comments[path] : "");

/** An element with the comment of a group; nothing if it has none. */
const commentElements = (path) => (commentOf(path) === "" ? []
  : [element("p", { className: "comment", textContent: commentOf(path) })]);

async function post(path, message) {
  try {
    const answer = await fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message),
      signal: AbortSignal.timeout(10_000),
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
const nothing = Symbol("nothing");
const redacted = "<redacted>";

/** One value with its name. */
class Row {
  constructor(path, name, value) {
    this.path = path;
    this.type = value === null ? "nothing" : typeof value;
    /** What is on its way to the service. */
    this.sending = nothing;
    /** The value of somebody else that the person has to choose or refuse. */
    this.theirs = nothing;
    const id = `value-${rowNumber++}`;
    this.input = element("input", { id, autocomplete: "off", spellcheck: false });
    this.input.dataset.key = `value ${path}`;
    if (this.type === "boolean") this.input.type = "checkbox";
    if (this.type === "number") this.input.inputMode = "decimal";
    this.label = element("label", { htmlFor: id, textContent: name });
    this.comment = element("p", { className: "comment", id: `${id}-comment` });
    this.note = element("p", { className: "note", id: `${id}-note` });
    this.message = element("div", { className: "message", id: `${id}-message`, hidden: true });
    this.message.setAttribute("role", "alert");
    this.remove = element("button", { type: "button", textContent: "Remove" });
    this.remove.dataset.key = `remove ${path}`;
    this.remove.setAttribute("aria-label", `Remove ${dotted(path)} from the file`);
    this.element = element("div", { className: "row" }, this.label, this.input, this.remove, this.note,
      this.comment, this.message);
    this.input.setAttribute("aria-describedby", `${id}-note ${id}-comment ${id}-message`);
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
    if (this.type === "boolean") this.input.checked = value; else this.input.value = shown(value);
    this.clear();
    this.describe();
  }

  describe() {
    const isLeftOut = isDefault(this.path);
    const type = { string: "text", number: "number", boolean: "switch" }[this.type] ?? this.type;
    this.note.textContent = isLeftOut ? `${type} · default` : type;
    this.remove.disabled = isLeftOut;
    this.comment.textContent = commentOf(this.path);
    this.comment.hidden = this.comment.textContent === "";
  }

  /** What the person has entered; throws if it has no JSON form. */
  get entered() {
    if (this.type === "boolean") return this.input.checked;
    return this.type === "string" ? this.input.value : JSON.parse(this.input.value);
  }

  get isEdited() {
    try { return !same(this.entered, this.seen); } catch { return true; }
  }

  /** Whether a person must still do something about the row. */
  get isUnfinished() { return this.isEdited || !this.message.hidden; }

  reset() {
    const value = valueAt(this.path);
    if (value === undefined) { this.seen = this.entered; this.clear(); } else { this.show(value); }
    render();
  }

  clear() {
    this.theirs = nothing;
    this.message.hidden = true;
    this.message.replaceChildren();
    this.input.removeAttribute("aria-invalid");
  }

  refuse(text, ...children) {
    this.message.replaceChildren(text, ...children);
    this.message.hidden = false;
    this.input.setAttribute("aria-invalid", "true");
    // Of a row that is not shown any more.
    if (!this.element.isConnected) render();
  }

  save() {
    if (this.theirs !== nothing) return; // the person chooses first
    if (!this.isEdited) {
      this.clear();
      if (this.element.closest(".unfinished")) render();
      return;
    }
    let value;
    try { value = this.entered; } catch {
      this.refuse(this.type === "number" ? "This must be a number." : "This must be JSON: text needs quotes.");
      return;
    }
    // Enter saves, and then leaving the field does.
    if (this.sending === nothing || !same(this.sending, value)) this.send(value);
  }

  async send(value) {
    this.sending = value;
    this.isChangedMeanwhile = false;
    const answer = await post("/admin/set", { path: this.path, value, seen: this.seen, after: lastEvent });
    if (!same(this.sending, value)) return; // something else was sent since
    this.sending = nothing;
    let json = {};
    try { json = JSON.parse(answer.text); } catch { /* a message */ }
    if (answer.status === 200 || (answer.status === 409 && value !== undefined && same(json.theirs, value))) {
      this.saved(value, this.isChangedMeanwhile ? valueAt(this.path) : answer.status === 200 ? json.value : json.theirs);
    } else if (answer.status === 409) {
      this.conflict(json.theirs);
    } else {
      this.refuse(answer.text.trim());
    }
  }

  /** Shows what the service has now, unless the person has gone on typing. */
  saved(sent, value) {
    let isSame = false;
    try { isSame = sent === undefined || same(this.entered, sent); } catch { /* it is not */ }
    if (value === undefined) return this.reset();
    if (isSame) { this.show(value); render(); } else { this.seen = value; this.clear(); }
  }

  /** Shows both values of a conflict, and lets the person choose. */
  conflict(theirs) {
    if (this.theirs !== nothing && same(this.theirs, theirs)) return;
    this.theirs = theirs;
    const button = (textContent, action) => {
      const made = element("button", { type: "button", textContent });
      made.addEventListener("click", () => { action(); this.input.focus(); });
      return made;
    };
    const mine = this.type === "boolean" ? this.input.checked : this.input.value;
    this.refuse(`Somebody else has changed this to ${shortened(shown(theirs))}. You have entered ${
      shortened(shown(mine))}. `,
    button("Keep mine", () => { this.seen = theirs; this.clear(); this.save(); }),
    button("Take theirs", () => this.reset()));
  }

  /** Takes a change by anybody. */
  changed(value) {
    if (this.sending !== nothing) { this.isChangedMeanwhile = true; return; }
    let isMine = false;
    try { isMine = same(this.entered, value); } catch { /* it is not */ }
    if (isMine || !this.isEdited) { if (value !== undefined) this.show(value); return; }
    // A secret has changed although it looks the same.
    if (same(this.seen, value) && value !== redacted) this.clear(); else this.conflict(value);
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
  const summary = element("summary", {}, element("span", { className: "name", textContent: name }),
    ` ${count} ${count === 1 ? "value" : "values"}${isDefault(path) ? " · default" : ""}`, ...commentElements(path));
  summary.dataset.key = `group ${path}`;
  const details = element("details", { open: opened.has(path) }, summary, members);
  const fill = () => { if (details.open && !members.hasChildNodes()) members.append(...membersOf(path, value)); };
  details.addEventListener("toggle", () => {
    if (details.open) opened.add(path); else opened.delete(path);
    fill();
  });
  fill();
  return details;
}

/** How many members of large groups are shown. */
const shownCounts = new Map();

function membersOf(path, value) {
  const keys = Object.keys(value);
  const count = shownCounts.get(path) ?? limit;
  const made = keys.slice(0, count).map((key) => node(append(path, key), key, value[key]));
  if (keys.length > count) {
    const more = element("button", { type: "button", textContent: `Show more (${keys.length - count} of ${keys.length})` });
    more.dataset.key = `more ${path}`;
    more.addEventListener("click", () => { shownCounts.set(path, count + limit); render(); });
    made.push(more);
  }
  if (!Array.isArray(value)) made.push(adding(path));
  return made;
}

const addingLines = new Map();

/** A line that adds a member to a group. */
function adding(path) {
  // What a person has begun to write stays.
  if (!addingLines.has(path)) addingLines.set(path, newAddingLine(path));
  return addingLines.get(path);
}

function newAddingLine(path) {
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
    const answer = await post("/admin/set", { path: target, value: json, after: lastEvent });
    refuse(answer.status === 200 ? "" : answer.status === 409 ? "The name must be a new one." : answer.text.trim());
    if (answer.status === 200) [name.value, value.value] = ["", ""];
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
  const focused = document.activeElement;
  const unfinished = [...rows.values()].filter((row) => row.isUnfinished);
  rows.clear();
  const content = visibleContent();
  // What is being edited stays as it is. What has no place here is shown before the rest.
  const homeless = [];
  for (const row of unfinished) {
    const now = rows.get(row.path);
    if (now) {
      row.label.textContent = now.label.textContent;
      content.forEach((each, index) => { if (each === now.element) content[index] = row.element; });
      if (now.element.parentNode) now.element.replaceWith(row.element);
    } else {
      row.label.textContent = dotted(row.path);
      homeless.push(row.element);
    }
    rows.set(row.path, row);
    row.describe();
  }
  if (homeless.length > 0) {
    content.unshift(element("section", { className: "unfinished" },
      element("h2", { textContent: "Not saved yet" }), ...homeless));
  }
  tree.replaceChildren(...content);
  tree.setAttribute("aria-busy", "false");
  // The same element may have been moved, or another one be in its place.
  if (focused && focused !== document.body && document.activeElement !== focused) {
    const next = focused.isConnected ? focused
      : focused.dataset.key && document.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
    next?.focus();
  }
}

/** The elements of the selected section, or of what is searched. */
function visibleContent() {
  const text = filter.value.trim().toLowerCase();
  if (text !== "") {
    const found = matches("", values, text, []);
    const made = found.slice(0, limit).map(([path, value]) => node(path, dotted(path), value));
    const count = element("p", { className: "note", textContent: found.length === 0 ? "Nothing is found."
      : found.length > limit ? `The first ${limit} of ${found.length} values.` : `${found.length} values.` });
    return [count, ...made];
  }
  if (section === "") {
    return [...commentElements(""), ...Object.keys(values).filter((key) => !isGroup(values[key]))
      .map((key) => node(append("", key), key, values[key]))];
  }
  const value = values[section];
  return [element("h2", { textContent: section }), ...commentElements(append("", section)), ...(isGroup(value) ? membersOf(append("", section), value) : [])];
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
    const answer = await post("/admin/undo", { number: entry.number, instance: lastEvent.split("-")[0] });
    message.textContent = answer.status === 200 ? ""
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
  ({ comments } = event);
  historyList.replaceChildren();
  addHistory(event.history);
  renderSections();
  render();
}

function takeChanges(event) {
  defaults = new Set(event.defaults);
  // What is sent only if it has changed.
  let isStructural = event.comments !== undefined && !same(comments, event.comments);
  comments = event.comments ?? comments;
  for (const entry of event.entries) {
    setValue(entry.path, entry.new, entry.old);
    const row = rows.get(entry.path);
    const isScalar = ![entry.old, entry.new].some((value) => value === undefined || isGroup(value));
    if (!isScalar || (row && row.type !== typeof entry.new)) isStructural = true;
    row?.changed(isGroup(entry.new) ? undefined : entry.new);
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
  let silence;
  const again = () => {
    source.close();
    showConnection(false);
    setTimeout(connect, 1000);
  };
  // The service sends something each second. A connection can end without a word.
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(again, 6000);
  };
  const listen = (name, take) => source.addEventListener(name, (event) => {
    heard();
    if (event.lastEventId) lastEvent = event.lastEventId;
    if (!isConnected) showConnection(true);
    take(JSON.parse(event.data));
  });
  listen("settings", takeSettings);
  listen("changes", takeChanges);
  listen("status", takeStatus);
  listen("ping", () => {});
  source.addEventListener("error", () => {
    clearTimeout(silence);
    again();
  });
  heard();
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
