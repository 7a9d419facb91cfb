import { make } from "../../components/client/dom.ts";

/** Autocompletes items after `#`, people after `@` and emoji after `:`, by arrow keys and Enter, or the pointer. */

interface Suggestion {
  readonly value: string;
  readonly text: string;
}

/** The word being typed, if it starts with one of these characters. */
const BEGUN = /(?:^|[\s([])(?:([#@])([\w./-]{0,79})|(:)([\w+-]{2,39}))$/;
const kinds: Readonly<Record<string, string>> = { "#": "items", "@": "people", ":": "emoji" };

let list: HTMLUListElement | undefined;
let chosen = 0;
let asked = 0;

function close(): void {
  list?.remove();
  list = undefined;
}

function wordBefore(field: HTMLTextAreaElement) {
  if (field.selectionStart !== field.selectionEnd) return undefined;
  const [, sign, word, colon, name] = BEGUN.exec(field.value.slice(0, field.selectionStart)) ?? [];
  const begun = { sign: sign ?? colon, word: word ?? name };
  return begun.sign === undefined || begun.word === undefined ? undefined : { sign: begun.sign, word: begun.word };
}

function mark(at: number): void {
  if (!list || list.children.length === 0) return;
  chosen = (at + list.children.length) % list.children.length;
  for (const [place, item] of [...list.children].entries())
    item.setAttribute("aria-selected", String(place === chosen));
}

function take(field: HTMLTextAreaElement, value: string): void {
  const before = wordBefore(field);
  if (!before) return;
  const start = field.selectionStart - before.word.length - 1;
  field.setRangeText(`${value} `, start, field.selectionStart, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  close();
  field.focus();
}

async function offer(field: HTMLTextAreaElement, box: HTMLElement): Promise<void> {
  const before = wordBefore(field);
  const action = box.dataset["suggest"];
  const turn = ++asked;
  if (!before || !action) return close();
  const answer = await fetch(
    `${action}?${new URLSearchParams({ q: before.word, kind: kinds[before.sign] ?? "" })}`,
  ).catch(() => undefined);
  // Too late: the user has typed on or left the field.
  if (turn !== asked || !answer?.ok || document.activeElement !== field) return;
  const found = (await answer.json()) as Suggestion[];
  close();
  if (found.length === 0 || turn !== asked) return;
  list = make("ul", { className: "text-suggestions", role: "listbox" });
  for (const { text, value } of found) {
    const item = make("li", { role: "option" }, make("strong", {}, value), make("span", { className: "muted" }, text));
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(field, value);
    });
    item.dataset["value"] = value;
    list.append(item);
  }
  field.after(list);
  mark(0);
}

export function startSuggestions(): void {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  document.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    const box = target.closest<HTMLElement>("[data-suggest]");
    if (!box) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => void offer(target, box), 120);
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (!list || !(event.target instanceof HTMLTextAreaElement)) return;
      const value =
        list.children[chosen] instanceof HTMLElement
          ? (list.children[chosen] as HTMLElement).dataset["value"]
          : undefined;
      if (event.key === "ArrowDown") mark(chosen + 1);
      else if (event.key === "ArrowUp") mark(chosen - 1);
      else if ((event.key === "Enter" || event.key === "Tab") && value) take(event.target, value);
      else if (event.key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("focusout", () => close());
}
