import { ProtocolError } from "../../errors.ts";
import type { Commits } from "../../graph/commits.ts";
import type { Oid } from "../../objects/types.ts";
import { walk } from "../../pack-objects/range.ts";
import { type DeepenRequest, INFINITE_DEPTH } from "./request.ts";

/** Where the client's history is to be cut, and what it is told about that. */
export interface ShallowPlan {
  /** Lines to send: commits that become boundaries, and commits that no longer are. */
  readonly shallow: readonly Oid[];
  readonly unshallow: readonly Oid[];
  /** Commits whose parents the client does not have now, and those whose parents it will not get. */
  readonly oldCut: ReadonlySet<number>;
  readonly newCut: ReadonlySet<number>;
  /** Commits to send besides the wants: parents of former boundaries that no want reaches. */
  readonly alsoWanted: readonly number[];
  /** Former boundaries, which the client has even if its haves do not name them. */
  readonly alsoHad: readonly number[];
}

export interface ShallowContext {
  readonly commits: Commits;
  /** The wanted commits. */
  readonly wants: readonly number[];
  /** The client's shallow boundaries, as far as the commits exist here. */
  readonly clientShallows: readonly number[];
  /** The commit of a ref given by its short name; undefined if there is none. */
  resolveRef(short: string): number | undefined;
  /** Whether the commit is reachable from any ref. */
  isReachable(commit: number): boolean;
}

/** Works out the cuts for a deepen request. @throws ProtocolError when it selects no commits or names no ref */
export function planShallow(context: ShallowContext, deepen: DeepenRequest): ShallowPlan {
  const { commits, clientShallows } = context;
  const oldCut = new Set(clientShallows);
  const infinite = deepen.depth !== undefined && deepen.depth >= INFINITE_DEPTH;
  const { ends, open } =
    deepen.depth === undefined
      ? reachByRule(context, deepen)
      : deepen.relative && !infinite
        ? reachBelow(context, deepen.depth)
        : reachByDepth(context, infinite ? Number.POSITIVE_INFINITY : deepen.depth);
  const unshallow = clientShallows.filter((commit) => open.has(commit));
  const alsoWanted: number[] = [];
  if (infinite) {
    // As in git, boundaries on branches not fetched this time are lifted as well, if they are still reachable.
    for (const commit of clientShallows) {
      if (open.has(commit) || !context.isReachable(commit)) continue;
      unshallow.push(commit);
      alsoWanted.push(...commits.parentsOf(commit));
    }
  } else if (deepen.relative) for (const commit of unshallow) alsoWanted.push(...commits.parentsOf(commit));
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

/** Boundary commits, and commits that are sent with their parents. */
interface Reach {
  readonly ends: Set<number>;
  readonly open: Set<number>;
}

/** Wanted commits are at depth 1; as in git, a commit at the last depth is a boundary even without parents. */
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

/** As in git, `depth` commits further from every client boundary that is still reachable, wanted or not. */
function reachBelow({ commits, clientShallows, isReachable }: ShallowContext, depth: number): Reach {
  return levels(commits, clientShallows.filter(isReachable), depth);
}

/**
 * Commits not older than `since` and not reachable from the refs in `not`. A commit with an excluded parent is a
 * boundary, even below another boundary. A want that is itself excluded is not a boundary: git sends its whole history.
 */
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
  walk(wants.filter(selected), new Set(), (commit) => {
    const parents = commits.parentsOf(commit);
    const followed = parents.filter(selected);
    (followed.length === parents.length ? open : ends).add(commit);
    return followed;
  });
  return { ends, open };
}
