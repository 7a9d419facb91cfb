import type { Commits } from "../graph/commits.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import { CommitText } from "../pretty/commit-text.ts";
import { PriorityQueue } from "../priority-queue.ts";

/**
 * The newest commit whose message matches, among some commits and their ancestors (gitrevisions(7), `:/text`): `!-text`
 * searches for a commit that does not match, `!!text` for text that begins with `!`.
 * @param pattern an extended regular expression, limited to syntax that JavaScript reads the same way
 * @returns undefined if there is none, or the pattern is malformed
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
    // With the "u" flag JavaScript rejects braces that are not a quantifier, as POSIX does.
    return new RegExp(pattern, "su");
  } catch {
    return undefined;
  }
}
