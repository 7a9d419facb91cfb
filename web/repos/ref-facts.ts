import type { RefListService } from "../../src/content/refs/service.ts";
import type { RevisionService } from "../../src/content/revisions/service.ts";
import type { TagService } from "../../src/content/tags/service.ts";
import type { Cache, CacheBudget } from "../../src/kernel/cache.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { RefChoices } from "../components/ref-selector.tsx";

/** Names the selector lists before one types. */
const CHOICES = 10;
/** Its names, with the objects they stand in. */
const FACTS_BYTES = 4096;

export interface RefCounts {
  readonly branches: number;
  readonly tags: number;
  readonly choices: RefChoices;
}

/** What every page of a repository shows of its refs, cached until a ref changes. */
export class RefFacts {
  private readonly known: Cache<number, { version: string; facts: RefCounts }>;

  constructor(
    private readonly refs: RefListService,
    private readonly revisions: RevisionService,
    private readonly tags: TagService,
    caches: CacheBudget,
  ) {
    this.known = caches.cache(() => FACTS_BYTES);
  }

  async of(seen: SeenRepo): Promise<RefCounts> {
    const { repo } = seen;
    const version = `${repo.refsVersion} ${repo.defaultBranch}`;
    const before = this.known.get(repo.id);
    if (before?.version === version) return before.facts;
    const facts = await this.read(seen);
    this.known.set(repo.id, { version, facts });
    return facts;
  }

  /** Names with `part` in them, for the selector's field: branches by name, tags newest first. */
  async choose(seen: SeenRepo, part: string): Promise<RefChoices> {
    return {
      branches: this.refs.branchNames(seen, part, CHOICES),
      tags: await this.tags.newestNames(seen, part, CHOICES),
      hasMore: true,
    };
  }

  private async read(seen: SeenRepo): Promise<RefCounts> {
    const { repo } = seen;
    const { branches, tags } = this.refs.counts(seen);
    const found = await this.choose(seen, "");
    const others = found.branches.filter((name) => name !== repo.defaultBranch);
    const hasDefault = this.revisions.head(seen) !== undefined;
    return {
      branches,
      tags,
      choices: {
        ...found,
        branches: hasDefault ? [repo.defaultBranch, ...others] : others,
        hasMore: branches > CHOICES || tags > CHOICES,
      },
    };
  }
}
