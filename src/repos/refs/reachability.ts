import { statSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../../git/objects/types.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { Deferred, type RepoStorage } from "../storage.ts";
import type { RefService } from "./service.ts";

/** Some two megabytes. */
const MAX_KNOWN = 10_000;

/** Folders whose packs were asked for lately. */
const MAX_PACK_NAMES = 100;

/**
 * Whether an object may be shown to those who name it by its id: only if a ref that clients may see leads to it. What a
 * forced push or a deleted branch took away is stored for a while longer, but no one is told of it.
 */
export class Reachability {
  /** By folder and id, oldest first; it holds for one version of the refs. Not in the budget of caches: nothing is shown without it. */
  private readonly answers = new Map<string, { readonly version: number; readonly isReachable: boolean }>();
  private readonly packNames = new Map<number, { readonly state: string; readonly names: ReadonlySet<string> }>();
  /** One at a time for each question: looking for what is unreachable may mean a walk through everything. */
  private readonly running = new InFlight<string, void>();

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
  ) {}

  /** @throws Deferred when it has to be found out, for `RepoStorage.reading` */
  has(folderId: number, oid: Oid): boolean {
    return this.only(folderId, [oid]).length > 0;
  }

  /** Those of the objects that a ref leads to. @throws Deferred */
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

  /** Names of the packs of which a ref leads to every object. @throws Deferred */
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

/** Changes when packs come or go, or are replaced. */
function packsStamp(repoDir: string): string {
  const directories = ["objects/pack", "objects/info/hearth"].map((name) => join(repoDir, name));
  return directories.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(" ");
}
