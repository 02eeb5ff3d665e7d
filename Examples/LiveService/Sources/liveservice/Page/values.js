// The shared parts of the page: its elements, the settings of the service, and requests.
//
// The page shows the settings, follows every change, and edits single values. All values become text nodes, never HTML.
// Its scripts run in the order of page.html: values, rows, tree, events.
"use strict";

const byId = (id) => document.getElementById(id);
const [sections, tree, filter, historyList] = ["sections", "tree", "filter", "history"].map(byId);

/** A new element with properties and children. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// The identifier of this tab, which keeps its selection across reloads and restarts of the service. The identifier is
// stored only when the page is left, so that a copied tab gets another one. A page that moves to another port passes it
// on.
const scene = /^#[0-9a-f]{1,64}$/.test(location.hash) ? location.hash.slice(1) : sessionStorage.scene ??
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16)).join("");
if (location.hash !== "") history.replaceState(null, "", location.pathname);
delete sessionStorage.scene;
addEventListener("pagehide", () => { sessionStorage.scene = scene; });

let values = {};
let defaults = new Set();
/** The comments of the file, by path. */
let comments = {};
let section = "";
let lastEvent = "";
/** Whether the service may not change the file. */
let isReadOnly = false;
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

/** Sets a value that the service has changed. Arrays change as a whole. */
function setValue(path, value) {
  const names = tokens(path);
  const last = names.pop();
  if (last === undefined) { values = value; return; }
  let parent = values;
  for (const name of names) {
    if (!isGroup(parent) || !Object.hasOwn(parent, name)) return;
    parent = parent[name];
  }
  if (!isGroup(parent)) return;
  if (value === undefined) {
    delete parent[last];
  } else {
    // Defines the member even if its name is __proto__.
    Object.defineProperty(parent, last, { value, writable: true, enumerable: true, configurable: true });
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

/** Highlights a changed element for a moment. */
function flash(target) {
  target.classList.remove("changed");
  void target.offsetWidth; // starts the animation again
  target.classList.add("changed");
  clearTimeout(target.flashing);
  target.flashing = setTimeout(() => target.classList.remove("changed"), 2000);
}
