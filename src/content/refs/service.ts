import { Commits } from "../../git/graph/commits.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { Ref } from "../../git/refs/types.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import { InFlight } from "../../kernel/in-flight.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { HistoryService } from "../history/service.ts";
import { BRANCHES, TAGS } from "../values.ts";
import { packTips, placesHolding, timesOfTips } from "./tips.ts";

/** A branch or tag. */
export interface DatedRef extends Ref {
  /** Without `refs/heads/` or `refs/tags/`. */
  readonly shortName: string;
  /** Of an annotated tag, else of the commit; seconds since 1970. */
  readonly time: number;
}

/** Which refs lead to a commit, by short names in the order of names. */
export interface RefsHolding {
  readonly branches: readonly string[];
  readonly tags: readonly string[];
}

/** So many refs are looked into right here, as far as little has to be read for them. */
const FEW_REFS = 200;
/** An entry of a list, with its strings shared with the list of refs. */
const REF_BYTES = 80;
const NAME_BYTES = 60;

/**
 * What is asked of all branches or all tags of a repository at once. There may be any number of them: workers look into
 * their objects, and what they found is cached until a ref changes.
 */
export class RefListService {
  private readonly dated: Cache<string, readonly DatedRef[]>;
  private readonly holdings: Cache<string, RefsHolding>;
  /** Lists being made, so that ten visitors after a push have one made. */
  private readonly underWay = new InFlight<string, readonly DatedRef[]>();

  constructor(
    private readonly refs: RefService,
    private readonly storage: RepoStorage,
    private readonly history: HistoryService,
    private readonly pool: WorkerPool,
    caches: CacheBudget,
  ) {
    this.dated = caches.cache((refs) => refs.length * REF_BYTES);
    this.holdings = caches.cache(({ branches, tags }) => (branches.length + tags.length) * NAME_BYTES);
  }

  /** All branches, those with the newest commits first. */
  branches(seen: SeenRepo): Promise<readonly DatedRef[]> {
    return this.newestFirst(seen, BRANCHES);
  }

  /** All tags, the newest first. */
  tags(seen: SeenRepo): Promise<readonly DatedRef[]> {
    return this.newestFirst(seen, TAGS);
  }

  /** The branches and tags from which a commit can be reached. @throws CorruptObject when a commit on the way is missing */
  async holding(seen: SeenRepo, commit: Oid): Promise<RefsHolding> {
    const { repo } = seen;
    const key = `${repo.id} ${repo.refsVersion} ${commit}`;
    const known = this.holdings.get(key);
    if (known) return known;
    const branches = this.refs.list(repo.id, BRANCHES);
    const all = [...branches, ...this.refs.list(repo.id, TAGS)];
    const inWorker = () =>
      this.pool.run("content.refsHolding", { repoDir: this.storage.dirOf(repo.id), commit, tips: packTips(all) });
    const places =
      all.length > FEW_REFS
        ? await inWorker()
        : await this.history.quickly(
            seen,
            (objects) => placesHolding(new Commits(objects, this.history.graph(seen)), commit, all),
            inWorker,
          );
    const holding: { branches: string[]; tags: string[] } = { branches: [], tags: [] };
    for (const place of places) {
      const name = all[place]?.name ?? "";
      if (place < branches.length) holding.branches.push(name.slice(BRANCHES.length));
      else holding.tags.push(name.slice(TAGS.length));
    }
    this.holdings.set(key, holding);
    return holding;
  }

  private async newestFirst(seen: SeenRepo, prefix: string): Promise<readonly DatedRef[]> {
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

  private async make(seen: SeenRepo, prefix: string): Promise<readonly DatedRef[]> {
    const { repo } = seen;
    const refs = this.refs.list(repo.id, prefix);
    const inWorker = () =>
      this.pool.run("content.refTimes", { repoDir: this.storage.dirOf(repo.id), tips: packTips(refs) });
    const times =
      refs.length > FEW_REFS
        ? await inWorker()
        : await this.history.quickly(
            seen,
            (objects) => timesOfTips(new Commits(objects, this.history.graph(seen)), refs),
            inWorker,
          );
    // Refs come in the order of their names: of the same time, branches stay in it and tags come the other way round.
    const forward = prefix === BRANCHES ? 1 : -1;
    const order = Uint32Array.from(refs.keys()).sort((a, b) => times[b]! - times[a]! || (a - b) * forward);
    return Array.from(order, (at): DatedRef => {
      const ref = refs[at]!;
      return { ...ref, shortName: ref.name.slice(prefix.length), time: times[at]! };
    });
  }
}
