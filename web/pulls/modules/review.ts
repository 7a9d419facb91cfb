/** Reviewing on the files page: forms on demand, line ranges, viewed marks. */
import { addKey } from "../../components/client/add-key.ts";
import { find, make, on, say, word } from "../../components/client/dom.ts";
import { fetchInto } from "../../components/client/fetch-into.ts";
import { chosenText, markRange, startRanges } from "../client/line-range.ts";

/** The viewed buttons of files. */
const VIEWED = "button[form=viewed-files]";

/** The element for the comments of a line, created if missing; undefined when the line is not on the page. */
function notesOf(button: HTMLElement, name: string): HTMLElement | undefined {
  const row = button.closest("tr");
  const box = button.closest(".diff-box");
  const inside = row ? cellUnder(row, name) : box?.querySelector<HTMLElement>(".file-notes");
  if (!inside) return undefined;
  const present = find(".notes", inside).find((notes) => notes.dataset["place"] === name);
  if (present) return present;
  const notes = make("div", { className: "notes" });
  notes.dataset["place"] = name;
  inside.append(notes);
  return notes;
}

function cellUnder(row: HTMLTableRowElement, name: string): HTMLElement | undefined {
  const isSplit = row.closest("table")?.classList.contains("diff-split") === true;
  let under = row.nextElementSibling;
  if (!under?.classList.contains("under")) {
    const cell = () => make("td", { colSpan: isSplit ? 2 : 3 });
    under = make("tr", { className: "under" }, cell(), ...(isSplit ? [cell()] : []));
    row.after(under);
  }
  const cells = [...under.children].filter((cell) => cell instanceof HTMLElement);
  return isSplit && name.startsWith("R") ? cells[1] : cells[0];
}

async function openForm(button: HTMLButtonElement, startLine?: number): Promise<void> {
  const form = button.form;
  const notes = notesOf(button, button.value);
  if (!form || !notes) return;
  const path = String(new FormData(form).get("path"));
  const side = button.value.startsWith("L") ? "previous" : "proposed";
  const line = button.value === "F" ? "0" : button.value.slice(1);
  const address = `${form.getAttribute("action") ?? ""}/reviews/new_comment?${new URLSearchParams({ path, side, line })}`;
  if (!notes.querySelector(".line-form")) {
    const [parent, name] = [notes.parentElement, notes.dataset["place"]];
    await fetchInto(notes, address);
    const arrived = parent && find(".notes", parent).find((each) => each.dataset["place"] === name);
    focusForm(arrived ?? undefined, startLine);
  } else focusForm(notes, startLine);
}

function focusForm(notes: HTMLElement | undefined, startLine: number | undefined): void {
  const start = notes?.querySelector<HTMLInputElement>("[name=start_line]");
  if (start && startLine !== undefined) start.value = String(startLine);
  if (start) markRange(start);
  notes?.querySelector("textarea")?.focus();
}

/** A cancelled form leaves no empty row behind. */
function closeForm(form: Element): void {
  const notes = form.closest(".notes");
  const row = form.closest("tr.under");
  const button = row?.previousElementSibling?.querySelector<HTMLElement>(".line-add");
  markRange(undefined);
  form.remove();
  if (notes && notes.children.length === 0) notes.remove();
  if (row && !row.querySelector(".notes")) row.remove();
  button?.focus();
}

function suggest(button: HTMLElement): void {
  const form = button.closest<HTMLFormElement>(".line-form");
  const field = form?.querySelector("textarea");
  if (!form || !field) return;
  const text = `\`\`\`suggestion\n${chosenText(form)}\n\`\`\`\n`;
  field.setRangeText(
    field.value === "" || field.value.endsWith("\n") ? text : `\n${text}`,
    field.value.length,
    field.value.length,
    "end",
  );
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  const at = field.value.lastIndexOf("```suggestion\n") + 14;
  field.setSelectionRange(at, field.value.length - 5);
}

/** The line that a key applies to: the focused one, the one in the URL, or the first change in view. */
function lineAtHand(): HTMLButtonElement | undefined {
  const rows = [document.activeElement?.closest("tr"), document.querySelector(":target")?.closest("tr")];
  for (const row of rows) {
    for (let at: Element | null | undefined = row; at; at = at.nextElementSibling) {
      const buttons = find<HTMLButtonElement>(".line-add", at);
      const last = buttons.at(-1);
      if (last && (at === row || at.matches(".add, .del") || at.querySelector(".add, .del"))) return last;
    }
  }
  return find<HTMLButtonElement>(".diff-file[open] .line-add").find((each) => each.getBoundingClientRect().top > 0);
}

async function toggleViewed(button: HTMLButtonElement): Promise<void> {
  const { form } = button;
  const path = button.value;
  if (!form) return;
  const isViewed = button.getAttribute("aria-pressed") !== "true";
  const head = new FormData(form).get("head");
  button.disabled = true;
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ headCommitSHA: head, files: { [path]: isViewed } }),
  }).catch(() => undefined);
  button.disabled = false;
  if (!answer?.ok) return say(word("failed"));
  button.setAttribute("aria-pressed", String(isViewed));
  button.name = isViewed ? "unviewed" : "viewed";
  const box = button.closest(".diff-box")?.querySelector<HTMLDetailsElement>(".diff-file");
  if (box) {
    box.open = !isViewed;
    box.querySelector("summary")?.scrollIntoView({ block: "nearest" });
  }
  count(isViewed ? 1 : -1);
}

function count(by: number): void {
  const text = document.querySelector<HTMLElement>("#viewed-progress [data-viewed]");
  const bar = document.querySelector<HTMLProgressElement>("#viewed-progress progress");
  if (!text || !bar) return;
  const viewed = Number(text.dataset["viewed"]) + by;
  text.dataset["viewed"] = String(viewed);
  text.textContent = (text.dataset["text"] ?? "").replace("{viewed}", String(viewed));
  bar.value = viewed;
  say(text.textContent);
}

function fileAtHand(): HTMLButtonElement | undefined {
  const here = document.activeElement?.closest(".diff-box");
  const boxes = here ? [here] : find(".diff-box").filter((box) => box.getBoundingClientRect().bottom > 60);
  return boxes[0]?.querySelector<HTMLButtonElement>(VIEWED) ?? undefined;
}

on("click", "button[name=comment]", (button, event) => {
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const open = button.closest(".diff-box")?.querySelector<HTMLFormElement>(".line-form");
  const line = Number(new FormData(open ?? undefined).get("line"));
  const number = Number(button.value.slice(1));
  const isSameSide =
    (open?.querySelector<HTMLInputElement>("[name=side]")?.value === "previous") === button.value.startsWith("L");
  if (!event.shiftKey || !open || !isSameSide || number === line) return void openForm(button);
  if (number < line) return focusForm(open.closest<HTMLElement>(".notes") ?? undefined, number);
  closeForm(open);
  void openForm(button, line);
});
on("click", VIEWED, (button, event) => {
  event.preventDefault();
  if (button instanceof HTMLButtonElement) void toggleViewed(button);
});
on("click", "[data-close-form]", (link, event) => {
  const form = link.closest(".line-form");
  if (!form) return;
  event.preventDefault();
  closeForm(form);
});
on("click", "[data-suggest-change]", (button) => suggest(button));
on("keydown", ".line-form", (form, event) => {
  if (event.key === "Escape" && form.querySelector("textarea")?.value === "") closeForm(form);
});
on("keydown", ".line-add", (button, event) => {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const all = find(".diff-file[open] .line-add");
  all[all.indexOf(button) + by]?.focus();
});
startRanges();
const isUseful = () => document.querySelector(".line-add") !== null;
addKey({
  key: "c",
  name: "commentOnLine",
  isUseful,
  press: () => {
    const line = lineAtHand();
    line?.scrollIntoView({ block: "nearest" });
    if (line) void openForm(line);
  },
});
addKey({
  key: "v",
  name: "markViewed",
  isUseful,
  press: () => {
    const button = fileAtHand();
    if (button) void toggleViewed(button);
  },
});
