import { Commits } from "../../git/graph/commits.ts";
import type { ObjectSource } from "../../git/objects/source.ts";
import type { Oid } from "../../git/objects/types.ts";
import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { HistoryService } from "../history/service.ts";
import { DatedRefs, packDatedRefs } from "./dated-refs.ts";
import { namesHolding } from "./tips.ts";

/** The refs that contain a commit, by short names in name order. */
export interface RefsHolding {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** Up to this many refs are examined on this thread, as long as little has to be read for them. */
const FEW_REFS = 200;
const NAME_BYTES = 60;

/**
 * Queries over all branches or all tags of a repository. There may be any number of them: workers read their objects,
 * and results are cached until a ref changes.
 */
export class RefListService {
  private readonly dated: Cache<string, DatedRefs>;
  private readonly holdings: Cache<string, RefsHolding>;
  /** Lists being built, so that ten visitors after a push share one. */
  private readonly underWay = new InFlight<string, DatedRefs>();

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly history: HistoryService,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.dated = caches.cache((refs) => refs.bytes);
    this.holdings = caches.cache(({ branches, tags }) => (branches.length + tags.length) * NAME_BYTES);
  }

  /** All branches, newest commits first. */
  branches(seen: SeenRepo): Promise<DatedRefs> {
    return this.newestFirst(seen, BRANCHES);
  }

  /** All tags, newest first. */
  tags(seen: SeenRepo): Promise<DatedRefs> {
    return this.newestFirst(seen, TAGS);
  }

  /** The branches and tags from which a commit is reachable. @throws CorruptObject if a commit on the way is missing */
  async holding(seen: SeenRepo, commit: Oid): Promise<RefsHolding> {
    const { repo } = seen;
    const key = `${repo.id} ${repo.refsVersion} ${commit}`;
    const cached = this.holdings.get(key);
    if (cached) return cached;
    const names = await this.namesHolding(seen, commit);
    const below = (prefix: string) =>
      names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    const holding = { branches: below(BRANCHES), tags: below(TAGS) };
    this.holdings.set(key, holding);
    return holding;
  }

  private async newestFirst(seen: SeenRepo, prefix: string): Promise<DatedRefs> {
    const key = `${seen.repo.id} ${seen.repo.refsVersion} ${prefix}`;
    return (
      this.dated.get(key) ??
      this.underWay.once(key, async () => {
        const list = await this.make(seen, prefix);
        this.dated.set(key, list);
        return list;
      })
    );
  }

  private async make(seen: SeenRepo, prefix: string): Promise<DatedRefs> {
    const { repo } = seen;
    const areTags = prefix === TAGS;
    const input = { ...this.refs.committed(repo.id, prefix), repoDir: this.storage.dirOf(repo.id), areTags };
    const inWorker = () => this.pool.run("content.datedRefs", input);
    if (this.refs.count(repo.id, prefix) > FEW_REFS) return new DatedRefs(await inWorker());
    const refs = this.refs.list(repo.id, prefix);
    const here = (objects: ObjectSource) =>
      packDatedRefs(new Commits(objects, this.history.graph(seen)), refs, prefix, areTags);
    return new DatedRefs(await this.history.quickly(seen, here, inWorker));
  }

  private async namesHolding(seen: SeenRepo, commit: Oid): Promise<string[]> {
    const { id } = seen.repo;
    const input = { ...this.refs.committed(id, "refs/"), repoDir: this.storage.dirOf(id), commit };
    const inWorker = async () => {
      const names = await this.pool.run("content.refsHolding", input);
      return names === "" ? [] : names.split("\n");
    };
    const [branches, tags] = [this.refs.count(id, BRANCHES), this.refs.count(id, TAGS)];
    if (branches + tags > FEW_REFS) return inWorker();
    const refs = [...this.refs.list(id, BRANCHES), ...this.refs.list(id, TAGS)];
    const here = (objects: ObjectSource) => namesHolding(new Commits(objects, this.history.graph(seen)), commit, refs);
    return this.history.quickly(seen, here, inWorker);
  }

  /** The numbers of branches and tags. */
  counts({ repo }: SeenRepo): { readonly branches: number; readonly tags: number } {
    return { branches: this.refs.count(repo.id, BRANCHES), tags: this.refs.count(repo.id, TAGS) };
  }

  /** The names of branches that contain `part`, case-insensitive, in order. */
  branchNames({ repo }: SeenRepo, part: string, limit: number): string[] {
    const { items } = this.refs.page(repo.id, BRANCHES, part, { page: 1, limit, offset: 0 });
    return items.map(({ name }) => name.slice(BRANCHES.length));
  }

  /** The names of tags, in order. */
  tagNames({ repo }: SeenRepo, limit: number): string[] {
    const { items } = this.refs.page(repo.id, TAGS, "", { page: 1, limit, offset: 0 });
    return items.map(({ name }) => name.slice(TAGS.length));
  }
}
