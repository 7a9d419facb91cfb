import type { ContentPattern, Fact, PathQuery } from "../../git/inspect/facts.ts";
import type { RuleNeeds } from "./types.ts";

/** The combined needs of all rules about one change. */
export class Asked {
  readonly facts = new Set<Fact>();
  /** By name and source. */
  readonly patterns = new Map<string, ContentPattern>();
  /** By key and patterns. */
  readonly pathQueries = new Map<string, PathQuery>();
  readonly signatures: boolean;

  constructor(needs: readonly RuleNeeds[]) {
    for (const { facts, patterns = [], pathQueries = [] } of needs) {
      for (const fact of facts) this.facts.add(fact);
      for (const pattern of patterns) this.patterns.set(`${pattern.name}\0${pattern.source}`, pattern);
      for (const query of pathQueries) this.pathQueries.set(`${query.key}\0${query.globs.join("\0")}`, query);
    }
    this.signatures = needs.some(({ signatures }) => signatures);
  }

  get needsInspection(): boolean {
    return this.facts.size > 0 || this.pathQueries.size > 0;
  }

  /** Whether these needs are included. */
  covers(needs: RuleNeeds): boolean {
    const wanted = new Asked([needs]);
    return (
      [...wanted.facts].every((fact) => this.facts.has(fact)) &&
      [...wanted.patterns.keys()].every((key) => this.patterns.has(key)) &&
      [...wanted.pathQueries.keys()].every((key) => this.pathQueries.has(key)) &&
      (!wanted.signatures || this.signatures)
    );
  }
}
