import type { Commits } from "../../graph/commits.ts";
import { authorTimeOf, messageReader } from "./author-time.ts";
import { uninterestingExactly } from "./exclusion.ts";
import type { WalkOptions } from "./options.ts";
import { ParentRewriter } from "./rewrite.ts";
import { Simplifier } from "./simplify.ts";
import {
  ADDED,
  BOTTOM,
  BOUNDARY,
  CHILD_SHOWN,
  LEFT,
  PARSED,
  SAME,
  SEEN,
  SHOWN,
  UNINTERESTING,
  WalkState,
} from "./state.ts";
import { readyCommits, sortTopologically } from "./topo.ts";
import { TopoWalk } from "./topo-walk.ts";

/** git examines this many more commits after the last one that seemed to matter. */
const SLOP = 5;

/**
 * A walk over history that shows the same commits as `git rev-list`, in the same order. Without exclusions it goes only
 * as far as it is read; with exclusions, the range is determined first, as git does: by date, stopping a few commits
 * after the last interesting one.
 */
export class RevisionWalk {
  private readonly state: WalkState;
  private readonly simplifier: Simplifier | undefined;
  private readonly rewriter: ParentRewriter | undefined;
  private readonly limited: boolean;
  private readonly starts: readonly number[];
  private topo: TopoWalk | undefined;
  /** The commits of a limited walk, in order. */
  private list: readonly number[] = [];
  private listAt = 0;
  private skipLeft: number;
  private showLeft: number;
  private readonly children: number[] = [];
  private ends: number[] | undefined;

  /** @throws CorruptObject when a commit is missing or is not a commit */
  constructor(
    private readonly commits: Commits,
    private readonly options: WalkOptions,
  ) {
    const state = new WalkState(commits);
    this.state = state;
    this.skipLeft = options.skip ?? 0;
    this.showLeft = options.limit ?? Number.POSITIVE_INFINITY;
    if (options.paths?.length || options.filter)
      this.simplifier = new Simplifier(state, options.paths ?? [], options.filter, options.firstParent ?? false);
    if (this.simplifier && options.rewriteParents)
      this.rewriter = new ParentRewriter(state, options.firstParent ?? false);
    const isTopo = (options.order ?? "date") !== "date";
    const excludes = options.starts.some(({ side }) => side === "not");
    const usesTopoWalk = isTopo && commits.hasGraph && !(options.exact && excludes);
    const starts = this.takeStarts();
    this.starts = starts;
    this.limited = isTopo ? !usesTopoWalk : excludes;
    if (usesTopoWalk) this.startTopo(starts);
    else {
      for (const position of starts) state.enqueue(position);
      if (this.limited) this.list = this.sorted(this.findRange());
    }
  }

  /** The next commit; undefined at the end. @throws CorruptObject when a commit or tree on the way is missing */
  next(): number | undefined {
    if (this.ends) return this.ends.pop();
    let position: number | undefined;
    if (this.showLeft > 0) {
      position = this.nextWanted();
      for (; position !== undefined && this.skipLeft > 0; this.skipLeft--) position = this.nextWanted();
      this.showLeft--;
    }
    if (position !== undefined) this.state.flags.add(position, SHOWN);
    if (!this.options.boundary) return position;
    if (position === undefined) {
      this.ends = this.findEnds().reverse();
      return this.ends.pop();
    }
    for (const parent of this.state.parentsOf(position)) {
      if (this.state.has(parent, CHILD_SHOWN | SHOWN)) continue;
      this.state.flags.add(parent, CHILD_SHOWN);
      this.children.push(parent);
    }
    return position;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let position = this.next(); position !== undefined; position = this.next()) yield position;
  }

  /** Parents in the simplified history. */
  parentsOf(position: number): readonly number[] {
    return this.state.parentsOf(position);
  }

  isBoundary(position: number): boolean {
    return this.state.has(position, BOUNDARY);
  }

  isLeft(position: number): boolean {
    return this.state.has(position, LEFT);
  }

  isUninteresting(position: number): boolean {
    return this.state.has(position, UNINTERESTING);
  }

  /** The commits known before any is shown: the whole range if something is excluded, otherwise the starts. */
  known(): readonly number[] {
    return this.limited ? this.list : this.starts;
  }

  private takeStarts(): number[] {
    const { commits, state } = this;
    const starts: number[] = [];
    const given = this.options.starts.map(({ oid, side }) => ({ position: commits.positionOf(oid), side }));
    for (const { position, side } of given) {
      if (side === "not") state.flags.add(position, UNINTERESTING | BOTTOM);
      if (side === "left") state.flags.add(position, LEFT);
      state.flags.add(position, PARSED);
    }
    for (const position of this.options.parsed ?? []) state.flags.add(position, PARSED);
    for (const { position, side } of given) {
      if (side === "not") state.markParentsUninteresting(position);
      if ((state.flags.add(position, SEEN) & SEEN) === 0) starts.push(position);
    }
    return starts.sort((a, b) => commits.timeOf(b) - commits.timeOf(a));
  }

  private startTopo(starts: readonly number[]): void {
    const { state, options } = this;
    const ready = readyCommits(state, options.order ?? "topo", authorTimeOf(this.commits));
    const steps = {
      explore: (position: number) => {
        if (this.isTooOld(position)) state.markUninteresting(position);
        this.processParents(position);
        if (state.has(position, UNINTERESTING)) state.markParentsUninteresting(position);
      },
      firstParent: options.firstParent ?? false,
    };
    this.topo = new TopoWalk(state, steps, ready, starts);
  }

  /** Examines the parents of a commit: flags them, and queues those not seen yet, or passes them to `onNew`. */
  private processParents(position: number, onNew?: (position: number) => void): void {
    const { state, options } = this;
    if ((state.flags.add(position, ADDED) & ADDED) !== 0) return;
    if (state.has(position, UNINTERESTING)) {
      for (const parent of state.parentsOf(position)) {
        state.markUninteresting(parent);
        state.flags.add(parent, PARSED);
        state.markParentsUninteresting(parent);
        this.enter(parent, onNew);
      }
      return;
    }
    this.simplifier?.judge(position);
    const pass = (state.flags.get(position) & LEFT) | PARSED;
    const first = state.firstParentOf(position);
    if (first < 0) return;
    state.flags.add(first, pass);
    this.enter(first, onNew);
    if (options.firstParent || !state.hasMoreParents(position)) return;
    const parents = state.parentsOf(position);
    for (let i = 1; i < parents.length; i++) {
      state.flags.add(parents[i]!, pass);
      this.enter(parents[i]!, onNew);
    }
  }

  private enter(parent: number, onNew: ((position: number) => void) | undefined): void {
    const { state } = this;
    if ((state.flags.add(parent, SEEN) & SEEN) !== 0 || this.topo) return;
    if (onNew) onNew(parent);
    else state.enqueue(parent);
  }

  /** The range, including commits that later turn out to be excluded. */
  private findRange(): number[] {
    const { state, options, commits } = this;
    const found: number[] = [];
    let lastTime = Number.POSITIVE_INFINITY;
    let slop = SLOP;
    for (let position = state.dequeue(); position !== undefined; position = state.dequeue()) {
      if (this.isTooOld(position)) state.markUninteresting(position);
      this.processParents(position);
      if (state.has(position, UNINTERESTING)) {
        state.markParentsUninteresting(position);
        if (state.queueSize === 0) break;
        slop = lastTime <= state.nextTime || state.hasInteresting ? SLOP : slop - 1;
        if (slop === 0) break;
        continue;
      }
      if (options.until !== undefined && commits.timeOf(position) > options.until) continue;
      lastTime = commits.timeOf(position);
      found.push(position);
    }
    if (options.exact && options.starts.some(({ side }) => side === "not"))
      for (const position of uninterestingExactly(commits, options)) state.markUninteresting(position);
    return found;
  }

  private sorted(list: readonly number[]): readonly number[] {
    const order = this.options.order ?? "date";
    if (order === "date") return list;
    return sortTopologically(this.state, list, readyCommits(this.state, order, authorTimeOf(this.commits)));
  }

  private isTooOld(position: number): boolean {
    return this.options.since !== undefined && this.commits.timeOf(position) < this.options.since;
  }

  private nextWanted(): number | undefined {
    for (;;) {
      const position = this.limited ? this.list[this.listAt++] : (this.topo?.next() ?? this.dequeue());
      if (position === undefined) return undefined;
      if (!this.limited) {
        if (this.isTooOld(position)) continue;
        this.processParents(position);
        this.topo?.expand(position);
      }
      if (!this.isShown(position)) continue;
      this.rewriter?.rewrite(position, this.limited ? undefined : (at, onNew) => this.processParents(at, onNew));
      return position;
    }
  }

  private dequeue(): number | undefined {
    return this.topo ? undefined : this.state.dequeue();
  }

  private isShown(position: number): boolean {
    const { state, options } = this;
    if (state.has(position, SHOWN | UNINTERESTING)) return false;
    if (options.until !== undefined && this.commits.timeOf(position) > options.until) return false;
    if (options.minParents !== undefined || options.maxParents !== undefined) {
      const count = state.parentsOf(position).length;
      if (count < (options.minParents ?? 0) || count > (options.maxParents ?? Number.POSITIVE_INFINITY)) return false;
    }
    if (this.simplifier && state.has(position, SAME) && !this.tiesLines(position)) return false;
    return !options.match || options.match(messageReader(this.commits)(position));
  }

  /** With parent rewriting, a merge of several relevant lines is kept. */
  private tiesLines(position: number): boolean {
    if (!this.options.rewriteParents) return false;
    let relevant = 0;
    for (const parent of this.state.parentsOf(position)) if (this.state.isRelevant(parent)) relevant++;
    return relevant >= 2;
  }

  private findEnds(): number[] {
    const ends: number[] = [];
    for (const position of this.children) {
      if (!this.state.has(position, CHILD_SHOWN) || this.state.has(position, SHOWN | BOUNDARY)) continue;
      this.state.flags.add(position, BOUNDARY);
      ends.unshift(position);
    }
    const order = this.options.order ?? "date";
    return sortTopologically(
      this.state,
      ends,
      readyCommits(this.state, order === "date" ? "topo" : order, authorTimeOf(this.commits)),
    );
  }
}
