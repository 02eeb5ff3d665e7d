// The tree of the selected section, and the search.
"use strict";

function node(path, name, value) {
  if (!isGroup(value)) return new Row(path, name, value).element;
  const count = Object.keys(value).length;
  const members = element("div", { className: "members" });
  members.setAttribute("role", "group");
  members.setAttribute("aria-label", dotted(path));
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
  if (!isDefault(path)) made.push(removal(path));
  return made;
}

/** A button that removes a group from the file. */
function removal(path) {
  const button = element("button", { type: "button", textContent: `Remove ${dotted(path)}` });
  button.dataset.key = `remove ${path}`;
  const message = element("div", { className: "message", hidden: true });
  message.setAttribute("role", "alert");
  button.addEventListener("click", async () => {
    const answer = await post("/admin/set", { path, seen: valueAt(path), after: lastEvent });
    message.hidden = answer.status === 200;
    message.textContent = answer.status === 409 ? "This was changed meanwhile. Check it and try again." : answer.text.trim();
  });
  return element("div", { className: "removal" }, button, message);
}

const addingLines = new Map();

/** A line that adds a member to a group. */
function adding(path) {
  // The line is reused, so that typed text stays.
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

/** Whether elements are being replaced. */
let isRendering = false;

function render() {
  isRendering = true;
  try { renderTree(); } finally { isRendering = false; }
}

function renderTree() {
  const focused = document.activeElement;
  const unfinished = [...rows.values()].filter((row) => row.isUnfinished);
  rows.clear();
  const content = visibleContent();
  // Rows that are being edited stay as they are. Rows without a place in the content are shown before it.
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
  // Restore the focus: the element may have been moved, or replaced by another one.
  if (focused && focused !== document.body && document.activeElement !== focused) {
    const next = focused.isConnected ? focused
      : focused.dataset.key && document.querySelector(`[data-key="${CSS.escape(focused.dataset.key)}"]`);
    next?.focus();
  }
}

/** The elements of the selected section, or of the values that were found. */
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
  if (focused !== undefined) sectionButton(focused)?.focus();
}

function sectionButton(name) { return [...sections.children].find((button) => button.dataset.name === name); }

/** Highlights the row of a changed value, or its section. */
function flashValue(path) {
  const row = rows.get(path);
  if (row && row.element.checkVisibility()) return flash(row.element);
  const button = sectionButton(tokens(path)[0]) ?? sectionButton("");
  if (button) flash(button);
}
