import { SAME, UNINTERESTING, type WalkState } from "./state.ts";

/** Examines the parents of a commit in an unlimited walk; calls `onNew` with those not seen before. */
export type LookAtParents = (position: number, onNew: (position: number) => void) => void;

/** Rewrites the parents of shown commits to shown commits, skipping those in between that did not change the paths. */
export class ParentRewriter {
  constructor(
    private readonly state: WalkState,
    private readonly firstParent: boolean,
  ) {}

  rewrite(position: number, look: LookAtParents | undefined): void {
    const found = new Set<number>();
    for (const parent of this.state.parentsOf(position)) {
      const met: number[] = [];
      const end = this.follow(parent, look && ((at) => look(at, (fresh) => met.push(fresh))));
      const { commits } = this.state;
      for (const fresh of met.sort((a, b) => commits.timeOf(b) - commits.timeOf(a))) this.state.enqueue(fresh);
      if (end !== undefined) found.add(end);
    }
    this.state.setParents(position, [...found]);
  }

  /** The commit that replaces this parent; undefined if the line ends without one. */
  private follow(start: number, look: ((position: number) => void) | undefined): number | undefined {
    const { state } = this;
    for (let at = start; ; ) {
      look?.(at);
      if (state.has(at, UNINTERESTING) || !state.has(at, SAME)) return at;
      const parents = state.parentsOf(at);
      if (parents.length === 0) return undefined;
      const next = this.onlyRelevant(parents);
      if (next === undefined) return at;
      at = next;
    }
  }

  private onlyRelevant(parents: readonly number[]): number | undefined {
    if (this.firstParent || parents.length === 1) return parents[0];
    const relevant = parents.filter((parent) => this.state.isRelevant(parent));
    return relevant.length === 1 ? relevant[0] : undefined;
  }
}
