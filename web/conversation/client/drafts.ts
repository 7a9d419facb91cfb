import { find, onArrival } from "../../components/client/dom.ts";

/** Drafts stay in this browser until they are sent; they are never uploaded. */

const PREFIX = "hearth-draft:";
const MAX_DAYS = 30;

interface Draft {
  readonly text: string;
  readonly at: number;
}

function read(key: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    if (typeof kept !== "object" || kept === null || !("text" in kept) || !("at" in kept)) return undefined;
    return typeof kept.text === "string" && typeof kept.at === "number" ? { text: kept.text, at: kept.at } : undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, text: string): void {
  try {
    if (text.trim() === "") localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify({ text, at: Date.now() }));
  } catch {
    // Without storage, only the draft is lost.
  }
}

function removeOld(): void {
  try {
    for (const name of Object.keys(localStorage)) {
      if (!name.startsWith(PREFIX)) continue;
      const draft = read(name.slice(PREFIX.length));
      if (!draft || Date.now() - draft.at > MAX_DAYS * 86_400_000) localStorage.removeItem(name);
    }
  } catch {
    // As above.
  }
}

function restore(box: HTMLElement): void {
  const [key, field] = [box.dataset["keep"], box.querySelector("textarea")];
  if (!key || !field || box.dataset["kept"] !== undefined) return;
  box.dataset["kept"] = "";
  const draft = read(key);
  // The text that the server shows after a refusal is newer.
  if (!draft || draft.text === field.value || box.querySelector(".field-error")) return;
  const shown = field.value;
  field.value = draft.text;
  const note = box.querySelector<HTMLElement>("[data-kept]");
  if (!note) return;
  note.hidden = false;
  note.querySelector("[data-forget]")?.addEventListener("click", () => {
    field.value = shown;
    keep(key, "");
    note.hidden = true;
    field.focus();
  });
}

export function startDrafts(): void {
  removeOld();
  onArrival(() => {
    for (const box of find("[data-keep]")) restore(box);
  });
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    const key = target.closest<HTMLElement>("[data-keep]")?.dataset["keep"];
    if (key) keep(key, target.value);
  });
  document.addEventListener("submit", ({ target }) => {
    if (!(target instanceof HTMLFormElement)) return;
    for (const box of find("[data-keep]", target)) if (box.dataset["keep"]) keep(box.dataset["keep"], "");
  });
}
