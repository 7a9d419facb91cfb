import type { GitObject } from "../../git/objects/types.ts";
import { Conflict, Forbidden } from "../../kernel/errors.ts";
import { JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import { folderBytes } from "../folders/bytes.ts";
import type { FolderKind } from "../folders/types.ts";
import type { RefService } from "../refs/service.ts";
import type { RepoStorage } from "../storage.ts";
import type { SeenRepo } from "../types.ts";
import { Asked } from "./asked.ts";
import type {
  FolderGuard,
  KnownFacts,
  ProposedChange,
  PushRule,
  Refusal,
  RefWriters,
  RuleNeeds,
  SignatureVerifier,
} from "./types.ts";

/** Where to find objects of a change that are not stored yet. */
export interface Unstored {
  readonly quarantineDir?: string | undefined;
  readonly objects?: readonly GitObject[] | undefined;
}

/** What was asked and found out about the changes of one push or edit, by ref name. */
export interface Examination {
  readonly asked: ReadonlyMap<string, Asked>;
  readonly facts: ReadonlyMap<string, KnownFacts>;
  /** Max bytes they add to the disk. */
  readonly incomingBytes: number;
}

/** Max time for inspecting a push. */
const INSPECTION_TIMEOUT_MS = 120_000;

/**
 * Areas' rules for ref changes, however they are made: protections, quotas, limits. First a worker gathers the facts
 * the rules need (`examine`); then the rules decide, synchronously, right before the refs move (`refusals`).
 */
export class PushRules {
  private readonly rules: PushRule[] = [];
  private readonly writers: RefWriters[] = [];
  private readonly folderGuards: FolderGuard[] = [];
  private verifier: SignatureVerifier = async () => new Set();

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /** Rules run in the order they were added; the first refusal of a ref wins. */
  add(rule: PushRule): void {
    this.rules.push(rule);
  }

  /** Registers an area that lets people without write access to the code write single refs. */
  addWriters(writers: RefWriters): void {
    this.writers.push(writers);
  }

  addFolderGuard(guard: FolderGuard): void {
    this.folderGuards.push(guard);
  }

  /** Checks content before it enters a folder other than the code's. @throws Failure */
  guardFolder(seen: SeenRepo, kind: FolderKind, incomingBytes: number): void {
    for (const guard of this.folderGuards) guard(seen, kind, incomingBytes);
  }

  /** Whether the caller may write this ref, or any ref if none is named, without write access to the code. */
  mayWriteRef(seen: SeenRepo, name: string | undefined): boolean {
    return this.writers.some((mayWrite) => mayWrite(seen, name));
  }

  /** Called once, by the area that knows signing keys. Until then no signature is valid. */
  verifyWith(verifier: SignatureVerifier): void {
    this.verifier = verifier;
  }

  /** Gathers the facts the rules need about changes of one repository. */
  async examine(changes: readonly ProposedChange[], unstored: Unstored = {}): Promise<Examination> {
    const asked = new Map(changes.map((change) => [change.name, new Asked(this.needsOf(change))]));
    const inspected = changes.filter(({ name }) => asked.get(name)?.needsInspection);
    const facts = await this.inspect(inspected, asked, unstored);
    for (const { name, seen } of inspected) {
      const known = facts.get(name);
      if (known?.commits && asked.get(name)?.signatures)
        facts.set(name, { ...known, verified: await this.verifier(seen, known.commits) });
    }
    return { asked, facts, incomingBytes: await incomingBytes(unstored) };
  }

  /** Why some of the changes may not be made, by ref name. Call it where nothing can happen before they are made. */
  refusals(changes: readonly ProposedChange[], examined: Examination): Map<string, Refusal> {
    const refusals = new Map<string, Refusal>();
    for (const change of changes) {
      const refusal = this.refusalOf(change, examined);
      if (refusal) refusals.set(change.name, refusal);
    }
    return refusals;
  }

  /** For changes that are made together or not at all. @throws Failure the first refusal's */
  require(changes: readonly ProposedChange[], examined: Examination): void {
    for (const refusal of this.refusals(changes, examined).values()) throw refusal.failure;
  }

  private async inspect(
    changes: readonly ProposedChange[],
    asked: ReadonlyMap<string, Asked>,
    unstored: Unstored,
  ): Promise<Map<string, KnownFacts>> {
    const [first] = changes;
    if (!first) return new Map();
    const { id } = first.seen.repo;
    const input = {
      repoDir: this.storage.dirOf(id),
      ...unstored,
      changes: changes.map(({ name, oldOid, newOid }) => {
        const { facts, pathQueries } = asked.get(name) ?? new Asked([]);
        return { name, oldOid, newOid, facts: [...facts], pathQueries: [...pathQueries.values()] };
      }),
      knownTips: this.refs.tips(id),
      patterns: [...new Map([...asked.values()].flatMap(({ patterns }) => [...patterns])).values()],
    };
    try {
      const options = { lane: "bulk", timeoutMs: INSPECTION_TIMEOUT_MS } as const;
      const { changes: found, received } = await this.pool.run("git.inspect", input, options);
      const withReceived = (at: number): KnownFacts => ({ ...found[at], ...(received ? { received } : {}) });
      return new Map(changes.map(({ name }, at) => [name, withReceived(at)]));
    } catch (error) {
      if (!(error instanceof JobTimedOut)) throw error;
      return new Map(changes.map(({ name }) => [name, { overrun: "time" }]));
    }
  }

  private refusalOf(change: ProposedChange, { asked, facts, incomingBytes }: Examination): Refusal | undefined {
    const known = { ...facts.get(change.name), incomingBytes };
    for (const rule of this.rules) {
      const needs = rule.needs(change);
      if (!needs) continue;
      const refusal = unknown(needs, change.name, asked.get(change.name), known) ?? rule.judge(change, known);
      if (refusal) return refusal;
    }
    return undefined;
  }

  private needsOf(change: ProposedChange): RuleNeeds[] {
    return this.rules.flatMap((rule) => rule.needs(change) ?? []);
  }
}

async function incomingBytes({ quarantineDir, objects = [] }: Unstored): Promise<number> {
  const stored = quarantineDir === undefined ? 0 : await folderBytes(quarantineDir);
  return objects.reduce((sum, { data }) => sum + data.length, stored);
}

/** A change whose facts are not fully known is refused. */
function unknown(needs: RuleNeeds, name: string, asked: Asked | undefined, known: KnownFacts): Refusal | undefined {
  if (!asked?.covers(needs)) return { failure: new Conflict("push-rules.changed-meanwhile") };
  const { needsInspection, facts, patterns } = new Asked([needs]);
  if (!needsInspection) return undefined;
  const ofFiles = facts.has("blobs") && (patterns.size > 0 || known.overrun === "time");
  const overrun = known.overrun ?? (ofFiles ? known.received?.overrun : undefined);
  if (overrun === undefined) return undefined;
  return { failure: new Forbidden("push-rules.too-large", { params: { ref: name, what: overrun } }) };
}
