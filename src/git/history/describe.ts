import type { Commits } from "../graph/commits.ts";
import { peelToCommit } from "../graph/peel.ts";
import { encodeName, toLatin1 } from "../objects/names.ts";
import { parseTag } from "../objects/tag.ts";
import type { Oid } from "../objects/types.ts";
import { Glob, MatchBudget } from "../patterns/glob.ts";
import type { DescribeOptions } from "../pretty/context.ts";
import { PriorityQueue } from "../priority-queue.ts";
import type { Ref } from "../refs/types.ts";

/** A tag that may name a commit. */
interface Name {
  readonly text: string;
  readonly isAnnotated: boolean;
  /** Tagger time; 0 for lightweight tags. */
  readonly time: number;
}

interface Candidate {
  readonly name: Name;
  /** The bit that flags the commits reachable from the tagged one. */
  readonly flag: number;
  /** Number of commits reachable from the described commit but not from the tagged one. */
  depth: number;
}

const SEEN = 1;
/** The number of tags git considers. */
const MAX_CANDIDATES = 10;

/** Names commits by the nearest tag before them: `v1.0-3-gabc1234` (git-describe(1)). */
export class Describer {
  private readonly names: ReadonlyMap<number, Name>;

  /** @param refs all refs, or only those below `refs/tags/` */
  constructor(
    private readonly commits: Commits,
    refs: readonly Ref[],
    private readonly options: DescribeOptions,
    private readonly abbreviate: (oid: Oid) => string,
  ) {
    this.names = namesOf(commits, refs, options);
  }

  /** Returns undefined if no tag is reachable. @throws CorruptObject when a commit on the way is missing */
  describe(oid: Oid): string | undefined {
    const { commits } = this;
    const start = commits.positionOf(oid);
    const exact = this.names.get(start);
    if (exact) return exact.text;
    const flags = new Map<number, number>([[start, SEEN]]);
    const queue = new PriorityQueue<number>();
    queue.push(start, commits.timeOf(start));
    const found: Candidate[] = [];
    let seen = 0;
    let annotated = 0;
    for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
      seen++;
      const name = this.names.get(position);
      if (name && found.length === MAX_CANDIDATES) {
        queue.push(position, commits.timeOf(position));
        break;
      }
      if (name) {
        const flag = 2 << found.length;
        found.push({ name, flag, depth: seen - 1 });
        flags.set(position, (flags.get(position) ?? 0) | flag);
        if (name.isAnnotated) annotated++;
      }
      const own = flags.get(position) ?? 0;
      for (const candidate of found) if ((own & candidate.flag) === 0) candidate.depth++;
      if (annotated > 0 && queue.size === 0 && (own & bestOf(found)) === bestOf(found)) break;
      this.pass(position, flags, queue);
    }
    const best = found.reduce<Candidate | undefined>((a, b) => (a && a.depth <= b.depth ? a : b), undefined);
    if (!best) return undefined;
    this.finish(best, flags, queue);
    if (this.options.abbrev === 0) return best.name.text;
    return `${best.name.text}-${best.depth}-g${this.abbreviate(oid)}`;
  }

  /** Completes the depth of the best candidate. */
  private finish(best: Candidate, flags: Map<number, number>, queue: PriorityQueue<number>): void {
    const isReached = (position: number) => ((flags.get(position) ?? 0) & best.flag) !== 0;
    for (let position = queue.pop(); position !== undefined; position = queue.pop()) {
      if (!isReached(position)) best.depth++;
      else if (queue.every(isReached)) return;
      this.pass(position, flags, queue);
    }
  }

  private pass(position: number, flags: Map<number, number>, queue: PriorityQueue<number>): void {
    const own = flags.get(position) ?? 0;
    for (const parent of this.commits.parentsOf(position)) {
      const existing = flags.get(parent) ?? 0;
      if ((existing & SEEN) === 0) queue.push(parent, this.commits.timeOf(parent));
      flags.set(parent, existing | own);
    }
  }
}

/** The bits of the nearest candidates so far. */
function bestOf(candidates: readonly Candidate[]): number {
  const depth = Math.min(...candidates.map((candidate) => candidate.depth));
  return candidates.reduce((bits, candidate) => (candidate.depth === depth ? bits | candidate.flag : bits), 0);
}

/** Of several tags on a commit an annotated one wins, and of several annotated ones the newest. */
function namesOf(commits: Commits, refs: readonly Ref[], options: DescribeOptions): Map<number, Name> {
  const { store } = commits;
  const budget = new MatchBudget();
  const match = options.match.map((pattern) => new Glob(toLatin1(encodeName(pattern)), true));
  const exclude = options.exclude.map((pattern) => new Glob(toLatin1(encodeName(pattern)), true));
  const names = new Map<number, Name>();
  for (const { name, oid } of refs) {
    if (!name.startsWith("refs/tags/")) continue;
    const text = name.slice("refs/tags/".length);
    const bytes = toLatin1(encodeName(text));
    if (exclude.some((glob) => glob.matches(bytes, budget))) continue;
    if (match.length > 0 && !match.some((glob) => glob.matches(bytes, budget))) continue;
    const isAnnotated = store.header(oid)?.type === "tag";
    if (!isAnnotated && !options.tags) continue;
    const commit = peelToCommit(store, oid);
    const position = commit === undefined ? undefined : commits.find(commit);
    if (position === undefined) continue;
    const object = isAnnotated ? store.read(oid) : undefined;
    const time = object ? (parseTag(object.data).tagger?.timestamp ?? 0) : 0;
    const existing = names.get(position);
    const wins = !existing || (isAnnotated && (!existing.isAnnotated || existing.time < time));
    if (wins) names.set(position, { text, isAnnotated, time });
  }
  return names;
}
