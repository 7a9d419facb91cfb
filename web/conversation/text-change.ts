import { blocksOf } from "../../src/git/diff/lines/edits.ts";
import { editsBetween } from "../../src/git/diff/lines/myers.ts";
import { StringNumbers } from "../../src/git/diff/lines/strings.ts";

/** A line of a changed text. */
export interface ChangedLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** The line-by-line difference of two texts. */
export function changedLines(before: string, after: string): ChangedLine[] {
  const [old, now] = [before === "" ? [] : before.split("\n"), after === "" ? [] : after.split("\n")];
  const numbers = new StringNumbers();
  const [a, b] = [numbers.of(old), numbers.of(now)];
  const lines: ChangedLine[] = [];
  let [fromOld, fromNew] = [0, 0];
  const same = (until: number) => {
    for (; fromNew < until; fromNew++, fromOld++) lines.push({ kind: "same", text: now[fromNew] ?? "" });
  };
  for (const block of blocksOf(editsBetween(a, b, numbers.size))) {
    same(block.newStart);
    for (; fromOld < block.oldEnd; fromOld++) lines.push({ kind: "removed", text: old[fromOld] ?? "" });
    for (; fromNew < block.newEnd; fromNew++) lines.push({ kind: "added", text: now[fromNew] ?? "" });
  }
  same(now.length);
  return lines;
}

const TAGS = { same: "span", added: "ins", removed: "del" } as const;

export function htmlOfChange(lines: readonly ChangedLine[]): string {
  return lines.map(({ kind, text }) => `<${TAGS[kind]}>${Bun.escapeHTML(text)}</${TAGS[kind]}>`).join("\n");
}
