import type { Commits } from "../graph/commits.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { CommitText } from "../pretty/commit-text.ts";
import { PriorityQueue } from "../priority-queue.ts";

/**
 * The newest commit, of some and all before them, whose message matches (gitrevisions(7), `:/text`): `!-text` looks for
 * one that does not match, `!!text` for a text that begins with `!`.
 * @param pattern an extended regular expression, of which those that JavaScript reads the same are understood
 * @returns undefined when there is none, or the pattern is malformed
 * @throws CorruptObject when a commit on the way is missing
 */
export function searchMessages(
  { commits, store }: { readonly commits: Commits; readonly store: ObjectSource },
  starts: readonly Oid[],
  pattern: string,
): Oid | undefined {
  const negated = pattern.startsWith("!-");
  if (/^!(?![!-])/.test(pattern)) return undefined;
  const expression = readExpression(pattern.replace(/^!-|^!(?=!)/, ""));
  if (!expression) return undefined;
  const seen = new Set<number>();
  const waiting = new PriorityQueue<number>();
  const add = (position: number) => {
    if (seen.has(position)) return;
    seen.add(position);
    waiting.push(position, commits.timeOf(position));
  };
  for (const oid of starts) add(commits.positionOf(oid));
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    const oid = commits.oidOf(position);
    const data = store.read(oid)?.data;
    if (data && expression.test(new CommitText({ oid, data }).message) !== negated) return oid;
    for (const parent of commits.parentsOf(position)) add(parent);
  }
  return undefined;
}

function readExpression(pattern: string): RegExp | undefined {
  try {
    // With "u" JavaScript refuses, as POSIX does, braces that are no count.
    return new RegExp(pattern, "su");
  } catch {
    return undefined;
  }
}
