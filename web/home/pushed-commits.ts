import { CorruptObject } from "../../src/git/errors.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { Services } from "../../src/services.ts";
import { JobFailed } from "../../src/workers/pool.ts";
import { within } from "../within.ts";
import type { FindPushed, PushedCommits } from "./activity-items.ts";

const SHOWN = 5;
/** Counting further is not worth anybody's time. */
const MAX_COUNTED = 500;
/** A feed waits this long for the commits of its pushes; what comes later is there the next time. */
const WAIT_MS = 150;

type Needed = Pick<Services, "commits" | "files" | "history">;

/** Finds what a push brought. The walk runs where it holds no one up, and its answer is cached with the history. */
export function pushedCommits(services: Needed): FindPushed {
  return (seen, oldOid, newOid) => within(find(services, seen, oldOid, newOid), WAIT_MS);
}

async function find(
  { commits, files, history }: Needed,
  seen: SeenRepo,
  oldOid: string | null,
  newOid: string,
): Promise<PushedCommits | undefined> {
  try {
    // A force push followed by maintenance may have taken either away.
    if (files.header(seen, newOid)?.type !== "commit") return undefined;
    const not = oldOid !== null && files.header(seen, oldOid)?.type === "commit" ? [oldOid] : [];
    const { oids, more } = await history.page(seen, {
      tips: [newOid],
      not,
      skip: 0,
      limit: MAX_COUNTED,
      count: false,
    });
    return {
      commits: commits
        .readAll(seen, oids.slice(0, SHOWN))
        .map(({ oid, commit }) => ({ sha: oid, subject: subjectOf(commit.message) })),
      total: oids.length,
      hasMore: more,
    };
  } catch (error) {
    // A repository whose objects are damaged shows its pushes without their commits.
    if (error instanceof JobFailed ? error.originalName === "CorruptObject" : error instanceof CorruptObject)
      return undefined;
    throw error;
  }
}

/** The first line of a message. */
export function subjectOf(message: string): string {
  const end = message.indexOf("\n");
  return (end < 0 ? message : message.slice(0, end)).slice(0, 250);
}
