import type { Cache, CacheBudget } from "../../src/kernel/cache.ts";
import type { RefService } from "../../src/repos/refs/service.ts";
import type { Repo } from "../../src/repos/types.ts";
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

/** What every page of a repository shows of its refs, kept until a ref changes. */
export class RefFacts {
  private readonly known: Cache<number, { version: string; facts: RefCounts }>;

  constructor(
    private readonly refs: RefService,
    caches: CacheBudget,
  ) {
    this.known = caches.cache(() => FACTS_BYTES);
  }

  of(repo: Repo): RefCounts {
    const version = `${repo.refsVersion} ${repo.defaultBranch}`;
    const before = this.known.get(repo.id);
    if (before?.version === version) return before.facts;
    const facts = this.read(repo);
    this.known.set(repo.id, { version, facts });
    return facts;
  }

  /** Names with `part` in them, for the selector's field. */
  choose(repo: Repo, part: string): RefChoices {
    const slice = { page: 1, limit: CHOICES, offset: 0 };
    const branches = this.refs.page(repo.id, "refs/heads/", part, slice);
    const tags = this.refs.page(repo.id, "refs/tags/", part, slice);
    return {
      branches: branches.items.map((ref) => ref.name.slice("refs/heads/".length)),
      tags: tags.items.map((ref) => ref.name.slice("refs/tags/".length)),
      hasMore: true,
    };
  }

  private read(repo: Repo): RefCounts {
    const branches = this.refs.count(repo.id, "refs/heads/");
    const tags = this.refs.count(repo.id, "refs/tags/");
    const found = this.choose(repo, "");
    const others = found.branches.filter((name) => name !== repo.defaultBranch);
    const hasDefault = this.refs.find(repo.id, `refs/heads/${repo.defaultBranch}`) !== undefined;
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
