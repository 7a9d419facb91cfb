import { ProtocolError } from "../../errors.ts";
import type { Commits } from "../../graph/commits.ts";
import type { Oid } from "../../objects/types.ts";
import { walk } from "../pack/range.ts";
import { type DeepenRequest, INFINITE_DEPTH } from "./request.ts";

/** Where the client's history is to end, and what it is told about that. */
export interface ShallowPlan {
  /** Lines to send: commits that become an end of history, and commits that are none any more. */
  readonly shallow: readonly Oid[];
  readonly unshallow: readonly Oid[];
  /** Commits whose parents the client has not got now, and is not to get. */
  readonly oldCut: ReadonlySet<number>;
  readonly newCut: ReadonlySet<number>;
  /** Commits to be sent besides what is wanted: parents of ends of history that no want leads to. */
  readonly alsoWanted: readonly number[];
  /** Commits that the client has as it names them, whatever else it says: ends of its history that are none any more. */
  readonly alsoHad: readonly number[];
}

export interface ShallowContext {
  readonly commits: Commits;
  /** The wanted commits. */
  readonly wants: readonly number[];
  /** The ends of history that the client has, as far as they are commits here. */
  readonly clientShallows: readonly number[];
  /** The commit of a ref as a person writes it; undefined when there is none. */
  resolveRef(short: string): number | undefined;
  /** Whether any ref leads to this commit. */
  isReachable(commit: number): boolean;
}

/** What reaching back as asked means. @throws ProtocolError when it selects nothing or names no ref */
export function planShallow(context: ShallowContext, deepen: DeepenRequest): ShallowPlan {
  const { commits, clientShallows } = context;
  const oldCut = new Set(clientShallows);
  const infinite = deepen.depth !== undefined && deepen.depth >= INFINITE_DEPTH;
  const { ends, open } =
    deepen.depth === undefined
      ? reachByRule(context, deepen)
      : deepen.relative && !infinite
        ? reachBelow(context, oldCut, deepen.depth)
        : reachByDepth(context, infinite ? Number.POSITIVE_INFINITY : deepen.depth);
  const unshallow = clientShallows.filter((commit) => open.has(commit));
  if (infinite) {
    // Ends of history on branches that are not asked for this time go as well, as git has it, if they are still ours.
    for (const commit of clientShallows) {
      if (open.has(commit) || !context.isReachable(commit)) continue;
      unshallow.push(commit);
    }
  }
  // A new end may cut off, for a branch that comes by it, what an opened commit has for parents: they are sent for its own sake.
  const alsoWanted = unshallow.flatMap((commit) => [...commits.parentsOf(commit)]);
  const opened = new Set(unshallow);
  const newCut = new Set(ends);
  for (const commit of clientShallows) if (!opened.has(commit)) newCut.add(commit);
  return {
    shallow: [...ends].filter((commit) => !oldCut.has(commit)).map((commit) => commits.oidOf(commit)),
    unshallow: unshallow.map((commit) => commits.oidOf(commit)),
    oldCut,
    newCut,
    alsoWanted,
    alsoHad: unshallow,
  };
}

/** Ends of history, and commits that are sent with their parents. */
interface Reach {
  readonly ends: Set<number>;
  readonly open: Set<number>;
}

/** The wanted commits are at depth 1; a commit at the last depth is an end, as git has it even one without parents. */
function reachByDepth({ commits, wants }: ShallowContext, depth: number): Reach {
  return levels(commits, wants, depth - 1);
}

/** Breadth first from `starts` (level 0) to level `last`. */
function levels(commits: Commits, starts: Iterable<number>, last: number): Reach {
  const ends = new Set<number>();
  const open = new Set<number>();
  const seen = new Set(starts);
  let level = [...seen];
  for (let at = 0; level.length > 0; at++) {
    const next: number[] = [];
    for (const commit of level) {
      const parents = commits.parentsOf(commit);
      if (at >= last) {
        ends.add(commit);
        continue;
      }
      open.add(commit);
      for (const parent of parents) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        next.push(parent);
      }
    }
    level = next;
  }
  return { ends, open };
}

/** `depth` commits further down from where the client's history ends now. */
function reachBelow({ commits, wants }: ShallowContext, oldCut: ReadonlySet<number>, depth: number): Reach {
  const above = new Set<number>();
  walk(wants, above, (commit) => (oldCut.has(commit) ? [] : commits.parentsOf(commit)));
  const starts = [...above].filter((commit) => oldCut.has(commit));
  const below = levels(commits, starts, depth);
  // An end is one for every branch, also for those that come by it another way: that is how git cuts.
  for (const commit of above) if (!oldCut.has(commit) && !below.ends.has(commit)) below.open.add(commit);
  return below;
}

/** Commits not older than `since` and not reachable from the refs in `not`; one with a parent left out is an end. */
function reachByRule(context: ShallowContext, deepen: DeepenRequest): Reach {
  const { commits, wants } = context;
  const excluded = new Set<number>();
  for (const short of deepen.not) {
    const commit = context.resolveRef(short);
    if (commit === undefined) throw new ProtocolError(`git upload-pack: ambiguous deepen-not: ${short}`);
    walk([commit], excluded, (one) => commits.parentsOf(one));
  }
  const since = deepen.since ?? Number.NEGATIVE_INFINITY;
  const selected = (commit: number) => !excluded.has(commit) && commits.timeOf(commit) >= since;
  if (!wants.some(selected)) throw new ProtocolError("no commits selected for shallow requests");
  const ends = new Set<number>();
  const open = new Set<number>();
  walk(wants, new Set(), (commit) => {
    const parents = commits.parentsOf(commit);
    if (parents.every(selected)) {
      open.add(commit);
      return parents;
    }
    ends.add(commit);
    return [];
  });
  return { ends, open };
}
