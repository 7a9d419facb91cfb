import type { JobContext } from "../../workers/job.ts";
import { cachedRepository } from "../cached-repository.ts";
import type { Commits } from "../graph/commits.ts";
import { isOid, type Oid } from "../objects/types.ts";
import { findCommit } from "../pack-objects/tips.ts";
import { PriorityQueue } from "../priority-queue.ts";

export interface NegotiationInput {
  readonly repoDir: string;
  /** What the remote has, one id per line: text is transferred between threads faster than a list. */
  readonly offered: string;
  /** The tips of all local refs, one per line. */
  readonly tips: string;
}

export interface Negotiation {
  /** The offered objects that are missing here. */
  readonly missing: readonly Oid[];
  /** Commits to send as haves, the most likely common ones first. */
  readonly haves: readonly Oid[];
}

const MAX_TIPS = 1_024;
const MAX_ANCESTORS = 2_048;

/** Determines what to request from a remote, and which local commits to tell it about. */
export async function run({ repoDir, offered, tips }: NegotiationInput, context: JobContext): Promise<Negotiation> {
  const repository = cachedRepository(context, repoDir);
  const { store } = repository;
  const missing = offered.split("\n").filter((oid) => isOid(oid) && !store.has(oid));
  if (missing.length === 0) return { missing, haves: [] };
  const commits = repository.commits();
  const positions = new Set<number>();
  for (const oid of tips.split("\n")) {
    const commit = isOid(oid) ? findCommit(store, commits, oid) : undefined;
    if (typeof commit === "number") positions.add(commit);
  }
  // Commits that the remote offers and that are present here come first: it certainly has them.
  const shared = new Set(offered.split("\n").filter((oid) => isOid(oid) && store.header(oid)?.type === "commit"));
  const newest = [...positions].sort((a, b) => commits.timeOf(b) - commits.timeOf(a));
  const own = newest.map((position) => commits.oidOf(position)).filter((oid) => !shared.has(oid));
  const first = [...shared, ...own].slice(0, MAX_TIPS);
  return { missing, haves: [...new Set([...first, ...ancestors(commits, newest, context.signal)])] };
}

/**
 * Ancestors, newest first, with growing gaps: if a branch was rewritten, the common ones are found in a number of steps
 * logarithmic in the length of the history.
 */
function ancestors(commits: Commits, tips: readonly number[], signal: AbortSignal): Oid[] {
  const queue = new PriorityQueue<number>();
  const seen = new Set<number>(tips);
  for (const tip of tips) queue.push(tip, commits.timeOf(tip));
  const named: Oid[] = [];
  let gap = 1;
  let since = 0;
  for (let position = queue.pop(); position !== undefined && named.length < MAX_ANCESTORS; position = queue.pop()) {
    if (seen.size % 1_024 === 0) signal.throwIfAborted();
    if (++since >= gap) {
      named.push(commits.oidOf(position));
      since = 0;
      if (named.length % 32 === 0) gap = Math.min(gap * 2, 10_000);
    }
    for (const parent of commits.parentsOf(position)) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(parent, commits.timeOf(parent));
    }
  }
  return named;
}
