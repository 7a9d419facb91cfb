import { cachedRepository } from "../../git/cached-repository.ts";
import { oldTreeOf, treeOf } from "../../git/diff/diff.job.ts";
import { diffTrees } from "../../git/diff/tree.ts";
import { CorruptObject } from "../../git/errors.ts";
import { decodeName } from "../../git/objects/names.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { JobContext } from "../../workers/job.ts";
import { BadWorkflow } from "./failure.ts";
import { asksForPaths, isTriggered, type Occurrence } from "./filters.ts";
import type { Trigger } from "./triggers.ts";

export interface MatchInput {
  readonly triggers: readonly Trigger[];
  readonly occurrence: Omit<Occurrence, "changed">;
  readonly change: Change | undefined;
}

/** The change that path filters apply to. */
export interface Change {
  readonly repoDir: string;
  /** undefined: the commit's first parent, or the empty tree if it has none. */
  readonly from: Oid | undefined;
  readonly to: Oid;
}

/** If more files changed, filters see only the first ones. */
const MAX_FILES = 100_000;

/** Which of the triggers an event fires. */
export function run({ change, occurrence, triggers }: MatchInput, context: JobContext): boolean[] {
  const changed = change && triggers.some(asksForPaths) ? changedBy(change, context) : undefined;
  return triggers.map((trigger) => {
    context.signal.throwIfAborted();
    try {
      return isTriggered(trigger, { ...occurrence, changed });
    } catch (error) {
      if (error instanceof BadWorkflow) return false;
      throw error;
    }
  });
}

/** Includes both names of a rename. undefined if a commit is gone */
function changedBy({ from, repoDir, to }: Change, context: JobContext): string[] | undefined {
  const { store } = cachedRepository(context, repoDir);
  const paths: string[] = [];
  try {
    diffTrees(store, oldTreeOf(store, from, to), treeOf(store, to), ({ path }) => {
      const bytes = Buffer.from(path, "latin1");
      paths.push(decodeName(bytes, 0, bytes.length));
      return paths.length < MAX_FILES;
    });
  } catch (error) {
    if (error instanceof CorruptObject) return undefined;
    throw error;
  }
  return paths;
}
