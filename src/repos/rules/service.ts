import type { ContentPattern, Fact, ReceivedFacts } from "../../git/inspect/facts.ts";
import type { GitObject } from "../../git/objects/types.ts";
import { Conflict, Forbidden } from "../../kernel/errors.ts";
import { JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";
import type { KnownFacts, ProposedChange, PushRule, Refusal, RuleNeeds } from "./types.ts";

/** Where the objects of a change are that are not stored yet. */
export interface Unstored {
  readonly quarantineDir?: string | undefined;
  readonly objects?: readonly GitObject[] | undefined;
}

/** What was found out about the changes of one push or edit, by the name of the ref. */
export interface Examination {
  readonly facts: ReadonlyMap<string, KnownFacts>;
  readonly asked: ReadonlyMap<string, ReadonlySet<Fact>>;
  /** Names and sources of the patterns that were looked for. */
  readonly patterns: ReadonlySet<string>;
}

/** What a push may cost to look at. */
const INSPECTION_TIMEOUT_MS = 120_000;

const NOTHING_ASKED: Examination = { facts: new Map(), asked: new Map(), patterns: new Set() };

/**
 * What areas have to say about changes of refs, however they come about: protections, quotas, limits. First the facts
 * are found out that the rules need (`examine`), in a worker; then the rules judge, here and now, right before the refs
 * move (`refusals`).
 */
export class PushRules {
  private readonly rules: PushRule[] = [];

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    private readonly timeoutMs = INSPECTION_TIMEOUT_MS,
  ) {}

  /** Rules are asked in the order they were added; the first that refuses a ref is heard. */
  add(rule: PushRule): void {
    this.rules.push(rule);
  }

  /** Finds out what the rules need to know of changes of one repository. */
  async examine(changes: readonly ProposedChange[], unstored: Unstored = {}): Promise<Examination> {
    const needs = new Map(changes.map((change) => [change.name, this.needsOf(change)]));
    const asked = new Map([...needs].map(([name, list]) => [name, new Set(list.flatMap(({ facts }) => facts))]));
    const inspected = changes.filter(({ name }) => (asked.get(name)?.size ?? 0) > 0);
    const [first] = inspected;
    if (!first) return { ...NOTHING_ASKED, asked };
    const patterns = new Map<string, ContentPattern>();
    for (const list of needs.values())
      for (const need of list) for (const pattern of need.patterns ?? []) patterns.set(keyOf(pattern), pattern);
    const { id } = first.seen.repo;
    const input = {
      repoDir: this.storage.dirOf(id),
      ...unstored,
      changes: inspected.map(({ name, oldOid, newOid }) => ({
        name,
        oldOid,
        newOid,
        facts: [...(asked.get(name) ?? [])],
      })),
      knownTips: [...new Set(this.refs.list(id).map(({ oid }) => oid))].join("\n"),
      patterns: [...patterns.values()],
    };
    try {
      const found = await this.pool.run("git.inspect", input, { lane: "bulk", timeoutMs: this.timeoutMs });
      const facts = inspected.map(({ name }, at): [string, KnownFacts] => [
        name,
        { ...found.changes[at], ...(found.received ? { received: found.received } : {}) },
      ]);
      return { facts: new Map(facts), asked, patterns: new Set(patterns.keys()) };
    } catch (error) {
      if (!(error instanceof JobTimedOut)) throw error;
      const facts = new Map(inspected.map(({ name }): [string, KnownFacts] => [name, { overrun: "time" }]));
      return { facts, asked, patterns: new Set(patterns.keys()) };
    }
  }

  /** Why some of the changes may not be made, by the name of the ref. Asked where nothing can happen until they are made. */
  refusals(changes: readonly ProposedChange[], examined: Examination): Map<string, Refusal> {
    const refusals = new Map<string, Refusal>();
    for (const change of changes) {
      const refusal = this.refusalOf(change, examined);
      if (refusal) refusals.set(change.name, refusal);
    }
    return refusals;
  }

  /** The same for changes that are made together or not at all. @throws Failure the first refusal's */
  require(changes: readonly ProposedChange[], examined: Examination): void {
    for (const refusal of this.refusals(changes, examined).values()) throw refusal.failure;
  }

  private refusalOf(change: ProposedChange, examined: Examination): Refusal | undefined {
    const facts = examined.facts.get(change.name) ?? {};
    for (const rule of this.rules) {
      const needs = rule.needs(change);
      if (!needs) continue;
      const unknown = unknownOf(needs, change.name, examined, facts);
      const refusal = unknown ?? rule.judge(change, facts);
      if (refusal) return refusal;
    }
    return undefined;
  }

  private needsOf(change: ProposedChange): RuleNeeds[] {
    return this.rules.flatMap((rule) => rule.needs(change) ?? []);
  }
}

function keyOf({ name, source }: ContentPattern): string {
  return `${name}\0${source}`;
}

/** What is not known cannot be judged: the change is refused. */
function unknownOf(
  { facts: needed, patterns = [] }: RuleNeeds,
  name: string,
  { asked, patterns: looked }: Examination,
  facts: KnownFacts,
): Refusal | undefined {
  const wasAsked = needed.every((fact) => asked.get(name)?.has(fact));
  if (!wasAsked || !patterns.every((pattern) => looked.has(keyOf(pattern))))
    return { failure: new Conflict("push-rules.changed-meanwhile") };
  const received: ReceivedFacts | undefined = needed.includes("blobs") ? facts.received : undefined;
  const ofChange = needed.some((fact) => fact !== "blobs") || facts.overrun === "time" ? facts.overrun : undefined;
  const overrun = ofChange ?? (patterns.length > 0 ? received?.overrun : undefined);
  if (overrun !== undefined && needed.length > 0)
    return { failure: new Forbidden("push-rules.too-large", { params: { ref: name, what: overrun } }) };
  return undefined;
}
