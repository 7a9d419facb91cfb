import { statSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../../git/objects/types.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { Deferred, type RepoStorage } from "../storage.ts";
import type { RefService } from "./service.ts";

/** About two megabytes. */
const MAX_KNOWN = 10_000;

/** Recently queried folders. */
const MAX_PACK_NAMES = 100;

/**
 * Whether an object may be shown to someone who names it by oid: only if it is reachable from a ref that clients may
 * see. Objects orphaned by a forced push or a deleted branch stay stored for a while, but are not shown to anyone.
 */
export class Reachability {
  /**
   * By folder and oid, oldest first; valid for one refs version. Not part of the cache budget: nothing is shown without
   * it.
   */
  private readonly answers = new Map<string, { readonly version: number; readonly isReachable: boolean }>();
  private readonly packNames = new Map<number, { readonly state: string; readonly names: ReadonlySet<string> }>();
  /** One run per question: checking an unreachable object may mean walking everything. */
  private readonly running = new InFlight<string, void>();

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /** @throws Deferred the answer is not known yet; for `RepoStorage.reading` */
  has(folderId: number, oid: Oid): boolean {
    return this.only(folderId, [oid]).length > 0;
  }

  /** Those of the objects that are reachable from a ref. @throws Deferred */
  only(folderId: number, oids: readonly Oid[]): Oid[] {
    const version = this.refs.version(folderId);
    const reached: Oid[] = [];
    const open: Oid[] = [];
    for (const oid of oids) {
      const answer = this.answers.get(`${folderId} ${oid}`);
      if (answer?.version !== version) open.push(oid);
      else if (answer?.isReachable) reached.push(oid);
    }
    if (open.length === 0) return reached;
    throw new Deferred(() => this.find(folderId, open));
  }

  /** Names of the packs whose objects are all reachable from refs. @throws Deferred */
  packs(folderId: number): ReadonlySet<string> {
    const state = `${this.refs.version(folderId)} ${packsStamp(this.storage.dirOf(folderId))}`;
    const cached = this.packNames.get(folderId);
    if (cached?.state === state) return cached.names;
    throw new Deferred(() =>
      this.running.once(`${folderId} packs`, async () => {
        const input = { repoDir: this.storage.dirOf(folderId), refs: this.refs.visible(folderId).packets };
        const names = new Set(await this.pool.run("git.reachablePacks", input));
        this.packNames.delete(folderId);
        this.packNames.set(folderId, { state, names });
        const [oldest] = this.packNames.keys();
        if (this.packNames.size > MAX_PACK_NAMES && oldest !== undefined) this.packNames.delete(oldest);
      }),
    );
  }

  private async find(folderId: number, oids: readonly Oid[]): Promise<void> {
    await this.running.once(`${folderId} ${oids.join(" ")}`, async () => {
      const version = this.refs.version(folderId);
      if (version === undefined) return;
      const repoDir = this.storage.dirOf(folderId);
      const refs = this.refs.visible(folderId).packets;
      const reached = new Set(await this.pool.run("git.reachable", { repoDir, refs, oids }, { lane: "interactive" }));
      for (const oid of oids) this.note(`${folderId} ${oid}`, { version, isReachable: reached.has(oid) });
    });
  }

  private note(key: string, found: { readonly version: number; readonly isReachable: boolean }): void {
    this.answers.delete(key);
    this.answers.set(key, found);
    const [oldest] = this.answers.keys();
    if (this.answers.size > MAX_KNOWN && oldest !== undefined) this.answers.delete(oldest);
  }
}

/** Changes when packs are added, removed or replaced. */
function packsStamp(repoDir: string): string {
  const directories = ["objects/pack", "objects/info/hearth"].map((name) => join(repoDir, name));
  return directories.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(" ");
}
