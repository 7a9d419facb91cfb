import type { TagService } from "../../src/content/tags/service.ts";
import type { Cache, CacheBudget } from "../../src/kernel/cache.ts";
import type { RefService } from "../../src/repos/refs/service.ts";
import type { Repo } from "../../src/repos/types.ts";
import type { RefChoices } from "../components/ref-selector.tsx";

/** Names the selector lists before one types. */
const CHOICES = 10;
/** Its names, with the objects they stand in. */
const FACTS_BYTES = 4096;
/** As many tags are put in the order of their dates; more in that of their names, which need no reading. */
const MAX_DATED_TAGS = 200;
const HEADS = "refs/heads/";
const TAGS = "refs/tags/";

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
    private readonly tags: TagService,
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

  /** Names with `part` in them, for the selector's field: branches by name, tags newest first. */
  choose(repo: Repo, part: string): RefChoices {
    const slice = { page: 1, limit: CHOICES, offset: 0 };
    const branches = this.refs.page(repo.id, HEADS, part, slice);
    return {
      branches: branches.items.map((ref) => ref.name.slice(HEADS.length)),
      tags: this.newestTags(repo, part),
      hasMore: true,
    };
  }

  private newestTags(repo: Repo, part: string): string[] {
    const wanted = part.toLowerCase();
    if (this.refs.count(repo.id, TAGS) <= MAX_DATED_TAGS)
      return this.tags
        .all(repo)
        .map((tag) => tag.name)
        .filter((name) => name.toLowerCase().includes(wanted))
        .slice(0, CHOICES);
    const { compare } = new Intl.Collator("en", { numeric: true });
    return this.refs
      .list(repo.id, TAGS)
      .map((ref) => ref.name.slice(TAGS.length))
      .filter((name) => name.toLowerCase().includes(wanted))
      .sort((a, b) => compare(b, a))
      .slice(0, CHOICES);
  }

  private read(repo: Repo): RefCounts {
    const branches = this.refs.count(repo.id, HEADS);
    const tags = this.refs.count(repo.id, TAGS);
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
