import { find, on, say, word } from "../../components/client/dom.ts";
import { fetchInto } from "../../components/client/fetch-into.ts";
import { expand, gapOf } from "./diff-expand.ts";

/** Links to lines of a diff: `#diff-<hash>R12`, `#diff-<hash>R12-R20`. */

interface Lines {
  /** The id of the file's box. */
  readonly file: string;
  readonly side: string;
  readonly from: number;
  readonly to: number;
}

function linesOf(hash: string): Lines | undefined {
  const [, file = "", side = "", first = "", last = first] =
    /^#(diff-[0-9a-f]{40})([LR])(\d{1,9})(?:-[LR]?(\d{1,9}))?$/.exec(hash) ?? [];
  if (file === "") return undefined;
  return { file, side, from: Math.min(Number(first), Number(last)), to: Math.max(Number(first), Number(last)) };
}

const numberAt = ({ file, side }: Lines, number: number) => document.getElementById(`${file}${side}${number}`);

/** The cell with the line's text: beside its number, or at the end of the row. */
function textBeside(number: Element): Element | null {
  const isSplit = number.closest(".diff-split") !== null;
  return isSplit ? number.nextElementSibling : (number.parentElement?.lastElementChild ?? null);
}

function mark(lines: Lines | undefined): void {
  for (const cell of find(".diff .picked")) cell.classList.remove("picked");
  if (!lines) return;
  // A URL may name a billion lines.
  const last = Math.min(lines.to, lines.from + 5_000);
  for (let at = lines.from; at <= last; at++) {
    const number = numberAt(lines, at);
    number?.classList.add("picked");
    if (number) textBeside(number)?.classList.add("picked");
  }
}

/** Scrolls to the first line in the URL; its file may be folded or not loaded, or the line may be in a gap. */
async function show(): Promise<void> {
  const lines = linesOf(location.hash);
  mark(lines);
  const file = lines && document.getElementById(lines.file);
  if (!lines || !(file instanceof HTMLDetailsElement)) return;
  file.open = true;
  if (!numberAt(lines, lines.from)) {
    const load = file.querySelector<HTMLAnchorElement>(".diff-load a");
    if (load?.parentElement) await fetchInto(load.parentElement, load.href);
    const gap = find("[data-gap]", file).find((row) => {
      const [lastLeft = 0, lastRight = 0, left = 0, right = 0] = gapOf(row);
      const [above, below] = lines.side === "L" ? [lastLeft, left] : [lastRight, right];
      return above < lines.from && lines.from < below;
    });
    if (gap) await expand(gap, "");
    mark(lines);
  }
  numberAt(lines, lines.from)?.scrollIntoView({ block: "center" });
}

export function startLines(): void {
  on("click", ".diff .no[id]", (number, event) => {
    const [, file = "", side = "", line = ""] = /^(.+)([LR])(\d+)$/.exec(number.id) ?? [];
    const before = linesOf(location.hash);
    const isRange = event.shiftKey && before?.file === file && before.side === side;
    const [from, to] = isRange ? [before.from, Number(line)].sort((a, b) => a - b) : [Number(line), Number(line)];
    if (from === undefined || to === undefined) return;
    const hash = from === to ? `#${number.id}` : `#${file}${side}${from}-${side}${to}`;
    // Not location.hash, which would scroll.
    history.replaceState(history.state, "", hash);
    mark(linesOf(hash));
    say(from === to ? word("line", { line: from }) : word("lines", { from, to }));
  });
  addEventListener("hashchange", () => void show());
  void show();
}
