import { Commits } from "../../src/git/graph/commits.ts";
import { log } from "../../src/git/history/log.ts";
import { parseCommit } from "../../src/git/objects/commit.ts";
import type { RepoStorage } from "../../src/repos/storage.ts";
import type { FindPushed, PushedCommits } from "./activity-items.ts";

const SHOWN = 5;
/** Counting further is not worth anybody's time. */
const MAX_COUNTED = 500;
const MAX_ENTRIES = 2000;

/**
 * Finds what a push brought, and remembers it: the commits between two ids never change. Without a commit-graph the
 * walk reads no more than the pushed commits and the border around them.
 */
export function pushedCommits(storage: RepoStorage): FindPushed {
  const known = new Map<string, PushedCommits>();
  return (repoId, oldOid, newOid) => {
    const key = `${repoId} ${oldOid} ${newOid}`;
    const before = known.get(key);
    if (before) return before;
    const found = find(storage, repoId, oldOid, newOid);
    if (!found) return undefined;
    known.set(key, found);
    const oldest = known.keys().next().value;
    if (known.size > MAX_ENTRIES && oldest !== undefined) known.delete(oldest);
    return found;
  };
}

function find(storage: RepoStorage, repoId: number, oldOid: string | null, newOid: string): PushedCommits | undefined {
  const store = storage.objects(repoId);
  // A force push followed by maintenance may have taken either away.
  if (!store.has(newOid)) return undefined;
  const not = oldOid !== null && store.has(oldOid) ? [oldOid] : [];
  const commits = Commits.open(storage.dirOf(repoId), store);
  const { oids, more } = log(commits, { tips: [newOid], not }, 0, MAX_COUNTED);
  return {
    commits: oids.slice(0, SHOWN).flatMap((oid) => {
      const object = store.read(oid);
      return object ? [{ sha: oid, subject: subjectOf(parseCommit(object.data).message) }] : [];
    }),
    total: oids.length,
    hasMore: more,
  };
}

/** The first line of a message. */
export function subjectOf(message: string): string {
  const end = message.indexOf("\n");
  return (end < 0 ? message : message.slice(0, end)).slice(0, 250);
}
