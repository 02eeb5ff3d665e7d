// Rows: single values, which are edited in place.
"use strict";

const rows = new Map();
let rowNumber = 0;
const nothing = Symbol("nothing");
const redacted = "<redacted>";

/** One value with its name. */
class Row {
  constructor(path, name, value) {
    this.path = path;
    this.type = value === null ? "nothing" : typeof value;
    /** Whether the value was removed, so that the row disappears. */
    this.isGone = false;
    /** The value that is being sent to the service. */
    this.sending = nothing;
    /** The conflicting value that the person has to take or replace. */
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
    // A browser also reports a change of a field that is removed from the page for a moment.
    this.input.addEventListener("change", () => { if (!isRendering) this.save(); });
    this.remove.addEventListener("click", () => { this.input.focus(); this.send(undefined); });
    this.show(value);
    rows.set(path, this);
  }

  show(value) {
    this.see(value);
    this.isGone = false;
    if (this.type === "boolean") this.input.checked = value; else this.input.value = shown(value);
    this.clear();
    this.describe();
  }

  /** Records the value that is shown, and the last event that it includes, because all secrets look the same. */
  see(value) { [this.seen, this.seenEvent] = [value, lastEvent]; }

  describe() {
    const isLeftOut = isDefault(this.path);
    const type = { string: "text", number: "number", boolean: "switch" }[this.type] ?? this.type;
    this.note.textContent = isLeftOut ? `${type} · default` : type;
    this.remove.disabled = isLeftOut;
    if (this.type === "boolean") this.input.disabled = isReadOnly; else this.input.readOnly = isReadOnly;
    this.comment.textContent = commentOf(this.path);
    this.comment.hidden = this.comment.textContent === "";
  }

  /** The value that the person has entered; throws if it has no JSON form. */
  get entered() {
    if (this.type === "boolean") return this.input.checked;
    return this.type === "string" ? this.input.value : JSON.parse(this.input.value);
  }

  get isEdited() {
    try { return !same(this.entered, this.seen); } catch { return true; }
  }

  /** Whether the row has text that is not saved, or a message. */
  get isUnfinished() { return !this.isGone && (this.isEdited || !this.message.hidden); }

  reset() {
    const value = valueAt(this.path);
    if (value === undefined) { this.isGone = true; this.clear(); } else { this.show(value); }
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
    // A row that is no longer shown must appear with its message.
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
    // Enter saves, and leaving the field would save the same value again.
    if (this.sending === nothing || !same(this.sending, value)) this.send(value);
  }

  async send(value) {
    this.sending = value;
    this.isChangedMeanwhile = false;
    const answer = await post("/admin/set", { path: this.path, value, seen: this.seen, after: this.seenEvent });
    if (!same(this.sending, value)) return; // another value was sent since
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

  /** Shows the value of the service, unless the person has continued to type. */
  saved(sent, value) {
    let isSame = false;
    try { isSame = sent === undefined || same(this.entered, sent); } catch { /* it is not */ }
    if (value === undefined) return this.reset();
    if (isSame) {
      const wasElsewhere = this.element.closest(".unfinished");
      this.show(value);
      if (wasElsewhere) render();
    } else { this.see(value); this.clear(); }
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
    this.refuse(`This was changed to ${shortened(shown(theirs))} meanwhile. You entered ${
      shortened(shown(mine))}. `,
    button("Keep mine", () => { this.see(theirs); this.clear(); this.save(); }),
    button("Take theirs", () => this.reset()));
  }

  /** Takes a change of the value, also by this page. */
  changed(value) {
    if (this.sending !== nothing) { this.isChangedMeanwhile = true; return; }
    let isMine = false;
    try { isMine = same(this.entered, value); } catch { /* it is not */ }
    if (isMine || !this.isEdited) { if (value !== undefined) this.show(value); return; }
    // A secret has changed even if it looks the same.
    if (same(this.seen, value) && value !== redacted) this.clear(); else this.conflict(value);
  }
}
