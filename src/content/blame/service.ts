import type { BlameMemory } from "../../git/blame/memory.ts";
import type { BlameRange } from "../../git/blame/result.ts";
import type { Oid } from "../../git/objects/types.ts";
import { isOid } from "../../git/objects/types.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { NotFound, TooLarge } from "../../kernel/errors.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { JobFailed, type WorkerPool } from "../../workers/pool.ts";
import type { FileService } from "../files/service.ts";
import type { BlamedCommit } from "./blame.job.ts";

/** Lists commits whose changes don't count, the conventional file for git's `blame.ignoreRevsFile`. */
export const IGNORED_REVISIONS_FILE = ".git-blame-ignore-revs";

const MAX_LIST_BYTES = 256 * 1024;
const MAX_IGNORED = 5_000;
const RANGE_BYTES = 250;

/** The origin of each line of a file. */
export interface FileBlame {
  /** Covers the whole file, in line order. */
  readonly ranges: readonly BlameRange[];
  readonly lineCount: number;
  /** The commits that lines come from. */
  readonly commits: ReadonlyMap<Oid, BlamedCommit>;
}

/** The input of a blame. */
export interface BlameRequest {
  readonly commit: Oid;
  readonly path: string;
  /** Commits whose changes don't count. */
  readonly ignored: readonly Oid[];
}

/** Blames files in workers; results depend only on object ids and are cached. */
export class BlameService {
  private readonly blames: Cache<string, FileBlame>;
  /** The latest blame of each file; that of a later commit continues from it. */
  private readonly memories: Cache<string, BlameMemory>;
  private readonly underWay = new InFlight<string, FileBlame>();

  constructor(
    private readonly files: FileService,
    private readonly storage: RepoStorage,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.blames = caches.cache(({ ranges, commits }) => (1 + ranges.length + commits.size) * RANGE_BYTES);
    this.memories = caches.cache(({ files, ranges }) => files.length * RANGE_BYTES + ranges.length * 8);
  }

  /**
   * The ids in the list of ignored revisions at the root of a commit, limited to commits that exist here; undefined
   * without a list. Comments, and lines that are not full ids, are skipped.
   */
  ignoredRevisions(seen: SeenRepo, commit: Oid): readonly Oid[] | undefined {
    const file = this.files.find(seen, commit, IGNORED_REVISIONS_FILE);
    if (file?.kind !== "file") return undefined;
    const text = Buffer.from(this.files.bytes(seen, file.oid, MAX_LIST_BYTES) ?? []).toString("latin1");
    const ids = new Set<Oid>();
    for (const line of text.split("\n")) {
      const id = (line.split("#", 1)[0] ?? "").trim().toLowerCase();
      if (isOid(id) && this.files.header(seen, id)?.type === "commit") ids.add(id);
      if (ids.size === MAX_IGNORED) break;
    }
    return [...ids].sort();
  }

  /**
   * @throws NotFound if there is no such file in the commit; TooLarge if it has too many lines or bytes to blame;
   *   JobTimedOut; CorruptObject (from a worker)
   */
  async of({ repo }: SeenRepo, request: BlameRequest): Promise<FileBlame> {
    const { commit, path, ignored } = request;
    const key = `${repo.id} ${JSON.stringify([commit, path, ignored])}`;
    const cached = this.blames.get(key);
    if (cached) return cached;
    return this.underWay.once(key, async () => {
      const place = `${repo.id} ${path}`;
      const known = this.memories.get(place);
      const input = { repoDir: this.storage.dirOf(repo.id), tip: commit, path, ignored };
      try {
        const { memory, ...blame } = await this.pool.run("content.blame", { ...input, ...(known ? { known } : {}) });
        if (memory) this.memories.set(place, memory);
        this.blames.set(key, blame);
        return blame;
      } catch (error) {
        if (!(error instanceof JobFailed)) throw error;
        if (error.originalName === "NoSuchFile") throw new NotFound("path.missing", { params: { path } });
        if (error.originalName === "BlameTooLarge") throw new TooLarge("blame.too-large", { params: { path } });
        throw error;
      }
    });
  }
}
