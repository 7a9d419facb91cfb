import { around, find, on, say, word } from "../../components/client/dom.ts";

/** The code view: selects lines (`#L10-L20`) with the mouse or the keyboard. */

interface LineRange {
  readonly from: number;
  readonly to: number;
}

function rangeOf(hash: string): LineRange | undefined {
  const match = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(hash);
  if (!match) return undefined;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  return { from: Math.min(from, to), to: Math.max(from, to) };
}

const lineAt = (number: number) => document.getElementById(`L${number}`);
const isCode = () => document.querySelector(".code") !== null;

function mark(scroll: boolean): void {
  const range = rangeOf(location.hash);
  for (const line of find(".l.picked")) line.classList.remove("picked");
  if (!range || !isCode()) return;
  // A URL may name a billion lines.
  const last = Math.min(range.to, find(".l").length);
  for (let number = range.from; number <= last; number++) lineAt(number)?.classList.add("picked");
  if (scroll) lineAt(range.from)?.scrollIntoView({ block: "center" });
  for (const link of find<HTMLAnchorElement>("a[data-permalink]")) link.hash = location.hash;
}

function pick(from: number, to: number): void {
  const [first, last] = from <= to ? [from, to] : [to, from];
  history.replaceState(history.state, "", first === last ? `#L${first}` : `#L${first}-L${last}`);
  mark(false);
  say(first === last ? word("line", { line: first }) : word("lines", { from: first, to: last }));
}

/** The first line in view. */
function firstInView(): number {
  const line = find(".code .l").find((each) => each.getBoundingClientRect().top >= 48);
  return Number(line?.id.slice(1) ?? 1);
}

export function startCode(): void {
  addEventListener("hashchange", () => mark(true));
  mark(true);
  // The number is in the line's left padding: a click there selects the line, Shift extends the selection.
  on("click", ".code .l", (line, event) => {
    const gutter = Number.parseFloat(getComputedStyle(line).paddingLeft);
    if (event.clientX - line.getBoundingClientRect().left > gutter) return;
    const number = Number(line.id.slice(1));
    pick((event.shiftKey && rangeOf(location.hash)?.from) || number, number);
    anchor = number;
  });
  // With the focus in the code: Enter selects the first line in view, arrows move it, Shift extends, Escape clears.
  let anchor: number | undefined;
  let head: number | undefined;
  document.addEventListener("keydown", (event) => {
    if (!around(event, ".code") || event.ctrlKey || event.metaKey || event.altKey) return;
    const range = rangeOf(location.hash);
    if (event.key === "Enter" && !range) {
      anchor = head = firstInView();
      pick(anchor, anchor);
    } else if (event.key === "Escape" && range) {
      history.replaceState(history.state, "", location.pathname + location.search);
      anchor = head = undefined;
      mark(false);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && range) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      anchor ??= range.from;
      const next = (head ?? range.to) + step;
      if (!lineAt(next)) return;
      head = next;
      if (!event.shiftKey) anchor = next;
      pick(anchor, next);
      lineAt(next)?.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
  });
}
