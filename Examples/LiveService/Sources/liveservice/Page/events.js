// The events of the service (all settings, changes, the status), and the history of changes.
"use strict";

function historyItem(entry) {
  const time = element("time", { dateTime: entry.time, textContent: new Date(entry.time).toLocaleString() });
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

const historyLimit = 100;

function addHistory(entries) {
  historyList.prepend(...entries.slice(-historyLimit).map(historyItem).reverse());
  while (historyList.children.length > historyLimit) historyList.lastElementChild.remove();
  byId("no-history").hidden = historyList.children.length > 0;
}

// Events.

function takeSettings(event) {
  values = event.values;
  defaults = new Set(event.defaults);
  ({ comments } = event);
  historyList.replaceChildren();
  addHistory(event.history);
  // The value of a row that is being edited may have changed meanwhile.
  for (const row of rows.values()) { if (row.isUnfinished) row.changed(scalarAt(row.path)); }
  renderSections();
  render();
}

/** The value of a row; undefined if there is none. */
function scalarAt(path) {
  const value = valueAt(path);
  return isGroup(value) ? undefined : value;
}

function takeChanges(event) {
  let isStructural = !same([...defaults], event.defaults);
  defaults = new Set(event.defaults);
  // Comments are sent only if they have changed.
  if (event.comments) { isStructural = true; ({ comments } = event); }
  for (const entry of event.entries) {
    setValue(entry.path, entry.new);
    const row = rows.get(entry.path);
    const isScalar = ![entry.old, entry.new].some((value) => value === undefined || isGroup(value));
    if (!isScalar || (row && row.type !== typeof entry.new)) isStructural = true;
    for (const changed of rows.values()) {
      if (changed.path === entry.path || changed.path.startsWith(`${entry.path}/`)) changed.changed(scalarAt(changed.path));
    }
  }
  // All other rows show the values of this event.
  for (const row of rows.values()) { if (!row.isUnfinished) row.seenEvent = lastEvent; }
  if (isStructural) { renderSections(); render(); }
  for (const row of rows.values()) row.describe();
  for (const entry of event.entries.slice(-limit)) flashValue(entry.path);
  addHistory(event.entries);
  if (event.entries.length > 0) {
    const last = event.entries[event.entries.length - 1];
    const others = event.entries.length === 1 ? "" : `, and ${event.entries.length - 1} more have changed`;
    announce(`${dotted(last.path)} is now ${shortened(shown(last.new))}${others}`);
  }
}

function takeStatus(event) {
  byId("banner").hidden = !event.problem;
  byId("problem").textContent = event.problem ? event.problem.report : "";
  document.body.style.paddingBottom = event.problem ? `${byId("banner").offsetHeight}px` : "";
  const parts = ["live"];
  if (event.watching && event.watching !== "live") parts[0] = event.watching;
  if (event.missing) parts.push("the file does not exist");
  if (event.readOnly) parts.push("read-only");
  if (event.pending) parts.push(event.problem ? "edits wait" : "saving …");
  if (event.unsaved) parts.push(`not saved: ${event.unsaved}`);
  connectionText = parts.join(" · ");
  if (isConnected) showConnection(true);
  if (isReadOnly !== Boolean(event.readOnly)) {
    isReadOnly = Boolean(event.readOnly);
    document.body.classList.toggle("read-only", isReadOnly);
    for (const row of rows.values()) row.describe();
  }
  if (event.address) follow(event.address);
}

/** The URL of the service; a page behind a proxy is at another port. */
let address;

/** Moves the page when the service listens elsewhere, unless typed text would be lost. */
function follow(text) {
  const [before, now] = [address, new URL(text)];
  address = now;
  const port = (url) => url.port || (url.protocol === "https:" ? "443" : "80");
  if (!before || before.href === now.href || port(before) !== port(location)) return;
  const target = `${now.protocol}//${location.hostname}:${port(now)}${location.pathname}#${scene}`;
  if ([...rows.values()].some((row) => row.isUnfinished)) {
    byId("moved").replaceChildren("The service listens elsewhere now. Your edits can no longer be saved here: ",
      element("a", { href: target, textContent: "open the page there" }), ".");
    byId("moved").hidden = false;
  } else {
    location.replace(target);
  }
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
  const again = async () => {
    clearTimeout(silence);
    source.close();
    showConnection(false);
    // An event source does not report why it ended.
    const answer = await fetch(`/admin/scene?scene=${scene}`).catch(() => null);
    if (answer && [401, 403].includes(answer.status)) {
      byId("connection").textContent = "signed out: open the link in the log of the service";
    } else {
      setTimeout(connect, 1000);
    }
  };
  // The service sends an event each second, because a connection can end unnoticed.
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
  source.addEventListener("error", again);
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
