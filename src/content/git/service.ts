import { peelToTree } from "../../git/graph/peel.ts";
import { decodeText } from "../../git/objects/headers.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { FileService } from "../files/service.ts";
import type { HistoryService } from "../history/service.ts";
import { isListed, UNLISTED } from "../refs/listed.ts";
import { typeOfTip } from "../refs/tips.ts";
import type { TypedRef } from "./reference.ts";
import { type TreePage, treePage } from "./tree-page.ts";

const NOTES = "refs/notes/commits";
/** Up to this many refs, objects are examined on this thread. */
const FEW_REFS = 200;
const MAX_NOTE_BYTES = 1024 * 1024;

/** Git data as stored: trees, refs, notes. */
export class GitDataService {
  private readonly totals: Cache<string, number>;

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly files: FileService,
    private readonly history: HistoryService,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.totals = caches.cache(() => 0);
  }

  /**
   * A page of a tree's entries.
   * @param treeish a commit, tag or tree
   * @returns undefined if the id does not name a tree
   */
  async tree(
    seen: SeenRepo,
    treeish: Oid,
    request: { recursive: boolean; skip: number; limit: number },
  ): Promise<TreePage | undefined> {
    const tree = peelToTree(this.storage.objects(seen.repo.id), treeish);
    if (tree === undefined) return undefined;
    const options = { ...request, sizes: true };
    const key = `${seen.repo.id} ${tree} ${request.recursive}`;
    const total = this.totals.get(key);
    const found = await this.history.quickly(
      seen,
      (objects) => treePage(objects, tree, options, total),
      () => this.pool.run("content.tree", { repoDir: this.storage.dirOf(seen.repo.id), tree, options, total }),
    );
    this.totals.set(key, found.total);
    return found;
  }

  /**
   * The refs with this prefix after `refs/`: a list if they are few, otherwise the text of a JSON array of
   * `referenceResource`s, made in a worker. Undefined if there are none.
   * @param api the repository's URL in the API
   */
  refsBelow({ repo }: SeenRepo, prefix: string, api: string): TypedRef[] | ReadableStream<Uint8Array> | undefined {
    const full = `refs/${prefix}`;
    if (this.countListed(repo.id, full) > FEW_REFS) {
      const input = { ...this.refs.committed(repo.id, full), repoDir: this.storage.dirOf(repo.id), api };
      const job = this.pool.start("content.refListing", input, { lane: "interactive" });
      job.end();
      // A failure aborts the connection, so that nobody mistakes a part for the whole.
      job.result.catch(() => {});
      return job.output;
    }
    const objects = this.storage.objects(repo.id);
    const refs = this.refs.list(repo.id, full).filter(({ name }) => isListed(name));
    return refs.length === 0 ? undefined : refs.map((ref) => ({ ...ref, type: typeOfTip(objects, ref) }));
  }

  /** How many of the refs are listed; also 0 for a prefix with only unlisted ones. */
  private countListed(repoId: number, prefix: string): number {
    if (!isListed(prefix)) return 0;
    const others = UNLISTED.filter((name) => name.startsWith(prefix));
    return others.reduce((count, name) => count - this.refs.count(repoId, name), this.refs.count(repoId, prefix));
  }

  /**
   * The note on a commit, and the newest commit that wrote it.
   * @throws NotFound
   */
  async note(seen: SeenRepo, commit: Oid): Promise<{ message: string; writtenBy: Oid }> {
    const notes = this.refs.find(seen.repo.id, NOTES)?.oid;
    const path = notes && this.notePath(seen, notes, commit);
    const entry = path && this.files.find(seen, notes, path);
    const data = entry && this.files.bytes(seen, entry.oid, MAX_NOTE_BYTES);
    const writtenBy = path && (await this.history.lastCommit(seen, notes, path));
    if (!data || !writtenBy) throw new NotFound("commit.missing", { params: { name: commit } });
    return { message: decodeText(data), writtenBy };
  }

  /** Notes are files named by the commit's id, with more slashes the more notes there are: ab/cd/ef…. */
  private notePath(seen: SeenRepo, notes: Oid, commit: Oid): string | undefined {
    for (let depth = 0; depth < 4; depth++) {
      const parts = Array.from({ length: depth }, (_, at) => commit.slice(at * 2, at * 2 + 2));
      const path = [...parts, commit.slice(depth * 2)].join("/");
      if (this.files.find(seen, notes, path)?.kind === "file") return path;
    }
    return undefined;
  }
}
